"""Clients of the cluster, search and monitoring: words of requests, the plan, its files, rules and steps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pixsize.observed import Observed
from pixsize.plan.records import Plan
from pixsize.products.scale.plan import Client, Services, scale, server_of
from pixsize.products.scale.render.cluster import files, view
from pixsize.products.scale.render.cluster_steps import steps
from pixsize.products.scale.render.hosts import RENDERER as HOSTS
from pixsize.products.scale.render.prepare import steps as prepared
from pixsize.products.scale.render.services_steps import clients as clients_steps
from pixsize.render.steps import CLIENTS, SERVED
from tests.readers.compare import cluster_is_the_plan, hosts_know_the_plan
from tests.scale.test_cluster import NAMES
from tests.scale.test_cluster import Site as Played
from tests.support.changing import replace
from tests.support.check_support import Break, Site
from tests.support.running import catalog, load_words, make

Words = dict[str, Any]
THREE: Words = {"hosts": ["c1", "c2.lab.example.org", "c3"]}
NETWORK: Words = {"subnet": "10.10.0.0/24", "ntp": ["ntp.example.org"], "domain": "example.org"}
BOTH = {"search": True, "monitoring": True}


def request(clients: Words | None = THREE, network: Words | None = NETWORK, **words: Any) -> Words:
    return {
        "name": "lab",
        "design": "pixstor-6",
        "storage_modules": [{"size": "small", "data_drive": "8 TB"}],
        "filesystem": {"name": "labfs"},
        **({"network": network} if network else {}),
        **({"cluster": {"clients": clients}} if clients is not None else {}),
        **words,
    }


def plan(**words: Any) -> Plan:
    return make(request(**words)).plan


# Words


def test_a_number_of_clients_gives_them_names_and_the_addresses_behind_the_servers() -> None:
    made = plan(clients={"count": 2})
    assert [s.address for s in made.servers] == [s.address for s in plan(clients=None).servers]
    assert scale(made).clients == (Client("client0001", "10.10.0.5"), Client("client0002", "10.10.0.6"))


def test_clients_have_the_names_that_they_are_given() -> None:
    assert [c.name for c in scale(plan()).clients] == THREE["hosts"]
    loaded, _ = load_words(request())
    assert loaded is not None
    assert loaded.request.cluster.clients.count == 3


def test_without_a_network_clients_have_names_alone() -> None:
    assert scale(plan(network=None)).clients[0] == Client("c1", "")


def test_clients_are_on_the_network_of_the_file_system_alone() -> None:
    made = plan(network=NETWORK | {"management": {"subnet": "10.20.0.0/24"}, "bmc": {"subnet": "10.30.0.0/24"}})
    assert server_of(made.servers[-1]).management == "10.20.0.4"
    assert len(scale(made).clients) == 3


def test_each_client_has_a_port_where_no_number_of_ports_is_given() -> None:
    """A pair of QM8700 has 72 ports beside those that join it: 4 servers take 8, and 64 clients fit where 65 do not."""
    for network in (NETWORK | {"subnet": "10.10.0.0/16"}, None):
        for count, more in ((64, False), (65, True)):
            codes = {f.code for f in make(request({"count": count}, network)).findings}
            assert ("PX406" in codes) == more, (count, network)
    codes = {f.code for f in make(request({"count": 65}, NETWORK | {"client_ports": 4})).findings}
    assert "PX406" not in codes
    assert make(request(None)).loaded.request.network.client_ports == 0


@pytest.mark.parametrize(
    ("words", "code", "where"),
    [
        ({"clients": {}}, "PX103", "cluster.clients.count"),
        ({"clients": {"count": 0}}, "PX108", "cluster.clients.count"),
        ({"clients": {"count": 2, "hosts": ["c1"]}}, "PX112", "cluster.clients.hosts"),
        ({"clients": {"count": 10**7}}, "PX120", "cluster.clients"),
        ({"clients": {"hosts": ["c1", "C1"]}}, "PX110", "cluster.clients.hosts[1]"),
        ({"clients": {"hosts": ["sm01n1"]}}, "PX110", "cluster.clients.hosts[0]"),
        ({"clients": {"hosts": ["mgmt1"]}}, "PX110", "cluster.clients.hosts[0]"),
        ({"clients": {"hosts": ["c1", "sm01n1.example.org"]}}, "PX110", "cluster.clients.hosts[1]"),
        ({"clients": {"hosts": ["c1;reboot"]}}, "PX107", "cluster.clients.hosts[0]"),
        ({"clients": {"hosts": ["clients"]}}, "PX107", "cluster.clients.hosts[0]"),
        ({"clients": {"count": 300}}, "PX116", "network.subnet"),
        ({"network": NETWORK | {"ntp": ["c1"]}}, "PX110", "network.ntp[0]"),
        ({"network": NETWORK | {"ntp": ["10.10.0.6"]}}, "PX110", "network.ntp[0]"),
        (
            {"filesystem": {"name": "labfs", "descriptor": {"server": "c1", "device": "/dev/disk/by-id/d"}}},
            "PX107",
            "filesystem.descriptor.server",
        ),
        ({"cluster": {"clients": THREE, "admin": "c1"}}, "PX107", "cluster.admin"),
        ({"management": {"search": 1}}, "PX104", "management.search"),
        ({"management": {"database": True}}, "PX101", "management.database"),
    ],
)
def test_what_is_refused_at_its_place(words: Words, code: str, where: str) -> None:
    loaded, found = load_words(request(**words))
    assert loaded is None
    assert (code, where) in {(f.code, f.where) for f in found if f.severity == "error"}, found


# The plan


def good(**words: Any) -> Site:
    loaded, found = load_words(request(**words))
    assert loaded is not None, found
    return Site(loaded.request, make(request(**words)).plan, catalog(), Observed())


def changed(**fields: Any) -> Callable[[], Site]:
    """The good plan with other fields of its file system."""

    def broken() -> Site:
        site = good(management=BOTH)
        return site.with_plan(filesystem=scale(site.plan)._replace(**fields))

    return broken


ONE, TWO, LAST = Client("c1", "10.10.0.5"), Client("c2.lab.example.org", "10.10.0.6"), Client("c3", "10.10.0.7")
PAIR = ("mgmt1", "mgmt2")
NOTES = frozenset({"PX591", "PX645", "PX401", "PX407"})
SMALL = frozenset({f.code for f in good(management=BOTH).findings()} | NOTES)
BREAKS = (
    Break("PX525", "one client less", changed(clients=(ONE, TWO)), "cluster.clients", ("2 clients, where 3",), SMALL),
    Break("PX525", "another client", changed(clients=(ONE, TWO, LAST._replace(name="c4"))), "cluster.clients", ("c4",), SMALL),
    Break("PX525", "no address", changed(clients=(ONE._replace(address=""), TWO, LAST)), "cluster.clients", ("c1",), SMALL),
    Break("PX525", "another order", changed(clients=(TWO, ONE, LAST)), "cluster.clients", ("c2",), SMALL),
    Break("PX540", "an address twice", changed(clients=(ONE, TWO._replace(address="10.10.0.5"), LAST)), "network", ("c1",), SMALL),
    Break("PX540", "a server's address", changed(clients=(ONE._replace(address="10.10.0.1"), TWO, LAST)), "network", (), SMALL),
    Break("PX579", "a client that is a server", changed(clients=(ONE._replace(name="mgmt2"), TWO, LAST)), "cluster.clients", ("mgmt2 is a server",), SMALL),
    Break("PX579", "a client twice", changed(clients=(ONE, TWO, LAST._replace(name="C1"))), "cluster.clients", ("c1 stands 2 times",), SMALL),
    Break("PX525", "no search", changed(services=Services((), PAIR)), "management.search", ("no server",), SMALL),
    Break("PX525", "monitoring elsewhere", changed(services=Services(PAIR, ("sm01n1",))), "management.monitoring", ("sm01n1",), SMALL),
    Break("PX525", "no services", changed(services=None), "management.search", (), SMALL),
    Break("PX645", "search by its guide", lambda: good(management={"search": True}), "management", ("no file installs search:",), SMALL - {"PX645"}),
)  # fmt: skip


@pytest.mark.parametrize("broken", BREAKS, ids=lambda b: f"{b.code} {b.name}")
def test_one_break_gives_its_code_alone(broken: Break) -> None:
    broken.prove()


def test_a_client_that_serves_an_nsd_is_found() -> None:
    site = good()
    first = site.plan.targets[0]
    other = site.with_plan(targets=(replace(first, servers=(*first.servers[:1], "c3")), *site.plan.targets[1:]))
    found = next(f for f in other.findings() if f.code == "PX579")
    assert "c3 serves an NSD" in found.message


def test_no_client_votes_however_few_servers_there_are() -> None:
    assert {s.id for s in plan().servers if server_of(s).quorum} == {"sm01n1", "sm01n2", "mgmt1"}


# Files


def test_the_scripts_take_the_clients_in(tmp_path: Path) -> None:
    """Every script is run against a cluster that is played: in the end the clients are licensed, in their class, mounted."""
    made = plan(network=NETWORK | {"subnet": "10.10.0.0/16"})
    site = Played(tmp_path, made)
    site.run_all()
    for name in NAMES:
        assert site.run(name).code == 0
    assert ["mmcrnodeclass", "clients", "-N", "c1,c2.lab.example.org,c3"] in site.asked("mmcrnodeclass")
    assert any("client" in call and "c3" in call[-1] for call in site.asked("mmchlicense"))
    assert ["mmchconfig", "pagepool=32G", "-N", "clients"] in site.asked("mmchconfig")


@pytest.mark.long
def test_a_client_that_stays_down_is_named_with_the_way_on(tmp_path: Path) -> None:
    site = Played(tmp_path, plan())
    site.change(silent=["c3"])
    done = site.run("01-cluster.sh")
    assert "c3 does not answer" in done.errors
    assert "left out of the request" in done.errors
    assert site.asked() == []


def test_the_files_read_back_are_the_plan_with_its_clients() -> None:
    made = plan()
    texts = {file.path.removeprefix("cluster/"): file.text for file in files(made, catalog())}
    cluster_is_the_plan(texts, made)
    hosts = {file.path.removeprefix("hosts/"): file.text for file in HOSTS.files(made, catalog())}
    hosts_know_the_plan(hosts, made)
    for path, old, new in (
        ("nodes.list", "c3:nonquorum-client:c3\n", ""),
        ("nodes.list", "c1:nonquorum-client", "c1:quorum-client"),
        ("02-licences.sh", "c1 nonquorum-client c1 client", "c1 nonquorum-client c1 server"),
        ("03-node-classes.sh", "class clients c1,", "class clients "),
    ):
        assert old in texts[path]
        with pytest.raises(AssertionError):
            cluster_is_the_plan(texts | {path: texts[path].replace(old, new)}, made)
    for path, old, new in (
        ("hosts", "10.10.0.5 ", "10.10.0.9 "),
        ("genders", "c3 node,role=client\n", ""),
        ("inventory.yaml", '    "client_nodes":\n      hosts:\n        "c1":\n', '    "client_nodes":\n      hosts:\n'),
    ):
        assert old in hosts[path]
        with pytest.raises(AssertionError):
            hosts_know_the_plan(hosts | {path: hosts[path].replace(old, new)}, made)


def test_files_of_a_plan_without_clients_name_none() -> None:
    texts = [f.text for f in (*files(plan(clients=None), catalog()), *HOSTS.files(plan(clients=None), catalog()))]
    assert not any("role=client" in text or "class clients" in text or "client_nodes" in text for text in texts)


# Steps


def test_clients_are_prepared_before_the_cluster_is_formed() -> None:
    made = plan()
    (step,) = clients_steps(made, catalog())
    assert step in prepared(made, catalog())
    assert step.boxes[0].where == "3 clients"
    assert "c1 to c3" in step.boxes[0].do
    formed = next(s for s in steps(made, catalog()) if s.title.startswith("Form the GPFS cluster"))
    assert CLIENTS in formed.after
    assert CLIENTS in step.provides
    assert not list(clients_steps(plan(clients=None), catalog()))


def test_search_and_monitoring_have_a_step_by_the_vendors_guide() -> None:
    titles = {s.title: s for s in steps(plan(management=BOTH), catalog())}
    search = titles["Install the search, by the vendor's guide"]
    assert [box.where for box in search.boxes] == ["mgmt1", "mgmt2"]
    assert SERVED in search.provides
    assert not any(step.commands for title, step in titles.items() if "guide" in title), "no command is made up"
    watched = titles["Install monitoring and analytics, by the vendor's guide"]
    assert "4 servers, 1 array, 3 switches" in watched.looks[0].shows
    assert not any("guide" in s.title for s in steps(plan(), catalog()))
    assert len(view(plan(), catalog())["nodes"]) == 7
