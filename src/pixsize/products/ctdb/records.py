"""Gateways of a design, as its document describes them."""

from __future__ import annotations

from pixsize.catalog.records import OfDesign, ServerRole


class GatewayDesign(OfDesign):
    """The servers of a design's gateways; `interface` is where clients reach them, `count` of the servers is the least.

    `links` is how many of the adapters of each server lead to the file system; the others lead to the clients.
    """

    servers: ServerRole
    links: int
    interface: str
