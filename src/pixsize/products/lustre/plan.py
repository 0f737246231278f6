"""Lustre's own records in a plan, and of a measured system that is compared with plans."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from pixsize.catalog.measurements import MeasuredSystem
from pixsize.catalog.records import DriveId, Model, Natural
from pixsize.plan.records import Least, Plan, Server, Target

GIVES: frozenset[str] = frozenset()
"""Nothing can be added yet to a system with Lustre."""
KINDS = frozenset({"mgt", "mdt", "ost"})
"""The kinds of target."""
DNE, SINGLE = "dne", "single"
"""The variants of a design: two MDTs a pair of metadata servers, or one."""
OST_VOLUMES = "capacity.osts"
"""The id of the figure of all volumes of OSTs."""


class MeasuredMdts(Model):
    """The metadata of a measured system: with DNE two MDTs a pair of servers, without it one.

    `drive` is that of the arrays, and left out where the MDTs lie in the pool of the data.
    """

    dne: bool
    pairs: Natural = 1
    drive: DriveId = ""


class MeasuredLustre(MeasuredSystem):
    """A measured system with Lustre: its version, its MDTs, and a network with or without RDMA."""

    lustre_version: str
    lnet: Literal["o2ib", "tcp"] = "o2ib"
    metadata: MeasuredMdts

    @property
    def variant(self) -> str:
        """The variant of the design: how many MDTs a pair of servers had."""
        return DNE if self.metadata.dne else SINGLE


class Ldiskfs(NamedTuple):
    """The formatted target, as dumpe2fs shows it. Counts are of blocks of 4 KiB."""

    blocks: Annotated[int, "all blocks"]
    inodes: Annotated[int, "all inodes"]
    inode_bytes: Annotated[int, "the size of an inode"]
    overhead_blocks: Annotated[int, "what the file system keeps for itself"]
    reserved_blocks: Annotated[int, "what is kept for root"]
    journal_blocks: Annotated[int, "the journal, part of the overhead"]
    user_bytes: Annotated[int, "what users can fill"]
    stride: Annotated[int, "blocks on one drive of a stripe; 0: not given"]
    stripe_width: Annotated[int, "blocks of a stripe; 0: not given"]
    mmp: Annotated[bool, "whether mounting twice is prevented"]
    options: Annotated[str, "the text of --mkfsoptions"]
    flags: Annotated[int, "the target's flags before the first mount, as tunefs.lustre --dryrun shows them"]


class Network(NamedTuple):
    """Lustre's own network."""

    lnet: Annotated[str, "the LNet network, such as o2ib"]
    interface: Annotated[str, "of every server on it"]
    owner: Annotated[
        Literal["lnet_conf", "modprobe"], "the file that configures it: /etc/lnet.conf, or options of modprobe"
    ] = "lnet_conf"


class LustreFilesystem(NamedTuple):
    """The settings of a Lustre file system."""

    name: Annotated[str, "its name, the fsname"]
    version: Annotated[str, "what was asked for"]
    release: Annotated[str, "catalog id of the release whose sizes and words are used"]
    dne: Annotated[bool, "whether each pair of metadata servers has two MDTs"]
    mgt_own: Annotated[bool, "whether the MGT has a volume of its own"]
    failover: Annotated[bool, "whether a second server takes each target over"]
    management: Annotated[Literal["iml_monitored", "none"], "whether IML watches"]
    stripe_count: Annotated[int, Least(-1), "OSTs a file by default, -1 for all"]
    stripe_bytes: Annotated[int, "the stripe of the default layout"]
    network: Annotated[Network | None, "Lustre's own network"] = None
    storage_interface: Annotated[str, "the interface on the network of the storage pool"] = ""
    fence_agent: Annotated[str, "the fence agent"] = ""
    second_fence_agent: Annotated[str, "the fence agent of the second level"] = ""
    sbd_devices: Annotated[tuple[str, ...], "the shared devices of SBD, as a second level"] = ()


class LustreTarget(NamedTuple):
    """A target of Lustre: its index, None for an MGT, and what ldiskfs makes of its volume."""

    index: Annotated[int | None, "its number among targets of its kind"] = None  # type: ignore[assignment]  # hides tuple.index, which nobody calls
    mgs: Annotated[bool, "whether the management service lies on it"] = False
    ldiskfs: Annotated[Ldiskfs | None, "the formatted target, as dumpe2fs shows it; blocks have 4 KiB"] = None


class LustreServer(NamedTuple):
    """The addresses of a server for Lustre and its cluster; each is empty where the request gives none."""

    nids: Annotated[tuple[str, ...], "its LNet addresses"] = ()
    bmc: Annotated[str, "the address of the controller that powers it off"] = ""
    outlets: Annotated[tuple[str, ...], "the outlets of PDUs that feed it, as ADDRESS/OUTLET"] = ()
    ring: Annotated[str, "its address on the second link of the cluster"] = ""


_NO_SERVER = LustreServer()
_NO_TARGET = LustreTarget()


def target_of(target: Target) -> LustreTarget:
    """Lustre's record of a target; an empty one where the target is another product's."""
    return target.own if isinstance(target.own, LustreTarget) else _NO_TARGET


def server_of(server: Server) -> LustreServer:
    """Lustre's record of a server; an empty one where the request gives nothing."""
    return server.own if isinstance(server.own, LustreServer) else _NO_SERVER


def mgs_target(plan: Plan) -> Target:
    """The target that holds the MGS: the MGT, or MDT0000 where the MGT has no volume of its own."""
    return next(t for t in plan.targets if target_of(t).mgs)


def lustre(plan: Plan) -> LustreFilesystem:
    """The settings of the file system; TypeError where it is another product's."""
    if not isinstance(plan.filesystem, LustreFilesystem):
        raise TypeError(f"{plan.filesystem.name} is no Lustre file system")
    return plan.filesystem
