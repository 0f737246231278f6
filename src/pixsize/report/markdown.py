"""A page as Markdown, to be pasted into a mail or a ticket."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pixsize.report.document import Items, Page, Table
from pixsize.report.printable import clean

# Only what would be read as markup: a page that is pasted as plain text should stay readable too.
_SPECIAL = re.compile(r"([\\`*|]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|\[(?=[^\]]*\][(\[:])|<(?=[A-Za-z/!?]))")
_BLOCK = re.compile(r"\A(?=[#>+-](?:[#\s]|\Z))")


def draw(page: Page) -> str:
    """The page as GitHub-flavoured Markdown."""
    lines = [f"# {escape(page.title)}", ""]
    for word, value in page.overview:
        # A line that goes on with the word above is broken hard; a mail would join the two otherwise.
        if not word:
            lines[-1] += "<br>"
        lines.append(f"- **{escape(word)}**: {escape(value)}" if word else f"  {escape(value)}")
    lines.append("")
    for section in page.sections:
        lines += [f"## {escape(section.title)}", ""]
        for block in section.blocks:
            lines += [*_block(block), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def escape(text: str) -> str:
    """`text` as Markdown shows it literally; code between backticks stays code."""
    parts = clean(text).split("`")
    if len(parts) % 2 == 0:
        return _SPECIAL.sub(r"\\\1", clean(text))
    return "`".join(p.replace("|", "\\|") if i % 2 else _SPECIAL.sub(r"\\\1", p) for i, p in enumerate(parts))


def _block(block: str | Items | Table) -> Iterator[str]:
    if isinstance(block, Table):
        yield from _table(block)
    elif isinstance(block, Items):
        yield from (f"- {_paragraph(item)}" for item in block.items)
    else:
        yield _paragraph(block)


def _paragraph(text: str) -> str:
    """Text that does not begin as a heading, a quotation or a list would."""
    return _BLOCK.sub(r"\\", escape(text))


def _table(block: Table) -> Iterator[str]:
    yield _line(escape(c.title) for c in block.columns)
    yield _line("---:" if c.align == "right" else "---" for c in block.columns)
    for index, row in enumerate(block.rows):
        bold = index in block.headings or index in block.strong
        yield _line(f"**{escape(c)}**" if bold and c else escape(c) for c in row)


def _line(cells: Iterator[str]) -> str:
    return "| " + " | ".join(cells) + " |"
