"""What a design of an overlay must keep so that requests can name it: products that go together, and legal defaults."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.kinds import kinds_of
from pixsize.catalog.records import Design, Drive
from pixsize.findings import Finding
from pixsize.load.draft import did_you_mean, named
from pixsize.load.positions import quoted
from pixsize.load.record_files import Entry
from pixsize.load.request_loader import shape_of
from pixsize.load.shapes import complaints, model_of, words_of
from pixsize.product import PRODUCTS, RequestShape, volumes_of

_STRICT = ConfigDict(strict=True, arbitrary_types_allowed=True)


def of_design(entry: Entry, design: Design, catalog: Catalog) -> Iterator[Finding]:
    """PX205 for a pair of products that no request is known of, PX206 for defaults that no request can take."""
    shape = shape_of(design)
    if shape is None:
        yield _unknown_pair(entry, design)
        return
    due = volumes_of(design).design
    if not isinstance(design, due):
        kind = kinds_of(due)[0]
        message = f"{design.filesystem} on {design.volumes} is a design of the kind {kind}"
        yield entry.finding("PX205", "kind", message, f"kind: {kind}, with its words")
        return
    for pattern, value in design.defaults.items():
        yield from _of_default(entry, shape, pattern, value, catalog)


def _unknown_pair(entry: Entry, design: Design) -> Finding:
    pairs = [
        (filesystem.name, volumes.name)
        for filesystem in PRODUCTS.values()
        for volumes in PRODUCTS.values()
        if filesystem.filesystem and volumes.gives in filesystem.filesystem.requests
    ]
    known = [f"{filesystem} on {volumes}" for filesystem, volumes in pairs]
    here = f"{design.filesystem[:40]} on {design.volumes[:40]}"
    message = f"pixsize plans no file system {quoted(design.filesystem)} on volumes {quoted(design.volumes)}"
    named_first = "filesystem" if all(design.filesystem != f for f, _ in pairs) else "volumes"
    return entry.finding("PX205", named_first, f"{message}; it plans {named(known)}", did_you_mean(here, known))


def _of_default(entry: Entry, shape: RequestShape, pattern: str, value: object, catalog: Catalog) -> Iterator[Finding]:
    """What is wrong with one default: its word, the kind of its value, or the drive that it names."""
    where = f"defaults[{quoted(pattern)}]"
    field = _field(shape.model, pattern)
    if field is None:
        message = f"requests of this design have no word {quoted(pattern)} that takes a default"
        yield entry.finding("PX206", where, message, did_you_mean(pattern, _patterns(shape.model)))
        return
    try:
        _adapter(shape.model, pattern).validate_python(value)
    except ValidationError as error:
        for _, _, message, hint in complaints(error):
            yield entry.finding("PX206", where, message, hint)
        return
    if pattern.endswith("drive") and isinstance(value, str) and not _is_drive(value, catalog):
        message = f"{quoted(value)} is neither the capacity of a drive of the catalog nor the id of one"
        yield entry.finding("PX206", where, message)


def _is_drive(value: str, catalog: Catalog) -> bool:
    if value in catalog:
        return isinstance(catalog.record(value), Drive)
    try:
        size = units.parse_whole(value, "capacity")
    except units.UnitError:
        return False
    return any(drive.capacity_bytes == size for drive in catalog.all(Drive))


@lru_cache(maxsize=128)
def _adapter(model: type[BaseModel], pattern: str) -> TypeAdapter[Any]:
    """What judges the value of one word as the model would."""
    field = _field(model, pattern)
    if field is None:
        raise KeyError(pattern)
    judged: Any = field.annotation
    if field.metadata:
        judged = Annotated[(field.annotation, *field.metadata)]
    return TypeAdapter(judged, config=_STRICT)


def _field(model: type[BaseModel], pattern: str) -> FieldInfo | None:
    """The field that a pattern such as `storage_modules[].count` leads to; None for a mapping, and where none is."""
    first, _, rest = pattern.partition(".")
    word, listed = first.removesuffix("[]"), first.endswith("[]")
    found = next((i for name, i in model.model_fields.items() if (i.alias or name) == word), None)
    below = model_of(found.annotation) if found else None
    if not rest:
        return found if below is None and not listed else None
    if below is None or listed != _is_list(found):
        return None
    return _field(below, rest)


def _is_list(field: FieldInfo | None) -> bool:
    return field is not None and "tuple" in str(field.annotation)


def _patterns(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    """The patterns of all words that can have a default."""
    for word, annotation in words_of(model).items():
        below = model_of(annotation)
        if below is None:
            yield prefix + word
        else:
            yield from _patterns(below, f"{prefix}{word}{'[]' if 'tuple' in str(annotation) else ''}.")
