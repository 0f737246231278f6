"""Words of records that a program is given: a pattern, and in a sentence what it asks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Annotated

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

_SHOWN = 60
"""Characters of a bad word that a message repeats: the rest of the line is for the rule."""


def matching(pattern: str, rule: str) -> AfterValidator:
    """What refuses a text that does not match as a whole, and says why."""
    compiled = re.compile(pattern)

    def judged(text: str) -> str:
        if compiled.fullmatch(text) is None:
            raise ValueError(f"{text[:_SHOWN]!r} cannot stand here: {rule}")
        return text

    return AfterValidator(judged)


def one_of(names: Callable[[], Iterable[str]]) -> AfterValidator:
    """What refuses a text that is none of the names, as pydantic refuses one that is no member of a Literal."""

    def judged(text: str) -> str:
        known = list(names())
        if text not in known:
            first = ", ".join(map(repr, known[:-1]))
            expected = f"{first} or {known[-1]!r}" if first else repr(known[-1])
            raise PydanticCustomError("literal_error", "Input should be {expected}", {"expected": expected})
        return text

    return AfterValidator(judged)


Firmware = Annotated[str, matching(r"[A-Za-z0-9][A-Za-z0-9.-]{0,23}", "at most 24 of A-Z, a-z, 0-9, `.` and `-`")]
"""A release of firmware, as its vendor prints it."""
