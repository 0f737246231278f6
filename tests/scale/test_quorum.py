"""Quorum nodes: every loss that a cluster can survive is survived, tried one by one for all sizes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from pixsize.plan.records import Drives, Server
from pixsize.products.scale.plan import Cluster, ScaleServer, scale, server_of
from pixsize.products.scale.quorum import pairs_of, quorum_nodes
from tests.support.changing import replace
from tests.support.check_support import Break, Site, asked, blind, changed, good, site
from tests.support.running import load_words, make

MOST = 8


def cluster(storage: int, metadata: int, managers: int) -> list[Server]:
    """The servers of a plan: pairs of two roles, then the management."""
    modules = [("storage", f"sm{n}") for n in range(storage)] + [("metadata", f"hm{n}") for n in range(metadata)]
    servers = [Server(f"{module}n{n}", role, "r750", module) for role, module in modules for n in (1, 2)]
    return servers + [Server(f"mgmt{n}", "management", "r650") for n in range(managers)]


def votes(servers: list[Server]) -> tuple[str, ...]:
    return quorum_nodes(pairs_of(servers), {s.module or s.role: s.role for s in servers})


SIZES = [
    (storage, metadata, managers)
    for storage, metadata, managers in product(range(1, 13), range(5), (0, 2))
    if storage + metadata + bool(managers) > 1
]


@pytest.mark.parametrize("storage", range(1, 13))
def test_every_loss_is_tried(storage: int) -> None:
    for size in (size for size in SIZES if size[0] == storage):
        every_loss(cluster(*size))


def every_loss(servers: list[Server]) -> None:
    voters, pairs = votes(servers), pairs_of(servers)
    assert len(voters) % 2 == 1
    assert len(voters) < MOST
    assert len(set(voters)) == len(voters)
    assert set(voters) <= {s.id for s in servers}
    for server in servers:
        assert 2 * len(set(voters) - {server.id}) > len(voters)
    stopping = [pair for pair, lost in pairs.items() if 2 * len(set(voters) - set(lost)) <= len(voters)]
    assert stopping == ([] if len(pairs) > 2 else [next(iter(pairs))])
    assert {s.role for s in servers if s.id in voters} == {s.role for s in servers}


def test_from_three_pairs_on_any_two_servers_may_fail() -> None:
    tried = [servers for size in SIZES if len(pairs_of(servers := cluster(*size))) > 2]
    assert len(tried) > 90
    for servers in tried:
        voters, ids = set(votes(servers)), [s.id for s in servers]
        assert all(2 * len(voters - {a, b}) > len(voters) for a in ids for b in ids), ids


def test_modules_of_other_sizes_have_an_odd_number_too() -> None:
    for sizes in product(range(1, 5), repeat=3):
        pairs = {f"m{n}": [f"m{n}n{k}" for k in range(size)] for n, size in enumerate(sizes)}
        voters = quorum_nodes(pairs, dict.fromkeys(pairs, "storage"))
        assert len(voters) in (3, 5), sizes
        assert all(2 * len(set(voters) - set(lost)) > len(voters) for lost in pairs.values()), sizes


def test_one_pair_alone_has_one_vote_and_nobody_has_none() -> None:
    assert votes(cluster(1, 0, 0)) == ("sm0n1",)
    assert quorum_nodes({}, {}) == ()


def test_servers_that_products_add_do_not_vote() -> None:
    servers = [*cluster(1, 0, 2), Server("gw1", "gateway", "r750"), Server("gw2", "gateway", "r750")]
    assert votes(servers) == ("sm0n1", "mgmt0", "sm0n2")


def with_nvme(*sizes: int, servers: int = 4) -> list[Server]:
    """A cluster with servers that have drives of their own, in pairs."""
    drives = Drives("nvme-1.6tb", 10)
    nvme = [Server(f"nvme{n}", "nvme", "r650", drives=drives) for n in range(1, servers + 1)]
    return [*cluster(*sizes), *nvme]


def test_an_nvme_pair_is_the_third_where_there_are_two() -> None:
    servers = with_nvme(1, 0, 2)
    voters, pairs = set(votes(servers)), pairs_of(servers)
    assert pairs == {"sm0": ("sm0n1", "sm0n2"), "management": ("mgmt0", "mgmt1"), "nvme": ("nvme1", "nvme2")}
    assert voters == {"sm0n1", "mgmt0", "nvme1", "sm0n2", "mgmt1"}
    assert all(2 * len(voters - set(lost)) > len(voters) for lost in pairs.values())
    assert all(2 * len(voters - {a.id, b.id}) > len(voters) for a in servers for b in servers)


def test_an_nvme_pair_does_not_vote_where_three_others_do() -> None:
    assert votes(with_nvme(1, 1, 2)) == votes(cluster(1, 1, 2))
    assert votes(with_nvme(2, 0, 2)) == votes(cluster(2, 0, 2))


def test_storage_nvme_and_management_outlive_any_pair() -> None:
    """As a request: no pair stops the cluster, and the rules find nothing."""
    request = {
        "name": "t",
        "design": "pixstor-6",
        "storage_modules": [{"size": "large", "data_drive": "12 TB"}],
        "filesystem": {"name": "mmfs1"},
        "nvme": {"pairs": 2, "drive": "1.6 TB"},
    }
    made = make(request)
    assert not {"PX590", "PX591", "PX597"} & {f.code for f in made.findings}
    assert [s.id for s in made.plan.servers if server_of(s).quorum] == ["sm01n1", "sm01n2", "mgmt1", "mgmt2", "nvme1"]


def test_a_plan_says_what_each_server_is() -> None:
    words = {"count": 2, "size": "small", "data_drive": "8 TB"}
    gateways = {"domain": "files.example.org", "subnet": "10.40.0.0/24"}
    request = {
        "name": "lab",
        "design": "pixstor-6",
        "storage_modules": [words],
        "filesystem": {"name": "labfs"},
        "network": {"subnet": "10.10.0.0/24"},
        "gateways": gateways,
    }
    nodes = {s.id: s.own for s in make(request).plan.servers}
    assert nodes == {
        "sm01n1": ScaleServer(True, True, "server", "storage_servers"),
        "sm01n2": ScaleServer(True, True, "server", "storage_servers"),
        "sm02n1": ScaleServer(True, True, "server", "storage_servers"),
        "sm02n2": ScaleServer(True, True, "server", "storage_servers"),
        "mgmt1": ScaleServer(True, True, "server", "management_servers"),
        "mgmt2": ScaleServer(False, True, "server", "management_servers"),
        "gw1": ScaleServer(False, False, "server", "gateway_servers"),
        "gw2": ScaleServer(False, False, "server", "gateway_servers"),
    }


def changed_node(which: str, **words: Any) -> Callable[[], Site]:
    """The good plan, one of its servers another thing in the cluster."""

    def make() -> Site:
        base = blind(good())
        own = server_of(next(s for s in base.plan.servers if s.id == which))._replace(**words)
        return base.with_plan(servers=changed(base.plan.servers, lambda s: s.id == which, own=own))

    return make


def voting(base: Callable[[], Site], *names: str) -> Callable[[], Site]:
    """A plan in which these servers vote, and no others."""

    def make() -> Site:
        site = blind(base())
        own = {s.id: server_of(s)._replace(quorum=s.id in names) for s in site.plan.servers}
        return site.with_plan(servers=tuple(replace(s, own=own[s.id]) for s in site.plan.servers))

    return make


def six() -> Site:
    return site(asked({"size": "small", "count": 4}, hdmd={"arrays": 3}))


NINE = ("s1m1n1", "s1m1n2", "s1m2n1", "s1m2n2", "s1m3n1", "s1m3n2", "s1m4n1", "h1n1", "mgmt1")
BREAKS = (
    Break("PX590", "four", changed_node("mgmt1", quorum=False), "", ("4 quorum nodes",)),
    Break("PX590", "six", changed_node("mgmt2", quorum=True), "", ("6 quorum nodes",)),
    Break(
        "PX590",
        "two of three in a pair",
        voting(good, "s1m1n1", "s1m1n2", "mgmt1"),
        "",
        ("the loss of sm01 leaves no majority of 3",),
    ),
    Break("PX590", "one", voting(good, "s1m1n1"), "", ("the loss of sm01 leaves no majority of 1",)),
    Break("PX590", "none", voting(good), "", ("0 quorum nodes",)),
    Break("PX590", "nine", voting(six, *NINE), "", ("9 quorum nodes", "8 at the most")),
    Break(
        "PX591",
        "two pairs",
        lambda: site(asked({"size": "large"})),
        "storage_modules",
        ("the loss of sm01 stops the cluster: its quorum nodes are s1m1n1, s1m1n2, mgmt1",),
    ),
    Break(
        "PX597",
        "other votes",
        voting(good, "s1m1n1", "h1n1", "mgmt2"),
        "",
        ("s1m1n2: quorum no, expected yes, and 3 more",),
    ),
    Break("PX597", "no manager", changed_node("s1m1n1", manager=False), "", ("manager no, expected yes",)),
    Break("PX597", "licence", changed_node("mgmt2", licence="client"), "", ("licence client, expected server",)),
    Break("PX597", "class", changed_node("h1n2", node_class="storage_servers"), "", ("expected metadata_servers",)),
)


@pytest.mark.parametrize("broken", BREAKS, ids=lambda b: f"{b.code} {b.name}")
def test_one_break_gives_its_code_alone(broken: Break) -> None:
    broken.prove()


@pytest.mark.parametrize("word", Cluster._fields)
def test_a_cluster_that_nobody_asked_for_is_found(word: str) -> None:
    base = blind(good())
    settings = scale(base.plan)
    other = settings._replace(cluster=settings.cluster._replace(**{word: "other"}))
    (found,) = (f for f in base.with_plan(filesystem=other).findings() if f.severity == "error")
    assert (found.code, found.where) == ("PX525", f"cluster.{word}")


BASE = {
    "name": "lab",
    "design": "pixstor-6",
    "storage_modules": [{"size": "small", "data_drive": "8 TB"}],
    "filesystem": {"name": "labfs"},
}


def test_the_words_of_the_cluster_are_the_plans() -> None:
    words = {"name": "campus", "admin": "sm01n1", "remote_shell": "/opt/bin/rsh-x", "remote_copy": "/opt/bin/rcp-x"}
    assert scale(make(BASE | {"cluster": words}).plan).cluster._asdict() == words


def test_a_request_without_the_word_has_a_cluster_of_its_name() -> None:
    assert scale(make(BASE).plan).cluster == ("lab", "mgmt1", "/usr/bin/ssh", "/usr/bin/scp")


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("name", "a b"),
        ("name", "$(reboot)"),
        ("name", "-p"),
        ("name", "all"),
        ("admin", "mgmt3"),
        ("admin", "mgmt1;reboot"),
        ("admin", "-r"),
        ("remote_shell", "ssh"),
        ("remote_shell", "/usr/bin/ssh -v"),
        ("remote_shell", "/usr/bin/../ssh"),
        ("remote_shell", "/usr/bin/ssh;reboot"),
        ("remote_copy", "/" + "x" * 300),
        ("remote_copy", "/usr/bin/$(scp)"),
    ],
)
def test_hostile_words_are_refused(word: str, value: str) -> None:
    loaded, findings = load_words(BASE | {"cluster": {word: value}})
    assert loaded is None
    assert [(f.code, f.where) for f in findings] == [("PX107", f"cluster.{word}")]
