"""Figure ids and values in the reader's words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pixsize import units
from pixsize.figures import Figure

_GROUPS = (
    ("throughput.sequential.n_n.", "Sequential, one file for each thread (N-N)"),
    ("throughput.sequential.n_1.", "Sequential, one file for all threads (N-1)"),
    ("throughput.random_4k.", "Random 4 KiB"),
    ("throughput.", "Further throughput"),
    ("metadata.empty.", "Empty files"),
    ("metadata.4k.", "Files of 4 KiB"),
    ("metadata.", "Further metadata rates"),
)
"""The beginning of a figure's id, and the heading under which a report shows it."""

_WORDS = {"n_n": "N-N", "n_1": "N-1", "random_4k": "random 4 KiB", "4k": "4 KiB files", "empty": "empty files"}

Grouped = dict[str, list[tuple[str, Figure]]]


def grouped(figures: Mapping[str, Figure], kind: str) -> Grouped:
    """The figures below `kind` (`throughput` or `metadata`) by heading, each with its label."""
    found: Grouped = {title: [] for prefix, title in _GROUPS if prefix.startswith(kind)}
    for figure_id, figure in figures.items():
        match = next((g for g in _GROUPS if g[0].startswith(kind) and figure_id.startswith(g[0])), None)
        if match:
            found[match[1]].append((label(figure_id.removeprefix(match[0])), figure))
    return {title: rows for title, rows in found.items() if rows}


def label(figure_id: str) -> str:
    """The parts of an id as words: `write.peak` becomes `write, peak`."""
    return ", ".join(_WORDS.get(part, part.replace("_", " ")) for part in figure_id.split("."))


def value(figure: Figure) -> str:
    """A figure's value with its unit."""
    return units.show(figure.value, figure.unit)


def span(figure: Figure) -> str:
    """A figure's range with its unit, `19.1 to 21.7 GB/s`; nothing where there is none."""
    if figure.low == figure.high:
        return ""
    low, _, low_unit = units.show(figure.low, figure.unit, _digits(figure)).partition(" ")
    high, _, high_unit = units.show(figure.high, figure.unit, _digits(figure)).partition(" ")
    first = low if low_unit == high_unit else f"{low} {low_unit}"
    return f"{first} to {high} {high_unit}".rstrip()


def _digits(figure: Figure) -> int:
    return 1 if figure.unit in ("B/s", "op/s") else 2


def both(size_bytes: int) -> str:
    """Bytes as decimal and binary text, side by side."""
    return f"{units.decimal_bytes(size_bytes)} ({units.binary_bytes(size_bytes)})"


def plural(count: int, noun: str) -> str:
    """`1 server`, `2 servers`, `3 switches`."""
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {noun}{'es' if noun.endswith(('ch', 'x', 's')) else 's'}"


def listed(words: Iterable[str], most: int = 4) -> str:
    """Names in a row, the middle of a long row left out: `sm01n1, sm01n2 ... sm63n2`."""
    names = list(words)
    if len(names) <= most:
        return ", ".join(names)
    return f"{names[0]}, {names[1]} ... {names[-1]}"
