"""The index of a document: at each of its places the numbers with their units, as printed. No sentences.

`python -m tests.recorded.documents.index FOLDER` writes the index of every document of outline.yaml beside this file. The
folder has the texts: `ID.txt`, or pages as `ID.24.txt` and `ID.30.txt`, where ID is that of the catalog source.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
UNITS = r"[KM]\b|[KM](?=IOPS)|[KMGTP]i?B/s(?:ec)?\b|[KMGTP]i?B\b|GbE\b|Gbps\b|gigabit\b|[MG]Hz\b|MT/s|GT/s|%|bytes?\b|byte\b|U\b|rpm\b|W\b"
NAMES = ("RAID", "Table", "Tables", "Figure", "Figures")
"""Words before a number that is part of a name."""
NO_NAME = "".join(f"(?<!{name} )" for name in NAMES)
NUMBER = re.compile(rf"(?<![A-Za-z0-9.])(?<![A-Za-z]-){NO_NAME}(0x[0-9a-f]+|\d[\d,]*(?:\.\d+)*)(?:[ -]?({UNITS}))?")
CELL = r"\d[\d.,]*\s?[KM]?\s?(?:GB/s|IOPS|Ops)"
ROW = re.compile(rf"(?P<label>\D.*?)\s+(?P<cells>{CELL}(?:\s+{CELL})*)")


@cache
def outline() -> dict[str, Any]:
    """The outline of each document, by the id of its catalog source."""
    return dict(yaml.safe_load((HERE / "outline.yaml").read_text("utf-8")))


def numbers_of(text: str) -> list[str]:
    """Every number of a text with its unit, such as `20.5 GB/s` and `2,097,152`, each once and sorted."""
    found = {f"{number.rstrip(',')} {unit}".rstrip() for number, unit in NUMBER.findall(text)}
    return sorted(found, key=lambda printed: (len(printed), printed))


def text_of(document: str, folder: Path) -> str:
    """The text of a document from one file or from its pages. FileNotFoundError if the folder has none."""
    files = sorted({*folder.glob(f"{document}.txt"), *folder.glob(f"{document}.*.txt")})
    if not files:
        raise FileNotFoundError(f"{document}.txt")
    return "\n".join(file.read_text("utf-8") for file in files)


def index_of(text: str, plan: dict[str, Any]) -> list[dict[str, Any]]:
    """The places of a text in the order of the outline. ValueError where a place does not begin as the outline says."""
    places: dict[tuple[str, ...], dict[str, Any]] = {}
    for path, first, lines in _pieces(text, plan["places"]):
        place = places.setdefault(path, {"path": list(path), "lines": []})
        if title := re.fullmatch(r"Table \d+[.:]? (.*)", first):
            place["title"] = title[1].replace("*", "")
        place["lines"] += [*lines, ""]
    return [_entry(place, plan["columns"]) for place in places.values()]


def _pieces(text: str, markers: list[list[str]]) -> list[tuple[tuple[str, ...], str, list[str]]]:
    """The path, first line and lines of each piece of the text between two markers."""
    lines = [line.strip() for line in text.splitlines()]
    starts, at = [], 0
    for words, *path in markers:
        short = len(words) < 3
        at = next(
            (n for n in range(at, len(lines)) if lines[n] == words or (not short and lines[n].startswith(words))), -1
        )
        if at < 0:
            raise ValueError(f"no line begins with '{words}' behind the place before it")
        starts.append((at, tuple(path)))
        at += 1
    ends = [start for start, _ in starts[1:]] + [len(lines)]
    return [(path, lines[start], lines[start:end]) for (start, path), end in zip(starts, ends, strict=True)]


def _entry(place: dict[str, Any], columns: dict[str, Any]) -> dict[str, Any]:
    lines = place.pop("lines")
    joined = "\n".join(lines)
    figures = [int(n) for n in re.findall(r"^Figure (\d+)[.:]", joined, re.MULTILINE)]
    entry = place | ({"figures": figures} if figures else {}) | {"numbers": numbers_of(joined)}
    if place["path"][-1] in columns:
        entry["rows"] = _rows(joined)
    return entry


def _rows(text: str) -> dict[str, list[str]]:
    """The cells of each row of a table; a row ends at an empty line."""
    rows = (ROW.fullmatch(" ".join(piece.split())) for piece in text.split("\n\n"))
    return {row["label"]: re.findall(CELL, row["cells"]) for row in rows if row}


def main(folder: Path) -> None:
    for document, plan in outline().items():
        places = index_of(text_of(document, folder), plan)
        written = yaml.safe_dump(places, default_flow_style=None, width=118, sort_keys=False, allow_unicode=True)
        head = "# Made by tests/recorded/documents/index.py: the numbers that the document prints at each place.\n"
        (HERE / f"{document}.yaml").write_text(head + written, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
