"""The bill of materials: every part of a plan, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pixsize.catalog.catalog import Catalog
from pixsize.plan.records import Plan
from pixsize.report.labels import first_to_last
from pixsize.texts import plural

_NETWORKS = {"infiniband": "InfiniBand", "ethernet": "Ethernet", "omni-path": "Omni-Path"}

Line = tuple[int, str, str]
"""How many, of what, for what."""


def bill(plan: Plan, catalog: Catalog) -> tuple[Line, ...]:
    """The bill of materials: servers, their adapters, arrays, expansions, drives and switches."""
    parts = (_servers, _adapters, _enclosures, _drives, _switches)
    return tuple(line for part in parts for line in part(plan, catalog))


def title(catalog: Catalog, record_id: str) -> str:
    """What a catalog record is called."""
    return catalog.record(record_id).title


def _servers(plan: Plan, catalog: Catalog) -> Iterator[Line]:
    roles: dict[tuple[str, str], list[str]] = {}
    for server in plan.servers:
        roles.setdefault((server.model, server.role), []).append(server.id)
    for (model, role), names in roles.items():
        yield len(names), title(catalog, model), f"{role}: {first_to_last(names)}"


def _adapters(plan: Plan, catalog: Catalog) -> Iterator[Line]:
    total: Counter[str] = Counter()
    each: dict[str, set[int]] = {}
    holders: Counter[str] = Counter()
    for server in plan.servers:
        for adapter, count in server.adapters:
            total[adapter] += count
            holders[adapter] += 1
            each.setdefault(adapter, set()).add(count)
    for adapter, count in total.items():
        some = "/".join(str(c) for c in sorted(each[adapter]))
        yield count, title(catalog, adapter), f"{some} in each of {plural(holders[adapter], 'server')}"


def _enclosures(plan: Plan, catalog: Catalog) -> Iterator[Line]:
    kinds: dict[tuple[str, bool, str], list[str]] = {}
    for array in plan.arrays:
        for enclosure in array.enclosures:
            kinds.setdefault((enclosure.model, enclosure.index > 0, array.role), []).append(array.id)
    for (model, behind, role), names in kinds.items():
        use = f"expansion behind {first_to_last(names)}" if behind else f"{role}: {first_to_last(names)}"
        yield len(names), title(catalog, model), use


def _drives(plan: Plan, catalog: Catalog) -> Iterator[Line]:
    uses: dict[str, Counter[str]] = {}
    for group in plan.disk_groups:
        uses.setdefault(group.drive, Counter())[group.purpose] += len(group.slots)
    for spare in plan.spares:
        uses.setdefault(spare.drive, Counter())["hot spare"] += len(spare.slots)
    for pool in plan.pools:
        uses.setdefault(pool.drive, Counter())[f"in pool {pool.id}"] += pool.drives
    pooled = {server for pool in plan.pools for server in pool.servers}
    for server in (s for s in plan.servers if s.id not in pooled):
        if server.drives:
            uses.setdefault(server.drives.drive, Counter())[f"in servers for {server.role}"] += server.drives.count
    for drive, use in uses.items():
        uses_text = ", ".join(f"{n:,} {k}" if k != "hot spare" else plural(n, k) for k, n in sorted(use.items()))
        yield use.total(), title(catalog, drive), uses_text


def _switches(plan: Plan, catalog: Catalog) -> Iterator[Line]:
    sets: Counter[tuple[str, str]] = Counter((s.model, s.role) for s in plan.switches)
    for (model, role), count in sets.items():
        yield count, title(catalog, model), f"{_NETWORKS.get(role, role)} network"
