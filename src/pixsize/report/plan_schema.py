"""The JSON Schema of `plan --format json`, made from the records of a plan and from the table of products."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pixsize.codes import Severity
from pixsize.figures import BASES, Unit
from pixsize.plan.records import Addition, Filesystem, Plan, Pool, Server, Target
from pixsize.product import PRODUCTS, FileSystem
from pixsize.report.plan_json import OWN, SCHEMA, Field, fields_of, is_record

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_Schema = dict[str, Any]


def _text(about: str, *allowed: str) -> _Schema:
    return {"type": "string", "description": about, **({"enum": list(allowed)} if allowed else {})}


def _count(about: str, least: int | None = 0) -> _Schema:
    return {"type": "integer", "description": about, **({} if least is None else {"minimum": least})}


def _flag(about: str) -> _Schema:
    return {"type": "boolean", "description": about}


def _list(items: _Schema, about: str) -> _Schema:
    return {"type": "array", "items": items, "description": about}


def _map(about: str, optional: Iterable[str] = (), **properties: _Schema) -> _Schema:
    return {
        "type": "object",
        "description": about,
        "properties": properties,
        "additionalProperties": False,
        "required": [p for p in properties if p not in optional],
    }


# Parts of a plan


def _filesystems() -> Iterator[FileSystem]:
    return (product.filesystem for product in PRODUCTS.values() if product.filesystem)


def _record(record: type) -> _Schema:
    """A record of a plan, with what a product has of it: a form for each product that has something of it."""
    if record is Target:
        forms = [_form(record, fs.target_record, {"kind": sorted(fs.kinds)}) for fs in _filesystems()]
    elif record is Server:
        forms = [_form(record, own) for own in dict.fromkeys(fs.server_record for fs in _filesystems())]
    elif record is Pool:
        made = (product.volumes for product in PRODUCTS.values() if product.volumes and product.gives == "pool")
        forms = [_form(record, own) for own in dict.fromkeys(volumes.pool_record for volumes in made)]
    elif record is Addition:
        adding = ((name, product.adds) for name, product in PRODUCTS.items() if product.adds)
        forms = [_form(record, adds.record, {"product": [name]}) for name, adds in adding]
    else:
        return _form(record)
    if len(forms) == 1:
        return forms[0]
    return {"description": forms[0]["description"], "anyOf": forms}


def _form(record: type, own: type | None = None, allowed: Mapping[str, list[str]] | None = None) -> _Schema:
    """A record, with the fields of `own` beside its own, and the words that are `allowed` in some of them."""
    about = inspect.cleandoc(record.__doc__ or "").partition("\n\n")[0]
    below = fields_of(own) if own else ()
    fields = [f for each in fields_of(record) for f in (below if each.name == OWN else (each,))]
    properties = {f.name: _field(f) for f in fields}
    for name, values in (allowed or {}).items():
        properties[name]["enum"] = values
    return _map(about, [f.name for f in fields if not f.always], **properties)


def _field(field: Field) -> _Schema:
    """A word. One that always stands may be null where the record allows None."""
    options = get_args(field.kind) if get_origin(field.kind) in (Union, UnionType) else (field.kind,)
    kinds = [option for option in options if option is not NoneType]
    literals = [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
    if literals:
        return _text(field.about, *(word for word in literals if word != field.left_out))
    schema = _type(kinds[0], field)
    return schema | {"type": [schema["type"], "null"]} if NoneType in options and field.always else schema


def _type(kind: Any, field: Field) -> _Schema:  # noqa: ANN401  a type, as annotations have them
    if get_origin(kind) is tuple:
        return _list(_type(get_args(kind)[0], field), field.about)
    if kind is Filesystem:
        return {"description": field.about, "anyOf": [_form(fs.record) for fs in _filesystems()]}
    if is_record(kind):
        return _record(kind)
    if kind is bool:
        return _flag(field.about)
    return _count(field.about, field.least) if kind is int else _text(field.about)


def _plan() -> _Schema:
    """The words of a plan, with those that the table of products allows."""
    properties: _Schema = _form(Plan)["properties"]
    properties["variant"]["enum"] = sorted({word for fs in _filesystems() for word in fs.terms.variants})
    adding = (name for name, product in PRODUCTS.items() if product.adds and product.adds.volumes)
    providers = [*(name for name, product in PRODUCTS.items() if product.volumes), *adding]
    properties["volumes"]["items"]["properties"]["provider"]["enum"] = providers
    return properties


# Figures, findings and the rest

_SOURCE = _map(
    "a place in a document",
    document=_text("the document's title"),
    id=_text("its id in the catalog"),
    place=_text("section, table or figure"),
)
_READING = _map(
    "one of several values that the documents print for one quantity",
    value=_count("in the figure's unit", None),
    text=_text("as printed"),
    source=_SOURCE,
    used=_flag("whether the figure rests on it"),
    why=_text("why, or why not"),
)
_FIGURE = _map(
    "a number and its origin",
    ("limited_by", "readings"),
    value=_count("the number", None),
    low=_count("the least that the evidence allows", None),
    high=_count("the most that the evidence allows", None),
    unit=_text("what it counts", *get_args(Unit)),
    basis=_text("how well it is founded, by the weakest of its rule and its inputs", *BASES),
    rule=_text("how it was made, in words"),
    sources=_list(_SOURCE, "where the rule stands"),
    inputs=_list(_text("an id"), "what it was made from: ids of figures or of catalog records"),
    limited_by=_text("the part that sets it"),
    readings=_list(_READING, "what the documents say, where they disagree"),
)
_FINDING = _map(
    "a warning or a note",
    ("file", "line", "column", "accepted"),
    code=_text("a stable code, PX and three digits"),
    severity=_text("how bad it is", *get_args(Severity)),
    message=_text("what was seen, and what is allowed"),
    where=_text("a path in the request; empty for the whole of it"),
    hint=_text("what to do"),
    file=_text("the file, as it was named"),
    line=_count("from 1", 1),
    column=_count("from 1", 1),
    accepted=_text("the user's reason for taking it on"),
)
_PART = _map(
    "equal parts",
    **{
        "count": _count("how many", 1),
        "item": _text("what they are called"),
        "for": _text("what they are for, or where they are"),
    },
)
_CHOICE = _map(
    "something that was chosen",
    what=_text("what it is"),
    value=_text("the choice, in words"),
    why=_text("what follows from it"),
)


def schema() -> _Schema:
    """The schema: every key described, and nothing allowed beside them."""
    plan = _plan()
    top = _map(
        "A plan, its figures, and what was found.",
        [field.name for field in fields_of(Plan) if not field.always],
        schema={"const": SCHEMA, "description": "what this is, and its version"},
        name=plan.pop("name"),
        design=plan.pop("design"),
        variant=plan.pop("variant"),
        request={"type": "object", "description": "the completed request, in the words of a request"},
        defaults=_list(_text("a path in the request"), "the words that were defaults"),
        choices=_list(_CHOICE, "what was chosen about the layout, and why"),
        figures={
            "type": "object",
            "description": "figures by id; one without evidence is absent",
            "additionalProperties": _FIGURE,
        },
        **plan,
        parts=_list(_PART, "what is in the box, counted"),
        not_included=_list(_text("what, and why"), "what the system needs or may have, and no part counts"),
        findings=_list(_FINDING, "warnings and notes"),
    )
    return {"$schema": _DIALECT, "$id": SCHEMA, "title": "pixsize plan", **top}
