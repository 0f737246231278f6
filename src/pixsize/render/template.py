"""The texts of rendered files: templates, and values as words of them.

The template engine is loaded when the first text is made. Whatever could be read as anything but one word is a bug,
and raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pixsize import resources

if TYPE_CHECKING:
    from jinja2 import Environment


def fill(template: str, view: Mapping[str, Any]) -> str:
    """The text of a template with the values of a view; a name that the view lacks is a bug, and raises."""
    return _environment().get_template(template).render(view)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(resources.folder("templates")),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701  no HTML is made; words.py checks every argument
        auto_reload=False,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )


BLOCK = 512
"""What the ME4 counts sizes in where a size has no unit."""


_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]{0,31}")


_DEVICE = re.compile(r"/dev(?:/[A-Za-z0-9][A-Za-z0-9_.:+=-]*)+")


_NID = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,3}){3}@(?:o2ib|tcp))([0-9]{0,4})")


_WWID = re.compile(r"[0-9a-f]{33}")


_LIVE = tuple(
    re.compile(pattern, re.ASCII | re.IGNORECASE)
    for pattern in (
        r"(?<=\])(?=[(\[:])",
        r"(?<=\[)(?=\[)",
        r"(?<=<)(?=[a-z/!?])",
        r"(?<=:)(?=//)",
        r"(?<=\bwww)(?=\.)",
        r"(?<=[a-z0-9._+-])(?=@[a-z0-9_-]+\.)",
    )
)
"""Places between two signs that start a link, an image or a tag, or stand in an address that is shown as a link."""


_SOME = 4
"""How many names a message has before it counts the rest."""


_SCSI = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 _-]{0,14}[A-Za-z0-9_-])?")


def word(value: object) -> str:
    """`value` as one argument of an array's command line, of a stanza or of a shell; no quotes are ever needed."""
    return _checked(_WORD, str(value))


def name(value: str) -> str:
    """The name of a group, volume, alias or NSD: 32 characters at most, of the kinds that GPFS knows."""
    return _checked(_NAME, value)


def device(path: str) -> str:
    """The path of a block device below /dev, without a part that climbs."""
    return _checked(_DEVICE, path)


def nid(text: str) -> str:
    """An address of LNet as Lustre writes it: the first network of a kind has no number."""
    match = _NID.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no address of LNet, and may not stand in a rendered file")
    return match[1] + (match[2] if match[2] != "0" else "")


def wwid(value: str) -> str:
    """A WWID as multipath knows it: `3` and 32 lower-case hex digits."""
    return _checked(_WWID, value)


def scsi(value: str) -> str:
    """A vendor or product as SCSI devices call themselves, to stand in quotes: no sign of a regular expression."""
    return _checked(_SCSI, value)


def words(values: Iterable[object]) -> str:
    """A list as one argument: commas, no blanks."""
    return ",".join(map(word, values))


def word_list(names: list[str]) -> str:
    """Names of servers in a sentence; many of them by the first and the last."""
    checked = [word(n) for n in names]
    if len(checked) > 6:
        return f"the {len(checked)} servers from {checked[0]} to {checked[-1]}"
    return " and ".join(filter(None, (", ".join(checked[:-1]), checked[-1])))


def some(names: list[str]) -> str:
    """The first of the names, and how many more there are."""
    more = len(names) - _SOME
    return ", ".join(names[:_SOME]) + (f" and {more:,} more" if more > 0 else "")


def clients_name(servers: Iterable[str]) -> str:
    """What the files of the clients are called: as no server is, whatever the servers are called."""
    called, taken = "clients", {s.lower() for s in servers}
    while called in taken:
        called += "_"
    return called


def prose(text: str) -> str:
    """Text of a catalog record on one line, so that it stays within a comment or a table cell, and is no Markdown.

    A blank stands in what would start a link, an image or a tag (CommonMark, Links, Raw HTML; GitHub Flavored Markdown,
    Autolinks), so that people read the same words.
    """
    line = code(text)
    for pattern in _LIVE:
        line = pattern.sub(" ", line)
    return line


def code(text: str) -> str:
    """Text of a catalog record on one line, to stand between backticks, where Markdown starts nothing."""
    printable = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(printable.replace("|", "/").replace("`", "'").split())


def binary_size(size: int) -> str:
    """A size as GPFS and the ME4 write it: `8M`, `512K`, or plain bytes where neither divides it."""
    for unit, factor in (("M", 2**20), ("K", 2**10)):
        if size % factor == 0:
            return f"{size // factor}{unit}"
    return str(size)


def chunk_size(size: int) -> str:
    """A chunk size as `add disk-group` takes it: `512k`."""
    if size <= 0 or size % 1024:
        raise ValueError(f"a chunk of {size} bytes")
    return f"{size // 1024}k"


def blocks(size: int) -> str:
    """A size in 512-byte blocks without a unit, the only exact form that `create volume` takes."""
    if size <= 0 or size % BLOCK:
        raise ValueError(f"{size} bytes are no whole number of blocks")
    return str(size // BLOCK)


def drives(enclosure: int, slots: Iterable[int]) -> str:
    """Drives one by one, `0.0,0.2`: the ME4 has no word for a step."""
    return words(f"{enclosure}.{slot}" for slot in slots)


def drive_pairs(enclosure: int, slots: Sequence[int]) -> str:
    """The mirrors of a RAID 10, `0.0,0.1:0.2,0.3`: two neighbours of the list a mirror."""
    if len(slots) % 2:
        raise ValueError(f"{len(slots)} drives make no pairs")
    return ":".join(drives(enclosure, slots[i : i + 2]) for i in range(0, len(slots), 2))


def drive_ranges(enclosure: int, slots: Iterable[int]) -> str:
    """Drives with runs drawn together, `0.80-83`; the end of a run is a bare slot."""
    return words(f"{enclosure}.{run}" for run in slot_ranges(slots).split(","))


def slot_ranges(slots: Iterable[int]) -> str:
    """Slot numbers with runs drawn together, `0-18,20`."""
    order = sorted(slots)
    starts = [order[0], *(b for a, b in pairwise(order) if b != a + 1)]
    ends = [*(a for a, b in pairwise(order) if b != a + 1), order[-1]]
    return ",".join(f"{a}-{b}" if a != b else f"{a}" for a, b in zip(starts, ends, strict=True))


def _checked(pattern: re.Pattern[str], text: str) -> str:
    if pattern.fullmatch(text) is None:
        raise ValueError(f"{text!r} may not stand in a rendered file")
    return text
