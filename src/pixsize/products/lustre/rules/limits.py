"""How many targets, how large, on servers with how much memory: what Lustre takes, and what it was tried with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from pixsize import units
from pixsize.catalog.records import Server as ServerModel
from pixsize.check.context import Context, Hit, grouped, size
from pixsize.findings import Finding
from pixsize.plan.records import Server, Target
from pixsize.products.lustre.plan import lustre
from pixsize.products.lustre.records import LustreRelease, Recipe

_BLOCK = 4096
_MOST_32 = 2**32 - 1
_LARGE = 2**44
"""What 32 bits cannot count in blocks: from this size on mkfs.lustre asks for no room to grow."""


def target_counts(context: Context) -> Iterator[Finding]:
    """PX530: a file system has a number of OSTs and of MDTs."""
    for kind, what, limit_id in (("ost", "OSTs", "lustre.osts"), ("mdt", "MDTs", "lustre.mdts")):
        count, most = len(context.of_kind[kind]), context.limit(limit_id)
        if count > most:
            message = f"{count:,} {what}; Lustre takes {most:,} in a file system"
            yield Finding("PX530", message, _growing_path(context, kind), "fewer, or a second file system")


def largest_ost(context: Context) -> Iterator[Finding]:
    """PX534: no OST is larger than ldiskfs takes."""
    most = context.limit("lustre.ost_bytes_max")
    hits = _larger(context, "ost", most)
    yield from grouped("PX534", hits, f"the largest OST on ldiskfs is {units.binary_bytes(most)}", _smaller(context))


def usual_ost(context: Context) -> Iterator[Finding]:
    """PX535: no OST is larger than those in use."""
    usual, most = context.limit("lustre.ost_bytes_warn"), context.limit("lustre.ost_bytes_max")
    hits = _larger(context, "ost", usual, most)
    yield from grouped("PX535", hits, f"OSTs of up to {units.decimal_bytes(usual)} are in use", _smaller(context))


def largest_mdt(context: Context) -> Iterator[Finding]:
    """PX536: no MDT is larger than its inodes can fill."""
    most = context.limit("lustre.mdt_bytes_max")
    hits = _larger(context, "mdt", most)
    allowed = f"beyond {units.binary_bytes(most)} an MDT has no more inodes, and the stock mke2fs refuses it"
    hint = (
        "a smaller `powerflex.mdt`" if context.plan.pools else "smaller drives, and more pairs of MDS for more inodes"
    )
    yield from grouped("PX536", hits, allowed, hint)


def formattable(context: Context) -> Iterator[Finding]:
    """PX537: mkfs.lustre and its mke2fs take devices of these sizes; of an MDT that is too large PX536 says so."""
    least, most_mdt = context.limit("lustre.device_bytes_min"), context.limit("lustre.mdt_bytes_max")
    release = context.catalog.get(LustreRelease, lustre(context.plan).release)
    sized = [(t, context.bytes_of(t)) for t in context.plan.targets if t.kind in ("mgt", "mdt", "ost")]
    large = units.binary_bytes(_LARGE)

    def small(_: Recipe, there: int) -> str:
        return "which mkfs.lustre refuses" if there < least else ""

    def hits(why: Callable[[Recipe, int], str]) -> Iterator[Hit]:
        for target, there in sized:
            trouble = why(release.recipe(target.kind), there)
            if trouble and (target.kind != "mdt" or there <= most_mdt):
                yield _size_path(context, target), f"{target.id} has {size(there)}, {trouble}"

    for why, allowed, hint in (
        (small, f"devices have at least {units.binary_bytes(least)}", "a larger size"),
        (_room_refused, f"none is asked for from {large} on", f"{large} or more, or fewer blocks than these"),
        (_extents_refused, "it wants extents, and mkfs.lustre asks for none", f"less than {large}"),
        (_inodes_refused, f"ldiskfs counts {_MOST_32:,} inodes", "a smaller size"),
    ):
        yield from grouped("PX537", hits(why), allowed, hint)


def useful_mgt(context: Context) -> Iterator[Finding]:
    """PX560: an MGT is no larger than anything that an MGS will ever keep."""
    most = context.limit("lustre.mgt_bytes_warn")
    hits = _larger(context, "mgt", most)
    allowed = f"an MGS keeps less than 100 MB; {units.binary_bytes(most)} is plenty"
    yield from grouped("PX560", hits, allowed, "a smaller MGT; was GiB meant?")


def memory(context: Context) -> Iterator[Finding]:
    """PX542: MDS and OSS have the memory that the manual reckons for their targets, and for those of a lost partner."""

    def hits() -> Iterator[Hit]:
        own = Counter(t.servers[0] for t in context.of_kind["ost"] if t.servers)
        mdts = Counter(s for t in context.of_kind["mdt"] for s in t.servers)
        for server in context.plan.servers:
            due, what = _memory_due(context, server, own[server.id], mdts[server.id])
            there = context.catalog.get(ServerModel, server.model).memory_bytes
            if there is not None and there < due:
                where = context.modules[server.module].where if server.module in context.modules else _role_path(server)
                seen = f"{server.id} has {units.binary_bytes(there)} of memory"
                yield where, f"{seen}, where {what} {units.decimal_bytes(due)}"

    hint = "more memory, or fewer targets a server"
    return grouped("PX542", hits(), "servers hold what they know of their targets in memory", hint)


RULES = (target_counts, largest_ost, usual_ost, largest_mdt, useful_mgt, formattable, memory)


def _growing_path(context: Context, kind: str) -> str:
    """The word of the request that most targets of a kind come from."""
    if kind == "mdt":
        return "metadata.pairs" if context.plan.modules else "metadata.dne"
    paths = Counter(s.module.where for s in context.stacks if s.target.kind == kind)
    return f"{paths.most_common(1)[0][0]}.count" if paths else context.volume_terms.grows_at


def _size_path(context: Context, target: Target) -> str:
    """The word of the request that a target's size comes from."""
    if context.plan.pools:
        return f"powerflex.{target.kind}"
    where = context.where_of(target)
    return f"{where}.{'data_drive' if target.kind == 'ost' else 'drive'}" if where else ""


def _smaller(context: Context) -> str:
    """What makes OSTs smaller."""
    return "a smaller `powerflex.ost`" if context.plan.pools else "smaller drives"


def _larger(context: Context, kind: str, bound: int, most: int | None = None) -> Iterator[Hit]:
    """The targets of a kind above a bound, and up to another where there is one."""
    for target in context.of_kind[kind]:
        there = context.bytes_of(target)
        if there > bound and (most is None or there <= most):
            yield _size_path(context, target), f"{target.id} has {size(there)}"


def _room_refused(recipe: Recipe, there: int) -> str:
    """Whether mkfs.lustre asks for room to grow to no more blocks than there are, on a device that 32 bits count."""
    if recipe.resize is None or not recipe.resize.blocks <= there // _BLOCK <= _MOST_32:
        return ""
    top = f"{recipe.resize.blocks:,} blocks"
    return f"and mkfs.lustre asks mke2fs for room to grow to {top}, which it refuses on a device that has as many"


def _extents_refused(recipe: Recipe, there: int) -> str:
    """Whether block numbers of 64 bits are asked for without extents, which mke2fs refuses."""
    wide = there // _BLOCK >= _MOST_32 and "64bit" in recipe.features and "extents" not in recipe.features
    return f"and mke2fs refuses {units.binary_bytes(_LARGE)} of such a target" if wide else ""


def _inodes_refused(recipe: Recipe, there: int) -> str:
    """Whether one inode for so many bytes comes to more than 32 bits count, as mke2fs reckons it."""
    each = [row.bytes for row in recipe.bytes_per_inode if there > row.above_bytes]
    inodes = there // _BLOCK * _BLOCK // each[-1] if each else 0
    return f"and mke2fs refuses to make {inodes:,} inodes" if inodes > _MOST_32 else ""


def _memory_due(context: Context, server: Server, own: int, mdts: int) -> tuple[int, str]:
    """The memory that a server wants, and for what: the manual's example for an MDS, and its sum for an OSS."""
    if server.role == "metadata" and mdts:
        if mdts == 1:
            return context.limit("lustre.mds_memory"), "an MDT wants"
        return context.limit("lustre.mds_memory_ha"), f"{mdts} MDTs want"
    if server.role == "storage" and own:
        failover = lustre(context.plan).failover
        each = context.limit("lustre.oss_memory_per_ost_failover" if failover else "lustre.oss_memory_per_ost")
        partner = " and as many of its partner's" if failover else ""
        return context.limit("lustre.oss_memory_base") + own * each, f"{own} OSTs{partner} want"
    return 0, ""


def _role_path(server: Server) -> str:
    return "metadata" if server.role == "metadata" else "servers"
