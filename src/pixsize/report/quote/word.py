"""A quote as a document of Word (DOCX), to be edited: headings, lists and tables are styles of the document.

The only importer of python-docx, which loads when a document is written.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from docx import Document
from docx.document import Document as Docx
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Mm, Pt

from pixsize.report.document import Items, Table
from pixsize.report.printable import clean
from pixsize.report.quote.contents import Quote
from pixsize.report.quote.sections import Block, Facts, Part, Picture, Ranges, pages

UNDATED = datetime(2000, 1, 1)
"""Of documents without a date: equal quotes have equal bytes."""
_PACKED = (1980, 1, 1, 0, 0, 0)
"""The date of every file in the archive: the first that a ZIP knows."""
_PAGE, _NAMES = 174, 40
"""Millimetres: between the margins, and of the names of facts."""
_LETTER, _PADDING, _SHORT = 1.8, 5, 16
"""Millimetres of a letter and beside a text in a cell; and how many letters a text has that is never broken."""
_MOST_LOGO = (Mm(60), Mm(22))


def draw(quote: Quote) -> bytes:
    """The whole document."""
    made, words = pages(quote), quote.words
    document = Document()
    _prepare(document, quote, f"{made.title}: {quote.name}")
    if words.logo is not None:
        ratio = min(_MOST_LOGO[0] / words.logo.width, _MOST_LOGO[1] / words.logo.height)
        document.add_picture(io.BytesIO(words.logo.data), width=int(words.logo.width * ratio))
    document.add_heading(clean(f"{made.title}: {quote.name}"), 0)
    _block(document, made.head)
    for text in made.introduction:
        document.add_paragraph(clean(text))
    for part in made.parts:
        _part(document, part, 1)
    for text in made.closing:
        document.add_paragraph(clean(text))
    document.add_page_break()  # type: ignore[no-untyped-call]
    document.add_heading(clean(made.appendix), 1)
    for part in made.further:
        _part(document, part, 2)
    file = io.BytesIO()
    document.save(file)
    return _undated(file.getvalue())


def _prepare(document: Docx, quote: Quote, title: str) -> None:
    """A4 with narrow margins, small type, and properties that come from the quote alone."""
    section = document.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(18)
    section.top_margin = section.bottom_margin = Mm(16)
    normal: Any = document.styles["Normal"]
    normal.font.name, normal.font.size = "Calibri", Pt(10)
    normal.paragraph_format.space_after = Pt(4)
    for level in (1, 2):
        document.styles[f"Heading {level}"].paragraph_format.space_before = Pt(10)
    document.styles["List Bullet"].paragraph_format.space_after = Pt(2)
    language = OxmlElement("w:lang")
    language.set(qn("w:val"), quote.words("language"))
    run = normal.element.get_or_add_rPr()
    for old in run.findall(qn("w:lang")):
        run.remove(old)
    run.append(language)
    about = document.core_properties
    about.title, about.author, about.comments = clean(title)[:255], "pixsize", f"request {quote.digest}"
    about.language = quote.words("language")
    about.last_modified_by, about.revision = "pixsize", 1
    about.created = about.modified = datetime.fromisoformat(quote.head.date) if quote.head.date else UNDATED


def _undated(data: bytes) -> bytes:
    """The same archive without the time at which it was packed."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            new.writestr(zipfile.ZipInfo(entry.filename, _PACKED), old.read(entry), zipfile.ZIP_DEFLATED)
    return file.getvalue()


def _part(document: Docx, part: Part, level: int) -> None:
    document.add_heading(clean(part.title), level)
    for block in part.blocks:
        _block(document, block)


def _block(document: Docx, block: Block) -> None:
    if isinstance(block, Facts):
        _facts(document, block)
    elif isinstance(block, Ranges):
        _table(document, block.table())
    elif isinstance(block, Picture):
        _table(document, block.instead)
    elif isinstance(block, Table):
        _table(document, block)
    elif isinstance(block, Items):
        for item in block.items:
            document.add_paragraph(clean(item), "List Bullet")
    else:
        document.add_paragraph(clean(block))


def _facts(document: Docx, block: Facts) -> None:
    table = _new_table(document, (_NAMES, _PAGE - _NAMES))
    for name, text in block.rows:
        first, second = table.add_row().cells
        _write(first, name, bold=True)
        _write(second, text)
    _gap(document)


def _table(document: Docx, block: Table) -> None:
    """A table whose first row is repeated on each page, where the columns have titles."""
    heads = any(c.title for c in block.columns)
    table = _new_table(document, _widths(block), "Light List Accent 1" if heads else None)
    if heads:
        row = table.add_row()
        repeated = OxmlElement("w:tblHeader")
        repeated.set(qn("w:val"), "true")
        row._tr.get_or_add_trPr().append(repeated)
        for cell, column in zip(row.cells, block.columns, strict=True):
            _write(cell, column.title, bold=True, right=column.align == "right")
    for number, values in enumerate(block.rows):
        cells = table.add_row().cells
        if number in block.headings:
            cells[0].merge(cells[-1])
            _write(cells[0], values[0], bold=True)
            continue
        for cell, value, column in zip(cells, values, block.columns, strict=True):
            bold = number in block.strong or column.style == "strong"
            _write(cell, value, bold=bold, right=column.align == "right")
    _gap(document)


def _widths(block: Table) -> tuple[int, ...]:
    """Millimetres of each column: as its longest cell needs; columns of long texts share what the others leave."""
    cells = [row for number, row in enumerate(block.rows) if number not in block.headings]
    longest = [max([len(c.title), *(len(row[n]) for row in cells)]) for n, c in enumerate(block.columns)]
    need = [_LETTER * n + _PADDING for n in longest]
    long = [n for n, c in enumerate(block.columns) if c.wraps and longest[n] > _SHORT]
    left = max(_PAGE - sum(w for n, w in enumerate(need) if n not in long), _PAGE // 3)
    wanted = sum(min(need[n], _PAGE // 2) for n in long)
    for n in long:
        need[n] = left * min(need[n], _PAGE // 2) / wanted
    return tuple(int(_PAGE * w / sum(need)) for w in need)


def _new_table(document: Docx, widths: Sequence[int], style: str | None = None) -> Any:  # noqa: ANN401  python-docx has no type for it
    table = document.add_table(rows=0, cols=len(widths), style=style)
    table.autofit = False
    for column, wide in zip(table.columns, widths, strict=True):
        column.width = Mm(wide)
    return table


def _gap(document: Docx) -> None:
    """A narrow line behind a table, without which the next one would join it."""
    space = document.add_paragraph().paragraph_format
    space.space_after, space.line_spacing = Pt(0), Pt(6)


def _write(cell: Any, text: str, bold: bool = False, right: bool = False) -> None:  # noqa: ANN401  python-docx has no type for it
    paragraph = cell.paragraphs[0]
    paragraph.paragraph_format.space_after = Pt(1)
    run = paragraph.add_run(clean(text))
    run.bold, run.font.size = bold, Pt(9)
    if right:
        paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
