"""Compares words of a file with pydantic models: unknown and empty words, and pydantic's errors as plain messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

from pixsize.load.partial_request import did_you_mean, named
from pixsize.load.positions import item, join, quoted
from pixsize.load.yaml_reader import UNREADABLE
from pixsize.units import UnitError

_KINDS = {
    "string_type": "text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a mapping of words to values",
    "model_type": "a mapping of words to values",
    "model_attributes_type": "a mapping of words to values",
}
_BOUNDS = {
    "greater_than_equal": ("ge", "at least"),
    "less_than_equal": ("le", "at most"),
    "greater_than": ("gt", "more than"),
    "less_than": ("lt", "less than"),
    "too_short": ("min_length", "at least"),
}

Problem = tuple[str, str, str, str]
"""Code, path, message, hint."""


def words_of(model: type[BaseModel]) -> dict[str, Any]:
    """The words that a model takes, as a file writes them, with the types of their values."""
    return {info.alias or name: info.annotation for name, info in model.model_fields.items()}


def model_of(annotation: object) -> type[BaseModel] | None:
    """The model inside an annotation such as `tuple[Model, ...]` or `Model | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((m for a in get_args(annotation) if (m := model_of(a)) is not None), None)


def unknown_words(model: type[BaseModel], words: object, path: str = "") -> Iterator[Problem]:
    """PX101 for every word that the model, or one below it, does not know. Depth is that of the models."""
    if isinstance(words, list):
        for index, each in enumerate(words):
            yield from unknown_words(model, each, item(path, index))
    if not isinstance(words, dict):
        return
    legal = words_of(model)
    for word, value in words.items():
        below = model_of(legal.get(word))
        if word not in legal:
            yield (
                "PX101",
                join(path, word),
                f"unknown word {quoted(word)}; known here: {named(legal)}",
                did_you_mean(word, legal),
            )
        elif below is not None:
            yield from unknown_words(below, value, join(path, word))


def empty_values(words: object, path: str = "") -> Iterator[Problem]:
    """PX104 for every word that nothing follows: it could mean left out, or empty. The reader bounds the depth."""
    children: Iterator[tuple[str, object]] = iter(())
    if isinstance(words, dict):
        children = ((join(path, word), value) for word, value in words.items())
    elif isinstance(words, list):
        children = ((item(path, index), value) for index, value in enumerate(words))
    for where, value in children:
        if value is None:
            yield "PX104", where, "nothing stands here; write a value, or leave the word out", ""
        else:
            yield from empty_values(value, where)


def misspelt(problems: Sequence[Problem]) -> set[str]:
    """The paths that misspelt words were probably meant to be: a missing word there is not reported as well."""
    paths: set[str] = set()
    for code, path, _, hint in problems:
        if code == "PX101" and hint:
            parent = path[: max(path.rfind("."), 0)]
            paths.add(join(parent, hint.removeprefix("Did you mean ").removesuffix("?")))
    return paths


def plain_defaults(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The defaults that the model itself has, as patterns such as `storage_modules[].count` and values."""
    for name, info in model.model_fields.items():
        word, below = info.alias or name, model_of(info.annotation)
        if below is not None:
            listed = "[]" if get_origin(info.annotation) is tuple else ""
            yield from plain_defaults(below, f"{prefix}{word}{listed}.")
        elif isinstance(info.default, bool | int | str):
            yield prefix + word, info.default


def complaints(error: ValidationError) -> Iterator[Problem]:
    """Each complaint of pydantic as code, path, message and hint."""
    for each in error.errors(include_url=False):
        path = ""
        for part in each["loc"]:
            path = item(path, part) if isinstance(part, int) else join(path, part)
        given = each["input"]
        if given is UNREADABLE or (each["type"] == "too_short" and given):
            continue  # reported by the reader; and pydantic counts only the items in which it found nothing wrong
        code, message, hint = _in_words(each["type"], given, each.get("ctx", {}), path)
        yield code, path, message or f"{quoted(given)} cannot stand here", hint


def _in_words(kind: str, given: object, context: Mapping[str, Any], path: str) -> tuple[str, str, str]:
    word = path.rpartition(".")[2]
    if kind == "missing":
        return "PX103", f"the word {word} is missing", f"Add {word}."
    if kind == "extra_forbidden":
        return "PX101", f"unknown word {quoted(word)}", ""
    if kind in _BOUNDS:
        key, bound = _BOUNDS[kind]
        empty = f"{word} is empty; at least one entry is needed"
        return "PX108", empty if kind == "too_short" else f"{quoted(given)} is out of range: {bound} {context[key]}", ""
    if kind == "literal_error":
        options = [w.strip("' ") for part in str(context["expected"]).split(",") for w in part.split(" or ")]
        return "PX102", f"{quoted(given)} is none of {context['expected']}", did_you_mean(str(given), options)
    if kind == "value_error":
        error = context["error"]
        return (
            (error.code, f"{quoted(given)}: {error}", "") if isinstance(error, UnitError) else ("PX104", str(error), "")
        )
    return _wrong_kind(kind, given)


def _wrong_kind(kind: str, given: object) -> tuple[str, str, str]:
    wanted = _KINDS.get(kind, "")
    if wanted == "a whole number" and isinstance(given, float | Decimal):
        return "PX108", f"{given} is no whole number", ""
    if not wanted:
        return "PX104", "", ""
    hint = (
        "Put quotes around a text that looks like a number."
        if wanted == "text" and isinstance(given, int | float)
        else ""
    )
    return "PX104", f"{_kind_of(given)} stands here; {wanted} is needed", hint


def _kind_of(given: object) -> str:
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, int | float | Decimal):
        return f"the number {quoted(given)[1:-1]}"
    if isinstance(given, str):
        return f"the text {quoted(given)}"
    return "a list" if isinstance(given, list) else "a mapping"
