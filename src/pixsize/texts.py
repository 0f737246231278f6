"""Names and counts as sentences have them."""

from __future__ import annotations

from collections.abc import Iterable


def listed(names: Iterable[object], most: int = 4) -> str:
    """The first few names and how many more: `sm01a1, sm01a2`, `sm01a1, sm01a2, sm01a3, sm01a4 and 8 more`."""
    texts = [str(n) for n in names]
    head = ", ".join(texts[:most])
    return head if len(texts) <= most else f"{head} and {len(texts) - most:,} more"


def plural(count: int, noun: str) -> str:
    """`1 server`, `2 servers`, `3 switches`."""
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {noun}{'es' if noun.endswith(('ch', 'x', 's')) else 's'}"
