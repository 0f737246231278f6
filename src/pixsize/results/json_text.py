"""JSON as benchmark tools print it: numbers stay text, so that no digit is lost; what could mislead is refused."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from pixsize.results.records import UnreadError

_MOST_DIGITS = 40
_MOST_NESTED = 40


def parse(text: str, judged: Collection[str]) -> dict[str, Any]:
    """The object of a text, from its first brace to its last; numbers are strings.

    UnreadError where it is cut off, is nested deeper than any tool does, holds a number that is none, or says one of
    the names `judged` twice in one object, with another value.
    """
    begin, end = text.find("{"), text.rfind("}")
    if begin < 0 or end < begin:
        raise UnreadError("the JSON is cut off")
    body = text[begin : end + 1]
    if _depth(body) > _MOST_NESTED:
        raise UnreadError(f"the JSON is nested deeper than {_MOST_NESTED} levels")

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        known: dict[str, Any] = {}
        for name, value in found:
            if name in judged and known.setdefault(name, value) != value:
                raise UnreadError(f"the JSON says `{name}` twice, with different values")
            known[name] = value
        return known

    try:
        document = json.loads(
            body, object_pairs_hook=pairs, parse_float=_kept, parse_int=_kept, parse_constant=_refused
        )
    except json.JSONDecodeError as error:
        raise UnreadError(f"the JSON is damaged or cut off, at line {error.lineno} of it: {error.msg}") from None
    if not isinstance(document, dict):
        raise UnreadError("the JSON is no object")
    return document


def _kept(text: str) -> str:
    if len(text) > _MOST_DIGITS:
        raise UnreadError("the JSON holds a number of more than 40 digits")
    return text


def _refused(text: str) -> str:
    raise UnreadError(f"the JSON holds {text}, which is no number")


def _depth(text: str) -> int:
    """How deep brackets nest, those in strings among them."""
    deepest = depth = 0
    for char in text:
        if char in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "}]":
            depth -= 1
    return deepest
