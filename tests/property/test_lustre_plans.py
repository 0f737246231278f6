"""What every plan of a Lustre file system keeps, whatever legal request it came from."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from hypothesis import given, settings

from pixsize.catalog.records import Drive, Enclosure, Layout
from pixsize.findings import has_errors
from pixsize.products.lustre.plan import lustre, server_of, target_of
from tests.property.lustre_strategies import lustre_requests, on_arrays, on_pool
from tests.property.running import catalog, load_words, make

slow = settings(max_examples=40, deadline=None)


@slow
@given(lustre_requests)
def test_a_legal_request_leads_to_a_plan_without_errors(words: dict[str, Any]) -> None:
    assert not has_errors(make(words).findings)


@slow
@given(on_arrays())
def test_every_slot_has_its_one_use(words: dict[str, Any]) -> None:
    plan = make(words).plan
    used = defaultdict(list)
    for part in (*plan.disk_groups, *plan.spares):
        used[part.array, part.enclosure] += part.slots
    for array in plan.arrays:
        for enclosure in array.enclosures:
            slots = catalog().get(Enclosure, enclosure.model).slots
            empty = catalog().get(Layout, enclosure.layout).empty or ()
            assert sorted(used[array.id, enclosure.index]) == sorted(set(range(slots)) - set(empty))


@slow
@given(lustre_requests)
def test_every_volume_has_one_target_and_indices_count_up(words: dict[str, Any]) -> None:
    plan = make(words).plan
    assert Counter(t.volume for t in plan.targets) == Counter(v.id for v in plan.volumes)
    for kind in ("mdt", "ost"):
        there = [t for t in plan.targets if t.kind == kind]
        assert [target_of(t).index for t in there] == list(range(len(there)))
        assert [t.id for t in there] == [f"{plan.filesystem.name}-{kind.upper()}{n:04x}" for n in range(len(there))]
    assert sum(target_of(t).mgs for t in plan.targets) == 1
    kinds = [t.kind for t in plan.targets]
    assert kinds == sorted(kinds, key=["mgt", "mdt", "ost"].index)


@slow
@given(lustre_requests)
def test_service_nodes_mmp_and_failover_agree(words: dict[str, Any]) -> None:
    plan = make(words).plan
    roles = {s.id: s.role for s in plan.servers}
    pair_of = {server: m.servers for m in plan.modules for server in m.servers}
    for t in plan.targets:
        assert len(t.servers) == (2 if lustre(plan).failover else 1)
        assert target_of(t).ldiskfs is not None
        assert target_of(t).ldiskfs.mmp is lustre(plan).failover
        assert {roles[s] for s in t.servers} == {"storage" if t.kind == "ost" else "metadata"}
        if plan.modules:
            assert sorted(t.servers) == sorted(pair_of[t.servers[0]])


@slow
@given(lustre_requests)
def test_preferred_servers_are_balanced(words: dict[str, Any]) -> None:
    plan = make(words).plan
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


@slow
@given(lustre_requests)
def test_each_mdt_of_a_pair_is_active_on_a_server_of_its_own(words: dict[str, Any]) -> None:
    plan = make(words).plan
    mdts = [t for t in plan.targets if t.kind == "mdt"]
    assert len({t.servers[0] for t in mdts}) == len(mdts)
    mgs = next(t for t in plan.targets if target_of(t).mgs)
    if lustre(plan).mgt_own and lustre(plan).failover:
        assert mgs.servers[0] != mdts[0].servers[0]


@slow
@given(lustre_requests)
def test_bytes_add_up_at_every_level(words: dict[str, Any]) -> None:
    made = make(words)
    f = {name: figure.value for name, figure in made.figures.items()}
    losses = [
        "spares", "parity", "mirror", "array_overhead", "pool_spare", "pool_metadata", "rounding", "filesystem_overhead",
        "reserved",
    ]  # fmt: skip
    assert f["capacity.raw"] - sum(f.get(f"capacity.{loss}", 0) for loss in losses) == f["capacity.usable"]
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


@slow
@given(on_pool())
def test_a_pool_with_the_spare_share_can_rebuild_a_server(words: dict[str, Any]) -> None:
    made = make(words)
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


@slow
@given(lustre_requests)
def test_values_lie_in_their_ranges_and_names_are_unique(words: dict[str, Any]) -> None:
    made = make(words)
    for figure in made.figures.values():
        assert 0 <= figure.low <= figure.value <= figure.high, figure.id
    for names in ([t.id for t in made.plan.targets], [v.id for v in made.plan.volumes]):
        assert len({n.lower() for n in names}) == len(names)
    nids = [n for s in made.plan.servers for n in server_of(s).nids]
    assert len(set(nids)) == len(nids)
    assert all("@" in n for n in nids)


@slow
@given(lustre_requests)
def test_a_completed_request_written_back_gives_the_same_plan(words: dict[str, Any]) -> None:
    made = make(words)
    again, findings = load_words(made.loaded.words)
    assert again is not None, findings
    assert again.request == made.loaded.request
    assert again.defaults == ()
