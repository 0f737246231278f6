"""The words of the scripts that make Lustre's targets, and of their run book."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pixsize.plan.records import Plan, Server, Target, Volume
from pixsize.product import volume_terms
from pixsize.products.lustre.format_time import FormatWork
from pixsize.products.lustre.plan import Ldiskfs, lustre, server_of, target_of
from pixsize.products.lustre.render import format_words
from pixsize.products.lustre.render.lnet import nid
from pixsize.render.template import device, word
from pixsize.units import binary_bytes

_LABEL = re.compile(r"MGS|[A-Za-z0-9][A-Za-z0-9_-]{0,7}-(?:MDT|OST)[0-9a-f]{4}")
_FSNAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,7}")
_INTERFACE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,14}")
_OPTIONS = re.compile(r"-[A-Z] [a-z0-9_=,^]+(?: -[A-Z] [a-z0-9_=,^]+)*")
_KINDS = {"mgt": "--mgs", "mdt": "--mdt", "ost": "--ost"}
_AGAIN = "pixsize render mkfs --reformat LABEL --config REQUEST"
"""The command for a script that destroys a target; what it needs beside that is the plan's."""


class _Shop(NamedTuple):
    """What every target of a plan is described with."""

    fsname: str
    nids: Mapping[str, str]
    mgs: tuple[str, ...]
    volumes: Mapping[str, Volume]
    old: frozenset[str]
    works: Mapping[str, FormatWork]


def scripts(plan: Plan, old: frozenset[str], works: Mapping[str, FormatWork]) -> list[dict[str, Any]]:
    """What each script's template substitutes, in the order in which the scripts are run: a server's first target."""
    shop = _shop(plan, old, works)
    servers = {s.id: s for s in plan.servers}
    served: dict[str, list[Target]] = {}
    for target in plan.targets:
        served.setdefault(target.servers[0], []).append(target)
    return [_script(plan, servers[server], targets, shop) for server, targets in served.items()]


def _shop(plan: Plan, old: frozenset[str], works: Mapping[str, FormatWork]) -> _Shop:
    nids = {s.id: ",".join(map(nid, server_of(s).nids)) for s in plan.servers}
    holder = next(t for t in plan.targets if t.kind == "mgt" or target_of(t).mgs)
    fsname = _checked(_FSNAME, lustre(plan).name)
    return _Shop(fsname, nids, tuple(nids[s] for s in holder.servers), {v.id: v for v in plan.volumes}, old, works)


def _script(plan: Plan, server: Server, targets: Collection[Target], shop: _Shop) -> dict[str, Any]:
    network = lustre(plan).network
    if network is None:
        raise ValueError("a plan without a network has no scripts")
    return {
        "server": word(server.id),
        "plan": word(plan.name),
        "version": word(lustre(plan).version),
        "interface": _checked(_INTERFACE, network.interface),
        "nids": " ".join(map(nid, server_of(server).nids)),
        "missing": volume_terms(plan).missing,
        "failover": lustre(plan).failover,
        "has_mgs": any(t.kind == "mgt" for t in targets),
        "old": [_checked(_LABEL, t.id) for t in targets if t.id in shop.old],
        "old_mgs": any(t.kind == "mgt" and t.id in shop.old for t in targets),
        "takes": format_words.takes([shop.works[t.id] for t in targets]),
        "targets": [_target(t, shop) for t in targets],
    }


def _target(target: Target, shop: _Shop) -> dict[str, Any]:
    """A target as the script describes it: what is to be on the device, and the call that makes it.

    `written` is the label as it is on the disk before the first mount: a colon in place of the dash.
    """
    disk = target_of(target).ldiskfs
    if target.volume is None or disk is None:
        raise ValueError(f"{target.id} has no volume, or no ldiskfs on it")
    size = shop.volumes[target.volume].bytes
    label = _checked(_LABEL, target.id)
    return {
        "label": label,
        "device": device(target.device),
        "bytes": size,
        "size": f"{size:,} bytes = {binary_bytes(size)}",
        "written": "MGS" if target.kind == "mgt" else ":".join(label.rsplit("-", 1)),
        "index": "none" if target_of(target).index is None or target.kind == "mgt" else target_of(target).index,
        "flags": f"{disk.flags:#x}",
        "nodes": " ".join(_parameters(target, shop)),
        "mmp": "yes" if disk.mmp else "no",
        "reformat": "yes" if target.id in shop.old else "no",
        "takes": format_words.sentence(shop.works[target.id]),
        "written_bytes": format_words.written(shop.works[target.id]).removeprefix("writes "),
        "minutes": format_words.takes([shop.works[target.id]]),
        "call": list(_call(target, disk, shop)),
        **{k: getattr(disk, k) for k in ("blocks", "inodes", "inode_bytes", "stride", "stripe_width")},
    }


def _call(target: Target, disk: Ldiskfs, shop: _Shop) -> Iterator[str]:
    """The lines of the call, the device last (mkfs.lustre(8)).

    One --mgsnode for each node of the MGS, and one --servicenode for each that may serve the target: a comma joins
    addresses of one node alone. A target that holds the MGS is told no other.
    """
    kinds = [_KINDS[target.kind]] + (["--mgs"] if target_of(target).mgs and target.kind != "mgt" else [])
    yield " ".join(["mkfs.lustre", *kinds])
    if target.id in shop.old:
        yield "--reformat"
    if target.kind != "mgt":
        yield f"--fsname={shop.fsname} --index={target_of(target).index}"
    yield from (f"--mgsnode={nids}" for nids in _mgs_nodes(target, shop))
    yield from (f"--servicenode={nids}" for nids in _service_nodes(target, shop))
    if disk.options:
        yield f'--mkfsoptions="{_checked(_OPTIONS, disk.options)}"'
    yield device(target.device)


def _parameters(target: Target, shop: _Shop) -> Iterator[str]:
    """The nodes as tunefs.lustre shows them: a colon between nodes, a comma between addresses of one."""
    for key, nodes in (("failover.node", _service_nodes(target, shop)), ("mgsnode", _mgs_nodes(target, shop))):
        if nodes:
            yield f"{key}={':'.join(nodes)}"


def _mgs_nodes(target: Target, shop: _Shop) -> tuple[str, ...]:
    return () if target.kind == "mgt" or target_of(target).mgs else shop.mgs


def _service_nodes(target: Target, shop: _Shop) -> tuple[str, ...]:
    """The nodes that may serve a target; none where one alone can, and nothing fails over."""
    return tuple(shop.nids[s] for s in target.servers) if len(target.servers) > 1 else ()


def run_book(
    plan: Plan, made: Iterable[Mapping[str, Any]], ran: str, works: Mapping[str, FormatWork], sizes_of: str
) -> dict[str, Any]:
    """What the run book's template loops over; `ran` is the software of the document's servers.

    `sizes_of` is the release whose sizes are used where nobody read those of the plan's own: nor is it known then what
    that one writes while it formats.
    """
    rows = list(made)
    at_most = any(work.at_most for work in works.values())
    replies = _replies(plan)
    return {
        "replies": replies,
        "again": " ".join([_AGAIN, *(["--observed FOLDER"] if replies else []), "-o again"]),
        "plan": word(plan.name),
        "fsname": _checked(_FSNAME, lustre(plan).name),
        "version": word(lustre(plan).version),
        "on_arrays": bool(plan.volumes[0].array),
        "failover": any(len(t.servers) > 1 for t in plan.targets),
        "ran": ran,
        "scripts": rows,
        "example": rows[-1]["targets"][-1],
        "count": f"{sum(len(r['targets']) for r in rows):,}",
        "old": [t["label"] for r in rows for t in r["targets"] if t["reformat"] == "yes"],
        "at_most": at_most,
        "unknown": at_most and bool(sizes_of),
        "sizes_of": word(sizes_of) if sizes_of else "",
        "writes": "inode tables and journal" if any(w.journal_bytes for w in works.values()) else "inode tables",
        "rate": format_words.rate(next(iter(works.values()))),
        "own_mgs": any(t.kind == "mgt" for t in plan.targets),
        "dne": sum(t.kind == "mdt" for t in plan.targets) > 1,
    }


def _replies(plan: Plan) -> str:
    """What the plan took from replies, and would lack without them: nothing where it was made before any."""
    if not plan.volumes[0].array:
        return "devices"
    reported = [g.reported_bytes for g in plan.disk_groups] + [v.reported_bytes for v in plan.volumes]
    return "sizes" if any(size is not None for size in reported) else ""


def _checked(pattern: re.Pattern[str], text: str) -> str:
    if pattern.fullmatch(text) is None:
        raise ValueError(f"{text!r} may not stand in a rendered file")
    return text
