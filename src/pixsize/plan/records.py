"""The parts of a Plan. Sizes in bytes; slots and enclosures are zero-based, as the ME4 counts them.

Named tuples: a start that makes a dozen dataclasses is felt at the prompt. `Enclosure` is one all the same, since a
tuple has an `index` of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from pixsize.plan.ldiskfs import Ldiskfs

Purpose = Literal["data", "metadata", "descriptor"]
Owner = Literal["a", "b"]


class Module(NamedTuple):
    """A building block: a pair of servers and their arrays.

    `drive` is the catalog id of the drives of its main purpose, `metadata_drive` of the SSDs in a storage module of the
    standard variant. `where` is the request's path to it.
    """

    id: str
    role: Literal["storage", "metadata"]
    size: str
    expansion: bool
    drive: str
    metadata_drive: str | None
    servers: tuple[str, ...]
    arrays: tuple[str, ...]
    chunk_bytes: int
    where: str


class Server(NamedTuple):
    """A server; `id` is its name in the cluster, `model` a catalog id.

    `nids` are its LNet addresses, `storage_ips` those on the network of a PowerFlex system, `bmc` the address of the
    controller that powers it off, `outlets` the outlets that feed it as ADDRESS/OUTLET, `ring` its address on the
    second link of the cluster; each is empty where the request gives none. `drives` are the catalog id and number
    of the drives in the server that the storage pool uses.
    """

    id: str
    role: Literal["storage", "metadata", "management"]
    model: str
    module: str | None
    adapters: tuple[tuple[str, int], ...] = ()
    nids: tuple[str, ...] = ()
    storage_ips: tuple[str, ...] = ()
    bmc: str = ""
    drives: tuple[str, int] | None = None
    outlets: tuple[str, ...] = ()
    ring: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enclosure:
    """An enclosure of an array: 0 is the controllers' own, 1 the expansion. `model` and `layout` are catalog ids."""

    index: int
    model: str
    layout: str


class Array(NamedTuple):
    """A pair of controllers and its enclosures; `model` is the catalog id of the controllers' enclosure."""

    id: str
    role: Literal["storage", "metadata"]
    model: str
    module: str
    enclosures: tuple[Enclosure, ...]


class DiskGroup(NamedTuple):
    """A RAID group. `bytes` are the data drives as sold; `reported_bytes` is the array's own word, where observed."""

    id: str
    array: str
    enclosure: int
    slots: tuple[int, ...]
    level: Literal["r1", "r5", "r6", "r10"]
    owner: Owner
    purpose: Literal["data", "metadata"]
    drive: str
    bytes: int
    chunk_bytes: int | None
    reported_bytes: int | None = None


class Spares(NamedTuple):
    """Global hot spares in one enclosure. `added` says that the array reports each of them as a spare, or as one that
    stands in for a failed drive."""

    array: str
    enclosure: int
    slots: tuple[int, ...]
    drive: str
    added: bool = False


class Pool(NamedTuple):
    """A PowerFlex storage pool: every drive of its servers, mirrored. `bytes` are the drives as sold.

    `mdms` are the members of the MDM cluster, three or five: the managers, the first of them the master, then the tie
    breakers, of which there is one less.
    """

    id: str
    domain: str
    servers: tuple[str, ...]
    mdms: tuple[str, ...]
    drive: str
    drives: int
    spare_percent: int
    bytes: int

    @property
    def managers(self) -> tuple[str, ...]:
        """The managers of the MDM cluster, the master first: more than half of its members."""
        return self.mdms[: len(self.mdms) // 2 + 1]

    @property
    def tie_breakers(self) -> tuple[str, ...]:
        """The members of the MDM cluster that only vote."""
        return self.mdms[len(self.mdms) // 2 + 1 :]


class Volume(NamedTuple):
    """A volume over a disk group, or in a pool. `bytes` is what the rendered files ask for.

    `array`, `lun` and `owner` are those of an array, and empty or 0 for a pool's volume. `wwid`, what a volume is known
    by on its servers, and `reported_bytes`, the size of a volume that exists, are there only where observed.
    """

    id: str
    provider: Literal["me4", "powerflex"]
    backing: str
    array: str
    bytes: int
    purpose: Literal["data", "metadata"]
    lun: int = 0
    owner: Owner | Literal[""] = ""
    wwid: str | None = None
    reported_bytes: int | None = None


class Target(NamedTuple):
    """What the file system is made of, with the servers in the order in which they are preferred.

    An NSD has a usage, a pool and a failure group; they are empty or 0 for others. Targets of Lustre have an index, but
    for the MGT, and what ldiskfs makes of their volume; `mgs` says that the target holds the MGS too.
    """

    id: str
    kind: Literal["nsd", "mgt", "mdt", "ost"]
    volume: str | None
    device: str
    servers: tuple[str, ...]
    purpose: Purpose
    usage: Literal["dataOnly", "metadataOnly", "descOnly"] | None = None
    pool: str = ""
    failure_group: int = 0
    index: int | None = None  # type: ignore[assignment]  # hides tuple.index, which nobody calls
    mgs: bool = False
    ldiskfs: Ldiskfs | None = None


class SwitchSet(NamedTuple):
    """Switches of one model and role."""

    id: str
    role: str
    model: str


class ScaleFilesystem(NamedTuple):
    """The settings of a file system of IBM Storage Scale."""

    name: str
    block_bytes: int
    inode_bytes: int
    metadata_replicas: int
    data_pool: str
    failure_groups: Literal["per_array", "sides"]


class Network(NamedTuple):
    """The network of Lustre: the LNet network, such as `o2ib`, and the interface of every server on it.

    `owner` is the one file that configures it: `/etc/lnet.conf`, or options of modprobe.
    """

    lnet: str
    interface: str
    owner: Literal["lnet_conf", "modprobe"] = "lnet_conf"


class LustreFilesystem(NamedTuple):
    """The settings of a Lustre file system.

    `release` is the catalog id of the release whose sizes and words are used, `version` what was asked for.
    `mgt_own` tells whether the MGT has a volume of its own. `failover` tells whether a second server takes each target
    over. `storage_interface` and `domain` are PowerFlex's. `fence_agent` is empty where no fencing was asked for,
    `second_fence_agent` where no second level was; `sbd_devices` are those of a second level by SBD.
    """

    name: str
    version: str
    release: str
    dne: bool
    mgt_own: bool
    failover: bool
    management: Literal["iml_monitored", "none"]
    stripe_count: int
    stripe_bytes: int
    network: Network | None = None
    storage_interface: str = ""
    fence_agent: str = ""
    second_fence_agent: str = ""
    sbd_devices: tuple[str, ...] = ()


Filesystem = ScaleFilesystem | LustreFilesystem


class Plan(NamedTuple):
    """A complete system. Tuples are in the order in which parts are numbered."""

    name: str
    design: str
    variant: str
    filesystem: Filesystem
    modules: tuple[Module, ...]
    servers: tuple[Server, ...]
    arrays: tuple[Array, ...]
    switches: tuple[SwitchSet, ...]
    disk_groups: tuple[DiskGroup, ...]
    spares: tuple[Spares, ...]
    volumes: tuple[Volume, ...]
    targets: tuple[Target, ...]
    pools: tuple[Pool, ...] = ()

    @property
    def scale(self) -> ScaleFilesystem:
        """The settings of a file system of IBM Storage Scale; TypeError for any other."""
        if not isinstance(self.filesystem, ScaleFilesystem):
            raise TypeError(f"{self.filesystem.name} is no file system of IBM Storage Scale")
        return self.filesystem

    @property
    def lustre(self) -> LustreFilesystem:
        """The settings of a Lustre file system; TypeError for any other."""
        if not isinstance(self.filesystem, LustreFilesystem):
            raise TypeError(f"{self.filesystem.name} is no Lustre file system")
        return self.filesystem
