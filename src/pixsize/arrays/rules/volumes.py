"""Rules for volumes: their number on a disk group, one target each, and legal names, LUNs and sizes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import product

from pixsize import units
from pixsize.catalog.records import Limit
from pixsize.check.context import Context, Hit, Stack, capacity, data_drives, differences, grouped
from pixsize.check.rules import modules
from pixsize.findings import Finding
from pixsize.plan.records import DiskGroup
from pixsize.request import MODULES
from pixsize.texts import listed
from pixsize.units import both_bytes

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
_BLOCK = 512
"""What an array and its hosts count volumes in, bytes."""


def one_to_one(context: Context) -> Iterator[Finding]:
    """PX506: group, volume and target are one to one; a small volume may lie beside the first one for metadata."""
    shared = _shared_group(context)
    volumes = Counter(v.backing for v in context.plan.volumes)
    targets = Counter(t.volume for t in context.plan.targets if t.volume is not None)
    backings = {*context.groups, *context.pools, *(v.backing for v in context.added_volumes.values())}

    def hits() -> Iterator[Hit]:
        for group in context.plan.disk_groups:
            if volumes[group.id] != (2 if group.id == shared else 1):
                yield context.where(group.array), f"disk group {group.id} has {volumes[group.id]} volumes"
        for volume in context.plan.volumes:
            if volume.backing not in backings:
                yield context.where(volume.array), f"volume {volume.id} lies on {volume.backing}, which the plan lacks"
            if targets[volume.id] != 1:
                yield context.where(volume.array), f"volume {volume.id} has {targets[volume.id]} targets"
        for target in context.plan.targets:
            if (target.volume is None) != (target.purpose == "descriptor"):
                yield (
                    context.terms.beside_volumes,
                    f"target {target.id} is for {target.purpose} on {target.volume or 'no volume'}",
                )
            elif target.volume is not None and target.volume not in context.volumes:
                yield "", f"target {target.id} stands on {target.volume}, which the plan lacks"

    small = context.filesystem.expected.small_volume(context.request)[1]
    more = f", the first for metadata one more for {small}" if shared else ""
    of_groups = f"a disk group has one volume{more}, and " if context.plan.disk_groups else ""
    return grouped("PX506", hits(), f"{of_groups}a volume has one target")


def names(context: Context) -> Iterator[Finding]:
    """PX507: names are legal for file system, array and multipath alike, and unique without regard to case."""
    plan, longest = context.plan, context.limit("pixsize.name_chars")
    kinds: tuple[tuple[str, list[str]], ...] = (
        ("disk group", [g.id for g in plan.disk_groups]),
        ("volume", [v.id for v in plan.volumes]),
        ("target", [t.id for t in plan.targets if context.terms.named_as_volumes]),
        ("array", [a.id for a in plan.arrays]),
    )

    def hits() -> Iterator[Hit]:
        for kind, ids in kinds:
            yield from (("", f"{kind} {name!r} {why}") for name in ids if (why := _illegal(context, name, longest)))
            yield from (("", f"{n} {kind}s are called {name!r}") for name, n in _repeated(ids))
        hosts = [s.id for s in plan.servers]
        yield from ((context.grows_at, f"{n} servers are called {name!r}") for name, n in _repeated(hosts))

    allowed = f"letters, digits and _ only, beginning with a letter, at most {longest} characters, unique in any case"
    return grouped("PX507", hits(), allowed)


def luns(context: Context) -> Iterator[Finding]:
    """PX508: every volume of an array has a LUN of its own, in the range that the array and its hosts take."""
    used = Counter((v.array, v.lun) for v in context.own_volumes)
    bounds = {a.id: _lun_bounds(context, a.id) for a in context.plan.arrays}
    default = _lun_bounds(context, "")

    def hits() -> Iterator[Hit]:
        for (array, lun), count in used.items():
            low, high = bounds.get(array, default)
            if lun is None:
                yield context.where(array), f"{count} of the volumes of {array} have no LUN"
            elif count > 1:
                yield context.where(array), f"LUN {lun} of {array} maps {count} volumes"
            elif not low <= lun <= high:
                yield context.where(array), f"{array} uses LUN {lun}"

    return grouped("PX508", hits(), f"each volume has a LUN of its own, from {default[0]} to {default[1]}")


def largest_volume(context: Context) -> Iterator[Finding]:
    """PX516: no volume is larger than the array's limit, which may be known for a sibling only.

    As long as the array has reported nothing, the volume counts with its group's nominal size: it is to be expanded.
    One that takes what it needs has its size, whatever the group has.
    """
    for family in sorted({context.family(a.id) for a in context.plan.arrays}):
        limit = context.catalog.get(Limit, f"{family}.volume_bytes")
        most = units.binary_bytes(limit.value)
        kind = f"{context.volume_terms.labels['kind']} {family.upper()}"
        doubt = "" if limit.confirmed else f", as documented for a sibling, unconfirmed for {kind}"
        hits = (
            (_drive_path(context, n.group), f"{n.volume.id} is to span {units.binary_bytes(_span(context, n))}")
            for n in context.stacks
            if _span(context, n) > limit.value and context.family(n.array.id) == family
        )
        yield from grouped("PX516", hits, f"the largest volume is {most}{doubt}", "smaller drives; or ask the vendor")


def volumes_fit(context: Context) -> Iterator[Finding]:
    """PX520: the volumes of a group are together no larger than it: as reported, or as its drives are sold."""

    def hits() -> Iterator[Hit]:
        for group in context.plan.disk_groups:
            volumes = context.volumes_on[group.id]
            planned_bytes = sum(context.volumes[v].bytes for v in volumes)
            if planned_bytes > capacity(group):
                asks = f"{volumes[0]} asks" if len(volumes) == 1 else f"{listed(volumes)} ask"
                message = f"{asks} for {planned_bytes:,} bytes of {group.id}, which has {capacity(group):,}"
                yield context.where(group.array), message

    return grouped("PX520", hits(), "a volume is at most as large as its group")


def parts_agree(context: Context) -> Iterator[Finding]:
    """PX524: what a group, its volume and its target say of themselves fits together."""
    floors = _floors(context)

    def hits() -> Iterator[Hit]:
        for group in context.plan.disk_groups:
            yield from ((context.where(group.array), f"{group.id}: {why}") for why in _group_troubles(context, group))
        for stack in context.stacks:
            troubles = _stack_troubles(context, stack, floors[stack.target.id])
            yield from ((stack.module.where, f"{stack.target.id}: {why}") for why in troubles)

    return grouped("PX524", hits(), "disk group, volume and target describe one thing")


def margin(context: Context) -> Iterator[Finding]:
    """PX410: volumes of groups that no array has reported yet are planned smaller than they could be."""
    groups = [g for g in context.plan.disk_groups if g.reported_bytes is None and not _are_made(context, g)]
    planned_bytes = {g.id: sum(context.volumes[v].bytes for v in context.volumes_on[g.id]) for g in groups}
    small = [g for g in groups if 0 < planned_bytes[g.id] < g.bytes]
    if not small:
        return
    nominal, planned = sum(g.bytes for g in small), sum(planned_bytes[g.id] for g in small)
    share = 100 * (nominal - planned) / nominal
    terms = context.terms
    grown = f"or expand every volume before it is mapped: {terms.user} does not grow after {terms.makes}"
    made = f"the scripts for {terms.makes} compare each device with its planned size"
    pools = {context.terms.pool_of(s.target) for s in context.stacks if s.group.reported_bytes is None}
    exact = sum(s.group.reported_bytes is not None and context.terms.pool_of(s.target) in pools for s in context.stacks)
    differences = (
        f"; {exact:,} others of the same pool have their exact size: unlike {terms.targets}, unless these are expanded"
    )
    differences = differences if exact and terms.expands else ""
    yield Finding(
        "PX410",
        f"{len(small):,} volumes are planned {share:.1f} % under nominal, since no array has reported the size of "
        f"their groups: up to {both_bytes(nominal - planned)} of {both_bytes(nominal)} are left{differences}",
        MODULES,
        f"create the groups, collect `{context.volume_terms.commands['groups']}` into --observed and render again; "
        + (grown if terms.expands else made),
    )


_CONTROLLERS = ("a", "b")
"""A path that no volume uses counts with none: so the rule needs the names of both controllers."""


def balanced_paths(context: Context) -> Iterator[Finding]:
    """PX515: in each pool of an array or module, every path serves as many volumes, or one more.

    A path is a server × controller; the servers for themselves, and the controllers, are held to the same. The file
    system says which of its targets this rule spreads.
    """
    served: dict[tuple[str, str, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    for stack in (s for s in context.stacks if context.terms.balances(s.target)):
        path = (stack.target.servers[0] if stack.target.servers else "no server", stack.volume.owner)
        module, pool = stack.module.id, context.terms.pool_of(stack.target)
        served[module, stack.array.id, pool][path] += 1
        served[module, module, pool][path] += 1

    def hits() -> Iterator[Hit]:
        for (module_id, place, pool), paths in served.items():
            module = context.modules[module_id]
            for every in _shares(module.servers, paths):
                most, least = max(every, key=lambda p: every[p]), min(every, key=lambda p: every[p])
                if every[most] - every[least] > 1:
                    counts = f"{most} serves {every[most]} volumes and {least} {every[least]}"
                    yield module.where, f"of {place}{pool and f', pool {pool}'}, {counts}"
                    break

    return grouped("PX515", hits(), "server and controller combinations differ by one volume at most")


def as_reported(context: Context) -> Iterator[Finding]:
    """PX524: sizes and WWIDs of groups and volumes that exist are those of the replies; the plan has no others."""
    expands = context.terms.expands

    def hits() -> Iterator[Hit]:
        for group in context.plan.disk_groups:
            observed = context.observed.arrays.get(group.array)
            reply = observed.groups.get(group.id) if observed else None
            if group.reported_bytes != (reply.bytes if reply else None):
                expected = f"{reply.bytes:,} were reported" if reply else "nothing was reported"
                yield (
                    context.where(group.array),
                    f"{group.id} has {group.reported_bytes} bytes reported, where {expected}",
                )
        for volume in context.own_volumes:
            observed = context.observed.arrays.get(volume.array)
            existing = observed.volumes.get(volume.id) if observed else None
            known = (existing.wwid, existing.bytes) if existing else (None, None)
            if (volume.wwid, volume.reported_bytes) != known:
                has = f"WWID {volume.wwid} and {volume.reported_bytes} bytes reported"
                yield (
                    context.where(volume.array),
                    f"{volume.id} has {has}, where {known[0]} and {known[1]} were reported",
                )
            align = context.limit(f"{context.family(volume.array)}.volume_alignment")
            if known[1] and not expands and volume.bytes != known[1]:
                yield (
                    context.where(volume.array),
                    f"{volume.id} is planned with {volume.bytes:,} bytes, and has {known[1]:,}",
                )
            elif (expands or not known[1]) and volume.bytes % align:
                yield (
                    context.where(volume.array),
                    f"{volume.id} has {volume.bytes:,} bytes, no whole number of {align:,}",
                )

    return grouped("PX524", hits(), "what exists is planned as it was reported, what does not in whole steps")


def volumes_in_order(context: Context) -> Iterator[Finding]:
    """PX525: volumes stand in the order of their groups, are named after them, and have LUNs counted up on each array.

    A small volume that shares a group comes first on it: `mm01a1_mgt01`.
    """
    shared, suffix = _shared_group(context), context.filesystem.expected.small_volume(context.request)[0]
    expected: list[tuple[object, ...]] = []
    numbers: Counter[str] = Counter()
    for group in context.plan.disk_groups:
        own = group.id.removeprefix("dg_")
        for name in (f"{group.array}_{suffix}", own) if group.id == shared else (own,):
            lun = _lun_bounds(context, group.array)[0] + numbers[group.array]
            numbers[group.array] += 1
            expected.append((name, context.design.volumes, group.id, group.array, lun))
    why = differences("volume", ("id", "provider", "backing", "array", "lun"), context.own_volumes, expected)
    return grouped("PX525", (("", w) for w in why), "volumes are named and counted in the order of their groups")


RULES = (one_to_one, names, luns, volumes_fit, parts_agree, largest_volume, margin, balanced_paths)
EXACT = (as_reported, volumes_in_order)
"""These run where no rule of the first stage has found an error."""


def _shared_group(context: Context) -> str:
    """The id of the disk group that a small volume lies on too: the first for metadata; empty where there is none."""
    shared, _ = context.filesystem.expected.small_volume(context.request)
    return next((g.id for g in context.plan.disk_groups if g.purpose == "metadata"), "") if shared else ""


def _illegal(context: Context, name: str, longest: int) -> str:
    """Why a name is illegal, with the number or word that makes it so; empty when it is legal."""
    if len(name) > longest:
        return f"has {len(name)} characters"
    if not _NAME.fullmatch(name):
        return "holds something else than letters, digits and _"
    reserved = "is reserved on the array" if name.casefold() in context.volume_terms.reserved_names else ""
    return context.terms.illegal_name(name) or reserved


def _repeated(ids: Iterable[str]) -> list[tuple[str, int]]:
    return [(name, n) for name, n in Counter(i.casefold() for i in ids).items() if n > 1]


def _lun_bounds(context: Context, array: str) -> tuple[int, int]:
    family = context.family(array)
    return context.limit(f"{family}.lun_min"), context.limit(f"{family}.lun_max")


def _span(context: Context, stack: Stack) -> int:
    """The bytes that a volume ends up with, once it spans its group."""
    if context.terms.sized_by(stack.target) == "needs" or stack.group.reported_bytes is not None:
        return stack.volume.bytes
    return max(stack.volume.bytes, stack.group.bytes)


def _drive_path(context: Context, group: DiskGroup) -> str:
    """The path of the request's word for the drive that a group is made of."""
    where = context.where(group.array)
    entry = next((entry for entry in modules(context) if entry.where == where and group.purpose in entry.drives), None)
    return f"{where}.{entry.drives[group.purpose][0]}" if entry else where


def _group_troubles(context: Context, group: DiskGroup) -> Iterator[str]:
    array = context.arrays.get(group.array)
    module = context.modules.get(array.module) if array else None
    if module is None:
        yield f"it lies on {group.array}, which belongs to no module of the plan"
        return
    chunk = None if group.level == "r1" else module.chunk_bytes
    if not context.width_is_legal(group):
        return  # an illegal group has no right size, and PX503 names it
    if group.chunk_bytes != chunk:
        yield f"chunk size {group.chunk_bytes or 'none'}, expected {chunk or 'none'}"
    expected_bytes = data_drives(group) * context.drive(group.drive).capacity_bytes
    if group.bytes != expected_bytes:
        yield f"{group.bytes:,} bytes, where its {data_drives(group)} data drives make {expected_bytes:,}"


def _stack_troubles(context: Context, stack: Stack, floor: int) -> Iterator[str]:
    target, volume, group = stack.target, stack.volume, stack.group
    pairs: tuple[tuple[str, object, object], ...] = (
        ("array", volume.array, group.array),
        ("owner", volume.owner, group.owner),
        ("purpose", volume.purpose, group.purpose),
        ("target's purpose", target.purpose, group.purpose),
        ("device", target.device, f"/dev/mapper/{volume.id}"),
        ("WWID", volume.wwid, _wwid(context, stack)),
    )
    for word, found, expected in pairs:
        if found != expected:
            yield f"{word} {found}, expected {expected}"
    if volume.bytes % _BLOCK:
        yield f"volume of {volume.bytes:,} bytes, no whole number of blocks of {_BLOCK} B"
    if volume.bytes < floor:
        yield f"volume of {volume.bytes:,} bytes, though {group.id} allows for at least {floor:,}"


def _wwid(context: Context, stack: Stack) -> str | None:
    """The WWID that the array reports for the volume; the plan's own where the array has not reported it."""
    observed = context.observed.arrays.get(stack.array.id)
    volume = observed.volumes.get(stack.volume.id) if observed else None
    return volume.wwid if volume else stack.volume.wwid


def _floors(context: Context) -> dict[str, int]:
    """By target, the least bytes that its volume must have.

    That is the smallest volume that counts as spanning its group, less other volumes on it. Where all targets are made
    as large as the smallest of them, it is the smallest of their bounds. It is 0 where any size is legal: for volumes
    that are sized by what they hold, and for volumes that exist where the file system takes any size.
    """
    sized_by = context.terms.sized_by
    floors = {s.target.id: 0 if sized_by(s.target) == "needs" else _floor(context, s) for s in context.stacks}
    alike = [s.target.id for s in context.stacks if sized_by(s.target) == "smallest"]
    floors |= dict.fromkeys(alike, min((floors[t] for t in alike), default=0))
    made = [s.target.id for s in context.stacks if context.terms.sized and context.was_made(s.volume)]
    return floors | dict.fromkeys(made, 0)


def _are_made(context: Context, group: DiskGroup) -> bool:
    """Whether the volumes of a group exist and are planned with the size that they have, since none is expanded."""
    volumes = context.volumes_on[group.id]
    return not context.terms.expands and bool(volumes) and all(context.was_made(context.volumes[v]) for v in volumes)


def _floor(context: Context, stack: Stack) -> int:
    """The smallest volume that counts as spanning its group: less the planned margin, and what alignment takes.

    A volume that exists may be smaller: PX304 and PX306 say what that means.
    """
    family, group = context.enclosure(stack.array.model).family, stack.group
    beside = sum(context.volumes[v].bytes for v in context.volumes_on[group.id] if v != stack.volume.id)
    align = context.limit(f"{family}.volume_alignment")
    if group.reported_bytes is None:
        share = context.share(f"{family}.volume_margin")
        return group.bytes - -(-group.bytes * share.numerator // share.denominator) - beside - align
    observed = context.observed.arrays.get(stack.array.id)
    reply = observed.groups.get(group.id) if observed else None
    free = reply.free_bytes if reply and reply.was_empty else None
    existing = observed.volumes.get(stack.volume.id) if observed else None
    available = (free or group.reported_bytes) - beside
    return (min(existing.bytes, available) if existing and existing.bytes else available) - align


def _shares(servers: Iterable[str], paths: Counter[tuple[str, str]]) -> Iterator[Counter[str]]:
    """The volumes of each path, of each server and of each controller, by a name for people."""
    every = {p: paths[p] for p in (*product(servers, _CONTROLLERS), *paths)}
    by_path, by_server, by_controller = Counter[str](), Counter[str](), Counter[str]()
    for (server, controller), volumes in every.items():
        by_path[f"{server} over controller {controller.upper()}"] += volumes
        by_server[server] += volumes
        by_controller[f"controller {controller.upper()}"] += volumes
    yield from (by_path, by_server, by_controller)
