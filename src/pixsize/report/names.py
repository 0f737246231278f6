"""The names of servers and arrays in texts, for pages that go without them."""

from __future__ import annotations

import re

from pixsize.plan.records import Plan


def names_of(plan: Plan) -> re.Pattern[str] | None:
    """The names of servers and arrays, as whole words; None for a plan that has none."""
    names = sorted({*(s.id for s in plan.servers), *(a.id for a in plan.arrays)}, key=len, reverse=True)
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, names))})(?![\w-])") if names else None


def nameless(text: str, names: re.Pattern[str] | None) -> str:
    """A text without the names of servers and arrays: `storage` for `storage: sm01n1, sm01n2`."""
    cut = (names.split(piece)[0] if names else piece for piece in text.split(", "))
    kept = (re.sub(r"(?: behind| in|:| )+\Z", "", piece) for piece in cut)
    return ", ".join(piece for piece in kept if piece)
