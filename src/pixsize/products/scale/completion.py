"""Completes and judges a request for GPFS on modules of arrays; which names GPFS and its servers have already."""

from __future__ import annotations

import re

from pixsize.codes import codes
from pixsize.load import names
from pixsize.load.partial_request import PartialRequest, did_you_mean, named
from pixsize.load.positions import quoted
from pixsize.load.request_words import choose_drives, judge_accepted, judge_name
from pixsize.load.servers import (
    added_hosts,
    complete_hosts,
    in_modules,
    judge_hosts,
    judge_total,
    leave_unnamed,
    management_names,
)
from pixsize.product import RequestShape
from pixsize.products.scale import clients, networks
from pixsize.products.scale.request import ScaleRequest
from pixsize.units import binary_bytes

_METADATA_DRIVE = "storage_modules[].metadata_drive"
_HOSTS = ("storage_modules[].hosts", "hdmd.hosts")
_MOST_PLANNED = 1
"""Expansions behind an array that a request can ask for: its word is true or false."""


def complete(partial: PartialRequest) -> None:
    """Fill in what was left out: the design's defaults, then the servers' names."""
    design = partial.array_design
    for pattern, value in design.defaults.items():
        if pattern != _METADATA_DRIVE or "hdmd" not in partial.words:
            partial.complete(pattern, value)
    few = judge_total(partial, "storage_modules[].count", partial.limit("pixsize.modules"))
    few = judge_total(partial, "hdmd.modules", partial.limit("pixsize.modules")) and few
    if few:
        complete_hosts(partial, _HOSTS[0], "count", design.storage.servers.count, in_modules("sm"))
        complete_hosts(partial, _HOSTS[1], "modules", design.metadata.servers.count, in_modules("hm"))
        clients.complete(partial)
        networks.complete(partial, _servers(partial), clients.clients(partial))
        clients.complete_ports(partial)
    else:
        leave_unnamed(partial, (*_HOSTS, clients.HOSTS))
        networks.leave_out(partial)


def _servers(partial: PartialRequest) -> list[str]:
    """The names of all servers in the order of the plan, those that products add at the end."""
    lists = (value for pattern in _HOSTS for value, _ in partial.values(pattern) if isinstance(value, list))
    return [*(str(name) for names in lists for name in names), *management_names(partial), *added_hosts(partial)]


def judge(partial: PartialRequest) -> None:
    """Note everything that the words' shape alone does not show."""
    _judge_variant(partial)
    _judge_expansion(partial)
    _judge_arrays(partial)
    design = partial.array_design
    choose_drives(partial, "storage_modules[].data_drive", design.storage.data_media)
    choose_drives(partial, _METADATA_DRIVE, design.storage.metadata_media)
    choose_drives(partial, "hdmd.drive", design.metadata.media)
    named = [*management_names(partial), *added_hosts(partial)]
    judge_hosts(partial, (*_HOSTS, clients.HOSTS), named, trouble_of=host_trouble)
    partial.judge_choice("storage_modules[].chunk_size", f"{partial.design.volumes}.chunk_sizes")
    partial.judge_choice("filesystem.inode_size", "scale.inode_sizes")
    _judge_block_size(partial)
    _judge_replicas(partial)
    judge_name(partial, "name", "the system", names.system_trouble)
    judge_name(partial, "filesystem.name", "a file system", filesystem_trouble)
    _judge_descriptor(partial)
    _judge_cluster(partial)
    clients.judge(partial, _HOSTS, _servers(partial))
    networks.judge(partial, [*_servers(partial), *clients.clients(partial)])
    _judge_fabric(partial)
    judge_accepted(partial)


def _judge_variant(partial: PartialRequest) -> None:
    if "hdmd" not in partial.words:
        return
    for _, path in list(partial.values(_METADATA_DRIVE)):
        message = (
            "unknown word 'metadata_drive': with hdmd, the last four slots hold spares and the HDMD arrays all metadata"
        )
        partial.report("PX101", path, message, "Leave it out, or leave out hdmd.", at_key=True)


def _judge_expansion(partial: PartialRequest) -> None:
    """The word is true or false; who writes a number means how many. The design's limit says how many there may be."""
    limit = f"{partial.design.id}.expansions"
    most = partial.limit(limit) if limit in partial.catalog else _MOST_PLANNED
    model = partial.array_design.storage.expansion
    for value, path in list(partial.values("storage_modules[].expansion")):
        count = int(value) if isinstance(value, int) else 0
        if count and not model:
            partial.report("PX111", path, f"{partial.design.id} has no expansion behind its arrays", "expansion: false")
        elif count > most:
            title = partial.catalog.record(model).title
            message = f"{count} {title} behind an array; this design allows {most} (catalog: {limit})"
            partial.report("PX111", path, message, codes()["PX111"].why)
        elif count > _MOST_PLANNED:
            message = f"{count} expansions behind an array: {limit} allows {most}, but pixsize plans one at the most"
            partial.report("PX104", path, message, "expansion: true")


def _judge_arrays(partial: PartialRequest) -> None:
    role = partial.array_design.metadata
    for value, path in list(partial.values("hdmd.arrays")):
        if type(value) is int and not role.arrays_min <= value <= role.arrays_max:
            partial.report(
                "PX108", path, f"{value:,} arrays a module; this design takes {role.arrays_min} to {role.arrays_max}"
            )


def _judge_block_size(partial: PartialRequest) -> None:
    low, high = partial.limit("scale.block_min"), partial.limit("scale.block_max")
    for value, path in list(partial.values("filesystem.block_size")):
        size = partial.quantity(value)
        if size is not None and (size & (size - 1) or not low <= size <= high):
            allowed = f"a power of two from {binary_bytes(low)} to {binary_bytes(high)}"
            legal = [1 << n for n in range(high.bit_length()) if low <= 1 << n]
            closest = min(legal, key=lambda b: abs(b - size), default=None)
            hint = f"The nearest is {binary_bytes(closest)}." if closest else ""
            partial.report("PX518", path, f"{quoted(value)} is no block size of GPFS: {allowed}", hint)


def _judge_replicas(partial: PartialRequest) -> None:
    most = partial.limit("scale.replicas_max")
    for value, path in list(partial.values("filesystem.metadata_replicas")):
        if type(value) is int and value > most:
            partial.report(
                "PX108", path, f"{value:,} copies of the metadata; GPFS keeps 1 to {most} (catalog: scale.replicas_max)"
            )


def _judge_descriptor(partial: PartialRequest) -> None:
    for pattern, what, trouble_of in (
        ("filesystem.descriptor.server", " is no server's name: ", host_trouble),
        ("filesystem.descriptor.device", " ", names.device_trouble),
    ):
        for value, path in list(partial.values(pattern)):
            trouble = trouble_of(value) if isinstance(value, str) else ""
            if trouble:
                partial.report("PX107", path, f"{quoted(value)}{what}{trouble}")


def _judge_fabric(partial: PartialRequest) -> None:
    """PX102 for a network that the design does not have, and for a link that the network does not have."""
    fabrics = {fabric.name: fabric for fabric in partial.design.fabrics}
    wanted = next(iter(fabrics), "")
    for value, path in list(partial.values("network.fabric")):
        wanted = value if isinstance(value, str) else wanted
        _judge_one_of(partial, path, value, "fabric", list(fabrics))
    if wanted in fabrics or not fabrics:
        links = [link.name for link in fabrics[wanted].links] if fabrics else []
        for value, path in list(partial.values("network.link")):
            _judge_one_of(partial, path, value, f"link of {wanted}" if wanted else "link", links)


def _judge_one_of(partial: PartialRequest, path: str, value: object, what: str, options: list[str]) -> None:
    if not isinstance(value, str) or value in options:
        return
    if not options:
        message = f"unknown {what} {quoted(value)}: {partial.design.id} has one network, and no choice of it"
        partial.report("PX102", path, message, f"Leave out {path.rpartition('.')[2]}.")
        return
    message = f"unknown {what} {quoted(value)}; this design has {named(options)}"
    partial.report("PX102", path, message, did_you_mean(value, options))


_PROGRAM = re.compile(r"(/[A-Za-z0-9_][A-Za-z0-9_.+-]*)+", re.ASCII)
_LONGEST_PROGRAM = 200
"""Characters of a path of a program; real ones are far shorter."""


def _judge_cluster(partial: PartialRequest) -> None:
    """PX107 for a name that a command could misread, a program without a whole path, a server that is none."""
    judge_name(partial, "cluster.name", "a cluster", names.system_trouble)
    for word in ("remote_shell", "remote_copy"):
        for value, path in list(partial.values(f"cluster.{word}")):
            if isinstance(value, str) and (len(value) > _LONGEST_PROGRAM or not _PROGRAM.fullmatch(value)):
                partial.report("PX107", path, f"{quoted(value)} is no path of a program", "Such as /usr/bin/ssh.")
    known = _servers(partial)
    for value, path in list(partial.values("cluster.admin")):
        if isinstance(value, str) and value not in known and not any(map(partial.is_bad, _named_at(partial))):
            hint = did_you_mean(value, known)
            partial.report("PX107", path, f"{quoted(value)} is no server of the system", hint)


def _named_at(partial: PartialRequest) -> list[str]:
    """The paths of the words that name the servers."""
    return [path for pattern in _HOSTS for _, _, path in partial.each(pattern)]


# Names that GPFS, the root folder or /dev of a server have already

# Words of GPFS itself: its first storage pool, a node class, and the name of its folders.
_GPFS_WORDS = frozenset(("system", "mount", "mmfs"))
# A file system is mounted on a folder of its name at the root, and its device appears in /dev.
_ROOT_FOLDERS = frozenset(
    (
        "bin",
        "boot",
        "dev",
        "etc",
        "home",
        "lib",
        "lib32",
        "lib64",
        "media",
        "mnt",
        "opt",
        "proc",
        "root",
        "run",
        "sbin",
        "srv",
        "sys",
        "tmp",
        "usr",
        "var",
    )
)
# fmt: off
_DEV_ENTRIES = frozenset((
    "null", "zero", "full", "random", "urandom", "tty", "console", "mem", "port", "kmsg", "ptmx", "pts",
    "fuse", "mapper", "disk", "block", "char", "bus", "cpu", "core", "fd", "stdin", "stdout", "stderr", "shm",
    "mqueue", "hugepages", "net", "snd", "input", "vfio", "log", "kvm", "rtc", "infiniband", "watchdog",
    "mmcblk", "nbd", "drbd", "rbd", "md", "dri", "raw", "mei", "uinput", "nvram", "hpet", "initctl",
))
# fmt: on
_DEV_NUMBERED = (
    r"tty[a-z]{0,4}|(?:tty[a-z]{0,4}|rtc|md|loop|sr|scd|sg|st|nst|ram|zram|drbd|rbd|vcsa?|vcsu|watchdog|nvidia|fd|dm-)\d+|"
    r"(?:sd|vd|xvd|hd)[a-z]{1,2}\d*|nvme\d+(?:n\d+(?:p\d+)?)?|(?:mmcblk|nbd)\d+(?:p\d+)?"
)
_DEV_INITIALS = frozenset("tmrlsnzdvwfxh")
"""With which the names of the pattern begin: most names need not be matched against it."""
# The node classes that every cluster has: `mmchconfig -N all` would not mean the host.
_NODE_CLASSES = frozenset(
    (
        "all",
        "none",
        "mount",
        "clientnodes",
        "clusternodes",
        "managernodes",
        "nonquorumnodes",
        "nsdnodes",
        "quorumnodes",
    )
)


def filesystem_trouble(text: str, longest: int) -> str:
    """Why `text` cannot name a GPFS file system, its device and its mount point; empty when it can."""
    return names.word_trouble(text, "_", longest) or names.reserved(text) or _gpfs_trouble(text.lower())


def host_trouble(text: str) -> str:
    """Why `text` cannot be a server's host name, or is one of GPFS's node classes; empty when it can be a host name."""
    return names.host_trouble(text) or ("GPFS reads it as a class of nodes" if text.lower() in _NODE_CLASSES else "")


def _gpfs_trouble(word: str) -> str:
    # NSD names that begin with gpfs are reserved (message 6027-1945); a file system `gpfs0` is none, and common.
    if word == "gpfs" or word in _GPFS_WORDS:
        return "GPFS reserves this name"
    if word in _ROOT_FOLDERS:
        return f"it would be mounted over /{word} of the operating system"
    taken = word in _DEV_ENTRIES or (word[0] in _DEV_INITIALS and re.fullmatch(_DEV_NUMBERED, word))
    return f"servers have a /dev/{word} of their own" if taken else ""


ON_ARRAYS = RequestShape(ScaleRequest, complete, judge)
