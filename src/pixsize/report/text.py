"""A page as plain text."""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.report.document import Items, Page, Section, Table
from pixsize.report.safe import clean, width, wrap

_GAP = 2
_INDENT = 2
_LEAST = 16
_BARS_FROM = 110


def draw(page: Page, columns: int = 80) -> str:
    """The page in lines of at most `columns` columns."""
    lines = [clean(page.title), "=" * width(clean(page.title))]
    for sentence in page.lead:
        lines += wrap(clean(sentence), columns)
    for section in page.sections:
        lines += ["", *_section(section, columns)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _section(section: Section, columns: int) -> Iterator[str]:
    yield section.title
    yield "-" * width(section.title)
    for number, block in enumerate(section.blocks):
        if number:
            yield ""
        if isinstance(block, Table):
            yield from table(block, columns)
        elif isinstance(block, Items):
            for item in block.items:
                yield from _hanging(clean(item), columns)
        else:
            yield from (" " * _INDENT + line for line in wrap(clean(block), columns - _INDENT))


def _hanging(item: str, columns: int) -> Iterator[str]:
    first, *rest = wrap(item, columns - _INDENT - 2)
    yield " " * _INDENT + "- " + first
    yield from (" " * (_INDENT + 2) + line for line in rest)


def table(block: Table, columns: int) -> Iterator[str]:
    """A table's lines: numbers to the right, the wrapping column as wide as the rest allows."""
    rows = [tuple(clean(c) for c in row) for row in block.rows]
    bars = tuple(f"  {bar}" for bar in block.bars) if block.bars and columns >= _BARS_FROM else ()
    widths = _widths(block, rows, columns - max((width(b) for b in bars), default=0))
    heads = tuple(c.title for c in block.columns)
    if any(heads):
        yield from _row(block, heads, widths)
        yield " " * _INDENT + (" " * _GAP).join("-" * w for w in widths)
    for index, row in enumerate(rows):
        if index in block.headings:
            if index:
                yield ""
            yield " " * _INDENT + row[0]
            continue
        first, *rest = _row(block, row, widths)
        yield first + (bars[index] if bars else "")
        yield from rest


def _widths(block: Table, rows: list[tuple[str, ...]], columns: int) -> list[int]:
    """Every column's width. The wrapping columns share what the others leave, and never take more than they need."""
    plain = [r for i, r in enumerate(rows) if i not in block.headings]
    need = [max([width(c.title), *(width(r[i]) for r in plain)]) for i, c in enumerate(block.columns)]
    flexible = [i for i, c in enumerate(block.columns) if c.wraps]
    fixed = sum(w for i, w in enumerate(need) if i not in flexible)
    room = columns - _INDENT - _GAP * (len(need) - 1) - fixed
    for left, i in zip(range(len(flexible), 0, -1), sorted(flexible, key=lambda i: need[i]), strict=True):
        need[i] = min(need[i], max(room // left, _LEAST))
        room -= need[i]
    return need


def _row(block: Table, cells: tuple[str, ...], widths: list[int]) -> Iterator[str]:
    """A row's lines: the wrapped cells run on below their first lines."""
    wrapped = [wrap(c, w) if width(c) > w else [c] for c, w in zip(cells, widths, strict=True)]
    for number in range(max(len(lines) for lines in wrapped)):
        parts = [
            _aligned(lines[number] if number < len(lines) else "", w, column.align)
            for lines, w, column in zip(wrapped, widths, block.columns, strict=True)
        ]
        yield " " * _INDENT + (" " * _GAP).join(parts)


def _aligned(text: str, columns: int, align: str) -> str:
    blank = " " * (columns - width(text))
    return blank + text if align == "right" else text + blank
