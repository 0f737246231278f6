"""Reads a policy of IBM Storage Scale: placement and migration rules, in the order in which they are tried.

Grammar: IBM Storage Scale documentation, Policy rules: Syntax. Of its clauses those are read that pixsize writes; any
other word is refused.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MOST_BYTES = 2**20
_TOKEN = re.compile(r"\s*(?:'([^'\n]*)'|([A-Za-z_]+)|(\d+)|([(),<>=*+-]))")


class PolicyError(ValueError):
    """A text that is no policy, or one that cannot place every file."""


class Placement(NamedTuple):
    """`RULE 'name' SET POOL 'pool' [LIMIT (percent)]`."""

    name: str
    pool: str
    limit: int | None = None


class Migration(NamedTuple):
    """`RULE 'name' MIGRATE FROM POOL 'a' THRESHOLD (high,low) WEIGHT (...) TO POOL 'b' [WHERE ...]`."""

    name: str
    source: str
    pool: str
    high: int
    low: int
    weight: str
    where: str


Rule = Placement | Migration


def read(text: str, pools: frozenset[str]) -> tuple[Rule, ...]:
    """The rules of a policy. PolicyError where mmchpolicy would refuse it, or a new file may find no pool."""
    if len(text.encode()) > MOST_BYTES:
        raise PolicyError("a policy has at most 1 MiB")
    plain = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    if "/*" in plain:
        raise PolicyError("a comment without an end")
    rules = tuple(_rule(part) for part in re.split(r"\bRULE\b", plain)[1:])
    before = plain.partition("RULE")[0].strip()
    if before or not rules:
        raise PolicyError(f"no rule: {before or 'empty'}")
    for rule in rules:
        used = {rule.pool} | ({rule.source} if isinstance(rule, Migration) else set())
        if not used <= pools:
            raise PolicyError(f"{rule.name}: no pool {', '.join(sorted(used - pools))}")
        if isinstance(rule, Migration) and (rule.source == rule.pool or not 0 <= rule.low < rule.high <= 100):
            raise PolicyError(f"{rule.name}: moves nothing, or never ends")
    _places_all([rule for rule in rules if isinstance(rule, Placement)], rules[-1])
    return rules


def _places_all(placements: list[Placement], last: Rule) -> None:
    """The last rule takes every file, and no other one does: what stands behind it is never tried."""
    if not placements or last is not placements[-1] or last.limit is not None:
        raise PolicyError("the last rule does not take every file")
    if endless := [p.name for p in placements[:-1] if p.limit is None]:
        raise PolicyError(f"{endless[0]} takes every file, and no rule behind it is tried")


def _rule(text: str) -> Rule:
    words = _Words(text)
    name = words.quoted()
    if words.has("SET"):
        words.need("POOL")
        placement = Placement(name, words.quoted(), words.percents(1)[0] if words.has("LIMIT") else None)
        words.end()
        return placement
    for word in ("MIGRATE", "FROM", "POOL"):
        words.need(word)
    source = words.quoted()
    words.need("THRESHOLD")
    high, low = words.percents(2)
    words.need("WEIGHT")
    weight = words.brackets()
    words.need("TO")
    words.need("POOL")
    return Migration(name, source, words.quoted(), high, low, weight, words.rest("WHERE"))


class _Words:
    """The tokens of a rule, from left to right."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        at = 0
        text = text.rstrip()
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise PolicyError(f"cannot be read: {text[at:].strip()[:40]}")
            kind = ("text", "word", "number", "sign")[next(n for n, g in enumerate(match.groups()) if g is not None)]
            self.tokens.append((kind, match[match.lastindex or 0]))
            at = match.end()

    def _next(self) -> tuple[str, str]:
        if not self.tokens:
            raise PolicyError("the rule ends too early")
        return self.tokens.pop(0)

    def has(self, word: str) -> bool:
        if self.tokens and self.tokens[0] == ("word", word):
            self.tokens.pop(0)
            return True
        return False

    def need(self, word: str) -> None:
        if not self.has(word):
            raise PolicyError(f"{word} is missing before {self.tokens[:1]}")

    def quoted(self) -> str:
        kind, value = self._next()
        if kind != "text" or not value:
            raise PolicyError(f"a name in quotes is missing: {value}")
        return value

    def percents(self, count: int) -> list[int]:
        found = [part.strip() for part in self.brackets().split(",")]
        if len(found) != count or not all(p.isdigit() and int(p) <= 100 for p in found):
            raise PolicyError(f"no {count} shares in per cent: {found}")
        return [int(p) for p in found]

    def brackets(self) -> str:
        if self._next() != ("sign", "("):
            raise PolicyError("a bracket is missing")
        inside, depth = [], 1
        while depth:
            _, value = self._next()
            depth += {"(": 1, ")": -1}.get(value, 0)
            inside.append(value)
        return " ".join(inside[:-1])

    def rest(self, word: str) -> str:
        if not self.tokens:
            return ""
        self.need(word)
        if not self.tokens:
            raise PolicyError(f"nothing behind {word}")
        return " ".join(value for _, value in self.tokens)

    def end(self) -> None:
        if self.tokens:
            raise PolicyError(f"more than a rule: {self.tokens[0][1]}")
