"""The cables of a plan: counted by hand, and the paths that they leave when something fails."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pixsize.arrays.render.cables import RENDERER, rows
from pixsize.arrays.render.cables_steps import steps
from pixsize.catalog.cabling import Cabling
from pixsize.catalog.catalog import Catalog
from pixsize.check import check
from pixsize.check.rules import leaves_and_spines
from pixsize.load import load_catalog
from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.plan.records import End, Link, Plan
from tests.readers.compare import nothing_is_left_without_a_cable
from tests.support import written
from tests.support.estimating import replacing, shipped
from tests.support.running import load_words, make

LARGE = {"size": "large", "data_drive": "12 TB", "expansion": True}
HDMD = {"arrays": 1, "drive": "960 GB"}


def words(*modules: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": "site", "design": "pixstor-6", "storage_modules": modules, "filesystem": {"name": "fs1"}} | more


def plan_of(*modules: dict[str, Any], **more: Any) -> Plan:
    return make(words(*modules, **more)).plan


def test_a_large_with_expansion_one_metadata_array_and_management() -> None:
    """Four arrays with two controllers under two servers: 16; eight to four expansions; four to the ME4024. Six servers with two
    adapters: 12. Two ports of six servers, and two controllers of five arrays: 22, before the switches' own two. Four links
    between the two switches, one uplink. Two supplies of six servers, of nine enclosures and of three switches: 36."""
    links = plan_of(LARGE, hdmd=HDMD).links
    assert Counter(link.network for link in links) == {
        "sas": 16 + 8 + 4,
        "management": 22 + 2,
        "data": 12,
        "joint": 4,
        "outward": 1,
        "power": 36,
    }
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
    """Twenty Large are 40 servers, one HDMD 2, management 2: 44 ports, of 36 a switch beside those to its partner."""
    links = plan_of({"size": "large", "count": 20, "data_drive": "12 TB"}, hdmd=HDMD).links
    data = Counter(link.end.device for link in links if link.network == "data")
    assert data == {"qm8700-1": 36, "qm8700-2": 36, "qm8700-3": 8, "qm8700-4": 8}
    assert {int(link.end.port) for link in links if link.end.device == "qm8700-3"} == set(range(1, 9))
    joints = [(link.start.device, link.end.device, link.start.port) for link in links if link.network == "joint"]
    assert joints == [(f"qm8700-{n}", f"qm8700-{n + 1}", port) for n in (1, 3) for port in ("37", "38", "39", "40")]


# Two links on a port


def hdr100(count: int, **more: Any) -> dict[str, Any]:
    """Large modules whose links are HDR100; each has two servers, HDMD and the management have four together."""
    return words(LARGE | {"count": count}, hdmd=HDMD, network={"subnet": "10.10.0.0/16", "link": "hdr100"} | more)


def test_two_links_of_hdr100_share_a_port_by_the_legs_of_a_cable() -> None:
    plan = make(hdr100(1)).plan
    of_first = [link for link in plan.links if link.end.device == "qm8700-1"]
    assert [link.end.port for link in of_first] == ["1/1", "1/2", "2/1", "2/2", "3/1", "3/2"]
    assert [link.start.device for link in of_first] == ["sm01n1", "sm01n2", "hm01n1", "hm01n2", "mgmt1", "mgmt2"]
    ends = Counter(end for link in plan.links for end in (link.start, link.end))
    assert max(ends.values()) == 1


@pytest.mark.parametrize(("clients", "switches"), [(0, 2), (66, 2), (67, 4)], ids=["none", "just full", "one more"])
def test_ports_that_are_split_count_once(clients: int, switches: int) -> None:
    """Six servers take 3 of the 36 ports of each switch that are left beside its partner's, and clients one each."""
    made = make(hdr100(1, client_ports=clients))
    assert sum(s.role == "infiniband" for s in made.plan.switches) == switches
    assert "PX406" in {f.code for f in made.findings} if switches > 2 else True


def test_a_full_pair_of_switches_has_seventy_two_links_of_hdr100_a_side() -> None:
    """31 modules of a Large are 62 servers, gateways 16, HDMD 2 and management 2: 82 links a side."""
    gateways = {"count": 16, "domain": "files.example.org", "subnet": "10.40.0.0/24"}
    made = make(hdr100(31) | {"gateways": gateways})
    data = Counter(link.end.device for link in made.plan.links if link.network == "data")
    assert data == {"qm8700-1": 72, "qm8700-2": 72, "qm8700-3": 10, "qm8700-4": 10}
    legs = {link.end.port for link in made.plan.links if link.end.device == "qm8700-3"}
    assert legs == {f"{port}/{leg}" for port in range(1, 6) for leg in (1, 2)}


def test_the_customers_switches_are_counted_with_split_ports() -> None:
    made = make(hdr100(1, switches="customer"))
    (found,) = [f for f in made.findings if f.code == "PX631"]
    assert "3 ports as of NVIDIA QM8700" in found.message
    assert "two links on a port" in found.message


def test_a_leg_that_another_server_has_is_found() -> None:
    made = make(hdr100(1))
    links = list(made.plan.links)
    place = next(n for n, link in enumerate(links) if link.network == "data")
    links[place] = links[place]._replace(end=links[place].end._replace(port="1/2"))
    loaded, _ = load_words(hdr100(1))
    assert loaded
    found = check(loaded.request, made.plan._replace(links=tuple(links)), shipped(), Observed())
    assert [f.code for f in found if f.severity == "error"] == ["PX577"]


# Power


def test_each_supply_has_one_cable_and_each_part_both_feeds() -> None:
    plan = plan_of(LARGE, hdmd=HDMD)
    power = [link for link in plan.links if link.network == "power"]
    assert max(Counter(link.start for link in power).values()) == 1
    feeds: dict[str, set[tuple[str, str]]] = {}
    for link in power:
        feeds.setdefault(link.start.device, set()).add((link.start.port, link.end.device))
    expansions = {f"{a.id} enclosure {e.index}" for a in plan.arrays for e in a.enclosures[1:]}
    assert feeds.keys() == {p.id for p in (*plan.servers, *plan.arrays, *plan.switches)} | expansions
    assert all(each == {("PSU 1", "feed A"), ("PSU 2", "feed B")} for each in feeds.values())


def _on_one_feed(links: list[Link]) -> list[Link]:
    """The second supply of the last part on the feed of the first, at a place of its own."""
    return [*links[:-1], links[-1]._replace(end=End("feed A", "", "99"))]


def test_both_supplies_on_one_feed_are_found() -> None:
    plan = plan_of(LARGE, hdmd=HDMD)
    loaded, _ = load_words(words(LARGE, hdmd=HDMD))
    assert loaded
    changed = plan._replace(links=tuple(_on_one_feed(list(plan.links))))
    (found,) = [f for f in check(loaded.request, changed, shipped(), Observed()) if f.severity == "error"]
    assert found.code == "PX577"
    assert found.message.startswith("all 2 supplies of qm8700-2 hang on feed A")


def test_the_sheet_says_what_is_known_of_power() -> None:
    (sheet,) = [f.text for f in RENDERER.files(plan_of(LARGE, hdmd=HDMD), shipped()) if f.path.endswith(".txt")]
    assert "PDUs are not planned" in sheet
    assert "- NVIDIA QM8700, InfiniBand HDR: 2 PSUs, inlet C14" in sheet
    assert "- PowerEdge R750: 2 PSUs (estimated: in no document at hand), inlet in no document at hand" in sheet


def test_a_model_without_a_record_of_supplies_is_named() -> None:
    record = {word: value for word, value in shipped().raw["pixstor-6.cabling"].items() if word != "supplies"}
    bare = Catalog(shipped().raw | {"pixstor-6.cabling": record})
    loaded, _ = load_words(words(LARGE, hdmd=HDMD))
    assert loaded
    plan, _ = make_plan(loaded.request, bare, Observed())
    assert plan
    assert "power" not in {link.network for link in plan.links}
    assert not [f for f in check(loaded.request, plan, bare, Observed()) if f.code == "PX577"]
    (sheet,) = [f.text for f in RENDERER.files(plan, bare) if f.path.endswith(".txt")]
    assert "- PowerVault ME484: no record says how many supplies it has" in sheet


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
        lambda links: links[:-1],
        _on_one_feed,
    ],
    ids=[
        "missing",
        "twice",
        "in another order",
        "both on one controller",
        "another network",
        "another slot",
        "a supply without power",
        "both supplies on one feed",
    ],
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
    [(0, 2), (60, 2), (61, 4), (132, 4), (133, 6)],
    ids=["none", "just full", "one more", "two sets full", "a third set"],
)
def test_ports_of_clients_are_held_by_both_switches_of_a_set(clients: int, switches: int) -> None:
    """Six servers take 6 of the 36 ports of each that are left beside its partner's; clients are spread over both."""
    network = {"subnet": "10.10.0.0/24", "client_ports": clients}
    plan = plan_of(LARGE, hdmd=HDMD, network=network)
    assert sum(s.role == "infiniband" for s in plan.switches) == switches


def test_a_full_pair_says_how_many_leaves_and_spines_it_takes() -> None:
    """6 + 35 ports a side: 20 of 40 down make 3 leaves with 60 up, 2 spines; 26 down make 2 with 28 up, 1 spine."""
    made = make(words(LARGE, hdmd=HDMD, network={"subnet": "10.10.0.0/24", "client_ports": 70}))
    (found,) = [f for f in made.findings if f.code == "PX406"]
    assert found.message == (
        "6 servers and 70 client ports need 41 ports of NVIDIA QM8700, InfiniBand HDR (40 each, 4 of them to its partner) "
        "on each of 2 switches: 6 for servers and 35 for client ports; only access switches are planned"
    )  # arrays have no port there
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


# Links between switches, and to the site


GATEWAYS = {"count": 2, "domain": "files.example.org", "subnet": "10.40.0.0/24", "router": "10.40.0.1"}
NGENEA = {"count": 1}


def everything() -> dict[str, Any]:
    return words(LARGE, hdmd=HDMD, network={"subnet": "10.10.0.0/24"}, gateways=GATEWAYS, ngenea=NGENEA)


def of(plan: Plan, network: str) -> list[Link]:
    return [link for link in plan.links if link.network == network]


def test_outward_adapters_lead_to_the_site_and_no_adapter_is_left_out() -> None:
    plan = make(everything()).plan
    outward = [(link.start.device, link.start.slot, link.end.device) for link in of(plan, "outward")]
    assert outward == [
        *((node, slot, "site network") for node in ("gw1", "gw2", "ng1") for slot in ("2", "7")),
        ("n2248x-on-1", "", "site network"),
    ]
    for server in ("gw1", "gw2", "ng1"):
        slots = [link.start.slot for link in plan.links if link.start.device == server and link.start.slot]
        assert sorted(slots) == ["2", "3", "6", "7"]


def test_on_the_customers_switches_outward_adapters_lead_to_the_site_still() -> None:
    asked = everything()
    asked["network"] |= {"switches": "customer"}
    plan = make(asked).plan
    assert [link.start.device for link in of(plan, "outward")] == ["gw1", "gw1", "gw2", "gw2", "ng1", "ng1"]
    assert not of(plan, "joint")


def test_the_switches_of_the_data_have_a_port_of_their_own_for_the_management() -> None:
    own = [
        (link.start.device, link.start.port, link.end.port) for link in of(make(everything()).plan, "management")[-2:]
    ]
    assert own == [("qm8700-1", "MGMT", "29"), ("qm8700-2", "MGMT", "30")]


@pytest.mark.parametrize(("gateways", "switches"), [(8, 1), (9, 2)], ids=["just full", "one more"])
def test_the_ports_of_the_management_switch_are_counted_with_its_uplink(gateways: int, switches: int) -> None:
    """Six servers and eight gateways 28, eight arrays 16, the two switches 2: 46 of the 47 beside the uplink."""
    modules, count = LARGE | {"count": 2}, {"count": gateways}
    asked = words(modules, network={"subnet": "10.10.0.0/24"}, gateways=GATEWAYS | count)
    made = make(asked)
    assert sum(s.role == "management" for s in made.plan.switches) == switches
    found = [f for f in made.findings if f.code == "PX406"]
    assert len(found) == switches - 1
    assert all("2 data switches need" in f.message and "uplinks" in f.hint for f in found)


def test_clients_never_take_the_ports_that_join_the_switches() -> None:
    """26 ports of clients and 14 of servers were all of the forty."""
    network = {"subnet": "10.10.0.0/24", "client_ports": 52}
    asked = words(LARGE | {"count": 3}, hdmd=HDMD, network=network)
    made = make(asked | {"gateways": GATEWAYS | {"count": 4}})
    assert [f.code for f in made.findings if f.code == "PX406"] == ["PX406"]
    taken = {(link.end.device, link.end.port) for link in of(made.plan, "data")}
    assert not taken & {(link.end.device, link.end.port) for link in of(made.plan, "joint")}


def _swapped(links: list[Link], network: str) -> list[Link]:
    """The first two cables of a network, each with the other one's end."""
    first, second, *_ = [n for n, link in enumerate(links) if link.network == network]
    one, other = links[first], links[second]
    changed = {first: one._replace(end=other.end), second: other._replace(end=one.end)}
    return [changed.get(n, link) for n, link in enumerate(links)]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda links: [link for link in links if link.network != "joint"],
        lambda links: [link for link in links if link.network != "outward"],
        lambda links: [link for link in links if link.start.port != "MGMT"],
        lambda links: _swapped(links, "joint"),
        lambda links: _swapped(links, "outward"),
        lambda links: [
            link._replace(start=link.start._replace(slot="3")) if link.start.slot == "7" else link for link in links
        ],
    ],
    ids=["no joint", "nothing outward", "no own port", "joints crossed", "outward crossed", "an adapter twice"],
)
def test_a_wrong_cable_between_switches_or_to_the_site_is_found(spoil: Any) -> None:
    loaded, _ = load_words(everything())
    assert loaded
    plan = make(everything()).plan
    assert [f.code for f in check(loaded.request, plan, shipped(), Observed()) if f.severity == "error"] == []
    changed = plan._replace(links=tuple(spoil(list(plan.links))))
    found = check(loaded.request, changed, shipped(), Observed())
    assert [f.code for f in found if f.severity == "error"] == ["PX577"]


def test_the_sheet_numbers_joints_and_outward_cables() -> None:
    made = {row.number: (row.start.device, row.end.device) for row in rows(make(everything()).plan)}
    assert made["J004"] == ("qm8700-1", "qm8700-2")
    assert made["O007"] == ("n2248x-on-1", "site network")


def test_cables_of_controllers_stay_out_until_their_array_has_addresses() -> None:
    (step,) = steps(plan_of(LARGE, hdmd=HDMD), shipped())
    (box,) = [box for box in step.boxes if "management cables" in box.where]
    assert "each is plugged in when its array gets its own" in box.do
    assert "the management port of each controller empty" in step.looks[0].shows


@pytest.mark.parametrize(
    ("pattern", "by"),
    [
        (r"D001.*\n", ""),
        (r"(S001.*),A,A0,(.*)", r"\1,B,B1,\2"),
        (r"(D001.*),qm8700-1,", r"\1,qm8700-2,"),
        (r"O001.*\n", ""),
        (r"(O001.*),site network,", r"\1,qm8700-1,"),
        (r"J.*\n", ""),
        (r"(J.*),qm8700-2,", r"\1,sm01n1,"),
        (r"M.*,MGMT,.*\n", ""),
        (r"O.*n2248x-on-1.*\n", ""),
        (r"(M002,.*,n2248x-on-1,,)2,", r"\g<1>1,"),
    ],
)
def test_a_planted_mistake_in_the_table_is_caught(pattern: str, by: str) -> None:
    plan = make(everything()).plan
    (text,) = [file.text for file in RENDERER.files(plan, shipped()) if file.path.endswith(".csv")]
    nothing_is_left_without_a_cable(text, plan)
    spoilt = re.sub(f"(?m)^{pattern}", by, text)
    assert spoilt != text
    with pytest.raises((AssertionError, KeyError)):
        nothing_is_left_without_a_cable(spoilt, plan)


@pytest.mark.parametrize(
    ("record", "words_of_it"),
    [
        ("qm8700", {"ports": 4}),
        ("n2248x-on", {"ports": 1}),
        ("pixstor-6", {"switches": [{"model": "n2248x-on", "count": 1, "ports_a_server": 2, "joins": 4}]}),
    ],
    ids=["joints alone", "an uplink alone", "nothing to join"],
)
def test_switches_without_a_port_for_servers_are_refused(tmp_path: Path, record: str, words_of_it: Any) -> None:
    (tmp_path / "mine.yaml").write_text(written.text(replacing(record, **words_of_it)), encoding="utf-8")
    _, found = load_catalog(tmp_path)
    assert {f.code for f in found} == {"PX203"}
