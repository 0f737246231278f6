"""The line and column of each value of a file, in a table beside the values, which stay plain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from pixsize.findings import Position

_LONGEST_LINE = 400
"""Characters of a source line that a finding carries: a file may be one line of a mebibyte."""


def join(path: str, word: str) -> str:
    """The path of `word` inside the mapping at `path`; the word is quoted unless it is a plain name."""
    plain = word.replace("_", "").replace("-", "").replace("+", "")
    if not (plain.isalnum() and plain.isascii() and len(word) <= 64):
        return f"{path}[{quoted(word)}]"
    return f"{path}.{word}" if path else word


def item(path: str, index: int) -> str:
    """The path of an item of the list at `path`."""
    return f"{path}[{index}]"


def quoted(value: object) -> str:
    """A value as a message may show it: at most 40 characters, nothing that a terminal would obey."""
    text = str(value)
    return repr(text[:40] + "…" if len(text) > 40 else text)


def showable(line: str) -> str:
    """A source line with every control character replaced by one that a terminal prints, column for column."""
    line = line.replace("\t", " ")
    return line if line.isprintable() else "".join(c if c.isprintable() else "\ufffd" for c in line)


class Positions:
    """Paths such as `storage_modules[0].count` -> places in one file."""

    def __init__(
        self,
        file: str,
        text: str = "",
        values: Mapping[str, tuple[int, int]] | None = None,
        keys: Mapping[str, tuple[int, int]] | None = None,
    ) -> None:
        self.file = file
        self._text = text
        self._values = dict(values or {})
        self._keys = dict(keys or {})
        self._hidden: set[int] = set()

    @cached_property
    def _lines(self) -> list[str]:
        """Split when a place is first asked for, which nobody does of most files."""
        return self._text.split("\n")

    def __contains__(self, where: str) -> bool:
        return where in self._values

    def value(self, where: str) -> Position:
        """Where the value of this path stands; the nearest part above it, where the file does not hold the path."""
        return self._nearest(where, self._values)

    def key(self, where: str) -> Position:
        """Where the word itself stands, left of the colon; the value's place, where there is none."""
        return self.at(*self._keys[where]) if where in self._keys else self.value(where)

    def hide(self, lines: Iterable[int]) -> None:
        """Give no more places the text of these lines."""
        self._hidden.update(lines)

    def at(self, line: int, column: int) -> Position:
        """A place by its numbers, from 1, with the text of the line. A line too long to show comes without its text."""
        text = self._lines[line - 1] if 0 < line <= len(self._lines) and line not in self._hidden else ""
        return Position(self.file, line, column, "" if column > _LONGEST_LINE else showable(text[:_LONGEST_LINE]))

    def _nearest(self, where: str, places: Mapping[str, tuple[int, int]]) -> Position:
        while where and where not in places:
            where = where[: max(where.rfind("."), where.rfind("["), 0)]
        return self.at(*places.get(where, (1, 1)))
