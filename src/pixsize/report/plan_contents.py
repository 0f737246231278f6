"""What can differ between two plans in JSON: every part of them, each under a name of its own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from pixsize.estimate import ids
from pixsize.report.labels import first_to_last

Kind = Literal["request", "figure", "part", "target", "finding"]
Key = tuple[Kind, str]
Contents = Mapping[Key, Any]
"""What a plan holds: a plain value, the Items of a list, or Each item's value of a word."""
_OF_THEIR_OWN = ("schema", "request", "defaults", "figures", "parts", "findings")
"""Keys of a plan that are read here by themselves, or are no part of the system."""
_GROUPED_BY = ("role", "purpose", "network", "product")


class Items(NamedTuple):
    """The items of a list, sorted, and whether these are their names; how many there are is counted beside them."""

    items: tuple[str, ...]
    are_names: bool


class Each(NamedTuple):
    """A word of the items of a list by their names."""

    values: Mapping[str, Any]


def contents(plan: Mapping[str, Any]) -> dict[Key, Any]:
    """Figures, parts, targets by kind, everything else that the plan holds, and findings by code.

    Left out are rates by threads, and why each figure is what it is.
    """
    found: dict[Key, Any] = {}
    for name, figure in plan["figures"].items():
        if not ids.is_by_threads(name):
            found["figure", name] = {w: figure[w] for w in ("value", "low", "high", "unit", "basis")}
    for title, count in parts(plan).items():
        found["part", title] = count
    for word, value in plan.items():
        if word not in _OF_THEIR_OWN:
            found |= _of_word(word, value)
    messages: dict[str, list[str]] = {}
    for finding in plan["findings"]:
        accepted = " (accepted)" if finding.get("accepted") else ""
        messages.setdefault(finding["code"], []).append(finding["message"] + accepted)
    for code, said in messages.items():
        found["finding", code] = sorted(said)
    return found


def parts(plan: Mapping[str, Any]) -> Counter[str]:
    """How many there are of each part in the box, whatever it is for."""
    count: Counter[str] = Counter()
    for part in plan["parts"]:
        count[part["item"]] += part["count"]
    return count


def _of_word(word: str, value: Any) -> dict[Key, Any]:  # noqa: ANN401
    """A list by groups of its items, a mapping word by word, or a plain value."""
    if isinstance(value, list):
        groups: dict[Key, list[Any]] = {}
        for item in value:
            groups.setdefault(_group(word, item), []).append(item)
        return {key: v for group, items in groups.items() for key, v in _of_list(group, items)}
    return {("part", path): leaf for path, leaf in _leaves(value, word)}


def _group(word: str, item: Any) -> Key:  # noqa: ANN401
    own = item if isinstance(item, Mapping) else {}
    if word == "targets":
        return "target", f"{own.get('kind')}, {own.get('purpose')}"
    of = next((f", {own[w]}" for w in _GROUPED_BY if w in own), "")
    return "part", f"{word.replace('_', ' ')}{of}"


def _of_list(group: Key, items: Sequence[Any]) -> Iterator[tuple[Key, Any]]:
    kind, title = group
    yield group, len(items)
    if not all(isinstance(item, Mapping) and isinstance(item.get("id"), str) for item in items):
        held = tuple(sorted(i if isinstance(i, str) else _text(i) for i in items))
        yield (kind, f"{title}: entries"), Items(held, are_names=False)
        return
    yield (kind, f"{title}: names"), Items(tuple(sorted(item["id"] for item in items)), are_names=True)
    for word in dict.fromkeys(w for item in items for w in item if w != "id"):
        yield (kind, f"{title}: {word}"), Each({item["id"]: item.get(word) for item in items})


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:  # noqa: ANN401
    if isinstance(value, Mapping) and value:
        for word, below in value.items():
            yield from _leaves(below, f"{path}.{word}")
    else:
        yield path, value


def _text(value: Any) -> str:  # noqa: ANN401
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


# --- two of them ---------------------------------------------------------------------------------------------------


def differing(before: Contents, after: Contents, keys: Sequence[Key] | None = None) -> frozenset[Key]:
    """What differs of two plans; with `keys` no other is looked at.

    Items are compared where both plans have as many, and their words where both have an item of that name.
    """
    looked_at = dict.fromkeys((*before, *after)) if keys is None else keys
    return frozenset(key for key in looked_at if _differs(before.get(key), after.get(key)))


def _differs(old: Any, new: Any) -> bool:  # noqa: ANN401
    if isinstance(old, Each | Items) or isinstance(new, Each | Items):
        if isinstance(old, Each) and isinstance(new, Each):
            return bool(_moved(old, new))
        alike = isinstance(old, Items) and isinstance(new, Items) and len(old.items) == len(new.items)
        return alike and bool(old != new)
    return bool(old != new)


def _moved(old: Each, new: Each) -> list[str]:
    return [name for name, value in old.values.items() if name in new.values and new.values[name] != value]


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[Key, tuple[Any, Any]]:
    """What differs between two plans in JSON, with both values as they are shown, in the order of the plans."""
    old, new = contents(before), contents(after)
    found = differing(old, new)
    return {key: _both(old.get(key), new.get(key)) for key in dict.fromkeys((*old, *new)) if key in found}


def _both(old: Any, new: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """Two values that differ, as they are shown; None where there is nothing."""
    if isinstance(old, Each) and isinstance(new, Each):
        moved, both = _moved(old, new), sum(name in new.values for name in old.values)
        of = "" if len(moved) == both else f" in {len(moved):,} of {both:,}"
        return _common([old.values[n] for n in moved], of), _common([new.values[n] for n in moved], of)
    if isinstance(old, Items) and isinstance(new, Items):
        gone, come = _only(old, new), _only(new, old)
        if old.are_names or len(gone) == 1:
            return first_to_last(gone), first_to_last(come)
        return f"{len(gone):,} of {len(old.items):,}", f"{len(come):,} others"
    return old, new


def _common(values: Sequence[Any], of: str) -> Any:  # noqa: ANN401
    """The value that all have, or that they have several; and in how many of those that both plans have."""
    alike = all(value == values[0] for value in values)
    if alike and not of:
        return values[0]
    return (_plain_text(values[0]) if alike else "several values") + of


def _plain_text(value: Any) -> str:  # noqa: ANN401
    return "nothing" if value is None else value if isinstance(value, str) else _text(value)


def _only(own: Items, other: Items) -> list[str]:
    return sorted((Counter(own.items) - Counter(other.items)).elements())
