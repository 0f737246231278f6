"""The parts of a Plan. Sizes in bytes; slots and enclosures are counted from 0.

`plan --format json` and its schema are made from these records and from those of products: a word for each field, with
the text of its annotation as the description. A field whose default is empty (None, "", () or False) is left out where
it holds that; every other field always stands. The fields of `own` stand beside those of the part.

Named tuples: a start that makes a dozen dataclasses is felt at the prompt. `Enclosure` is one all the same, since a
tuple has an `index` of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, Protocol, TypeVar

from pixsize.request import Benchmark

Purpose = Literal["data", "metadata", "descriptor"]
Owner = Literal["a", "b"]


class Own(Protocol):
    """A frozen record of one product: what it alone has of a part of the plan."""

    def _asdict(self) -> dict[str, Any]: ...


class Least(NamedTuple):
    """In an annotation: the smallest value of a number that does not begin with 0."""

    value: int


TITLE = object()
"""In an annotation: the catalog id of a record, by whose title a reader knows it."""
INTERNAL = object()
"""In an annotation: a field that is no word of the plan's JSON."""


class Module(NamedTuple):
    """A building block: a pair of servers and their arrays.

    `where` is the request's path to it.
    """

    id: Annotated[str, "its name"]
    role: Annotated[Literal["storage", "metadata"], "what it holds"]
    size: Annotated[str, "its size in the design"]
    expansion: Annotated[bool, "whether an enclosure stands behind each array"]
    drive: Annotated[str, "catalog id of the drives of its main purpose"]
    servers: Annotated[tuple[str, ...], "its pair of servers"]
    arrays: Annotated[tuple[str, ...], "its arrays"]
    chunk_bytes: Annotated[int, "what one drive takes of a RAID 6 stripe"]
    where: Annotated[str, INTERNAL]
    metadata_drive: Annotated[str | None, "catalog id of the SSDs of the standard variant"] = None


class Adapters(NamedTuple):
    """Equal cards in a server."""

    model: Annotated[str, TITLE, "what they are"]
    count: Annotated[int, Least(1), "how many"]  # type: ignore[assignment]  # hides tuple.count, which nobody calls


class Drives(NamedTuple):
    """Equal drives in a server."""

    drive: Annotated[str, "catalog id"]
    count: Annotated[int, Least(1), "how many"]  # type: ignore[assignment]  # as above


class Server(NamedTuple):
    """A server."""

    id: Annotated[str, "its name in the cluster"]
    role: Annotated[str, "what it does: storage, metadata, management, or what a product adds"]
    model: Annotated[str, TITLE, "what it is"]
    module: Annotated[str | None, "the module that it belongs to"] = None
    adapters: Annotated[tuple[Adapters, ...], "the cards in it"] = ()
    storage_ips: Annotated[tuple[str, ...], "its addresses on the network of the storage pool"] = ()
    drives: Annotated[Drives | None, "its drives in the pool"] = None
    address: Annotated[str, "its address on the network of the file system"] = ""
    own: Own | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Enclosure:
    """An enclosure of an array."""

    index: Annotated[int, "0 is the controllers' own, 1 the expansion"]
    model: Annotated[str, TITLE, "what it is"]
    layout: Annotated[str, "catalog id of the use of its slots"]


class Array(NamedTuple):
    """A pair of controllers and its enclosures; `model` is the catalog id of the controllers' enclosure."""

    id: Annotated[str, "its name"]
    role: Annotated[Literal["storage", "metadata"], "what it holds"]
    model: Annotated[str, TITLE, "what it is"]
    module: Annotated[str, "the module that it belongs to"]
    enclosures: Annotated[tuple[Enclosure, ...], "the controllers' own first, then expansions"]
    addresses: Annotated[tuple[str, ...], "those of controllers A and B on the network for the management"] = ()


class DiskGroup(NamedTuple):
    """Drives under one RAID."""

    id: Annotated[str, "its name"]
    array: Annotated[str, "its array"]
    enclosure: Annotated[int, "0 is the controllers' own"]
    slots: Annotated[tuple[int, ...], "the slots that the drives sit in, from zero"]
    level: Annotated[Literal["r1", "r5", "r6", "r10"], "RAID level"]
    owner: Annotated[Owner, "its controller"]
    purpose: Annotated[Literal["data", "metadata"], "what it holds"]
    drive: Annotated[str, "catalog id"]
    bytes: Annotated[int, "data drives as sold, parity or mirror off"]
    chunk_bytes: Annotated[int | None, "what one drive takes of a stripe"] = None
    reported_bytes: Annotated[int | None, "its size as the array reports it"] = None


class Spares(NamedTuple):
    """Global hot spares in one enclosure.

    `added` says that the array reports each of them as a spare, or as one that stands in for a failed drive.
    """

    array: Annotated[str, "its array"]
    enclosure: Annotated[int, "0 is the controllers' own"]
    slots: Annotated[tuple[int, ...], "the slots that the drives sit in, from zero"]
    drive: Annotated[str, "catalog id"]
    added: Annotated[bool, INTERNAL] = False


class Pool(NamedTuple):
    """A storage pool: every drive of its servers, mirrored.

    `own` is what the product of the volumes has of it. `interface` is that of every server on its network; `takeover`
    says whether a second server takes the targets of each over.
    """

    id: Annotated[str, "its name"]
    domain: Annotated[str, "its protection domain"]
    servers: Annotated[tuple[str, ...], "the servers that share their drives"]
    own: Own | None
    drive: Annotated[str, "catalog id"]
    drives: Annotated[int, Least(1), "how many"]
    spare_percent: Annotated[int, "what stays free for a rebuild"]
    bytes: Annotated[int, "the drives as sold"]
    interface: Annotated[str, INTERNAL] = ""
    takeover: Annotated[bool, INTERNAL] = True


class Volume(NamedTuple):
    """A volume over a disk group, or in a pool.

    `array`, `lun` and `owner` are those of an array, and empty for a pool's volume. `wwid` and `reported_bytes` are
    there only where observed.
    """

    id: Annotated[str, "its name"]
    provider: Annotated[str, "what makes it"]
    backing: Annotated[str, "id of the disk group, or of the pool"]
    bytes: Annotated[int, "what the rendered files ask for"]
    purpose: Annotated[Literal["data", "metadata"], "what it holds"]
    array: Annotated[str, "its array"] = ""
    lun: Annotated[int | None, "its number on the array"] = None
    owner: Annotated[Owner | Literal[""], "its controller"] = ""
    wwid: Annotated[str | None, "its WWID on the servers, where it was observed"] = None
    reported_bytes: Annotated[int | None, "its size as the array reports it, once it exists"] = None


class Target(NamedTuple):
    """What the file system is made of.

    `kind` is a word of the file system's product, `own` what that has of the target.
    """

    id: Annotated[str, "its name in the rendered files"]
    kind: Annotated[str, "what it is"]
    volume: Annotated[str | None, "the volume that it stands on; null for a device of its own"]
    device: Annotated[str, "the path of its block device"]
    servers: Annotated[tuple[str, ...], "in the order in which clients prefer them"]
    purpose: Annotated[Purpose, "what it holds"]
    own: Own | None = None


class SwitchSet(NamedTuple):
    """A switch."""

    id: Annotated[str, "its name"]
    role: Annotated[str, "the network that it makes"]
    model: Annotated[str, TITLE, "what it is"]
    address: Annotated[str, "its address on the network for the management"] = ""


class Network(NamedTuple):
    """A network that parts of the system have addresses on."""

    role: Annotated[
        str, "data: the nodes of the file system, management: all that is managed, bmc: the management controllers"
    ]
    subnet: Annotated[str, "its addresses, such as 10.10.0.0/24"]
    router: Annotated[str, "the address of its router, where the request has it"] = ""


class End(NamedTuple):
    """Where a cable is plugged in."""

    device: Annotated[str, "the server, array, expansion or switch, or the feed of power"]
    slot: Annotated[str, "the slot or the controller; the number of the adapter where no document names its slot"]
    port: Annotated[str, "the port or the power supply; at a feed of power the number of the cable"]


class Link(NamedTuple):
    """A cable between two ports, or a leg of one that splits a port."""

    network: Annotated[
        Literal["sas", "data", "management", "joint", "outward", "power"],
        "what it carries; a joint joins two switches, an outward one leads to the site's network",
    ]
    start: Annotated[End, "on the server, the switch, or the controllers' own enclosure; of power, on what it supplies"]
    end: Annotated[End, "on the array, the expansion, the switch or the site's network; of power, at the feed"]


class Addition(NamedTuple):
    """What a product adds to the system beside volumes and the file system."""

    product: Annotated[str, "the product"]
    own: Own | None = None


class Filesystem(Own, Protocol):
    """What every file system's own record has, whatever else the product puts into it."""

    @property
    def name(self) -> str:
        """The name of the file system."""
        ...


class Plan(NamedTuple):
    """A complete system. Tuples are in the order in which parts are numbered."""

    name: Annotated[str, "the request's name"]
    design: Annotated[str, "catalog id"]
    variant: Annotated[str, "where metadata lies"]
    filesystem: Annotated[Filesystem, "the file system"]
    modules: Annotated[tuple[Module, ...], "every module"]
    servers: Annotated[tuple[Server, ...], "every server"]
    arrays: Annotated[tuple[Array, ...], "every array"]
    switches: Annotated[tuple[SwitchSet, ...], "every switch"]
    disk_groups: Annotated[tuple[DiskGroup, ...], "every RAID group"]
    spares: Annotated[tuple[Spares, ...], "every set of hot spares"]
    volumes: Annotated[tuple[Volume, ...], "every volume"]
    targets: Annotated[tuple[Target, ...], "every target"]
    pools: Annotated[tuple[Pool, ...], "every storage pool, where servers share their drives"] = ()
    additions: Annotated[tuple[Addition, ...], "what is added beside the file system"] = ()
    links: Annotated[tuple[Link, ...], "every cable, where a document of the design describes them"] = ()
    networks: Annotated[tuple[Network, ...], "every network whose subnet the request has"] = ()
    benchmark: Annotated[Benchmark | None, INTERNAL] = None
    """The words of the request for benchmarks; None where it has none."""


class FilledPool(NamedTuple):
    """A pool beside the main one, and how full it may be, each in per cent of it.

    From `limit` on new files go to the main pool; from `high` on files move there, until `low` is left.
    """

    name: str
    limit: int
    high: int
    low: int


T = TypeVar("T")


def added(plan: Plan, record: type[T]) -> T | None:
    """What a product has of a plan, by the class of its record; None where the request asks for nothing of it."""
    return next((addition.own for addition in plan.additions if isinstance(addition.own, record)), None)


PARITY_DRIVES = {"r5": 1, "r6": 2}
MIRRORED = frozenset({"r1", "r10"})
"""RAID levels by how many drives of a group hold parity, and those that keep every block twice."""


def data_drives(level: str, drives: int) -> int:
    """How many of a group's drives hold data once parity or mirrors are taken off."""
    return drives // 2 if level in MIRRORED else drives - PARITY_DRIVES[level]


def same_host(one: str, other: str) -> bool:
    """Whether two names mean one host: without regard to case, and a bare name means any domain's."""
    one, other = one.lower(), other.lower()
    if "." in one and "." in other:
        return one == other
    return one.partition(".")[0] == other.partition(".")[0]
