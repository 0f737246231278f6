"""What a request for Lustre must keep beyond its shape, and how it is completed: on arrays, and on a PowerFlex pool."""

from __future__ import annotations

import re

from pixsize import units
from pixsize.blocks.powerflex import largest_ost, rebuild_spare
from pixsize.catalog.lustre import LustreRelease, is_known
from pixsize.catalog.records import Drive
from pixsize.load import names
from pixsize.load.addresses import complete_addresses
from pixsize.load.common_words import judge_accepted, judge_entries, judge_name, judge_sizes
from pixsize.load.draft import Draft
from pixsize.load.drives import choose_drives
from pixsize.load.hosts import (
    complete_hosts,
    in_a_row,
    judge_hosts,
    judge_total,
    leave_unnamed,
    management_names,
    whole,
)
from pixsize.load.positions import quoted

_ARRAY_HOSTS = ("metadata.hosts", "storage_modules[].hosts")
_POOL_HOSTS = ("metadata.hosts", "hosts")
"""In the order in which servers are numbered and addressed: metadata servers first, so that a system can grow."""
_LNET = re.compile(r"(?:o2ib|tcp)(?:[0-9]{1,4})?")
_INTERFACE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,14}")
_AGENT = re.compile(r"fence_[a-z0-9][a-z0-9_]{0,40}")


def complete_on_arrays(draft: Draft) -> None:
    """Fill in what was left out of a request for arrays: the design's defaults, names and addresses."""
    _begin(draft, "metadata")
    judge_entries(draft)
    most = draft.limit("pixsize.modules")
    few = judge_total(draft, "storage_modules[].count", most)
    few = judge_total(draft, "metadata.pairs", most) and few
    design = draft.array_design
    if few:
        mds, oss = design.metadata.servers.count, design.storage.servers.count
        complete_hosts(draft, _ARRAY_HOSTS[0], "pairs", mds, in_a_row("mds", mds))
        complete_hosts(draft, _ARRAY_HOSTS[1], "count", oss, in_a_row("oss", oss))
        _addresses(draft, _ARRAY_HOSTS)
    else:
        leave_unnamed(draft, _ARRAY_HOSTS)


def complete_on_pool(draft: Draft) -> None:
    """Fill in what was left out of a request for a PowerFlex pool: the defaults, names, addresses and sizes."""
    _begin(draft, "metadata", "powerflex")
    design = draft.pool_design
    if judge_total(draft, "servers", draft.limit("pixsize.modules")):
        complete_hosts(draft, _POOL_HOSTS[0], "", design.metadata.count, in_a_row("mds", design.metadata.count))
        complete_hosts(draft, _POOL_HOSTS[1], "servers", 1, in_a_row("oss", 1))
        _addresses(draft, _POOL_HOSTS, "powerflex.network")
    else:
        leave_unnamed(draft, _POOL_HOSTS)
    choose_drives(draft, "drive", design.storage.media)
    _sizes(draft)


def judge_on_arrays(draft: Draft) -> None:
    """Note everything that the words' shape alone does not show, in a request for arrays."""
    judge_sizes(draft)
    choose_drives(draft, "storage_modules[].data_drive", draft.array_design.storage.data_media)
    choose_drives(draft, "metadata.drive", draft.array_design.metadata.media)
    judge_hosts(draft, _ARRAY_HOSTS, management_names(draft))
    draft.judge_choice("storage_modules[].chunk_size", "me4.chunk_sizes")
    draft.judge_choice("metadata.chunk_size", "me4.chunk_sizes")
    _judge(draft)


def judge_on_pool(draft: Draft) -> None:
    """Note everything that the words' shape alone does not show, in a request for a PowerFlex pool."""
    judge_hosts(draft, _POOL_HOSTS, management_names(draft))
    step = draft.limit("powerflex.volume_step")
    for word in ("ost", "mdt", "mgt"):
        for value, path in list(draft.values(f"powerflex.{word}")):
            size = draft.quantity(value)
            if size is not None and (size % step or size <= 0):
                nearest = max(-(-size // step) * step, step)
                message = f"{quoted(value)}: PowerFlex makes volumes in steps of {units.binary_bytes(step)}"
                draft.report("PX117", path, message, f"The next is {nearest // 2**30} GiB.")
    _judge_pattern(draft, "powerflex.network.interface", _INTERFACE, "is no name of an interface")
    _judge(draft)


def _begin(draft: Draft, *parents: str) -> None:
    """The design's defaults, with the words above them where they were left out as a whole."""
    for parent in parents:
        if parent not in draft.words:
            draft.words[parent] = {}
    for pattern, value in draft.design.defaults.items():
        draft.complete(pattern, value)
    old = str(draft.words.get("lustre_version")).startswith("2.10.")
    draft.complete("management", "iml_monitored" if old else "none")


def _addresses(draft: Draft, hosts: tuple[str, ...], *more: str) -> None:
    servers = [n for pattern in hosts for value, _ in draft.values(pattern) if isinstance(value, list) for n in value]
    if all(isinstance(n, str) for n in servers) and not any(f.code == "PX112" for f in draft.findings):
        for parent in ("network", "fencing", *more):
            complete_addresses(draft, parent, servers)


def _sizes(draft: Draft) -> None:
    """The spare share that can rebuild a lost server, and the largest OST that fits beside the other volumes."""
    servers, pool = whole(draft.words.get("servers")), draft.words["powerflex"]
    if not servers or not isinstance(pool, dict):
        return
    draft.complete("powerflex.spare", rebuild_spare(servers))
    given = {word: draft.quantity(pool.get(word)) for word in ("mdt", "mgt")}
    metadata, drive = draft.words.get("metadata"), draft.chosen.get("drive")
    if "ost" in pool or not isinstance(metadata, dict) or drive is None or None in given.values():
        return
    spare, design = pool.get("spare"), draft.pool_design
    others = (2 if metadata.get("dne") is True else 1) * (given["mdt"] or 0)
    others += (given["mgt"] or 0) if metadata.get("mgt") == "own" else 0
    if type(spare) is int:
        raw = servers * design.storage.drives * draft.catalog.get(Drive, drive).capacity_bytes
        step = draft.limit("powerflex.volume_step")
        size = largest_ost(raw, spare, others, servers * design.storage.targets, step)
        draft.complete("powerflex.ost", f"{size // 2**30} GiB")


def _judge(draft: Draft) -> None:
    judge_name(draft, "name", "the system", names.system_trouble)
    _judge_fsname(draft)
    _judge_version(draft)
    _judge_pattern(draft, "network.lnet", _LNET, "is no LNet network: o2ib, o2ib1, tcp and so on")
    _judge_pattern(draft, "network.interface", _INTERFACE, "is no name of an interface")
    _judge_pattern(draft, "fencing.agent", _AGENT, "is no fence agent, such as fence_idrac")
    _judge_stripe(draft)
    judge_accepted(draft)


def _judge_fsname(draft: Draft) -> None:
    longest = draft.limit("lustre.fsname_chars")
    for value, path in list(draft.values("filesystem.name")):
        trouble = names.fsname_trouble(value, longest) if isinstance(value, str) else ""
        if trouble:
            draft.report("PX107", path, f"{quoted(value)} cannot name a file system of Lustre: {trouble}")


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


def _judge_stripe(draft: Draft) -> None:
    step, most = draft.limit("lustre.stripe_size_min"), draft.limit("lustre.stripe_size_max")
    for value, path in list(draft.values("filesystem.stripe_size")):
        size = draft.quantity(value)
        if size is not None and (size % step or not step <= size <= most):
            allowed = f"a multiple of {units.binary_bytes(step)}, at most {units.binary_bytes(most)}"
            draft.report("PX119", path, f"{quoted(value)} is no stripe size of Lustre: {allowed}")
    for count, path in list(draft.values("filesystem.stripe_count")):
        if count == 0 and count is not False:
            draft.report("PX108", path, "a file of no stripes; 1 and more, or -1 for all OSTs")
