"""Plans of Lustre: what lies where, who serves it, and what replies of arrays and of PowerFlex change."""

from __future__ import annotations

from typing import Any

import pytest

from pixsize.observed import Observed, ObservedArray, ObservedGroup, ObservedVolume
from pixsize.plan.make import make_plan
from pixsize.plan.orders import partners
from pixsize.plan.records import Plan
from pixsize.products.lustre.plan import server_of, target_of
from pixsize.products.powerflex.observed import ObservedPool, ObservedPoolVolume
from pixsize.products.powerflex.plan import own_of
from tests.support.running import catalog, load_words, make

GIB = 2**30
NETWORK = {"lnet": "o2ib0", "interface": "ib0", "subnet": "10.10.0.0/24"}


def on_arrays(observed: Observed | None = None, size: str = "small", **words: Any) -> Plan:
    modules = [{"size": size, "data_drive": "8 TB"}]
    return planned({"design": "lustre-me4", "storage_modules": modules, **words}, observed)


def on_pool(observed: Observed | None = None, servers: int = 4, **words: Any) -> Plan:
    return planned({"design": "lustre-powerflex", "servers": servers, "drive": "2 TB", **words}, observed)


def planned(words: dict[str, Any], observed: Observed | None) -> Plan:
    loaded, findings = load_words({"name": "s", "filesystem": {"name": "fast"}, **words})
    assert loaded is not None, findings
    plan, refusals = make_plan(loaded.request, catalog(), observed or Observed())
    assert plan is not None, refusals
    return plan


def sizes(plan: Plan, part: str = "") -> dict[str, int]:
    return {v.id: v.bytes for v in plan.volumes if part in v.id}


# Arrays


def test_the_mgt_is_carved_out_of_the_first_group_and_mdts_stay_equal() -> None:
    plan = on_arrays()
    found = sizes(plan, "mm01a1")
    assert found["mm01a1_mgt01"] == 8 * GIB
    assert found["mm01a1_meta01"] == found["mm01a1_meta02"]
    backing = {v.id: v.backing for v in plan.volumes}
    assert backing["mm01a1_mgt01"] == backing["mm01a1_meta01"] != backing["mm01a1_meta02"]
    assert [(t.id, t.servers) for t in plan.targets[:3]] == [
        ("MGS", ("mds02", "mds01")),
        ("fast-MDT0000", ("mds01", "mds02")),
        ("fast-MDT0001", ("mds02", "mds01")),
    ]


def test_an_mgs_on_the_first_mdt_has_no_volume_of_its_own() -> None:
    plan = on_arrays(metadata={"mgt": "with_mdt0"})
    assert not sizes(plan, "mgt")
    first = plan.targets[0]
    assert (first.id, first.kind, target_of(first).mgs) == ("fast-MDT0000", "mdt", True)
    assert target_of(first).ldiskfs is not None
    assert target_of(first).ldiskfs.flags == 0x1065


def test_more_pairs_of_metadata_servers_add_mdts() -> None:
    plan = on_arrays(metadata={"pairs": 2, "dne": True})
    mdts = [t for t in plan.targets if t.kind == "mdt"]
    assert [t.servers[0] for t in mdts] == ["mds01", "mds02", "mds03", "mds04"]
    assert len({b for v, b in sizes(plan, "meta").items()}) == 1
    assert list(sizes(plan, "mgt")) == ["mm01a1_mgt01"]


def test_twelve_ssds_without_dne_leave_half_the_array_empty() -> None:
    plan = on_arrays(metadata={"dne": False})
    groups = [g for g in plan.disk_groups if g.purpose == "metadata"]
    assert [(g.level, g.slots) for g in groups] == [("r10", tuple(range(10)))]
    assert [s.slots for s in plan.spares if s.array == "mm01a1"] == [(10, 11)]


def test_addresses_are_taken_in_the_order_of_the_servers() -> None:
    plan = on_arrays(network=NETWORK, fencing={"agent": "fence_idrac", "subnet": "10.20.0.0/24"})
    nids = [(s.id, server_of(s).nids, server_of(s).bmc) for s in plan.servers if s.role != "management"]
    assert nids == [
        ("mds01", ("10.10.0.1@o2ib",), "10.20.0.1"),
        ("mds02", ("10.10.0.2@o2ib",), "10.20.0.2"),
        ("oss01", ("10.10.0.3@o2ib",), "10.20.0.3"),
        ("oss02", ("10.10.0.4@o2ib",), "10.20.0.4"),
    ]


def replies(plan: Plan, volume_bytes: int | None, group_bytes: int) -> Observed:
    """What the arrays of a plan would report if every group and volume had these sizes."""
    arrays = {}
    for array in plan.arrays:
        groups = {
            g.id: ObservedGroup(g.id, group_bytes, 0 if volume_bytes else group_bytes)
            for g in plan.disk_groups
            if g.array == array.id
        }
        volumes = {
            v.id: ObservedVolume(v.id, f"3600c0ff{n:026x}", volume_bytes)
            for n, v in enumerate(plan.volumes)
            if v.array == array.id and volume_bytes
        }
        arrays[array.id] = ObservedArray(groups, volumes)
    return Observed(arrays)


@pytest.mark.parametrize("size", [32_384 * 1024, 100_000_256, 17 * GIB])
def test_volumes_that_exist_are_planned_with_the_size_that_they_have(size: int) -> None:
    seen = replies(on_arrays(), size, 4 * size)
    assert set(sizes(on_arrays(seen)).values()) == {size}


@pytest.mark.parametrize(("there", "other"), [(3 * 10**12, 3 * 10**12), (4_790_000_000_000, 4_655_996_207_104)])
def test_an_mdt_beside_one_that_exists_is_no_larger(there: int, other: int) -> None:
    """The array told of one volume, and of no group; the other MDT has 4.8 TB less 3 %, in steps of 4 MiB, at most."""
    seen = {"mm01a1_meta01": ObservedVolume("mm01a1_meta01", f"3600c0ff{1:026x}", there)}
    mdts = sizes(on_arrays(Observed({"mm01a1": ObservedArray({}, seen)})), "meta")
    assert mdts == {"mm01a1_meta01": there, "mm01a1_meta02": other}


def test_a_small_group_gives_an_eighth_to_the_mgt_at_most() -> None:
    found = sizes(on_arrays(replies(on_arrays(), None, GIB)), "mm01a1")
    assert found["mm01a1_mgt01"] == GIB // 8
    assert found["mm01a1_meta01"] == found["mm01a1_meta02"] == GIB - GIB // 8


# A pool


@pytest.mark.parametrize(("servers", "spare", "ost"), [(3, 34, 1112), (4, 25, 1304), (8, 13, 1560)])
def test_the_largest_ost_that_leaves_room_for_a_lost_server(servers: int, spare: int, ost: int) -> None:
    plan = on_pool(servers=servers)
    assert plan.pools[0].spare_percent == spare
    assert set(sizes(plan, "ost").values()) == {ost * GIB}
    assert len(sizes(plan, "ost")) == 4 * servers


def test_an_odd_number_of_servers_ends_in_a_ring_of_three() -> None:
    assert partners(["a", "b", "c"]) == {"a": "b", "b": "c", "c": "a"}
    assert partners(list("abcdefg")) == {"a": "b", "b": "a", "c": "d", "d": "c", "e": "f", "f": "g", "g": "e"}
    assert partners(list("abcd")) == {"a": "b", "b": "a", "c": "d", "d": "c"}


@pytest.mark.parametrize(
    ("servers", "managers", "tie_breakers"),
    [
        (3, "oss01 mds01", "oss02"),
        (4, "oss01 oss03", "mds01"),
        (5, "oss01 oss03 mds01", "oss02 oss04"),
        (6, "oss01 oss03 oss05", "mds01 oss02"),
        (7, "oss01 oss03 oss05", "mds01 oss02"),
        (8, "oss01 oss03 oss05", "oss07 mds01"),
    ],
)
def test_the_mdm_cluster_has_a_member_in_each_failover_group_first(
    servers: int, managers: str, tie_breakers: str
) -> None:
    plan = on_pool(servers=servers)
    (pool,) = plan.pools
    assert (" ".join(own_of(pool).managers), " ".join(own_of(pool).tie_breakers)) == (managers, tie_breakers)
    for target in plan.targets:
        assert len(set(own_of(pool).managers).intersection(target.servers)) <= 1, target.id
        left = set(own_of(pool).mdms).difference(target.servers)
        assert len(left) * 2 > len(own_of(pool).mdms) or servers == 3, target.id


@pytest.mark.parametrize(("servers", "mdms"), [(4, 3), (5, 5)])
def test_without_failover_the_first_servers_manage_the_pool(servers: int, mdms: int) -> None:
    (pool,) = on_pool(servers=servers, failover=False).pools
    assert own_of(pool).mdms == pool.servers[:mdms]


def test_without_failover_a_target_has_one_server_and_no_protection() -> None:
    plan = on_pool(failover=False)
    assert {len(t.servers) for t in plan.targets} == {1}
    assert {target_of(t).ldiskfs.mmp for t in plan.targets if target_of(t).ldiskfs} == {False}
    assert plan.targets[0].servers == plan.targets[1].servers == ("mds01",)


def test_devices_of_a_pool_are_known_once_powerflex_told_their_ids() -> None:
    assert {t.device for t in on_pool().targets} == {""}
    seen = {v.id: ObservedPoolVolume(f"{n:016x}", v.bytes) for n, v in enumerate(on_pool().volumes)}
    plan = on_pool(Observed(own={"powerflex": ObservedPool("2ea35ba11ef02a05", seen)}))
    assert plan.targets[0].device == "/dev/disk/by-id/emc-vol-2ea35ba11ef02a05-0000000000000000"
    assert len({t.device for t in plan.targets}) == len(plan.targets)


# Counts


@pytest.mark.parametrize(("large", "refused"), [(254, False), (255, True)])
def test_as_many_osts_as_lustre_takes(large: int, refused: bool) -> None:
    modules = [{"size": "large", "count": large, "data_drive": "8 TB"}, {"size": "medium", "data_drive": "8 TB"}]
    words = {"name": "s", "design": "lustre-me4", "storage_modules": modules[: 1 if refused else 2]}
    loaded, findings = load_words({**words, "filesystem": {"name": "fast"}})
    assert loaded is not None, findings
    plan, refusals = make_plan(loaded.request, catalog(), Observed())
    assert [f.code for f in refusals] == (["PX530"] if refused else [])
    assert (plan is None) is refused
    if plan is not None:
        assert sum(t.kind == "ost" for t in plan.targets) == 8144


@pytest.mark.parametrize(("agent", "known"), [("fence_idrac", True), ("fence_nosuch", False)])
def test_a_fence_agent_that_nobody_knows_is_doubted(agent: str, known: bool) -> None:
    modules = [{"size": "large", "data_drive": "8 TB"}]
    words = {"name": "s", "design": "lustre-me4", "storage_modules": modules, "filesystem": {"name": "fast"}}
    found = make({**words, "network": NETWORK, "fencing": {"agent": agent, "subnet": "10.20.0.0/24"}}).findings
    assert ("PX420" not in {f.code for f in found}) is known
