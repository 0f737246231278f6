"""Plain values as JSON and YAML text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

_encode = json.JSONEncoder(separators=(", ", ": ")).encode


def to_json(words: Mapping[str, Any]) -> str:
    """A mapping as JSON: each part of a list or map below the top on one line, so that diffs read well.

    Only ASCII, whatever the locale. The standard library's fast encoder does not indent, and a plan may have 32,000
    targets.
    """
    return "".join(_document(words))


def _document(words: Mapping[str, Any]) -> Iterator[str]:
    yield "{"
    for number, (key, held) in enumerate(words.items()):
        yield ",\n  " if number else "\n  "
        yield f"{_encode(key)}: "
        yield from _below(held)
    yield "\n}\n"


def _below(held: object) -> Iterator[str]:
    if isinstance(held, dict) and held:
        yield "{\n    "
        yield ",\n    ".join(f"{_encode(k)}: {_encode(v)}" for k, v in held.items())
        yield "\n  }"
    elif isinstance(held, list) and held and isinstance(held[0], dict | list):
        yield "[\n    "
        yield ",\n    ".join(map(_encode, held))
        yield "\n  ]"
    else:
        yield _encode(held)


def indented(words: object) -> str:
    """Any plain value as JSON with two blanks a level: for schemas and other short texts."""
    return json.dumps(words, indent=2) + "\n"


def to_yaml(words: object) -> str:
    """Plain values as YAML, keys in their order, no anchors."""
    import yaml

    base: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)

    class Dumper(base):  # type: ignore[misc]
        def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002
            return True

    return str(yaml.dump(words, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=120))
