"""What all readers of replies share: a reply, the errors of reading one, and how much a folder of them may hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from pixsize.findings import Finding
from pixsize.load.files import MIB
from pixsize.load.positions import Positions
from pixsize.observed import Observed

MOST_BYTES = 128 * MIB
MOST_ROWS = 50_000
MOST_PIECES = 6_000_000
"""Limits of a folder, against files that would exhaust memory or time: to read as much takes a second or two and
512 MiB. The largest file system, 63 Large modules with expansions, has 126 arrays with 168 drives, 20 disk groups and
20 volumes each: some 27,000 rows, and, with 90 fields a row as JSON, 2.5 million pieces and 90 MiB (estimated)."""
_A_PART = 20
_AN_ELEMENT = 7
_AN_ATTRIBUTE = 3
_ATTRIBUTES = 8
"""What a reply, an element of XML, and each attribute after the eighth of an element cost, in pieces: measured, against
the time for one value of JSON."""


class Reply(NamedTuple):
    """A file of a folder of replies: its name, its text with line ends as `\\n`, and the places in it."""

    name: str
    text: str
    places: Positions


class ReplyError(Exception):
    """The text is not a reply, or not safe to read: the reason, and its line and column."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line, self.column = line, column


class FieldError(Exception):
    """A required field is missing, or its value is not of the required form."""


class TooMuchError(Exception):
    """The replies up to this one hold more than those of the largest file system could."""


@dataclass(slots=True)
class ReadBudget:
    """How much of a folder of replies may still be read. A piece is a value of JSON, or what takes as much time."""

    bytes: int = MOST_BYTES
    rows: int = MOST_ROWS
    pieces: int = MOST_PIECES

    def take_bytes(self, count: int) -> None:
        """Count the bytes of a file. TooMuchError where they are too many."""
        self.bytes -= count
        if self.bytes < 0:
            raise TooMuchError(f"are more than {MOST_BYTES // MIB} MiB together")

    def take_rows(self, count: int) -> None:
        """Count the objects that matter of a file. TooMuchError where they are too many."""
        self.rows -= count
        if self.rows < 0:
            raise TooMuchError(f"hold more than {MOST_ROWS:,} objects together")

    def take_json(self, text: str) -> None:
        """Count the values of a text before it is parsed: commas and brackets, those in its strings too."""
        self._take(text.count(",") + text.count("{") + text.count("["))

    def take_xml(self, text: str) -> None:
        """Count the elements and attributes of a text before it is parsed, and what could be one."""
        self._take(_AN_ELEMENT * _elements(text) + _AN_ATTRIBUTE * spare_attributes(text))

    def take_part(self) -> None:
        """Count one of the replies that stand in a file."""
        self._take(_A_PART)

    def _take(self, pieces: int) -> None:
        self.pieces -= pieces
        if self.pieces < 0:
            raise TooMuchError("hold more values together than those of the largest file system, twice over")


def spare_attributes(text: str) -> int:
    """How many attributes an XML text may have beyond eight for each of its elements."""
    return max(text.count("=") - _ATTRIBUTES * _elements(text), 0)


def _elements(text: str) -> int:
    return text.count("<") - text.count("</")


class Reader(Protocol):
    """Reads the replies of one folder that a product claims, in the order of their names."""

    def take(self, reply: Reply, budget: ReadBudget) -> list[Finding]:
        """Add what a reply reports; returns what is wrong with it. ReplyError where it is none.

        `budget` is what it and those behind it may still hold. TooMuchError where it holds more.
        """
        ...

    def finish(self, observed: Observed, unread: bool) -> tuple[Observed, list[Finding]]:
        """The replies of the folder with those that were taken, and what they lack together.

        `unread` says that a reply which the product claims could not be read: what it may hold is not missing.
        """
        ...
