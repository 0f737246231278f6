"""Gateways of a design, as its document describes them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from pixsize.catalog.designs import AddedServers
from pixsize.catalog.records import Many, Model, Record
from pixsize.catalog.software import Printed

SETTINGS = "gateways.settings"
Port = Annotated[int, Field(ge=1, le=65535)]


class GatewayDesign(AddedServers):
    """The servers of a design's gateways; `interface` is where clients reach them."""

    interface: str


class NfsPorts(Model):
    """The ports of the services beside NFS itself: firewalls and a takeover need the same ones on every gateway."""

    statd: Port
    statd_outgoing: Port
    mountd: Port
    lockd: Port
    rquotad: Port


class Origin(Model):
    """Where `packages` come from that a plain RHEL does not have: a place, and the repository or package that opens it.

    A place that is `subscribed` is of Red Hat; another one is added.
    """

    packages: Many[Printed]
    place: Printed
    repository: Printed
    subscribed: bool


class GatewaySettings(Record):
    """What CTDB, Samba, NFS and DNS have in common on every cluster of gateways.

    `netbios_chars` and `share_chars` are the longest names, `reserved_shares` mean something else to Samba. Users of
    Active Directory get numbers from `first_id` on, `ids_a_domain` for each of so many `domains`; clients keep an
    address of the name for `ttl` seconds. `origins` are those of packages that need more than a plain RHEL.
    """

    netbios_chars: int = Field(ge=1, le=15)
    share_chars: int = Field(ge=1, le=80)
    reserved_shares: Many[str]
    nfs_ports: NfsPorts
    first_id: int = Field(ge=1, lt=2**30)
    ids_a_domain: int = Field(ge=2000, lt=2**24)
    domains: int = Field(ge=1, le=64)
    ttl: int = Field(ge=0, le=86400)
    origins: Many[Origin]
