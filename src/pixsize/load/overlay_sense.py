"""What overlay records must keep beside the shipped ones: of the sort they replace, and fitting one another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import ArrayDesign, Constant, Design, Enclosure, Layout, Limit, Measurement, ModuleSize
from pixsize.findings import Finding
from pixsize.load.overlay_tunings import of_tunings
from pixsize.load.overlay_versions import of_versions
from pixsize.load.positions import quoted
from pixsize.load.record_files import Entry
from pixsize.quantities import bound
from pixsize.units import binary_bytes

MOST_COUNT = 1_000_000_000
_MAY_BE_NOUGHT = frozenset(("me4.enclosures_2u", "me4.lun_min", "me4.spares_per_array", "pixstor-6.expansions"))
_MOST = {
    "me4.volume_alignment": 1 << 30,
    "lustre.fsname_chars": 8,
    "pixsize.modules": 10_000,
    "pixsize.name_chars": 255,
    "pixsize.parts": 20_000,
    "pixsize.drives": 200_000,
}
"""Bounds of bounds: a volume rounded down to more than this would often be none; an fsname has eight characters; a
file's name has 255; more modules, parts and drives than these could not be planned in seconds."""
_MULTIPLES = {"me4.volume_alignment": 512, "powerflex.volume_step": 1 << 30}
"""Volumes are made in blocks of 512 B on an array, and in GiB by scli: their steps are multiples of that."""
_FIXED = {"powerflex.mirror_copies": 2}
"""Bounds with one value: the volumes of PowerFlex are mirrored, and scli has no word for another number of copies."""
_TAKE_AWAY = frozenset(
    ("lustre.mdtest_surplus", "me4.array_overhead", "me4.volume_margin", "powerflex.pool_free", "scale.data_overhead")
)
_GRANT = frozenset(("scale.inode_share", "server.memory_share"))
_WIDEN = frozenset(("throughput.spread_min",))
"""Shares that take something away: never all of it; that grant a part: never nothing; that widen ranges."""
_TAKES = "takes away at least 0 %, and less than 100 %"


class _Groups(NamedTuple):
    """The disk groups that a layout needs, of which purpose; where no level and number stand, any will do."""

    text: str
    purpose: Literal["data", "metadata"]
    level: str = ""
    number: int = 0


_VARIANTS: dict[str, dict[str, tuple[str, ...]]] = {
    "lustre": {"storage": ("dne", "single"), "metadata": ("dne", "single")},
    "scale": {"storage": ("standard", "hdmd"), "metadata": ("hdmd",)},
}
"""By file system and role, the variants that requests ask for."""
_LUSTRE_DATA = _Groups("needed are groups of data, and no others", "data")
_LUSTRE_METADATA = {
    "dne": _Groups("needed are two groups of metadata, r10, and no others", "metadata", "r10", 2),
    "single": _Groups("needed is one group of metadata, r10, and no other", "metadata", "r10", 1),
}
"""By the variant of the design, which says how many MDTs a pair of servers has."""


def of_bound(entry: Entry, replaced: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    """What is wrong with the values of a limit or a choice: path and message."""
    word = "value" if "value" in entry.words else "values"
    values = (
        [(word, entry.words[word])]
        if word == "value"
        else [(f"{word}[{n}]", v) for n, v in enumerate(entry.words[word])]
    )
    before = replaced[word] if replaced else None
    model = before[0] if isinstance(before, list) else before
    for where, value in values:
        number, sized = bound(value), isinstance(value, str)
        most = _MOST.get(entry.replaces, 10**18 if sized else MOST_COUNT)
        if number < 1 and entry.replaces not in _MAY_BE_NOUGHT and word == "value":
            yield where, f"{quoted(value)} is out of range: at least 1"
        elif number > most:
            yield where, f"{quoted(value)} is out of range: at most {most:,}"
        elif number % _MULTIPLES.get(entry.replaces, 1):
            yield where, f"{quoted(value)} is no multiple of {_MULTIPLES[entry.replaces]:,} B"
        elif number != _FIXED.get(entry.replaces, number):
            yield where, f"{quoted(value)} is out of range: pixsize knows {_FIXED[entry.replaces]} alone"
        if model is not None and sized != isinstance(model, str):
            wanted = "a size with its unit" if isinstance(model, str) else "a count without a unit"
            yield where, f"{quoted(value)} stands here; {entry.replaces} is {wanted}, {model} as shipped"


def of_share(replaces: str, constant: Constant) -> Iterator[tuple[str, str]]:
    """What is wrong with the shares of a constant in the place of a shipped one: path and message."""
    for word, share in (("low", constant.low), ("value", constant.value), ("high", constant.high)):
        said = f"{float(share * 100):g} %"
        if replaces in _TAKE_AWAY and not 0 <= share < 1:
            yield word, f"{said} is out of range: {replaces} {_TAKES}"
        elif replaces in _GRANT and not 0 < share <= 1:
            yield word, f"{said} is out of range: {replaces} grants more than 0 %, and at most 100 %"
        elif replaces in _WIDEN and not 0 <= share <= 1:
            yield word, f"{said} is out of range: {replaces} is at least 0 %, and at most 100 %"


def together(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """What is wrong with valid overlay records beside the others."""
    yield from _sizes(kept, catalog)
    yield from _pairs(kept, catalog)
    yield from _block_sizes(kept, catalog)
    yield from _layouts(kept, catalog)
    yield from _variants(kept, catalog)
    yield from _lustre_layouts(kept, catalog)
    yield from _surpluses(kept, catalog)
    yield from of_tunings(kept, catalog)
    yield from of_versions(kept, catalog)


def _sizes(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """Two records of one size of one design: which one a request means would depend on their ids."""
    meant: dict[tuple[str, str], str] = {}
    mine = {entry.id: entry for entry in kept}
    for size in sorted(catalog.all(ModuleSize), key=lambda s: (s.id in mine, s.id)):
        key = (catalog.id_of(size.design), size.size)
        other = meant.setdefault(key, size.id)
        if other != size.id and size.id in mine:
            message = f"{other} is the size {quoted(size.size)} of {size.design} too"
            yield mine[size.id].finding("PX201", "size", message, f"To replace that record, add: replaces: {other}")


def _pairs(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """A smallest above its largest: nothing would ever lie between them. Named once, where both are replaced."""
    done: set[str] = set()
    for entry in kept:
        stem, _, end = entry.replaces.rpartition("_")
        least, most = f"{stem}_min", f"{stem}_max"
        if end not in ("min", "max") or stem in done or not all(_is_limit(i, catalog) for i in (least, most)):
            continue
        done.add(stem)
        low, high = catalog.get(Limit, least).value, catalog.get(Limit, most).value
        if low > high:
            words = {i: catalog.raw[catalog.id_of(i)]["value"] for i in (least, most)}
            message = f"{least} is {words[least]} and {most} {words[most]}: nothing lies between them"
            yield entry.finding("PX203", "value", message)


def _is_limit(record_id: str, catalog: Catalog) -> bool:
    return record_id in catalog and isinstance(catalog.record(record_id), Limit)


def _block_sizes(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """A measurement of a block size that GPFS cannot have: no plan would ever be that of the system measured."""
    low, high = (catalog.get(Limit, f"scale.block_{end}").value for end in ("min", "max"))
    for entry in kept:
        record = catalog.record(entry.id)
        if not isinstance(record, Measurement) or record.system is None:
            continue
        size = record.system.block_bytes
        if size is None:
            continue
        legal = low <= size <= high and not size & (size - 1)
        if catalog.get(Design, record.system.design).filesystem == "scale" and not legal:
            allowed = f"a power of two from {binary_bytes(low)} to {binary_bytes(high)}"
            written = quoted(entry.words["system"]["block_size"])
            yield entry.finding("PX203", "system.block_size", f"{written} is no block size of GPFS: {allowed}")


def _layouts(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """A layout is of the enclosure that a design uses it for: slot by slot."""
    mine = {entry.id: entry for entry in kept}
    for design in catalog.all(ArrayDesign):
        for role, array, variant, name in _used(design):
            layout, enclosure = catalog.get(Layout, name), catalog.get(Enclosure, array)
            if layout.slots == enclosure.slots:
                continue
            used_for = f"{design.id} uses {layout.id} for {enclosure.id}, which has {enclosure.slots}"
            message = f"{layout.slots} slots, while {used_for}"
            if layout.id in mine:
                yield mine[layout.id].finding("PX203", "slots", message)
            elif enclosure.id in mine:
                yield mine[enclosure.id].finding("PX203", "slots", message)
            elif design.id in mine:
                yield mine[design.id].finding("PX203", f"{role}.layouts.{variant}", message)


def _variants(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """A design has a layout for each variant that a request of its file system can ask for."""
    for entry in kept:
        design = catalog.record(entry.id)
        if not isinstance(design, ArrayDesign):
            continue
        there = {"storage": design.storage.layouts, "metadata": design.metadata.layouts}
        for role, due in _VARIANTS.get(design.filesystem, {}).items():
            missing = [variant for variant in due if variant not in there[role]]
            if missing:
                message = f"{' and '.join(missing)} is missing: {design.filesystem} has the variants {', '.join(due)}"
                yield entry.finding("PX203", f"{role}.layouts", message)


def _lustre_layouts(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """In a Lustre design a group is an MDT or an OST: a pair of MDS has as many MDTs as its variant, and no OST."""
    mine = {entry.id: entry for entry in kept}
    done: set[str] = set()
    for design in catalog.all(ArrayDesign):
        if design.filesystem != "lustre":
            continue
        for role, _, variant, name in _used(design):
            layout = catalog.get(Layout, name)
            due = _LUSTRE_DATA if role == "storage" else _LUSTRE_METADATA.get(variant)
            entry = mine.get(layout.id) or mine.get(design.id)
            if due is None or entry is None or _is_made_of(layout, due) or layout.id in done:
                continue
            done.add(layout.id)
            message = f"{design.id} uses {layout.id} for {role}, variant {variant}: {due.text}"
            yield entry.finding("PX203", "groups" if entry.id == layout.id else f"{role}.layouts.{variant}", message)


def _is_made_of(layout: Layout, due: _Groups) -> bool:
    """Whether the groups of a layout are as many as are due, of the purpose and level that are."""
    alike = all(g.purpose == due.purpose and due.level in ("", g.level) for g in layout.groups)
    number = sum(len(g.slots) for g in layout.groups)
    return alike and (number == due.number if due.number else number > 0)


def _used(design: ArrayDesign) -> Iterator[tuple[str, str, str, str]]:
    """The layouts that a design uses: the role, the enclosure, the variant and the layout's name."""
    roles = (("storage", design.storage), ("metadata", design.metadata))
    yield from ((word, role.array, variant, name) for word, role in roles for variant, name in role.layouts.items())


def _surpluses(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """What a doubt takes off a measured rate is never all of it: the constant that a measurement names for it."""
    mine = {entry.id: entry for entry in kept}
    done: set[str] = set()
    for measurement in catalog.ids("measurement"):
        for index, doubt in enumerate(catalog.raw[measurement].get("doubts", ())):
            if not doubt.get("surplus"):
                continue
            constant = catalog.get(Constant, doubt["surplus"])
            if constant.low >= 0 and constant.high < 1:
                continue
            message = f"{measurement} has {constant.id} for a surplus, which {_TAKES}"
            if constant.id in mine and constant.id not in done:
                done.add(constant.id)
                word = "high" if constant.high >= 1 else "low"
                yield mine[constant.id].finding("PX203", word, message)
            elif constant.id not in mine and measurement in mine:
                yield mine[measurement].finding("PX203", f"doubts[{index}].surplus", message)
