"""Software of the nodes: the versions that a document ran its system with, and the ports that programs listen on."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pixsize.catalog.records import Many, OfDesign, Record
from pixsize.catalog.shaped import shaped

Printed = Annotated[
    str,
    shaped(
        r"[A-Za-z0-9][A-Za-z0-9 ._+-]{0,79}",
        "a letter or a digit, then at most 79 of A-Z, a-z, 0-9, `.`, `_`, `+`, `-` and blanks",
    ),
]
"""A name or a version as a document prints it; it goes into run books, so it has no signs of Markdown."""


Port = Annotated[int, Field(ge=1, le=65535)]
"""A port of TCP."""


class Ports(Record):
    """The TCP ports that a product's programs listen on when nobody changed them, by the name of the program."""

    product: Printed
    tcp: Annotated[dict[Printed, Annotated[Many[Port], Field(min_length=1)]], Field(min_length=1)]


class Software(OfDesign):
    """The versions that a design was validated with on its servers or its clients, by the name of the software.

    No figure is made from them: they say what the document's figures and commands were tried on.
    """

    runs_on: Literal["servers", "clients"]
    versions: dict[Printed, Printed]
