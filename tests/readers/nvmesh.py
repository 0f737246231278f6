"""Reads the body of a request to NVMesh's `POST /volumes/save`, and refuses what its interface would refuse."""

from __future__ import annotations

import json
from typing import Any

import jsonschema

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "array",
    "minItems": 1,
    "items": {
        "type": "object",
        "additionalProperties": False,
        "required": ["name", "capacity", "RAIDLevel", "stripeSize", "stripeWidth", "numberOfMirrors", "limitByNodes"],
        "properties": {
            "name": {"type": "string", "maxLength": 22, "pattern": r"^(?!e_|d_)[\w+=-]+$"},
            "capacity": {"type": "integer", "minimum": 2**20},
            "RAIDLevel": {"const": "Striped & Mirrored RAID-10"},
            "stripeSize": {"type": "integer", "minimum": 32},
            "stripeWidth": {"type": "integer", "minimum": 2},
            "numberOfMirrors": {"type": "integer", "minimum": 1, "maximum": 2},
            "protectionLevel": {"enum": ["Full Separation", "Minimal Separation", "Ignore Separation"]},
            "limitByNodes": {"type": "array", "minItems": 2, "uniqueItems": True, "items": {"type": "string"}},
        },
    },
}
"""The body, from the schema of NVMesh's management: blocks of 4 KiB, a width of drives, unknown keys refused.

MAX, which the interface takes as a capacity, is refused: the first of eight volumes would take all that there is.
"""


def read_volumes(text: str) -> list[dict[str, Any]]:
    """The volumes of a body. ValueError for one that the interface would refuse, or with one name twice."""
    body = json.loads(text)
    try:
        jsonschema.Draft202012Validator(SCHEMA).validate(body)
    except jsonschema.ValidationError as error:
        raise ValueError(error.message) from error
    names = [volume["name"] for volume in body]
    if len(set(names)) < len(names):
        raise ValueError(f"one name twice: {names}")
    return list(body)
