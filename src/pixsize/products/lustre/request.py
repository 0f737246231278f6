"""Completed requests for Lustre: on modules of arrays, and on servers that share their drives in a pool."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from pixsize.arrays.request import ChunkSize, ModuleHosts
from pixsize.quantities import Bytes
from pixsize.request import COMPLETED, Accepted, Addresses, PoolWords, Words

LEAST_SERVERS = 3
"""Fewer cannot share a mirrored pool that survives one of them."""
Outlets = dict[str, Annotated[tuple[str, ...], Field(strict=False)]]
"""A server's name -> the outlets that feed it."""


class ObjectModules(Words):
    """`count` equal pairs of object storage servers with their arrays."""

    form: ClassVar[str] = "{size: large, data_drive: 8 TB}"
    size: str = Field(description="small, medium or large; further sizes come from the catalog")
    count: int = Field(1, ge=1, description="how many equal modules")
    data_drive: str = Field(description="a capacity that the design offers, such as 8 TB, or a catalog id")
    chunk_bytes: ChunkSize
    hosts: ModuleHosts


class ArrayMetadata(Words):
    """The metadata servers: pairs, each with an array for its MDTs."""

    form: ClassVar[str] = "{dne: true, drive: 960 GB}"
    dne: bool = Field(True, description="two MDTs a pair, one active on each server; or one, active/passive")
    pairs: int = Field(1, ge=1, description="how many pairs of metadata servers")
    mgt: Literal["own", "with_mdt0"] = Field("own", description="a volume of its own for the MGT, or MDT0000's")
    drive: str = Field(json_schema_extra=COMPLETED, description="SSD capacity, such as 960 GB, or a catalog id")
    chunk_bytes: Bytes = Field(
        alias="chunk_size",
        json_schema_extra=COMPLETED,
        description="of the RAID 10 groups (catalog: the choice `chunk_sizes` of the arrays)",
    )
    hosts: tuple[str, ...] = Field(
        strict=False, json_schema_extra=COMPLETED, description="the servers' names in the cluster, two a pair"
    )


class PoolMetadata(Words):
    """The metadata servers: one pair, whose targets lie in the pool."""

    form: ClassVar[str] = "{dne: true}"
    dne: bool = Field(True, description="two MDTs, one active on each server; or one, active/passive")
    mgt: Literal["own", "with_mdt0"] = Field("own", description="a volume of its own for the MGT, or MDT0000's")
    hosts: tuple[str, ...] = Field(
        strict=False, json_schema_extra=COMPLETED, description="the servers' names in the cluster, two of them"
    )


class Network(Words):
    """Lustre's own network. Addresses are taken from the subnet in the order of the servers, or given one by one."""

    form: ClassVar[str] = "{lnet: o2ib, interface: ib0, subnet: 10.10.0.0/24}"
    lnet: str = Field(description="the LNet network: o2ib, o2ib1, tcp ...")
    interface: str = Field(description="the interface of every server on it, such as ib0")
    subnet: str | None = Field(None, description="such as 10.10.0.0/24")
    addresses: Addresses = Field(json_schema_extra=COMPLETED, description="the address of each server by its name")
    configured_by: Literal["lnet_conf", "modprobe"] = Field("lnet_conf", description="the one file that sets LNet up")


class SecondFence(Words):
    """How a server is switched off whose controller does not answer, since it lost its power too, for instance."""

    agent: str = Field(description="of power outlets, such as fence_apc_snmp, or fence_sbd")
    outlets: Outlets | None = Field(
        None, description="every outlet that feeds a server, such as [10.31.0.1/7, 10.31.0.2/7], by the server's name"
    )
    devices: tuple[str, ...] | None = Field(
        None,
        strict=False,
        description="of SBD: the paths of one to three small block devices, the same on every server; of "
        "another storage than the targets, and clusters may share them",
    )


class Ring(Words):
    """The second link of corosync, beside the network that the servers' names lead to."""

    subnet: str | None = Field(None, description="such as 10.40.0.0/24")
    addresses: Addresses = Field(json_schema_extra=COMPLETED, description="the address of each server by its name")


class Fencing(Words):
    """How a lost server is switched off. Secrets are never in a request."""

    form: ClassVar[str] = "{agent: fence_idrac, subnet: 10.20.0.0/24}"
    agent: str = Field(description="a fence agent, such as fence_idrac")
    subnet: str | None = Field(None, description="of the servers' management controllers")
    addresses: Addresses = Field(
        json_schema_extra=COMPLETED, description="the address of each server's management controller by its name"
    )
    second: SecondFence | None = Field(None, description="the second level, for when the controller does not answer")
    ring: Ring | None = Field(None, description="a second link for the messages of the cluster")


class LustreFilesystem(Words):
    """The file system on the targets."""

    form: ClassVar[str] = "{name: scratch}"
    name: str = Field(description="the fsname, at most 8 characters")
    stripe_count: int = Field(1, ge=-1, description="OSTs a file by default, -1 for all")
    stripe_bytes: Bytes = Field(
        alias="stripe_size", json_schema_extra=COMPLETED, description="of the default layout, a multiple of 64 KiB"
    )


class PoolVolumes(PoolWords):
    """The sizes of the volumes, beside what every pool has."""

    ost_bytes: Bytes = Field(
        alias="ost", json_schema_extra=COMPLETED, description="the size of each OST, a multiple of 8 GiB"
    )
    mdt_bytes: Bytes = Field(alias="mdt", json_schema_extra=COMPLETED, description="the size of each MDT")
    mgt_bytes: Bytes | None = Field(None, alias="mgt", description="the size of the MGT, where it has a volume")


class ArrayLustreRequest(Words):
    """A completed request for Lustre on arrays. Drives are catalog ids, whatever words the user chose."""

    name: str = Field(description="the name of the system")
    design: str = Field(description="a design of the catalog, such as lustre-me4")
    lustre_version: str = Field(json_schema_extra=COMPLETED, description="2.10.4 to 2.10.8, 2.12.x or 2.15.x")
    storage_modules: tuple[ObjectModules, ...] = Field(strict=False, min_length=1, description="any number, any mix")
    metadata: ArrayMetadata = Field(json_schema_extra=COMPLETED, description="the metadata servers and their targets")
    management: Literal["iml_monitored", "none"] = Field(
        json_schema_extra=COMPLETED, description="whether a server runs IML, which only watches"
    )
    network: Network | None = Field(None, description="left out: what needs addresses is not rendered")
    fencing: Fencing | None = Field(None, description="left out: no files for high availability are rendered")
    filesystem: LustreFilesystem = Field(description="the file system on the targets")
    accept: tuple[Accepted, ...] = Field((), strict=False, description="warnings that the user takes on")


class PoolLustreRequest(Words):
    """A completed request for Lustre on a {product} pool."""

    name: str = Field(description="the name of the system")
    design: str = Field(description="a design of the catalog, such as lustre-powerflex")
    lustre_version: str = Field(json_schema_extra=COMPLETED, description="2.10.4 to 2.10.8, 2.12.x or 2.15.x")
    servers: int = Field(ge=LEAST_SERVERS, description="how many servers share their drives and serve OSTs")
    drive: str = Field(description="a capacity that the design offers, such as 2 TB, or a catalog id")
    hosts: tuple[str, ...] = Field(
        strict=False, json_schema_extra=COMPLETED, description="the names of these servers in the cluster"
    )
    metadata: PoolMetadata = Field(json_schema_extra=COMPLETED, description="the metadata servers and their targets")
    management: Literal["iml_monitored", "none"] = Field(
        json_schema_extra=COMPLETED, description="whether a server runs IML, which only watches"
    )
    failover: bool = Field(True, description="map each volume to a second server, which takes its target over")
    network: Network | None = Field(None, description="left out: what needs addresses is not rendered")
    fencing: Fencing | None = Field(None, description="left out: no files for high availability are rendered")
    # The word for it is that of the product that makes the volumes (pixsize.request.shape_for).
    pool: PoolVolumes = Field(description="the pool and its volumes")
    filesystem: LustreFilesystem = Field(description="the file system on the targets")
    accept: tuple[Accepted, ...] = Field((), strict=False, description="warnings that the user takes on")


LustreRequest = ArrayLustreRequest | PoolLustreRequest


def measured_words(request: LustreRequest) -> dict[str, Any]:
    """The system of a completed request, in the words of a measured one."""
    words: dict[str, Any] = {"design": request.design, "lustre_version": request.lustre_version}
    if request.network is not None:
        words["lnet"] = "o2ib" if request.network.lnet.startswith("o2ib") else "tcp"
    metadata: dict[str, Any] = {"dne": request.metadata.dne}
    if isinstance(request, ArrayLustreRequest):
        words["storage_modules"] = [
            {"size": m.size, "count": m.count, "data_drive": m.data_drive} for m in request.storage_modules
        ]
        metadata |= {"pairs": request.metadata.pairs, "drive": request.metadata.drive}
    else:
        words |= {"servers": request.servers, "drive": request.drive}
    return words | {"metadata": metadata}
