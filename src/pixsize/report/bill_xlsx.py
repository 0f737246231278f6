"""A bill as a workbook of Excel: a sheet a view. The only importer of XlsxWriter, which loads when one is written."""

from __future__ import annotations

import io
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import xlsxwriter  # type: ignore[import-untyped,import-not-found,unused-ignore]  # it says nothing of its types

from pixsize.catalog.prices import digits_of
from pixsize.report import bill_tables
from pixsize.report.bill_page import ROUNDING
from pixsize.report.bill_tables import Cell, Table
from pixsize.report.priced_bill import Bill
from pixsize.report.printable import clean, width

_OPTIONS = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
_CREATED = datetime(2000, 1, 1)
"""Of every workbook: equal bills have equal bytes."""
_MOST_WIDE, _LEAST_WIDE = 60, 6
"""Columns of a cell, in characters."""
_A4 = 9
"""The number of the paper (ECMA-376 Part 1, 18.3.1.63 pageSetup)."""
_MONEY = ("price", "unit_price", "list_price")


def draw(bill: Bill) -> bytes:
    """The sheets `bill`, `by purpose`, `ports` and `missing`."""
    return workbook(bill, bill.name, sheets(bill))


def sheets(bill: Bill) -> dict[str, Table]:
    """The views of a bill, each a sheet by its name."""
    return {
        "bill": bill_tables.rows(bill),
        "by purpose": bill_tables.by_purpose(bill),
        "ports": bill_tables.ports(bill),
        "missing": bill_tables.missing(bill),
    }


def workbook(bill: Bill, title: str, views: Mapping[str, Table], created: datetime = _CREATED) -> bytes:
    """A workbook with these sheets. The bill says the currency, and how prices were rounded."""
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file, _OPTIONS)
    book.set_properties({"title": clean(title), "created": created, "author": "pixsize", "comments": _how(bill)})
    formats = {
        "head": book.add_format({"bold": True, "bottom": 1}),
        "money": book.add_format({"num_format": _money(bill.currency)}),
    }
    for name, table in views.items():
        _fill(book.add_worksheet(name), table, formats)
    book.close()
    return file.getvalue()


def _money(currency: str | None) -> str:
    """How a spreadsheet shows prices: with the digits of the currency."""
    digits = digits_of(currency or "")
    return "#,##0" + (f".{'0' * digits}" if digits else "")


def _how(bill: Bill) -> str:
    """How prices were rounded, in the properties of the workbook."""
    return ROUNDING if bill.currency else ""


def _fill(sheet: Any, table: Table, formats: Mapping[str, Any]) -> None:  # noqa: ANN401  XlsxWriter has no types
    heads = table[0]
    for line, cells in enumerate(table):
        for column, cell in enumerate(cells):
            form = formats["head"] if not line else formats["money"] if heads[column] in _MONEY else None
            _put(sheet, line, column, cell, form)
    for column in range(len(heads)):
        widest = max(width(str(cells[column])) for cells in table if cells[column] is not None)
        sheet.set_column(column, column, min(max(widest, _LEAST_WIDE), _MOST_WIDE) + 2)
    sheet.freeze_panes(1, 0)
    sheet.set_landscape()
    sheet.set_paper(_A4)
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)


def _put(sheet: Any, line: int, column: int, cell: Cell, form: Any) -> None:  # noqa: ANN401
    """A cell: text as text, whatever it begins with; a number as a number."""
    if isinstance(cell, str):
        sheet.write_string(line, column, clean(cell), form)
    elif cell is not None:
        sheet.write_number(line, column, cell, form)
