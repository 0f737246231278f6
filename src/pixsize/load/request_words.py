"""Judges the words of a request that several products share: sizes, names, drives, accepted warnings."""

from __future__ import annotations

from collections.abc import Callable

from pixsize import units
from pixsize.catalog.records import Drive, ModuleSize
from pixsize.codes import codes
from pixsize.load import names
from pixsize.load.positions import quoted
from pixsize.load.request_draft import Draft, TooManyError, did_you_mean, named
from pixsize.product import volumes_of


def judge_entries(draft: Draft) -> None:
    """More entries than modules may be planned are refused at once: to judge each would take seconds."""
    most, entries = draft.limit("pixsize.modules"), draft.words.get("storage_modules")
    if isinstance(entries, list) and len(entries) > most:
        message = f"{len(entries):,} entries, each a module or more; pixsize plans at most {most:,}"
        draft.report("PX114", "storage_modules", message)
        raise TooManyError


def judge_sizes(draft: Draft) -> None:
    """PX102 for sizes of storage module that the design does not have."""
    sizes = [s.size for s in draft.catalog.of_design(ModuleSize, draft.design.id)]
    for value, path in list(draft.values("storage_modules[].size")):
        if isinstance(value, str) and value not in sizes:
            draft.report(
                "PX102",
                path,
                f"unknown size {quoted(value)}; this design has {named(sizes)}",
                did_you_mean(value, sizes),
            )


def judge_name(draft: Draft, pattern: str, what: str, trouble_of: Callable[[str, int], str]) -> None:
    """PX107 for a name that something could misread; `trouble_of` takes the name and its longest legal length.

    What makes the volumes has names of its own, too.
    """
    longest, reserved = draft.limit("pixsize.name_chars"), volumes_of(draft.design).terms.reserved_names
    for value, path in list(draft.values(pattern)):
        trouble = trouble_of(value, longest) or reserved.get(value.lower(), "") if isinstance(value, str) else ""
        if trouble:
            draft.report("PX107", path, f"{quoted(value)} cannot name {what}: {trouble}")


def judge_accepted(draft: Draft) -> None:
    """PX113 for a code that is not that of a warning, PX104 for a reason of more than one line."""
    first: dict[str, str] = {}
    for value, path in list(draft.values("accept[].code")):
        if isinstance(value, str):
            _judge_code(draft, value, path)
            if first.setdefault(value, path) != path and not draft.is_bad(path):
                draft.report("PX113", path, f"{value} is accepted twice, first in {first[value]}", "Give one reason.")
    for value, path in list(draft.values("accept[].reason")):
        trouble = names.line_trouble(value) if isinstance(value, str) else ""
        if trouble:
            draft.report("PX104", path, f"a reason is one line of text: {trouble}")


def _judge_code(draft: Draft, value: str, path: str) -> None:
    warnings = [code for code, entry in codes().items() if entry.severity == "warning"]
    if value not in codes():
        draft.report("PX113", path, f"there is no finding {quoted(value)}", did_you_mean(value, warnings, 0.7))
    elif value not in warnings:
        draft.report("PX113", path, f"{value} is of severity {codes()[value].severity}; only warnings can be taken on")


def choose_drives(draft: Draft, pattern: str, media: str) -> None:
    """Note the catalog id for every drive at `pattern`, which must be of `media`; findings where there is none."""
    for value, path in list(draft.values(pattern)):
        if isinstance(value, str) and value in draft.catalog:
            _choose_by_id(draft, path, value, media)
        elif isinstance(value, str | int | float):
            _choose_by_capacity(draft, path, value, media)


def _choose_by_id(draft: Draft, path: str, value: str, media: str) -> None:
    record = draft.catalog.record(value)
    if not isinstance(record, Drive):
        draft.report("PX109", path, f"{quoted(value)} is no drive; this slot takes {_offered(draft, media)}")
    elif record.media != media:
        message = (
            f"{quoted(value)} is a drive of kind {record.media}; this slot takes {media}: {_offered(draft, media)}"
        )
        draft.report("PX109", path, message)
    else:
        draft.chosen[path] = record.id


def _choose_by_capacity(draft: Draft, path: str, value: object, media: str) -> None:
    fitting = {d.id: d.capacity_bytes for d in draft.catalog.all(Drive) if d.media == media}
    try:
        size = units.parse_whole(value, "capacity")
    except units.UnitError as error:
        _report_unit(draft, path, value, error, fitting)
        return
    same = [drive for drive, capacity in fitting.items() if capacity == size]
    if len(same) == 1:
        draft.chosen[path] = same[0]
    elif same:
        draft.report("PX109", path, f"{quoted(value)} could be {' or '.join(same)}", f"Write the id: {same[0]}.")
    else:
        _report_capacity(draft, path, value, size, media)


def _report_unit(draft: Draft, path: str, value: object, error: units.UnitError, fitting: dict[str, int]) -> None:
    """The finding for a drive that is no capacity: a text without a quantity was meant as a catalog id."""
    if error.code == "PX104" and isinstance(value, str):
        takes = _named_drives(fitting)
        message = f"{quoted(value)} is neither a capacity nor a drive of the catalog; this slot takes {takes}"
        draft.report("PX109", path, message, did_you_mean(value, fitting))
    else:
        meant = _other_unit(str(value), list(fitting.values())) if error.code == "PX105" else ""
        takes = f"This slot takes {_named_drives(fitting)}." if error.code == "PX105" else ""
        draft.report(error.code, path, f"{quoted(value)}: {error}", f"Did you mean {meant}?" if meant else takes)


def _report_capacity(draft: Draft, path: str, value: object, size: int, media: str) -> None:
    capacities = sorted({d.capacity_bytes for d in draft.catalog.all(Drive) if d.media == media})
    meant = _other_unit(str(value), capacities)
    closest = min(capacities, key=lambda c: abs(c - size), default=None)
    binary = f" (= {units.decimal_bytes(size, 3)}; drives are sold in decimal units)" if "i" in str(value) else ""
    message = f"no {media} drive of {quoted(value)}{binary}; this slot takes {_offered(draft, media)}"
    nearest = f"The nearest is {units.decimal_bytes(closest)}." if closest is not None else ""
    draft.report("PX109", path, message, f"Did you mean {meant}?" if meant else nearest)


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


def _offered(draft: Draft, media: str) -> str:
    return _named_drives({d.id: d.capacity_bytes for d in draft.catalog.all(Drive) if d.media == media})


def _named_drives(drives: dict[str, int]) -> str:
    sizes = sorted(set(drives.values()))
    return named(units.decimal_bytes(s) for s in sizes) or "no drive that the catalog has"
