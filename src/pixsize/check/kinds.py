"""Parts that the rules of a design can judge at all: of a kind that they know, made of records that the catalog has.

These rules come first. What they name ends the judgement: no other rule can say anything about such a part.
"""

from __future__ import annotations

from collections.abc import Iterator

from pixsize.catalog.records import Adapter, Drive, Enclosure, Layout, Record, Server, Switch
from pixsize.check.case import Case
from pixsize.check.gather import Hit, gathered, listed
from pixsize.findings import Finding
from pixsize.product import volumes_of

_EVERYWHERE = frozenset({"servers", "switches", "volumes", "targets"})
"""Parts that the rules of every design judge."""
_ROLES = frozenset({"storage", "metadata", "management"})
"""What servers are there for."""


def judged_kinds(case: Case) -> Iterator[Finding]:
    """PX575: the rules of the design know each kind of target, volume, server and array, and each list of parts."""
    filesystem, volumes = case.filesystem, volumes_of(case.design)

    def strangers() -> Iterator[str]:
        if type(case.plan.filesystem) is not filesystem.record:
            yield f"the settings are those of a {type(case.plan.filesystem).__name__}"
        for name, parts in case.plan._asdict().items():
            is_list = isinstance(parts, tuple) and not hasattr(parts, "_fields")
            if is_list and parts and name not in _EVERYWHERE | volumes.parts:
                yield f"{len(parts):,} {name.replace('_', ' ')}"
        yield from (
            f"{t.id} is a target of kind {t.kind!r}" for t in case.plan.targets if t.kind not in filesystem.kinds
        )
        for target in case.plan.targets:
            if type(target.own) is not filesystem.target_record:
                yield f"what {target.id} has of its own is a {type(target.own).__name__}"
        for server in case.plan.servers:
            if type(server.own) is not (filesystem.server_record or type(None)):
                yield f"what {server.id} has of its own is a {type(server.own).__name__}"
        for volume in case.plan.volumes:
            if volume.provider != case.design.volumes:
                yield f"{volume.id} is a volume of {volume.provider!r}"
        yield from (f"{s.id} is a server for {s.role!r}" for s in case.plan.servers if s.role not in _ROLES)

    seen = f"rules judge {case.design.filesystem} on {case.design.volumes} and nothing else"
    return gathered("PX575", (("", why) for why in strangers()), seen)


def known_records(case: Case) -> Iterator[Finding]:
    """PX525: the catalog has the drives, enclosures, layouts, servers, adapters, switches and releases of the plan."""
    unknown: dict[str, list[str]] = {}
    for owner, model, name in _records(case):
        if name not in case.catalog or not isinstance(case.catalog.record(name), model):
            unknown.setdefault(f"{name!r}, which is no {model.__name__.lower()} of the catalog", []).append(owner)
    hits: Iterator[Hit] = (("", f"{listed(owners)} names {what}") for what, owners in unknown.items())
    return gathered("PX525", hits, "the plan is made of records that the catalog has")


RULES = (judged_kinds, known_records)


def _records(case: Case) -> Iterator[tuple[str, type[Record], str]]:
    """Each part of the plan that names a record, the kind of the record, and its id."""
    plan = case.plan
    for module in plan.modules:
        yield from ((module.id, Drive, drive) for drive in (module.drive, module.metadata_drive) if drive is not None)
    for group in plan.disk_groups:
        yield group.id, Drive, group.drive
    for spares in plan.spares:
        yield f"a set of spares of {spares.array}", Drive, spares.drive
    for pool in plan.pools:
        yield pool.id, Drive, pool.drive
    for array in plan.arrays:
        yield array.id, Enclosure, array.model
        for enclosure in array.enclosures:
            yield array.id, Enclosure, enclosure.model
            yield array.id, Layout, enclosure.layout
    for server in plan.servers:
        yield server.id, Server, server.model
        yield from ((server.id, Adapter, adapter) for adapter, _ in server.adapters)
        yield from ((server.id, Drive, drive) for drive in (server.drives or ())[:1])
    yield from ((switch.id, Switch, switch.model) for switch in plan.switches)
    if isinstance(plan.filesystem, case.filesystem.record):
        yield from case.filesystem.due.records(plan)
