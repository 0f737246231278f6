"""Reads stanza files as mmcrnsd does, and the call of mmcrfs in their head (IBM Storage Scale documentation)."""

from __future__ import annotations

import re

_START = re.compile(r"%([A-Za-z]+):")
_DOCUMENTED = {
    key.lower(): key
    for key in ("device", "nsd", "servers", "usage", "failureGroup", "pool", "thinDiskType", "blockSize", "layoutMap")
}

_SIZE = re.compile(r"(\d+)([KM]?)")
_FACTORS = {"": 1, "K": 2**10, "M": 2**20}


def read_mmcrfs(text: str) -> dict[str, str | int]:
    """The device and the options of the one call of mmcrfs in comments (manual page of mmcrfs); -B and -i in bytes.

    ValueError unless there is one call, each of its options once and with a value.
    """
    calls = re.findall(r"^#\s+mmcrfs (.*)$", text, re.M)
    if len(calls) != 1:
        raise ValueError(f"{len(calls)} calls of mmcrfs")
    device, *words = calls[0].split()
    options, values = words[::2], words[1::2]
    if len(options) != len(values) or not all(re.fullmatch("-[A-Za-z]", option) for option in options):
        raise ValueError(f"an option without a value: {calls[0]}")
    if len(set(options)) != len(options):
        raise ValueError(f"an option stands twice: {calls[0]}")
    found: dict[str, str | int] = {"device": device, **dict(zip(options, values, strict=True))}
    return found | {option: read_size(str(found[option])) for option in ("-B", "-i") if option in found}


def read_size(text: str) -> int:
    """The bytes of a size as mmcrfs takes it."""
    size = _SIZE.fullmatch(text)
    if size is None:
        raise ValueError(f"{text} is no size")
    return int(size[1]) * _FACTORS[size[2]]


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
