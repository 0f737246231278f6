"""What a system must do and may cost: words, each for a figure that is to be reached or not to be exceeded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Literal, NamedTuple

from pixsize import units
from pixsize.estimate import ids
from pixsize.figures import Figure
from pixsize.units import Dimension, UnitError

End = Literal["low", "value", "high"]
"""The end of a range that must meet a requirement."""
ENDS: tuple[End, ...] = ("low", "value", "high")
RACKS, PORTS, PRICE = "racks", "ports", "price"
"""What is counted of a system and is no figure of its plan."""


class Word(NamedTuple):
    """What a word of requirements asks: a figure, without the duration of rates, its dimension, and which way."""

    figure: str
    dimension: Dimension | Literal["count", "number"]
    at_least: bool
    about: str
    durations: bool = False


def _rate(pattern: str, direction: str, about: str) -> Word:
    return Word(f"{ids.SEQUENTIAL}{pattern}.{direction}", "rate", True, about, durations=True)


WORDS: Mapping[str, Word] = {
    "usable": Word(ids.USABLE, "capacity", True, "capacity that df should show"),
    "formatted": Word(ids.FORMATTED, "capacity", True, "capacity of the data drives, decimal"),
    "raw": Word(ids.RAW, "capacity", True, "capacity of all drives of the data as sold"),
    "read": _rate("n_n", "read", "sequential reads, a file for each client"),
    "write": _rate("n_n", "write", "sequential writes, a file for each client"),
    "read_n_1": _rate("n_1", "read", "sequential reads of one shared file"),
    "write_n_1": _rate("n_1", "write", "sequential writes of one shared file"),
    "random_read": Word(f"{ids.RANDOM}read", "operations", True, "random reads of 4 KiB", durations=True),
    "random_write": Word(f"{ids.RANDOM}write", "operations", True, "random writes of 4 KiB", durations=True),
    "files": Word(ids.FILES, "count", True, "files that fit"),
    "create": Word(ids.EMPTY_CREATE, "operations", True, "files created in a second, without data", durations=True),
    "rack_units": Word(ids.RACK_UNITS, "length", False, "rack units of all parts"),
    "price": Word(PRICE, "number", False, "price of all parts that have one"),
    "power": Word(ids.POWER, "power", False, "power draw, where it was measured"),
    "racks": Word(RACKS, "count", False, "racks that the parts fill"),
    "ports": Word(PORTS, "count", False, "ports of the servers on the switches of the data"),
}
"""Every word of requirements, in the order in which they are told."""
PEAK = "peak:"
"""What stands before a rate that has to be reached for a moment only."""


class Requirement(NamedTuple):
    """One requirement: its word, the figure or count that it is about, the number, and the end that must meet it."""

    word: str
    figure: str
    need: Fraction
    at_least: bool
    end: End
    text: str

    def met(self, figure: Figure | None) -> bool:
        """Whether a figure meets it; one without evidence does not."""
        if figure is None:
            return False
        return self.end_of(figure) >= self.need if self.at_least else figure.value <= self.need

    def end_of(self, figure: Figure) -> int:
        """The end of a figure's range that is compared."""
        return figure.value if not self.at_least else int(getattr(figure, self.end))

    def missed_by(self, figure: Figure | None) -> Fraction:
        """The share of the number that is missing, or too much; 0 where it is met, 1 without evidence."""
        if figure is None:
            return Fraction(1)
        found = Fraction(self.end_of(figure))
        short = self.need - found if self.at_least else found - self.need
        return max(Fraction(0), short / self.need if self.need else short)


class Restrictions(NamedTuple):
    """What the search is restricted to; an empty list or None allows all."""

    designs: tuple[str, ...] = ()
    drives: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    expansion: bool | None = None
    hdmd: bool | None = None


class Requirements(NamedTuple):
    """All requirements, what the search is restricted to, and the words as the user gave them."""

    all: tuple[Requirement, ...]
    restrictions: Restrictions
    end: End
    words: Mapping[str, object]

    def without(self, *words: str) -> Requirements:
        """The same without some of the requirements."""
        return self._replace(all=tuple(r for r in self.all if r.word not in words))

    def scaled(self, factor: Fraction) -> Requirements:
        """The same with so many times as much of all that is to be reached."""
        return self._replace(all=tuple(r._replace(need=r.need * factor) if r.at_least else r for r in self.all))

    def shared(self, systems: int) -> Requirements:
        """What each of several equal systems has to reach, and may have, of the same."""
        return self._replace(all=tuple(r._replace(need=r.need / systems) for r in self.all))


def requirement(word: str, given: object, end: End) -> Requirement:
    """What a word with a value requires. Raises UnitError where the value is no such quantity."""
    known = WORDS[word]
    text = given if isinstance(given, str) else f"{given}"
    peak = text.startswith(PEAK)
    if peak and not known.durations:
        raise UnitError("PX670", f"{PEAK} stands before rates; {word} is none")
    need = _number(given if not peak else text.removeprefix(PEAK).strip(), known.dimension)
    if need <= 0:
        raise UnitError("PX670", f"{text} is no requirement: more than nothing is asked for")
    if word == PRICE and need.denominator != 1:
        raise UnitError("PX670", f"{text} is no price at most: whole units of the currency are needed")
    figure = f"{known.figure}.{'peak' if peak else 'sustained'}" if known.durations else known.figure
    return Requirement(word, figure, need, known.at_least, end, text.strip())


_SHORT = {"": 1, "k": 10**3, "thousand": 10**3, "m": 10**6, "million": 10**6, "g": 10**9, "b": 10**9, "billion": 10**9}
_COUNT = re.compile(r"([0-9][0-9_,]{0,20}(?:\.[0-9]{1,9})?(?:e[0-9]{1,2})?) ?([A-Za-z]*)")


def _number(given: object, dimension: str) -> Fraction:
    """The number of base units that a value says; counts may be written as people say them, `0.5 billion`."""
    if dimension in ("count", "number", "length") and not isinstance(given, bool):
        text = str(given).strip().removesuffix("U").strip() if dimension == "length" else str(given).strip()
        found = _COUNT.fullmatch(text)
        if found and found[2].lower() in _SHORT:
            return Fraction(found[1].replace(",", "").replace("_", "")) * _SHORT[found[2].lower()]
        raise UnitError("PX104", f"{str(given)[:40]!r} is no number, such as 42 or 0.5 billion")
    return units.parse(given, dimension)  # type: ignore[arg-type]  # one of the dimensions of quantities is left


def wanted(requirements: Requirements) -> frozenset[str]:
    """The figures that requirements are about."""
    return frozenset(r.figure for r in requirements.all)


def missed(requirements: Requirements, figures: Mapping[str, Figure]) -> Iterator[Requirement]:
    """The requirements that figures do not meet."""
    return (r for r in requirements.all if not r.met(figures.get(r.figure)))
