"""Catalog records for reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.report.document import Column, Line, Table
from pixsize.report.text import table

_FIRST = ("kind", "id", "title", "replaces")
_TITLE_ROOM = 30
"""The columns that a title, and the gaps beside it, should have at least."""


def record_words(catalog: Catalog, record_id: str) -> dict[str, Any]:
    """A record as an overlay file takes it: its kind, id and title first, then its own words in their order."""
    raw = catalog.raw[catalog.id_of(record_id)]
    return {k: raw[k] for k in _FIRST if k in raw} | {k: v for k, v in raw.items() if k not in _FIRST}


def records_table(rows: Sequence[Mapping[str, str]], columns: int) -> Iterator[Line]:
    """Ids, kinds and titles as a table; where the ids leave no room beside them, each title on a line of its own."""
    room = columns - max((len(r["id"]) + len(r["kind"]) for r in rows), default=0)
    if room >= _TITLE_ROOM:
        block = Table(
            (Column("id"), Column("kind"), Column("title", wraps=True)),
            tuple((r["id"], r["kind"], r["title"]) for r in rows),
        )
    else:
        pairs = tuple(((r["id"],), (f"  {r['kind']}: {r['title']}",)) for r in rows)
        block = Table((Column("id, kind and title", wraps=True),), tuple(line for pair in pairs for line in pair))
    return table(block, columns)
