"""The network of the data: another fabric, a slower link, and switches that are the customer's."""

from __future__ import annotations

import copy
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pixsize.catalog.records import Adapter, Switch
from pixsize.check import check
from pixsize.estimate.make import estimate
from pixsize.figures import Figure
from pixsize.load import load_catalog, load_request
from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.plan.records import Adapters, Plan
from pixsize.products.scale.render import cluster, ports_steps, site_steps
from tests.support import written
from tests.support.changing import replace
from tests.support.estimating import overlaid, replacing
from tests.support.running import Made, catalog, load_words, make

LARGE = {"size": "large", "data_drive": "12 TB"}
GATEWAYS = {"count": 2, "domain": "files.example.org", "subnet": "10.40.0.0/24"}
FABRICS = {
    ("infiniband-hdr", "hdr"): ("qm8700", "connectx-6-hdr", 25.0),
    ("infiniband-hdr", "hdr100"): ("qm8700", "connectx-6-hdr100", 12.5),
    ("ethernet-200", "200gbe"): ("sn3700", "connectx-6-200gbe", 25.0),
    ("ethernet-200", "100gbe"): ("sn3700", "connectx-6-100gbe", 12.5),
    ("ethernet-100", "100gbe"): ("sn3700c", "connectx-6-100gbe", 12.5),
}
"""The switch, the adapter, and what a port carries one way in GB/s, as the design's document and the standards have them."""


def words(*modules: dict[str, Any], **network: Any) -> dict[str, Any]:
    hdmd = {"arrays": 1, "drive": "960 GB"}
    made = {"name": "site", "design": "pixstor-6", "storage_modules": list(modules or (LARGE,)), "hdmd": hdmd}
    return made | {"filesystem": {"name": "fs1"}} | ({"network": network} if network else {})


def made_of(**network: Any) -> Made:
    return make(words(**network))


def rates(made: Made) -> dict[str, Figure]:
    return {i: f for i, f in made.figures.items() if f.unit in ("B/s", "op/s")}


# What is planned


@pytest.mark.parametrize(("fabric", "link"), FABRICS)
def test_switches_adapters_and_cables_are_those_of_the_fabric(fabric: str, link: str) -> None:
    switch, adapter, gigabytes = FABRICS[fabric, link]
    plan = make(words(fabric=fabric, link=link, subnet="10.10.0.0/24") | {"gateways": GATEWAYS}).plan
    assert {s.model for s in plan.switches} == {"n2248x-on", switch}
    cards = {card for s in plan.servers for card, _ in s.adapters if catalog().get(Adapter, card).use == "network"}
    assert cards == {adapter}
    assert catalog().get(Adapter, adapter).bytes_per_s == gigabytes * 10**9
    data = [cable for cable in plan.links if cable.network == "data"]
    assert Counter(cable.end.device for cable in data) == {f"{switch}-1": 8, f"{switch}-2": 8}
    assert {cable.start.slot for cable in data if cable.start.device == "gw1"} == {"3", "6"}


@pytest.mark.parametrize("fabric", ["infiniband-hdr", "ethernet-200", "ethernet-100"])
def test_the_full_rate_is_the_link_that_is_left_out(fabric: str) -> None:
    link = next(name for of, name in FABRICS if of == fabric)
    assert make(words(fabric=fabric)).plan == make(words(fabric=fabric, link=link)).plan


def test_the_design_chooses_infiniband_and_its_switches() -> None:
    chosen = made_of(fabric="infiniband-hdr", link="hdr", switches="included")
    left_out = made_of()
    assert chosen.plan == left_out.plan
    assert chosen.figures == left_out.figures
    assert [f.code for f in chosen.findings] == [f.code for f in left_out.findings]


def test_the_gateways_links_are_told() -> None:
    """Two of four adapters lead to the file system: 2 x 12.5 GB/s of one gateway, twice that of two."""
    found = make(words(fabric="ethernet-100", subnet="10.10.0.0/24") | {"gateways": GATEWAYS}).findings
    (told,) = [f.message for f in found if f.code == "PX581"]
    assert "carry 25 GB/s at the most, those of 2 together 50 GB/s" in told


ADDED: dict[str, tuple[str, dict[str, Any]]] = {
    "PX581": ("gateways", GATEWAYS),
    "PX582": ("ngenea", {"count": 2}),
    "PX624": ("nvme", {"pairs": 1, "drive": "1.6 TB", "arbiter": {"server": "mgmt1", "drive": "1.6 TB"}}),
}
"""What says how much the links of added servers carry, and the words that add them."""


@pytest.mark.parametrize("code", ADDED)
def test_links_that_are_added_up_on_ethernet_are_one_aggregate(code: str) -> None:
    word, value = ADDED[code]
    for fabric, told in (("ethernet-100", True), ("infiniband-hdr", False)):
        found = make(words(fabric=fabric, subnet="10.10.0.0/24") | {word: value}).findings
        (message,) = [f.message for f in found if f.code == code]
        assert ("as one aggregate over both switches (LACP)" in message) is told


def test_a_network_without_addresses_is_one_and_loads_again() -> None:
    made = made_of(fabric="ethernet-100")
    assert {server.address for server in made.plan.servers} == {""}
    again, findings = load_words(made.loaded.words)
    assert again is not None, findings
    assert again.request == made.loaded.request


@pytest.mark.parametrize("network", [{"subnet": None}, {"adresses": {}}])
def test_a_network_that_says_nothing_is_refused(network: dict[str, Any]) -> None:
    assert load_words(words(**network))[0] is None


# Ports


@pytest.mark.parametrize(
    ("clients", "switches"), [(0, 2), (44, 2), (45, 4), (100, 4), (101, 6)], ids=["none", "full", "+1", "two", "three"]
)
def test_ports_of_the_fabric_hold_servers_and_clients(clients: int, switches: int) -> None:
    """Six servers take 6 of the 28 ports of each switch beside its partner's; clients are spread over the pair."""
    plan = made_of(fabric="ethernet-100", client_ports=clients).plan
    assert sum(s.role == "ethernet" for s in plan.switches) == switches


def test_a_full_pair_says_how_many_leaves_and_spines_it_takes() -> None:
    """6 + 30 ports: 16 of 32 down make 3 leaves with 48 up, 2 spines; 21 down make 2 with 22 up, 1 spine."""
    (found,) = [f for f in made_of(fabric="ethernet-200", client_ports=60).findings if f.code == "PX406"]
    assert "36 ports of NVIDIA SN3700, Ethernet 200 Gb/s (32 each, 4 of them to its partner)" in found.message
    assert "3 leaf switches and 2 spine switches without blocking" in found.hint
    assert "2 leaf switches and 1 spine switch at 2:1" in found.hint


@pytest.mark.parametrize(("fabric", "switch"), [("infiniband-hdr", "qm8700"), ("ethernet-100", "sn3700c")])
def test_switches_of_the_customer_are_counted_and_not_planned(fabric: str, switch: str) -> None:
    """Six servers, two ports each for the management, and two controllers of five arrays: 22; 6 + 40 / 2 for the data."""
    made = made_of(fabric=fabric, switches="customer", client_ports=40)
    assert made.plan.switches == ()
    assert {cable.network for cable in made.plan.links} == {"sas", "power"}
    (found,) = [f for f in made.findings if f.code == "PX631"]
    assert "22 ports as of PowerSwitch N2248X-ON" in found.message
    assert f"26 ports as of {catalog().get(Switch, switch).title} on each of 2 switches" in found.message
    assert found.where == "network.switches"


def test_the_customers_switches_are_never_too_small() -> None:
    assert "PX406" not in {f.code for f in made_of(switches="customer", client_ports=4000).findings}


def test_gateways_links_are_counted_on_switches_of_the_customer() -> None:
    network = {"switches": "customer", "subnet": "10.10.0.0/24"}
    found = make(words(**network) | {"gateways": GATEWAYS}).findings
    assert any("2 links of a gateway to the file system carry 50 GB/s" in f.message for f in found)


# Rates


@pytest.mark.parametrize("module", [LARGE, LARGE | {"expansion": True}, LARGE | {"size": "small"}])
def test_a_slower_link_or_one_without_rdma_brings_no_more_of_anything(module: dict[str, Any]) -> None:
    """Rates by threads among them; neither value nor low nor high."""
    found = {each: rates(make(words(module, fabric=each[0], link=each[1]), by_threads=True)) for each in FABRICS}
    for better, less in (
        (("infiniband-hdr", "hdr"), ("infiniband-hdr", "hdr100")),
        (("infiniband-hdr", "hdr"), ("ethernet-200", "200gbe")),
        (("infiniband-hdr", "hdr100"), ("ethernet-100", "100gbe")),
        (("ethernet-200", "200gbe"), ("ethernet-200", "100gbe")),
        (("ethernet-200", "100gbe"), ("ethernet-100", "100gbe")),
    ):
        full, slow = found[better], found[less]
        assert full.keys() == slow.keys()
        for name, figure in slow.items():
            assert figure.low <= full[name].low, name
            assert figure.value <= full[name].value, name
            assert figure.high <= full[name].high, name


@pytest.mark.parametrize(("fabric", "link"), [each for each in FABRICS if each != ("infiniband-hdr", "hdr")])
def test_what_nobody_measured_is_no_measurement(fabric: str, link: str) -> None:
    """Another network is a step, and so are links of another rate: each is named."""
    made, measured, gigabytes = made_of(fabric=fabric, link=link), rates(made_of()), FABRICS[fabric, link][2]
    assert {f.basis for f in measured.values()} == {"measured"}
    for name, figure in rates(made).items():
        assert figure.basis != "measured", name
        assert ("another network, ethernet with the links of a server as one aggregate" in figure.rule) is (
            "ethernet" in fabric
        )
        assert ("links of 12.5 GB/s" in figure.rule) is (gigabytes == 12.5)
        assert figure.low < measured[name].low, name
        assert figure.value == measured[name].value, name
    (note,) = [f for f in made.findings if f.code == "PX632"]
    assert f"{fabric} with links {link}" in note.message
    assert note.severity == "note"


def of_one_adapter(plan: Plan, card: str) -> Plan:
    """The plan with one adapter in each server for storage instead of two."""
    servers = (
        replace(s, adapters=tuple(Adapters(c, 1 if c == card else n) for c, n in s.adapters)) for s in plan.servers
    )
    return replace(plan, servers=tuple(servers))


@pytest.mark.parametrize(("fabric", "link"), FABRICS)
def test_the_network_caps_the_rates_where_it_carries_less(fabric: str, link: str) -> None:
    """With one port of 12.5 GB/s in each of two servers the network carries less than a Large reads: 23 GB/s."""
    _, card, gigabytes = FABRICS[fabric, link]
    plan = of_one_adapter(made_of(fabric=fabric, link=link).plan, card)
    figures, _ = estimate(plan, catalog())
    binds = 2 * gigabytes < 30
    for pattern, direction in product(("n_n", "n_1"), ("read", "write")):
        figure = figures[f"throughput.sequential.{pattern}.{direction}.peak"]
        assert figure.high <= 2 * gigabytes * 10**9, figure.id
    read = figures["throughput.sequential.n_n.read.peak"]
    assert (read.limited_by == "network adapters") is binds
    assert (card in read.inputs) is (link != "hdr")


# What is refused


@pytest.mark.parametrize(
    ("network", "where", "legal"),
    [
        ({"fabric": "ethernet-400"}, "network.fabric", "infiniband-hdr, ethernet-200, ethernet-100"),
        ({"link": "edr"}, "network.link", "hdr, hdr100"),
        ({"fabric": "ethernet-200", "link": "hdr"}, "network.link", "200gbe, 100gbe"),
        ({"switches": "ours"}, "network.switches", "'included' or 'customer'"),
    ],
)
def test_unknown_words_are_named_where_they_stand(network: dict[str, str], where: str, legal: str) -> None:
    loaded, (found,) = load_words(words(**network))
    assert loaded is None
    assert (found.code, found.where) == ("PX102", where)
    assert legal in found.message


def test_an_unknown_fabric_is_one_finding_whatever_its_link() -> None:
    _, found = load_words(words(fabric="infiniband", link="hdr"))
    assert [f.where for f in found] == ["network.fabric"]


@pytest.mark.parametrize("word", ["fabric", "link"])
def test_a_design_without_fabrics_has_no_choice(word: str) -> None:
    _, (found,) = load_words(words(**{word: "hdr"}) | {"design": "pixstor-5"})
    assert (found.code, found.where) == ("PX102", f"network.{word}")
    assert "pixstor-5 has one network" in found.message


def test_switches_of_the_customer_need_no_fabrics() -> None:
    made = make(words(switches="customer") | {"design": "pixstor-5"})
    assert made.plan.switches == ()
    assert "PX631" in {f.code for f in made.findings}


# Fabrics of a site


OWN: dict[str, Any] = {"name": "site-edr", "switch": "sb7800", "links": [{"name": "edr", "adapter": "connectx-5-edr"}]}


def test_an_overlay_brings_a_network_of_its_own(tmp_path: Path) -> None:
    fabrics = [*catalog().raw["pixstor-6"]["fabrics"], OWN]
    mine = overlaid(tmp_path, replacing("pixstor-6", "site-6", fabrics=fabrics))
    config = tmp_path / "request.yaml"
    config.write_text(written.text(words(fabric="site-edr")), encoding="utf-8")
    loaded, found = load_request(str(config), mine)
    assert loaded is not None, found
    plan, _ = make_plan(loaded.request, mine, Observed())
    assert plan is not None
    assert {s.model for s in plan.switches} == {"n2248x-on", "sb7800"}
    assert {card for s in plan.servers for card, _ in s.adapters} == {"hba355e", "connectx-5-edr"}


@pytest.mark.parametrize(
    ("fabrics", "said"),
    [
        ([OWN], "no server of site-6 has connectx-5-edr"),
        ([{"name": "a", "switch": "n2248x-on", "links": [{"name": "hdr", "adapter": "connectx-6-hdr"}]}], "management"),
        (
            [{"name": "a", "switch": "qm8700", "links": [{"name": "sas", "adapter": "hba355e"}]}],
            "no adapter of a network",
        ),
        (
            [
                {"name": "a", "switch": "qm8700", "links": [{"name": "hdr", "adapter": "connectx-6-hdr"}]},
                {"name": "b", "switch": "sn3700", "links": [{"name": "x", "adapter": "connectx-6-hdr"}]},
            ],
            "connectx-6-hdr is set to infiniband, and sn3700 makes ethernet",
        ),
        (
            [
                {"name": "a", "switch": "qm8700", "links": [{"name": "hdr", "adapter": "connectx-6-hdr"}]},
                {
                    "name": "b",
                    "switch": "sn3700",
                    "links": [
                        {"name": "slow", "adapter": "connectx-6-100gbe"},
                        {"name": "full", "adapter": "connectx-6-200gbe"},
                    ],
                },
            ],
            "connectx-6-200gbe carries more than connectx-6-100gbe, the full rate of b",
        ),
        (
            [
                {
                    "name": "a",
                    "switch": "qm8700",
                    "links": [
                        {"name": "hdr", "adapter": "connectx-6-hdr"},
                        {"name": "hdr100", "adapter": "connectx-6-hdr100", "links_a_port": 3},
                    ],
                }
            ],
            "3 links of connectx-6-hdr100 on a port carry more than connectx-6-hdr",
        ),
        ([OWN | {"switch": "nothing"}], "nothing"),
        ([OWN | {"links": []}], ""),
        ([OWN | {"name": "Site EDR"}], ""),
        ([OWN, copy.deepcopy(OWN)], "two fabrics have one name"),
        ([OWN | {"links": [*OWN["links"], *copy.deepcopy(OWN["links"])]}], "two links have one name"),
    ],
    ids=[
        "first",
        "management",
        "sas",
        "two networks",
        "full rate",
        "port",
        "unknown",
        "no link",
        "name",
        "fabrics",
        "links",
    ],
)
def test_fabrics_of_an_overlay_are_judged(tmp_path: Path, fabrics: list[Any], said: str) -> None:
    record = replacing("pixstor-6", "site-6", fabrics=fabrics)
    (tmp_path / "site.yaml").write_text(written.text(record), encoding="utf-8")
    _, found = load_catalog(tmp_path)
    assert any(f.severity == "error" and said in f.message for f in found), found


def test_a_benchmark_over_another_network_is_a_measurement_of_it(tmp_path: Path) -> None:
    """What a site measured over Ethernet holds for Ethernet; InfiniBand keeps the reading of the document."""
    figure = "throughput.sequential.n_n.read.peak"
    record = copy.deepcopy(dict(catalog().raw["pixstor-6.large.throughput.sequential.n_n.read.peak"]))
    record["system"] |= {"fabric": "ethernet-100"}
    record["readings"] = [{"value": "15 GB/s", "document": "pixsize", "place": "a benchmark of the site", "used": True}]
    mine = overlaid(tmp_path, record | {"id": "site.ethernet"})
    config = tmp_path / "request.yaml"
    for network, value, basis in (
        ({"fabric": "ethernet-100"}, 15, "measured"),
        ({"fabric": "ethernet-200", "link": "100gbe"}, 15, "measured"),
        ({"fabric": "infiniband-hdr"}, 23, "measured"),
    ):
        config.write_text(written.text(words(**network)), encoding="utf-8")
        loaded, found = load_request(str(config), mine)
        assert loaded is not None, found
        plan, _ = make_plan(loaded.request, mine, Observed())
        assert plan is not None
        figures, _ = estimate(plan, mine)
        assert (figures[figure].value, figures[figure].basis) == (value * 10**9, basis)
        assert "PX632" not in {f.code for f in check(loaded.request, plan, mine, Observed())}


@pytest.mark.parametrize(("word", "name"), [("fabric", "ethernet-400"), ("link", "edr")])
def test_a_measured_network_is_one_of_the_design(tmp_path: Path, word: str, name: str) -> None:
    record = copy.deepcopy(dict(catalog().raw["pixstor-6.large.throughput.sequential.n_n.read.peak"]))
    record["system"] |= {word: name}
    (tmp_path / "site.yaml").write_text(written.text(record | {"id": "site.read"}), encoding="utf-8")
    _, found = load_catalog(tmp_path)
    assert [(f.code, name in f.message) for f in found] == [("PX203", True)]


# The link type of ports


def ports_set(**network: Any) -> dict[str, str]:
    """What the step that sets ports to Ethernet says for each server; nothing without such a step."""
    return {box.where: box.do for step in ports_steps.steps(made_of(**network).plan, catalog()) for box in step.boxes}


def test_every_adapter_of_an_ethernet_network_is_set_to_it() -> None:
    made = ports_set(fabric="ethernet-200")
    assert made["sm01n1"] == "to Ethernet: slots 3 and 6"
    assert made["mgmt1"] == "to Ethernet: adapter 1 and adapter 2"
    assert len(made) == 6


def test_on_the_customers_ethernet_all_adapters_are_set_to_it() -> None:
    assert set(ports_set(fabric="ethernet-100", switches="customer").values()) == {
        "to Ethernet: all its network adapters"
    }


def test_on_infiniband_alone_no_port_is_set() -> None:
    assert ports_set() == {}


@pytest.mark.parametrize("network", [{}, {"fabric": "ethernet-200"}], ids=["infiniband", "ethernet"])
def test_what_ceilings_count_the_run_book_sets_up(network: dict[str, str]) -> None:
    """Both links of a server: over RDMA, or as one aggregate; what rests on the aggregate says so."""
    ethernet = bool(network)
    made = make(words(subnet="10.10.0.0/24", **network) | {"gateways": GATEWAYS, "nvme": {}})
    (step,) = (
        s for s in site_steps.steps(made.plan, catalog()) if s.title == "Bring up the network of the file system"
    )
    text, looks = " ".join(step.text), " ".join(look.shows for look in step.looks)
    settings = {s["name"] for s in cluster.view(made.plan, catalog())["settings"]}
    assert ("802.3ad" in text, "802.3ad" in looks, "verbsPorts" in settings) == (ethernet, ethernet, not ethernet)
    assert ("a bond in which one is active" in text) != ethernet
    ceilings = [f for i, f in made.figures.items() if "fabric." in i]
    assert len(ceilings) == 3
    assert {"LACP" in f.rule for f in ceilings} == {ethernet}
    assert sum(f.value for f in ceilings) == (100 + 100 + 50) * 10**9
    assert ("LACP" in made.figures["throughput.sequential.n_n.read.peak"].rule) == ethernet
    assert any(f.code == "PX632" and "LACP" in f.message for f in made.findings) == ethernet
