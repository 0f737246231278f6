"""A quote as Markdown (CommonMark with the tables of GitHub Flavored Markdown)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pixsize.report.document import Items, Table
from pixsize.report.printable import clean
from pixsize.report.quote.contents import Quote
from pixsize.report.quote.sections import Block, Facts, Part, Picture, Ranges, pages

_SPECIAL = re.compile(r"([\\`*\[\]<>|~&!]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))")
_START = re.compile(r"\A(?:[#+=-](?=[\s#+=-]|\Z)|\d{1,9}(?=[.)](?:\s|\Z)))")
"""What begins a heading, a list or a rule at the start of a block (CommonMark, Blocks)."""


def draw(quote: Quote) -> str:
    """The whole page. Nothing that a text holds is markup."""
    made = pages(quote)
    lines = [f"# {literal(f'{made.title}: {quote.name}')}", "", *_facts(made.head), ""]
    for text in made.introduction:
        lines += [literal(text), ""]
    for part in made.parts:
        lines += _part(part, "##")
    for text in made.closing:
        lines += [literal(text), ""]
    lines += [f"## {literal(made.appendix)}", ""]
    for part in made.further:
        lines += _part(part, "###")
    return "\n".join(lines).rstrip("\n") + "\n"


def literal(text: str) -> str:
    """A text that Markdown shows as it is, on one line."""
    escaped = _SPECIAL.sub(r"\\\1", " ".join(clean(text).split()))
    start = _START.match(escaped)
    if start is None:
        return escaped
    return f"{start[0]}\\{escaped[start.end() :]}" if start[0][0].isdigit() else f"\\{escaped}"


def _part(part: Part, mark: str) -> Iterator[str]:
    yield f"{mark} {literal(part.title)}"
    yield ""
    for block in part.blocks:
        yield from _block(block)
        yield ""


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Facts):
        yield from _facts(block)
    elif isinstance(block, Ranges):
        yield from _table(block.table())
    elif isinstance(block, Picture):
        yield from _table(block.instead)
    elif isinstance(block, Table):
        yield from _table(block)
    elif isinstance(block, Items):
        yield from (f"- {literal(item)}" for item in block.items)
    else:
        yield literal(block)


def _facts(block: Facts) -> Iterator[str]:
    yield from (f"- **{literal(name)}**: {literal(text)}" for name, text in block.rows)


def _table(block: Table) -> Iterator[str]:
    yield _line(literal(c.title) for c in block.columns)
    yield _line("---:" if c.align == "right" else "---" for c in block.columns)
    for index, row in enumerate(block.rows):
        bold = index in block.headings or index in block.strong
        yield _line(f"**{literal(c)}**" if bold and c else literal(c) for c in row)


def _line(cells: Iterator[str]) -> str:
    return "| " + " | ".join(cells) + " |"
