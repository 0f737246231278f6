"""What a plan with an NVMe tier must keep: names, sizes, drives, and a majority of targets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant, Drive, Limit
from pixsize.check.additions import counted_together, links_of, record_of, servers, words_of
from pixsize.check.context import Context, Hit, differences, grouped
from pixsize.check.rules import MATCHES_REQUEST
from pixsize.expected import ExpectedServer, ExpectedVolume
from pixsize.findings import Finding
from pixsize.load.partial_request import did_you_mean
from pixsize.plan.records import Volume, same_host
from pixsize.products.nvmesh.plan import NvmeTier
from pixsize.products.nvmesh.records import (
    DRIVE_OVERHEAD,
    NAME_CHARS,
    PRIVATE_AREA,
    SLICE,
    SLICES_A_DRIVE,
    TARGETS,
    NvmeDesign,
)
from pixsize.products.nvmesh.request import Nvme
from pixsize.texts import listed
from pixsize.units import show

_WHERE = "nvme"
_NAME = re.compile(r"(?!e_|d_)[A-Za-z0-9_+=-]+", re.ASCII)
"""What NVMesh takes as the name of a volume (the schema of its interface)."""


def expected(words: Nvme, section: NvmeDesign) -> Iterator[ExpectedServer]:
    """Two servers a pair."""
    return servers("nvme", "nvme", words.pairs * 2, section)


def volumes(words: Nvme, section: NvmeDesign, catalog: Catalog) -> Iterator[ExpectedVolume]:
    """The volumes of every pair, counted by their place; the first server of a pair has the odd ones."""
    size = _slice(words, section, catalog) * section.drives
    for place in range(words.pairs * section.volumes):
        pair, turn = divmod(place, section.volumes)
        two = (f"nvme{pair * 2 + 1}", f"nvme{pair * 2 + 2}")
        name = f"nvp{pair + 1}_data{turn + 1:02d}"
        preferred = (two[turn % 2], two[1 - turn % 2])
        yield ExpectedVolume(name, "nvmesh", f"nvp{pair + 1}", size, f"/dev/nvmesh/{name}", preferred, section.pool)


def _slice(words: Nvme, section: NvmeDesign, catalog: Catalog) -> int:
    """What a volume has of each drive: steps are taken off until all volumes fit beside what NVMesh keeps."""
    drive, step = catalog.get(Drive, words.drive).capacity_bytes, catalog.get(Limit, SLICE).value
    kept = catalog.get(Limit, DRIVE_OVERHEAD).value + drive * catalog.get(Constant, PRIVATE_AREA).value
    steps = drive // (section.volumes * step)
    while steps > 0 and steps * step * section.volumes + kept > drive:
        steps -= 1
    return steps * step


def section_of(context: Context) -> NvmeDesign:
    """The design's record of the tier."""
    (section, *_) = context.catalog.of_design(NvmeDesign, context.design.id)
    return section


def _own(context: Context) -> list[Volume]:
    return [v for v in context.plan.volumes if v.id in context.added_volumes and v.provider == "nvmesh"]


def tier_of_the_request(context: Context) -> Iterator[Finding]:
    """PX525: pairs, pool, slices, stripes and arbiter are those of the request and of the design."""
    tier, words, section = record_of(context, NvmeTier), words_of(context, Nvme), section_of(context)
    names = [s.id for s in context.added_servers if s.role == "nvme"]
    arbiter = (words.arbiter.server, words.arbiter.drive) if words.arbiter else None
    due: tuple[tuple[str, object, object], ...] = (
        ("pairs", tier.pairs, tuple((f"nvp{n + 1}", tuple(names[2 * n : 2 * n + 2])) for n in range(words.pairs))),
        ("pool", tier.pool, section.pool),
        ("slice_bytes", tier.slice_bytes, _slice(words, section, context.catalog)),
        ("stripe_width", tier.stripe_width, section.drives),
        ("limit", tier.limit, words.policy.limit),
        ("high", tier.high, words.policy.high),
        ("low", tier.low, words.policy.low),
        ("stripe_blocks", tier.stripe_blocks, section.stripe_blocks),
        ("arbiter", tier.arbiter, arbiter),
    )
    hits: list[Hit] = [
        (_WHERE, f"{word} of the tier is {has!r}, where {wanted!r} is due")
        for word, has, wanted in due
        if has != wanted
    ]
    drives = (words.drive, section.drives)
    hits += [
        (f"{_WHERE}.drive", f"{s.id} has {s.drives!r}, where {drives!r} are due")
        for s in context.plan.servers
        if s.drives != (drives if s.id in names else None)
    ]
    yield from grouped("PX525", hits, MATCHES_REQUEST)


def volumes_in_order(context: Context) -> Iterator[Finding]:
    """PX525: the volumes stand behind those of the arrays, pair by pair, and have nothing that only an array gives."""
    fields = ("id", "provider", "backing", "bytes", "purpose", "array", "lun", "owner", "wwid", "reported_bytes")
    rows = [
        (v.id, v.provider, v.backing, v.bytes, "data", "", None, "", None, None)
        for v in context.added_volumes.values()
        if v.provider == "nvmesh"
    ]
    found = [v for v in context.plan.volumes if v.provider == "nvmesh"]
    why = list(differences("volume", fields, found, rows))
    own = {v.id for v in found}
    places = [place for place, v in enumerate(context.plan.volumes) if v.id in own]
    if places and places[-1] - places[0] + 1 != len(places):
        why.append("other volumes stand between those of the tier")
    yield from grouped("PX525", ((_WHERE, w) for w in why), MATCHES_REQUEST)


def data_alone(context: Context) -> Iterator[Finding]:
    """PX599: the tier holds data, and no metadata."""
    hits = ((_WHERE, f"{v.id} is for {v.purpose}") for v in _own(context) if v.purpose != "data")
    targets = (
        (_WHERE, f"{t.id} holds {t.purpose} on {t.volume}")
        for t in context.plan.targets
        if t.volume in context.added_volumes and t.purpose != "data"
    )
    yield from grouped("PX599", (*hits, *targets), "the document keeps metadata off the NVMe tier")


def names_that_nvmesh_takes(context: Context) -> Iterator[Finding]:
    """PX625: names of volumes are ones that NVMesh takes."""
    longest = context.limit(NAME_CHARS)
    hits = (
        (_WHERE, f"{v.id!r} cannot name a volume")
        for v in context.plan.volumes
        if v.provider == "nvmesh" and (len(v.id) > longest or not _NAME.fullmatch(v.id))
    )
    yield from grouped(
        "PX625", hits, f"{longest} letters, digits, `_`, `+`, `=` and `-` at the most, not after e_ or d_"
    )


def whole_slices(context: Context) -> Iterator[Finding]:
    """PX628: a volume is whole steps of every drive of a stripe, and the volumes of a pair fit on its drives."""
    section, words = section_of(context), words_of(context, Nvme)
    unit = context.limit(SLICE) * section.drives
    room = (context.drive(words.drive).capacity_bytes - context.limit(DRIVE_OVERHEAD)) * section.drives
    most = context.limit(SLICES_A_DRIVE)

    def hits() -> Iterator[Hit]:
        for volume in (v for v in context.plan.volumes if v.provider == "nvmesh"):
            if volume.bytes <= 0 or volume.bytes % unit:
                yield f"{_WHERE}.drive", f"{volume.id} has {volume.bytes:,} bytes"
        for backing in dict.fromkeys(v.backing for v in _own(context)):
            sizes = [v.bytes for v in _own(context) if v.backing == backing]
            if sum(sizes) > room:
                yield f"{_WHERE}.drive", f"the volumes of {backing} ask for {sum(sizes):,} bytes of {room:,}"
            if len(sizes) > most:
                yield _WHERE, f"{backing} has {len(sizes)} volumes, where a drive takes {most} slices"

    yield from grouped("PX628", hits(), f"a volume is a multiple of {unit:,} bytes, and a pair holds all of its own")


def majority(context: Context) -> Iterator[Finding]:
    """PX623: there are enough targets for a leader to be elected when one is down."""
    words, least = words_of(context, Nvme), context.limit(TARGETS)
    targets = words.pairs * 2 + (words.arbiter is not None)
    if targets < least:
        message = (
            f"{targets} targets of NVMesh: without a third, neither of the two has a majority when the other is down"
        )
        yield Finding("PX623", message, _WHERE, "arbiter: {server: mgmt1}, with an NVMe drive of its own; or pairs: 2")


def arbiter_apart(context: Context) -> Iterator[Finding]:
    """PX629: the arbiter is none of the servers that it is to arbitrate."""
    arbiter = record_of(context, NvmeTier).arbiter
    own = [s.id for s in context.plan.servers if s.role == "nvme"]
    if arbiter and (not arbiter.server or any(same_host(arbiter.server, s) for s in own)):
        message = f"the arbiter is {arbiter.server or 'nobody'}, which is no third target beside {listed(own)}"
        yield Finding("PX629", message, f"{_WHERE}.arbiter", "a server outside the pairs, such as mgmt1")


def arbiter_of_the_plan(context: Context) -> Iterator[Finding]:
    """PX578: somebody installs the arbiter: it is a server of the plan."""
    arbiter, servers = record_of(context, NvmeTier).arbiter, [s.id for s in context.plan.servers]
    if arbiter and arbiter.server and not any(same_host(arbiter.server, s) for s in servers):
        message = f"the arbiter {arbiter.server} is no server of the plan: no step installs it, and no file knows it"
        hint = did_you_mean(arbiter.server, servers) or "A server outside the pairs, such as mgmt1."
        yield Finding("PX578", message, f"{_WHERE}.arbiter.server", hint)


def confirmed_drive(context: Context) -> Iterator[Finding]:
    """PX598: the document names the drive for these servers."""
    section, words = section_of(context), words_of(context, Nvme)
    named = [context.catalog.id_of(drive) for drive in section.confirmed]
    if words.drive not in named:
        drive = context.drive(words.drive)
        message = f"no document at hand says that the NVMe servers take {drive.title} ({words.drive})"
        yield Finding("PX598", message, f"{_WHERE}.drive", f"{listed(named)}; or the vendor's list of drives")


def nobody_measured_nvme(context: Context) -> Iterator[Finding]:
    """PX624: no document has rates of this generation; what the links carry is the most there can be."""
    section, words = section_of(context), words_of(context, Nvme)
    links, server = links_of(context, section)
    reads, writes = server * words.pairs * 2, server * words.pairs
    message = (
        f"no document has rates of the NVMe tier of this generation: {links} links of a server carry "
        f"{show(server, 'B/s')}, so that reads are {show(reads, 'B/s')} at the most; every write goes to both servers "
        f"of a pair over the same links, and all writes are {show(writes, 'B/s')} at the most"
        f"{counted_together(context, links)}"
    )
    yield Finding("PX624", message, _WHERE)


RULES = (
    data_alone,
    names_that_nvmesh_takes,
    whole_slices,
    majority,
    arbiter_apart,
    arbiter_of_the_plan,
    confirmed_drive,
    nobody_measured_nvme,
)
EXACT = (tier_of_the_request, volumes_in_order)
