"""The words at which two requests differ, and requests with some of them changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any

from pixsize import units

Path = tuple[str | int, ...]
"""A place in a request: words of mappings, and numbers of items of lists."""
Changed = Mapping[Path, tuple[Any, Any]]
"""Places at which two requests differ, with what stands there before and after."""
ABSENT = object()
"""Stands for a word that a request does not have."""
_DEEPEST = 100
"""No request is as deep: the loader refuses it."""


def own_words(words: Mapping[str, Any], defaults: Iterable[str]) -> dict[str, Any]:
    """The words of a completed request that the user wrote: all but those at the paths of `defaults`."""
    left = set(defaults)

    def kept(value: Any, path: str) -> Any:  # noqa: ANN401  a word of any kind
        if isinstance(value, Mapping):
            below = {w: (v, f"{path}.{w}" if path else w) for w, v in value.items()}
            return {w: kept(v, where) for w, (v, where) in below.items() if where not in left}
        if isinstance(value, list):
            return [kept(v, f"{path}[{n}]") for n, v in enumerate(value)]
        return value

    return dict(kept(words, ""))


def changed_words(before: Mapping[str, Any], after: Mapping[str, Any], deepest: int = _DEEPEST) -> Changed:
    """The places at which two requests differ, with what stands there; ABSENT where one has nothing.

    What differs below `deepest` levels counts as a change of the whole part at that level.
    """
    return dict(_differing(before, after, (), deepest))


def largest_parts(before: Mapping[str, Any], after: Mapping[str, Any], most: int) -> Changed:
    """The changed words; where they are more than `most`, the parts that hold them, as deep as that allows."""
    changed = changed_words(before, after)
    for deepest in range(max(map(len, changed), default=0) - 1, 0, -1):
        if len(changed) <= most:
            break
        changed = changed_words(before, after, deepest)
    return changed


def _differing(before: Any, after: Any, path: Path, deepest: int) -> Iterator[tuple[Path, tuple[Any, Any]]]:  # noqa: ANN401
    if deepest and isinstance(before, Mapping) and isinstance(after, Mapping):
        for word in dict.fromkeys((*before, *after)):
            yield from _differing(before.get(word, ABSENT), after.get(word, ABSENT), (*path, word), deepest - 1)
    elif deepest and _are_parts(before) and _are_parts(after):
        for place, (old, new) in enumerate(zip_longest(before, after, fillvalue=ABSENT)):
            yield from _differing(old, new, (*path, place), deepest - 1)
    elif not _alike(before, after):
        yield path, (before, after)


def _are_parts(value: Any) -> bool:  # noqa: ANN401
    """Whether a word is a list of parts, such as modules; a list of plain values is one word."""
    return isinstance(value, list) and all(isinstance(v, Mapping) for v in value)


def _alike(before: Any, after: Any) -> bool:  # noqa: ANN401
    """Whether two values say the same: `12 TB` and `12000 GB` do."""
    if isinstance(before, str) and isinstance(after, str) and before != after:
        sizes = _bytes(before), _bytes(after)
        return sizes[0] is not None and sizes[0] == sizes[1]
    return bool(before == after)


def _bytes(text: str) -> int | None:
    try:
        return units.parse_whole(text, "capacity")
    except units.UnitError:
        return None


def with_effect(changed: Changed, before: Mapping[str, Any], after: Mapping[str, Any]) -> Changed:
    """The changed words less those at which the completed requests are alike: one says what is the other's default."""
    return {path: both for path, both in changed.items() if not _alike(at(before, path), at(after, path))}


def at(words: Any, path: Path) -> Any:  # noqa: ANN401
    """What stands at a place in a request; ABSENT where nothing does."""
    for step in path:
        if isinstance(step, int):
            words = words[step] if isinstance(words, list) and step < len(words) else ABSENT
        else:
            words = words.get(step, ABSENT) if isinstance(words, Mapping) else ABSENT
    return words


def with_words(words: Mapping[str, Any], values: Mapping[Path, Any]) -> dict[str, Any]:
    """The words with other values at some places, or without those that are ABSENT; the rest is shared."""
    dropped = [path for path, new in values.items() if new is ABSENT]
    for path in (p for p in values if p not in dropped):  # the first of a list's new items comes first
        words = _with(words, path, values[path])
    for path in reversed(dropped):  # and the last of those that are gone goes first
        words = _with(words, path, ABSENT)
    return dict(words)


def _with(value: Any, path: Path, new: Any) -> Any:  # noqa: ANN401
    first, *rest = path
    if isinstance(first, int):
        items = list(value or [])
        below = _with(items[first] if first < len(items) else None, tuple(rest), new) if rest else new
        items[first : first + 1] = [] if below is ABSENT else [below]
        return items
    below = _with((value or {}).get(first), tuple(rest), new) if rest else new
    return {w: v for w, v in {**(value or {}), first: below}.items() if v is not ABSENT}


def shown(path: Path) -> str:
    """A place in a request as findings name it: `storage_modules[0].count`."""
    return "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path).removeprefix(".")
