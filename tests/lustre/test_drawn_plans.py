"""What every plan of a Lustre file system keeps, whatever legal request it came from."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings

from pixsize.catalog.records import Drive
from pixsize.findings import has_errors
from pixsize.products.lustre.plan import lustre, server_of, target_of
from tests.lustre.drawn_requests import on_arrays, on_pool
from tests.support.running import Made, catalog, make

pytestmark = pytest.mark.long


def every_volume_has_one_target_and_indices_count_up(made: Made) -> None:
    plan = made.plan
    assert Counter(t.volume for t in plan.targets) == Counter(v.id for v in plan.volumes)
    for kind in ("mdt", "ost"):
        there = [t for t in plan.targets if t.kind == kind]
        assert [target_of(t).index for t in there] == list(range(len(there)))
        assert [t.id for t in there] == [f"{plan.filesystem.name}-{kind.upper()}{n:04x}" for n in range(len(there))]
    assert sum(target_of(t).mgs for t in plan.targets) == 1
    kinds = [t.kind for t in plan.targets]
    assert kinds == sorted(kinds, key=["mgt", "mdt", "ost"].index)


def service_nodes_mmp_and_failover_agree(made: Made) -> None:
    plan = made.plan
    roles = {s.id: s.role for s in plan.servers}
    pair_of = {server: m.servers for m in plan.modules for server in m.servers}
    for t in plan.targets:
        assert len(t.servers) == (2 if lustre(plan).failover else 1)
        assert target_of(t).ldiskfs is not None
        assert target_of(t).ldiskfs.mmp is lustre(plan).failover
        assert {roles[s] for s in t.servers} == {"storage" if t.kind == "ost" else "metadata"}
        if plan.modules:
            assert sorted(t.servers) == sorted(pair_of[t.servers[0]])


def preferred_servers_are_balanced(made: Made) -> None:
    plan = made.plan
    volumes = {v.id: v for v in plan.volumes}
    osts = [t for t in plan.targets if t.kind == "ost"]
    by_server = Counter(t.servers[0] for t in osts)
    if not plan.modules:
        assert set(by_server.values()) == {len(osts) // len(by_server)}
        return
    for module in (m for m in plan.modules if m.role == "storage"):
        for array in module.arrays:
            mine = [t for t in osts if volumes[t.volume or ""].array == array]
            each = Counter((t.servers[0], volumes[t.volume or ""].owner) for t in mine)
            counts = [each[server, owner] for server in module.servers for owner in "ab"]
            assert max(counts) - min(counts) <= 1


def each_mdt_of_a_pair_is_active_on_a_server_of_its_own(made: Made) -> None:
    plan = made.plan
    mdts = [t for t in plan.targets if t.kind == "mdt"]
    assert len({t.servers[0] for t in mdts}) == len(mdts)
    mgs = next(t for t in plan.targets if target_of(t).mgs)
    if lustre(plan).mgt_own and lustre(plan).failover:
        assert mgs.servers[0] != mdts[0].servers[0]


def bytes_add_up_at_every_level(made: Made) -> None:
    f = {name: figure.value for name, figure in made.figures.items()}
    osts = [t for t in made.plan.targets if t.kind == "ost"]
    assert (
        f["capacity.usable"] <= sum(target_of(t).ldiskfs.user_bytes for t in osts if target_of(t).ldiskfs) * 103 // 97
    )
    for t in made.plan.targets:
        volume = next(v for v in made.plan.volumes if v.id == t.volume)
        shape = target_of(t).ldiskfs
        assert shape is not None
        assert 0 <= volume.bytes - shape.blocks * 4096 < 2**27 + 4096
        assert (shape.overhead_blocks + shape.reserved_blocks) * 4096 + shape.user_bytes == shape.blocks * 4096


def a_pool_with_the_spare_share_can_rebuild_a_server(made: Made) -> None:
    plan = made.plan
    (pool,) = plan.pools
    asked = sum(v.bytes for v in plan.volumes)
    assert all(v.bytes % (8 * 2**30) == 0 for v in plan.volumes)
    left = pool.bytes * (len(pool.servers) - 1) // len(pool.servers)
    warned = [f for f in made.findings if f.code == "PX554"]
    assert 2 * asked <= pool.bytes * (100 - pool.spare_percent) // 100
    assert 2 * asked <= left or ("cannot be rebuilt" in warned[0].message)
    assert bool(warned) is (2 * asked > left or pool.spare_percent * len(pool.servers) < 100)
    assert pool.bytes == pool.drives * catalog().get(Drive, pool.drive).capacity_bytes


def every_server_has_nids_of_its_own(made: Made) -> None:
    nids = [nid for server in made.plan.servers for nid in server_of(server).nids]
    assert len(set(nids)) == len(nids)
    assert all("@" in nid for nid in nids)


LAWS = (
    every_volume_has_one_target_and_indices_count_up,
    service_nodes_mmp_and_failover_agree,
    preferred_servers_are_balanced,
    each_mdt_of_a_pair_is_active_on_a_server_of_its_own,
    bytes_add_up_at_every_level,
    every_server_has_nids_of_its_own,
)


@settings(max_examples=50, deadline=None)
@given(on_arrays())
def test_every_plan_on_arrays_keeps_every_law(words: dict[str, Any]) -> None:
    made = make(words)
    assert not has_errors(made.findings)
    for law in LAWS:
        law(made)


@settings(max_examples=50, deadline=None)
@given(on_pool())
def test_every_plan_in_a_pool_keeps_every_law(words: dict[str, Any]) -> None:
    made = make(words)
    assert not has_errors(made.findings)
    for law in (*LAWS, a_pool_with_the_spare_share_can_rebuild_a_server):
        law(made)
