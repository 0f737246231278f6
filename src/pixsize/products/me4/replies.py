"""Reads what the command line of an array prints, as JSON or XML, into observed arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pixsize.findings import Finding
from pixsize.load.positions import Positions, quoted
from pixsize.load.replies import FieldError, ReadBudget, Reply
from pixsize.observed import Observed, ObservedArray, ObservedEnclosure
from pixsize.products.me4.reply_rows import disk_of, enclosure_of, failure_of, group_of, volume_of
from pixsize.products.me4.reply_text import BASETYPES, Row, rows_of

NAMES = "ARRAY.WHAT.json or .xml, such as sm01a1.volumes.json"
_MOST_FINDINGS = 20
"""Of one reply: an old firmware that lacks a field lacks it in every row."""


def claims(name: str) -> bool:
    """Whether a file of this name is a reply of an array: JSON or XML. What array it is of, its name says first."""
    return name.lower().endswith((".json", ".xml")) and not name.startswith(".")


@dataclass(slots=True)
class _ArrayReplies:
    """One array in the making; `places` says in which file and line a value stands."""

    groups: dict[str, Any] = field(default_factory=dict)
    volumes: dict[str, Any] = field(default_factory=dict)
    disks: dict[tuple[int, int], Any] = field(default_factory=dict)
    enclosures: dict[int, ObservedEnclosure] = field(default_factory=dict)
    places: dict[tuple[str, Any], str] = field(default_factory=dict)
    replies: list[str] = field(default_factory=list)


class Reader:
    """Reads replies of arrays. Where they contradict each other, the later name holds, with a warning."""

    def __init__(self) -> None:
        self._seen: dict[str, _ArrayReplies] = {}

    def take(self, reply: Reply, budget: ReadBudget) -> list[Finding]:
        """Add the rows of a reply to its array."""
        name, text, places = reply
        rows = rows_of(text, budget)
        array = self._seen.setdefault(name.partition(".")[0], _ArrayReplies())
        array.replies.append(name)
        findings = [f for row in rows for f in _take_row(row, name, places, array)]
        findings.sort(key=lambda f: f.severity != "error")  # however many warnings there are, no error is cut off
        return [*_misnamed(name, rows, places), *findings[:_MOST_FINDINGS]]

    def finish(self, observed: Observed, unread: bool) -> tuple[Observed, list[Finding]]:  # noqa: ARG002  arrays report one by one
        """What was observed, with the arrays by their ids."""
        found = {
            name: ObservedArray(s.groups, s.volumes, s.disks, s.enclosures, tuple(s.replies), s.places)
            for name, s in sorted(self._seen.items())
        }
        return observed._replace(arrays={**observed.arrays, **found}), []


def _misnamed(name: str, rows: Iterable[Row], places: Positions) -> Iterator[Finding]:
    """PX310: a reply under the name of another command, which may have been written over that command's reply."""
    what = name.split(".")[1].lower()
    expected = BASETYPES.get(what, "status")
    found = {r.basetype: r for r in rows if BASETYPES.get(r.basetype, "status") != "status"}
    if expected != "status" and found and expected not in {BASETYPES[word] for word in found}:
        message = f"the name says {what}, but all rows are of {' and '.join(found)}"
        hint = f"rename the file, and collect `show {what}` under this name"
        first = next(iter(found.values()))
        yield Finding("PX310", message, hint=hint, position=places.at(first.line, first.column))


def _take_row(row: Row, name: str, places: Positions, array: _ArrayReplies) -> list[Finding]:
    kind = BASETYPES.get(row.basetype, "")
    if not kind:
        return []
    if kind == "status":
        failure = failure_of(row)
        why = f"the array refused the command: {failure}"
        return [Finding("PX305", why, position=places.at(row.line, row.column))] if failure else []
    try:
        key, value, table = _record(kind, row, array)
    except FieldError as error:
        why = f"{kind} {quoted(_label(row))}: {error}"
        return [Finding("PX303", why, position=places.at(row.line, row.column))]
    found = []
    if key in table and table[key] != value:
        position = places.at(row.line, row.column)
        earlier = array.places[kind, key].rpartition(":")[0]
        what = f"{kind} {quoted(_label(row))}"
        if kind == "volume" and table[key].wwid != value.wwid:
            message = f"{what} has WWID {value.wwid}, and in {earlier} {table[key].wwid}"
            found.append(Finding("PX309", message, hint="keep only the newest reply", position=position))
        else:
            message = f"{what} differs from what {earlier} says of it; {name} holds"
            found.append(Finding("PX307", message, position=position))
    table[key], array.places[kind, key] = value, f"{name}:{row.line}"
    return found


def _record(kind: str, row: Row, array: _ArrayReplies) -> tuple[Any, Any, dict[Any, Any]]:
    """The row's key, its record, and the table it belongs to."""
    if kind == "enclosure":
        number, words = enclosure_of(row)
        return number, words, array.enclosures
    if kind == "disk":
        disk = disk_of(row)
        return (disk.enclosure, disk.slot), disk, array.disks
    makers: dict[str, tuple[Callable[[Row], Any], dict[str, Any]]] = {
        "group": (group_of, array.groups),
        "volume": (volume_of, array.volumes),
    }
    maker, table = makers[kind]
    record = maker(row)
    return record.name, record, table


def _label(row: Row) -> str:
    keys = ("name", "volume-name", "location", "enclosure-id", "durable-id")
    return next((str(row.fields[k]) for k in keys if row.fields.get(k) not in (None, "")), "without a name")
