"""What the readers share: numbers and sizes as tools print them, options of commands, tables with names above."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from pixsize.results.records import MOST_RATE, UnreadError

MIB = 1 << 20
_NUMBER = re.compile(r"[0-9]{1,18}(\.[0-9]{1,12})?([eE]\+[0-9]{1,2})?")
_SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,6})?)\s?(bytes?|B|KiB|MiB|GiB|TiB)")
_UNITS = {"byte": 1, "bytes": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
_OPTION_SIZE = re.compile(r"([0-9]{1,15})([kKmMgGtT]?)[iI]?[bB]?")
_OPTION_UNITS = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_MOST_SAID = 160


def number(text: str, what: str) -> Fraction:
    """A printed number that is not negative, exactly. UnreadError for NaN, infinity, and all that is no number."""
    if not _NUMBER.fullmatch(text):
        raise UnreadError(f"{what} is {quoted(text)}, no number of this kind")
    return Fraction(text)


def whole(text: str, what: str) -> int:
    """A printed whole number that is not negative."""
    found = number(text, what)
    if found.denominator != 1:
        raise UnreadError(f"{what} is {quoted(text)}, no whole number")
    return int(found)


def rate(value: Fraction, what: str) -> int:
    """A rate in its unit, rounded. UnreadError where it is nothing, or more than any system has."""
    if value > MOST_RATE:
        raise UnreadError(f"{what} is more than any system reaches")
    if round(value) < 1:
        raise UnreadError(f"{what} is nothing")
    return round(value)


def half_digit(text: str) -> Fraction:
    """Half a unit of the last printed digit: how far rounding may have moved a number."""
    head = text.lower().partition("e")[0]
    return Fraction(1, 2 * 10 ** len(head.partition(".")[2]))


def size(text: str) -> int | None:
    """Bytes of a size as IOR prints it, `4 MiB` or `4096 bytes`; None for anything else."""
    match = _SIZE.fullmatch(text.strip())
    return round(Fraction(match[1]) * _UNITS[match[2]]) if match else None


def option_size(text: str) -> int | None:
    """Bytes of a size as options have it, `16m` or `1024K`, powers of 1024; None for anything else."""
    match = _OPTION_SIZE.fullmatch(text)
    return int(match[1]) << _OPTION_UNITS[match[2].lower()] if match else None


def quoted(text: str) -> str:
    """A piece of a file in a message: short, and without control characters."""
    short = text if len(text) <= _MOST_SAID else text[: _MOST_SAID - 1] + "…"
    return "`" + "".join(c if c.isprintable() and c != "`" else "?" for c in short) + "`"


class Options(NamedTuple):
    """The options of a command line: each with its values, empty ones for a flag; `rest` is what is no option."""

    found: Mapping[str, tuple[str, ...]]
    rest: tuple[str, ...]

    def has(self, *names: str) -> bool:
        """Whether any of the options is there."""
        return any(n in self.found for n in names)

    def value(self, name: str) -> str | None:
        """The last value of an option; None without it."""
        return self.found[name][-1] if name in self.found else None

    def whole(self, name: str) -> int | None:
        """The value of an option that is a small whole number; None where it is anything else."""
        text = self.value(name)
        return int(text) if text is not None and re.fullmatch("[0-9]{1,9}", text) else None

    def bytes(self, name: str) -> int | None:
        """The value of an option that is a size; None where it is anything else."""
        text = self.value(name)
        return option_size(text) if text is not None else None


def options(command: str, with_value: str, long_prefixes: Sequence[str] = ("--",)) -> Options:
    """The options of a command, read as getopt does: letters of `with_value` take what follows, others can be bundled.

    Options that begin with one of `long_prefixes` stand alone, a value behind `=`. Quotes around words, which newer
    tools print, are dropped.
    """
    words = [w.strip("'\"") for w in command.split()]
    found: dict[str, list[str]] = {}
    rest: list[str] = []
    at = 1
    while at < len(words):
        word = words[at]
        at += 1
        if word.startswith(tuple(long_prefixes)):
            name, _, value = word.partition("=")
            found.setdefault(name, []).append(value)
        elif not word.startswith("-") or len(word) < 2:
            rest.append(word)
        else:
            at += _bundle(word, words[at] if at < len(words) else "", with_value, found)
    return Options({n: tuple(v) for n, v in found.items()}, tuple(rest))


def _bundle(word: str, behind: str, with_value: str, found: dict[str, list[str]]) -> int:
    """Adds the options of one word; returns 1 where the last takes the next word as its value."""
    for place, letter in enumerate(word[1:], 2):
        values = found.setdefault(f"-{letter}", [])
        if letter in with_value:
            values.append(word[place:] or behind)
            return 0 if word[place:] else 1
        values.append("")
    return 0


def has_typographic_dash(text: str) -> bool:
    """Whether a word begins with a dash that is no hyphen, as text copied from a document does."""
    return any(_DASHES.match(word) for word in text.split())


def row(names: Sequence[str], line: str, what: str) -> dict[str, str]:
    """The cells of a line by the names above them; of a name that stands twice, the first.

    UnreadError where the line has another number of cells: which is which is then unknown.
    """
    cells = line.split()
    if len(cells) != len(names):
        raise UnreadError(f"{what} has {len(cells)} values below {len(names)} names of columns")
    return dict(reversed(list(zip(names, cells, strict=True))))
