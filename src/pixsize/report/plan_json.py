"""A plan, its figures and findings as plain values in the words of `pixsize.plan/1`.

The parts of the plan are written as their records say (`pixsize.plan.records`), those of products among them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import cache
from types import NoneType
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from pixsize.catalog.catalog import Catalog
from pixsize.figures import Figure, Reading, Source
from pixsize.plan.records import INTERNAL, TITLE, Least
from pixsize.report.bill import not_included, parts
from pixsize.report.findings import as_json
from pixsize.report.sized_plan import SizedPlan, choices

SCHEMA = "pixsize.plan/1"
OWN = "own"
"""The field whose record stands beside the others: what a product has of a part."""
_ALWAYS = object()
"""No value of a field equals it: a word with this `left_out` stands in every plan."""
_SCALARS = (str, int, NoneType)


class Field(NamedTuple):
    """A field of a plan's record as a word: its type, what it is, and how it is written.

    `least` bounds a number. `titled` says that the title of a catalog record stands for its id. `left_out` is the value
    with which the word is left out, where there is one.
    """

    name: str
    kind: Any
    about: str
    least: int
    titled: bool
    left_out: object

    @property
    def always(self) -> bool:
        """Whether the word stands in every plan."""
        return self.left_out is _ALWAYS


@cache
def fields_of(record: type) -> tuple[Field, ...]:
    """The words of a record of a plan, in the order of its fields. TypeError for a field that no text describes."""
    defaults = getattr(record, "_field_defaults", {})
    found = []
    for name, hint in get_type_hints(record, include_extras=True).items():
        kind, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        if INTERNAL in notes:
            continue
        about = next((note for note in notes if isinstance(note, str)), "")
        if not about and name != OWN:
            raise TypeError(f"{record.__name__}.{name}: no text of its annotation describes it")
        least = next((note.value for note in notes if isinstance(note, Least)), 0)
        default = defaults.get(name, _ALWAYS)
        is_empty = default is None or default is False or default in ("", ())
        found.append(Field(name, kind, about, least, TITLE in notes, default if is_empty else _ALWAYS))
    return tuple(found)


@cache
def is_record(kind: type) -> bool:
    """Whether a type is a record with fields."""
    return hasattr(kind, "_fields") or is_dataclass(kind)


def document(sized: SizedPlan) -> dict[str, Any]:
    """The whole plan as JSON has it, in a fixed order."""
    plan, catalog = sized.plan, sized.catalog
    return {
        "schema": SCHEMA,
        "name": plan.name,
        "design": plan.design,
        "variant": plan.variant,
        "request": sized.words,
        "defaults": list(sized.defaults),
        "choices": [{"what": c.what, "value": c.value, "why": c.why} for c in choices(plan, sized.terms)],
        "figures": {i: figure(f, catalog) for i, f in sized.figures.items()},
        **_record_values(plan, _Titles(catalog)),
        "parts": [{"count": count, "item": item, "for": use} for count, item, use in parts(plan, catalog)],
        "not_included": list(not_included(plan, catalog)),
        "findings": [as_json(f) for f in sized.findings],
    }


class _Titles(dict[str, str]):
    """Titles of catalog records, each looked up once."""

    def __init__(self, catalog: Catalog) -> None:
        super().__init__()
        self._catalog = catalog

    def __missing__(self, record_id: str) -> str:
        self[record_id] = self._catalog.record(record_id).title
        return self[record_id]


def _record_values(record: Any, titles: Mapping[str, str]) -> dict[str, Any]:  # noqa: ANN401  any record of a plan
    """A record of a plan as its annotations say; what a product has of it stands beside its own words."""
    values: dict[str, Any] = {}
    for field in fields_of(record.__class__):
        value = getattr(record, field.name)
        if value == field.left_out:
            continue
        if field.name == OWN:
            values |= {} if value is None else _record_values(value, titles)
        else:
            values[field.name] = titles[value] if field.titled else _plain(value, titles)
    return values


def _plain(value: Any, titles: Mapping[str, str]) -> Any:  # noqa: ANN401  a field of any record
    if isinstance(value, _SCALARS):
        return value
    if is_record(value.__class__):
        return _record_values(value, titles)
    return list(value) if value and isinstance(value[0], _SCALARS) else [_plain(item, titles) for item in value]


def figure(f: Figure, catalog: Catalog) -> dict[str, Any]:
    """A figure; what does not apply to it is left out."""
    values: dict[str, Any] = {
        "value": f.value,
        "low": f.low,
        "high": f.high,
        "unit": f.unit,
        "basis": f.basis,
        "rule": f.rule,
        "sources": [source(s, catalog) for s in f.sources],
        "inputs": list(f.inputs),
    }
    if f.limited_by is not None:
        values["limited_by"] = f.limited_by
    if f.readings:
        values["readings"] = [reading(r, catalog) for r in f.readings]
    return values


def source(s: Source, catalog: Catalog) -> dict[str, str]:
    """A place in a document: the document's title and catalog id, and where in it."""
    title = catalog.record(s.document).title if s.document in catalog else s.document
    return {"document": title, "id": s.document, "place": s.place}


def reading(r: Reading, catalog: Catalog) -> dict[str, Any]:
    """One of several values that documents print."""
    return {"value": r.value, "text": r.text, "source": source(r.source, catalog), "used": r.used, "why": r.why}
