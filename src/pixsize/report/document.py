"""A page as a tree of sections, paragraphs and tables; `text`, `markdown` and `cli.terminal` draw it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Span = tuple[str, str]
"""The name of a style (empty for none), and the text that has it."""

Line = list[Span]
"""A line of text in pieces of one style each."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table. A wrapping one takes the room that the others leave."""

    title: str
    align: Literal["left", "right"] = "left"
    wraps: bool = False
    style: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text.

    `headings` are rows whose first cell spans the table, `strong` are rows with totals. `bars`, one a row, are drawn
    behind the rows where the screen has room: what remains and what is taken away, as shares of one. They show nothing
    that the cells do not say.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    headings: frozenset[int] = frozenset()
    strong: frozenset[int] = frozenset()
    bars: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Items:
    """A list, one line each."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands below it: paragraphs (plain text), lists and tables."""

    title: str
    blocks: tuple[str | Items | Table, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A whole report. `overview` is a short list of names and values."""

    title: str
    overview: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
