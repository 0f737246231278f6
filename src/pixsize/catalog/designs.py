"""Designs: solutions as documents describe them, their servers, switches and networks, and what belongs to a design."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from pixsize.catalog.patterns import matching
from pixsize.catalog.records import (
    AdapterId,
    DesignId,
    EnclosureId,
    Few,
    LayoutId,
    Many,
    Media,
    Model,
    PoolName,
    Record,
    ServerId,
    SourceRef,
    SwitchId,
)
from pixsize.quantities import Bytes


class ServerRole(Model):
    """Servers of one role: model, how many, and the adapters in each."""

    model: ServerId
    count: Few
    adapters: dict[AdapterId, Few] = Field(default={})


class StorageRole(Model):
    """How a storage module is put together. `layouts` are those of an enclosure, by the variant of the design."""

    servers: ServerRole
    array: EnclosureId
    expansion: EnclosureId = ""
    expansion_sold_for: Many[str] = ()
    layouts: dict[str, LayoutId]
    data_media: Media
    metadata_media: Media | Literal[""] = ""


class MetadataRole(Model):
    """How a module for metadata is put together. `layouts` are those of an array, by the variant of the design."""

    servers: ServerRole
    array: EnclosureId
    arrays_min: Few = 1
    arrays_max: Few = 1
    arrays_max_needs: str = ""
    layouts: dict[str, LayoutId]
    media: Media


class PoolServers(Model):
    """The servers that share their drives: how many drives each has, of which media, and how many targets it serves.

    `pool_adapter` is the one of their adapters that is on the network of the pool.
    """

    servers: ServerRole
    pool_adapter: AdapterId
    drives: Few
    media: Media
    targets: Few


_PAIR = 2
"""Switches that are joined to each other."""


class SwitchRole(Model):
    """Switches of one role; `ports_a_server` on each of them, `ports_an_array` likewise.

    `links_a_port` is how many links of servers share a port by a cable that splits it, as the link that was chosen has
    it. Switches for the management have `ports_a_switch` for each switch of the data. Of the ports of every switch
    `uplinks` lead to the site's network, and of every switch of a pair `joins` to the other one: the last ones.
    """

    model: SwitchId
    count: Few
    ports_a_server: int = Field(ge=0, le=64)
    ports_an_array: int = Field(0, ge=0, le=64)
    ports_a_switch: int = Field(0, ge=0, le=4)
    uplinks: int = Field(0, ge=0, le=16)
    joins: int = Field(0, ge=0, le=32)
    links_a_port: Few = 1

    @model_validator(mode="after")
    def _in_pairs(self) -> Self:
        """Two switches are joined, no other number."""
        if self.joins and self.count != _PAIR:
            raise ValueError("joins: switches of a pair alone are joined, count: 2")
        return self

    @property
    def reserved(self) -> int:
        """The ports of each switch that no server, array or client can have."""
        return self.uplinks + self.joins

    def ports(self, servers: int, arrays: int) -> int:
        """The ports of one switch that so many servers and arrays take; a port of which one leg is free is taken."""
        return -(-servers * self.ports_a_server // self.links_a_port) + arrays * self.ports_an_array


FabricName = Annotated[
    str,
    matching(
        r"[a-z][a-z0-9]{0,20}(-[a-z0-9]{1,20}){0,3}", "small letters, digits and single `-`, such as ethernet-200"
    ),
]
"""The name of a network in a request."""
LinkName = Annotated[str, matching(r"[a-z0-9]{1,20}", "at most 20 small letters and digits, such as hdr100")]
"""The name of a link in a request."""


class FabricLink(Model):
    """A rate that the ports of a fabric can be set to, and the adapter that is set to it.

    `links_a_port` is how many such links share a port of the switch, by a cable that splits it. Its basis is
    `estimated` where no document at hand says so.
    """

    name: LinkName
    adapter: AdapterId
    links_a_port: Few = 1
    links_a_port_basis: Literal["specified", "estimated"] = "specified"


class Fabric(Model):
    """A network that a design can have for its data: the model of its switches, and its links, the full rate first."""

    name: FabricName
    switch: SwitchId
    links: Annotated[Many[FabricLink], Field(min_length=1, max_length=8)]

    @model_validator(mode="after")
    def _once(self) -> Self:
        """A name means one link."""
        if len({link.name for link in self.links}) < len(self.links):
            raise ValueError("links: two links have one name")
        return self


class Documented(Model):
    """Where the document of a design describes it: places that figures cite.

    They are of the raw and the formatted capacity, the layout of groups and targets, how rates grow with modules, and
    the links between the parts. `counted` says what the formatted capacity of the document leaves out. `data_volume` is
    the size of a volume for data as the document prints it, without a word on its units.
    """

    raw: SourceRef
    formatted: SourceRef
    layout: SourceRef
    grows: SourceRef
    chain: SourceRef
    counted: str = ""
    data_volume_bytes: Bytes | None = Field(None, alias="data_volume")


class Design(Record):
    """A solution as its document describes it. `volumes` and `filesystem` name the products that it is made of.

    Figures of a design without `documented` places cite its first source. `fabrics` are the networks that a request can
    choose from; the first is the one that `switches` and the adapters of its servers make.
    """

    volumes: str
    filesystem: str
    documented: Documented | None = None
    management: ServerRole | None = None
    switches: Many[SwitchRole]
    fabrics: Annotated[Many[Fabric], Field(max_length=16)] = ()
    defaults: dict[str, Any]

    @model_validator(mode="after")
    def _fabrics_once(self) -> Self:
        """A name means one fabric."""
        if len({fabric.name for fabric in self.fabrics}) < len(self.fabrics):
            raise ValueError("fabrics: two fabrics have one name")
        return self


class ArrayDesign(Design):
    """A solution whose volumes lie on arrays; `data_pool` is where the file system has pools."""

    storage: StorageRole
    metadata: MetadataRole
    data_pool: PoolName | Literal[""] = ""
    owners: Annotated[Many[Literal["a", "b"]], Field(min_length=1)]


class PoolDesign(Design):
    """A solution whose servers share their own drives in a pool."""

    storage: PoolServers
    metadata: ServerRole
    pool: PoolName
    domain: PoolName


class OfDesign(Record):
    """What belongs to a design; `Catalog.of_design` finds it, whichever id the design has now."""

    design: DesignId


class AddedServers(OfDesign):
    """The servers that a product adds to a system of a design, all alike; `count` of the servers is the least."""

    servers: ServerRole

    @model_validator(mode="after")
    def _of_one_kind(self) -> Self:
        """Their adapters are of one kind: which of them lead to the file system is a matter of the count alone."""
        if len(self.servers.adapters) != 1:
            raise ValueError("servers.adapters: adapters of one kind, whose links are counted")
        return self


class ModuleSize(OfDesign):
    """A size of storage module in a design."""

    size: str
    arrays: Few
