"""All records of a run, found by kind and id."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeVar

from pixsize.catalog.designs import OfDesign
from pixsize.catalog.kinds import KINDS, kinds_of
from pixsize.catalog.records import Record

R = TypeVar("R", bound=Record)
D = TypeVar("D", bound=OfDesign)


class Catalog:
    """Frozen records by id. Ids are unique over all kinds, so that a figure can name its inputs by id alone.

    `raw` maps an id to the record as YAML words (`kind` among them), in the order of ids; records are validated when
    first asked for, since a run needs few of them. `replaced` holds the shipped records, likewise, that an overlay took
    the place of, and `overlaid` the ids of all records that come from the overlay. `shipped` is the catalog of the
    shipped records alone, where it is at hand.
    """

    def __init__(
        self,
        raw: Mapping[str, Mapping[str, Any]],
        aliases: Mapping[str, str] | None = None,
        *,
        replaced: Mapping[str, Mapping[str, Any]] | None = None,
        overlaid: frozenset[str] = frozenset(),
        shipped: Catalog | None = None,
    ) -> None:
        self.raw = dict(sorted(raw.items()))
        self.replaced = dict(replaced or {})
        self.overlaid = overlaid
        self._aliases = dict(aliases or {})
        self._records: dict[str, Record] = {}
        self._shipped = shipped

    def __contains__(self, record_id: str) -> bool:
        return self._aliases.get(record_id, record_id) in self.raw

    def id_of(self, record_id: str) -> str:
        """The id of the record that stands for this id: its own, or that of what replaced it. KeyError when none does.

        To compare ids reads no record.
        """
        found = self._aliases.get(record_id, record_id)
        if found not in self.raw:
            raise KeyError(record_id)
        return found

    def ids(self, kind: str | None = None) -> tuple[str, ...]:
        """The ids of all records, or of one kind, sorted."""
        return tuple(self.raw) if kind is None else self._ids_of_kinds.get(kind, ())

    @cached_property
    def _ids_of_kinds(self) -> dict[str, tuple[str, ...]]:
        """The ids of the records of each kind, sorted."""
        found: dict[str, list[str]] = {}
        for record_id, words in self.raw.items():
            found.setdefault(words["kind"], []).append(record_id)
        return {kind: tuple(ids) for kind, ids in found.items()}

    def record(self, record_id: str) -> Record:
        """The record with this id, or the one that replaced it. KeyError when there is none."""
        record_id = self.id_of(record_id)
        if record_id not in self._records:
            # A shipped record speaks of the shipped records that it names, whatever an overlay put in their place.
            shipped = self if record_id in self.overlaid else self.as_shipped()
            self._records[record_id] = self._validated(record_id) if shipped is self else shipped.record(record_id)
        return self._records[record_id]

    def _validated(self, record_id: str) -> Record:
        words = dict(self.raw[record_id])
        return KINDS[words.pop("kind")].model_validate(words, context=self)

    def get(self, model: type[R], record_id: str) -> R:
        """The record with this id, of this kind. KeyError when there is none of the kind."""
        record = self.record(record_id)
        if not isinstance(record, model):
            raise KeyError(f"{record_id} is no {' or '.join(kinds_of(model))}")
        return record

    def of_design(self, model: type[D], design: str) -> tuple[D, ...]:
        """Every record of a kind that belongs to a design, whichever of its ids either of them names; sorted by id."""
        own = self.id_of(design)
        return tuple(r for r in self.all(model) if self.id_of(r.design) == own)

    def as_shipped(self) -> Catalog:
        """The shipped records alone, those that were replaced among them: what a shipped measurement was made on."""
        if not self.overlaid:
            return self
        if self._shipped is None:
            shipped = {i: words for i, words in self.raw.items() if i not in self.overlaid}
            self._shipped = Catalog(shipped | self.replaced)
        return self._shipped

    def all(self, model: type[R]) -> tuple[R, ...]:
        """Every record of a kind, sorted by id."""
        ids = sorted(i for kind in kinds_of(model) for i in self.ids(kind))
        return tuple(self.get(model, i) for i in ids)
