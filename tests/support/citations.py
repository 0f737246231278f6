"""The places of documents that citations name, looked up in the indexes of tests/recorded/documents."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.recorded.documents import index
from tests.support import written

UNITS = {"GB/sec": "GB/s", "kop/s": "K", "Mop/s": "M", "byte": "bytes"}
TABLE = re.compile(r"Table \d+$")
FIGURES = re.compile(r"Figures? (\d+)(?:((?:, \d+)*) and (\d+)| to (\d+))?(?![\d])")


class NoSuchPlaceError(Exception):
    """The document has no such place, or more than one."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation in a catalog record: `value` is the printed number that it stands for, if it is a reading."""

    record: str
    document: str
    place: str
    value: str
    why: str


def citations() -> list[Citation]:
    """Every citation of the shipped catalog, of any document: sources, readings and doubts."""
    return [citation for _, record in written.records() for citation in _citations_in(record, record["id"])]


def _citations_in(part: Any, record: str) -> Iterator[Citation]:
    if isinstance(part, dict):
        if {"document", "place"} <= part.keys():
            yield Citation(record, part["document"], part["place"], str(part.get("value", "")), part.get("why", ""))
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from _citations_in(inner, record)


@functools.cache
def places(document: str) -> list[dict[str, Any]]:
    """The places of a document, as its index has them."""
    return list(written.parsed(index.HERE / f"{document}.yaml"))


def printed_at(document: str, place: str) -> list[tuple[str, set[str]]]:
    """For each place that a citation names, joined by `;`: the words behind it and the numbers printed there.

    `Chapter, section, Figure 2: words` names a section and a figure in it; `Table 4, row 'name', column` one cell.
    """
    return [_printed_at(document, part.strip()) for part in place.split(";")]


def _printed_at(document: str, place: str) -> tuple[str, set[str]]:
    here: list[dict[str, Any]] = []
    rest = place
    while rest:
        if figures := FIGURES.match(rest):
            here, rest = _with_figures(document, here, figures), rest[figures.end() :]
        elif row := re.match(r"row '([^']*)', (.*?)(?=: |$)", rest):
            return _words(rest[row.end() :]), {_cell(here, row[1], row[2])}
        else:
            here, rest = _named(document, here, rest)
        if not rest.startswith(", "):
            break
        rest = rest[2:]
    if rest and not re.match(r": | \(", rest):
        raise NoSuchPlaceError(f"{document}: '{place}', from '{rest}' on")
    return _words(rest), {number for top in here for number in _numbers(document, top)}


def _words(rest: str) -> str:
    return rest.lstrip(": (").rstrip(")")


def _numbers(document: str, top: dict[str, Any]) -> Iterator[str]:
    """The numbers of a place and of those in it; those of a table count where the table itself is named."""
    path = top["path"]
    inside = [each for each in places(document) if each["path"][: len(path)] == path]
    return (n for each in inside if not any(map(TABLE.match, each["path"][len(path) :])) for n in each["numbers"])


def _named(document: str, here: list[dict[str, Any]], rest: str) -> tuple[list[dict[str, Any]], str]:
    """The places that the words begin with, below `here`, and the words behind them. Two are joined by `and`."""
    for top in here:
        title = top.get("title", "")
        if title and rest.lower().startswith(title.lower()):
            return here, rest[len(title) :]
    ends = [len(rest), *(m.start() for m in re.finditer(r", |: | \(| and ", rest))]
    for end in sorted(ends, reverse=True):
        if named := [p for p in _below(document, here) if rest[:end] in _names(p)]:
            if len(named) > 1:
                raise NoSuchPlaceError(f"{document}: '{rest[:end]}' is the name of {len(named)} places")
            if rest[end:].startswith(" and "):
                more, behind = _named(document, here, rest[end + 5 :])
                return named + more, behind
            return named, rest[end:]
    raise NoSuchPlaceError(f"{document}: '{rest}'")


def _names(place: dict[str, Any]) -> set[str]:
    """The name of a place, also without the short form in brackets behind it."""
    name = place["path"][-1]
    return {name, re.sub(r" \([A-Za-z]+\)$", "", name)}


def _below(document: str, here: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The places inside one of `here`, or all."""
    tops = [top["path"] for top in here] or [[]]
    return [p for p in places(document) if any(p["path"][: len(t)] == t and p["path"] != t for t in tops)]


def _with_figures(document: str, here: list[dict[str, Any]], match: re.Match[str]) -> list[dict[str, Any]]:
    """The places that the figures stand in; each must lie in `here` if a place was named before them."""
    first, more, last, to = match.groups()
    numbers = [int(n) for n in (first, *re.findall(r"\d+", more or ""), last) if n]
    wanted = range(int(first), int(to) + 1) if to else numbers
    among = [*here, *_below(document, here)]
    found = []
    for number in wanted:
        holding = [p for p in among if number in p.get("figures", ())]
        if not holding:
            raise NoSuchPlaceError(f"{document}: Figure {number} in {[p['path'][-1] for p in here] or 'the document'}")
        found += holding
    return here or found


def _cell(here: list[dict[str, Any]], row: str, column: str) -> str:
    (table,) = here
    cells = table.get("rows", {}).get(row)
    if cells is None:
        raise NoSuchPlaceError(f"no row '{row}' in {table['path'][-1]}")
    (columns,) = (
        o["columns"][table["path"][-1]] for o in index.outline().values() if table["path"][-1] in o["columns"]
    )
    if column not in columns[len(cells)]:
        raise NoSuchPlaceError(f"no column '{column}' in row '{row}' of {table['path'][-1]}")
    return str(cells[columns[len(cells)].index(column)])


def is_printed(number: str, printed: set[str]) -> bool:
    """Whether a number with its unit is among the printed ones. A printed decimal may lack its unit, as in `of 20.4`."""
    value, unit = _plain(number)
    alike = {_plain(each) for each in printed}
    return (value, unit) in alike or ("." in value and (value, "") in alike)


def _plain(number: str) -> tuple[str, str]:
    """Value and unit without the ways of printing: `113,246,208`, `30.8 GB/sec`, `232.2K Ops`."""
    match = re.match(r"(0x[0-9a-f]+|[\d.,]+)\s?([A-Za-z%/]*)", number)
    assert match, number
    unit = UNITS.get(match[2], match[2])
    return match[1].replace(",", ""), unit[:1] if re.match(r"[KM](IOPS|Ops)?$", unit) else unit
