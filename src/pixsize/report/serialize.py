"""Plain values as JSON and YAML text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

_encode = json.JSONEncoder().encode
_encode_shown = json.JSONEncoder(ensure_ascii=False).encode


def to_json(values: Mapping[str, Any]) -> str:
    """A mapping as JSON: each part of a list or map below the top on one line, so that diffs read well.

    Only ASCII, whatever the locale. The standard library's fast encoder does not indent, and a plan may have 32,000
    targets.
    """
    return "".join(_document(values))


def _document(values: Mapping[str, Any]) -> Iterator[str]:
    yield "{"
    for number, (key, value) in enumerate(values.items()):
        yield ",\n  " if number else "\n  "
        yield f"{_encode(key)}: "
        yield from _below(value)
    yield "\n}\n"


def _below(value: object) -> Iterator[str]:
    if isinstance(value, dict) and value:
        yield "{\n    "
        yield ",\n    ".join(f"{_encode(k)}: {_encode(v)}" for k, v in value.items())
        yield "\n  }"
    elif isinstance(value, list) and value and isinstance(value[0], dict | list):
        yield "[\n    "
        yield ",\n    ".join(map(_encode, value))
        yield "\n  ]"
    else:
        yield _encode(value)


def indented(values: object) -> str:
    """Any plain value as JSON with two blanks a level: for schemas and other short texts."""
    return json.dumps(values, indent=2) + "\n"


def to_yaml(values: Mapping[str, object]) -> str:
    """A mapping as YAML, keys in their order, no anchors.

    A list of parts below the top has each part on one line, in the form that YAML shares with JSON: that is a hundred
    times as fast as blocks, and a plan may have 32,000 targets.
    """
    text = ""
    for key, value in values.items():
        if isinstance(value, list) and value and all(isinstance(part, dict) for part in value):
            text += f"{key}:\n" + "".join(f"- {_encode_shown(part)}\n" for part in value)
        else:
            text += _dump({key: value})
    return text


def block_yaml(values: Mapping[str, object]) -> str:
    """A mapping as YAML in blocks throughout: for a record that a person goes on editing."""
    return _dump(values)


def block_yaml_list(values: list[dict[str, Any]]) -> str:
    """Mappings as a list in YAML in blocks: records that a person reads and goes on editing."""
    return _dump(values)


def _dump(values: object) -> str:
    import yaml

    base: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)

    class Dumper(base):  # type: ignore[misc]
        def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002
            return True

    return str(yaml.dump(values, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=120))
