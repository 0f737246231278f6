"""Another file system than Lustre in a pool of PowerFlex: its plan is judged by the pool, and findings name its words."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from pixsize.catalog.catalog import Catalog
from pixsize.check import check
from pixsize.findings import Finding, has_errors
from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.plan.records import Plan
from pixsize.product import PRODUCTS
from pixsize.products.powerflex.observed import ObservedPool, ObservedPoolVolume
from pixsize.request import StorageNetwork
from tests.products import farmfs
from tests.products.changing_plans import changes
from tests.products.farmfs import FarmPool, FarmRequest
from tests.support.changing import replace
from tests.support.running import catalog

GIB = 2**30
NODES, MASTERS = ("n1", "n2", "n3", "n4"), ("m1", "m2")
OF_LUSTRE = re.compile(r"\bLustre\b|\b(?:OS[ST]|MD[ST]|MG[ST])s?\b|failover:")
PLACES = {"", "name", "design", "nodes", "masters", "disk", "twins", "powerflex", "powerflex.spare"} | {
    f"powerflex.{word}" for word in ("network.addresses", "brick", "index")
}
"""Every word of these requests that a finding may name."""


@pytest.fixture(autouse=True)
def in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PRODUCTS.places, "farmfs", f"{farmfs.__name__}:PRODUCT")


@cache
def records() -> Catalog:
    """The catalog with a design of this file system on the servers of Lustre's, and a pool that allows fewer."""
    design = {"id": "farm", "title": "A farm on PowerFlex", "filesystem": "farmfs", "defaults": {}}
    shipped = catalog().raw
    few = shipped["powerflex.pool_devices"] | {"value": 31}
    return Catalog(shipped | {"farm": shipped["lustre-powerflex"] | design, "powerflex.pool_devices": few})


def request(**words: Any) -> FarmRequest:
    addresses = {name: f"10.30.0.{n}" for n, name in enumerate((*MASTERS, *NODES), 1)}
    pool = FarmPool(
        network=StorageNetwork(interface="p2p1", addresses=addresses),
        spare=25,
        brick_bytes=2600 * GIB,
        index_bytes=552 * GIB,
    )
    backbone = {name: f"10.10.0.{n}" for n, name in enumerate((*MASTERS, *NODES), 1)}
    made = FarmRequest("lab", "farm", NODES, MASTERS, "nvme-2tb", True, backbone, pool)
    return replace(made, **words)


def planned(wanted: FarmRequest, seen: Observed | None = None) -> Plan:
    plan, refusals = make_plan(wanted, records(), seen or Observed())
    assert plan is not None, refusals
    return plan


def found(wanted: FarmRequest, plan: Plan, seen: Observed | None = None) -> tuple[Finding, ...]:
    return check(wanted, plan, records(), seen or Observed())


def places(findings: tuple[Finding, ...]) -> dict[str, str]:
    return {f.code: f.where for f in findings}


def test_a_plan_as_asked_has_no_error_and_findings_name_its_words() -> None:
    told = found(request(), planned(request()))
    assert places(told) == {"PX419": "twins", "PX527": "nodes"}
    assert next(f for f in told if f.code == "PX419").message.startswith("each node is an SDS too")


def test_what_the_pool_says_of_a_request_names_its_words() -> None:
    alone = request(twins=False)
    one = next(f for f in found(alone, planned(alone)) if f.code == "PX558")
    assert (one.where, one.hint) == ("twins", "twins: true maps each volume to a second server")
    assert "its 2 bricks" in one.message
    large = request(pool=request().pool.model_copy(update={"brick_bytes": 2800 * GIB}))
    assert places(found(large, planned(large)))["PX553"] == "powerflex.brick"
    other = request(nodes=("n1", "n2", "n3", "n9"), masters=("m1", "m9"), disk="ssd-960gb")
    assert {f.where for f in found(other, planned(request())) if f.code == "PX525"} == {"nodes", "masters", "disk"}


CHANGES: dict[str, tuple[dict[str, Any], str, str]] = {
    "LUN": ({"lun": 1}, "PX525", ""),
    "owner": ({"owner": "a"}, "PX525", ""),
    "reported size": ({"reported_bytes": 2600 * GIB}, "PX525", ""),
    "name": ({"id": "brick7x"}, "PX506", ""),
    "pool": ({"backing": "sp2"}, "PX506", ""),
    "size": ({"bytes": 2592 * GIB}, "PX525", "powerflex.brick"),
    "no size": ({"bytes": 0}, "PX525", "powerflex.brick"),
    "purpose": ({"purpose": "metadata"}, "PX524", "masters"),
    "array": ({"array": "sm01a1"}, "PX524", ""),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_pool_judges_its_volumes_whatever_the_file_system(change: str) -> None:
    fields, code, where = CHANGES[change]
    plan = planned(request())
    told = found(request(), replace(plan, volumes=(*plan.volumes[:-1], replace(plan.volumes[-1], **fields))))
    assert (code, where) in [(f.code, f.where) for f in told if f.severity == "error"]


@pytest.mark.parametrize("address", [(), ("10.30.0.9",), ("10.30.0.1",), ("10.10.0.2",), ("10.30.0",)])
def test_the_pool_judges_addresses_on_its_network(address: tuple[str, ...]) -> None:
    plan = planned(request())
    servers = (*plan.servers[:-1], replace(plan.servers[-1], storage_ips=address))
    told = found(request(), replace(plan, servers=servers))
    assert {(f.code, f.where) for f in told if f.severity == "error"} == {("PX540", "powerflex.network.addresses")}


def test_a_management_server_has_no_address_on_the_network_of_the_pool() -> None:
    plan = planned(request())
    manager = replace(plan.servers[-1], id="mgmt1", role="management", storage_ips=("10.30.0.9",))
    told = [f.message for f in found(request(), replace(plan, servers=(*plan.servers, manager))) if f.code == "PX540"]
    assert len(told) == 1
    assert told[0].startswith("mgmt1 has the address 10.30.0.9, though none was asked for")


def test_every_change_below_the_targets_is_found_and_no_finding_speaks_of_lustre() -> None:
    """The file system has no rules: what is found is found by the pool, and by what is judged of every plan."""
    plan = planned(request())
    below = [c for c in changes(plan, records()) if c.at.startswith(("servers", "pools", "volumes", "switches"))]
    assert len(below) > 500
    for change in below:
        told = found(request(), change.plan)
        assert has_errors(told), change.name
        strange = [f for f in told if f.where not in PLACES or OF_LUSTRE.search(f"{f.message} {f.hint}")]
        assert not strange, (change.name, strange)


def test_replies_of_the_pool_are_judged() -> None:
    rows = {v.id: ObservedPoolVolume(f"{n:016x}", v.bytes) for n, v in enumerate(planned(request()).volumes, 1)}
    rows["brick0"] = replace(rows["brick0"], bytes=8 * GIB)
    seen = Observed(own={"powerflex": ObservedPool("2ea35ba11ef02a05", rows)})
    told = found(request(), planned(request(), seen), seen)
    assert places(told)["PX304"] == "powerflex.brick"
