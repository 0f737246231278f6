"""The JSON Schema of a request, made from the request's own models."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from pixsize.product import PRODUCTS

DIALECT = "https://json-schema.org/draft/2020-12/schema"
QUANTITY = r"^[0-9]+(\.[0-9]+)? ?[A-Za-z]+$"

_COMPLETED = {
    "StorageModules": ("count", "expansion", "metadata_drive", "chunk_size", "hosts"),
    "Hdmd": ("modules", "arrays", "hosts"),
    "Filesystem": ("block_size", "inode_size", "metadata_replicas", "failure_groups", "descriptor"),
    "ScaleRequest": ("hdmd", "accept"),
    "ObjectModules": ("count", "chunk_size", "hosts"),
    "ArrayMetadata": ("dne", "pairs", "mgt", "drive", "chunk_size", "hosts"),
    "PoolMetadata": ("dne", "mgt", "hosts"),
    "Network": ("addresses", "configured_by"),
    "StorageNetwork": ("addresses",),
    "Fencing": ("addresses",),
    "Ring": ("addresses",),
    "LustreFilesystem": ("stripe_count", "stripe_size"),
    "PowerFlex": ("network", "spare", "ost", "mdt", "mgt"),
    "ArrayLustreRequest": ("lustre_version", "metadata", "management", "network", "fencing", "accept"),
    "PoolLustreRequest": (
        "lustre_version", "hosts", "metadata", "management", "failover", "network", "fencing", "powerflex", "accept",
    ),
}  # fmt: skip
"""Words that the design's defaults supply, so that a user may leave them out although a completed request has them."""


class _InWords(GenerateJsonSchema):
    """As a user writes it: sizes are text with a unit, not the bytes that they become."""

    def function_before_schema(self, schema: core_schema.BeforeValidatorFunctionSchema) -> JsonSchemaValue:  # noqa: ARG002
        return {"type": "string", "pattern": QUANTITY, "examples": ["8 MiB"]}


def _models() -> tuple[type[BaseModel], ...]:
    """The models of the requests of every file system, for all that its volumes can stand on."""
    filesystems = (product.filesystem for product in PRODUCTS.values() if product.filesystem)
    return tuple(shape.model for filesystem in filesystems for shape in filesystem.requests.values())


def schema() -> dict[str, Any]:
    """The schema of a request in its user's words: what may be left out is not required."""
    definitions: dict[str, Any] = {}
    models = _models()
    for model in models:
        made = model.model_json_schema(by_alias=True, schema_generator=_InWords)
        definitions |= {name: _users(name, body) for name, body in made.pop("$defs").items()}
        definitions[model.__name__] = _users(model.__name__, made)
    return {
        "$schema": DIALECT,
        "$id": "pixsize.request/1",
        "title": "pixsize request",
        "description": "A request: what pixsize is asked to plan, in the words of its design.",
        "type": "object",
        "anyOf": [{"$ref": f"#/$defs/{model.__name__}"} for model in models],
        "$defs": definitions,
    }


def _users(name: str, body: dict[str, Any]) -> dict[str, Any]:
    left_out = _COMPLETED.get(name, ())
    body = {**body, "required": [w for w in body.get("required", ()) if w not in left_out]}
    body["properties"] = {word: _word(about) for word, about in body["properties"].items()}
    return body


def _word(about: dict[str, Any]) -> dict[str, Any]:
    """A word's schema without pydantic's generated titles and without its nulls."""
    about = {k: v for k, v in about.items() if k != "title" and not (k == "default" and v is None)}
    options = [o for o in about.pop("anyOf", ()) if o != {"type": "null"}]
    return {**options[0], **about} if options else about
