"""Sizes of the NVMe tier that were worked out by hand."""

from __future__ import annotations

import pytest

from pixsize.catalog.catalog import Catalog
from pixsize.estimate.make import estimate
from pixsize.plan.records import Plan
from tests.ngenea.words import planned
from tests.nvmesh.words import ARBITER, good, request, tier
from tests.support.changing import replace
from tests.support.running import catalog, load_words, make

MIB = 2**20


def of_nvme(plan: Plan, records: Catalog) -> dict[str, tuple[int, int, int]]:
    figures, _ = estimate(plan, records, by_threads=False)
    return {i: (f.low, f.value, f.high) for i, f in figures.items() if i.startswith("nvme.")}


@pytest.mark.parametrize("pairs", [1, 2, 5])
def test_capacities_of_pairs_of_1_6_tb(pairs: int) -> None:
    """20 drives a pair; a slice of 190,474 MiB without a private area, and of 189,521 MiB with one of half a per cent."""
    found = of_nvme(planned(request(pairs=pairs)).plan, catalog())
    assert found["nvme.capacity.raw"] == (pairs * 32 * 10**12,) * 3
    assert found["nvme.capacity.formatted"] == (pairs * 16 * 10**12,) * 3
    low, value, high = found["nvme.capacity.usable"]
    assert (low, value, high) == tuple(pairs * 80 * slices * MIB for slices in (189_521, 190_474, 190_474))
    assert [round(size / pairs / 10**12, 3) for size in (low, value)] == [15.898, 15.978]


@pytest.mark.parametrize(("drive", "slices", "terabytes"), [("3.2 TB", 381_209, 31.978), ("6.4 TB", 762_679, 63.978)])
def test_larger_drives_of_the_tested_family(drive: str, slices: int, terabytes: float) -> None:
    """3,200,000,000,000 B less 2,181,087,232 B, by eight: 381,209.7 MiB; 6.4 TB likewise: 762,679.2 MiB."""
    site = planned(request(drive=drive, arbiter=ARBITER))
    assert {f.code for f in site.findings()} == {"PX410", "PX624", "PX598"}
    _, value, _ = of_nvme(site.plan, catalog())["nvme.capacity.usable"]
    assert value == 80 * slices * MIB
    assert round(value / 10**12, 3) == terabytes


@pytest.mark.parametrize(("network", "link"), [({}, 25), ({"link": "hdr100"}, 12.5), ({"switches": "customer"}, 25)])
def test_what_links_carry(network: dict[str, str], link: float) -> None:
    """Two links a server, HDR with 25 GB/s each; a write crosses them twice. Gateways and Ngenea nodes have two as well."""
    words = request(pairs=2, arbiter=ARBITER) | {
        "network": {"subnet": "10.10.0.0/24"} | network,
        "gateways": {"count": 3},
        "ngenea": {"count": 1},
    }
    figures = make(words).figures
    expected = {
        "nvme.throughput.fabric.read": 4 * 2 * link,
        "nvme.throughput.fabric.write": 4 * 2 * link / 2,
        "throughput.fabric.gateways": 3 * 2 * link,
        "throughput.fabric.ngenea": 1 * 2 * link,
    }
    for name, gigabytes in expected.items():
        found = figures[name]
        assert (found.low, found.value, found.high) == (int(gigabytes * 10**9),) * 3, name
        assert (found.unit, found.basis) == ("B/s", "specified")


def test_slices_with_a_private_area() -> None:
    """A record of the site's own: the volumes shrink with it, and rules and figures follow."""
    raw = catalog().raw
    changed = Catalog(raw | {"nvmesh.private_area": raw["nvmesh.private_area"] | {"value": "0.5 %"}})
    site = replace(planned(request(arbiter=ARBITER)), catalog=changed).planned_again()
    plan = site.plan
    assert {f.code for f in site.findings()} == {"PX410", "PX624"}
    assert tier(plan).slice_bytes == 189_521 * MIB
    assert {v.bytes for v in plan.volumes if v.provider == "nvmesh"} == {1_895_210 * MIB}
    low, value, high = of_nvme(plan, changed)["nvme.capacity.usable"]
    assert (low, value, high) == (80 * 189_521 * MIB, 80 * 189_521 * MIB, 80 * 190_474 * MIB)


def test_the_main_tier_stays_as_it_is() -> None:
    """Capacity, rates, failure groups and quorum of the arrays do not know of the NVMe tier."""
    words = request()
    with_tier = planned(words).plan
    del words["nvme"]
    without = planned(words).plan
    assert with_tier.volumes[: len(without.volumes)] == without.volumes
    assert with_tier.targets[: len(without.targets)] == without.targets
    assert with_tier.servers[: len(without.servers)] == without.servers
    rest, whole = (estimate(plan, catalog(), by_threads=False)[0] for plan in (without, with_tier))
    assert {i: f for i, f in whole.items() if not i.startswith("nvme.") and i != "hardware.rack_units"} == {
        i: f for i, f in rest.items() if i != "hardware.rack_units"
    }


def test_two_pairs() -> None:
    """Names, servers by turns, and a failure group a pair."""
    plan = planned(request(pairs=2)).plan
    assert [(s.id, s.role) for s in plan.servers][-4:] == [(f"nvme{n}", "nvme") for n in (1, 2, 3, 4)]
    nsds = [t for t in plan.targets if t.id.startswith("nvp")]
    assert [t.id for t in nsds] == [f"nvp{p}_data{n:02d}" for p in (1, 2) for n in range(1, 9)]
    assert [t.servers for t in nsds[:2]] == [("nvme1", "nvme2"), ("nvme2", "nvme1")]
    assert [t.servers for t in nsds[8:10]] == [("nvme3", "nvme4"), ("nvme4", "nvme3")]
    owns = [t.own._asdict() for t in nsds if t.own]
    assert [own["failure_group"] for own in owns] == [2001] * 8 + [2002] * 8
    assert {(own["usage"], own["pool"]) for own in owns} == {("dataOnly", "nvme")}


def test_an_empty_word_is_one_pair_of_the_tested_drive() -> None:
    loaded, findings = load_words(request())
    assert loaded is not None, findings
    assert (loaded.words["nvme"]["pairs"], loaded.words["nvme"]["drive"]) == (1, "nvme-1.6tb")
    assert {"nvme.pairs", "nvme.drive"} <= set(loaded.defaults)


def test_the_good_plan_has_notes_alone() -> None:
    assert {f.code for f in good().findings()} <= {"PX410", "PX624"}
