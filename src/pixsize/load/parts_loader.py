"""Loads a parts file: prices, part numbers, power, weights and lead times, and the user's own parts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.prices import Part, PartsFile, digits_of, own_id
from pixsize.findings import Finding, has_errors
from pixsize.load import model_words
from pixsize.load.names import line_trouble
from pixsize.load.partial_request import MOST_FINDINGS, did_you_mean, named
from pixsize.load.positions import Positions, join, quoted
from pixsize.load.yaml_reader import UNREADABLE, Parsed, read
from pixsize.texts import plural

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,79}")
_MOST_PARTS = 5000
_PARTS = "parts"
_TEXTS = ("title", "part_number")


class LoadedParts:
    """A parts file, and where its words stand."""

    def __init__(self, words: PartsFile, positions: Positions) -> None:
        self.words, self.positions = words, positions

    def finding(self, code: str, where: str, message: str, hint: str = "", at_key: bool = False) -> Finding:
        """A finding at the value of `where`, or at the word itself."""
        return Finding(code, message, where, hint, (self.positions.key if at_key else self.positions.value)(where))


def load_parts(given: str) -> tuple[LoadedParts | None, tuple[Finding, ...]]:
    """The parts file at a path; None, and why, when anything is wrong with it."""
    parsed = read(Path(given), given, decimals=Decimal)
    if parsed.value is None:
        return None, parsed.findings
    findings = [*parsed.findings, *_capped(_problems(parsed))]
    if has_errors(findings):
        return None, _in_order(findings)
    parts = {item: Part.model_validate(words) for item, words in parsed.value.get(_PARTS, {}).items()}
    loaded = LoadedParts(PartsFile.model_validate({**parsed.value, _PARTS: parts}), parsed.positions)
    findings += _capped(_of_currency(loaded))
    return (None if has_errors(findings) else loaded), _in_order(findings)


def _in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda f: (f.position.line, f.position.column) if f.position else (0, 0)))


def _capped(findings: Iterator[Finding]) -> Iterator[Finding]:
    """As many as a reader could want."""
    yield from (found for found, _ in zip(findings, range(MOST_FINDINGS), strict=False))


def _problems(parsed: Parsed) -> Iterator[Finding]:
    """Everything that keeps the words from being a parts file."""
    words, positions = parsed.value, parsed.positions
    parts = words.get(_PARTS, {})
    for code, path, message, hint in _said(words, parts):
        place = positions.key(path) if code in ("PX101", "PX653") else positions.value(path)
        yield Finding(code, message, path, hint, place)


def _said(words: Mapping[str, Any], parts: object) -> Iterator[model_words.Problem]:
    top = {word: value for word, value in words.items() if word != _PARTS}
    empty = list(model_words.empty_values(words))
    unknown = list(model_words.unknown_words(PartsFile, top))
    yield from empty
    yield from unknown
    known = {word: value for word, value in top.items() if word in model_words.words_of(PartsFile)}
    yield from _refused(PartsFile, known, "", {path for _, path, _, _ in (*empty, *unknown)})
    if not isinstance(parts, dict):
        if parts is not UNREADABLE and parts is not None:
            yield "PX104", _PARTS, "a mapping of ids to parts is needed", "Write parts: {nl-sas-12tb: {price: 410}}."
        return
    if len(parts) > _MOST_PARTS:
        yield "PX108", _PARTS, f"{len(parts):,} parts; at most {_MOST_PARTS:,} can stand here", ""
        return
    for item, about in parts.items():
        yield from _of_part(item, about)


def _of_part(item: str, words: object) -> Iterator[model_words.Problem]:
    path = join(_PARTS, item)
    if not _ID.fullmatch(item):
        yield (
            "PX653",
            path,
            f"{quoted(item)} is no id of a part",
            "A letter or a digit, then at most 79 of A-Z, a-z, 0-9, `.`, `_`, `+` and `-`.",
        )
        return
    if words is UNREADABLE or words is None:
        return
    unknown = list(model_words.unknown_words(Part, words, path))
    yield from unknown
    yield from _refused(Part, words, path, {p for _, p, _, _ in unknown} | _empty_paths(words, path))
    for word in _TEXTS:
        text = words.get(word) if isinstance(words, dict) else None
        if isinstance(text, str) and (trouble := line_trouble(text)):
            yield "PX104", join(path, word), f"{quoted(text)} cannot stand here: {trouble}", ""


def _empty_paths(words: object, path: str) -> set[str]:
    return {p for _, p, _, _ in model_words.empty_values(words, path)}


def _refused(
    model: type[Part] | type[PartsFile], words: object, path: str, told: set[str]
) -> Iterator[model_words.Problem]:
    """What pydantic says of words, without what was told already."""
    try:
        model.model_validate(words)
    except ValidationError as error:
        for code, where, message, hint in model_words.complaints(error):
            whole = f"{path}.{where}" if path and where else path or where
            if whole not in told:
                yield code, whole, message, hint


def _of_currency(loaded: LoadedParts) -> Iterator[Finding]:
    """PX103 for prices without a currency; PX652 for prices in fractions of its smallest unit."""
    words = loaded.words
    priced = [(item, part) for item, part in words.parts.items() if part.price is not None]
    if priced and words.currency is None:
        message = "the word currency is missing: prices stand in the file"
        yield Finding("PX103", message, "currency", "Add currency: EUR, or another.", loaded.positions.value(""))
        return
    for item, part in priced:
        digits = digits_of(str(words.currency))
        if part.price != round(part.price, digits):
            message = f"{part.price} {words.currency}: a price in {words.currency} has {plural(digits, 'digit')}"
            yield loaded.finding("PX652", f"{join(_PARTS, item)}.price", f"{message} behind the point")


class Known:
    """What a bill says of ids: `counted` are those of its parts, `unsold` those that it names without a count."""

    def __init__(self, counted: Collection[str], unsold: Collection[str]) -> None:
        self.counted, self.unsold = counted, unsold


def judge_parts(loaded: LoadedParts, known: Known, catalog: Catalog) -> tuple[Finding, ...]:
    """What does not fit between a parts file and a bill: PX650, PX651 and PX654."""
    elsewhere: list[str] = []
    found: list[Finding] = []
    seen: dict[str, str] = {}
    unnamed = sorted({*known.counted, *known.unsold} - {own_id(given, catalog) for given in loaded.words.parts})
    for given, part in loaded.words.parts.items():
        path, item = join(_PARTS, given), own_id(given, catalog)
        first = seen.setdefault(item, given)
        if first != given:
            message = f"{given} and {first} are one part: a record of the catalog replaces another"
            found.append(
                loaded.finding("PX651", path, message, f"Leave out {first if given == item else given}.", True)
            )
            continue
        if item in known.counted or item in known.unsold:
            found += _counted_twice(loaded, path, item, part, known)
        elif part.title is not None or part.count is not None:
            lacking = [word for word in ("title", "count") if getattr(part, word) is None]
            if lacking:
                message = f"{item} is no part of this bill, and has no {lacking[0]}: a part of your own has both"
                found.append(loaded.finding("PX654", path, message, f"Add {lacking[0]}.", at_key=True))
        elif item in catalog:
            elsewhere.append(given)
        else:
            hint = did_you_mean(item, unnamed)
            own = "" if hint else "A part of your own has title and count."
            found.append(
                loaded.finding("PX650", path, f"{item} is no part of this bill; nothing comes of it", hint or own, True)
            )
    return (*found, *_not_here(loaded, elsewhere, unnamed))


def _counted_twice(loaded: LoadedParts, path: str, item: str, part: Part, known: Known) -> Iterator[Finding]:
    """PX651: what the plan says of its own parts is not said again. A part without a count may be given one."""
    words = ["title", *(["count"] if item in known.counted else [])]
    for word in (w for w in words if getattr(part, w) is not None):
        message = f"{word}: the plan says it of {item}, which is a part of it"
        hint = f"Leave out {word}; a part of your own has another id."
        yield loaded.finding("PX651", f"{path}.{word}", message, hint)


def _not_here(loaded: LoadedParts, items: list[str], unnamed: Collection[str]) -> Iterator[Finding]:
    """PX650 for parts of the catalog that other systems have: a list of prices may serve several."""
    if items:
        many = "are no parts" if len(items) > 1 else "is no part"
        hint = did_you_mean(items[0], unnamed, 0.8) if len(items) == 1 else ""
        where = join(_PARTS, items[0])
        yield loaded.finding("PX650", where, f"{named(items)} {many} of this bill; nothing comes of it", hint, True)
