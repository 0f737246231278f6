"""Racks and connections against the plan, counted again; and the pictures that show them."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

import pytest

from pixsize import workflow
from pixsize.report.quote import pictures
from pixsize.report.quote.racks import racks
from pixsize.report.quote.topology import topology
from tests.quote.quoting import told
from tests.support.planned import facts

EXAMPLES = workflow.example_names()
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_device_stands_in_one_rack_and_none_on_another(name: str) -> None:
    sized = facts(name)
    plan = told("plan", name)
    found = racks(sized.plan, sized.catalog)
    names = [b.name for r in found for b in r.boxes]
    assert len(names) == len(set(names))
    assert {n for n in names if " enclosure " not in n} == {
        d["id"] for word in ("servers", "arrays", "switches") for d in plan[word]
    }
    assert len(names) == len(plan["servers"]) + len(plan["switches"]) + sum(
        len(a["enclosures"]) for a in plan["arrays"]
    )
    assert sum(b.units for r in found for b in r.boxes) == plan["figures"]["hardware.rack_units"]["value"]
    for rack in found:
        taken = [u for b in rack.boxes for u in range(b.at, b.at + b.units)]
        assert len(taken) == len(set(taken)) == rack.used
        assert set(taken) <= set(range(1, rack.height + 1))
        arrays = [b.at for b in rack.boxes if b.kind == "array"]
        assert all(b.at > max(arrays, default=0) for b in rack.boxes if b.kind != "array")
    rack_of = {b.name: n for n, r in enumerate(found) for b in r.boxes}
    for box in (n for n in names if " enclosure " in n):
        assert rack_of[box] == rack_of[box.partition(" ")[0]]
    assert len(found) >= -(-plan["figures"]["hardware.rack_units"]["value"] // 42)


@pytest.mark.parametrize("name", EXAMPLES)
def test_connections_are_the_cables_of_the_plan(name: str) -> None:
    sized = facts(name)
    plan = told("plan", name)
    net = topology(sized.plan, sized.catalog)
    assert sum(k.count for k in net.servers) == len(plan["servers"])
    assert sum(k.count for k in net.arrays) == len(plan["arrays"])
    kinds = {k.id for k in (*net.servers, *net.arrays, *net.networks)}
    assert {x.start for x in net.lines} | {x.end for x in net.lines} <= kinds
    drawn: Counter[str] = Counter()
    for line in net.lines:
        drawn[line.network] += line.cables
    # Arrays to their own expansions are inside a kind, and a joint is between switches of a kind.
    behind = [x for x in plan.get("links", []) if x["network"] == "sas" and " enclosure " in x["end"]["device"]]
    inside = len([x for x in behind if x["start"]["device"] == x["end"]["device"].partition(" ")[0]])
    rows = {r["title"]: r["count"] for r in told("bom", name)["rows"] if r["purpose"] == "cables"}
    whole: Counter[str] = Counter()
    for row in told("bom", name)["rows"]:
        if row["purpose"] == "cables":
            whole[row["title"]] += row["count"]
    for network, title in (
        ("sas", "SAS cable"),
        ("data", "data cable"),
        ("management", "management cable"),
        ("outward", "outward cable"),
    ):
        if title in rows:
            assert drawn[network] == whole[title] - (inside if network == "sas" else 0), network


@pytest.mark.parametrize("name", ["large+hdmd", "full-pixstor", "lustre-powerflex", "lustre-me4-x4"])
def test_pictures_are_whole_and_named(name: str) -> None:
    sized = facts(name)
    stand, net = racks(sized.plan, sized.catalog), topology(sized.plan, sized.catalog)
    for text in (pictures.racks("R & <b>", "a", stand[:12]), pictures.topology("T", "a", net)):
        root = ElementTree.fromstring(text)
        assert root.attrib["role"] == "img"
        title, about = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
        assert title is not None
        assert about is not None
        assert root.attrib["aria-labelledby"].split() == [title.attrib["id"], about.attrib["id"]]
        wide, high = (float(n) for n in root.attrib["viewBox"].split()[2:])
        for box in root.iter(f"{SVG}rect"):
            x, y, w, h = (float(box.attrib[k]) for k in ("x", "y", "width", "height"))
            assert 0 <= x <= x + w <= wide + 0.5, box.attrib
            assert 0 <= y <= y + h <= high + 0.5, box.attrib
    drawn = ElementTree.fromstring(pictures.racks("R", "a", stand[:12]))
    texts = " ".join("".join(t.itertext()) for t in drawn.iter(f"{SVG}title"))
    assert all(f"{b.name}, {b.title}" in texts for r in stand[:12] for b in r.boxes)
