"""Judges the words of a request that several products share: sizes, names, drives, accepted warnings."""

from __future__ import annotations

from collections.abc import Callable

from pixsize import units
from pixsize.catalog.designs import ModuleSize
from pixsize.catalog.records import Drive
from pixsize.codes import codes
from pixsize.load import names
from pixsize.load.partial_request import PartialRequest, TooManyError, did_you_mean, named
from pixsize.load.positions import quoted
from pixsize.product import volumes_of
from pixsize.request import MODULES


def judge_entries(partial: PartialRequest) -> None:
    """More entries than modules may be planned are refused at once: to judge each would take seconds."""
    most, entries = partial.limit("pixsize.modules"), partial.words.get(MODULES)
    if isinstance(entries, list) and len(entries) > most:
        message = f"{len(entries):,} entries, each a module or more; pixsize plans at most {most:,}"
        partial.report("PX114", MODULES, message)
        raise TooManyError


def judge_sizes(partial: PartialRequest) -> None:
    """PX102 for sizes of storage module that the design does not have."""
    sizes = [s.size for s in partial.catalog.of_design(ModuleSize, partial.design.id)]
    for value, path in list(partial.values(f"{MODULES}[].size")):
        if isinstance(value, str) and value not in sizes:
            partial.report(
                "PX102",
                path,
                f"unknown size {quoted(value)}; this design has {named(sizes)}",
                did_you_mean(value, sizes),
            )


def judge_name(partial: PartialRequest, pattern: str, what: str, trouble_of: Callable[[str, int], str]) -> None:
    """PX107 for a name that something could misread; `trouble_of` takes the name and its longest legal length.

    What makes the volumes has names of its own, too.
    """
    longest, reserved = partial.limit("pixsize.name_chars"), volumes_of(partial.design).terms.reserved_names
    for value, path in list(partial.values(pattern)):
        trouble = trouble_of(value, longest) or reserved.get(value.lower(), "") if isinstance(value, str) else ""
        if trouble:
            partial.report("PX107", path, f"{quoted(value)} cannot name {what}: {trouble}")


def judge_accepted(partial: PartialRequest) -> None:
    """PX113 for a code that is not that of a warning, PX104 for a reason of more than one line."""
    first: dict[str, str] = {}
    for value, path in list(partial.values("accept[].code")):
        if isinstance(value, str):
            _judge_code(partial, value, path)
            if first.setdefault(value, path) != path and not partial.is_bad(path):
                partial.report("PX113", path, f"{value} is accepted twice, first in {first[value]}", "Give one reason.")
    for value, path in list(partial.values("accept[].reason")):
        trouble = names.line_trouble(value) if isinstance(value, str) else ""
        if trouble:
            partial.report("PX104", path, f"a reason is one line of text: {trouble}")


def _judge_code(partial: PartialRequest, value: str, path: str) -> None:
    warnings = [code for code, entry in codes().items() if entry.severity == "warning"]
    if value not in codes():
        partial.report("PX113", path, f"there is no finding {quoted(value)}", did_you_mean(value, warnings, 0.7))
    elif value not in warnings:
        partial.report(
            "PX113", path, f"{value} is of severity {codes()[value].severity}; only warnings can be taken on"
        )


def choose_drives(partial: PartialRequest, pattern: str, media: str) -> None:
    """Note the catalog id for every drive at `pattern`, which must be of `media`; findings where there is none."""
    for value, path in list(partial.values(pattern)):
        if isinstance(value, str) and value in partial.catalog:
            _choose_by_id(partial, path, value, media)
        elif isinstance(value, str | int | float):
            _choose_by_capacity(partial, path, value, media)


def _choose_by_id(partial: PartialRequest, path: str, value: str, media: str) -> None:
    record = partial.catalog.record(value)
    if not isinstance(record, Drive):
        partial.report("PX109", path, f"{quoted(value)} is no drive; this slot takes {_offered(partial, media)}")
    elif record.media != media:
        message = (
            f"{quoted(value)} is a drive of kind {record.media}; this slot takes {media}: {_offered(partial, media)}"
        )
        partial.report("PX109", path, message)
    else:
        partial.chosen[path] = record.id


def _choose_by_capacity(partial: PartialRequest, path: str, value: object, media: str) -> None:
    fitting = {d.id: d.capacity_bytes for d in partial.catalog.all(Drive) if d.media == media}
    try:
        size = units.parse_whole(value, "capacity")
    except units.UnitError as error:
        _report_unit(partial, path, value, error, fitting)
        return
    same = [drive for drive, capacity in fitting.items() if capacity == size]
    if len(same) == 1:
        partial.chosen[path] = same[0]
    elif same:
        partial.report("PX109", path, f"{quoted(value)} could be {' or '.join(same)}", f"Write the id: {same[0]}.")
    else:
        _report_capacity(partial, path, value, size, media)


def _report_unit(
    partial: PartialRequest, path: str, value: object, error: units.UnitError, fitting: dict[str, int]
) -> None:
    """The finding for a drive that is no capacity: a text without a quantity was meant as a catalog id."""
    if error.code == "PX104" and isinstance(value, str):
        takes = _named_drives(fitting)
        message = f"{quoted(value)} is neither a capacity nor a drive of the catalog; this slot takes {takes}"
        partial.report("PX109", path, message, did_you_mean(value, fitting))
    else:
        meant = _other_unit(str(value), list(fitting.values())) if error.code == "PX105" else ""
        takes = f"This slot takes {_named_drives(fitting)}." if error.code == "PX105" else ""
        partial.report(error.code, path, f"{quoted(value)}: {error}", f"Did you mean {meant}?" if meant else takes)


def _report_capacity(partial: PartialRequest, path: str, value: object, size: int, media: str) -> None:
    capacities = sorted({d.capacity_bytes for d in partial.catalog.all(Drive) if d.media == media})
    meant = _other_unit(str(value), capacities)
    closest = min(capacities, key=lambda c: abs(c - size), default=None)
    binary = f" (= {units.decimal_bytes(size, 3)}; drives are sold in decimal units)" if "i" in str(value) else ""
    message = f"no {media} drive of {quoted(value)}{binary}; this slot takes {_offered(partial, media)}"
    nearest = f"The nearest is {units.decimal_bytes(closest)}." if closest is not None else ""
    partial.report("PX109", path, message, f"Did you mean {meant}?" if meant else nearest)


def _other_unit(text: str, capacities: list[int]) -> str:
    """The capacity of a drive that has the same number and a unit that drives have; empty where there is none."""
    number = text.rstrip("kKMGTPEiB").strip(" ")
    meant = (f"{number} {unit}" for unit in ("TB", "GB"))
    return next((m for m in meant if _size(m) in capacities), "")


def _size(text: str) -> int | None:
    try:
        return units.parse_whole(text, "capacity")
    except units.UnitError:
        return None


def _offered(partial: PartialRequest, media: str) -> str:
    return _named_drives({d.id: d.capacity_bytes for d in partial.catalog.all(Drive) if d.media == media})


def _named_drives(drives: dict[str, int]) -> str:
    sizes = sorted(set(drives.values()))
    return named(units.decimal_bytes(s) for s in sizes) or "no drive that the catalog has"
