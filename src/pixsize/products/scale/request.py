"""Completed requests for IBM Storage Scale on modules of arrays."""

from typing import Any, ClassVar, Literal

from pydantic import Field

from pixsize import units
from pixsize.arrays.request import ChunkSize, ModuleHosts
from pixsize.quantities import Bytes
from pixsize.request import COMPLETED, Accepted, Addresses, Words


class StorageModules(Words):
    """`count` equal storage modules. Drives are a capacity with its unit, or a catalog id."""

    form: ClassVar[str] = "{size: large, data_drive: 12 TB}"
    size: str = Field(description="small, medium or large; further sizes come from the catalog")
    count: int = Field(1, ge=1, description="how many equal modules")
    expansion: bool = Field(False, description="an expansion behind each array")
    data_drive: str = Field(description="a capacity that the design offers, such as 12 TB, or a catalog id")
    metadata_drive: str | None = Field(None, description="standard variant only: the SSDs in the last four slots")
    chunk_bytes: ChunkSize
    hosts: ModuleHosts


class Hdmd(Words):
    """High-demand metadata: modules of a server pair with arrays of their own; they serve the whole file system."""

    form: ClassVar[str] = "{arrays: 1, drive: 960 GB}"
    modules: int = Field(1, ge=1, description="how many HDMD modules")
    arrays: int = Field(1, ge=1, description="arrays a module, as many as the design takes")
    drive: str = Field(description="SSD capacity, such as 960 GB, or a catalog id")
    hosts: tuple[str, ...] = Field(
        strict=False, json_schema_extra=COMPLETED, description="the servers' names in the cluster, two a module"
    )


class Descriptor(Words):
    """A descOnly NSD outside the metadata arrays, so that the descriptor outlives the loss of one of them."""

    form: ClassVar[str] = "{server: q1, device: /dev/mapper/desc}"
    server: str = Field(description="a server of the cluster that serves none of the metadata arrays")
    device: str = Field(description="its block device, a path that stays the same after a restart")


class Filesystem(Words):
    """The file system on the modules."""

    form: ClassVar[str] = "{name: mmfs1}"
    name: str = Field(description="also the name of its device and of its mount point")
    block_bytes: Bytes = Field(
        alias="block_size", json_schema_extra=COMPLETED, description="a power of two, 64 KiB to 16 MiB"
    )
    inode_bytes: Bytes = Field(
        alias="inode_size",
        json_schema_extra=COMPLETED,
        description="512 B, 1 KiB or 4 KiB (catalog: `scale.inode_sizes`)",
    )
    metadata_replicas: int = Field(
        2, ge=1, description="how many copies of the metadata there are, at most 3 (catalog: `scale.replicas_max`)"
    )
    failure_groups: Literal["per_array", "sides"] = Field(
        json_schema_extra=COMPLETED,
        description="of metadata arrays: one group an array, or odd arrays against even ones",
    )
    descriptor: Descriptor | None = Field(None, description="where a third copy of the file-system descriptor lies")


class ServersNetwork(Words):
    """A further network of all servers. Addresses are taken from the subnet in the order of the servers, or given."""

    form: ClassVar[str] = "{subnet: 10.20.0.0/24}"
    subnet: str | None = Field(None, description="such as 10.20.0.0/24; left out where `addresses` stands")
    router: str | None = Field(None, description="the address of its router, which nothing of the system has then")
    addresses: Addresses = Field(json_schema_extra=COMPLETED, description="the address of each server by its name")


class ScaleNetwork(Words):
    """The network of the file system's daemons: InfiniBand with IP addresses, or Ethernet."""

    form: ClassVar[str] = "{subnet: 10.10.0.0/24}"
    subnet: str | None = Field(None, description="such as 10.10.0.0/24; left out where `addresses` stands")
    router: str | None = Field(None, description="the address of its router, which nothing of the system has then")
    addresses: Addresses = Field(
        default_factory=dict,
        json_schema_extra=COMPLETED,
        description="the address of each server by its name; without `subnet`, needed where files need addresses",
    )
    client_ports: int = Field(
        0,
        ge=0,
        le=65_536,
        description="ports of clients that the switches must hold, too; left out: one for each of `cluster.clients`",
    )
    management: ServersNetwork | None = Field(
        None,
        description="the network that servers are managed on; by its `subnet` controllers of arrays and switches, too",
    )
    bmc: ServersNetwork | None = Field(None, description="the network of the servers' management controllers")
    domain: str | None = Field(None, description="the domain of the servers' names, such as example.org")
    ntp: tuple[str, ...] = Field((), strict=False, description="whom the servers ask for the time: hosts or addresses")
    dns: tuple[str, ...] = Field((), strict=False, description="addresses of the name servers, three at the most")
    fabric: str | None = Field(
        None, description="a network of the design, such as ethernet-200; left out: the design's choice"
    )
    link: str | None = Field(None, description="a link of the fabric, such as hdr100; left out: its full rate")
    switches: Literal["included", "customer"] | None = Field(
        None, description="included, or the customer's: then their ports are counted, and no switch is planned"
    )


class Clients(Words):
    """The nodes that mount the file system and serve nothing: as many, or by their names."""

    form: ClassVar[str] = "{count: 64}"
    count: int = Field(ge=1, json_schema_extra=COMPLETED, description="how many; left out: as many as `hosts` names")
    hosts: tuple[str, ...] = Field(strict=False, json_schema_extra=COMPLETED, description="their names in the cluster")


class ManagementWords(Words):
    """What the vendor's software does on the management servers, beside managing. It is installed by its guide."""

    form: ClassVar[str] = "{search: true, monitoring: true}"
    search: bool = Field(False, description="the advanced search, with its database")
    monitoring: bool = Field(False, description="monitoring and analytics")


class ClusterWords(Words):
    """The GPFS cluster of all servers."""

    form: ClassVar[str] = "{name: campus}"
    name: str | None = Field(None, description="its name; left out: the name of the request")
    admin: str | None = Field(
        None, description="the server that its commands are entered on; left out: the first management server"
    )
    remote_shell: str = Field("/usr/bin/ssh", description="the program that reaches the other servers")
    remote_copy: str = Field("/usr/bin/scp", description="the program that copies files to them")
    clients: Clients | None = Field(None, description="nodes that mount the file system; left out: none are planned")


class ScaleRequest(Words):
    """A completed request for IBM Storage Scale. Drives are catalog ids, whatever words the user chose."""

    name: str = Field(description="the name of the system")
    design: str = Field(description="a design of the catalog, such as pixstor-6")
    storage_modules: tuple[StorageModules, ...] = Field(strict=False, min_length=1, description="any number, any mix")
    hdmd: Hdmd | None = Field(None, description="left out: the standard variant, metadata on SSDs beside the data")
    filesystem: Filesystem = Field(description="the file system on the modules")
    network: ScaleNetwork | None = Field(None, description="left out: what needs addresses is not rendered")
    cluster: ClusterWords | None = Field(None, description="left out: a cluster with the name of the request")
    management: ManagementWords | None = Field(None, description="left out: neither search nor monitoring is planned")
    accept: tuple[Accepted, ...] = Field((), strict=False, description="warnings that the user takes on")


def measured_words(request: ScaleRequest) -> dict[str, Any]:
    """The system of a completed request, in the words of a measured one."""
    modules = [
        {"size": m.size, "count": m.count, "expansion": m.expansion, "data_drive": m.data_drive}
        | ({"metadata_drive": m.metadata_drive} if m.metadata_drive else {})
        for m in request.storage_modules
    ]
    words: dict[str, Any] = {"design": request.design, "storage_modules": modules}
    if request.hdmd:
        words["hdmd"] = {"modules": request.hdmd.modules, "arrays": request.hdmd.arrays, "drive": request.hdmd.drive}
    words["block_size"] = units.binary_bytes(request.filesystem.block_bytes)
    network = request.network
    if network and network.fabric:
        words["fabric"] = network.fabric
        words |= {"link": network.link} if network.link else {}
    return words
