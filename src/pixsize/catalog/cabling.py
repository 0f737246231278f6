"""Which slot and port a cable of a design leads to."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from pixsize.catalog.patterns import matching
from pixsize.catalog.records import AdapterId, Many, Model, OfDesign

Port = Annotated[
    str, matching(r"[A-Za-z0-9](?:[A-Za-z0-9 /]{0,14}[A-Za-z0-9])?", "at most 16 letters, digits, blanks and `/`")
]
"""What is printed beside a slot or a port."""
Ports = Annotated[Many[Port], Field(min_length=1, max_length=16)]


class CabledRole(Model):
    """The servers of one role: the slots of their adapters by adapter, in the order in which cables use them.

    `elsewhere` are slots that the same document names in another place. As many of the network adapters as the design's
    switches have ports for a server lead to the file system, the first ones; the others are not cabled here.
    """

    slots: dict[AdapterId, Ports] = Field(default={})
    elsewhere: dict[AdapterId, Ports] = Field(default={})


class Cabling(OfDesign):
    """The cables of a design: slots and ports of servers, arrays and expansions.

    `servers` are by role. `management` are the ports of each server on the network for the management,
    `controller_management` that of each controller. `expansion` is the port between a controller and its expansion, the
    same at both ends.
    """

    servers: dict[str, CabledRole]
    management: Ports
    controller_management: Port
    expansion: Port
