"""Files and the release: what ends first, what the default layout fits, and which words and sizes a release has."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize import units
from pixsize.catalog.designs import ModuleSize
from pixsize.catalog.tunings import Tuning
from pixsize.check.context import Context, grouped
from pixsize.findings import Finding
from pixsize.products.lustre.plan import Ldiskfs, lustre, target_of
from pixsize.products.lustre.records import SPREADS, LustreRelease, LustreWord, Triple, has_word, iml_manages, triple
from pixsize.products.lustre.request import ArrayLustreRequest
from pixsize.products.lustre.rules.requested import request_of

_ALL = -1
"""The stripe count that stands for every OST (Lustre Operations Manual, lfs setstripe, -c)."""
_RPC = "lustre.brw_bytes_max."
"""The limits of the largest RPC; the minor version follows."""


def objects_bind(context: Context) -> Iterator[Finding]:
    """PX546: how many files there can be, where the objects of the OSTs end first."""
    files, inodes, of_one_mdt = _files(context)
    if not 0 < files <= inodes:
        return
    spread = has_word(lustre(context.plan).version, context.catalog.get(LustreWord, SPREADS))
    binds = of_one_mdt < files and not spread
    alone = f"; one MDT alone, where directories are not spread, ends at {of_one_mdt:,}" if binds else ""
    message = (
        f"{files:,} files {_striped(context)} use up the objects of the OSTs; the MDTs have {inodes:,} inodes{alone}. "
        f"Files below {_mean(context, files)} on average run out of objects before space"
    )
    yield Finding("PX546", message, "")


def inodes_bind(context: Context) -> Iterator[Finding]:
    """PX547: the MDTs have an inode for every file that the OSTs have objects for."""
    files, inodes, _ = _files(context)
    if inodes >= files:
        return
    message = (
        f"the MDTs have {inodes:,} inodes, and the OSTs objects for {files:,} files {_striped(context)}. Files below "
        f"{_mean(context, inodes)} on average run out of inodes before space"
    )
    of_pool = (f"{context.design.volumes}.mdt", "larger MDTs")
    where, hint = of_pool if context.plan.pools else ("metadata", "more MDTs, or larger drives")
    yield Finding("PX547", message, where, f"{hint}; or accept it where files are larger")


def stripes_of_release(context: Context) -> Iterator[Finding]:
    """PX548: a file of the default layout has no more stripes than the release allows."""
    count, most = lustre(context.plan).stripe_count, _most_stripes(context)
    if count > most:
        message = (
            f"{count:,} stripes a file; Lustre {lustre(context.plan).version} takes {most:,} as an MDT is formatted"
        )
        yield Finding("PX548", message, "filesystem.stripe_count", f"stripe_count: {most} at most")


def stripes_of_osts(context: Context) -> Iterator[Finding]:
    """PX549: the default layout gets the stripes that it asks for."""
    count, osts, most = lustre(context.plan).stripe_count, len(context.of_kind["ost"]), _most_stripes(context)
    if osts < count <= most:
        message = f"{count:,} stripes a file, where there are {osts:,} OSTs: no file gets more stripes than that"
        yield Finding("PX549", message, "filesystem.stripe_count", "stripe_count: -1 stands for all OSTs")
    if count == _ALL and osts > most:
        message = f"files over all {osts:,} OSTs; Lustre {lustre(context.plan).version} gives a file {most:,} stripes"
        yield Finding("PX549", message, "filesystem.stripe_count", f"stripe_count: {most} says the same")


def layout_in_inode(context: Context) -> Iterator[Finding]:
    """PX550: the default layout of a file fits the inode of the MDT."""
    stripes = _stripes(context)
    inode = min((disk.inode_bytes for disk in _disks(context, "mdt")), default=0)
    limit_id = {1024: "lustre.stripes_in_small_inode", 2048: "lustre.stripes_in_large_inode"}.get(inode)
    if limit_id and stripes > context.limit(limit_id):
        message = (
            f"a layout of {stripes:,} stripes does not fit the MDT's inode of {inode:,} B, made for "
            f"{context.limit(limit_id)}: each such file takes a block more, and a read more when it is opened"
        )
        hint = "fewer stripes by default, and wide layouts on the directories that need them"
        yield Finding("PX550", message, "filesystem.stripe_count", hint)


def largest_file(context: Context) -> Iterator[Finding]:
    """PX559: a file can fill the OSTs that it lies on."""
    most, stripes = context.limit("lustre.object_bytes_max"), _stripes(context)
    space = max((disk.user_bytes for disk in _disks(context, "ost")), default=0)
    if space > most:
        message = (
            f"a file {_striped(context)} ends at {units.binary_bytes(stripes * most)}: an object is no larger than "
            f"{units.binary_bytes(most)}, and an OST has {units.binary_bytes(space)}"
        )
        hint = "more stripes for larger files: a layout that widens as a file grows"
        yield Finding("PX559", message, "filesystem.stripe_count", hint)


def _files(context: Context) -> tuple[int, int, int]:
    """The files of the default layout that the OSTs have objects for, the inodes of all MDTs, those of the smallest."""
    objects = sum(disk.inodes for disk in _disks(context, "ost"))
    inodes = [disk.inodes for disk in _disks(context, "mdt")]
    return objects // max(_stripes(context), 1), sum(inodes), min(inodes, default=0)


def _stripes(context: Context) -> int:
    """How many stripes a file of the default layout gets."""
    count, osts = lustre(context.plan).stripe_count, len(context.of_kind["ost"])
    return min(osts if count == _ALL else count, osts, _most_stripes(context))


def _most_stripes(context: Context) -> int:
    """How many the release gives a file: more where its MDTs keep layouts in inodes of their own (`ea_inode`)."""
    release = context.catalog.get(LustreRelease, lustre(context.plan).release)
    has_ea_inode = "ea_inode" in release.mdt.features
    return context.limit("lustre.stripes_max" if has_ea_inode else "lustre.stripes_max_no_ea")


def _striped(context: Context) -> str:
    stripes = _stripes(context)
    return "of one stripe" if stripes == 1 else f"of {stripes:,} stripes"


def _mean(context: Context, files: int) -> str:
    """The size of a file when so many of them fill the OSTs."""
    space = sum(disk.user_bytes for disk in _disks(context, "ost"))
    return units.binary_bytes(space // max(files, 1), 1)


def _disks(context: Context, kind: str) -> list[Ldiskfs]:
    """What ldiskfs makes of the targets of a kind."""
    return [disk for t in context.of_kind[kind] if (disk := target_of(t).ldiskfs)]


def release_speaks(context: Context) -> Iterator[Finding]:
    """PX551: the requested release has the agents, options and values that files are rendered with."""
    version, release = lustre(context.plan).version, context.catalog.get(LustreRelease, lustre(context.plan).release)
    numbers = triple(version) or (0, 0, 0)

    def hits() -> Iterator[tuple[str, str]]:
        if not release.speaks_for(version):
            yield "lustre_version", f"the words are those of {release.title}"
            return
        for word in context.catalog.all(LustreWord):
            trouble = word.missing(numbers) if word.word in release.words else ""
            if trouble:
                yield "lustre_version", f"{word.title} {trouble}"
        yield from (("lustre_version", trouble) for trouble in _settings_beyond(context, numbers))

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
    sizes_of_pixsize = {
        size.size: size.arrays
        for size in context.catalog.of_design(ModuleSize, request.design)
        if all(source.document == "pixsize" for source in size.sources)
    }
    for index, entry in enumerate(request.storage_modules):
        if entry.size in sizes_of_pixsize:
            arrays = sizes_of_pixsize[entry.size]
            count = "one array" if arrays == 1 else f"{arrays} arrays"
            message = f"{count} a pair of OSS: a size of pixsize's own, which nobody measured"
            yield Finding("PX415", message, f"storage_modules[{index}].size", "size: large is the document's")


def _settings_beyond(context: Context, version: Triple) -> Iterator[str]:
    """Settings of the design that no release takes, or not this one: an OST's RPC, in MiB, and RPCs on their way.

    Where nobody read the largest RPC of a release, the smallest that is known of any holds.
    """
    rpc_limits = {i: context.limit(i) for i in context.catalog.ids("limit") if i.startswith(_RPC)}
    rpc = rpc_limits.get(f"{_RPC}{version[0]}.{version[1]}", min(rpc_limits.values(), default=0))
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
