"""Catalog records for reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.report.document import Column, Line, Table
from pixsize.report.text import table

_FIRST = ("kind", "id", "title", "replaces")


def record_words(catalog: Catalog, record_id: str) -> dict[str, Any]:
    """A record as an overlay file takes it: its kind, id and title first, then its own words in their order."""
    raw = catalog.raw[catalog.record(record_id).id]
    return {k: raw[k] for k in _FIRST if k in raw} | {k: v for k, v in raw.items() if k not in _FIRST}


def records_table(rows: Sequence[Mapping[str, str]], columns: int) -> Iterator[Line]:
    """Ids, kinds and titles as a table."""
    block = Table(
        (Column("id"), Column("kind"), Column("title", wraps=True)),
        tuple((r["id"], r["kind"], r["title"]) for r in rows),
    )
    return table(block, columns)
