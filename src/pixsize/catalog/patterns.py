"""Validators for texts of records that go to programs: a pattern, with the rule in words for the message."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Annotated

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

_SHOWN = 60
"""Characters of a bad word that a message repeats: the rest of the line is for the rule."""


def matching(pattern: str, rule: str) -> AfterValidator:
    """A validator that refuses a text unless the whole of it matches; the message quotes `rule`."""
    compiled = re.compile(pattern)

    def judged(text: str) -> str:
        if compiled.fullmatch(text) is None:
            raise ValueError(f"{text[:_SHOWN]!r} cannot stand here: {rule}")
        return text

    return AfterValidator(judged)


def one_of(names: Callable[[], Iterable[str]]) -> AfterValidator:
    """A validator that refuses a text that is none of `names`, with the error that pydantic gives for a Literal."""

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
_BYTE = r"(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
HostAddress = Annotated[str, matching(rf"{_BYTE}(\.{_BYTE}){{3}}", "an IPv4 address, such as 10.10.0.7")]
