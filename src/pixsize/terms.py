"""What products call things, and what others have to know of them: for findings, pages and run books."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from pixsize.catalog.catalog import Catalog
    from pixsize.figures import Source
    from pixsize.plan.records import Plan, Pool, Target, Volume


class Terms(NamedTuple):
    """What a file system is called in findings, pages and run books of others, and what they have to know of it.

    `makes` is the command that makes a target of a volume, `targets` and `user` name such targets. `expands` says
    whether a volume over the whole of its group may be expanded by hand, `sized` whether a target may have any size
    that its volume has. `no_growth` says why a volume is expanded before the command; `used_drives` what happens to
    old data, `at_boot` what starts after multipathd, `when_named` what comes after it, in lines of Markdown.
    `last_path` are the lines of multipath.conf about the loss of the last path. `full_write` is what the file system
    writes at once, in words and in bytes, `pool_of` the pool of the file system that a target is in, empty where it
    has none; `balances` says whether a target is to be spread evenly over the paths to its array. `sized_by` says how
    much of a disk group the volume of a target takes: all of the `group`, as much as the `smallest` of its kind can,
    or what it `needs`. `illegal_name` is why the file system takes no volume of a name, empty where it does;
    `named_as_volumes` says whether its targets keep the rules for names of volumes. `beside_volumes` is the path of
    the request's word for a target without a volume, empty where there is none.

    For reports, `variants` are the variants of its designs in words, `modules` its own names for sizes of modules,
    `described` the settings of the file system, `counted` the targets with their heading, and `chunk_meets` a
    sentence on a stripe, with what it is for the file system: given the sentence, the bytes and the RAID level.
    `steps` are its own names for steps of the capacity, by the figure, `df` is the command that shows free space.
    `no_rates` are the codes of its own findings that say why a rate of metadata operations is absent. `in_pool` is what
    it is called where its volumes lie in a pool, None where they never do.
    """

    makes: str
    targets: str
    user: str
    expands: bool
    sized: bool
    no_growth: str
    used_drives: tuple[str, ...]
    at_boot: tuple[str, ...]
    when_named: tuple[str, ...]
    namesakes: str
    last_path: tuple[str, ...]
    full_write: Callable[[Plan, Catalog], tuple[str, int]]
    pool_of: Callable[[Target], str]
    balances: Callable[[Target], bool]
    sized_by: Callable[[Target], Literal["group", "smallest", "needs"]]
    illegal_name: Callable[[str], str]
    named_as_volumes: bool
    beside_volumes: str
    variants: Mapping[str, str]
    modules: Mapping[str, str]
    described: Callable[[Plan], str]
    counted: Callable[[Plan], tuple[str, str]]
    chunk_meets: Callable[[Plan, str, int, str], str]
    steps: Mapping[str, str]
    df: str
    no_rates: tuple[str, ...]
    in_pool: PoolTerms | None


class PoolTerms(NamedTuple):
    """What a file system is called in findings and files about a pool that its volumes lie in.

    `target` is a target for data with its article, `server` who serves one, `data` its kind and `kinds` all kinds, in
    the plural. The request gives the size of a volume under the kind of its target, below the word of the product that
    makes volumes. `named_by` is the render target that names devices, `lvm` a part of a sentence on LVM.

    For a page on the start of all servers at once there are lines of Markdown, given the plan: `starts` are what waits
    for the volumes, in a list from `first` on; `stops` what goes before servers are switched off, `seen` what each
    server shows before a target is mounted, and `mounts` how the targets are started then.
    """

    target: str
    server: str
    data: str
    kinds: Mapping[str, str]
    named_by: str
    lvm: str
    starts: Callable[[Plan, int], tuple[str, ...]]
    stops: Callable[[Plan], tuple[str, ...]]
    seen: tuple[str, ...]
    mounts: Callable[[Plan], tuple[str, ...]]


class Contents(NamedTuple):
    """What a volume holds before anybody writes to it, and what to look at where it holds something, in Markdown.

    `zeroed` is a sentence that says that new volumes read as zeros, and why; empty where nobody promises that.
    `identity` goes on after "`ls -l DEVICE`" and says how to see that it is the volume of the plan. `old_data` are
    lines of a list, from its third item on: where data on a new volume may come from. `maps` is where the hosts show
    that a volume is mapped to.
    """

    zeroed: str
    identity: str
    old_data: tuple[str, ...]
    maps: str


class SharedDrives(NamedTuple):
    """What others have to know of servers that hold the drives of a pool themselves.

    `protected` says in a report how a pool is protected, and what of it stays free. `fenced` are lines of Markdown on
    what the loss of such a server takes away, with `{targets}` that it serves and what a `{server}` is called.
    `rebuilt` are what to look at after it, and what that shows then. `ports` is the catalog id of what listens between
    the servers, `mtu` that of the limit with the size of packets on their network, empty where the vendor names none.
    """

    protected: Callable[[Pool], str]
    fenced: tuple[str, ...]
    rebuilt: tuple[tuple[str, str], ...]
    ports: str
    mtu: str


class VolumeTerms(NamedTuple):
    """What others have to know of a product's volumes.

    `name` is what the product is called in a sentence. `page` is the place of the section on the servers in an array's
    page, with `{array}` for its id, empty where there is no such page. `missing` is what to look at where a server
    lacks a device. `grows_at` is the path of the request's word for more of what holds the data, `drives_of` what its
    drives are in, `drive_list` where the vendor lists them. `reserved_names` are names that no volume may take, each
    with the reason. `reported` are the replies that say how large a `group` or a `volume` came out, empty where volumes
    are as large as they were asked for.

    `device` is the path by which a server knows a volume, empty as long as nobody knows it; `collect` says which
    replies tell it, empty where none are needed. `exist` are lines of Markdown: how to see that the volumes are made,
    mapped and known to the servers. `services` are the units of systemd that a server needs before it mounts a target,
    `unit_of` a part of a sentence on whose units may be missing there. `contents` is what the volumes hold at first;
    `sharing` is None where the drives are in no server.

    For volumes on arrays, `commands` are what shows the `disks`, `groups`, `volumes` and `enclosures` of an array, and
    what adds `spares`; `words` are what the array calls a drive that is `free`, `in_group` or a `spare`, a group that
    is `online`, and the `kind` of groups that are planned. `multipath` names the vendor's guide to multipath.
    """

    name: str
    page: str
    missing: str
    grows_at: str
    drives_of: str
    drive_list: str
    reserved_names: Mapping[str, str]
    reported: Mapping[str, Source]
    device: Callable[[Volume], str]
    collect: str
    exist: tuple[str, ...]
    services: tuple[str, ...]
    unit_of: str
    contents: Contents
    sharing: SharedDrives | None
    commands: Mapping[str, str]
    words: Mapping[str, str]
    multipath: str
