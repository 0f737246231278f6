"""How many files fit: each takes an inode of an MDT, and an object of an OST for each of its stripes.

The volumes below decide both. A volume is known where the array reported it, or the group below it; otherwise it is
planned by a margin, and the range has what the array may keep.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pixsize.arrays.capacity import Alike, margin_of, overhead_of
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant
from pixsize.estimate import ids
from pixsize.estimate.system import FigureTerms
from pixsize.figures import Basis, Figure, Source, weakest
from pixsize.plan.records import DiskGroup, Plan, Volume
from pixsize.products.lustre.ldiskfs import inodes_at_most
from pixsize.products.lustre.plan import LustreFilesystem
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


class Numbers(NamedTuple):
    """The inodes of each MDT and of each OST, alike ones counted, with the settings and terms of the plan."""

    mdts: Mapping[int, int]
    osts: Mapping[int, int]
    own: LustreFilesystem
    terms: FigureTerms


def file_figures(
    numbers: Numbers, mdts: VolumeSizes, osts: VolumeSizes, catalog: Catalog
) -> tuple[Figure, Figure, Figure]:
    """The inodes of the MDTs, the objects of the OSTs, and the files that both have room for."""
    release = catalog.get(LustreRelease, numbers.own.release)
    inodes = _inodes(INODES, numbers.mdts, mdts, release, "mdt", "file or directory")
    objects = _inodes(OBJECTS, numbers.osts, osts, release, "ost", "stripe of a file")
    spread = has_word(numbers.own.version, catalog.get(LustreWord, SPREADS))
    one_mdt = None if spread else min(numbers.mdts, default=0)
    paper = numbers.terms.layout.document == MANY_FILES.document
    return inodes, objects, _files(numbers, inodes, objects, one_mdt, release, cites_paper=paper)


def _inodes(
    figure: str, numbers: Mapping[int, int], volumes: VolumeSizes, release: LustreRelease, kind: str, what: str
) -> Figure:
    """All inodes of one kind of target; a range where the volumes have one."""
    value, name = sum(each * n for each, n in numbers.items()), kind.upper()
    most = sum(inodes_at_most(release, kind, size) * n for size, n in volumes.most.items()) if volumes.most else value
    count, fewest, largest = sum(numbers.values()), min(numbers, default=0), max(numbers, default=0)
    all_targets = f"the one {name}" if count == 1 else f"both {name}s" if count == 2 else f"all {count:,} {name}s"
    each = f"{fewest:,} on each" if fewest == largest else f"{fewest:,} to {largest:,} on each"
    rule = f"The inodes of {all_targets}: one for each {what}, {each}."
    return Figure(
        id=figure,
        value=value,
        low=min(value, most),
        high=max(value, most),
        unit="1",
        basis=weakest(("exact", volumes.basis)),
        rule=f"{rule} {volumes.rule}" if volumes.rule else rule,
        sources=(DESCRIPTORS,),
        inputs=(release.id, *volumes.inputs),
    )


def _files(
    numbers: Numbers, inodes: Figure, objects: Figure, one_mdt: int | None, release: LustreRelease, *, cites_paper: bool
) -> Figure:
    """The number of files: the lower one of inodes, and objects divided by the stripes of a file.

    `one_mdt` are the inodes of the smallest MDT, which has to do where directories are not spread; None where they are.
    `cites_paper`: the design is that of the PowerFlex paper, whose number of files is commented on.
    """
    osts, stripe_count = sum(numbers.osts.values()), numbers.own.stripe_count
    requested = osts if stripe_count == -1 else max(1, min(stripe_count, osts))  # -1 stands for all OSTs
    stripes = min(requested, release.stripes_max)
    of_objects = objects.value // stripes
    value = min(inodes.value, of_objects)
    low = min(inodes.low, objects.low // stripes)
    # Directories stay on the MDT of their parent (unless Lustre spreads them): with one tree, one MDT is all there is.
    low = low if one_mdt is None else min(one_mdt, low)
    limit = "MDT inodes" if inodes.value < of_objects else "OST objects"
    paper = (MANY_FILES, OST_OBJECTS) if cites_paper else ()
    unspread = one_mdt is not None and one_mdt < value
    several = sum(numbers.mdts.values()) > 1
    directories = (ONE_MDT,) if unspread else (SPREAD,) if several and one_mdt is None else ()
    basis = weakest((inodes.basis, objects.basis, "estimated" if unspread else "exact"))
    return Figure(
        id=ids.FILES,
        value=value,
        low=low,
        high=max(min(inodes.high, objects.high // stripes), value),
        unit="1",
        basis=basis,
        rule=_files_rule(
            numbers,
            inodes.value,
            objects.value,
            stripes,
            limit,
            one_mdt,
            capped=requested > stripes,
            cites_paper=cites_paper,
        ),
        sources=(FILE_NEEDS, LFS_DF, *directories, *paper),
        inputs=(INODES, OBJECTS, *((release.id,) if requested > stripes else ())),
        limited_by=limit,
    )


def _files_rule(
    numbers: Numbers,
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
    each += f", the most that Lustre {numbers.own.version} gives a file" if capped else ""
    sentences = [
        f"Each file takes an inode of an MDT and, by the default layout, {each}: the least of "
        f"{inodes:,} inodes and {objects:,} objects / {stripes:,}. The {limit} run out first."
    ]
    if cites_paper:
        sentences.append(_PAPER)
    if one_mdt is None and sum(numbers.mdts.values()) > 1:
        sentences.append(
            f"Lustre {numbers.own.version} spreads new directories over the MDTs by itself, so that all of them fill."
        )
    if one_mdt is not None and one_mdt < min(inodes, objects // stripes):
        sentences.append(
            f"Low: the {one_mdt:,} inodes of a single MDT, since the others hold only directories that somebody "
            "put there."
        )
    return " ".join(sentences)


class VolumeSizes(NamedTuple):
    """What is known of the sizes of the volumes of one kind of target.

    `most` counts the largest sizes that the arrays may still report, in bytes; empty where all sizes are known. `basis`
    and `inputs` (figures and records) say how they are known; `rule` is a sentence on how they were chosen, or empty.
    """

    most: Mapping[int, int]
    basis: Basis
    inputs: tuple[str, ...]
    rule: str = ""


def unreported(alike: Alike) -> bool:
    """Whether no array reported a size of these groups, neither of a group nor of its volume."""
    return alike.group.reported_bytes is None and alike.volume.reported_bytes is None


def largest_volume(group: DiskGroup, made: int, share: Constant) -> int:
    """The most bytes that a volume over the whole group can have: the array keeps at least its lowest overhead.

    `made` are the bytes of the planned volume.
    """
    return max(group.bytes - int(group.bytes * share.low), made)


def ost_volumes(groups: Sequence[Alike], osts: Figure, catalog: Catalog) -> VolumeSizes:
    """The volumes of the OSTs, each over the whole of a group."""
    share = catalog.get(Constant, overhead_of(a.volume for a in groups))
    if not any(unreported(a) for a in groups):
        return VolumeSizes({}, osts.basis, (osts.id,))
    most: Counter[int] = Counter()
    for a in groups:
        made = a.volume.bytes
        most[largest_volume(a.group, made, share) if unreported(a) else made] += a.number
    return VolumeSizes(most, osts.basis, (osts.id,))


def mdt_volumes(plan: Plan, catalog: Catalog) -> VolumeSizes:
    """The volumes of the MDTs. Those that do not exist yet are planned as large as the smallest one can be."""
    overhead, margin = overhead_of(plan.volumes), margin_of(plan.volumes)
    share = catalog.get(Constant, overhead)
    of_mdts = {t.volume for t in plan.targets if t.kind == "mdt"}
    mdts = [v for v in plan.volumes if v.id in of_mdts]
    mgt_volumes = {v.backing: v for v in plan.volumes if v.purpose == "metadata" and v.id not in of_mdts}
    planned = [v for v in mdts if v.reported_bytes is None]
    groups_of_mdts = {v.backing for v in mdts}
    groups = [g for g in plan.disk_groups if g.id in groups_of_mdts]
    unknown = [g for g in groups if g.reported_bytes is None] if planned else []
    mgt_record = MGT_VOLUME if planned and any(v.reported_bytes is None for v in mgt_volumes.values()) else ""
    inputs = (ids.METADATA_USABLE, *((overhead, margin) if unknown else ()), *((mgt_record,) if mgt_record else ()))
    rule = _equal_sizes(planned, mdts, list(mgt_volumes.values()))
    if not unknown:
        return VolumeSizes({}, "measured", inputs, rule)
    # The MGT's volume lies in the group of the first MDT.
    whole = {g.id: largest_volume(g, 0, share) if g.reported_bytes is None else g.reported_bytes for g in groups}
    smallest = min(size - (mgt_volumes[g].bytes if g in mgt_volumes else 0) for g, size in whole.items())
    most = Counter(max(v.bytes, smallest) if v.reported_bytes is None else v.bytes for v in mdts)
    return VolumeSizes(most, share.basis, inputs, rule)


def _equal_sizes(planned: Sequence[Volume], mdts: Sequence[Volume], mgt: Sequence[Volume]) -> str:
    """A sentence on the size of the MDTs that do not exist yet; empty where there is nothing to explain."""
    if not planned or len(mdts) + len(mgt) == 1:
        return ""
    which = "All MDTs" if len(planned) == len(mdts) else "The MDTs that do not exist yet"
    size = f"{planned[0].bytes:,} B"
    sentence = f"{which} take the size of the smallest, {size}" if len(mdts) > 1 else f"The MDT takes {size}"
    sentence += "".join(f"; the MGT's volume takes {v.bytes:,} B of the first group" for v in mgt)
    return f"{sentence}."
