"""How many files fit: each takes an inode of an MDT, and an object of an OST for each of its stripes."""

from __future__ import annotations

from collections import Counter

from pixsize.catalog.catalog import Catalog
from pixsize.estimate import ids
from pixsize.figures import Figure, Source, weakest
from pixsize.plan.records import Plan
from pixsize.products.lustre.figures import sources
from pixsize.products.lustre.figures.volumes import Room
from pixsize.products.lustre.ldiskfs import inodes_at_most
from pixsize.products.lustre.plan import lustre, target_of
from pixsize.products.lustre.records import SPREADS, LustreRelease, LustreWord, has_word

INODES = "files.mdt_inodes"
OBJECTS = "files.ost_objects"


def file_figures(plan: Plan, mdts: Room, osts: Room, catalog: Catalog) -> tuple[Figure, Figure, Figure]:
    """The inodes of the MDTs, the objects of the OSTs, and the files that both have room for."""
    release = catalog.get(LustreRelease, lustre(plan).release)
    numbers = {
        kind: [disk.inodes for t in plan.targets if t.kind == kind and (disk := target_of(t).ldiskfs)]
        for kind in ("mdt", "ost")
    }
    inodes = _figure(INODES, numbers["mdt"], mdts, release, "mdt", "file or directory")
    objects = _figure(OBJECTS, numbers["ost"], osts, release, "ost", "stripe of a file")
    spread = has_word(lustre(plan).version, catalog.get(LustreWord, SPREADS))
    alone = None if spread else min(numbers["mdt"], default=0)
    return inodes, objects, _files(plan, inodes, objects, alone, release)


def _counted(count: int, what: str) -> str:
    return f"the one {what}" if count == 1 else f"both {what}s" if count == 2 else f"all {count:,} {what}s"


def _each(numbers: list[int]) -> str:
    least, most = min(numbers, default=0), max(numbers, default=0)
    return f"{least:,} on each" if least == most else f"{least:,} to {most:,} on each"


def _figure(figure: str, numbers: list[int], room: Room, release: LustreRelease, kind: str, what: str) -> Figure:
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
        sources=(sources.DESCRIPTORS,),
        inputs=(release.id, *room.inputs),
    )


def _files(plan: Plan, inodes: Figure, objects: Figure, one_mdt: int | None, release: LustreRelease) -> Figure:
    """The least of inodes and objects; where directories are not spread, one MDT has to do, or None for no such MDT."""
    asked = _asked_stripes(plan)
    stripes = min(asked, release.stripes_max)
    of_objects = objects.value // stripes
    value = min(inodes.value, of_objects)
    low = min(inodes.low, objects.low // stripes)
    low = low if one_mdt is None else min(one_mdt, low)
    limit = "MDT inodes" if inodes.value < of_objects else "OST objects"
    paper = (sources.MANY_FILES, sources.OST_OBJECTS) if plan.pools else ()
    unspread = one_mdt is not None and one_mdt < value
    basis = weakest((inodes.basis, objects.basis, "estimated" if unspread else "exact"))
    return Figure(
        id=ids.FILES,
        value=value,
        low=low,
        high=max(min(inodes.high, objects.high // stripes), value),
        unit="1",
        basis=basis,
        rule=_rule(plan, inodes.value, objects.value, stripes, limit, one_mdt, capped=asked > stripes),
        sources=(sources.OBJECTS, sources.LFS_DF, *_directories(plan, one_mdt, unspread), *paper),
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
    return (sources.ONE_MDT,) if unspread else (sources.SPREAD,) if several and one_mdt is None else ()


def _rule(plan: Plan, inodes: int, objects: int, stripes: int, limit: str, one_mdt: int | None, *, capped: bool) -> str:
    each = _counted_objects(stripes)
    each += f", the most that Lustre {lustre(plan).version} gives a file" if capped else ""
    said = [
        f"Each file takes an inode of an MDT and, by the default layout, {each}: the least of "
        f"{inodes:,} inodes and {objects:,} objects / {stripes:,}. The {limit} run out first."
    ]
    if plan.pools:
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


_PAPER = (
    "The PowerFlex paper takes the inodes of its MDTs for the limit; with default formatting its 16 OSTs of 1600 GiB "
    "had 104,857,600 objects, so that the 113,246,208 files that it prints cannot have existed."
)


def _counted_objects(stripes: int) -> str:
    return "an object of an OST" if stripes == 1 else f"{stripes:,} objects of as many OSTs"
