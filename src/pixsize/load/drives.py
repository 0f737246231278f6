"""Words for a drive -> the one catalog drive that they mean."""

from __future__ import annotations

from pixsize import units
from pixsize.catalog.records import Drive
from pixsize.load.draft import Draft, did_you_mean, named
from pixsize.load.positions import quoted


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
    """A text that is no quantity at all was meant as an id."""
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
