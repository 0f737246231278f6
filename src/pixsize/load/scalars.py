"""What a bare YAML word means, where every version of YAML agrees; why it is refused, where they do not."""

from __future__ import annotations

import re
from typing import Final

from pixsize.load.positions import quoted


class Unreadable:
    """Stands where a value was refused, so that the rest of the file can still be judged."""

    def __repr__(self) -> str:
        return "UNREADABLE"


UNREADABLE: Final = Unreadable()

_FIXED: dict[str, bool | None] = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
    "null": None,
    "Null": None,
    "NULL": None,
    "~": None,
    "": None,
}
_SWITCHES = frozenset(("yes", "no", "on", "off", "y", "n"))
_MOST_DIGITS = 40

# Read one way by YAML 1.1, another way or as text by YAML 1.2 or by readers that follow neither to the letter.
_AMBIGUOUS = (
    (r"[-+]?0[0-9_]+(?:\.[0-9_]*)?", "a leading zero makes it octal for some readers and decimal for others"),
    (r"[-+]?0[xXoObB][0-9a-fA-F_]+", "hexadecimal, octal and binary numbers are text for some readers"),
    (
        r"[-+]?[0-9][0-9_]*(?::[0-9_]+)+(?:\.[0-9_]*)?",
        "colons make it a number to the base of sixty for some readers",
    ),
    (
        r"[-+]?(?=[0-9.]*_)[0-9][0-9_]*(?:\.[0-9_]*)?",
        "`_` inside a number is skipped by some readers and text for others",
    ),
    (r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)", "it is no finite number"),
    (
        r"[-+]?(?:[0-9]+(?:\.[0-9_]*)?|\.[0-9_]+)[eE][-+]?[0-9]+",
        "an exponent is a number for some readers and text for others",
    ),
    (r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?", "some readers make a date of it"),
    (r"\+[0-9]+(?:\.[0-9]*)?", "a plus sign is dropped by some readers"),
    (r"[-+]?(?:[0-9]+\.|\.[0-9]+)", "write the digits on both sides of the point"),
    (r"=|<<", "it is a key with a meaning of its own for some readers"),
)


def resolve(text: str) -> tuple[object, str, str]:
    """The value of a bare word, and, where it is refused, the code and why: UNREADABLE, `PX009`, reason."""
    if text in _FIXED:
        return _FIXED[text], "", ""
    whole, point, decimals = text.partition(".")
    if _is_whole(whole) and not point:
        if len(text) > _MOST_DIGITS:
            return UNREADABLE, "PX108", f"a number of {len(text)} digits"
        return int(text), "", ""
    if _is_whole(whole) and decimals.isdigit() and decimals.isascii():
        return float(text[:_MOST_DIGITS]), "", ""
    why = _why_ambiguous(text)
    return (UNREADABLE, "PX009", f"{quoted(text)} without quotes: {why}") if why else (text, "", "")


def _is_whole(text: str) -> bool:
    """Whether `text` is an integer as every reader writes one: ASCII digits, none of them a leading zero."""
    digits = text.removeprefix("-")
    return digits.isdigit() and digits.isascii() and (digits == "0" or digits[0] != "0")


def _why_ambiguous(text: str) -> str:
    if text.lower() in _SWITCHES:
        return "it is true or false for some readers and text for others"
    # Blanks stand in dates alone; most values, such as 12 TB, need none of the patterns, and none is compiled for them.
    if text[0] not in "0123456789+-.=<" or (" " in text and text[4:5] != "-"):
        return ""
    return next((why for pattern, why in _AMBIGUOUS if re.fullmatch(pattern, text)), "")
