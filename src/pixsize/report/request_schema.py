"""The JSON Schema of a request, made from the request's own models."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core import core_schema

from pixsize.product import PRODUCTS
from pixsize.request import shape_for

DIALECT = "https://json-schema.org/draft/2020-12/schema"
QUANTITY = r"^[0-9]+(\.[0-9]+)? ?[A-Za-z]+$"


class _InWords(GenerateJsonSchema):
    """As a user writes it: sizes are text with a unit, not the bytes that they become."""

    def function_before_schema(self, schema: core_schema.BeforeValidatorFunctionSchema) -> JsonSchemaValue:  # noqa: ARG002
        return {"type": "string", "pattern": QUANTITY, "examples": ["8 MiB"]}


def _models() -> tuple[type[BaseModel], ...]:
    """The models of the requests of every file system, for the volumes of every product that it goes with."""
    requests = (shape_for(filesystem, volumes) for filesystem in PRODUCTS for volumes in PRODUCTS)
    return tuple(dict.fromkeys(shape.model for shape in requests if shape))


def schema() -> dict[str, Any]:
    """The schema of a request in its user's words: what may be left out is not required."""
    references, made = models_json_schema([(m, "validation") for m in _models()], schema_generator=_InWords)
    return {
        "$schema": DIALECT,
        "$id": "pixsize.request/1",
        "title": "pixsize request",
        "description": "A request: what pixsize is asked to plan, in the words of its design.",
        "type": "object",
        "anyOf": list(references.values()),
        "$defs": {name: _users(body) for name, body in made["$defs"].items()},
    }


def _users(body: dict[str, Any]) -> dict[str, Any]:
    """A model's schema for who writes a request: words that are completed may be left out."""
    words = body["properties"]
    required = [word for word in body.get("required", ()) if not words[word].get("completed")]
    return {**body, "required": required, "properties": {word: _word(about) for word, about in words.items()}}


def _word(about: dict[str, Any]) -> dict[str, Any]:
    """A word's schema without pydantic's generated titles, without its nulls, and without our mark."""
    left_out = {"title", "completed"} | ({"default"} if about.get("default", ...) is None else set())
    about = {k: v for k, v in about.items() if k not in left_out}
    options = [o for o in about.pop("anyOf", ()) if o != {"type": "null"}]
    return {**options[0], **about} if options else about
