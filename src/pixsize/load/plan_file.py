"""Reads a plan that `pixsize plan --format json` wrote: what commands that set systems side by side need of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pixsize.figures import Basis, Figure, Unit
from pixsize.findings import Finding, Position
from pixsize.load import files, model_words, yaml_reader
from pixsize.load.positions import Positions, join, quoted

PLAN_MIB = 256
"""The largest plan in the form of JSON has 8,150 targets, and is far smaller."""
FORM = "pixsize.plan/1"
_BOM = b"\xef\xbb\xbf"
_MOST = 10**24
"""No number of a plan is as large; beyond 10**308 Python cannot even scale them."""
_AGAIN = "Write it again with `pixsize plan --format json`, or give its request."
_Number = Annotated[int, Field(ge=-_MOST, le=_MOST)]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")


class _Figure(_Part):
    value: _Number
    low: _Number
    high: _Number
    unit: Unit
    basis: Basis


class _Counted(_Part):
    item: str
    count: _Number


class _Target(_Part):
    model_config = ConfigDict(strict=True, extra="allow")

    id: str
    kind: str
    purpose: str


class _Found(_Part):
    code: str
    severity: str
    message: str


class _Plan(_Part):
    """The words of a plan whose form matters; all others are compared as they are."""

    form: Literal["pixsize.plan/1"] = Field(alias="schema")
    name: str
    request: dict[str, Any]
    defaults: list[str]
    figures: dict[str, _Figure]
    parts: list[_Counted]
    targets: list[_Target]
    findings: list[_Found]


class _TwiceError(Exception):
    """A mapping has a key twice."""


def looks_like_plan(data: bytes) -> bool:
    """Whether this is the beginning of a plan: a mapping in JSON that names a schema, as no request does."""
    head = data[:200].removeprefix(_BOM).lstrip()
    return head[:1] == b"{" and b'"schema"' in head


def is_plan(path: Path) -> bool:
    """Whether a file seems to be a plan."""
    try:
        if not path.is_file():  # to open a pipe would wait for a writer
            return False
        with path.open("rb") as file:
            return looks_like_plan(file.read(200))
    except (OSError, ValueError):
        return False


def read_plan(path: Path, shown: str) -> tuple[dict[str, Any] | None, tuple[Finding, ...]]:
    """The words of the plan in a file, or what is wrong with it. `shown` is the path as the user gave it."""
    data = files.read_bytes(path, shown, PLAN_MIB * files.MIB)
    return (None, (data,)) if isinstance(data, Finding) else parse_plan(data, shown)


def parse_plan(data: bytes, shown: str) -> tuple[dict[str, Any] | None, tuple[Finding, ...]]:
    """The words of a plan; or PX003, PX007 for a key that stands twice, or PX011, each with its place."""
    text, found = files.decode(data, shown)
    if found:
        return None, found
    words, found = _json(text, shown)
    if found:
        return None, found
    trouble = next(_troubles(words), None)
    if trouble is None:
        return words, ()
    where, why = trouble
    position = _read_again(text, shown).positions.value(where)
    return None, (_no_plan(f"{where}: {why}" if where else why, position),)


def _json(text: str, shown: str) -> tuple[Any, tuple[Finding, ...]]:
    """What a text in JSON holds, or what is wrong with it."""
    places = Positions(shown, text)
    why, place = "", (1, 1)
    try:
        return json.loads(text, parse_constant=_refuse, object_pairs_hook=_mapping), ()
    except _TwiceError as error:
        twice = [f for f in _read_again(text, shown).findings if f.code == "PX007"]
        return None, tuple(twice) or (Finding("PX007", f"{error} stands twice", position=places.at(*place)),)
    except json.JSONDecodeError as error:
        why, place = "from here on it is no JSON", (error.lineno, error.colno)
    except RecursionError:
        why = "it is nested too deeply"
    except ValueError as error:  # a number with thousands of digits, or no number
        why = str(error).partition(";")[0]
    return None, (_no_plan(why, places.at(*place)),)


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    words = dict(pairs)
    if len(words) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _TwiceError(quoted(next(key for key in keys if keys.count(key) > 1)))
    return words


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def _read_again(text: str, shown: str) -> yaml_reader.Parsed:
    """The file with its places, which only the reader of YAML knows; without, where it is too long for that."""
    if len(text) > files.MIB:
        return yaml_reader.Parsed(None, Positions(shown, text), ())
    return yaml_reader.parse(text, shown)


def _troubles(words: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401  whatever JSON holds
    """What keeps words from being a plan: where, and why."""
    form = words.get("schema") if isinstance(words, dict) else None
    if isinstance(form, str) and form != FORM:
        another = f"another release made it: its form is {quoted(form)}, and this release reads {FORM}"
        yield "schema", another if form.startswith("pixsize.plan/") else f"its form is {quoted(form)}, not {FORM}"
    if _depth(words) > yaml_reader.MOST_DEPTH:
        yield "", "it is nested too deeply"
        return
    try:
        _Plan.model_validate(words)
    except ValidationError as error:
        yield from ((where, message) for _, where, message, _ in model_words.complaints(error))
        return
    for name, figure in words["figures"].items():
        own = {word: figure[word] for word in _Figure.model_fields}
        try:
            Figure(id=name, rule="", **own)
        except ValueError:
            yield join("figures", name), "the value lies outside its range, or below nothing"


def _depth(value: Any) -> int:  # noqa: ANN401
    """How deep mappings and lists stand in each other, up to one more than is allowed."""
    level, depth = [value], 0
    while level and depth <= yaml_reader.MOST_DEPTH:
        level = [
            below
            for each in level
            if isinstance(each, dict | list)
            for below in (each.values() if isinstance(each, dict) else each)
        ]
        depth += 1
    return depth


def _no_plan(why: str, position: Position) -> Finding:
    return Finding("PX011", f"no plan of pixsize: {why}", hint=_AGAIN, position=position)
