"""Ngenea nodes of a design, and the types of storage that Ngenea moves files to."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from pixsize.catalog.designs import AddedServers
from pixsize.catalog.patterns import matching
from pixsize.catalog.records import Many, Model, Natural, Record

Key = Annotated[str, matching(r"[A-Za-z][A-Za-z0-9]{0,63}", "a letter, then at most 63 of A-Z, a-z and 0-9")]
"""A key of an INI file, or a parameter of the file system's cluster."""
Folder = Annotated[
    str, matching(r"(/[A-Za-z0-9][A-Za-z0-9_.-]{0,63}){1,8}", "an absolute path of A-Z, a-z, 0-9, `_`, `.` and `-`")
]
Interface = Annotated[str, matching(r"[a-z][a-z0-9_.-]{0,14}", "a name of an interface, such as bond1")]
Template = Annotated[
    str,
    matching(r"(?:[A-Za-z0-9$:/_.-]|\{name\}){1,80}", "A-Z, a-z, 0-9, `$`, `:`, `/`, `_`, `.`, `-`, and {name}"),
]
"""A value of an INI file; `{name}` stands for the name of the target."""
Word = Literal["endpoint", "port", "scheme", "bucket", "region", "path", "credentials_file"]
"""A word of a target in a request."""


class NgeneaSetting(Model):
    """A setting of the cluster that Ngenea needs; more than `above`, where it stands, is enough."""

    parameter: Key
    value: Natural
    above: Natural | None = None


class NgeneaDesign(AddedServers):
    """The servers of a design's Ngenea nodes, and what is set and kept on them.

    `interface` is the one towards the targets; `folder` is where the files of the targets lie, `master` the file in it
    that lists them.
    """

    interface: Interface
    folder: Folder
    master: Annotated[str, matching(r"[a-z][a-z.]{0,62}", "a small letter, then at most 62 of a-z and `.`")]
    settings: Many[NgeneaSetting]


class NgeneaType(Record):
    """A type of storage that Ngenea moves files to.

    A target `needs` some words of a request, `asks` for some that the vendor requires though other programs do without,
    and may have those that it `takes`. `keys` are the keys of its file by these words, and `names` the keys that say
    how objects are called. Both are empty where no public page lists the keys of the type.
    """

    id_means: ClassVar[str] = "the id of a type of storage is ngenea. and the word of a request for it"
    type: str
    needs: Many[Word]
    asks: Many[Word] = ()
    takes: Many[Word] = ()
    keys: dict[Word, Key] = Field(default_factory=dict)
    names: dict[Key, Template] = Field(default_factory=dict)


def type_id(kind: str) -> str:
    """The catalog id of a type of storage."""
    return f"ngenea.{kind}"
