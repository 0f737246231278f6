"""Requests of any design, drawn from its examples, the models of its words and the catalog.

An example is changed word by word: each change is to another value that the word's type, the sizes of the design or the
drives of the catalog offer, and is kept where the changed request is one that loads.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal, get_args, get_origin

import yaml
from hypothesis import strategies as st
from pydantic import BaseModel

from pixsize import units
from pixsize.catalog.designs import Design, ModuleSize
from pixsize.catalog.records import Drive
from pixsize.check import check
from pixsize.findings import has_errors
from pixsize.load.model_words import model_of
from pixsize.load.request_loader import shape_of
from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.plan.records import Plan
from pixsize.request import COMPLETED
from pixsize.resources import folder
from tests.support.running import catalog, load_words, refused

Words = dict[str, Any]
Path = tuple[str | int, ...]
LEFT_OUT = object()
"""In place of a value: the word does not stand there."""


@cache
def examples() -> Mapping[str, tuple[Words, ...]]:
    """The words of every shipped example, by its design; every design of the catalog has one."""
    found: dict[str, list[Words]] = {design.id: [] for design in catalog().all(Design)}
    for path in sorted(folder("examples").glob("*.yaml")):
        words = yaml.safe_load(path.read_text(encoding="utf-8"))
        found[words["design"]].append(words)
    assert all(found.values()), [design for design, there in found.items() if not there]
    return {design: tuple(there) for design, there in found.items()}


def _loads(words: Words) -> bool:
    return load_words(words)[0] is not None


def _changed(words: Words) -> Iterator[Words]:
    """Every request that differs from a legal one in one word; not all of them are legal."""
    loaded, findings = load_words(words)
    assert loaded is not None, findings
    shape = shape_of(catalog().get(Design, words["design"]))
    assert shape is not None
    for path, value in _changes(shape.model, words, loaded.words, ()):
        yield put(words, path, value)
    for other in examples()[words["design"]]:
        yield from (words | {word: other[word]} for word in other.keys() - words.keys())
        if "network" in words and "network" in other:
            yield words | {"network": words["network"] | other["network"]}


def paths(words: Any, path: Path = ()) -> Iterator[Path]:
    """Where each word and each item of a list stands."""
    items = words.items() if isinstance(words, dict) else enumerate(words) if isinstance(words, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from paths(value, (*path, key))


def at(words: Any, path: Path) -> Any:
    """What stands at a path."""
    for step in path:
        words = words[step]
    return words


def model_at(design: str, path: Path) -> type[BaseModel] | None:
    """The model of the mapping at a path in requests of a design; None where the user chooses the words of a mapping."""
    shape = shape_of(catalog().get(Design, design))
    model: type[BaseModel] | None = shape.model if shape else None
    for word in (step for step in path if isinstance(step, str)):
        fields = {field.alias or name: field for name, field in model.model_fields.items()} if model else {}
        model = model_of(fields[word].annotation) if word in fields else None
    return model


@st.composite
def requests(draw: st.DrawFn, design: str) -> Words:
    """A request that loads: an example of the design with up to six words changed."""
    words = draw(st.sampled_from(examples()[design]))
    for _ in range(draw(st.integers(0, 6))):
        other = draw(st.sampled_from(list(_changed(words))))
        words = other if _loads(other) else words
    return words


@cache
def smallest(design: str) -> Words:
    """The smallest system that changes of one word at a time lead to, without an error, from the smallest example."""
    words = min(examples()[design], key=_size)
    while smaller := _smaller(words):
        words = smaller
    return words


def _smaller(words: Words) -> Words | None:
    """The smallest plan without an error that a change of one word leads to; None where all are as large."""
    sized = sorted(((_size(other), n, other) for n, other in enumerate(_changed(words))), key=lambda each: each[:2])
    least = _size(words)
    return next((other for size, _, other in sized if size < least and _is_allowed(other)), None)


def _size(words: Words) -> float:
    """How many parts the plan has; endless where none can be made."""
    plan = _planned(words)
    return sum(len(part) for part in plan if isinstance(part, tuple)) if plan else math.inf


def _is_allowed(words: Words) -> bool:
    """Whether the judge finds no error in the plan."""
    loaded, _ = load_words(words)
    plan = _planned(words)
    return bool(loaded and plan) and not has_errors(check(loaded.request, plan, catalog(), Observed()))


def _planned(words: Words) -> Plan | None:
    loaded, _ = load_words(words)
    return make_plan(loaded.request, catalog(), Observed())[0] if loaded else None


def _changes(model: type[BaseModel], written: Words, complete: Words, path: Path) -> Iterator[tuple[Path, Any]]:
    """Other values for the words of a model, where each stands; `complete` has those that were left out too."""
    for name, field in model.model_fields.items():
        word = field.alias or name
        where, value, below = (*path, word), complete.get(word), model_of(field.annotation)
        if value is None or where in (("name",), ("design",)):
            continue
        if word in written and (field.json_schema_extra == COMPLETED or not field.is_required()):
            yield where, LEFT_OUT
        if below is None:
            yield from ((where, other) for other in _others(field.annotation, value))
        elif isinstance(value, dict):
            yield from _changes(below, written.get(word) or {}, value, where)
        elif written.get(word):
            yield where, [*written[word], written[word][-1]]
            yield where, written[word][:-1]
            for place, item in enumerate(value):
                yield from _changes(below, written[word][place], item, (*where, place))


def _others(annotation: Any, value: Any) -> Iterator[Any]:
    """Other values of a word that may be legal, from its type and the catalog."""
    if get_origin(annotation) is Literal:
        yield from (word for word in get_args(annotation) if word != value)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value - 1, value + 1)
    elif isinstance(value, str):
        yield from _other_texts(value)


@cache
def fabric_names() -> tuple[frozenset[str], frozenset[str]]:
    """The names of all networks that designs offer, and those of their links."""
    fabrics = [fabric for design in catalog().all(Design) for fabric in design.fabrics]
    return frozenset(f.name for f in fabrics), frozenset(link.name for f in fabrics for link in f.links)


def _other_texts(value: str) -> Iterator[str]:
    """Other networks and links of a design, other sizes of module, other drives, or half and twice a size."""
    for names in fabric_names():
        if value in names:
            yield from sorted(names - {value})
            return
    sizes = {size.size for size in catalog().all(ModuleSize)}
    if value in sizes:
        yield from sorted(sizes - {value})
        return
    try:
        size = units.parse_whole(value, "capacity")
    except units.UnitError:
        return
    drives = {drive.capacity_bytes for drive in catalog().all(Drive)}
    if size in drives:
        yield from sorted({catalog().raw[drive.id]["capacity"] for drive in catalog().all(Drive)} - {value})
    else:
        yield from (f"{size // 2} B", f"{size * 2} B")


def put(words: Any, path: Path, value: Any) -> Any:
    """The same words with another value at a path, and what leads to it where it was left out."""
    changed = copy.deepcopy(words)
    at = changed
    for step in path[:-1]:
        at = at.setdefault(step, {}) if isinstance(at, dict) else at[step]
    if value is LEFT_OUT:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return changed


def drives(media: str, most: int = 10**15) -> list[str]:
    """Every drive of the catalog of this media with at most so many bytes: as sold, without the blank, and by its id."""
    found = [d for d in catalog().all(Drive) if d.media == media and d.capacity_bytes <= most]
    sold = [(catalog().raw[d.id]["capacity"], d.id) for d in found]
    return [word for capacity, name in sold for word in (capacity, capacity.replace(" ", ""), name)]


DATA_DRIVES = drives("nl-sas")

fs_names = st.builds(
    str.__add__,
    st.sampled_from(["scratch", "home", "Lab", "p", "archive_", "mmfs"]),
    st.from_regex(r"[a-z0-9_]{1,9}", fullmatch=True),
)
hosts = st.from_regex(r"h[a-z]{1,6}-[a-z]{2,6}", fullmatch=True)


def refused_wherever_it_stands(requests: Sequence[Words], word: str, value: Any) -> None:
    """Fails unless each request is legal, and none with this value for the word is, wherever the word stands."""
    assert all(load_words(words)[0] for words in requests)
    places = [put(words, path, value) for words in requests for path in paths(words) if path[-1] == word]
    assert places, word
    for words in places:
        refused(words)
