"""The cables of a plan: counted by hand, and the paths that they leave when something fails."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pixsize.catalog.cabling import Cabling
from pixsize.check import check
from pixsize.check.rules import leaves_and_spines
from pixsize.observed import Observed
from pixsize.plan.records import End, Link, Plan
from tests.support.estimating import shipped
from tests.support.running import load_words, make

LARGE = {"size": "large", "data_drive": "12 TB", "expansion": True}
HDMD = {"arrays": 1, "drive": "960 GB"}


def words(*modules: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": "site", "design": "pixstor-6", "storage_modules": modules, "filesystem": {"name": "fs1"}} | more


def plan_of(*modules: dict[str, Any], **more: Any) -> Plan:
    return make(words(*modules, **more)).plan


def test_a_large_with_expansion_one_metadata_array_and_management() -> None:
    """Four arrays with two controllers under two servers: 16; eight to four expansions; four to the ME4024. Six servers with two
    adapters: 12. Two ports of six servers, and two controllers of five arrays: 22."""
    links = plan_of(LARGE, hdmd=HDMD).links
    assert Counter(link.network for link in links) == {"sas": 16 + 8 + 4, "data": 12, "management": 22}
    assert Counter(link.end.device for link in links if link.network == "data") == {"qm8700-1": 6, "qm8700-2": 6}
    expansions = [link for link in links if link.start.device.startswith("sm01a")]
    assert [(e.start, e.end) for e in expansions[:2]] == [
        (End("sm01a1", "A", "I/O 0"), End("sm01a1 enclosure 1", "A", "I/O 0")),
        (End("sm01a1", "B", "I/O 0"), End("sm01a1 enclosure 1", "B", "I/O 0")),
    ]


def test_designs_without_a_record_of_cables_have_none() -> None:
    assert plan_of({"size": "small", "data_drive": "12 TB"}, design="pixstor-5").links == ()


def paths(plan: Plan) -> dict[tuple[str, str], set[tuple[str, str]]]:
    """Server and array -> slot of the adapter and controller of each cable between them."""
    found: dict[tuple[str, str], set[tuple[str, str]]] = {}
    servers = {s.id for s in plan.servers}
    for link in plan.links:
        if link.network == "sas" and link.start.device in servers:
            found.setdefault((link.start.device, link.end.device), set()).add((link.start.slot, link.end.slot))
    return found


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "size": st.sampled_from(["small", "medium", "large"]),
                "count": st.integers(1, 3),
                "expansion": st.booleans(),
            }
        ),
        min_size=1,
        max_size=3,
    ),
    st.integers(1, 4),
)
@settings(max_examples=15, deadline=None)
def test_each_server_reaches_each_of_its_arrays_over_two_adapters_and_both_controllers(
    modules: list[dict[str, Any]], arrays: int
) -> None:
    plan = plan_of(*({"data_drive": "12 TB"} | m for m in modules), hdmd=HDMD | {"arrays": arrays})
    due = {(s, a) for m in plan.modules for s in m.servers for a in m.arrays}
    found = paths(plan)
    assert found.keys() == due
    for ways in found.values():
        assert len({slot for slot, _ in ways}) == len({controller for _, controller in ways}) == len(ways) == 2
    ends = Counter(end for link in plan.links for end in (link.start, link.end))
    assert max(ends.values()) == 1
    for server in plan.servers:
        mine = {link.end.device for link in plan.links if link.network == "data" and link.start.device == server.id}
        assert len(mine) == 2


def test_a_full_switch_is_followed_by_the_next_pair() -> None:
    """Twenty Large are 40 servers, one HDMD 2, management 2: 44 ports, of 40 a switch."""
    links = plan_of({"size": "large", "count": 20, "data_drive": "12 TB"}, hdmd=HDMD).links
    data = Counter(link.end.device for link in links if link.network == "data")
    assert data == {"qm8700-1": 40, "qm8700-2": 40, "qm8700-3": 4, "qm8700-4": 4}
    assert {int(link.end.port) for link in links if link.end.device == "qm8700-3"} == {1, 2, 3, 4}


def codes(plan: Plan) -> list[str]:
    loaded, _ = load_words(words(LARGE, hdmd=HDMD))
    assert loaded
    return [f.code for f in check(loaded.request, plan, shipped(), Observed()) if f.severity == "error"]


def _both_on_one_controller(links: list[Link]) -> list[Link]:
    first, second, *rest = links
    return [first, second._replace(end=first.end), *rest]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda links: links[1:],
        lambda links: [*links, links[-1]],
        lambda links: [links[1], links[0], *links[2:]],
        _both_on_one_controller,
        lambda links: [links[0]._replace(network="data"), *links[1:]],
        lambda links: [links[0]._replace(start=links[0].start._replace(slot="7")), *links[1:]],
    ],
    ids=["missing", "twice", "in another order", "both on one controller", "another network", "another slot"],
)
def test_a_wrong_cable_is_found(spoil: Any) -> None:
    plan = plan_of(LARGE, hdmd=HDMD)
    assert codes(plan) == []
    assert codes(plan._replace(links=tuple(spoil(list(plan.links))))) == ["PX577"]


def test_slots_are_those_of_the_record() -> None:
    cabling = shipped().get(Cabling, "pixstor-6.cabling")
    links = plan_of(LARGE, hdmd=HDMD).links
    used = {link.start.slot for link in links if link.network == "sas" and link.start.device == "sm01n1"}
    assert used == set(cabling.servers["storage"].slots["hba355e"])
    assert {link.start.slot for link in links if link.start.device == "mgmt1" and link.network == "data"} == {
        "adapter 1",
        "adapter 2",
    }


# Ports of the switches


@pytest.mark.parametrize(
    ("clients", "switches"),
    [(0, 2), (68, 2), (69, 4), (148, 4), (149, 6)],
    ids=["none", "just full", "one more", "two sets full", "a third set"],
)
def test_ports_of_clients_are_held_by_both_switches_of_a_set(clients: int, switches: int) -> None:
    """Six servers take 6 of the 40 ports of each; clients are spread over both."""
    network = {"subnet": "10.10.0.0/24", "client_ports": clients}
    plan = plan_of(LARGE, hdmd=HDMD, network=network)
    assert sum(s.role == "infiniband" for s in plan.switches) == switches


def test_a_full_pair_says_how_many_leaves_and_spines_it_takes() -> None:
    """6 + 35 ports a side: 20 of 40 down make 3 leaves with 60 up, 2 spines; 26 down make 2 with 28 up, 1 spine."""
    made = make(words(LARGE, hdmd=HDMD, network={"subnet": "10.10.0.0/24", "client_ports": 70}))
    (found,) = [f for f in made.findings if f.code == "PX406"]
    assert found.message.startswith("6 servers and 5 arrays and 70 client ports need 41 ports of NVIDIA QM8700")
    assert "3 leaf switches and 2 spine switches without blocking" in found.hint
    assert "2 leaf switches and 1 spine switch at 2:1" in found.hint


@given(st.integers(1, 4000), st.sampled_from([32, 36, 40, 64]), st.integers(1, 4))
def test_leaves_and_spines_have_the_ports(needed: int, ports: int, blocking: int) -> None:
    leaves, spines = leaves_and_spines(needed, ports, blocking)
    down = ports * blocking // (blocking + 1)
    assert leaves * down >= needed > (leaves - 1) * down
    up = leaves * (ports - down)
    assert spines * ports >= up > (spines - 1) * ports
    assert blocking != 1 or up >= leaves * down
