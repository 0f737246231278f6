"""What IBM Storage Scale has of a plan, and of a system that was measured and is compared with plans."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from pixsize.catalog.measurements import MeasuredSystem
from pixsize.catalog.records import DriveId, Model, Natural
from pixsize.plan.records import Least, Plan, Server, Target
from pixsize.quantities import Bytes


class Cluster(NamedTuple):
    """The GPFS cluster of the servers."""

    name: Annotated[str, "its name"]
    admin: Annotated[str, "the server that its commands are entered on"]
    remote_shell: Annotated[str, "the program that reaches the other servers"]
    remote_copy: Annotated[str, "the program that copies files to them"]


class Site(NamedTuple):
    """What the servers have of the site that they stand in."""

    domain: Annotated[str, "the domain of their names"] = ""
    ntp: Annotated[tuple[str, ...], "whom they ask for the time"] = ()
    dns: Annotated[tuple[str, ...], "the addresses of their name servers"] = ()


class Client(NamedTuple):
    """A node that mounts the file system, and serves nothing to others."""

    name: Annotated[str, "its name in the cluster"]
    address: Annotated[str, "its address on the network of the file system"] = ""


CLIENT, CLIENTS = "client", "clients"
"""The role of these nodes in settings and node sets, and their class of nodes."""


class Services(NamedTuple):
    """What the management servers do beside managing: where each of these lies."""

    search: Annotated[tuple[str, ...], "the servers with the database of the search"] = ()
    monitoring: Annotated[tuple[str, ...], "the servers that watch the system"] = ()


class ScaleFilesystem(NamedTuple):
    """The settings of a file system of IBM Storage Scale."""

    name: Annotated[str, "its name, and that of its device"]
    block_bytes: Annotated[int, "its block size"]
    inode_bytes: Annotated[int, "its inode size"]
    metadata_replicas: Annotated[int, Least(1), "copies of the metadata"]
    data_pool: Annotated[str, "the pool of the data NSDs"]
    failure_groups: Annotated[Literal["per_array", "sides"], "how failure groups are numbered"]
    cluster: Annotated[Cluster, "the cluster that it belongs to"]
    dmapi: Annotated[bool, "whether a program may move files to other storage and back (mmcrfs -z yes)"] = False
    site: Annotated[Site | None, "what the servers have of their site"] = None
    clients: Annotated[tuple[Client, ...], "the nodes that mount it, and are none of the servers"] = ()
    services: Annotated[Services | None, "what lies on the management servers, beside managing"] = None


HDMD, STANDARD = "hdmd", "standard"
"""The variants of a design: metadata on arrays of its own, or on SSDs in the arrays of the data."""


class MeasuredMetadata(Model):
    """The high-demand metadata of a measured system."""

    modules: Natural = 1
    arrays: Natural = 1
    drive: DriveId


class MeasuredScale(MeasuredSystem):
    """A measured system with IBM Storage Scale. Fabric and link are those of its design; left out: its own network."""

    hdmd: MeasuredMetadata | None = None
    block_bytes: Bytes = Field(alias="block_size")
    fabric: str = ""
    link: str = ""

    @property
    def variant(self) -> str:
        """The variant of the design: where the metadata lay."""
        return STANDARD if self.hdmd is None else HDMD


SYSTEM_POOL = "system"
"""The pool that metadata and descriptors live in (IBM Storage Scale, message 6027-2636)."""
MIGRATION = "migration"
"""What a product needs that moves files to other storage: the file system is made for it (mmcrfs, -z)."""
GIVES = frozenset({"cluster_locks", "storage_pools", MIGRATION})
"""What products that add to a system may rest on: locks that hold on all nodes, pools with a policy, moving files."""
KINDS = frozenset({"nsd"})
"""The kinds of target."""


class Nsd(NamedTuple):
    """What GPFS has of a target."""

    usage: Annotated[Literal["dataOnly", "metadataOnly", "descOnly"], "its use"]
    pool: Annotated[str, "its storage pool"]
    failure_group: Annotated[int, Least(-1), "its failure group"]


class ScaleServer(NamedTuple):
    """What a server is in the GPFS cluster."""

    quorum: Annotated[bool, "whether it is a quorum node: it votes on whether the cluster runs"]
    manager: Annotated[bool, "whether it may manage file systems and locks"]
    licence: Annotated[Literal["server", "client"], "the licence that it needs"]
    node_class: Annotated[str, "the class of nodes that shares its settings"]
    management: Annotated[str, "its address on the network that servers are managed on"] = ""
    bmc: Annotated[str, "the address of its management controller"] = ""


def server_of(server: Server) -> ScaleServer:
    """What a server is in the cluster; TypeError where it is another product's."""
    if not isinstance(server.own, ScaleServer):
        raise TypeError(f"{server.id} is no node of GPFS")
    return server.own


def nsd_of(target: Target) -> Nsd:
    """What GPFS has of a target; TypeError where it is another product's."""
    if not isinstance(target.own, Nsd):
        raise TypeError(f"{target.id} is no NSD")
    return target.own


def scale(plan: Plan) -> ScaleFilesystem:
    """The settings of the file system; TypeError where it is another product's."""
    if not isinstance(plan.filesystem, ScaleFilesystem):
        raise TypeError(f"{plan.filesystem.name} is no file system of IBM Storage Scale")
    return plan.filesystem
