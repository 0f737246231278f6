"""Which of the changed words carry the whole of each difference between two plans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from pixsize.report.plan_contents import Contents, Key, differing
from pixsize.report.request_changes import Path

Words = frozenset[Path]
Plans = Callable[[Words], Contents | None]
"""Some of the changed words -> what the plan with these changed holds; None where it is forbidden."""
MOST_WORDS = 24
"""As many words are changed one at a time; of more, the parts that hold them are."""
MOST_JOINT = 24
"""As many sets of several words are tried: with MOST_WORDS they bound how many plans are made."""


class Effect(NamedTuple):
    """What some words do: which differences they move, and which they carry, each in every direction in which the
    words can be changed. `possible` says whether there is one.
    """

    possible: bool
    moves: frozenset[Key]
    carries: frozenset[Key]


def causes(keys: Sequence[Key], words: Sequence[Path], there: Plans, back: Plans) -> Mapping[Key, tuple[Path, ...]]:
    """The words that cause each of the differences `keys`, as few as carry the whole of it.

    `there` changes words of the first request, `back` changes them back in the second. A set of words carries a
    difference where the first plan becomes as the second with these changed, and the second as the first with these
    changed back. Tried are single words, those that each move it, those that cannot be changed alone, and both
    together; where none of them carries it, both are named. A difference that the two plans made here do not have has
    no cause.
    """
    first, last = there(frozenset()), back(frozenset())
    if first is None or last is None:
        return dict.fromkeys(keys, tuple(words))
    known: dict[Words, Effect] = {}

    def effect(some: Words) -> Effect:
        if some not in known:
            full = len(some) > 1 and len(known) >= len(words) + MOST_JOINT
            known[some] = Effect(False, frozenset(), frozenset()) if full else _effect(some)
        return known[some]

    def _effect(some: Words) -> Effect:
        pairs = [(plan, first, last) for plan in (there(some),) if plan is not None]
        pairs += [(plan, last, first) for plan in (back(some),) if plan is not None]
        moved = [differing(start, plan, keys) for plan, start, _ in pairs]
        left = [differing(plan, end, keys) for plan, _, end in pairs]
        carried = [m - rest for m, rest in zip(moved, left, strict=True)]
        return Effect(
            bool(pairs), frozenset().union(*moved), frozenset.intersection(*carried) if pairs else frozenset()
        )

    single = {word: effect(frozenset((word,))) for word in words}
    stuck = frozenset(word for word in words if not single[word].possible)

    def cause(key: Key) -> Iterable[Path]:
        alone = [word for word in words if key in single[word].carries]
        if alone:
            return alone
        movers = frozenset(word for word in words if key in single[word].moves)
        tried = (some for some in (movers, stuck, movers | stuck) if some and key in effect(some).carries)
        return next(tried, movers | stuck) or words

    real = differing(first, last, keys)
    chosen = {key: frozenset(cause(key)) if key in real else frozenset() for key in keys}
    return {key: tuple(word for word in words if word in some) for key, some in chosen.items()}
