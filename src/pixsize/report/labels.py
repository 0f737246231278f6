"""Labels of figures, and their values and ranges as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pixsize import units
from pixsize.estimate import ids
from pixsize.figures import Figure

_GROUPS = (
    (f"{ids.SEQUENTIAL}n_n.", "Sequential, one file for each thread (N-N)"),
    (f"{ids.SEQUENTIAL}n_1.", "Sequential, one file for all threads (N-1)"),
    (ids.RANDOM, "Random 4 KiB"),
    (ids.FABRIC, "Networks, at the most"),
    (ids.THROUGHPUT, "Further throughput"),
    (f"{ids.METADATA}empty.", "Empty files"),
    (f"{ids.METADATA}128b.", "Files of 128 bytes"),
    (f"{ids.METADATA}3k.", "Files of 3 KiB"),
    (f"{ids.METADATA}4k.", "Files of 4 KiB"),
    (ids.METADATA, "Further metadata rates"),
)
"""The beginning of a figure's id, and the heading under which a report shows it."""

_WORDS = {
    "n_n": "N-N",
    "n_1": "N-1",
    "random_4k": "random 4 KiB",
    "3k": "3 KiB files",
    "4k": "4 KiB files",
    "128b": "128-byte files",
    "128k": "128 KiB transfers",
    "empty": "empty files",
    "storage": "storage network",
}

Grouped = dict[str, list[tuple[str, Figure]]]


def grouped(figures: Mapping[str, Figure], kind: str, names: Mapping[str, str]) -> Grouped:
    """The figures below `kind` (`throughput` or `metadata`) by heading, each with its label, or its name in `names`.

    Those of another tier have its name in front. Those by threads are left out.
    """
    found: Grouped = {title: [] for prefix, title in _GROUPS if prefix.startswith(kind)}
    for figure_id, figure in figures.items():
        tier, dot, rest = figure_id.rpartition(f".{ids.THROUGHPUT}")
        own = f"{ids.THROUGHPUT}{rest}" if dot else figure_id
        match = next((g for g in _GROUPS if g[0].startswith(kind) and own.startswith(g[0])), None)
        if match and not ids.is_by_threads(figure_id):
            name = names.get(figure_id) or label(own.removeprefix(match[0]))
            found[match[1]].append((f"{tier}, {name}" if tier else name, figure))
    return {title: rows for title, rows in found.items() if rows}


def by_threads(figures: Mapping[str, Figure]) -> Grouped:
    """The figures by threads of the clients: by rate, each with its number of threads."""
    found: Grouped = {}
    for figure_id, figure in figures.items():
        if ids.is_by_threads(figure_id):
            rate, _, threads = figure_id.rpartition(f".{ids.BY_THREADS}")
            prefix, title = next(g for g in _GROUPS if figure_id.startswith(g[0]))
            heading = f"{title}: {label(rate.removeprefix(prefix))}"
            found.setdefault(heading, []).append((f"{int(threads):,} thread{'s' if threads != '1' else ''}", figure))
    return found


def label(figure_id: str) -> str:
    """The parts of an id as words: `write.peak` becomes `write, peak`."""
    return ", ".join(_WORDS.get(part, part.replace("_", " ")) for part in figure_id.split("."))


def value(figure: Figure) -> str:
    """A figure's value with its unit; a rate that has a range with three digits, since no more of them are known."""
    if figure.low == figure.high:
        return units.show(figure.value, figure.unit)
    return units.rough(figure.value, figure.unit, 3)


def span(figure: Figure) -> str:
    """A figure's range as one says it: `31 kop/s to 7.2 Mop/s`, `18 to 22 GB/s`; nothing where there is none.

    Rates have two digits. Both ends are rounded outwards, so that no range looks narrower than it is.
    """
    if figure.low == figure.high:
        return ""
    low, high = units.rough(figure.low, figure.unit, 2, "down"), units.rough(figure.high, figure.unit, 2, "up")
    number, _, unit = low.partition(" ")
    return f"{number if unit == high.partition(' ')[2] else low} to {high}"


def said(number: int, unit: str, digits: int, towards: units.Towards = "nearest") -> str:
    """A number as people say it, with so many digits: `1.02 billion`, `120,000/s`, `19.8 GB/s`.

    A capacity is whole TB from 100 TB on, and has one or two digits behind the point below.
    """
    if unit == "B":
        return units.decimal_bytes(number, _behind(number), towards)
    step = 10 ** max(len(str(number)) - digits, 0)
    number = round(units.rounded(number, step, 0, towards)) * step
    if unit not in ("op/s", "1"):
        return units.show(number, unit)
    name, scale = next((n for n in _LARGE if number >= n[1]), ("", 1))
    return f"{number / scale:,.10g}{name}{'/s' if unit == 'op/s' else ''}"


def said_in_tib(number: int, towards: units.Towards = "nearest") -> str:
    """A capacity as people say it in binary units: `2707 TiB`."""
    return units.binary_bytes(number, _behind(number), towards)


def _behind(number: int) -> int:
    return 0 if number >= 100 * 10**12 else 1 if number >= 10**13 else 2


_LARGE = ((" billion", 10**9), (" million", 10**6))


def said_span(figure: Figure) -> str:
    """A figure's range as people say it, both ends rounded outwards: `0.51 to 1.41 billion`."""
    low, high = said(figure.low, figure.unit, 2, "down"), said(figure.high, figure.unit, 3, "up")
    scales = [next((n for n in _LARGE if n[0] in end), None) for end in (low, high)]
    if scales == [_LARGE[1], _LARGE[0]]:
        low = f"{float(low.split()[0]) / 1000:g}"
    return f"{low} to {high}" if scales[0] != scales[1] or not scales[0] else f"{low.split()[0]} to {high}"


def bounds(low: int, high: int, unit: str) -> str:
    """Both ends of a range with their units, rounded outwards: `19.1 GB/s to 21.7 GB/s`."""
    ends: tuple[tuple[int, units.Towards], ...] = ((low, "down"), (high, "up"))
    return " to ".join(units.both_bytes(n, t) if unit == "B" else units.show(n, unit, 2, t) for n, t in ends)


def first_to_last(names: Sequence[str], most: int = 3) -> str:
    """Names in a row, the middle of a long row left out: `sm01n1 ... sm63n2`."""
    return ", ".join(names) if len(names) <= most else f"{names[0]} ... {names[-1]}"
