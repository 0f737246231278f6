"""How many files fit: each takes an inode of an MDT, and an object of an OST for each of its stripes.

The volumes below decide both. A volume is known where the array reported it, or the group below it; otherwise it is
planned by a margin, and the range has what the array may keep.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pixsize.arrays.capacity import margin_of, overhead_of
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant
from pixsize.estimate import ids
from pixsize.figures import Basis, Figure, Source, weakest
from pixsize.plan.records import DiskGroup, Plan, Volume
from pixsize.products.lustre.figures.system import terms_of
from pixsize.products.lustre.ldiskfs import inodes_at_most
from pixsize.products.lustre.plan import lustre, target_of
from pixsize.products.lustre.records import SPREADS, LustreRelease, LustreWord, has_word

FILE_NEEDS = Source(
    "lustre-manual",
    "Determining Space Requirements, MDT and OST: a file takes an inode of an MDT, and an object for each stripe",
)
ONE_MDT = Source("lustre-manual", "Creating a sub-directory on a specific MDT: a directory stays on its parent's MDT")
SPREAD = Source(
    "lustre-source", "Tag v2_15_8, lustre/mdd/mdd_device.c: default layout of the root directory (LU-13417)"
)
MANY_FILES = Source(
    "dell-lustre-powerflex", "MDtest Performance Evaluation: 113,246,208 files, and the inodes of the MDTs as the limit"
)
OST_OBJECTS = Source("lustre-tools", "mkfs.lustre 2.10.8 and 2.15.8 on 1600 GiB: 6,553,600 inodes an OST")
DESCRIPTORS = Source("e2fsprogs", "lib/ext2fs/initialize.c: inode tables, descriptors, bitmaps, journal")
LFS_DF = Source(
    "lustre-manual", "Managing Free Space, Checking File System Free Space: lfs df, and lfs df -i for inodes"
)
MGT_VOLUME = "lustre.mgt_volume"
_PAPER = (
    "The PowerFlex paper takes the inodes of its MDTs for the limit; with default formatting its 16 OSTs of 1600 GiB "
    "had 104,857,600 objects, so that the 113,246,208 files that it prints cannot have existed."
)
INODES = "files.mdt_inodes"
OBJECTS = "files.ost_objects"


def file_figures(plan: Plan, mdts: Room, osts: Room, catalog: Catalog) -> tuple[Figure, Figure, Figure]:
    """The inodes of the MDTs, the objects of the OSTs, and the files that both have room for."""
    release = catalog.get(LustreRelease, lustre(plan).release)
    numbers = {
        kind: [disk.inodes for t in plan.targets if t.kind == kind and (disk := target_of(t).ldiskfs)]
        for kind in ("mdt", "ost")
    }
    inodes = _inodes(INODES, numbers["mdt"], mdts, release, "mdt", "file or directory")
    objects = _inodes(OBJECTS, numbers["ost"], osts, release, "ost", "stripe of a file")
    spread = has_word(lustre(plan).version, catalog.get(LustreWord, SPREADS))
    alone = None if spread else min(numbers["mdt"], default=0)
    paper = terms_of(plan, catalog).layout.document == MANY_FILES.document
    return inodes, objects, _files(plan, inodes, objects, alone, release, cites_paper=paper)


def _counted(count: int, what: str) -> str:
    return f"the one {what}" if count == 1 else f"both {what}s" if count == 2 else f"all {count:,} {what}s"


def _each(numbers: list[int]) -> str:
    least, most = min(numbers, default=0), max(numbers, default=0)
    return f"{least:,} on each" if least == most else f"{least:,} to {most:,} on each"


def _inodes(figure: str, numbers: list[int], room: Room, release: LustreRelease, kind: str, what: str) -> Figure:
    """All inodes of one kind of target; a range where the volumes have one."""
    value = sum(numbers)
    sizes = Counter(room.most)
    most = sum(inodes_at_most(release, kind, size) * n for size, n in sizes.items()) if sizes else value
    rule = f"The inodes of {_counted(len(numbers), kind.upper())}: one for each {what}, {_each(numbers)}."
    return Figure(
        id=figure,
        value=value,
        low=min(value, most),
        high=max(value, most),
        unit="1",
        basis=weakest(("exact", room.basis)),
        rule=f"{rule} {room.rule}" if room.rule else rule,
        sources=(DESCRIPTORS,),
        inputs=(release.id, *room.inputs),
    )


def _files(
    plan: Plan, inodes: Figure, objects: Figure, one_mdt: int | None, release: LustreRelease, *, cites_paper: bool
) -> Figure:
    """The least of inodes and objects; where directories are not spread, one MDT has to do, or None for no such MDT.

    `cites_paper` where the design is that of the paper on PowerFlex, whose number of files is looked into.
    """
    asked = _asked_stripes(plan)
    stripes = min(asked, release.stripes_max)
    of_objects = objects.value // stripes
    value = min(inodes.value, of_objects)
    low = min(inodes.low, objects.low // stripes)
    # Directories stay on the MDT of their parent (unless Lustre spreads them): with one tree, one MDT is all there is.
    low = low if one_mdt is None else min(one_mdt, low)
    limit = "MDT inodes" if inodes.value < of_objects else "OST objects"
    paper = (MANY_FILES, OST_OBJECTS) if cites_paper else ()
    unspread = one_mdt is not None and one_mdt < value
    basis = weakest((inodes.basis, objects.basis, "estimated" if unspread else "exact"))
    return Figure(
        id=ids.FILES,
        value=value,
        low=low,
        high=max(min(inodes.high, objects.high // stripes), value),
        unit="1",
        basis=basis,
        rule=_files_rule(
            plan, inodes.value, objects.value, stripes, limit, one_mdt, capped=asked > stripes, cites_paper=cites_paper
        ),
        sources=(FILE_NEEDS, LFS_DF, *_directories(plan, one_mdt, unspread), *paper),
        inputs=(INODES, OBJECTS, *((release.id,) if asked > stripes else ())),
        limited_by=limit,
    )


def _asked_stripes(plan: Plan) -> int:
    """The objects of a file by the default layout, as far as there are OSTs: -1 stands for all of them."""
    osts = sum(t.kind == "ost" for t in plan.targets)
    asked = lustre(plan).stripe_count
    return osts if asked == -1 else max(1, min(asked, osts))


def _directories(plan: Plan, one_mdt: int | None, unspread: bool) -> tuple[Source, ...]:
    """Who says on which MDT a new directory lies, where that matters."""
    several = sum(t.kind == "mdt" for t in plan.targets) > 1
    return (ONE_MDT,) if unspread else (SPREAD,) if several and one_mdt is None else ()


def _files_rule(
    plan: Plan,
    inodes: int,
    objects: int,
    stripes: int,
    limit: str,
    one_mdt: int | None,
    *,
    capped: bool,
    cites_paper: bool,
) -> str:
    """How the number of files comes about; `capped` where Lustre gives a file fewer stripes than were asked for."""
    each = "an object of an OST" if stripes == 1 else f"{stripes:,} objects of as many OSTs"
    each += f", the most that Lustre {lustre(plan).version} gives a file" if capped else ""
    said = [
        f"Each file takes an inode of an MDT and, by the default layout, {each}: the least of "
        f"{inodes:,} inodes and {objects:,} objects / {stripes:,}. The {limit} run out first."
    ]
    if cites_paper:
        said.append(_PAPER)
    if one_mdt is None and sum(t.kind == "mdt" for t in plan.targets) > 1:
        said.append(
            f"Lustre {lustre(plan).version} spreads new directories over the MDTs by itself, so that all of them fill."
        )
    if one_mdt is not None and one_mdt < min(inodes, objects // stripes):
        said.append(
            f"Low: the {one_mdt:,} inodes of a single MDT, since the others hold only directories that somebody "
            "put there."
        )
    return " ".join(said)


class Room(NamedTuple):
    """What is known of the volumes of one kind of target.

    `most` are the sizes that they may have once the arrays reported theirs, empty where all are known. `basis` is what
    is known of them, `inputs` the figures and records that say so, and `rule` what else is to be said of their sizes.
    """

    most: tuple[int, ...]
    basis: Basis
    inputs: tuple[str, ...]
    rule: str = ""


def unseen(groups: Iterable[DiskGroup], volumes: Mapping[str, Volume]) -> list[DiskGroup]:
    """The groups of which no array reported the size, nor that of their volume."""
    return [g for g in groups if g.reported_bytes is None and volumes[g.id].reported_bytes is None]


def volume_at_most(group: DiskGroup, made: int, share: Constant) -> int:
    """What a volume over the whole group has at the most: all but the least that the array may keep."""
    return max(group.bytes - int(group.bytes * share.low), made)


def room_for_osts(groups: Sequence[DiskGroup], volumes: Mapping[str, Volume], osts: Figure, catalog: Catalog) -> Room:
    """The volumes of the OSTs, each over the whole of a group."""
    share = catalog.get(Constant, overhead_of(volumes.values()))
    unknown = {g.id for g in unseen(groups, volumes)}
    sizes = ((g, volumes[g.id].bytes) for g in groups)
    most = (volume_at_most(g, size, share) if g.id in unknown else size for g, size in sizes)
    return Room(tuple(most) if unknown else (), osts.basis, (osts.id,))


def room_for_mdts(plan: Plan, catalog: Catalog) -> Room:
    """The volumes of the MDTs: those that do not exist yet are as large as the smallest, also at the most."""
    overhead, margin = overhead_of(plan.volumes), margin_of(plan.volumes)
    share = catalog.get(Constant, overhead)
    of_mdts = {t.volume for t in plan.targets if t.kind == "mdt"}
    mdts = [v for v in plan.volumes if v.id in of_mdts]
    beside = {v.backing: v for v in plan.volumes if v.purpose == "metadata" and v.id not in of_mdts}
    planned = [v for v in mdts if v.reported_bytes is None]
    held = {v.backing for v in mdts}
    groups = [g for g in plan.disk_groups if g.id in held]
    unknown = [g for g in groups if g.reported_bytes is None] if planned else []
    mgt = MGT_VOLUME if planned and any(v.reported_bytes is None for v in beside.values()) else ""
    inputs = (ids.METADATA_USABLE, *((overhead, margin) if unknown else ()), *((mgt,) if mgt else ()))
    rule = _equal_sizes(planned, mdts, list(beside.values()))
    if not unknown:
        return Room((), "measured", inputs, rule)
    least = min(_room(g, beside.get(g.id), share) for g in groups)
    most = tuple(max(v.bytes, least) if v.reported_bytes is None else v.bytes for v in mdts)
    return Room(most, share.basis, inputs, rule)


def _room(group: DiskGroup, beside: Volume | None, share: Constant) -> int:
    """What a group has at the most for its MDT: all that was reported, or may be, but for the MGT's volume."""
    whole = volume_at_most(group, 0, share) if group.reported_bytes is None else group.reported_bytes
    return whole - (beside.bytes if beside else 0)


def _equal_sizes(planned: Sequence[Volume], mdts: Sequence[Volume], mgt: Sequence[Volume]) -> str:
    """Why the MDTs have the size that they have, as far as it is chosen here."""
    if not planned or len(mdts) + len(mgt) == 1:
        return ""
    which = "All MDTs" if len(planned) == len(mdts) else "The MDTs that do not exist yet"
    size = f"{planned[0].bytes:,} B"
    said = f"{which} take the size of the smallest, {size}" if len(mdts) > 1 else f"The MDT takes {size}"
    said += "".join(f"; the MGT's volume takes {v.bytes:,} B of the first group" for v in mgt)
    return f"{said}."
