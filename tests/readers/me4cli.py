"""Reads the files that an ME4 array is fed: five commands, one a line, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, field

_NAME = r"(?P<name>[A-Za-z0-9_-]{1,31})"
_ADD_GROUP = re.compile(
    r"add disk-group type linear disks (?P<disks>[0-9.,:-]+) level (?P<level>r1|r5|r6|r10) "
    rf"assigned-to (?P<owner>a|b)(?: chunk-size (?P<chunk>64|128|256|512)k)? {_NAME}"
)
_ADD_SPARES = re.compile(r"add spares (?P<disks>[0-9.,-]+)")
_CREATE = re.compile(
    rf"create volume pool (?P<group>[A-Za-z0-9_-]{{1,31}}) "
    rf"size (?P<size>[0-9]+)(?P<unit>[A-Za-z]*) {_NAME}"
)
_MAP = re.compile(rf"map volume access read-write lun (?P<lun>[0-9]+) {_NAME}")
_DISKS = re.compile(r"([0-9]+)\.([0-9]+)(?:-([0-9]+))?")
_UNITS = {"": 512, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_UNITS |= {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}


@dataclass(frozen=True)
class Group:
    """`add disk-group`: drives as (enclosure, slot) in the order given, chunk in bytes."""

    name: str
    disks: tuple[tuple[int, int], ...]
    level: str
    owner: str
    chunk: int | None


@dataclass(frozen=True)
class NewVolume:
    """`create volume`: size in bytes."""

    name: str
    group: str
    bytes: int


@dataclass
class Array:
    """What the commands, run in their order, leave on an empty array."""

    groups: dict[str, Group] = field(default_factory=dict)
    spares: set[tuple[int, int]] = field(default_factory=set)
    volumes: dict[str, NewVolume] = field(default_factory=dict)
    luns: dict[str, int] = field(default_factory=dict)


def read_cli(text: str, array: Array | None = None) -> Array:
    """The array after the commands in `text`, run on `array` or on an empty one.

    ValueError for a line that is none of the five commands to the letter, for a drive, name or LUN that is taken, and
    for a volume or map that refers to nothing.
    """
    array = array or Array()
    if text and not text.endswith("\n"):
        raise ValueError("the last line has no end")
    for line in text.split("\n")[:-1]:
        _run(line, array)
    return array


def read_disks(text: str) -> list[tuple[int, int]]:
    """Drives of a list such as `0.0,0.2-4,1.7`; the pairs of a RAID 10 may be parted by colons."""
    disks: list[tuple[int, int]] = []
    for part in re.split("[,:]", text):
        match = _DISKS.fullmatch(part)
        if match is None:
            raise ValueError(f"{part!r} in {text!r} names no drives")
        first, last = int(match[2]), int(match[3] or match[2])
        if last < first:
            raise ValueError(f"{part} runs backwards")
        disks += ((int(match[1]), slot) for slot in range(first, last + 1))
    return disks


def _run(line: str, array: Array) -> None:
    if m := _ADD_GROUP.fullmatch(line):
        _free(array, m["disks"])
        _new(array.groups, m["name"])
        chunk = int(m["chunk"]) * 1024 if m["chunk"] else None
        array.groups[m["name"]] = Group(m["name"], tuple(read_disks(m["disks"])), m["level"], m["owner"], chunk)
    elif m := _ADD_SPARES.fullmatch(line):
        _free(array, m["disks"])
        array.spares |= set(read_disks(m["disks"]))
    elif m := _CREATE.fullmatch(line):
        _known(array.groups, m["group"])
        _new(array.volumes, m["name"])
        array.volumes[m["name"]] = NewVolume(m["name"], m["group"], int(m["size"]) * _UNITS[m["unit"]])
    elif m := _MAP.fullmatch(line):
        _known(array.volumes, m["name"])
        _new(array.luns, m["name"])
        if int(m["lun"]) in array.luns.values():
            raise ValueError(f"the LUN in {line!r} is taken")
        array.luns[m["name"]] = int(m["lun"])
    else:
        raise ValueError(f"no command: {line!r}")


def _free(array: Array, text: str) -> None:
    disks = read_disks(text)
    taken = array.spares.union(*(g.disks for g in array.groups.values()))
    if len(set(disks)) != len(disks) or taken & set(disks):
        raise ValueError(f"a drive of {text} is taken")


def _new(names: Iterable[str], name: str) -> None:
    if name.lower() in (n.lower() for n in names):
        raise ValueError(f"the name {name} is taken")


def _known(names: Container[str], name: str) -> None:
    if name not in names:
        raise ValueError(f"there is no {name}")
