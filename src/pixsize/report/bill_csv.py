"""A bill as CSV (RFC 4180): a line a row, numbers as numbers, no cell that a spreadsheet takes for a formula."""

from __future__ import annotations

import csv
import io

from pixsize.report.bill_tables import Cell, harmless, rows
from pixsize.report.priced_bill import Bill
from pixsize.report.printable import clean


def draw(bill: Bill) -> str:
    """The rows below the names of the columns; lines end as the RFC has it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerows([_cell(cell) for cell in line] for line in rows(bill))
    return text.getvalue()


def _cell(cell: Cell) -> Cell:
    return harmless(clean(cell)) if isinstance(cell, str) else cell
