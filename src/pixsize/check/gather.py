"""From many hits of one rule to one finding a cause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from pixsize import units
from pixsize.findings import About, Finding

Hit = tuple[str, str] | tuple[str, About]
"""Where in the request it can be changed, and what was seen; of what, where the run book has a box for it."""


def gathered(code: str, hits: Iterable[Hit], allowed: str, hint: str = "") -> Iterator[Finding]:
    """One finding for each path of the request: the first thing seen, how many more there are, and what is allowed."""
    by_path: dict[str, list[str | About]] = {}
    for where, seen in hits:
        by_path.setdefault(where, []).append(seen)
    for where, there in by_path.items():
        texts = [seen.seen if isinstance(seen, About) else seen for seen in there]
        about = tuple(dict.fromkeys(seen for seen in there if isinstance(seen, About)))
        yield Finding(code, f"{first_of(texts)}; {allowed}", where, hint, about=about)


def unlike(what: str, words: Sequence[str], parts: Iterable[Any], due: Iterable[Sequence[object]]) -> Iterator[str]:
    """How parts of the plan differ, one by one and in their order, from those that are due.

    `words` are the fields compared, the first of them the name of a part; `due` has their values for each part.
    """
    for part, values in zip_longest(parts, due):
        if part is None:
            yield f"{what} {values[0]} is missing"
        elif values is None:
            yield f"{what} {getattr(part, words[0])} is one too many"
        else:
            for word, value in zip(words, values, strict=True):
                seen = _field(part, word)
                if seen != value:
                    name = f"{word.replace('_', ' ')} of {what} {values[0]}"
                    yield f"{name} is {_plain(seen)}, where {_plain(value)} is due"


def _field(part: Any, word: str) -> object:  # noqa: ANN401  parts of many kinds
    """A field of a part of the plan, or of what a product has of it; None where neither has it."""
    fields = getattr(part, "_fields", (word,))
    return getattr(part, word) if word in fields else getattr(part.own, word, None)


def _plain(value: object) -> str:
    if not isinstance(value, tuple) or not value:
        return str(value or "none")
    return listed(" ".join(map(str, item)) if isinstance(item, tuple) else item for item in value)


def size(size_bytes: int) -> str:
    """Bytes in decimal and binary units, side by side: `96 TB (87.31 TiB)`."""
    return f"{units.decimal_bytes(size_bytes)} ({units.binary_bytes(size_bytes)})"


def first_of(seen: Sequence[str]) -> str:
    """The first, and how many more: `a`, `a, and 1,999 more`."""
    return seen[0] if len(seen) == 1 else f"{seen[0]}, and {len(seen) - 1:,} more"


def listed(names: Iterable[object], most: int = 4) -> str:
    """The first few names and how many more: `sm01a1, sm01a2`, `sm01a1, sm01a2, sm01a3, sm01a4 and 8 more`."""
    texts = [str(n) for n in names]
    head = ", ".join(texts[:most])
    return head if len(texts) <= most else f"{head} and {len(texts) - most:,} more"
