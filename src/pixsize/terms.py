"""What products call things, and what others have to know of them: for findings, pages and run books."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from pixsize.catalog.catalog import Catalog
    from pixsize.figures import Source
    from pixsize.plan.records import Plan, Pool, Target, Volume


class Terms(NamedTuple):
    """What a file system is called in findings, pages and run books of others, and what they have to know of it."""

    makes: str
    """The command that makes a target of a volume, such as mmcrnsd."""
    targets: str
    """Its targets in the plural, such as NSDs."""
    user: str
    """A target with its article, such as an NSD."""
    expands: bool
    """Whether a volume over its whole group may be expanded by hand before `makes`, after which no target grows."""
    sized: bool
    """Whether `makes` takes a volume of any size. Its orders then say `as_made`; never together with `expands`."""
    no_growth: str
    """The end of a sentence: why a volume is expanded before `makes`."""
    used_drives: tuple[str, ...]
    """What happens to old data on the drives, in lines of Markdown."""
    at_boot: tuple[str, ...]
    """What starts after multipathd, in lines of Markdown."""
    when_named: tuple[str, ...]
    """What is done once multipath has named the devices, in lines of Markdown."""
    namesakes: str
    """What else has the name of a volume: the end of a sentence, empty where nothing has."""
    last_path: tuple[str, ...]
    """Lines of multipath.conf on the loss of the last path."""
    full_write: Callable[[Plan, Catalog], tuple[str, int]]
    """What the file system writes at once, in words and in bytes."""
    pool_of: Callable[[Target], str]
    """The pool of the file system that a target is in; empty where it has none."""
    balances: Callable[[Target], bool]
    """Whether a target is to be spread evenly over the paths to its array (PX515)."""
    sized_by: Callable[[Target], Literal["group", "smallest", "needs"]]
    """How much of a disk group its volume takes: all, as much as the smallest of its kind can, or what it needs."""
    illegal_name: Callable[[str], str]
    """Why the file system takes no volume of a name; empty where it does."""
    named_as_volumes: bool
    """Whether targets keep the rules for names of volumes."""
    beside_volumes: str
    """The path of the request's word for a target without a volume; empty where there is none."""
    grows_at: Mapping[str, str]
    """The path of the request's word for more of what holds the data: in a `pool`; on `arrays`, `storage_modules`."""
    variants: Mapping[str, str]
    """The variants of its designs, in words."""
    modules: Mapping[str, str]
    """Its own names for sizes of modules."""
    described: Callable[[Plan], str]
    """The settings of the file system in a line of a report."""
    managed: Callable[[Plan], tuple[tuple[str, str], ...]]
    """What the management servers do beside managing, as lines of a report with their headings; none where that is
    nothing.
    """
    counted: Callable[[Plan], tuple[str, str]]
    """The heading of the targets in a report, and how many there are."""
    chunk_meets: Callable[[Plan, str, int, str], str]
    """The given sentence on a RAID stripe of so many bytes and a level, with what the stripe is to the file system."""
    volumes_figure: str
    """The id of the figure of its volumes for data, such as `capacity.osts`; empty where it gives none."""
    figure_names: Mapping[str, str]
    """Its own names of figures in reports, by the id: of steps of the capacity, and of what its network carries."""
    df: str
    """The command that shows free space."""
    no_rates: tuple[str, ...]
    """The codes of its own findings that say why a rate of metadata operations is absent."""
    in_pool: PoolTerms | None
    """What it is called where its volumes lie in a pool; None where they never do."""


class PoolTerms(NamedTuple):
    """What a file system is called in findings and files about a pool that its volumes lie in.

    The request gives the size of a volume under the kind of its target, below the word of the product of the pool.
    """

    target: str
    """A target for data with its article, such as an OST."""
    server: str
    """What serves such a target, such as OSS."""
    data: str
    """The kind of targets for data."""
    kinds: Mapping[str, str]
    """Every kind of target, and what several of it are called."""
    named_by: str
    """The render target that names devices."""
    lvm: str
    """Says that the file system needs no LVM, as a part of a sentence."""
    two_servers: tuple[str, ...]
    """What keeps a volume that two servers see from being mounted by both, in lines of a comment or of Markdown."""
    starts: Callable[[Plan, int], tuple[str, ...]]
    """What waits for the volumes when all servers start at once: items of a list in Markdown, from a number on."""
    stops: Callable[[Plan], tuple[str, ...]]
    """What goes before all servers are switched off, in lines of Markdown."""
    seen: tuple[str, ...]
    """What each server shows before a target is mounted, in lines of Markdown."""
    mounts: Callable[[Plan], tuple[str, ...]]
    """How the targets are started then, in lines of Markdown."""


class Contents(NamedTuple):
    """What a volume holds before anybody writes to it, and what to look at where it holds something, in Markdown."""

    zeroed: str
    """A sentence that new volumes read as zeros, and why; empty where nobody promises that."""
    identity: str
    """Goes on after "`ls -l DEVICE`": how to see that it is the volume of the plan."""
    old_data: tuple[str, ...]
    """Items of a list, from the third on: where data on a new volume may come from."""
    maps: str
    """The command that shows to which hosts a volume is mapped."""


class SharedDrives(NamedTuple):
    """What others have to know of servers that hold the drives of a pool themselves."""

    protected: Callable[[Pool], str]
    """How a pool is protected, and what of it stays free, for a report."""
    fenced: tuple[str, ...]
    """What the loss of such a server takes away, in Markdown: of its `{targets}`, and of a `{server}`."""
    rebuilt: tuple[tuple[str, str], ...]
    """What to look at after such a loss, and what it shows when the pool is whole again."""
    ports: str
    """The catalog id of the ports between the servers."""
    mtu: str
    """The catalog id of the size of packets on their network; empty where the vendor names none."""


class VolumeTerms(NamedTuple):
    """What others have to know of a product's volumes. The last three fields are for volumes on arrays."""

    name: str
    """What the product is called in a sentence."""
    page: str
    """The section on the servers in the page of an array, such as `me4/{array}/README.md#5.`; empty without pages.

    Each array needs a page: PX627 where `render all` makes none.
    """
    missing: str
    """What to look at where a server lacks a device."""
    compare: tuple[str, str, str]
    """How servers compare sizes: what is run for an `{array}`, what to look at, what it shows; empty without pages."""
    drives_of: str
    """What its drives are in: arrays, or servers."""
    drive_list: str
    """Where the vendor lists the drives."""
    reserved_names: Mapping[str, str]
    """Names that no volume may have, each with the reason."""
    reported: Mapping[str, Source]
    """The replies that say how large a `group` or a `volume` is; empty where volumes have the size asked for."""
    device: Callable[[Volume], str]
    """The path by which a server knows a volume; empty as long as nobody knows it."""
    collect: str
    """The replies that tell the device; empty where none are needed."""
    exist: tuple[str, ...]
    """How to see that the volumes are made, mapped and known to the servers, in lines of Markdown."""
    services: tuple[str, ...]
    """The units of systemd that a server needs before it mounts a target."""
    unit_of: str
    """The product whose units may be missing there, as a part of a sentence; empty without such units."""
    contents: Contents
    """What its volumes hold at first."""
    sharing: SharedDrives | None
    """What to know of the servers that hold the drives; None where arrays hold them."""
    commands: Mapping[str, str]
    """What shows the `disks`, `groups`, `volumes` and `enclosures` of an array, and what adds `spares`."""
    labels: Mapping[str, str]
    """What the array calls a drive that is `free`, `in_group` or a `spare`, a group that is `online`, its `kind`."""
    multipath: str
    """The title of the vendor's guide to multipath."""


class Licences(NamedTuple):
    """Equal licences that nodes need."""

    item: str
    """Their id on a bill."""
    title: str
    """What they are called."""
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody calls
    """How many."""
    use: str
    """Which nodes need them, in words."""
