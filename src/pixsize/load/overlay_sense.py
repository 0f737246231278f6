"""What overlay records must keep beside the shipped ones: of the sort they replace, and fitting one another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import ArrayDesign, Constant, Design, Enclosure, Layout, Limit, Measurement, ModuleSize
from pixsize.findings import Finding
from pixsize.load.positions import quoted
from pixsize.load.record_files import Entry
from pixsize.quantities import bound
from pixsize.units import binary_bytes

MOST_COUNT = 1_000_000_000
_MAY_BE_NOUGHT = frozenset(("me4.enclosures_2u", "me4.lun_min", "me4.spares_per_array", "pixstor-6.expansions"))
_MOST = {"me4.volume_alignment": 1 << 30, "lustre.fsname_chars": 8}
"""Bounds of bounds: a volume rounded down to more than this would often be none; an fsname has eight characters."""
_MULTIPLES = {"me4.volume_alignment": 512, "powerflex.volume_step": 1 << 30}
"""Volumes are made in blocks of 512 B on an array, and in GiB by scli: their steps are multiples of that."""
_TAKE_AWAY = frozenset(("me4.array_overhead", "me4.volume_margin", "scale.data_overhead"))
_GRANT = frozenset(("scale.inode_share", "server.memory_share"))
_WIDEN = frozenset(("throughput.spread_min",))
"""Shares that take something away: never all of it; that grant a part: never nothing; that widen ranges."""


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
        if model is not None and sized != isinstance(model, str):
            wanted = "a size with its unit" if isinstance(model, str) else "a count without a unit"
            yield where, f"{quoted(value)} stands here; {entry.replaces} is {wanted}, {model} as shipped"


def of_share(replaces: str, constant: Constant) -> Iterator[tuple[str, str]]:
    """What is wrong with the shares of a constant in the place of a shipped one: path and message."""
    for word, share in (("low", constant.low), ("value", constant.value), ("high", constant.high)):
        said = f"{float(share * 100):g} %"
        if replaces in _TAKE_AWAY and not 0 <= share < 1:
            yield word, f"{said} is out of range: {replaces} takes away at least 0 %, and less than 100 %"
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
        used = [("storage", design.storage.array, f"layouts.{v}", name) for v, name in design.storage.layouts.items()]
        metadata = design.metadata
        used += [("metadata", metadata.array, f"layouts.{v}", name) for v, name in metadata.layouts.items()]
        for role, array, word, name in used:
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
                yield mine[design.id].finding("PX203", f"{role}.{word}", message)
