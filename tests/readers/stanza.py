"""Reads stanza files as mmcrnsd does (IBM Storage Scale documentation, stanza files)."""

from __future__ import annotations

import re

_START = re.compile(r"%([A-Za-z]+):")
_DOCUMENTED = {
    key.lower(): key
    for key in ("device", "nsd", "servers", "usage", "failureGroup", "pool", "thinDiskType", "blockSize", "layoutMap")
}


def read_stanzas(text: str) -> list[dict[str, str]]:
    """One dict a stanza, in their order: `stanza` holds its type (`nsd`), the rest are its clauses.

    A stanza begins where the first token of a line is `%word:`. It ends at the next one, at a blank line, and at a
    line without `=` that is no comment. A line that begins with `#` is a comment and ends nothing; behind a clause `#`
    begins one, too. Keys are read in any case and returned as documented. ValueError for a clause that stands outside
    every stanza or twice in one, and for one that a blank has torn apart.
    """
    stanzas: list[dict[str, str]] = []
    current: dict[str, str] | None = None
    for number, line in enumerate(text.split("\n"), 1):
        tokens = _tokens(line)
        if line.lstrip().startswith("#"):
            continue
        start = _START.match(tokens[0]) if tokens else None
        if start:
            current = {"stanza": start[1].lower()}
            stanzas.append(current)
            rest = tokens[0][start.end() :]
            tokens = [rest, *tokens[1:]] if rest else tokens[1:]
        elif not any("=" in token for token in tokens):
            current = None
            continue
        _take(tokens, current, number)
    return stanzas


def _tokens(line: str) -> list[str]:
    tokens = line.split()
    inline = next((i for i, token in enumerate(tokens) if token.startswith("#")), len(tokens))
    return tokens[:inline]


def _take(tokens: list[str], current: dict[str, str] | None, number: int) -> None:
    for token in tokens:
        key, equals, value = token.partition("=")
        name = _DOCUMENTED.get(key.lower(), key.lower())
        if current is None:
            raise ValueError(f"line {number}: {token} stands in no stanza")
        if not (key and equals and value):
            raise ValueError(f"line {number}: {token} is no clause")
        if name in current:
            raise ValueError(f"line {number}: {key} stands twice in a stanza")
        current[name] = value
