"""Addresses of controllers and switches: who gets which, where they are written, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from pixsize.arrays.render.cables import RENDERER as CABLES
from pixsize.check import check
from pixsize.findings import Finding
from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.plan.networks import devices_of
from pixsize.plan.records import Network, Plan
from pixsize.products.me4.render.me4 import RENDERER as ME4
from pixsize.products.scale.render.hosts import RENDERER as HOSTS
from pixsize.render import STEPS
from tests.readers.hosts import read_hosts
from tests.scale.host_plans import files, planned, request
from tests.support.running import catalog, load_words, make

DEVICES = ("sm01a1-a", "sm01a1-b", "n2248x-on-1", "qm8700-1", "qm8700-2")
"""One array and three switches: five addresses behind those of four servers."""


def refusals(**network: Any) -> list[tuple[str, str, str]]:
    """What is said of a request whose words are legal each, and that has no plan."""
    loaded, findings = load_words(request(**network))
    assert loaded is not None, findings
    _, found = make_plan(loaded.request, catalog(), Observed())
    return [(f.code, f.where, f.message) for f in found]


def judged(plan: Plan) -> list[Finding]:
    """The errors of a plan as the plan of the request."""
    loaded, _ = load_words(request())
    assert loaded is not None
    return [f for f in check(loaded.request, plan, catalog(), Observed()) if f.severity == "error"]


def test_controllers_and_switches_have_the_addresses_behind_those_of_the_servers() -> None:
    assert dict(devices_of(planned())) == {name: f"10.20.0.{n}" for n, name in enumerate(DEVICES, 5)}


def test_addresses_that_others_have_are_left_out() -> None:
    network = {"dns": ["10.20.0.6"], "ntp": ["10.20.0.8", "ntp.example.org"]}
    assert [address for _, address in devices_of(planned(**network))] == [f"10.20.0.{n}" for n in (5, 7, 9, 10, 11)]
    last = {"subnet": "10.20.0.0/24", "addresses": {s: f"10.20.0.{n}" for n, s in enumerate(SERVERS, 2)}}
    assert [address for _, address in devices_of(planned(management=last))][:2] == ["10.20.0.6", "10.20.0.7"]


SERVERS = ("sm01n1", "sm01n2", "mgmt1", "mgmt2")


@pytest.mark.parametrize(
    "management",
    [None, {"addresses": {s: f"10.20.0.{n}" for n, s in enumerate(SERVERS, 2)}}],
    ids=["no network", "addresses without a subnet"],
)
def test_without_a_subnet_they_have_none(management: Any) -> None:
    assert devices_of(planned(management=management)) == ()


def test_a_switch_of_the_customer_has_none() -> None:
    assert [name for name, _ in devices_of(planned(switches="customer"))] == ["sm01a1-a", "sm01a1-b"]


def test_a_subnet_without_room_for_them_is_refused() -> None:
    """Six addresses for four servers and five devices. Fourteen are enough, also for a time server among them."""
    (found,) = refusals(management={"subnet": "10.20.0.0/29"})
    assert found[:2] == ("PX116", "network.management.subnet")
    behind = "2 free addresses behind those of the servers"
    assert found[2] == f"10.20.0.0/29 has {behind}, for 2 controllers of arrays and 3 switches"
    assert refusals(management={"subnet": "10.20.0.0/28"}) == []
    (full,) = refusals(management={"subnet": "10.20.0.0/28"}, ntp=[f"10.20.0.{n}" for n in range(5, 15)])
    assert "0 free addresses" in full[2]


def test_an_address_that_is_not_due_is_found() -> None:
    plan = planned()
    assert judged(plan) == []
    array, switch = plan.arrays[0], plan.switches[1]
    for changed in (
        plan._replace(arrays=(array._replace(addresses=array.addresses[::-1]),)),
        plan._replace(arrays=(array._replace(addresses=()),)),
        plan._replace(switches=(plan.switches[0], switch._replace(address="10.20.0.99"), plan.switches[2])),
    ):
        (found,) = judged(changed)
        assert (found.code, found.where) == ("PX525", "network.management.subnet")


def test_names_and_addresses_are_in_the_files() -> None:
    named = {address: names for address, names in read_hosts(files()["hosts"]).items() if names[-1] in DEVICES}
    assert named == {f"10.20.0.{n}": [f"{name}.example.org", name] for n, name in enumerate(DEVICES, 5)}
    (sheet,) = [f.text for f in CABLES.files(planned(), catalog()) if f.path.endswith(".txt")]
    assert all(f"- {name}: {address}\n" in sheet for name, address in devices_of(planned()))
    (page,) = [f.text for f in ME4.files(planned(), catalog()) if f.path.endswith("README.md")]
    assert "| b | `sm01a1-b` | 10.20.0.6 |" in page
    assert "    set network-parameters controller a ip 10.20.0.5 netmask 255.255.255.0 gateway GATEWAY\n" in page
    assert "given its address from there, with the gateway of the site." in page


def test_mask_and_router_of_the_management_are_in_the_commands_of_the_arrays() -> None:
    """The mask of 25 bits ends in 128 (RFC 4632, 3.1)."""
    plan = planned(management={"subnet": "10.20.0.0/25", "router": "10.20.0.1"})
    (page,) = [f.text for f in ME4.files(plan, catalog()) if f.path.endswith("README.md")]
    command = "set network-parameters controller a ip 10.20.0.6 netmask 255.255.255.128 gateway 10.20.0.1"
    assert f"    {command}\n" in page
    assert "of the site" not in page.partition("`help set network-parameters`")[0].rpartition("|")[2]
    (step,) = [s for s in STEPS["me4"](plan, catalog()) if s.title.startswith("Give the arrays their users")]
    assert command.replace("10.20.0.6", "ADDRESS") in step.commands


def test_a_network_that_is_not_the_requests_is_found() -> None:
    plan = planned()
    assert [(n.role, n.subnet) for n in plan.networks] == [
        ("data", "10.10.0.0/24"),
        ("management", "10.20.0.0/24"),
        ("bmc", "10.30.0.0/24"),
    ]
    data, management, bmc = plan.networks
    for networks, where in (
        ((data, management._replace(router="10.20.0.1"), bmc), "network.management"),
        ((data._replace(subnet="10.11.0.0/24"), management, bmc), "network"),
        ((data, management), "network.bmc"),
        ((data, data, management, bmc), "network"),
    ):
        (found,) = judged(plan._replace(networks=networks))
        assert (found.code, found.where) == ("PX525", where)


def test_a_network_that_nobody_asked_for_is_found_with_any_file_system() -> None:
    words = {
        "name": "scratch",
        "design": "lustre-me4",
        "storage_modules": [{"size": "large", "data_drive": "8 TB"}],
        "metadata": {"dne": True, "drive": "960 GB"},
        "filesystem": {"name": "scratch"},
    }
    made = make(words)
    stray = made.plan._replace(networks=(Network("management", "10.20.0.0/24"),))
    found = check(made.loaded.request, stray, catalog(), Observed())
    assert [f.code for f in found if f.severity == "error"] == ["PX525"]


def test_without_addresses_the_page_of_an_array_is_silent() -> None:
    (page,) = [f.text for f in ME4.files(planned(management=None), catalog()) if f.path.endswith("README.md")]
    assert "network-parameters" not in page


def test_a_server_that_is_called_like_a_controller_is_refused() -> None:
    plan = planned(hosts=["sm01a1-a", "sm01n2"])
    assert [f.code for f in HOSTS.findings(plan, catalog())] == ["PX643"]


@pytest.mark.parametrize(
    ("network", "place"),
    [
        ({"management": {"subnet": "10.40.0.0/16"}}, "10.40.0.0/16, the subnet of network.management"),
        ({"bmc": {"subnet": "10.40.0.128/25"}}, "10.40.0.128/25, the subnet of network.bmc"),
        ({"bmc": {"addresses": {}}}, "an address of network.bmc"),
    ],
    ids=["management", "controllers", "an address alone"],
)
def test_the_public_subnet_of_gateways_is_none_that_servers_are_managed_on(network: Any, place: str) -> None:
    gateways = {"domain": "files.example.org", "subnet": "10.40.0.0/24"}
    if "addresses" in network.get("bmc", {}):
        names = (*SERVERS, "gw1", "gw2")
        network = {"bmc": {"addresses": {s: f"10.40.0.{n}" for n, s in enumerate(names, 50)}}}
    found = [f for f in load_words(request(**network) | {"gateways": gateways})[1] if f.where == "gateways.subnet"]
    assert [f.code for f in found] == ["PX116"]
    assert place in found[0].message
    assert not [f for f in load_words(request() | {"gateways": gateways})[1] if f.severity == "error"]
