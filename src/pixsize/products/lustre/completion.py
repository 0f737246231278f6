"""What a request for Lustre must keep beyond its shape, and how it is completed: on arrays, and in a pool."""

from __future__ import annotations

import re

from pixsize import units
from pixsize.catalog.records import Drive
from pixsize.load import names
from pixsize.load.positions import quoted
from pixsize.load.request_draft import Draft
from pixsize.load.request_words import choose_drives, judge_accepted, judge_entries, judge_name, judge_sizes
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


def complete_on_arrays(draft: Draft) -> None:
    """Fill in what was left out of a request for arrays: the design's defaults, names and addresses."""
    _begin(draft, "metadata")
    judge_entries(draft)
    most = draft.limit("pixsize.modules")
    few_enough = judge_total(draft, "storage_modules[].count", most)
    few_enough = judge_total(draft, "metadata.pairs", most) and few_enough
    design = draft.array_design
    if few_enough:
        mds, oss = design.metadata.servers.count, design.storage.servers.count
        complete_hosts(draft, _ARRAY_HOSTS[0], "pairs", mds, in_a_row("mds", mds))
        complete_hosts(draft, _ARRAY_HOSTS[1], "count", oss, in_a_row("oss", oss))
    else:
        leave_unnamed(draft, _ARRAY_HOSTS)
    _addresses(draft, _ARRAY_HOSTS)


def complete_on_pool(draft: Draft) -> None:
    """Fill in what was left out of a request for a pool: the defaults, names, addresses and sizes."""
    volumes, design = draft.design.volumes, draft.pool_design
    _begin(draft, "metadata", volumes)
    few_enough = judge_total(draft, "servers", draft.limit("pixsize.modules"))
    if few_enough and judge_parts(draft, "servers", "OSTs", whole(draft.words.get("servers")) * design.storage.targets):
        complete_hosts(draft, _POOL_HOSTS[0], "", design.metadata.count, in_a_row("mds", design.metadata.count))
        complete_hosts(draft, _POOL_HOSTS[1], "servers", 1, in_a_row("oss", 1))
    else:
        leave_unnamed(draft, _POOL_HOSTS)
    _addresses(draft, _POOL_HOSTS, f"{volumes}.network")
    choose_drives(draft, "drive", design.storage.media)
    _sizes(draft)
    _leave_out(draft, f"{volumes}.spare", f"{volumes}.ost")


def judge_on_arrays(draft: Draft) -> None:
    """Note everything that the words' shape alone does not show, in a request for arrays."""
    judge_sizes(draft)
    choose_drives(draft, "storage_modules[].data_drive", draft.array_design.storage.data_media)
    choose_drives(draft, "metadata.drive", draft.array_design.metadata.media)
    judge_fencing(draft, _servers(draft, _ARRAY_HOSTS))
    judge_hosts(draft, _ARRAY_HOSTS, management_names(draft), by_host=True)
    draft.judge_choice("storage_modules[].chunk_size", f"{draft.design.volumes}.chunk_sizes")
    draft.judge_choice("metadata.chunk_size", f"{draft.design.volumes}.chunk_sizes")
    _judge(draft)


def judge_on_pool(draft: Draft) -> None:
    """Note everything that the words' shape alone does not show, in a request for a pool."""
    judge_fencing(draft, _servers(draft, _POOL_HOSTS))
    judge_hosts(draft, _POOL_HOSTS, management_names(draft), by_host=True)
    _judge_volumes(draft)
    _judge_mgt(draft)
    _judge_interface(draft, f"{draft.design.volumes}.network.interface")
    _judge(draft)


def _judge_volumes(draft: Draft) -> None:
    """Let the product of the volumes judge their sizes: its steps, and what the drives of all servers hold."""
    sizing, raw_bytes = volumes_of(draft.design).sizing, _raw_bytes(draft)
    if sizing is not None:
        for word in _SIZES:
            sizing.judge(draft, f"{draft.design.volumes}.{word}", raw_bytes)


def _raw_bytes(draft: Draft) -> int:
    """The bytes of the drives of all servers as sold; 0 where servers or drive are not known."""
    drive = draft.chosen.get("drive")
    servers = whole(draft.words.get("servers"))
    each = draft.catalog.get(Drive, drive).capacity_bytes if drive else 0
    return servers * draft.pool_design.storage.drives * each


def _judge_mgt(draft: Draft) -> None:
    """PX101 for the size of an MGT without a volume, which lies on MDT0000; PX103 where one with a volume has none."""
    volumes = draft.design.volumes
    if not _mgt_has_volume(draft):
        for _, path in list(draft.values(f"{volumes}.mgt")):
            message = "unknown word 'mgt': with mgt: with_mdt0 there is no volume for an MGT"
            draft.report("PX101", path, message, "Leave it out, or mgt: own.", at_key=True)
    elif isinstance(pool := draft.words.get(volumes), dict) and "mgt" not in pool:
        draft.report("PX103", volumes, "the word mgt is missing", "Add mgt, or a default to the design.")


def _mgt_has_volume(draft: Draft) -> bool:
    return [value for value, _ in draft.values("metadata.mgt")] != ["with_mdt0"]


def _begin(draft: Draft, *parents: str) -> None:
    """Fill in the design's defaults, and `parents` that were left out as a whole."""
    for parent in parents:
        if parent not in draft.words:
            draft.words[parent] = {}
    for pattern, value in draft.design.defaults.items():
        if pattern != f"{draft.design.volumes}.mgt" or _mgt_has_volume(draft):
            draft.complete(pattern, value)
    managed = iml_manages(str(draft.words.get("lustre_version")), draft.catalog.all(LustreRelease))
    draft.complete("management", "iml_monitored" if managed else "none")


def _addresses(draft: Draft, hosts: tuple[str, ...], *more: str) -> None:
    servers = _servers(draft, hosts)
    for parent in ("network", "fencing", "fencing.ring", *more):
        if servers:
            complete_addresses(draft, parent, servers)
        else:
            _leave_out(draft, f"{parent}.addresses")


def _servers(draft: Draft, hosts: tuple[str, ...]) -> list[str]:
    """The names of all servers in their order; none where some are not known."""
    servers = [n for pattern in hosts for value, _ in draft.values(pattern) if isinstance(value, list) for n in value]
    known = all(isinstance(n, str) for n in servers) and not any(f.code == "PX112" for f in draft.findings)
    return servers if known else []


def _leave_out(draft: Draft, *patterns: str) -> None:
    """Mark the words that could not be completed because others are wrong: their absence is then no finding."""
    draft.bad |= {path for p in patterns for node, word, path in draft.each(p) if word not in node}


def _sizes(draft: Draft) -> None:
    """Fill in the spare share that can rebuild a lost server, and the largest size of an OST that fits beside it."""
    volumes = draft.design.volumes
    servers, pool = whole(draft.words.get("servers")), draft.words[volumes]
    if servers < LEAST_SERVERS or not isinstance(pool, dict):
        return
    sizing = volumes_of(draft.design).sizing
    if sizing is None:
        return
    draft.complete(f"{volumes}.spare", sizing.spare_percent(servers))
    sizes = {word: draft.quantity(pool[word]) for word in ("mdt", "mgt") if word in pool}
    metadata, drive = draft.words.get("metadata"), draft.chosen.get("drive")
    if "ost" in pool or not isinstance(metadata, dict) or drive is None or None in sizes.values():
        return
    spare, design = pool.get("spare"), draft.pool_design
    metadata_bytes = (2 if metadata.get("dne") is True else 1) * (sizes.get("mdt") or 0)
    metadata_bytes += (sizes.get("mgt") or 0) if metadata.get("mgt") == "own" else 0
    if type(spare) is int:
        size = sizing.largest(_raw_bytes(draft), spare, metadata_bytes, servers * design.storage.targets, draft.catalog)
        draft.complete(f"{volumes}.ost", f"{size // 2**30} GiB")


def _judge(draft: Draft) -> None:
    judge_name(draft, "name", "the system", names.system_trouble)
    _judge_fsname(draft)
    _judge_version(draft)
    _judge_pattern(draft, "network.lnet", _LNET, "is no LNet network: o2ib, o2ib1, tcp and so on")
    _judge_interface(draft, "network.interface")
    _judge_stripe(draft)
    judge_accepted(draft)


def _judge_fsname(draft: Draft) -> None:
    longest = draft.limit("lustre.fsname_chars")
    for value, path in list(draft.values("filesystem.name")):
        trouble = _fsname_trouble(value, longest) if isinstance(value, str) else ""
        if trouble:
            draft.report("PX107", path, f"{quoted(value)} cannot name a file system of Lustre: {trouble}")


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


def _judge_version(draft: Draft) -> None:
    releases = draft.catalog.all(LustreRelease)
    for value, path in list(draft.values("lustre_version")):
        if isinstance(value, str) and not is_known(value, releases):
            known = ", ".join(r.versions_text for r in releases)
            draft.report("PX118", path, f"{quoted(value)} is no release of Lustre that pixsize knows: {known}")


def _judge_pattern(draft: Draft, pattern: str, legal: re.Pattern[str], why: str) -> None:
    for value, path in list(draft.values(pattern)):
        if isinstance(value, str) and not legal.fullmatch(value):
            draft.report("PX107", path, f"{quoted(value)} {why}")


def _judge_interface(draft: Draft, pattern: str) -> None:
    _judge_pattern(draft, pattern, _INTERFACE, "is no name of an interface")
    _judge_pattern(draft, pattern, _NO_LOOPBACK, "is the loopback interface, by which no other server is reached")


def _judge_stripe(draft: Draft) -> None:
    step, most = draft.limit("lustre.stripe_size_min"), draft.limit("lustre.stripe_size_max")
    for value, path in list(draft.values("filesystem.stripe_size")):
        size = draft.quantity(value)
        if size is not None and (size % step or not step <= size < most):
            allowed = f"a multiple of {units.binary_bytes(step)}, less than {units.binary_bytes(most)}"
            draft.report("PX119", path, f"{quoted(value)} is no stripe size of Lustre: {allowed}")
    for count, path in list(draft.values("filesystem.stripe_count")):
        if count == 0 and count is not False:
            draft.report("PX108", path, "a file of no stripes; 1 and more, or -1 for all OSTs")


ON_ARRAYS = RequestShape(ArrayLustreRequest, complete_on_arrays, judge_on_arrays)
IN_A_POOL = RequestShape(PoolLustreRequest, complete_on_pool, judge_on_pool)
