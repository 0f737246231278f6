"""The release: words and sizes that are its own, and the manager that knows it."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.catalog.records import ModuleSize
from pixsize.catalog.tunings import Tuning
from pixsize.check.context import Context, grouped
from pixsize.findings import Finding
from pixsize.products.lustre.plan import lustre
from pixsize.products.lustre.records import LustreRelease, LustreWord, Triple, iml_manages, triple
from pixsize.products.lustre.request import ArrayLustreRequest
from pixsize.products.lustre.rules.due import request_of

_RPC = "lustre.brw_bytes_max."
"""The limits of the largest RPC; the minor version follows."""


def release_speaks(context: Context) -> Iterator[Finding]:
    """PX551: the words that files are rendered with are those of the release that was asked for."""
    version, release = lustre(context.plan).version, context.catalog.get(LustreRelease, lustre(context.plan).release)
    asked = triple(version) or (0, 0, 0)

    def hits() -> Iterator[tuple[str, str]]:
        if not release.speaks_for(version):
            yield "lustre_version", f"the words are those of {release.title}"
            return
        for word in context.catalog.all(LustreWord):
            why = word.missing(asked) if word.word in release.words else ""
            if why:
                yield "lustre_version", f"{word.title} {why}"
        yield from (("lustre_version", why) for why in _settings_beyond(context, asked))

    return grouped("PX551", hits(), f"Lustre {version} takes the agents, options and values that it has")


def own_sizes(context: Context) -> Iterator[Finding]:
    """PX418: the sizes of targets are those of the version that was asked for."""
    version, release = lustre(context.plan).version, context.catalog.get(LustreRelease, lustre(context.plan).release)
    if release.speaks_for(version) and release.sized_as != version:
        message = (
            f"targets are planned with the sizes of Lustre {release.sized_as}; nobody read those of {version}, and a "
            "script stops where dumpe2fs shows others"
        )
        yield Finding("PX418", message, "lustre_version", f"lustre_version: {release.sized_as}, where that will do")


def manager_knows(context: Context) -> Iterator[Finding]:
    """PX552: the release is one that IML is known to watch."""
    if lustre(context.plan).management != "iml_monitored" or _is_managed(context):
        return
    message = f"IML is to watch Lustre {lustre(context.plan).version}; it manages 2.10, and no source says more of it"
    yield Finding("PX552", message, "management", "management: none")


def manager_watches(context: Context) -> Iterator[Finding]:
    """PX416: IML only watches what the rendered files build."""
    if lustre(context.plan).management == "iml_monitored" and _is_managed(context):
        message = "IML only watches: LNet and high availability belong to the rendered files, and never to both"
        yield Finding("PX416", message, "management", "add the servers to IML with its monitored server profile")


def sizes_of_the_document(context: Context) -> Iterator[Finding]:
    """PX415: the modules are of a size that the document has."""
    request = request_of(context)
    if not isinstance(request, ArrayLustreRequest):
        return
    ours = {s.size: s for s in context.catalog.of_design(ModuleSize, request.design) if _is_ours(s)}
    for index, entry in enumerate(request.storage_modules):
        if entry.size in ours:
            arrays = ours[entry.size].arrays
            few = "one array" if arrays == 1 else f"{arrays} arrays"
            message = f"{few} a pair of OSS: a size of pixsize's own, which nobody measured"
            yield Finding("PX415", message, f"storage_modules[{index}].size", "size: large is the document's")


RULES = (release_speaks, manager_knows, sizes_of_the_document, manager_watches, own_sizes)


def _settings_beyond(context: Context, asked: Triple) -> Iterator[str]:
    """Settings of the design that no release takes, or not this one: an OST's RPC, in MiB, and RPCs on their way.

    Where nobody read the largest RPC of a release, the smallest that is known of any holds.
    """
    known = {i: context.limit(i) for i in context.catalog.ids("limit") if i.startswith(_RPC)}
    rpc = known.get(f"{_RPC}{asked[0]}.{asked[1]}", min(known.values(), default=0))
    bounds = ((".brw_size", rpc // 2**20), (".max_rpcs_in_flight", context.limit("lustre.rpcs_in_flight_max")))
    for tuning in context.catalog.of_design(Tuning, context.request.design):
        most = next((n for end, n in bounds if tuning.parameter.endswith(end)), 0)
        if not most:
            continue
        word = tuning.parameter.rpartition(".")[2]
        if not tuning.value.isdecimal() or not 1 <= int(tuning.value) <= most:
            yield f"{word}={tuning.value} is no number from 1 to {most:,}"


def _is_managed(context: Context) -> bool:
    return iml_manages(lustre(context.plan).version, context.catalog.all(LustreRelease))


def _is_ours(size: ModuleSize) -> bool:
    """Whether no document stands behind a size but pixsize's own word."""
    return all(source.document == "pixsize" for source in size.sources)
