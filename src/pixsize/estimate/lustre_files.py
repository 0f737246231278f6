"""How many files fit: each takes an inode of an MDT, and an object of an OST for each of its stripes."""

from __future__ import annotations

from typing import NamedTuple

from pixsize.estimate import cited
from pixsize.figures import Basis, Figure, weakest
from pixsize.plan.records import Plan

INODES = "files.mdt_inodes"
OBJECTS = "files.ost_objects"


class Room(NamedTuple):
    """The bytes of the volumes of one kind of target, and of those that they may be once the arrays reported sizes.

    `basis` is what is known of them, `inputs` the figures and records that say so.
    """

    made: int
    most: int
    basis: Basis
    inputs: tuple[str, ...]


def file_figures(plan: Plan, mdts: Room, osts: Room) -> tuple[Figure, Figure, Figure]:
    """The inodes of the MDTs, the objects of the OSTs, and the files that both have room for."""
    numbers = {
        kind: [t.ldiskfs.inodes for t in plan.targets if t.kind == kind and t.ldiskfs] for kind in ("mdt", "ost")
    }
    inodes = _figure(INODES, numbers["mdt"], mdts, "MDT", "file or directory", plan.lustre.release)
    objects = _figure(OBJECTS, numbers["ost"], osts, "OST", "stripe of a file", plan.lustre.release)
    return inodes, objects, _files(plan, inodes, objects, min(numbers["mdt"], default=0))


def _counted(count: int, what: str) -> str:
    return f"the one {what}" if count == 1 else f"both {what}s" if count == 2 else f"all {count:,} {what}s"


def _each(numbers: list[int]) -> str:
    least, most = min(numbers, default=0), max(numbers, default=0)
    return f"{least:,} on each" if least == most else f"{least:,} to {most:,} on each"


def _figure(figure: str, numbers: list[int], room: Room, kind: str, what: str, release: str) -> Figure:
    """All inodes of one kind of target: larger volumes have more, in proportion."""
    value = sum(numbers)
    return Figure(
        id=figure,
        value=value,
        low=value,
        high=max(value, -(-value * room.most // max(room.made, 1))),
        unit="1",
        basis=weakest(("exact", room.basis)),
        rule=f"The inodes of {_counted(len(numbers), kind)}: one for each {what}, {_each(numbers)}.",
        sources=(cited.DESCRIPTORS,),
        inputs=(release, *room.inputs),
    )


def _files(plan: Plan, inodes: Figure, objects: Figure, one_mdt: int) -> Figure:
    """The least of inodes and objects; where directories are not spread, one MDT has to do."""
    stripes = _stripes(plan)
    of_objects = objects.value // stripes
    value = min(inodes.value, of_objects)
    low = min(one_mdt, value)
    limit = "MDT inodes" if inodes.value < of_objects else "OST objects"
    paper = (cited.MANY_FILES, cited.OST_OBJECTS) if plan.pools else ()
    basis = weakest((inodes.basis, objects.basis, "exact" if low == value else "estimated"))
    return Figure(
        id="files.max",
        value=value,
        low=low,
        high=max(min(inodes.high, objects.high // stripes), value),
        unit="1",
        basis=basis,
        rule=_rule(plan, inodes.value, objects.value, stripes, limit, one_mdt),
        sources=(cited.OBJECTS, cited.LFS_DF, *((cited.ONE_MDT,) if low < value else ()), *paper),
        inputs=(INODES, OBJECTS),
        limited_by=limit,
    )


def _stripes(plan: Plan) -> int:
    """The objects of a file by the default layout: -1 stands for all OSTs."""
    osts = sum(t.kind == "ost" for t in plan.targets)
    asked = plan.lustre.stripe_count
    return osts if asked == -1 else max(1, min(asked, osts))


def _rule(plan: Plan, inodes: int, objects: int, stripes: int, limit: str, one_mdt: int) -> str:
    said = [
        f"Each file takes an inode of an MDT and, by the default layout, {_counted_objects(stripes)}: the least of "
        f"{inodes:,} inodes and {objects:,} objects / {stripes:,}. The {limit} run out first."
    ]
    if plan.pools:
        said.append(_PAPER)
    if one_mdt < min(inodes, objects // stripes):
        said.append(
            f"Low: the {one_mdt:,} inodes of a single MDT, since the others hold only directories that somebody "
            "put there."
        )
    return " ".join(said)


_PAPER = (
    "The PowerFlex paper takes the inodes of its MDTs for the limit; with default formatting its 16 OSTs of 1600 GiB "
    "had 104,857,600 objects, so that the 113,246,208 files that it prints cannot have existed."
)


def _counted_objects(stripes: int) -> str:
    return "an object of an OST" if stripes == 1 else f"{stripes:,} objects of as many OSTs"
