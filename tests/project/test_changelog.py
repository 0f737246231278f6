"""The numbers that the changelog gives for the next release are those of the program."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCALE = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9}
NUMBER = re.compile(r"([\d.]+)(?: ([kMG]?)(?:B/s|op/s))?")


def rows() -> Iterator[tuple[str, str, str]]:
    """Example, figure and what it is now, of each row of the tables."""
    section = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").partition("## Unreleased")[2].partition("\n## ")[0]
    example = ""
    for line in section.splitlines():
        if heading := re.fullmatch(r"`([\w+.-]+)`", line):
            example = heading[1]
        elif row := re.fullmatch(r"\| `([\w.]+)` \| .* \| (.*) \|", line):
            yield example, row[1], row[2]


def numbers(cell: str) -> list[tuple[str, int]]:
    """The value and the ends of a range as a cell prints them, each with its scale; the last unit is that of all others."""
    last = re.search(r"([kMG]?)(?:B/s|op/s)\)?$", cell)
    assert last, cell
    return [
        (text, SCALE[last[1] if unit is None else unit]) for text, unit in (m.groups() for m in NUMBER.finditer(cell))
    ]


def test_the_numbers_of_the_next_release_are_those_of_the_program() -> None:
    plans = {}
    wrong, seen = [], 0
    for example, figure, cell in rows():
        if example not in plans:
            text = (ROOT / f"tests/golden/expected/{example}/plan.json").read_text(encoding="utf-8")
            plans[example] = json.loads(text)["figures"]
        for (text, scale), word in zip(numbers(cell), ("value", "low", "high"), strict=True):
            digits = len(text.partition(".")[2])
            seen += 1
            if abs(plans[example][figure][word] / scale - float(text)) > 0.51 * 10**-digits:
                wrong.append((example, figure, word, text, plans[example][figure][word]))
    assert seen > 300
    assert not wrong


def test_a_cell_is_read_with_its_units() -> None:
    assert numbers("5.34 (3.76 to 8.93) Mop/s") == [("5.34", 10**6), ("3.76", 10**6), ("8.93", 10**6)]
    mixed = "1.24 Mop/s (717.78 kop/s to 1.42 Mop/s)"
    assert numbers(mixed) == [("1.24", 10**6), ("717.78", 10**3), ("1.42", 10**6)]


def test_no_rate_of_an_example_is_left_out_of_its_table() -> None:
    """Rates by threads and line rates of links are new altogether, and have no table."""
    stated: dict[str, set[str]] = {}
    for example, figure, _ in rows():
        stated.setdefault(example, set()).add(figure)
    assert len(stated) >= 10
    for example, known in stated.items():
        text = (ROOT / f"tests/golden/expected/{example}/plan.json").read_text(encoding="utf-8")
        figures = json.loads(text)["figures"]
        rates = {i for i, f in figures.items() if f["unit"] in ("B/s", "op/s")}
        assert {i for i in rates if ".threads_" not in i and ".fabric." not in i} - known == set(), example
