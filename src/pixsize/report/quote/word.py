"""A quote as a document of Word (DOCX), to be edited: headings, lists and tables are styles of the document.

The only importer of python-docx, which loads when a document is written.
"""

from __future__ import annotations

import io
import zipfile
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
_MOST_LOGO = (Mm(60), Mm(22))


def draw(quote: Quote) -> bytes:
    """The whole document."""
    made, words = pages(quote), quote.words
    document = Document()
    _prepare(document, quote, f"{made.title}: {quote.name}")
    if words.logo is not None:
        scale = min(_MOST_LOGO[0] / words.logo.width, _MOST_LOGO[1] / words.logo.height)
        document.add_picture(io.BytesIO(words.logo.data), width=int(words.logo.width * scale))
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
    table: Any = document.add_table(rows=0, cols=2)
    table.autofit = False
    for name, text in block.rows:
        first, second = table.add_row().cells
        first.width, second.width = Mm(38), Mm(136)
        _write(first, name, bold=True)
        _write(second, text)
    document.add_paragraph().paragraph_format.space_after = Pt(0)


def _table(document: Docx, block: Table) -> None:
    """A table whose first row is repeated on each page, where the columns have titles."""
    heads = any(c.title for c in block.columns)
    table: Any = document.add_table(rows=0, cols=len(block.columns), style="Light List Accent 1" if heads else None)
    if heads:
        row = table.add_row()
        repeated = OxmlElement("w:tblHeader")
        repeated.set(qn("w:val"), "true")
        row._tr.get_or_add_trPr().append(repeated)
        for cell, column in zip(row.cells, block.columns, strict=True):
            _write(cell, column.title, bold=True, right=column.align == "right")
    for number, values in enumerate(block.rows):
        cells = table.add_row().cells
        bold = number in block.strong or number in block.headings
        if number in block.headings:
            cells[0].merge(cells[-1])
            _write(cells[0], values[0], bold=True)
            continue
        for cell, value, column in zip(cells, values, block.columns, strict=True):
            _write(cell, value, bold=bold, right=column.align == "right")
    document.add_paragraph().paragraph_format.space_after = Pt(0)


def _write(cell: Any, text: str, bold: bool = False, right: bool = False) -> None:  # noqa: ANN401  python-docx has no type for it
    paragraph = cell.paragraphs[0]
    paragraph.paragraph_format.space_after = Pt(1)
    run = paragraph.add_run(clean(text))
    run.bold, run.font.size = bold, Pt(9)
    if right:
        paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
