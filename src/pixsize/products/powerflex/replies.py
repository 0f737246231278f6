"""Reads what `scli` of PowerFlex 3.x prints, and returns the volumes of a system. Nothing in the texts is trusted.

`scli --login` prints `Logged in. User role is SuperUser. System ID is 2ea35ba11ef02a05`. `scli --query_all_volumes`
prints `Query-all-volumes returned 19 volumes`, then `Storage Pool 7d8c3b9e00000000 Name: sp1`, and below that a line a
volume: `Volume ID: 9c57f31300000000 Name: ost0000 Size: 1.6 TB (1600 GB) Mapped to 2 SDC Thick-provisioned`. No public
document defines these lines. Their units are binary, and the size in brackets is the exact one. A line that names a
volume and cannot be read is an error, and never skipped. What follows the size, and the lines above, may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pixsize.findings import Finding, Position
from pixsize.load.positions import Positions, quoted
from pixsize.load.replies import FieldError, ReadBudget, Reply, ReplyError
from pixsize.observed import Observed
from pixsize.products.powerflex.observed import LOGIN, VOLUMES, ObservedPool, ObservedPoolVolume
from pixsize.products.powerflex.plan import PROVIDER

FILES = (LOGIN, VOLUMES)
SYSTEM = "a PowerFlex system"
NAMES = f"of PowerFlex, {LOGIN} and {VOLUMES}"

_MOST_FINDINGS = 20
"""More findings about one reply help nobody."""
# Bounds for hostile files; a real list has one line of about 100 characters for each volume.
_MOST_LINES = 100_000
_LONGEST_LINE = 1_000
_SYSTEM = re.compile(r"system id(?: is)?[ \t:=]+([^\s.,;]*)", re.IGNORECASE)
_VOLUME = re.compile(r"\bvolume id\b", re.IGNORECASE)
_ROW = re.compile(
    r"\s*volume id:?\s+(?P<id>\S+?),?\s+name:?\s+(?P<name>\S+?),?\s+size:?\s+(?P<size>.*)\Z", re.IGNORECASE
)
_ANNOUNCED = re.compile(r"query-all-volumes returned ([0-9]{1,6}) volumes?\b", re.IGNORECASE)
_HEADING = re.compile(r"\s*(?:protection domain|storage pool)\b", re.IGNORECASE)
_POOL = re.compile(r"\s*storage pool:?\s+\S+\s+name:?\s+(\S+)\s*\Z", re.IGNORECASE)
_MAPPED = re.compile(r"(\bunmapped\b|\bnot mapped\b)|\bmapped to ([0-9]{1,6}) sdcs?\b", re.IGNORECASE)
_PROVISIONED = re.compile(r"\b(thin|thick)\b", re.IGNORECASE)
_ID = re.compile(r"[0-9a-f]{16}")
_NO_ID = "0" * 16  # no object has it
_ID_WORDS = "no 16 hexadecimal digits other than 0"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,30}")
_NAMELESS = "N/A"  # as scli prints it for a volume that was made without a name
_SIZE = re.compile(r"(?:[0-9.]{1,20} ?[KMGT]B \()?([0-9]{1,15}) ?([KMGT])B\b", re.IGNORECASE)
_UNITS = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_MOST_BYTES = 1 << 60
"""1 EiB: no volume is as large, and later sums stay small."""


class Unreadable(NamedTuple):
    """A line that names a volume and cannot be read: the reason, and the number of the line, from 1."""

    why: str
    line: int


class Found(NamedTuple):
    """A volume with its name, and the number of its line, from 1."""

    name: str
    volume: ObservedPoolVolume
    line: int


Text = tuple[str, Positions]
"""The text of a reply, and what turns its lines and columns into places of its file."""


def claims(name: str) -> bool:
    """Whether a file of this name is one of the two replies."""
    return name in FILES


class Reader:
    """Reads the two replies of a system. Device names need both: the id of the system, and those of the volumes."""

    def __init__(self) -> None:
        self._texts: dict[str, Text] = {}

    def take(self, reply: Reply, _budget: ReadBudget) -> list[Finding]:
        """Keep a reply until both are there."""
        self._texts[reply.name] = reply.text, reply.places
        return []

    def finish(self, observed: Observed, unread: bool) -> tuple[Observed, list[Finding]]:
        """What was observed, with the system under the name of this product."""
        system, findings = (None, []) if unread else pool_of(self._texts)
        return (observed._replace(own={**observed.own, PROVIDER: system}) if system else observed), findings


def pool_of(texts: Mapping[str, Text]) -> tuple[ObservedPool | None, list[Finding]]:
    """The system that the replies describe, and findings about the replies; `texts` are by the name of their files.

    The system is None where the reply to `scli --login` is missing or unreadable: device names contain the system's id.
    """
    findings: list[Finding] = []
    volumes: dict[str, ObservedPoolVolume] = {}
    lines: dict[str, str] = {}
    if VOLUMES in texts:
        findings += _take_volumes(texts[VOLUMES], volumes, lines)
    system = None
    if LOGIN in texts:
        text, places = texts[LOGIN]
        try:
            system = ObservedPool(system_of(text), volumes, lines, *_counts(texts))
        except ReplyError as error:
            findings.append(Finding("PX301", str(error), position=places.at(error.line, error.column)))
    elif texts:
        message = "the id of the system is missing: the devices of its volumes are named by it and by their own"
        hint = f"collect the reply to `scli --login` as {LOGIN}"
        findings.append(Finding("PX303", message, hint=hint, position=texts[VOLUMES][1].at(1, 1)))
    return system, findings


def _take_volumes(reply: Text, volumes: dict[str, ObservedPoolVolume], lines: dict[str, str]) -> list[Finding]:
    """Add the volumes that a reply lists. Where it lists a name twice, the later row holds, with a finding."""
    text, places = reply
    findings: list[Finding] = []
    names: dict[str, str] = {}
    try:
        for found in volumes_of(text):
            position = places.at(found.line, 1)
            if isinstance(found, Unreadable):
                findings.append(Finding("PX303", f"volume: {found.why}", position=position))
                continue
            name, volume, line = found
            if name in volumes and volumes[name] != volume:
                findings.append(_contradiction(found, volumes[name], lines[name], position))
            if names.setdefault(volume.id, name) != name:
                message = f"volume {quoted(name)} has the id of {quoted(names[volume.id])}, {volume.id}"
                findings.append(Finding("PX303", message, position=position))
            volumes[name], lines[name] = volume, f"{VOLUMES}:{line}"
    except ReplyError as error:
        findings.append(Finding("PX301", str(error), position=places.at(error.line, error.column)))
    return findings[:_MOST_FINDINGS]


def _contradiction(found: Found, earlier: ObservedPoolVolume, earlier_place: str, position: Position) -> Finding:
    """PX309 where two rows of one name have two ids: a script would format the later one. PX307 otherwise."""
    name, volume, _ = found
    if volume.id != earlier.id:
        message = f"volume {quoted(name)} has the id {volume.id}, and in {earlier_place} {earlier.id}"
        return Finding("PX309", message, hint="keep only the newest reply", position=position)
    message = f"volume {quoted(name)} differs from what {earlier_place} says of it; this line holds"
    return Finding("PX307", message, position=position)


def system_of(text: str) -> str:
    """The system id, 16 hexadecimal digits, that the reply to `scli --login` names. ReplyError for none, or for two."""
    ids: dict[str, int] = {}
    for number, line in _lines(text):
        for match in _SYSTEM.finditer(line):
            word = match[1].lower().removeprefix("0x")
            if not _is_id(word):
                raise ReplyError(f"the system id is {quoted(match[1])}, {_ID_WORDS}", number)
            ids.setdefault(word, number)
    if not ids:
        raise ReplyError("no line says `System ID is` and 16 hexadecimal digits: collect the reply to `scli --login`")
    if len(ids) > 1:
        message = f"two system ids, {' and '.join(list(ids)[:2])}: one folder is for one system"
        raise ReplyError(message, list(ids.values())[1])
    return next(iter(ids))


def volumes_of(text: str) -> Iterator[Found | Unreadable]:
    """The volumes that the reply to `scli --query_all_volumes` lists, in its order.

    Volumes without a name are left out: pixsize names all of its own. ReplyError where the text is no such reply.
    """
    is_reply, pool = False, None
    for number, line in _lines(text):
        if not _VOLUME.search(line):
            if _HEADING.match(line):
                heading = _POOL.fullmatch(line)
                pool = heading[1] if heading and _NAME.fullmatch(heading[1]) else None
            is_reply = is_reply or "query-all-volumes" in line.lower()
            continue
        is_reply = True
        try:
            found = _volume(line, pool)
        except FieldError as error:
            yield Unreadable(str(error), number)
            continue
        if found is not None:
            yield Found(*found, number)
    if not is_reply:
        raise ReplyError("no line says `Volume ID`: collect the reply to `scli --query_all_volumes`")


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, from 1. ReplyError for an empty file, too many lines, or a very long one."""
    if not text.strip():
        raise ReplyError("the file is empty")
    for number, line in enumerate(text.split("\n"), 1):
        if number > _MOST_LINES:
            raise ReplyError(f"more than {_MOST_LINES:,} lines; no pool has that many volumes", number)
        if len(line) > _LONGEST_LINE:
            raise ReplyError(f"a line of {len(line):,} characters", number)
        yield number, line


def _volume(line: str, pool: str | None) -> tuple[str, ObservedPoolVolume] | None:
    """The volume of a line; None for one without a name. FieldError names the part that cannot be read."""
    match = _ROW.fullmatch(line)
    if match is None:
        raise FieldError("the line does not say `Volume ID: ... Name: ... Size: ...`")
    volume_id = match["id"].lower()
    if not _is_id(volume_id):
        raise FieldError(f"the id is {quoted(match['id'])}, {_ID_WORDS}")
    if match["name"] == _NAMELESS:
        return None
    if not _NAME.fullmatch(match["name"]):
        allowed = "at most 31 letters, digits, `_`, `.` and `-`"
        raise FieldError(f"the name is {quoted(match['name'])}, and not {allowed}")
    size, rest = _bytes(match["size"])
    mapped, provisioned = _MAPPED.search(rest), _PROVISIONED.search(rest)
    sdcs = None if mapped is None else 0 if mapped[1] else int(mapped[2])
    thin = None if provisioned is None else provisioned[1].lower() == "thin"
    return match["name"], ObservedPoolVolume(volume_id, size, sdcs, pool, thin)


def _bytes(text: str) -> tuple[int, str]:
    """The exact size in bytes, and the text behind it; a rounded size before it has the exact one in brackets."""
    match = _SIZE.match(text)
    size = int(match[1]) * _UNITS[match[2].upper()] if match else 0
    if match is None or not 0 < size <= _MOST_BYTES:
        raise FieldError(f"the size is {quoted(text.strip())}, no whole number of KB, MB, GB or TB")
    return size, text[match.end() :]


def _is_id(word: str) -> bool:
    return bool(_ID.fullmatch(word)) and word != _NO_ID


def _counts(texts: Mapping[str, Text]) -> tuple[int | None, int | None]:
    """The number of volumes that a list announces, summed over its headings, and its number of rows; or None twice."""
    text = texts[VOLUMES][0] if VOLUMES in texts else ""
    announced = [int(count) for count in _ANNOUNCED.findall(text)]
    return (sum(announced), sum(1 for line in text.split("\n") if _VOLUME.search(line))) if announced else (None, None)
