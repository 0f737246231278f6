"""Which slot and port a cable of a design leads to."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pixsize.catalog.designs import OfDesign
from pixsize.catalog.patterns import matching
from pixsize.catalog.records import AdapterId, Few, Many, Model, Ref

Port = Annotated[
    str, matching(r"[A-Za-z0-9](?:[A-Za-z0-9 /]{0,14}[A-Za-z0-9])?", "at most 16 letters, digits, blanks and `/`")
]
"""What is printed beside a slot or a port."""
Ports = Annotated[Many[Port], Field(min_length=1, max_length=16)]


class CabledRole(Model):
    """The servers of one role: the slots of their adapters by adapter, in the order in which cables use them.

    `elsewhere` are slots that the same document names in another place. As many of the network adapters as the design's
    switches have ports for a server lead to the file system, the first ones; the last ones, as many as are `outward`,
    lead to the site's network.
    """

    slots: dict[AdapterId, Ports] = Field(default={})
    outward: int = Field(0, ge=0, le=16)
    elsewhere: dict[AdapterId, Ports] = Field(default={})


Volts = Annotated[str, matching(r"[0-9]{2,3} to [0-9]{2,3} V", "two numbers, such as 200 to 240 V")]


class Supplies(Model):
    """The power supplies of each part of a model, with a cable each.

    `inlet` is the socket of a supply (IEC 60320), `volts` what it takes; each is empty where no document at hand says
    it. `basis` is that of the count.
    """

    count: Few
    inlet: Literal["C14", "C20", ""] = ""
    volts: Volts | Literal[""] = ""
    basis: Literal["specified", "estimated"] = "specified"


class Cabling(OfDesign):
    """The cables of a design: slots and ports of servers, arrays and expansions.

    `servers` are by role. `management` are the ports of each server on the network for the management,
    `controller_management` that of each controller, `switch_management` those of each switch of the data. `expansion`
    is the port between a controller and its expansion, the same at both ends. `supplies` are by model; a model that is
    missing has no cable of power on the sheet.
    """

    servers: dict[str, CabledRole]
    management: Ports
    controller_management: Port
    switch_management: Annotated[Many[Port], Field(max_length=4)] = ()
    expansion: Port
    supplies: dict[Annotated[str, Ref("server", "array", "switch")], Supplies] = Field(default={})
