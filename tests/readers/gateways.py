"""The files of gateways as the programs that they are for read them: sections, exports, blocks of Ganesha, a zone.

Each reader knows the grammar of its manual page and no word of ours; what it cannot read is a ValueError.
"""

from __future__ import annotations

import re
import shlex
from typing import Any, NamedTuple

_GANESHA = re.compile(r'"[^"\n]*"|[A-Za-z0-9_./~-]+|[{}=;,]')


def read_sections(text: str) -> dict[str, dict[str, str]]:
    """Sections in brackets, each with its words and values: smb.conf(5), ctdb.conf(5), nfs.conf(5). Case is kept."""
    sections: dict[str, dict[str, str]] = {}
    for line in map(str.strip, text.splitlines()):
        if not line or line[0] in "#;":
            continue
        if line[0] == "[":
            name = line.removeprefix("[").removesuffix("]")
            if name in sections or line != f"[{name}]":
                raise ValueError(f"no section of its own: {line}")
            sections[name] = {}
            continue
        word, equals, value = (part.strip() for part in line.partition("="))
        if not equals or not sections or word in sections[[*sections][-1]]:
            raise ValueError(f"no line of a section: {line}")
        sections[[*sections][-1]][word] = value
    return sections


def read_assignments(text: str) -> dict[str, str]:
    """A file of shell assignments, as /etc/ctdb/script.options: nothing else stands in it."""
    found: dict[str, str] = {}
    for words in (shlex.split(line, comments=True) for line in text.splitlines()):
        if not words:
            continue
        if len(words) != 1 or not re.fullmatch(r"[A-Z][A-Z0-9_]*=.*", words[0]):
            raise ValueError(f"no assignment: {words}")
        name, _, value = words[0].partition("=")
        found[name] = value
    return found


class NfsExport(NamedTuple):
    """A line of /etc/exports."""

    path: str
    client: str
    options: dict[str, str]


_EXPORT_OPTIONS = frozenset({"rw", "ro", "sync", "no_subtree_check", "root_squash", "fsid"})


def read_exports(text: str) -> list[NfsExport]:
    """exports(5): a path, and one client with its options. ValueError for any option that is none."""
    made = []
    for line in (line for line in text.splitlines() if line and not line.startswith("#")):
        match = re.fullmatch(r"(/[^\s()]+) ([^\s()]+)\(([^\s()]+)\)", line)
        if match is None:
            raise ValueError(f"no export: {line}")
        options = dict(option.partition("=")[::2] for option in match[3].split(","))
        if strange := options.keys() - _EXPORT_OPTIONS:
            raise ValueError(f"no options: {strange}")
        made.append(NfsExport(match[1], match[2], options))
    return made


def read_ganesha(text: str) -> list[tuple[str, dict[str, Any]]]:
    """The blocks of ganesha.conf, each with its name, words and blocks; a value with commas is a list."""
    bare = "\n".join(line.partition("#")[0] for line in text.splitlines())
    tokens = _GANESHA.findall(bare)
    if "".join(tokens) != re.sub(r"\s", "", bare):
        raise ValueError("characters that are no words")
    blocks, rest = _blocks(tokens)
    if rest:
        raise ValueError(f"no block: {rest[:4]}")
    return blocks


def _blocks(tokens: list[str]) -> tuple[list[tuple[str, dict[str, Any]]], list[str]]:
    made = []
    while len(tokens) > 1 and tokens[1] == "{":
        values, rest = _block(tokens[2:])
        made.append((tokens[0], values))
        tokens = rest
    return made, tokens


def _block(tokens: list[str]) -> tuple[dict[str, Any], list[str]]:
    """What stands up to the brace that ends a block, and what follows."""
    values: dict[str, Any] = {}
    while tokens and tokens[0] != "}":
        name = tokens[0]
        if name in values or len(tokens) < 3:
            raise ValueError(f"twice, or cut off: {name}")
        if tokens[1] == "{":
            values[name], tokens = _block(tokens[2:])
            continue
        end = tokens.index(";") if ";" in tokens else 0
        items = tokens[2:end:2]
        if tokens[1] != "=" or not items or set(tokens[3:end:2]) - {","} or set(items) & set("{}=,"):
            raise ValueError(f"no value: {' '.join(tokens[:6])}")
        shown = [item.strip('"') for item in items]
        values[name], tokens = (shown if len(shown) > 1 else shown[0]), tokens[end + 1 :]
    if not tokens:
        raise ValueError("a block that does not end")
    return values, tokens[1:]


class Zone(NamedTuple):
    """A zone file: its origin, and each record's owner, seconds, type and data, owners in full."""

    origin: str
    records: list[tuple[str, int, str, str]]


def read_zone(text: str) -> Zone:
    """RFC 1035, 5.1: $ORIGIN, $TTL and one record a line."""
    origin, seconds, records = "", -1, []
    for words in (line.partition(";")[0].split() for line in text.splitlines()):
        match words:
            case []:
                continue
            case ["$ORIGIN", origin]:
                continue
            case ["$TTL", ttl]:
                seconds = int(ttl)
            case [owner, *rest]:
                ttl = int(rest.pop(0)) if rest[0].isdigit() else seconds
                if rest[0] != "IN" or ttl < 0 or len(rest) < 3:
                    raise ValueError(f"no record: {' '.join(words)}")
                full = origin if owner == "@" else owner if owner.endswith(".") else f"{owner}.{origin}"
                records.append((full, ttl, rest[1], " ".join(rest[2:])))
    return Zone(origin, records)
