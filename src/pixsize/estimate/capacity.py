"""From the drives as sold to what df should show: bytes lost at each step, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Constant, Drive
from pixsize.estimate import cited
from pixsize.estimate.ranges import Range
from pixsize.figures import Basis, Figure, Source, weakest
from pixsize.plan.records import DiskGroup, Plan, Volume

ARRAY_OVERHEAD = "me4.array_overhead"
DATA_OVERHEAD = "scale.data_overhead"


def capacity_figures(plan: Plan, catalog: Catalog) -> tuple[Figure, ...]:
    """Every capacity of the data tier, in the order of the waterfall, and the number of data volumes."""
    groups = [g for g in plan.disk_groups if g.purpose == "data"]
    sold, spare = _as_sold(groups, catalog), _spare_bytes(plan, "storage", catalog)
    parity = sold - sum(g.bytes for g in groups)
    raw, spares = _raw(sold + spare, plan, groups), _spares(spare, plan)
    lost, formatted = _parity(parity, plan, groups, catalog), _formatted(sold - parity)
    volumes = {v.backing: v for v in plan.volumes if v.purpose == "data"}
    overhead = _array_overhead(groups, volumes, catalog)
    filesystem = _filesystem_overhead(formatted, overhead, catalog)
    usable = _usable(formatted, overhead, filesystem)
    return raw, spares, lost, formatted, overhead, filesystem, usable, _count(plan, "data")


def metadata_figures(plan: Plan, catalog: Catalog) -> tuple[Figure, ...]:
    """The capacities of the metadata tier, drives as sold, and the number of metadata volumes."""
    groups = [g for g in plan.disk_groups if g.purpose == "metadata"]
    sold = _as_sold(groups, catalog) + _spare_bytes(plan, "metadata", catalog)
    copies = plan.filesystem.metadata_replicas
    sizes = metadata_by_failure_group(plan, {g.id: g.bytes for g in groups})
    unique = replicated(sizes.values(), copies)
    raw = _exact(
        "capacity.metadata.raw",
        sold,
        "The SSDs that hold metadata, as sold: their number times their capacity.",
        (cited.LAYOUT,),
        (*_drives(groups), *_layouts(plan, "metadata")),
    )
    usable = _exact(
        "capacity.metadata.usable",
        unique,
        _replicas_rule(groups, copies, tuple(sizes.values()), unique),
        (cited.REPLICAS,),
        ("capacity.metadata.raw",),
    )
    return raw, usable, _count(plan, "metadata")


def replicated(groups: Iterable[int], copies: int) -> int:
    """What fits into failure groups of these sizes when each byte lies in `copies` different ones.

    The smallest of (sum of all but the k largest)/(copies - k) for k = 0 to copies - 1: the k largest can hold one copy
    of everything each, the others share what is left. For two copies min(sum/2, sum - max). Rounded down to a byte.
    """
    sizes = sorted(groups, reverse=True)
    return min(sum(sizes[k:]) // (copies - k) for k in range(copies))


def _replicas_rule(groups: Iterable[DiskGroup], copies: int, sizes: tuple[int, ...], usable: int) -> str:
    """How the copies fit into failure groups of these sizes; the sizes, and what is lost where they are unequal."""
    left = f"What {' and '.join(dict.fromkeys(_level(g) for g in groups))} leaves of the SSDs as sold"
    if copies == 1:
        return f"{left}; the file system keeps one copy of the metadata."
    general = (
        f"{left}, stored {copies} times in as many failure groups: the smallest of (sum of all but the k largest "
        f"groups)/({copies} - k) for k from 0 to {copies - 1}"
    )
    special = ", which is min(sum/2, sum - largest)." if copies == 2 else "."
    fair = sum(sizes) // copies
    lost = f"; {_size(fair - usable)} of {_size(fair)} are lost to their unequal sizes" if usable < fair else ""
    return f"{general}{special} Here: {_group_sizes(sizes)}{lost}."


def _group_sizes(sizes: tuple[int, ...]) -> str:
    """The failure groups by size, the largest first: `3 groups, 2 of 23.04 TB, 1 of 11.52 TB`."""
    by_size = sorted(Counter(sizes).items(), reverse=True)
    if len(by_size) == 1:
        return f"{len(sizes):,} {'group' if len(sizes) == 1 else 'groups'} of {_size(by_size[0][0])}"
    return f"{len(sizes):,} groups, {', '.join(f'{n:,} of {_size(size)}' for size, n in by_size)}"


def _size(number: int) -> str:
    return units.show(number, "B")


def _level(group: DiskGroup) -> str:
    return f"RAID {group.level.removeprefix('r')}"


def metadata_by_failure_group(plan: Plan, sizes: dict[str, int]) -> Counter[int]:
    """The bytes of each failure group that holds metadata, given the size of each metadata disk group."""
    backing = {v.id: v.backing for v in plan.volumes}
    found: Counter[int] = Counter()
    for target in plan.targets:
        if target.usage == "metadataOnly" and target.volume is not None:
            found[target.failure_group] += sizes[backing[target.volume]]
    return found


def _as_sold(groups: Iterable[DiskGroup], catalog: Catalog) -> int:
    return sum(len(g.slots) * catalog.get(Drive, g.drive).capacity_bytes for g in groups)


def _spare_bytes(plan: Plan, role: str, catalog: Catalog) -> int:
    arrays = {a.id for a in plan.arrays if a.role == role}
    return sum(len(s.slots) * catalog.get(Drive, s.drive).capacity_bytes for s in plan.spares if s.array in arrays)


def _drives(groups: Iterable[DiskGroup]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(g.drive for g in groups))


def _layouts(plan: Plan, purpose: str) -> tuple[str, ...]:
    """The layouts of the arrays that hold groups of the purpose: they say which slot has which use."""
    arrays = {g.array for g in plan.disk_groups if g.purpose == purpose}
    return tuple(dict.fromkeys(e.layout for a in plan.arrays if a.id in arrays for e in a.enclosures))


def _exact(
    figure: str, value: int, rule: str, sources: tuple[Source, ...], inputs: tuple[str, ...], unit: str = "B"
) -> Figure:
    """Arithmetic on chosen parts: no range."""
    return Figure(
        id=figure,
        value=value,
        low=value,
        high=value,
        unit="1" if unit == "1" else "B",
        basis="exact",
        rule=rule,
        sources=sources,
        inputs=inputs,
    )


def _raw(value: int, plan: Plan, groups: Sequence[DiskGroup]) -> Figure:
    rule = (
        "The drives of the data tier as sold, hot spares included, as the document counts: the number of slots with a "
        "data drive or a spare times the drive's capacity. SSDs that hold metadata are not in it."
    )
    return _exact("capacity.raw", value, rule, (cited.RAW,), (*_drives(groups), *_layouts(plan, "data")))


def _spares(value: int, plan: Plan) -> Figure:
    rule = (
        "The hot spares of the data tier as sold: they hold no data until a drive fails."
        if value
        else "No hot spares: in this variant SSDs for metadata stand in the slots of the spares."
    )
    drives = tuple(dict.fromkeys(s.drive for s in plan.spares))
    return _exact("capacity.spares", value, rule, (cited.LAYOUT,), (*drives, *_layouts(plan, "data")))


def _parity(value: int, plan: Plan, groups: Sequence[DiskGroup], catalog: Catalog) -> Figure:
    kinds = dict.fromkeys(_redundant(g, catalog) for g in groups)
    rule = f"The drives of each data group less those that hold data: {'; '.join(kinds)}."
    return _exact("capacity.parity", value, rule, (cited.LAYOUT,), (*_drives(groups), *_layouts(plan, "data")))


def _redundant(group: DiskGroup, catalog: Catalog) -> str:
    """How many of a group's drives hold no data of their own, and what they hold."""
    drives = len(group.slots)
    data = group.bytes // catalog.get(Drive, group.drive).capacity_bytes
    more, mirrored = drives - data, group.level in ("r1", "r10")
    split, held = ("", "copies") if mirrored else (f" of {data}+{more}", "parity")
    return f"{more} of the {drives} in a {_level(group)}{split} {'holds' if more == 1 else 'hold'} {held}"


def _formatted(value: int) -> Figure:
    rule = (
        "The document's method: raw less spares less parity, that is the data drives alone, decimal. It takes nothing "
        "off for the array or the file system, and prints GB where TB is meant."
    )
    return _exact(
        "capacity.formatted", value, rule, (cited.FORMATTED,), ("capacity.raw", "capacity.spares", "capacity.parity")
    )


def _array_overhead(groups: Sequence[DiskGroup], volumes: dict[str, Volume], catalog: Catalog) -> Figure:
    """What the arrays keep for themselves: what they reported, or a share with a range for groups not yet made."""
    share = catalog.get(Constant, ARRAY_OVERHEAD)
    seen = [g for g in groups if g.reported_bytes is not None]
    unseen = [g for g in groups if g.reported_bytes is None]
    known = sum(g.bytes - (g.reported_bytes or 0) for g in seen)
    unused = sum(max(0, (g.reported_bytes or 0) - volumes[g.id].bytes) for g in seen)
    guessed = _guessed(unseen, volumes, share)
    total = Range(guessed.low + known, guessed.value + known, guessed.high + known + unused)
    value, low, high = total.whole()
    rules = []
    if seen:
        rules.append(
            f"For {_of(len(seen), groups)} disk groups the arrays reported the size: nominal less reported; the upper "
            "end adds what their volumes leave unused."
        )
    if unseen:
        rules.append(_share_rule(len(unseen), groups, share))
    return Figure(
        id="capacity.array_overhead",
        value=value,
        low=low,
        high=high,
        unit="B",
        basis=share.basis if unseen else "measured",
        rule=" ".join(rules),
        sources=share.cited() if unseen else (cited.OBSERVED,),
        inputs=("capacity.formatted", ARRAY_OVERHEAD, "me4.volume_margin") if unseen else ("capacity.formatted",),
    )


def _guessed(groups: Iterable[DiskGroup], volumes: dict[str, Volume], share: Constant) -> Range:
    """The upper end is at least what a volume that is never expanded after its creation leaves unused."""
    low = value = high = Fraction(0)
    for group in groups:
        low += group.bytes * share.low
        value += group.bytes * share.value
        high += max(group.bytes * share.high, Fraction(group.bytes - volumes[group.id].bytes))
    return Range(low, value, high)


def _of(count: int, groups: Sequence[DiskGroup]) -> str:
    return f"all {count:,}" if count == len(groups) else f"{count:,} of {len(groups):,}"


def _share_rule(count: int, groups: Sequence[DiskGroup], share: Constant) -> str:
    value, low, high = (f"{float(s * 100):g} %" for s in (share.value, share.low, share.high))
    return (
        f"For {_of(count, groups)} disk groups no array reported a size: {value} of nominal, {low} to {high} by the "
        "evidence; the upper end also covers volumes that are made under nominal and never expanded."
    )


def _filesystem_overhead(formatted: Figure, array: Figure, catalog: Catalog) -> Figure:
    share = catalog.get(Constant, DATA_OVERHEAD)
    value = round((formatted.value - array.value) * share.value)
    low = int((formatted.value - array.high) * share.low)
    high = -int(-(formatted.value - array.low) * share.high // 1)
    text = f"{float(share.value * 100):g} %, {float(share.low * 100):g} to {float(share.high * 100):g} %"
    return Figure(
        id="capacity.filesystem_overhead",
        value=value,
        low=low,
        high=max(value, high),
        unit="B",
        basis=weakest([share.basis, array.basis]),
        rule=f"What the file system keeps of data NSDs: {text} of what the arrays leave. Its metadata lies elsewhere.",
        sources=share.cited(),
        inputs=("capacity.formatted", "capacity.array_overhead", DATA_OVERHEAD),
    )


def _usable(formatted: Figure, array: Figure, filesystem: Figure) -> Figure:
    basis: Basis = weakest([formatted.basis, array.basis, filesystem.basis])
    return Figure(
        id="capacity.usable",
        value=formatted.value - array.value - filesystem.value,
        low=max(0, formatted.value - array.high - filesystem.high),
        high=formatted.value - array.low - filesystem.low,
        unit="B",
        basis=basis,
        rule="What df should show: formatted less what arrays and file system keep to themselves, one copy of all.",
        sources=(cited.JUDGEMENT,),
        inputs=("capacity.formatted", "capacity.array_overhead", "capacity.filesystem_overhead"),
    )


def _count(plan: Plan, purpose: str) -> Figure:
    value = sum(1 for v in plan.volumes if v.purpose == purpose)
    rule = f"One volume over the whole of each {purpose} disk group, and one NSD on each volume."
    return _exact(f"volumes.{purpose}", value, rule, (cited.LAYOUT,), _layouts(plan, purpose), "1")
