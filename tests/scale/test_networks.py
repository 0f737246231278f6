"""Words of the networks of PixStor's servers: what is refused, and rules that find a plan with other addresses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pixsize.findings import has_errors
from pixsize.observed import Observed
from pixsize.plan.networks import devices_of
from pixsize.plan.records import Plan
from pixsize.products.scale.plan import Site as Names
from pixsize.products.scale.plan import scale, server_of
from tests.scale.host_plans import NETWORK, SERVERS, planned, request
from tests.support.changing import replace
from tests.support.check_support import Break, Site, changed
from tests.support.running import catalog, load_words, make

SHELL = ["$(reboot)", "`reboot`", "a;reboot", "a b", "a\nb", "a'b", 'a"b', "a\\b", "%h", "a|b", "*", "-rf", "a#b"]
FOREIGN = ["é", "ａ", "a\u0301", "\u202eb", "\u0661"]


def found(**network: Any) -> list[tuple[str, str]]:
    """The codes and places of what load says of a request with other words below `network`."""
    return [(f.code, f.where) for f in load_words(request(**network))[1]]


def given(first: str, last: str = "10.20.0.9") -> dict[str, Any]:
    """A network whose addresses are given, the first and the last of them as asked."""
    return {"addresses": dict(zip(SERVERS, (first, "10.20.0.7", "10.20.0.8", last), strict=True))}


def test_addresses_follow_the_order_of_the_servers() -> None:
    own = [server_of(server) for server in planned().servers]
    assert [s.id for s in planned().servers] == list(SERVERS)
    assert [s.management for s in own] == ["10.20.0.1", "10.20.0.2", "10.20.0.3", "10.20.0.4"]
    assert [s.bmc for s in own] == ["10.30.0.1", "10.30.0.2", "10.30.0.3", "10.30.0.4"]


def test_addresses_can_be_given() -> None:
    own = [server_of(server) for server in planned(management=given("10.20.0.6")).servers]
    assert [s.management for s in own] == ["10.20.0.6", "10.20.0.7", "10.20.0.8", "10.20.0.9"]


def test_without_the_words_a_plan_has_nothing_of_them() -> None:
    plan = planned(management=None, bmc=None, domain=None, ntp=None, dns=None)
    assert scale(plan).site is None
    assert {(server_of(s).management, server_of(s).bmc) for s in plan.servers} == {("", "")}


def test_a_router_and_new_controllers_keep_their_addresses() -> None:
    """10.0.0.2 and 10.0.0.3 are those of every ME4 that comes from the factory."""
    management = {"subnet": "10.0.0.0/24", "router": "10.0.0.1"}
    plan = planned(management=management, router="10.10.0.2")
    assert [server_of(s).management for s in plan.servers] == ["10.0.0.4", "10.0.0.5", "10.0.0.6", "10.0.0.7"]
    assert [s.address for s in plan.servers] == ["10.10.0.1", "10.10.0.3", "10.10.0.4", "10.10.0.5"]
    assert [a for _, a in devices_of(plan)][:2] == ["10.0.0.8", "10.0.0.9"]


def test_controllers_are_behind_the_servers_whose_addresses_were_given() -> None:
    """Neither the router's address nor one of the factory: nothing below those of the servers is given out."""
    addresses = {server: f"10.0.0.{n}" for n, server in enumerate(SERVERS, 101)}
    plan = planned(management={"subnet": "10.0.0.0/24", "addresses": addresses})
    assert [a for _, a in devices_of(plan)] == [f"10.0.0.{n}" for n in range(105, 110)]


@pytest.mark.parametrize(
    "word", [*SHELL, *FOREIGN, "", ".org", "a..b", "localhost", "a.localhost", "x" * 64, "10.1.2.3"]
)
def test_what_is_no_domain(word: str) -> None:
    assert found(domain=word) == [("PX107", "network.domain")]


@pytest.mark.parametrize("word", [*SHELL, *FOREIGN, "", "ntp..org", "x" * 64, "localhost", "ntp.1"])
def test_who_cannot_be_asked_for_the_time(word: str) -> None:
    assert found(ntp=["ntp1.example.org", word]) == [("PX107", "network.ntp[1]")]


@pytest.mark.parametrize("word", ["10.1.2", "10.1.2.300", "127.0.0.1", "224.0.1.1", "0.0.0.0", "1.", "10.01.2.3"])
def test_what_is_no_address_of_a_time_server(word: str) -> None:
    assert found(ntp=[word]) == [("PX115", "network.ntp[0]")]


@pytest.mark.parametrize("word", [*SHELL, *FOREIGN, "", "dns.example.org", "10.1.2.300", "127.0.0.53"])
def test_what_is_no_name_server(word: str) -> None:
    assert found(dns=["192.0.2.53", word]) == [("PX115", "network.dns[1]")]


@pytest.mark.parametrize(
    ("words", "code", "where"),
    [
        ({"ntp": ["a.org", "A.org"]}, "PX110", "network.ntp[1]"),
        ({"ntp": ["192.0.2.1", "192.0.2.1"]}, "PX110", "network.ntp[1]"),
        ({"ntp": ["10.20.0.1"]}, "PX110", "network.ntp[0]"),  # a server of the system itself
        ({"ntp": ["mgmt1"]}, "PX110", "network.ntp[0]"),
        ({"ntp": ["MGMT2.example.org"]}, "PX110", "network.ntp[0]"),
        ({"ntp": ["sm01n1-mgmt"]}, "PX110", "network.ntp[0]"),
        ({"dns": ["192.0.2.1", "192.0.2.1"]}, "PX110", "network.dns[1]"),
        ({"dns": ["10.30.0.4"]}, "PX110", "network.dns[0]"),
        ({"dns": [f"192.0.2.{n}" for n in range(1, 5)]}, "PX108", "network.dns"),
        ({"dns": "192.0.2.1"}, "PX104", "network.dns"),
        ({"ntp": [12]}, "PX104", "network.ntp[0]"),
        ({"domain": 12}, "PX104", "network.domain"),
        ({"management": {}}, "PX103", "network.management"),
        ({"management": {"subnet": "10.20.0.0/30"}}, "PX116", "network.management.subnet"),
        ({"bmc": {"subnet": "10.30.0.1/24"}}, "PX115", "network.bmc.subnet"),
        ({"bmc": {"subnet": "127.0.0.0/24"}}, "PX115", "network.bmc.subnet"),
        ({"bmc": {"subnet": "10.30.0.0/24;reboot"}}, "PX115", "network.bmc.subnet"),
        ({"bmc": {"subnet": "10.30.0.0/24", "interface": "eth0"}}, "PX101", "network.bmc.interface"),
        ({"management": {"subnet": "10.10.0.0/24"}}, "PX116", "network.management.subnet"),
        ({"management": {"subnet": "10.0.0.0/8"}, "bmc": None}, "PX116", "network.management.subnet"),
        ({"bmc": {"subnet": "10.20.0.128/25"}}, "PX116", "network.bmc.subnet"),
        ({"management": given("10.20.0.9")}, "PX110", "network.management.addresses.mgmt2"),
        ({"management": given("10.10.0.9")}, "PX116", "network.management.addresses.sm01n1"),
        ({"management": given("10.20.0.6", "10.30.0.200")}, "PX116", "network.bmc.subnet"),
        ({"management": given("10.20.0.300")}, "PX115", "network.management.addresses.sm01n1"),
        ({"management": {"addresses": {"sm01n1": "10.20.0.1"}}}, "PX116", "network.management.addresses"),
        ({"router": "10.11.0.1"}, "PX116", "network.router"),
        ({"bmc": {"subnet": "10.30.0.0/24", "router": "10.30.0.0"}}, "PX116", "network.bmc.router"),
        ({"management": {"subnet": "10.20.0.0/24", "router": "fd00::1"}}, "PX115", "network.management.router"),
        ({"management": given("10.20.0.6") | {"router": "10.20.0.8"}}, "PX110", "network.management.addresses.mgmt1"),
    ],
)
def test_what_is_refused_at_its_place(words: dict[str, Any], code: str, where: str) -> None:
    assert found(**words) == [(code, where)]


def test_one_address_on_two_networks_that_are_given() -> None:
    words = {"subnet": None, **given("10.20.0.6"), "management": given("10.20.0.6", "10.20.0.10"), "bmc": None}
    places = [(code, where.rpartition(".")[2]) for code, where in found(**words)]
    assert places == [("PX110", "sm01n1"), ("PX110", "sm01n2"), ("PX110", "mgmt1")]


def test_a_public_address_of_a_gateway_is_no_address_for_its_management() -> None:
    words = request() | {"gateways": {"domain": "files.example.org", "subnet": "10.20.0.0/24"}}
    refused = {(f.code, f.where) for f in load_words(words)[1]}
    assert ("PX110", "gateways.addresses[0]") in refused


# Rules


def good() -> Site:
    loaded, _ = load_words(request())
    assert loaded is not None
    site = Site(loaded.request, planned(), catalog(), Observed())
    assert not has_errors(site.findings())
    return site


def own(**fields: Any) -> Callable[[Plan], dict[str, Any]]:
    """The second server with other fields of GPFS."""
    return lambda plan: {"servers": changed(plan.servers, 1, own=replace(plan.servers[1].own, **fields))}


def names(**fields: Any) -> Callable[[Plan], dict[str, Any]]:
    """What the servers have of their site, with other fields."""
    return lambda plan: {"filesystem": scale(plan)._replace(site=(scale(plan).site or Names())._replace(**fields))}


@pytest.mark.parametrize(
    ("change", "code", "where"),
    [
        (own(management=""), "PX525", "network.management"),
        (own(management="10.20.0.9"), "PX525", "network.management"),
        (own(management="10.20.0.1"), "PX540", "network.management"),
        (own(management="10.10.0.2"), "PX540", "network"),
        (own(management="10.21.0.2"), "PX540", "network.management"),
        (own(management="10.20.0.255"), "PX540", "network.management"),
        (own(bmc=""), "PX525", "network.bmc"),
        (own(bmc="10.30.0.9"), "PX525", "network.bmc"),
        (own(bmc="10.20.0.2"), "PX540", "network.management"),
        (own(bmc="10.30.0.2;reboot"), "PX540", "network.bmc"),
        (names(domain=""), "PX525", "network.domain"),
        (names(ntp=("192.0.2.1", "ntp1.example.org")), "PX525", "network.ntp"),
        (names(dns=()), "PX525", "network.dns"),
        (lambda plan: {"filesystem": scale(plan)._replace(site=None)}, "PX525", "network.domain"),
    ],
)
def test_a_plan_that_is_not_the_requests_is_found(change: Any, code: str, where: str) -> None:
    site = good()
    errors = [f for f in site.with_plan(**change(site.plan)).findings() if f.severity == "error"]
    assert {f.code for f in errors} == {code}
    assert errors[0].where == where


def test_networks_that_overlap_are_found_without_the_loader() -> None:
    """Whoever makes a request without `load` is told as well."""
    site = good()
    network = site.request.network
    wide = network.management.model_copy(update={"subnet": "10.0.0.0/8"})
    other = site.request.model_copy(update={"network": network.model_copy(update={"management": wide})})
    errors = [f for f in replace(site, request=other).findings() if f.severity == "error"]
    assert {f.code for f in errors} == {"PX540"}
    assert "network.management.subnet" in {f.where for f in errors}


def test_every_word_of_a_network_stands_in_these_tests() -> None:
    loaded, _ = load_words(request())
    assert loaded is not None
    elsewhere = {"client_ports", "fabric", "link", "switches"}  # tests/scale/test_fabric.py
    assert set(NETWORK) | {"addresses", "router"} | elsewhere == set(type(loaded.request.network).model_fields)


def sited(**network: Any) -> Site:
    """What a request with other words below `network` comes to."""
    made = make(request(**network))
    return Site(made.loaded.request, made.plan, catalog(), Observed())


ROUTED = {"management": {"subnet": "10.0.0.0/24", "router": "10.0.0.1"}, "bmc": None}
ELSEWHERE = frozenset({"PX407", "PX512", "PX573", "PX591"})
"""What every plan of one small module has as well."""
BREAKS = (
    Break(
        "PX570",
        "the router of the management",
        lambda: sited(management={"subnet": "10.20.0.0/24"}, bmc=None),
        "network.management",
        ("sm01n1 has 10.20.0.1",),
        ELSEWHERE,
    ),
    Break(
        "PX571",
        "a server at a factory address",
        lambda: sited(
            management=ROUTED["management"] | {"addresses": {s: f"10.0.0.{n}" for n, s in enumerate(SERVERS, 3)}},
            bmc=None,
        ),
        "network.management.addresses.sm01n1",
        ("sm01n1 has 10.0.0.3",),
        ELSEWHERE,
    ),
    Break(
        "PX572",
        "no address for clients",
        lambda: sited(subnet="10.10.0.0/29", client_ports=3, **ROUTED),
        "network.subnet",
        ("10.10.0.0/29 has 2 addresses left, for 3 ports of clients",),
        ELSEWHERE,
    ),
)


@pytest.mark.parametrize("broken", BREAKS, ids=lambda b: f"{b.code} {b.name}")
def test_one_break_gives_its_code_alone(broken: Break) -> None:
    broken.prove()


def test_routers_that_are_named_and_clients_that_have_room_are_no_finding() -> None:
    found = sited(subnet="10.10.0.0/29", client_ports=2, **ROUTED).codes()
    assert not {"PX570", "PX571", "PX572"} & set(found)
