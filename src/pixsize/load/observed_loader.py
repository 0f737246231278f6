"""A folder of replies -> what was observed, array by array, and of a PowerFlex system."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pixsize.findings import Finding, Position
from pixsize.load import files
from pixsize.load.positions import Positions, quoted
from pixsize.load.reply_bounds import Left, TooMuchError
from pixsize.observed import Observed, ObservedArray, ObservedEnclosure

if TYPE_CHECKING:
    from pixsize.products.me4.replies import Row

_MOST_BYTES = 4 * files.MIB
"""Of one file, which is dropped once it is read."""
_MOST_FILES = 5_000
"""Six replies of each of 126 arrays, six times over. To open as many takes half a second."""
_MOST_FINDINGS = 20
_MOST_FINDINGS_TOGETHER = 200
_MANIFEST = "MANIFEST.json"
"""What `render -o` leaves in its folder, which may be this one: no reply."""
_ARRAY_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


@dataclass(slots=True)
class _Seen:
    """One array in the making; `places` says in which file and line a value stands."""

    groups: dict[str, Any] = field(default_factory=dict)
    volumes: dict[str, Any] = field(default_factory=dict)
    disks: dict[tuple[int, int], Any] = field(default_factory=dict)
    enclosures: dict[int, ObservedEnclosure] = field(default_factory=dict)
    places: dict[tuple[str, Any], str] = field(default_factory=dict)
    replies: list[str] = field(default_factory=list)

    def frozen(self) -> ObservedArray:
        """The same as a record."""
        return ObservedArray(self.groups, self.volumes, self.disks, self.enclosures, tuple(self.replies), self.places)


def load_observed(folder: Path) -> tuple[Observed, tuple[Finding, ...]]:
    """What the files `<array id>.*.json` and `.xml` of a folder report, and what is wrong with them.

    `powerflex.login.txt` and `powerflex.volumes.txt` are the replies of a PowerFlex system. Other files are left alone.
    Where replies contradict each other, the later name holds, with a warning.
    """
    from pixsize.products.powerflex.replies import pool_of

    names, findings = _names(folder)
    if not names and not findings:
        findings.append(_no_replies(folder))
    seen: dict[str, _Seen] = {}
    texts: dict[str, tuple[str, Positions]] = {}
    digest = _read(folder, names, seen, texts, findings)
    system, more = pool_of(texts) if _all_read(names, texts) else (None, [])
    return Observed({a: seen[a].frozen() for a in sorted(seen)}, digest, system), (*_capped(findings), *more)


def _read(
    folder: Path,
    names: Iterable[str],
    seen: dict[str, _Seen],
    texts: dict[str, tuple[str, Positions]],
    findings: list[Finding],
) -> str:
    """Add what the files report, and what is wrong with them; returns the checksum of all that were read."""
    import hashlib

    summed, left, wrong, any_read = hashlib.sha256(), Left(), 0, False
    for name in names:
        data = files.read_bytes(folder / name, _shown(folder, name), _MOST_BYTES)
        if isinstance(data, Finding):
            findings.append(data)
            continue
        try:
            left.take_bytes(len(data))
            found = _take(folder, name, data, seen, texts, left)
        except TooMuchError as error:
            findings.append(_too_much(_shown(folder, name), str(error)))
            break
        summed.update(f"{name}\0{len(data)}\0".encode() + data)
        any_read = any_read or bool(data)
        findings += found
        wrong += sum(f.severity == "error" for f in found)
        if wrong > _MOST_FINDINGS_TOGETHER:
            break
    return summed.hexdigest() if any_read else ""


def _too_much(shown: str, why: str) -> Finding:
    hint = "leave out what is not needed any more; as JSON, replies take a fourth of what they take as XML"
    return Finding("PX311", f"the replies up to this one {why}", hint=hint, position=Position(shown))


def _capped(findings: list[Finding]) -> list[Finding]:
    """As many findings as anybody reads, the errors first where there are more."""
    if len(findings) <= _MOST_FINDINGS_TOGETHER:
        return findings
    kept = sorted(findings, key=lambda f: f.severity != "error")[:_MOST_FINDINGS_TOGETHER]
    last = kept[-1]
    return [*kept[:-1], last._replace(message=f"{last.message} (more was found; these come first)")]


def _all_read(names: Iterable[str], texts: Container[str]) -> bool:
    """Whether each reply of a PowerFlex system could be read: what one lacks is no news where it could not."""
    from pixsize.products.powerflex.replies import FILES

    return all(name in texts for name in names if name in FILES)


def _names(folder: Path) -> tuple[list[str], list[Finding]]:
    """The replies in a folder, sorted, and PX302 for files that name no array."""
    from pixsize.products.powerflex.replies import FILES

    try:
        names = sorted(n for n in os.listdir(folder) if n in FILES or _is_reply(n))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the system refuses"
        return [], [Finding("PX001", f"the folder of replies cannot be read: {reason}", position=Position(str(folder)))]
    names = [n for n in names if n != _MANIFEST]
    if len(names) > _MOST_FILES:
        message = f"more than {_MOST_FILES:,} files that could be replies lie in the folder"
        return [], [Finding("PX311", message, position=Position(str(folder)))]
    strange = [n for n in names if not _ARRAY_ID.fullmatch(n.partition(".")[0]) or not n.isprintable()]
    return [n for n in names if n not in set(strange)], [
        Finding("PX302", f"{quoted(n)} does not begin with the id of an array", position=Position(_shown(folder, n)))
        for n in strange
    ]


def _is_reply(name: str) -> bool:
    return name.lower().endswith((".json", ".xml")) and not name.startswith(".")


def _no_replies(folder: Path) -> Finding:
    """PX302: whoever names a folder means what lies in it, and would take the plan for one that has read it."""
    message = (
        "no replies lie in the folder: their names are ARRAY.WHAT.json or .xml, such as sm01a1.volumes.json; "
        "of PowerFlex, powerflex.login.txt and powerflex.volumes.txt"
    )
    return Finding("PX302", message, hint="another folder, or other names", position=Position(str(folder)))


def _shown(folder: Path, name: str) -> str:
    return str(folder / name) if name.isprintable() else f"{folder}/{quoted(name)}"


def _take(
    folder: Path, name: str, data: bytes, seen: dict[str, _Seen], texts: dict[str, tuple[str, Positions]], left: Left
) -> list[Finding]:
    """Add one file's rows to its array; a text of PowerFlex is kept whole, with its places."""
    from pixsize.products.me4.replies import ReplyError, rows_of
    from pixsize.products.powerflex.replies import FILES

    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
        places = Positions(_shown(folder, name), text)
        if name in FILES:
            texts[name] = text, places
            return []
        rows = rows_of(text, left)
    except UnicodeDecodeError as error:
        message = f"the file is no UTF-8 text: byte 0x{data[error.start]:02x}"
        return [Finding("PX301", message, position=Position(_shown(folder, name)))]
    except ReplyError as error:
        return [Finding("PX301", str(error), position=places.at(error.line, error.column))]
    array = seen.setdefault(name.partition(".")[0], _Seen())
    array.replies.append(name)
    findings = [f for row in rows for f in _take_row(row, name, places, array)]
    findings.sort(key=lambda f: f.severity != "error")  # however many warnings there are, no error is cut off
    return [*_misnamed(name, rows, places), *findings[:_MOST_FINDINGS]]


def _misnamed(name: str, rows: Iterable[Row], places: Positions) -> Iterator[Finding]:
    """PX310: a reply under the name of another command, which may have been written over that command's reply."""
    from pixsize.products.me4.replies import BASETYPES

    what = name.split(".")[1].lower()
    due = BASETYPES.get(what, "status")
    told = {r.basetype: r for r in rows if BASETYPES.get(r.basetype, "status") != "status"}
    if due != "status" and told and due not in {BASETYPES[word] for word in told}:
        message = f"the name says {what}, but all rows are of {' and '.join(told)}"
        hint = f"rename the file, and collect `show {what}` under this name"
        first = next(iter(told.values()))
        yield Finding("PX310", message, hint=hint, position=places.at(first.line, first.column))


def _take_row(row: Row, name: str, places: Positions, array: _Seen) -> list[Finding]:
    from pixsize.products.me4.replies import BASETYPES
    from pixsize.products.me4.reply_rows import FieldError, failure_of

    kind = BASETYPES.get(row.basetype, "")
    if not kind:
        return []
    if kind == "status":
        failure = failure_of(row)
        why = f"the array refused the command: {failure}"
        return [Finding("PX305", why, position=places.at(row.line, row.column))] if failure else []
    try:
        key, value, held = _record(kind, row, array)
    except FieldError as error:
        why = f"{kind} {quoted(_label(row))}: {error}"
        return [Finding("PX303", why, position=places.at(row.line, row.column))]
    found = []
    if key in held and held[key] != value:
        position = places.at(row.line, row.column)
        earlier = array.places[kind, key].rpartition(":")[0]
        what = f"{kind} {quoted(_label(row))}"
        if kind == "volume" and held[key].wwid != value.wwid:
            message = f"{what} has WWID {value.wwid}, and in {earlier} {held[key].wwid}"
            found.append(Finding("PX309", message, hint="keep only the newest reply", position=position))
        else:
            message = f"{what} differs from what {earlier} says of it; {name} holds"
            found.append(Finding("PX307", message, position=position))
    held[key], array.places[kind, key] = value, f"{name}:{row.line}"
    return found


def _record(kind: str, row: Row, array: _Seen) -> tuple[Any, Any, dict[Any, Any]]:
    """The row's key, its record, and the table it belongs to."""
    from pixsize.products.me4 import reply_rows

    if kind == "enclosure":
        number, words = reply_rows.enclosure_of(row)
        return number, words, array.enclosures
    if kind == "disk":
        disk = reply_rows.disk_of(row)
        return (disk.enclosure, disk.slot), disk, array.disks
    makers: dict[str, tuple[Callable[[Row], Any], dict[str, Any]]] = {
        "group": (reply_rows.group_of, array.groups),
        "volume": (reply_rows.volume_of, array.volumes),
    }
    maker, table = makers[kind]
    record = maker(row)
    return record.name, record, table


def _label(row: Row) -> str:
    keys = ("name", "volume-name", "location", "enclosure-id", "durable-id")
    return next((str(row.fields[k]) for k in keys if row.fields.get(k) not in (None, "")), "without a name")
