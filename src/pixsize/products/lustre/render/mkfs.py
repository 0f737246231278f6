"""Scripts that make the targets of a Lustre file system: one a server, and a run book beside them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.software import Software
from pixsize.findings import Finding
from pixsize.plan.records import Plan, Server, Target, Volume
from pixsize.product import volume_terms
from pixsize.products.lustre.ldiskfs import refusal
from pixsize.products.lustre.plan import Ldiskfs, LustreFilesystem, lustre, mgs_target, server_of, target_of
from pixsize.products.lustre.records import LustreRelease
from pixsize.products.lustre.render.format_time import FormatWork, format_works, rate, sentence, takes, written
from pixsize.products.lustre.render.shared import lacking, nid
from pixsize.render import template
from pixsize.render.records import Again, File, Renderer
from pixsize.render.template import checked, device, word
from pixsize.texts import listed
from pixsize.units import binary_bytes

_LABEL = re.compile(r"MGS|[A-Za-z0-9][A-Za-z0-9_-]{0,7}-(?:MDT|OST)[0-9a-f]{4}")
_FSNAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,7}")
_INTERFACE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,14}")
_OPTIONS = re.compile(r"-[A-Z] [a-z0-9_=,^]+(?: -[A-Z] [a-z0-9_=,^]+)*")
_KINDS = {"mgt": "--mgs", "mdt": "--mdt", "ost": "--ost"}
_AGAIN = "pixsize render mkfs --reformat LABEL --config REQUEST"
"""The command for a script that destroys a target; what it needs beside that is the plan's."""


def labels(plan: Plan) -> tuple[str, ...]:
    """The labels of the targets that mkfs.lustre makes, in the order of first start; none for another file system."""
    return tuple(t.id for t in _targets(plan))


def reformatting(chosen: Iterable[str]) -> Renderer:
    """The renderer whose scripts destroy the targets with these labels; a label that a plan lacks does nothing."""
    old = frozenset(chosen)
    return replace(RENDERER, files=partial(_files, old=old), findings=partial(_findings, old=old))


def _files(plan: Plan, catalog: Catalog, old: frozenset[str] = frozenset()) -> tuple[File, ...]:
    """A script for each server that serves a target first, in the order in which they are run; then the run book."""
    if not _targets(plan):
        return ()
    works = format_works(plan, catalog)
    views = scripts(plan, old, works)
    run_book = template.fill("mkfs/README.md.j2", _run_book(plan, catalog, views, works))
    return (
        *(File(f"mkfs/{v['server']}.sh", template.fill("mkfs/server.sh.j2", v), executable=True) for v in views),
        File("mkfs/README.md", run_book),
    )


def _targets(plan: Plan) -> tuple[Target, ...]:
    return tuple(t for t in plan.targets if t.kind in ("mgt", "mdt", "ost"))


def _applies(plan: Plan) -> bool:
    """Whether the plan has targets of Lustre, and everything that their scripts need."""
    return bool(_targets(plan)) and not any(lacking(plan))


def _findings(plan: Plan, catalog: Catalog, old: frozenset[str] = frozenset()) -> tuple[Finding, ...]:
    """What the scripts lack, what mkfs.lustre would refuse, and what they destroy."""
    return (*lacking(plan), *_refused_sizes(plan, catalog), *_destroying(plan, old))


def _refused_sizes(plan: Plan, catalog: Catalog) -> Iterator[Finding]:
    """PX613: sizes that mkfs.lustre cannot format, each once."""
    if not isinstance(plan.filesystem, LustreFilesystem):
        return
    release = catalog.get(LustreRelease, plan.filesystem.release)
    sizes = {v.id: v.bytes for v in plan.volumes}
    kinds: dict[tuple[str, int], list[str]] = {}
    for target in _targets(plan):
        kinds.setdefault((target.kind, sizes[target.volume or ""]), []).append(target.id)
    for (kind, size), names in kinds.items():
        reason = refusal(release, kind, size)
        if reason:
            yield Finding("PX613", f"{listed(names)}: mkfs.lustre would refuse {size:,} bytes: {reason}")


def _destroying(plan: Plan, old: frozenset[str]) -> Iterator[Finding]:
    """PX612: each target that a script destroys, since `--reformat` names it."""
    for target in _targets(plan):
        if target.id in old:
            yield Finding(
                "PX612",
                f"{target.servers[0]}.sh destroys the target {target.id} that its device holds",
                hint="when it is done, render again without --reformat",
            )


class _Context(NamedTuple):
    """What the descriptions of all targets need: NIDs by server, those of the MGS, volumes and times.

    `old` are the labels of the targets that scripts destroy (`--reformat`).
    """

    fsname: str
    nids: Mapping[str, str]
    mgs: tuple[str, ...]
    volumes: Mapping[str, Volume]
    old: frozenset[str]
    works: Mapping[str, FormatWork]


def scripts(plan: Plan, old: frozenset[str], works: Mapping[str, FormatWork]) -> list[dict[str, Any]]:
    """What each script's template substitutes, in the order in which the scripts are run: a server's first target."""
    nids = {s.id: ",".join(map(nid, server_of(s).nids)) for s in plan.servers}
    mgs = tuple(nids[s] for s in mgs_target(plan).servers)
    context = _Context(checked(_FSNAME, lustre(plan).name), nids, mgs, {v.id: v for v in plan.volumes}, old, works)
    servers = {s.id: s for s in plan.servers}
    served: dict[str, list[Target]] = {}
    for target in plan.targets:
        served.setdefault(target.servers[0], []).append(target)
    return [_script(plan, servers[server], targets, context) for server, targets in served.items()]


def _script(plan: Plan, server: Server, targets: Collection[Target], context: _Context) -> dict[str, Any]:
    network = lustre(plan).network
    if network is None:
        raise ValueError("a plan without a network has no scripts")
    return {
        "server": word(server.id),
        "plan": word(plan.name),
        "version": word(lustre(plan).version),
        "interface": checked(_INTERFACE, network.interface),
        "nids": " ".join(map(nid, server_of(server).nids)),
        "missing": volume_terms(plan).missing,
        "failover": lustre(plan).failover,
        "has_mgs": any(t.kind == "mgt" for t in targets),
        "old": [checked(_LABEL, t.id) for t in targets if t.id in context.old],
        "old_mgs": any(t.kind == "mgt" and t.id in context.old for t in targets),
        "takes": takes([context.works[t.id] for t in targets]),
        "targets": [_target(t, context) for t in targets],
    }


def _target(target: Target, context: _Context) -> dict[str, Any]:
    """A target as the script describes it: what is to be on the device, and the call that makes it.

    `written` is the label as it is on the disk before the first mount: a colon in place of the dash.
    """
    disk = target_of(target).ldiskfs
    if target.volume is None or disk is None:
        raise ValueError(f"{target.id} has no volume, or no ldiskfs on it")
    size = context.volumes[target.volume].bytes
    # As tunefs.lustre shows them: a colon between nodes, a comma between the addresses of one.
    parameters = (("failover.node", _service_nodes(target, context)), ("mgsnode", _mgs_nodes(target, context)))
    label = checked(_LABEL, target.id)
    return {
        "label": label,
        "device": device(target.device),
        "bytes": size,
        "size": f"{size:,} bytes = {binary_bytes(size)}",
        "written": "MGS" if target.kind == "mgt" else ":".join(label.rsplit("-", 1)),
        "index": "none" if target_of(target).index is None or target.kind == "mgt" else target_of(target).index,
        "flags": f"{disk.flags:#x}",
        "nodes": " ".join(f"{key}={':'.join(nodes)}" for key, nodes in parameters if nodes),
        "mmp": "yes" if disk.mmp else "no",
        "reformat": "yes" if target.id in context.old else "no",
        "takes": sentence(context.works[target.id]),
        "written_bytes": written(context.works[target.id]).removeprefix("writes "),
        "minutes": takes([context.works[target.id]]),
        "call": list(_call(target, disk, context)),
        **{k: getattr(disk, k) for k in ("blocks", "inodes", "inode_bytes", "stride", "stripe_width")},
    }


def _call(target: Target, disk: Ldiskfs, context: _Context) -> Iterator[str]:
    """The lines of the call, the device last (mkfs.lustre(8)).

    One --mgsnode for each node of the MGS, and one --servicenode for each that may serve the target: a comma joins
    addresses of one node alone. A target that holds the MGS is told no other.
    """
    kinds = [_KINDS[target.kind]] + (["--mgs"] if target_of(target).mgs and target.kind != "mgt" else [])
    yield " ".join(["mkfs.lustre", *kinds])
    if target.id in context.old:
        yield "--reformat"
    if target.kind != "mgt":
        yield f"--fsname={context.fsname} --index={target_of(target).index}"
    yield from (f"--mgsnode={nids}" for nids in _mgs_nodes(target, context))
    yield from (f"--servicenode={nids}" for nids in _service_nodes(target, context))
    if disk.options:
        yield f'--mkfsoptions="{checked(_OPTIONS, disk.options)}"'
    yield device(target.device)


def _mgs_nodes(target: Target, context: _Context) -> tuple[str, ...]:
    """The NIDs of the MGS, a text a node; none for a target that holds the MGS itself."""
    return () if target.kind == "mgt" or target_of(target).mgs else context.mgs


def _service_nodes(target: Target, context: _Context) -> tuple[str, ...]:
    """The nodes that may serve a target; none where one alone can, and nothing fails over."""
    return tuple(context.nids[s] for s in target.servers) if len(target.servers) > 1 else ()


def _run_book(
    plan: Plan, catalog: Catalog, rows: Sequence[Mapping[str, Any]], works: Mapping[str, FormatWork]
) -> dict[str, Any]:
    """What the run book's template loops over; `rows` are what the scripts were made of.

    Where nobody read the sizes of the plan's own release, `sizes_of` is the release whose sizes are used. Nor is it
    known then what that one writes while it formats.
    """
    at_most = any(work.at_most for work in works.values())
    sizes_of = catalog.get(LustreRelease, lustre(plan).release).sizes_of
    replies, terms = _replies(plan), volume_terms(plan)
    # What the document ran on the servers of this design.
    records = (s for s in catalog.all(Software) if s.runs_on == "servers")
    software = [s for s in records if catalog.id_of(s.design) == plan.design]
    return {
        "replies": replies,
        "again": " ".join([_AGAIN, *(["--observed FOLDER"] if replies else []), "-o again"]),
        "plan": word(plan.name),
        "fsname": checked(_FSNAME, lustre(plan).name),
        "version": word(lustre(plan).version),
        "exist": terms.exist,
        "contents": terms.contents,
        "failover": any(len(t.servers) > 1 for t in plan.targets),
        "ran": ", ".join(f"{name} {version}" for record in software for name, version in record.versions.items()),
        "scripts": rows,
        "example": rows[-1]["targets"][-1],
        "count": f"{sum(len(r['targets']) for r in rows):,}",
        "old": [t["label"] for r in rows for t in r["targets"] if t["reformat"] == "yes"],
        "at_most": at_most,
        "unknown": at_most and bool(sizes_of),
        "sizes_of": word(sizes_of) if sizes_of else "",
        "writes": "inode tables and journal" if any(w.journal_bytes for w in works.values()) else "inode tables",
        "rate": rate(next(iter(works.values()))),
        "own_mgs": any(t.kind == "mgt" for t in plan.targets),
        "dne": sum(t.kind == "mdt" for t in plan.targets) > 1,
    }


def _replies(plan: Plan) -> str:
    """What the plan took from replies: `devices`, `sizes`, or nothing where it was made without replies."""
    if volume_terms(plan).collect:
        return "devices"
    reported = [g.reported_bytes for g in plan.disk_groups] + [v.reported_bytes for v in plan.volumes]
    return "sizes" if any(size is not None for size in reported) else ""


RENDERER = Renderer(
    name="mkfs",
    summary="a script for each server that makes its Lustre targets, with a run book",
    needs="`network` in the request; in a pool the replies about its volumes in --observed, for the names of devices",
    applies=_applies,
    findings=_findings,
    files=_files,
    again=Again("Lustre target", labels, reformatting),
)
