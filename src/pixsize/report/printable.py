"""Text that can go to a terminal: no control characters, and its width in columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Unicode categories that a terminal obeys or does not show: they could hide or forge what a line says."""
_COMBINING = frozenset(("Mn", "Me"))


def clean(text: str) -> str:
    """`text` with every control, direction and otherwise invisible character written out, such as `\\x1b`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(c) for c in text)


def _shown(char: str) -> str:
    if char == "\t":
        return "    "
    if unicodedata.category(char) not in _HIDDEN:
        return char
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def width(text: str) -> int:
    """How many columns of a terminal `text` takes: wide characters two, combining ones none."""
    return len(text) if text.isascii() else sum(_char_width(c) for c in text)


def _char_width(char: str) -> int:
    if unicodedata.category(char) in _COMBINING:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def wrap(text: str, columns: int) -> list[str]:
    """`text` in lines of at most `columns` columns, broken at blanks, and inside a word only where it fits no line."""
    lines, line = [], ""
    for word in _fitting(text, max(columns, 1)):
        joined = f"{line} {word}" if line else word
        if line and width(joined) > columns:
            lines.append(line)
            line = word
        else:
            line = joined
    return [*lines, line]


def _fitting(text: str, columns: int) -> Iterator[str]:
    """The words of `text`, those that are too long for a line cut into pieces."""
    for word in text.split():
        rest = word
        while width(rest) > columns:
            end = _cut(rest, columns)
            yield rest[:end]
            rest = rest[end:]
        yield rest


def _cut(text: str, columns: int) -> int:
    """How many characters of `text` fit into `columns`, at least one."""
    used = 0
    for index, char in enumerate(text):
        used += _char_width(char)
        if used > columns:
            return max(index, 1)
    return len(text)


def around(text: str, index: int, columns: int) -> tuple[str, int]:
    """A line of a user's file, cleaned and cut to `columns` around the character `index`; and that character's column.

    Dots stand where something was cut. `index` may lie behind the end. A mark that combines with the character before
    it stands in that one's column.
    """
    while 0 < index < len(text) and not width(_shown(text[index])):
        index -= 1
    before = "".join(_shown(c) for c in text[:index])
    after = "".join(_shown(c) for c in text[index:])
    caret = width(before)
    left = ""
    if caret > columns * 2 // 3:
        while width(before) > columns // 3:
            before = before[_cut(before, width(before) - columns // 3) :]
        left = "..."
    space = max(columns - width(left) - width(before), 1)
    if width(after) > space:
        after = after[: _cut(after, max(space - 3, 1))] + "..."
    return left + before + after, width(left) + width(before)
