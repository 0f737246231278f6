"""Loads the words of a quote, and what a template of the user's own puts in their place."""

from __future__ import annotations

import os
import re
import struct
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pixsize.catalog.wording import Logo, Wording
from pixsize.findings import Finding, Position, has_errors
from pixsize.load.files import MIB, decode, read_bytes, reason_of
from pixsize.load.model_words import Problem, empty_values
from pixsize.load.names import line_trouble
from pixsize.load.partial_request import MOST_FINDINGS, did_you_mean, named
from pixsize.load.positions import Positions, item, join, quoted
from pixsize.load.yaml_reader import UNREADABLE, Parsed, read
from pixsize.resources import folder

TEXTS, STYLE = "texts.yaml", "style.css"
LOGOS = ("logo.png", "logo.jpg", "logo.jpeg")
_USED = (TEXTS, STYLE, *LOGOS)
_MOST_LINES = 40
"""Of a list of texts: more do not fit on the pages for a customer."""
_MOST_PIXELS = 4000
_MOST_FILES = 1000
_MOST_STYLE = 64 * 1024
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?")
_REACHES_OUT = re.compile(r"@import|@charset|@namespace|url\s*\(|image-set\s*\(|src\s*\(|expression\s*\(|<|\\", re.I)
"""What could load something from outside, end the style inside HTML, or hide either behind an escape (CSS Syntax 3)."""


def load_wording(given: Path | None) -> tuple[Wording | None, tuple[Finding, ...]]:
    """The words of a quote with those of a template laid over them; None, and why, when anything is wrong with it."""
    shipped = read(folder("templates") / "quote" / TEXTS, TEXTS).value
    if given is None:
        return _flat(shipped), ()
    held, findings = _names(given)
    words: dict[str, Any] = shipped
    if TEXTS in held:
        own, found = _texts(given, shipped)
        findings += found
        words = _laid_over(shipped, own)
    logos = [name for name in LOGOS if name in held]
    logo, style = None, ""
    if len(logos) > 1:
        findings.append(_at(given / logos[1], "PX662", f"{logos[0]} is the logo already"))
    elif logos:
        logo, found = _logo(given / logos[0])
        findings += found
    if STYLE in held:
        style, found = _style(given / STYLE)
        findings += found
    if has_errors(findings):
        return None, tuple(findings)
    return _flat(words)._replace(logo=logo, style=style), tuple(findings)


def _at(path: Path, code: str, message: str, hint: str = "") -> Finding:
    return Finding(code, message, hint=hint, position=Position(str(path)))


def _names(given: Path) -> tuple[set[str], list[Finding]]:
    """The names of the template's files that a quote uses; PX665 for the others, PX664 where none is used."""
    try:
        with os.scandir(given) as entries:
            found = sorted(e.name for e, _ in zip(entries, range(_MOST_FILES), strict=False))
    except OSError as error:
        return set(), [_at(given, "PX001", f"the template folder cannot be read: {reason_of(error)}")]
    names = [n for n in found if not n.startswith(".")]
    used = {n for n in names if n in _USED}
    if not used:
        return used, [_at(given, "PX664", f"the folder holds none of {named(_USED)}")]
    others = [n for n in names if n not in used and not n.lower().startswith("readme")]
    return used, [_passed_over(given / n) for n in others[:10]]


def _passed_over(path: Path) -> Finding:
    svg = "An SVG can hold scripts and links: convert it to PNG." if path.suffix.lower() == ".svg" else ""
    return _at(
        path, "PX665", "passed over: a quote does not use a file of this name", svg or did_you_mean(path.name, _USED)
    )


# Words


def _texts(given: Path, shipped: Mapping[str, Any]) -> tuple[dict[str, Any], list[Finding]]:
    parsed = read(given / TEXTS, str(given / TEXTS))
    if parsed.value is None:
        return {}, list(parsed.findings)
    return parsed.value, [*parsed.findings, *_problems(parsed, shipped)][:MOST_FINDINGS]


def _problems(parsed: Parsed, shipped: Mapping[str, Any]) -> Iterator[Finding]:
    """Everything that keeps the words of a file from taking the place of the shipped ones."""
    empty = list(empty_values(parsed.value))
    told = {path for _, path, _, _ in empty}
    for code, path, message, hint in (*empty, *_differing(parsed.value, shipped, "")):
        if code == "PX101" or path not in told or (code, path, message, hint) in empty:
            place = (parsed.positions.key if code == "PX101" else parsed.positions.value)(path)
            yield Finding(code, message, path, hint, place)


def _differing(own: object, shipped: object, path: str) -> Iterator[Problem]:
    """Words that the shipped file does not have, and values of another kind than its own."""
    if own is UNREADABLE:
        return
    if isinstance(shipped, Mapping):
        if not isinstance(own, dict):
            yield "PX104", path, "a mapping of words to texts is needed", ""
            return
        for word, value in own.items():
            if word not in shipped:
                known = f"unknown word {quoted(word)}; known here: {named(shipped)}"
                yield "PX101", join(path, word), known, did_you_mean(word, shipped)
            else:
                yield from _differing(value, shipped[word], join(path, word))
    elif isinstance(shipped, list):
        if not isinstance(own, list):
            yield "PX104", path, "a list of texts is needed", "Put `- ` in front of each text."
        elif len(own) > _MOST_LINES:
            yield "PX108", path, f"{len(own):,} texts; at most {_MOST_LINES} can stand here", ""
        else:
            for index, text in enumerate(own):
                yield from _text(text, item(path, index))
    else:
        yield from _text(own, path)


def _text(own: object, path: str) -> Iterator[Problem]:
    if own is UNREADABLE:
        return
    if not isinstance(own, str):
        hint = "" if isinstance(own, list | dict) else "Put quotes around a text that looks like a number."
        yield "PX104", path, "a text is needed", hint
    elif trouble := line_trouble(own):
        yield "PX104", path, f"{quoted(own)} cannot stand here: {trouble}", ""
    elif path == "language" and not _LANGUAGE.fullmatch(own):
        yield "PX102", path, f"{quoted(own)} is no language tag", "Write en, de, pt-BR or the like (BCP 47)."


def _laid_over(shipped: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """The shipped words with those of the template; what is wrong there was found before."""
    return {
        word: _laid_over(value, own[word])
        if isinstance(value, Mapping) and isinstance(own.get(word), dict)
        else own.get(word, value)
        for word, value in shipped.items()
    }


def _flat(words: Mapping[str, Any]) -> Wording:
    texts: dict[str, str] = {}
    lists: dict[str, tuple[str, ...]] = {}
    for word, value in words.items():
        if isinstance(value, str):
            texts[word] = value
        elif isinstance(value, list):
            lists[word] = tuple(value)
        else:
            texts |= {f"{word}.{below}": text for below, text in value.items()}
    return Wording(texts, lists)


# The style and the logo


def _style(path: Path) -> tuple[str, list[Finding]]:
    data = read_bytes(path, str(path))
    if isinstance(data, Finding):
        return "", [data]
    if len(data) > _MOST_STYLE:
        return "", [_at(path, "PX661", f"the style is larger than {_MOST_STYLE // 1024} KiB")]
    text, found = decode(data, str(path))
    places = Positions(str(path), text)
    findings = list(found)
    for match in list(_REACHES_OUT.finditer(text))[:10]:
        before = text[: match.start()]
        position = places.at(before.count("\n") + 1, len(before) - before.rfind("\n"))
        findings.append(Finding("PX661", f"{quoted(match[0])} cannot stand in the style", position=position))
    return text, findings


def _logo(path: Path) -> tuple[Logo | None, list[Finding]]:
    data = read_bytes(path, str(path), MIB)
    if isinstance(data, Finding):
        return None, [data]
    found = _png(data) if data.startswith(_PNG) else _jpeg(data) if data.startswith(b"\xff\xd8\xff") else None
    if found is None:
        return None, [_at(path, "PX662", "the bytes are no PNG and no JPEG, or the picture is damaged")]
    if not all(0 < n <= _MOST_PIXELS for n in (found.width, found.height)):
        size = f"{found.width:,} x {found.height:,} pixels"
        return None, [_at(path, "PX662", f"{size}; 1 to {_MOST_PIXELS:,} each way")]
    return found, []


_PNG = b"\x89PNG\r\n\x1a\n"
_KEPT = (b"IHDR", b"PLTE", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"IDAT", b"IEND")


def _png(data: bytes) -> Logo | None:
    """A whole PNG (PNG Specification 3, 5 Datastream structure) without what is no part of the picture; None for
    anything else.

    Every chunk has its checksum, the first is the header and the last the end.
    """
    chunks: list[tuple[bytes, bytes]] = []
    place = len(_PNG)
    while place + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, place)
        kind, end = data[place + 4 : place + 8], place + 12 + length
        if end > len(data) or zlib.crc32(data[place + 4 : end - 4]) != int.from_bytes(data[end - 4 : end], "big"):
            return None
        chunks.append((kind, data[place:end]))
        place = end
    kinds = [kind for kind, _ in chunks]
    if place != len(data) or b"IDAT" not in kinds or (kinds[0], kinds[-1]) != (b"IHDR", b"IEND"):
        return None
    if len(chunks[0][1]) != 25 or len(chunks[-1][1]) != 12 or kinds.count(b"IHDR") > 1:
        return None
    width, height = struct.unpack_from(">II", data, 16)
    return Logo(_PNG + b"".join(c for kind, c in chunks if kind in _KEPT), "image/png", width, height)


_FRAMES, _SCAN = (0xC0, 0xC1, 0xC2), 0xDA
_TABLES = (*_FRAMES, 0xC4, 0xDB, 0xDD, 0xEE)
"""Markers (ITU-T T.81, Table B.1): frames that every reader knows, the start of a scan; and what a picture is made of,
with Adobe's note on its colours.
"""
_DROPPED = (*range(0xE0, 0xF0), 0xFE)
_JFIF = b"\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"
"""The first segment of a file (ITU-T T.871, 10.1): version 1.1, square pixels, no thumbnail."""


def _jpeg(data: bytes) -> Logo | None:
    """A JPEG (ITU-T T.81, B.1 and B.2) without what is no part of the picture, such as the place where it was taken;
    None for anything else.
    """
    data = data.rstrip(b"\0")
    kept: list[bytes] = []
    place, size = 2, None
    while place + 4 <= len(data) and data[place] == 0xFF:
        kind, end = data[place + 1], place + 2 + int.from_bytes(data[place + 2 : place + 4], "big")
        if end < place + 4 or end > len(data) or kind not in (*_TABLES, *_DROPPED, _SCAN):
            return None
        if kind in _FRAMES:
            if size is not None or end < place + 11:
                return None
            size = struct.unpack_from(">HH", data, place + 5)
        if kind == _SCAN:
            if size is None or not data.endswith(b"\xff\xd9"):
                return None
            whole = b"\xff\xd8" + _JFIF + b"".join(kept) + data[place:]
            return Logo(whole, "image/jpeg", size[1], size[0])
        if kind in _TABLES:
            kept.append(data[place:end])
        place = end
    return None
