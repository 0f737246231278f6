"""What records of an overlay must keep that go by version: each version of a program is spoken for once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.kinds import KINDS
from pixsize.catalog.records import Versioned
from pixsize.findings import Finding
from pixsize.load.record_files import Entry

Span = tuple[tuple[int, ...], tuple[int, ...], str]
"""The first version, the last, and the id of the record that speaks for them."""


def of_versions(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """PX201 for two records of one kind that speak for one version of a program.

    Which of them a plan or a script goes by would depend on their ids.
    """
    mine = {entry.id: entry for entry in kept}
    for kind in dict.fromkeys(entry.words["kind"] for entry in kept):
        model = KINDS[kind]
        if issubclass(model, Versioned):
            records = catalog.all(model)
            texts = {r.id: r.versions_text for r in records}
            yield from _twice(mine, [(*r.span, r.id) for r in records], texts, model.begins)


def _twice(mine: dict[str, Entry], spans: Sequence[Span], texts: Mapping[str, str], word: str) -> Iterator[Finding]:
    """A finding at a record of the overlay that begins before another ends, or within which another begins."""
    end: tuple[int, ...] = ()
    ends = ""
    for first, last, record in sorted(spans, key=lambda span: (span[0], span[2] in mine, span[2])):
        if ends and first <= end and not mine.keys().isdisjoint((record, ends)):
            own, other = (record, ends) if record in mine else (ends, record)
            message = f"{other} speaks for {texts[other]} already: the two have versions in common"
            hint = f"Other versions, or, to replace that record: replaces: {other}"
            yield mine[own].finding("PX201", word, message, hint)
        if last > end:
            end, ends = last, record
