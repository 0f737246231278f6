"""A page as lines of text: plain for a pipe, and with the styles of its parts for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pixsize.report.document import Column, Items, Line, Page, Section, Span, Table
from pixsize.report.printable import clean, width, wrap

_GAP = 2
_INDENT = 2
_LEAST = 14
_LEAST_BAR = 12
_MOST_BAR = 40
"""In columns of the terminal: the gap between columns of a table, the indent, the width that the longest word of a
wrapping column may ask for, the least and the greatest width of a bar."""
_OVERVIEW = (Column("", style="key"), Column("", wraps=True))


def draw(page: Page, columns: int = 80) -> str:
    """The page as plain text of at most `columns` columns."""
    return plain(lines(page, columns))


def plain(drawn: Iterable[Line]) -> str:
    """Lines without their styles."""
    return "".join("".join(text for _, text in line).rstrip() + "\n" for line in drawn)


def lines(page: Page, columns: int, bars: bool = False) -> Iterator[Line]:
    """The page line by line, with the tables' bars if they are wanted.

    Styles: title, section, rule, key, head, group, strong, bar, and those of the columns.
    """
    title = clean(page.title)
    yield [("title", title)]
    yield [("rule", "=" * width(title))]
    yield from table(Table(_OVERVIEW, page.overview), columns)
    for section in page.sections:
        yield []
        yield from _section(section, columns, bars)


def _section(section: Section, columns: int, bars: bool) -> Iterator[Line]:
    heads = wrap(section.title, columns)
    yield from ([("section", line)] for line in heads)
    yield [("rule", "-" * max(map(width, heads)))]
    for number, block in enumerate(section.blocks):
        if number:
            yield []
        if isinstance(block, Table):
            yield from table(block, columns, bars)
        elif isinstance(block, Items):
            for item in block.items:
                for row, line in enumerate(wrap(clean(item), columns - _INDENT - 2)):
                    yield [("", " " * _INDENT + ("  " if row else "- ") + line)]
        else:
            yield from ([("", " " * _INDENT + line)] for line in wrap(clean(block), columns - _INDENT))


def table(block: Table, columns: int, bars: bool = False) -> Iterator[Line]:
    """A table's lines: numbers to the right, the wrapping columns as wide as the rest allows."""
    rows = [tuple(clean(c) for c in row) for row in block.rows]
    widths = _widths(block, rows, columns)
    space = columns - _INDENT - sum(widths) - _GAP * len(widths)
    if space < -_GAP:
        yield from _below_each_other(block, rows, columns)
        return
    drawn = [_bar(bar, min(space, _MOST_BAR)) for bar in block.bars] if bars and space >= _LEAST_BAR else []
    yield from _heads(block, widths)
    for index, row in enumerate(rows):
        if index in block.headings:
            yield from ([[]] if index else [])
            yield from ([("group", " " * _INDENT + line)] for line in wrap(row[0], columns - _INDENT))
            continue
        styles = ["strong" if index in block.strong else c.style for c in block.columns]
        first, *rest = _row(block, row, widths, styles)
        yield [*first, ("bar", " " * _GAP + drawn[index])] if drawn else first
        yield from rest


def _below_each_other(block: Table, rows: list[tuple[str, ...]], columns: int) -> Iterator[Line]:
    """A table that is wider than the screen: for each row its first cell, and below it each further one by its title.

    Cells without a title share a line.
    """
    for index, row in enumerate(rows):
        style = "group" if index in block.headings else "strong"
        yield from ([(style, " " * _INDENT + line)] for line in wrap(row[0], columns - _INDENT))
        further = [(c.title, cell) for c, cell in zip(block.columns[1:], row[1:], strict=True) if cell]
        bare = "  ".join(cell for title, cell in further if not title)
        for said in (*((bare,) if bare else ()), *(f"{title}: {cell}" for title, cell in further if title)):
            yield from ([("", " " * 2 * _INDENT + line)] for line in wrap(said, columns - 2 * _INDENT))


def _bar(shares: tuple[float, float], columns: int) -> str:
    """Full blocks for what remains, light ones for what is lost."""
    left, lost = shares
    full = round(columns * left)
    return "\u2588" * full + "\u2591" * (round(columns * (left + lost)) - full)


def _heads(block: Table, widths: Sequence[int]) -> Iterator[Line]:
    """The column heads over a rule; nothing where no column has one."""
    heads = tuple(c.title for c in block.columns)
    if any(heads):
        yield from _row(block, heads, widths, ["head"] * len(heads))
        yield [("rule", " " * _INDENT + (" " * _GAP).join("-" * w for w in widths))]


def _widths(block: Table, rows: list[tuple[str, ...]], columns: int) -> list[int]:
    """Every column's width. The wrapping columns share what the others leave, and never take more than they need."""
    cells = [r for i, r in enumerate(rows) if i not in block.headings]
    need = [max([width(c.title), *(width(r[i]) for r in cells)]) for i, c in enumerate(block.columns)]
    flexible = [i for i, c in enumerate(block.columns) if c.wraps]
    fixed = sum(w for i, w in enumerate(need) if i not in flexible)
    space = columns - _INDENT - _GAP * (len(need) - 1) - fixed
    for left, i in zip(range(len(flexible), 0, -1), sorted(flexible, key=lambda i: need[i]), strict=True):
        word = max((width(w) for r in cells for w in r[i].split()), default=0)
        need[i] = min(need[i], max(space // left, min(word, _LEAST)))
        space -= need[i]
    return need


def _row(block: Table, cells: tuple[str, ...], widths: Sequence[int], styles: Sequence[str]) -> Iterator[Line]:
    """A row's lines: the wrapped cells run on below their first lines."""
    wrapped = [wrap(c, w) if width(c) > w else [c] for c, w in zip(cells, widths, strict=True)]
    for number in range(max(len(parts) for parts in wrapped)):
        line: list[Span] = []
        for parts, cell_width, column, style in zip(wrapped, widths, block.columns, styles, strict=True):
            text = parts[number] if number < len(parts) else ""
            blank = " " * (cell_width - width(text))
            aligned = blank + text if column.align == "right" else text + blank
            line += [("", " " * (_GAP if line else _INDENT)), (style, aligned)]
        yield line
