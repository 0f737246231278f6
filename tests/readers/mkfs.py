"""The calls of mkfs.lustre in the rendered scripts, read by the words alone."""

from __future__ import annotations

import re
import shlex
from typing import NamedTuple


class Call(NamedTuple):
    """One call: its flags without a value, its options with all their values in order, and the device."""

    flags: frozenset[str]
    options: dict[str, list[str]]
    device: str


def read_calls(script: str) -> list[Call]:
    """Every line of a script that calls mkfs.lustre; lines that end with a backslash go on in the next."""
    joined = re.sub(r"\\\n[ \t]*", "", script)
    lines = (line.strip() for line in joined.splitlines())
    return [_call(shlex.split(line)[1:]) for line in lines if re.match(r"mkfs\.lustre\s+-", line)]


def _call(words: list[str]) -> Call:
    flags, options, devices = set(), dict[str, list[str]](), list[str]()
    for word in words:
        if not word.startswith("--"):
            devices.append(word)
        elif "=" in word:
            name, _, value = word.partition("=")
            options.setdefault(name, []).append(value)
        else:
            flags.add(word)
    (device,) = devices
    return Call(frozenset(flags), options, device)
