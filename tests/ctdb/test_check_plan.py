"""Rules about gateways: each is broken in one place, and must be found alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pixsize.check import check
from pixsize.findings import Finding
from pixsize.observed import Observed
from pixsize.plan.records import added
from pixsize.products.ctdb.plan import CtdbCluster, Export, PublicAddress
from tests.ctdb.gateway_plans import ADS, request
from tests.support.changing import replace
from tests.support.check_support import UNSEEN, Break, Site, catalog_with
from tests.support.running import catalog, make

NOTES = frozenset({"PX407", "PX581", UNSEEN})
"""What the good plan has as well: no document measured gateways."""
GATEWAYS = "gateways"


def site(words: dict[str, Any]) -> Site:
    """What a request comes to."""
    made = make(words)
    return Site(made.loaded.request, made.plan, catalog(), Observed())


def asked(**gateways: Any) -> Callable[[], Site]:
    """What a request with other words below `gateways` comes to."""
    return lambda: site(request(**gateways))


def cluster(**fields: Any) -> Callable[[], Site]:
    """The good plan with other fields in its cluster."""

    def make_site() -> Site:
        good = site(request(smb=ADS, exports=["/mmfs1/a", "/mmfs1/b"]))
        own = replace(added(good.plan, CtdbCluster), **fields)
        return good.with_plan(additions=tuple(replace(a, own=own) for a in good.plan.additions))

    return make_site


def in_network(private: str, **gateways: Any) -> Callable[[], Site]:
    """What a request with another network of the file system comes to."""
    return lambda: site(request(**gateways) | {"network": {"subnet": private}})


BREAKS = (
    Break("PX580", "one gateway", asked(count=1), "gateways.count", ("one gateway alone",), NOTES),
    Break("PX581", "nobody measured", asked(), "gateways", ("2 links of a gateway", "50 GB/s"), NOTES - {"PX581"}),
    Break(
        "PX592",
        "servers among the clients",
        in_network("10.40.0.0/24", addresses=["10.40.0.101", "10.40.0.102"]),
        "gateways.subnet",
        ("10.40.0.0/24", "sm01n1", "and 4 more"),
        NOTES,
    ),
    Break(
        "PX592",
        "a part of the private network",
        in_network("10.0.0.0/8", subnet="10.40.0.0/24", router="10.40.0.254"),
        "gateways.subnet",
        ("10.40.0.0/24", "10.0.0.0/8 of the file system"),
        NOTES,
    ),
    Break(
        "PX570",
        "the router's address",
        asked(router=None),
        "gateways.subnet",
        ("10.40.0.1, the first address of 10.40.0.0/24",),
        NOTES,
    ),
    Break(
        "PX593",
        "a folder in the root",
        asked(exports=["/mmfs1/data", "/mmfs1"]),
        "gateways.exports",
        ("/mmfs1/data lies in /mmfs1",),
        NOTES,
    ),
    Break(
        "PX594",
        "sixteen characters",
        asked(domain="exactly-sixteen1.example.org"),
        "gateways.domain",
        ("EXACTLY-SIXTEEN1 has 16 characters", "15"),
        NOTES,
    ),
    Break(
        "PX595",
        "the zone of the domain controllers",
        asked(smb=ADS | {"realm": "EXAMPLE.ORG"}),
        "gateways.domain",
        ("EXAMPLE.ORG", "example.org"),
        NOTES,
    ),
    Break("PX596", "the workgroup", asked(smb=ADS | {"workgroup": "FILES"}), "gateways.domain", ("FILES",), NOTES),
    Break(
        "PX596",
        "Samba's own workgroup",
        asked(domain="workgroup.example.org"),
        "gateways.domain",
        ("WORKGROUP",),
        NOTES,
    ),
    Break("PX525", "another name", cluster(netbios_name="FILE"), GATEWAYS, ("netbios_name", "'FILES'"), NOTES),
    Break("PX525", "numbers of exports", cluster(exports=(Export("/mmfs1/a", "a", 1),)), GATEWAYS, ("exports",), NOTES),
    Break("PX525", "no folder", cluster(exports=()), GATEWAYS, ("exports",), NOTES),
    Break(
        "PX525",
        "a private address",
        cluster(public_addresses=(PublicAddress("10.10.0.7/24", "bond1"),)),
        GATEWAYS,
        ("public_addresses", "10.10.0.7/24"),
        NOTES,
    ),
    Break("PX525", "order", cluster(gateways=("gw2", "gw1")), GATEWAYS, ("gateways", "gw2"), NOTES),
    Break("PX525", "protocols", cluster(protocols=("smb",)), GATEWAYS, ("protocols",), NOTES),
    Break("PX525", "NFS server", cluster(nfs_server="ganesha"), GATEWAYS, ("nfs_server",), NOTES),
    Break("PX525", "realm", cluster(realm="EXAMPLE.COM"), GATEWAYS, ("realm",), NOTES),
    Break("PX525", "login", cluster(smb_security="user"), GATEWAYS, ("smb_security",), NOTES),
    Break("PX525", "domain", cluster(domain="files.example.com"), GATEWAYS, ("domain",), NOTES),
)


@pytest.mark.parametrize("broken", BREAKS, ids=lambda b: f"{b.code} {b.name}")
def test_one_break_gives_its_code_alone(broken: Break) -> None:
    broken.prove()


def judged(words: dict[str, Any]) -> tuple[Finding, ...]:
    return site(words).findings()


@pytest.mark.parametrize(
    "words",
    [
        {},
        {"domain": None},
        {"domain": "exactly-fifteen.example.org"},
        {"domain": "exactly-sixteen1.example.org", "protocols": ["nfs"]},
        {"exports": ["/mmfs1/data", "/mmfs1/data2", "/mmfs1/other/data"]},
        {"smb": ADS},
        {"subnet": None},
    ],
)
def test_good_gateways_have_the_note_about_rates_alone(words: dict[str, Any]) -> None:
    assert {f.code for f in judged(request(**words))} - NOTES == set()


def test_the_note_says_what_the_links_carry() -> None:
    (note,) = (f for f in judged(request(count=4)) if f.code == "PX581")
    assert (
        "2 links of a gateway to the file system carry 50 GB/s at the most, those of 4 together 200 GB/s"
        in note.message
    )


def test_the_longest_name_is_that_of_the_catalog() -> None:
    good = site(request(domain="storage.example.org"))
    short = catalog_with("gateways.settings", netbios_chars=5)
    found = check(good.request, good.plan, short, Observed())
    assert any("STORAGE has 7 characters, and a NetBIOS name 5" in f.message for f in found)
