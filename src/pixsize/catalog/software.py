"""Software of the nodes: the versions that a document ran its system with, and the ports that programs listen on."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator

from pixsize.catalog.designs import OfDesign
from pixsize.catalog.patterns import matching
from pixsize.catalog.records import Many, Record

Printed = Annotated[
    str,
    matching(
        r"(?=.{1,80}\Z)[A-Za-z0-9][A-Za-z0-9._+-]*( [A-Za-z0-9._+-]+)*",
        "a letter or a digit, then at most 79 of A-Z, a-z, 0-9, `.`, `_`, `+`, `-` and single blanks between them",
    ),
]
"""A name or a version as a document prints it; it goes into run books, so it has no signs of Markdown."""


Port = Annotated[int, Field(ge=1, le=65535)]
"""A port of TCP or UDP."""
ByProgram = Annotated[dict[Printed, Annotated[Many[Port], Field(min_length=1)]], Field(max_length=50)]


class Ports(Record):
    """The ports that a product's programs listen on by default, by the name of the program.

    `source_tcp` are the ports that connections to them come from, where the product takes no other.
    """

    product: Printed
    tcp: Annotated[ByProgram, Field(min_length=1)]
    udp: ByProgram = Field(default_factory=dict)
    source_tcp: Many[Port] = ()

    @field_validator("tcp", "udp")
    @classmethod
    def _once(cls, tcp: dict[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
        """Two programs of one server cannot listen on one port, and a firewall is told each port once."""
        users: dict[int, str] = {}
        for program, ports in tcp.items():
            for port in ports:
                if port in users:
                    raise ValueError(f"the port {port} of {program} is that of {users[port]} already")
                users[port] = program
        return tcp


class Software(OfDesign):
    """The versions that a design was validated with on its servers or its clients, by the name of the software.

    No figure is made from them: they say what the document's figures and commands were tried on.
    """

    runs_on: Literal["servers", "clients"]
    versions: dict[Printed, Printed]
