"""What every plan of a PixStor keeps, whatever legal request it came from."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import pytest
from hypothesis import given, settings

from pixsize.catalog.records import Drive
from pixsize.findings import has_errors
from pixsize.products.scale.plan import nsd_of
from tests.products.reading import read_back, rendered
from tests.scale.drawn_requests import requests
from tests.support.running import Made, catalog, make

pytestmark = pytest.mark.long


def a_spare_fits_what_it_covers(made: Made) -> None:
    plan = made.plan
    drives = {g.array: g.drive for g in plan.disk_groups if g.purpose == "data"}
    for spare in plan.spares:
        assert spare.drive == drives[spare.array]
        assert catalog().get(Drive, spare.drive).media == "nl-sas"


def two_replicas_of_metadata_never_share_an_array_where_two_exist(made: Made) -> None:
    plan = made.plan
    array_of = {v.id: v.array for v in plan.volumes}
    groups: dict[int, set[str]] = defaultdict(set)
    for target in plan.targets:
        if nsd_of(target).usage == "metadataOnly" and target.volume:
            groups[nsd_of(target).failure_group].add(array_of[target.volume])
    arrays = set().union(*groups.values())
    assert len(groups) >= 2
    if len(arrays) >= 2:
        assert sum(len(g) for g in groups.values()) == len(arrays)


def data_and_metadata_arrays_never_share_a_failure_group(made: Made) -> None:
    plan = made.plan
    array_of = {v.id: v.array for v in plan.volumes}
    holders: dict[str, set[tuple[int, str]]] = defaultdict(set)
    for t in plan.targets:
        if t.volume:
            holders[nsd_of(t).usage].add((nsd_of(t).failure_group, array_of[t.volume]))
    data, metadata = ({n for n, _ in holders[u]} for u in ("dataOnly", "metadataOnly"))
    if plan.variant == "hdmd":
        assert not data & metadata
    elif len(plan.arrays) > 1:
        assert holders["dataOnly"] == holders["metadataOnly"]
    assert all(-1 <= n <= 4000 for n in data | metadata)


def servers_and_controllers_are_balanced(made: Made) -> None:
    plan = made.plan
    volumes = {v.id: v for v in plan.volumes}
    module_of = {a.id: a.module for a in plan.arrays}
    pairs = {m.id: m.servers for m in plan.modules}
    counts: dict[tuple[str, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    for t in plan.targets:
        if t.volume:
            v = volumes[t.volume]
            for scope in (v.array, module_of[v.array]):
                counts[scope, nsd_of(t).pool][t.servers[0], v.owner] += 1
            assert sorted(t.servers) == sorted(pairs[module_of[v.array]])
    for (scope, _), count in counts.items():
        pair = pairs[module_of.get(scope, scope)]
        each = [count[server, owner] for server in pair for owner in "ab"]
        assert max(each) - min(each) <= 1, (scope, count)
        by_server = [sum(count[server, owner] for owner in "ab") for server in pair]
        by_controller = [sum(count[server, owner] for server in pair) for owner in "ab"]
        assert max(by_server) - min(by_server) <= 1, (scope, count)
        assert max(by_controller) - min(by_controller) <= 1, (scope, count)


def names_stay_unique_and_legal_after_every_transformation(made: Made) -> None:
    plan = made.plan
    for names in ([t.id for t in plan.targets], [g.id for g in plan.disk_groups], [s.id for s in plan.servers]):
        for transform in (str.lower, str.upper, lambda n: n[:31], lambda n: n.replace("-", "_").replace(".", "_")):
            assert len({transform(n) for n in names}) == len(names)
    for name in [t.id for t in plan.targets] + [g.id for g in plan.disk_groups]:
        assert len(name) <= 31
        assert name.isascii()
        assert name.replace("_", "").isalnum()
        assert name[0].isalpha()
        assert not name.lower().startswith("gpfs")


def bytes_are_those_of_the_drives(made: Made) -> None:
    f = {name: figure.value for name, figure in made.figures.items()}
    size = {d.id: d.capacity_bytes for d in catalog().all(Drive)}
    data = [g for g in made.plan.disk_groups if g.purpose == "data"]
    metadata = [g for g in made.plan.disk_groups if g.purpose == "metadata"]
    raw = sum(len(p.slots) * size[p.drive] for p in (*data, *made.plan.spares))
    assert f["capacity.raw"] == raw
    assert f["capacity.formatted"] == sum(g.bytes for g in data)
    assert f["capacity.metadata.raw"] == sum(len(g.slots) * size[g.drive] for g in metadata)
    assert f["capacity.metadata.usable"] * made.plan.filesystem.metadata_replicas <= sum(g.bytes for g in metadata)
    assert f["volumes.data"] == len(data)
    assert f["volumes.metadata"] == len(metadata)


def files_say_the_plan(made: Made) -> None:
    read_back({file.path: file.text for files in rendered(made.plan).values() for file in files}, made.plan)


LAWS = (
    a_spare_fits_what_it_covers,
    two_replicas_of_metadata_never_share_an_array_where_two_exist,
    data_and_metadata_arrays_never_share_a_failure_group,
    servers_and_controllers_are_balanced,
    names_stay_unique_and_legal_after_every_transformation,
    bytes_are_those_of_the_drives,
    files_say_the_plan,
)


@settings(max_examples=80, deadline=None)
@given(requests())
def test_every_plan_keeps_every_law(words: dict[str, Any]) -> None:
    made = make(words)
    assert not has_errors(made.findings)
    for law in LAWS:
        law(made)
