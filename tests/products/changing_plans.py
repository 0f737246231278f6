"""Every change of one part of a plan, whatever records it is made of: walked from their annotations and values."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.request import Words
from tests.support.changing import replace

Path = tuple[str | int, ...]
"""Names of fields and places in tuples, from the plan down."""


class Change(NamedTuple):
    """A plan with one thing changed: in which field of which kind of record, how, and where in the plan.

    The changed plan is made when it is asked for: most tests draw few of many changes.
    """

    record: str
    field: str
    how: str
    at: str
    good: Plan
    values: tuple[tuple[Path, Any], ...]

    @property
    def plan(self) -> Plan:
        """The plan with the other values in their places."""
        changed = self.good
        for path, value in self.values:
            changed = _put(changed, path, value)
        return changed

    @property
    def name(self) -> str:
        """For people: `Volume.lun off by one at volumes.3.lun`."""
        return f"{self.record}.{self.field} {self.how} at {self.at}"


class _Spot(NamedTuple):
    """A field of a record of the plan: where it is, its type and its value."""

    record: str
    field: str
    path: Path
    annotation: Any
    value: Any


def changes(plan: Plan, catalog: Catalog) -> Iterator[Change]:
    """Each field of each record: a sibling's value, exchanged with a sibling, off by one, doubled, dropped, another
    legal value; of tuples also another order, an item less and an item more."""
    spots = list(_spots(plan, ()))
    names = _names(spots)
    alike: dict[tuple[str, str], list[_Spot]] = {}
    for spot in spots:
        alike.setdefault((spot.record, spot.field), []).append(spot)
    for spot in spots:
        siblings = _unlike(spot, alike[spot.record, spot.field])
        seen: list[Any] = [spot.value]
        for how, value in _values(spot, siblings, names, catalog):
            if value not in seen:
                seen.append(value)
                yield _change(plan, spot, how, (spot.path, value))
        for sibling in siblings:
            if spot.path < sibling.path:
                each = (spot.path, sibling.value), (sibling.path, spot.value)
                yield _change(plan, spot, f"exchanged with {_dotted(sibling.path)}", *each)


def _change(plan: Plan, spot: _Spot, how: str, *values: tuple[Path, Any]) -> Change:
    return Change(spot.record, spot.field, how, _dotted(spot.path), plan, values)


def _dotted(path: Path) -> str:
    return ".".join(map(str, path))


def _is_record(value: Any) -> bool:
    return hasattr(value, "_fields") or dataclasses.is_dataclass(value)


@cache
def _types(record: type) -> dict[str, Any]:
    """The type of each field, in their order."""
    hints = get_type_hints(record)
    names = getattr(record, "_fields", None) or [field.name for field in dataclasses.fields(record)]
    return {name: hints[name] for name in names}


def _spots(record: Any, path: Path) -> Iterator[_Spot]:
    """The fields of a record, and of the records in them."""
    for name, annotation in _types(type(record)).items():
        value = getattr(record, name)
        yield _Spot(type(record).__name__, name, (*path, name), annotation, value)
        if _is_record(value):
            yield from _spots(value, (*path, name))
        elif isinstance(value, tuple):
            for place, item in enumerate(value):
                if _is_record(item):
                    yield from _spots(item, (*path, name, place))


def _unlike(spot: _Spot, alike: Sequence[_Spot]) -> list[_Spot]:
    """The next of the same field with another value, and the last: a neighbour, and one on another array."""
    others = [other for other in alike if other.value != spot.value]
    after = [other for other in others if other.path > spot.path]
    return list(dict.fromkeys([*(after or others)[:1], *others[-1:]])) if others else []


def _put(part: Any, path: Path, value: Any) -> Any:
    """The same with another value at a path."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        return (*part[:step], _put(part[step], rest, value), *part[step + 1 :])
    return replace(part, **{step: _put(getattr(part, step), rest, value)})


def _names(spots: Sequence[_Spot]) -> dict[str, list[str]]:
    """Each id of the plan -> the ids of all records of its kind."""
    ids: dict[str, list[str]] = {}
    for spot in spots:
        if spot.field == "id":
            ids.setdefault(spot.record, []).append(spot.value)
    return {name: kind for kind in ids.values() for name in kind}


def _values(
    spot: _Spot, siblings: Sequence[_Spot], names: dict[str, list[str]], catalog: Catalog
) -> Iterator[tuple[str, Any]]:
    """Other values for a field, each with how it was found."""
    yield from (("as in a sibling", sibling.value) for sibling in siblings)
    if isinstance(spot.value, tuple) and not _is_record(spot.value):
        yield from _of_tuple(spot.value, spot.annotation, names, catalog)
    elif not _is_record(spot.value):
        yield from _of_scalar(spot.value, spot.annotation, names, catalog)
    else:
        others = (option for option in _options(spot.annotation) if option is not type(spot.value))
        yield from (("of another type", record) for option in others for record in _samples(option))
    if spot.value is not None and (type(None) in get_args(spot.annotation) or _is_record(spot.value)):
        yield "dropped", None


def _of_tuple(
    value: tuple[Any, ...], annotation: Any, names: dict[str, list[str]], catalog: Catalog
) -> Iterator[tuple[str, Any]]:
    """Tuples with an item less, an item twice, two items in another order, or another item at either end."""
    inner = _inner(annotation)
    if not value:
        yield from (("filled", (item,)) for item in _samples(inner))
        return
    if isinstance(inner, tuple):  # a name and a number: neither can be left out
        for place, (item, of) in enumerate(zip(value, inner, strict=True)):
            for how, other in _of_scalar(item, of, names, catalog):
                yield f"item {place} {how}", (*value[:place], other, *value[place + 1 :])
        return
    yield "dropped", ()
    for place in range(len(value)) if _is_record(value[0]) else sorted({0, len(value) - 1}):
        yield f"without item {place}", value[:place] + value[place + 1 :]
        yield f"with item {place} twice", value[: place + 1] + value[place:]
        yield f"with item {place} at the end again", (*value, value[place])
        for other in {place + 1, len(value) - 1}:
            if place < other < len(value):
                turned = list(value)
                turned[place], turned[other] = turned[other], turned[place]
                yield f"with items {place} and {other} in each other's place", tuple(turned)
        if not _is_record(value[place]):
            deeper = _of_tuple if isinstance(value[place], tuple) else _of_scalar
            for how, item in deeper(value[place], inner, names, catalog):
                yield f"item {place} {how}", (*value[:place], item, *value[place + 1 :])


def _inner(annotation: Any) -> Any:
    """The type of a tuple's items; of a tuple with places, a tuple of their types."""
    options = [o for o in _options(annotation) if get_origin(o) is tuple]
    args = get_args(options[0]) if options else (str, ...)
    return args[0] if args[-1] is ... else args


def _options(annotation: Any) -> tuple[Any, ...]:
    return get_args(annotation) if get_origin(annotation) in (Union, types.UnionType) else (annotation,)


def _of_scalar(value: Any, annotation: Any, names: dict[str, list[str]], catalog: Catalog) -> Iterator[tuple[str, Any]]:
    """Another legal value, and values that are a little wrong."""
    literals = [word for option in _options(annotation) if get_origin(option) is Literal for word in get_args(option)]
    yield from ((f"{word!r}", word) for word in literals)
    if value is None:
        yield from (("filled", item) for option in _options(annotation) for item in _samples(option))
    elif isinstance(value, bool):
        yield "turned", not value
    elif isinstance(value, int):
        yield from (("off by one", value + 1), ("off by one", value - 1), ("doubled", 2 * value))
    elif isinstance(value, str) and not literals:
        yield from (("of another", name) for name in _near(value, names.get(value, ())))
        yield from (("of another kind", name) for name in _near(value, _of_kind(value, catalog)))
        yield from (("dropped", ""), ("misspelt", f"{value}0"), ("doubled", value + value))


def _near(value: str, every: Sequence[str]) -> list[str]:
    """The names before and behind a name, and the last."""
    if value not in every:
        return []
    place = every.index(value)
    return [every[place - 1], every[(place + 1) % len(every)], every[-1]]


def _of_kind(value: str, catalog: Catalog) -> Sequence[str]:
    """The ids of all records that are of the kind of this one."""
    return catalog.ids(catalog.raw[value]["kind"]) if value in catalog.raw else ()


def _samples(annotation: Any) -> list[Any]:
    """Some value of a type, for a field that has none."""
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    if get_origin(annotation) is tuple:
        inner = _inner(annotation)
        if isinstance(inner, tuple):
            return [tuple(_samples(each)[0] for each in inner)]
        return [(item,) for item in _samples(inner)]
    if isinstance(annotation, tuple):
        return [tuple(_samples(each)[0] for each in annotation)]
    if annotation in (int, str, bool):
        return [annotation(1)]
    if isinstance(annotation, type) and issubclass(annotation, Words):  # words of the request as they stand
        return [annotation.model_validate({})]
    if _is_record(annotation):
        return [annotation(**{name: (_samples(_options(a)[0]) or [None])[0] for name, a in _types(annotation).items()})]
    return []
