"""The texts of rendered files: templates, and values as words of them.

The template engine is loaded when the first text is made. Whatever could be read as anything but one word is a bug,
and raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pixsize import resources

if TYPE_CHECKING:
    from jinja2 import Environment


def fill(template: str, view: Mapping[str, Any]) -> str:
    """The text of a template with the values of a view; a name that the view lacks is a bug, and raises."""
    return _environment().get_template(template).render(view)


def fill_html(template: str, view: Mapping[str, Any]) -> str:
    """The same as HTML: every value is escaped, but for what the template calls safe."""
    return _environment(html=True).get_template(template).render(view)


@lru_cache(maxsize=2)
def _environment(html: bool = False) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(resources.folder("templates")),
        undefined=StrictUndefined,
        autoescape=html,  # noqa: S701  all else is no HTML, and the functions below check every argument
        auto_reload=False,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )


_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]{0,31}")
_DEVICE = re.compile(r"/dev(?:/[A-Za-z0-9][A-Za-z0-9_.:+=-]*)+")
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


def word(value: object) -> str:
    """`value` as one argument of a shell, an array or a stanza; no quotes are ever needed."""
    return checked(_WORD, str(value))


def name(value: str) -> str:
    """The name of a disk group, a volume or a target: 32 letters, digits and underscores at most."""
    return checked(_NAME, value)


def device(path: str) -> str:
    """The path of a block device below /dev, without a part that climbs."""
    return checked(_DEVICE, path)


def comma_list(values: Iterable[object]) -> str:
    """A list as one argument: commas, no blanks."""
    return ",".join(map(word, values))


def word_list(names: list[str]) -> str:
    """Names of servers in a sentence; many of them by the first and the last."""
    checked = [word(n) for n in names]
    if len(checked) > 6:
        return f"the {len(checked)} servers from {checked[0]} to {checked[-1]}"
    return " and ".join(filter(None, (", ".join(checked[:-1]), checked[-1])))


def duration(seconds: int, *, minutes_below: int = 60, two_digits: bool = False) -> str:
    """A duration rounded up to whole minutes, with hours from `minutes_below` minutes on: `40 min`, `5 h 20 min`.

    `two_digits`: minutes behind hours always stand, with two digits.
    """
    minutes = -(-seconds // 60)
    if minutes < minutes_below:
        return f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    if two_digits:
        return f"{hours:,} h {rest:02} min"
    return f"{hours:,} h" + (f" {rest} min" if rest else "")


def clients_name(servers: Iterable[str]) -> str:
    """What the files of the clients are called: as no server is, whatever the servers are called."""
    called, taken = "clients", {s.lower() for s in servers}
    while called in taken:
        called += "_"
    return called


def prose(text: str) -> str:
    """Text of a catalog record on one line and without Markdown, so that it stays within a comment or a table cell.

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
    """A size as GPFS and Lustre write it: `8M`, `512K`, or plain bytes where neither divides it."""
    for unit, factor in (("M", 2**20), ("K", 2**10)):
        if size % factor == 0:
            return f"{size // factor}{unit}"
    return str(size)


def checked(pattern: re.Pattern[str], text: str) -> str:
    """The text, where the pattern matches all of it. ValueError where it does not."""
    if pattern.fullmatch(text) is None:
        raise ValueError(f"{text!r} may not stand in a rendered file")
    return text
