"""Reads what servers know of each other: hosts, resolv.conf, genders, and an inventory with its commented variables."""

from __future__ import annotations

import re
from ipaddress import IPv4Address
from typing import Any

import yaml

_NAME = re.compile(r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*", re.I)


def read_hosts(text: str) -> dict[str, list[str]]:
    """Address -> its names (hosts(5)). ValueError for what is none, and for an address or a name that stands twice."""
    found: dict[str, list[str]] = {}
    for line in filter(None, (line.partition("#")[0].split() for line in text.splitlines())):
        address, *names = line
        if str(IPv4Address(address)) in found or not names:
            raise ValueError(f"{address} stands twice, or without a name")
        taken = {name.lower() for each in found.values() for name in each}
        for name in names:
            if not _NAME.fullmatch(name) or name.lower() in taken:
                raise ValueError(f"{name} stands twice, or is no name")
            taken.add(name.lower())
        found[address] = names
    return found


def read_words(text: str, known: dict[str, int]) -> list[list[str]]:
    """Lines of a word and its arguments, as resolv.conf and chrony.conf have them; `known`: the most of each word."""
    lines = [line.split() for line in text.splitlines() if line and line[0] not in "#;!%"]
    for word in {line[0] for line in lines if line}:
        count = sum(line[0] == word for line in lines)
        if count > known.get(word, 0):
            raise ValueError(f"{word} is unknown, or stands {count} times")
    return lines


def read_genders(text: str) -> dict[str, dict[str, str]]:
    """Node -> its attributes (genders(5)): one line a node, and its name without a domain."""
    found: dict[str, dict[str, str]] = {}
    for line in (line for line in text.splitlines() if line and not line.startswith("#")):
        node, attributes = line.split()
        if "." in node or node in found:
            raise ValueError(f"{node} stands twice, or with its domain")
        pairs = [attribute.partition("=") for attribute in attributes.split(",")]
        found[node] = {name: value for name, _, value in pairs}
        if len(found[node]) != len(pairs):
            raise ValueError(f"{node} has an attribute twice")
    return found


class _Strict(yaml.SafeLoader):
    """A key that stands twice is an error, and not the last of its values."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        if len(keys) != len(set(keys)):
            raise ValueError(f"a key stands twice: {keys}")
        return super().construct_mapping(node, deep)


def read_inventory(text: str) -> dict[str, Any]:
    """The inventory, as YAML 1.1 has it."""
    found: dict[str, Any] = yaml.load(text, _Strict)
    return found


def read_commented(text: str, word: str) -> Any:
    """The value of a variable that stands in comments, its comment signs taken off."""
    lines = text.splitlines()
    start = next(n for n, line in enumerate(lines) if line.strip() == f"# {word}:")
    block = []
    for line in lines[start:]:
        if not line.lstrip().startswith("#"):
            break
        block.append(line.lstrip().removeprefix("# "))
    return yaml.load("\n".join(block), _Strict)[word]
