"""Commands and lists in the rendered scripts, read by the words alone."""

from __future__ import annotations

import re
import shlex


def calls(script: str, *begin: str) -> list[list[str]]:
    """The words after `begin` of each command that begins so; lines that end with a backslash go on in the next."""
    lines = re.sub(r"\\\n[ \t]*", "", script).splitlines()
    words = [line.split() for line in lines]
    return [
        shlex.split(line)[len(begin) :] for line, w in zip(lines, words, strict=True) if tuple(w[: len(begin)]) == begin
    ]


def options(words: list[str]) -> dict[str, str]:
    """`--name value` of a command: the values by their names; an empty one where another option follows."""
    found: dict[str, str] = {}
    for word, value in zip(words, [*words[1:], "--"], strict=True):
        if word.startswith("--"):
            found[word] = "" if value.startswith("--") else value
    return found


def rows(script: str, function: str) -> list[list[str]]:
    """The words of each line in the body of a function of the script."""
    body = re.search(rf"^{function}\(\) \{{\n(.*?)^\}}$", script, re.M | re.S)
    if body is None:
        raise ValueError(f"no function {function}")
    return [shlex.split(line) for line in body[1].splitlines()]


def value(script: str, name: str) -> str:
    """The value of the only `readonly NAME=VALUE`."""
    (found,) = re.findall(rf"^readonly {name}=(\S+)$", script, re.M)
    return shlex.split(found)[0]
