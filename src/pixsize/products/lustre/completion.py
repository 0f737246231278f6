"""What a request for Lustre must keep beyond its shape, and how it is completed: on arrays, and in a pool."""

from __future__ import annotations

import re

from pixsize import units
from pixsize.catalog.records import Drive
from pixsize.load import names
from pixsize.load.partial_request import PartialRequest
from pixsize.load.positions import quoted
from pixsize.load.request_words import choose_drives, judge_accepted, judge_name
from pixsize.load.servers import (
    complete_addresses,
    complete_hosts,
    in_a_row,
    judge_hosts,
    judge_parts,
    judge_total,
    leave_unnamed,
    management_names,
    whole,
)
from pixsize.product import RequestShape, volumes_of
from pixsize.products.lustre.fencing import judge_fencing
from pixsize.products.lustre.records import LustreRelease, iml_manages, is_known
from pixsize.products.lustre.request import LEAST_SERVERS, ArrayLustreRequest, PoolLustreRequest

_ARRAY_HOSTS = ("metadata.hosts", "storage_modules[].hosts")
_POOL_HOSTS = ("metadata.hosts", "hosts")
"""In the order in which servers are numbered and addressed: metadata servers first, so that a system can grow."""
_SIZES = ("ost", "mdt", "mgt")
"""The words for the sizes of volumes, below the name of the product that makes them: the kinds of target."""
_LNET = re.compile(r"(?:o2ib|tcp)(?:0|[1-9][0-9]{0,3})?")
_INTERFACE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,14}")
_NO_LOOPBACK = re.compile(r"(?!lo\Z).*", re.DOTALL)


def complete_on_arrays(partial: PartialRequest) -> None:
    """Fill in what was left out of a request for arrays: the design's defaults, names and addresses."""
    _begin(partial, "metadata")
    most = partial.limit("pixsize.modules")
    few_enough = judge_total(partial, "storage_modules[].count", most)
    few_enough = judge_total(partial, "metadata.pairs", most) and few_enough
    design = partial.array_design
    if few_enough:
        mds, oss = design.metadata.servers.count, design.storage.servers.count
        complete_hosts(partial, _ARRAY_HOSTS[0], "pairs", mds, in_a_row("mds", mds))
        complete_hosts(partial, _ARRAY_HOSTS[1], "count", oss, in_a_row("oss", oss))
    else:
        leave_unnamed(partial, _ARRAY_HOSTS)
    _addresses(partial, _ARRAY_HOSTS)


def complete_on_pool(partial: PartialRequest) -> None:
    """Fill in what was left out of a request for a pool: the defaults, names, addresses and sizes."""
    volumes, design = partial.design.volumes, partial.pool_design
    _begin(partial, "metadata", volumes)
    few_enough = judge_total(partial, "servers", partial.limit("pixsize.modules"))
    if few_enough and judge_parts(
        partial, "servers", "OSTs", whole(partial.words.get("servers")) * design.storage.targets
    ):
        complete_hosts(partial, _POOL_HOSTS[0], "", design.metadata.count, in_a_row("mds", design.metadata.count))
        complete_hosts(partial, _POOL_HOSTS[1], "servers", 1, in_a_row("oss", 1))
    else:
        leave_unnamed(partial, _POOL_HOSTS)
    _addresses(partial, _POOL_HOSTS, f"{volumes}.network")
    choose_drives(partial, "drive", design.storage.media)
    _sizes(partial)
    _leave_out(partial, f"{volumes}.spare", f"{volumes}.ost")


def judge_on_arrays(partial: PartialRequest) -> None:
    """Note everything that the words' shape alone does not show, in a request for arrays."""
    choose_drives(partial, "storage_modules[].data_drive", partial.array_design.storage.data_media)
    choose_drives(partial, "metadata.drive", partial.array_design.metadata.media)
    judge_fencing(partial, _servers(partial, _ARRAY_HOSTS))
    judge_hosts(partial, _ARRAY_HOSTS, management_names(partial), by_host=True)
    partial.judge_choice("storage_modules[].chunk_size", f"{partial.design.volumes}.chunk_sizes")
    partial.judge_choice("metadata.chunk_size", f"{partial.design.volumes}.chunk_sizes")
    _judge(partial)


def judge_on_pool(partial: PartialRequest) -> None:
    """Note everything that the words' shape alone does not show, in a request for a pool."""
    judge_fencing(partial, _servers(partial, _POOL_HOSTS))
    judge_hosts(partial, _POOL_HOSTS, management_names(partial), by_host=True)
    _judge_volumes(partial)
    _judge_mgt(partial)
    _judge_interface(partial, f"{partial.design.volumes}.network.interface")
    _judge(partial)


def _judge_volumes(partial: PartialRequest) -> None:
    """Let the product of the volumes judge their sizes: its steps, and what the drives of all servers hold."""
    sizing, raw_bytes = volumes_of(partial.design).sizing, _raw_bytes(partial)
    if sizing is not None:
        for word in _SIZES:
            sizing.judge(partial, f"{partial.design.volumes}.{word}", raw_bytes)


def _raw_bytes(partial: PartialRequest) -> int:
    """The bytes of the drives of all servers as sold; 0 where servers or drive are not known."""
    drive = partial.chosen.get("drive")
    servers = whole(partial.words.get("servers"))
    each = partial.catalog.get(Drive, drive).capacity_bytes if drive else 0
    return servers * partial.pool_design.storage.drives * each


def _judge_mgt(partial: PartialRequest) -> None:
    """PX101 for the size of an MGT without a volume, which lies on MDT0000; PX103 where one with a volume has none."""
    volumes = partial.design.volumes
    if not _mgt_has_volume(partial):
        for _, path in list(partial.values(f"{volumes}.mgt")):
            message = "unknown word 'mgt': with mgt: with_mdt0 there is no volume for an MGT"
            partial.report("PX101", path, message, "Leave it out, or mgt: own.", at_key=True)
    elif isinstance(pool := partial.words.get(volumes), dict) and "mgt" not in pool:
        partial.report("PX103", volumes, "the word mgt is missing", "Add mgt, or a default to the design.")


def _mgt_has_volume(partial: PartialRequest) -> bool:
    return [value for value, _ in partial.values("metadata.mgt")] != ["with_mdt0"]


def _begin(partial: PartialRequest, *parents: str) -> None:
    """Fill in the design's defaults, and `parents` that were left out as a whole."""
    for parent in parents:
        if parent not in partial.words:
            partial.words[parent] = {}
    for pattern, value in partial.design.defaults.items():
        if pattern != f"{partial.design.volumes}.mgt" or _mgt_has_volume(partial):
            partial.complete(pattern, value)
    managed = iml_manages(str(partial.words.get("lustre_version")), partial.catalog.all(LustreRelease))
    partial.complete("management", "iml_monitored" if managed else "none")


def _addresses(partial: PartialRequest, hosts: tuple[str, ...], *more: str) -> None:
    servers = _servers(partial, hosts)
    for parent in ("network", "fencing", "fencing.ring", *more):
        if servers:
            complete_addresses(partial, parent, servers)
        else:
            _leave_out(partial, f"{parent}.addresses")


def _servers(partial: PartialRequest, hosts: tuple[str, ...]) -> list[str]:
    """The names of all servers in their order; none where some are not known."""
    servers = [n for pattern in hosts for value, _ in partial.values(pattern) if isinstance(value, list) for n in value]
    known = all(isinstance(n, str) for n in servers) and not any(f.code == "PX112" for f in partial.findings)
    return servers if known else []


def _leave_out(partial: PartialRequest, *patterns: str) -> None:
    """Mark the words that could not be completed because others are wrong: their absence is then no finding."""
    partial.bad |= {path for p in patterns for node, word, path in partial.each(p) if word not in node}


def _sizes(partial: PartialRequest) -> None:
    """Fill in the spare share that can rebuild a lost server, and the largest size of an OST that fits beside it."""
    volumes = partial.design.volumes
    servers, pool = whole(partial.words.get("servers")), partial.words[volumes]
    if servers < LEAST_SERVERS or not isinstance(pool, dict):
        return
    sizing = volumes_of(partial.design).sizing
    if sizing is None:
        return
    partial.complete(f"{volumes}.spare", sizing.spare_percent(servers))
    sizes = {word: partial.quantity(pool[word]) for word in ("mdt", "mgt") if word in pool}
    metadata, drive = partial.words.get("metadata"), partial.chosen.get("drive")
    if "ost" in pool or not isinstance(metadata, dict) or drive is None or None in sizes.values():
        return
    spare, design = pool.get("spare"), partial.pool_design
    metadata_bytes = (2 if metadata.get("dne") is True else 1) * (sizes.get("mdt") or 0)
    metadata_bytes += (sizes.get("mgt") or 0) if metadata.get("mgt") == "own" else 0
    if type(spare) is int:
        size = sizing.largest(
            _raw_bytes(partial), spare, metadata_bytes, servers * design.storage.targets, partial.catalog
        )
        partial.complete(f"{volumes}.ost", f"{size // 2**30} GiB")


def _judge(partial: PartialRequest) -> None:
    judge_name(partial, "name", "the system", names.system_trouble)
    _judge_fsname(partial)
    _judge_version(partial)
    _judge_pattern(partial, "network.lnet", _LNET, "is no LNet network: o2ib, o2ib1, tcp and so on")
    _judge_interface(partial, "network.interface")
    _judge_stripe(partial)
    judge_accepted(partial)


def _judge_fsname(partial: PartialRequest) -> None:
    longest = partial.limit("lustre.fsname_chars")
    for value, path in list(partial.values("filesystem.name")):
        trouble = _fsname_trouble(value, longest) if isinstance(value, str) else ""
        if trouble:
            partial.report("PX107", path, f"{quoted(value)} cannot name a file system of Lustre: {trouble}")


def _fsname_trouble(text: str, longest: int) -> str:
    """Why `text` cannot name a Lustre file system; empty when it can.

    mkfs.lustre takes letters, digits, dashes and underscores (--fsname). pixsize also wants a letter first and no dash
    at the end: resources of Pacemaker are called `FSNAME-OST0000`, and no id in its XML begins with a digit.
    """
    if text and text[0] in "0123456789-_":
        begins = f"it begins with {names.character(text[0])}"
        return f"{begins}: targets and resources of Pacemaker are named after it, and are to begin with a letter"
    double_dash = "it ends with a dash, which would stand twice in the names of its targets"
    return names.word_trouble(text, "_-", longest) or (double_dash if text[-1] == "-" else "")


def _judge_version(partial: PartialRequest) -> None:
    releases = partial.catalog.all(LustreRelease)
    for value, path in list(partial.values("lustre_version")):
        if isinstance(value, str) and not is_known(value, releases):
            known = ", ".join(r.versions_text for r in releases)
            partial.report("PX118", path, f"{quoted(value)} is no release of Lustre that pixsize knows: {known}")


def _judge_pattern(partial: PartialRequest, pattern: str, legal: re.Pattern[str], why: str) -> None:
    for value, path in list(partial.values(pattern)):
        if isinstance(value, str) and not legal.fullmatch(value):
            partial.report("PX107", path, f"{quoted(value)} {why}")


def _judge_interface(partial: PartialRequest, pattern: str) -> None:
    _judge_pattern(partial, pattern, _INTERFACE, "is no name of an interface")
    _judge_pattern(partial, pattern, _NO_LOOPBACK, "is the loopback interface, by which no other server is reached")


def _judge_stripe(partial: PartialRequest) -> None:
    step, most = partial.limit("lustre.stripe_size_min"), partial.limit("lustre.stripe_size_max")
    for value, path in list(partial.values("filesystem.stripe_size")):
        size = partial.quantity(value)
        if size is not None and (size % step or not step <= size < most):
            allowed = f"a multiple of {units.binary_bytes(step)}, less than {units.binary_bytes(most)}"
            partial.report("PX119", path, f"{quoted(value)} is no stripe size of Lustre: {allowed}")
    for count, path in list(partial.values("filesystem.stripe_count")):
        if count == 0 and count is not False:
            partial.report("PX108", path, "a file of no stripes; 1 and more, or -1 for all OSTs")


ON_ARRAYS = RequestShape(ArrayLustreRequest, complete_on_arrays, judge_on_arrays)
IN_A_POOL = RequestShape(PoolLustreRequest, complete_on_pool, judge_on_pool)
