"""Loads requirements: words of a file and of the command line, judged one by one; the command line goes first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pixsize.findings import Finding, Position
from pixsize.load.partial_request import did_you_mean, named
from pixsize.load.positions import Positions, quoted
from pixsize.load.yaml_reader import UNREADABLE, read
from pixsize.size.objective import CRITERIA
from pixsize.size.requirements import ENDS, PEAK, WORDS, End, Requirement, Requirements, Restrictions, requirement
from pixsize.units import UnitError

LISTS = ("drives", "sizes")
SWITCHES = ("expansion", "hdmd")
OTHERS = ("design", *LISTS, *SWITCHES, "confidence", "objective")
"""The words that restrict the search, and how it is done."""


def load_requirements(file: str | None, flags: Mapping[str, Any]) -> tuple[Requirements | None, tuple[Finding, ...]]:
    """The requirements; None where one is wrong. `flags` are words of the command line, as they are written."""
    words: dict[str, Any] = {}
    positions = Positions(file or "the command line")
    found: list[Finding] = []
    if file is not None:
        parsed = read(Path(file), file)
        if parsed.value is None:
            return None, parsed.findings
        found += parsed.findings
        words, positions = _flat(parsed.value), parsed.positions
    given = {**words, **flags}
    judged = list(_judged(given, positions, flags))
    found += [each for each in judged if isinstance(each, Finding)]
    if found:
        return None, tuple(found)
    all_of = tuple(each for each in judged if isinstance(each, Requirement))
    if not all_of:
        at = positions.at(1, 1) if file else Position("the command line")
        return None, (Finding("PX670", "nothing is asked for", "", f"Ask for one of {named(WORDS)}.", at),)
    return Requirements(all_of, _restrictions(given), given.get("confidence", "low"), given), ()


def _flat(words: Mapping[str, Any]) -> dict[str, Any]:
    """The words with those below `peak` beside the others, each with `peak:` before its value."""
    below = words.get("peak")
    if not isinstance(below, dict):
        return dict(words)
    return {w: v for w, v in words.items() if w != "peak"} | {w: f"{PEAK}{v}" for w, v in below.items()}


def _judged(
    given: Mapping[str, Any], positions: Positions, flags: Mapping[str, Any]
) -> Iterator[Requirement | Finding]:
    end: End = given.get("confidence") if given.get("confidence") in ENDS else "low"  # type: ignore[assignment]
    for word, value in given.items():
        at = Position(f"--{word.replace('_', '-')}", text=str(value)) if word in flags else positions.value(word)
        if value is UNREADABLE:
            continue
        if word in WORDS:
            try:
                yield requirement(word, value, end)
            except UnitError as error:
                yield Finding(error.code, f"{word}: {error}", word, "", at)
        elif word not in OTHERS:
            known = (*WORDS, *OTHERS)
            key = at if word in flags else positions.key(word)
            message = f"unknown word {quoted(word)}; known here: {named(known)}"
            yield Finding("PX101", message, word, did_you_mean(word, known), key)
        elif message := _wrong(word, value):
            yield Finding("PX104", message, word, "", at)


def _wrong(word: str, value: object) -> str:
    """Why a word that restricts the search cannot have a value; empty where it can."""
    if word in SWITCHES and not isinstance(value, bool):
        return f"{quoted(value)} stands here; true or false is needed"
    if word == "confidence" and value not in ENDS:
        return f"{quoted(value)} is none of {', '.join(ENDS)}"
    if word == "objective" and set(_list(value)) - set(CRITERIA):
        return f"{quoted(value)} is none of {', '.join(CRITERIA)}"
    if word in ("design", *LISTS) and not all(isinstance(v, str) for v in _list(value)):
        return f"{quoted(value)} stands here; text or a list of texts is needed"
    return ""


def _list(value: object) -> tuple[Any, ...]:
    """A list, or a text with commas, as a tuple."""
    if isinstance(value, str):
        return tuple(each.strip() for each in value.split(",") if each.strip())
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def _restrictions(given: Mapping[str, Any]) -> Restrictions:
    return Restrictions(
        designs=_list(given.get("design", "")),
        drives=_list(given.get("drives", "")),
        sizes=_list(given.get("sizes", "")),
        expansion=given.get("expansion"),
        hdmd=given.get("hdmd"),
    )


def criteria_of(requirements: Requirements) -> tuple[str, ...]:
    """The criteria that the objective is asked to have, the most important first."""
    return _list(requirements.words.get("objective", ""))
