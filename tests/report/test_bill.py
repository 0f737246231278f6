"""What is in the box: cables by kind, what the servers are ordered with, and what no line counts."""

from __future__ import annotations

from typing import Any

from pixsize import workflow
from pixsize.plan.records import Plan
from pixsize.report import plan_json, text
from pixsize.report.bill import bill, cables, inside, licences, not_included, parts, rows
from pixsize.report.plan_page import page
from tests.support.running import catalog, make

LARGE = {"size": "large", "data_drive": "12 TB", "expansion": True}
HDMD = {"arrays": 1, "drive": "960 GB"}


def plan_of(**more: Any) -> Plan:
    """One Large with expansion, one ME4024 and the management: four R750 and two R650."""
    words = {"name": "s", "design": "pixstor-6", "storage_modules": [LARGE], "hdmd": HDMD, "filesystem": {"name": "f"}}
    return make(words | more).plan


def items(lines: Any) -> dict[str, int]:
    return {item: count for count, item, _ in lines}


def test_cables_are_counted_by_kind() -> None:
    assert items(cables(plan_of())) == {
        "SAS cable": 28,
        "management cable": 24,
        "data cable": 12,
        "joint cable": 4,
        "outward cable": 1,
        "power cable": 36,
    }
    (line,) = [line for line in bill(plan_of(), catalog()) if line[1] == "cables"]
    assert line == (105, "cables", "SAS 28, management 24, data 12, joint 4, outward 1, power 36")


def test_a_cable_that_splits_a_port_counts_once() -> None:
    """Twelve links of six servers on six legs of three ports of either switch."""
    (line,) = [x for x in cables(plan_of(network={"link": "hdr100"})) if x[1] == "data cable"]
    assert (line[0], line[2][-10:]) == (6, "; 12 links")


def test_the_servers_have_the_parts_of_table_1() -> None:
    """Of the test bed's processors and of what is optional, none."""
    assert items(inside(plan_of(), catalog())) == {
        "Intel Xeon Gold 6326": 2 * 4,
        "Intel Xeon Gold 6330": 2 * 2,
        "16 GiB RDIMM, 3200 MT/s": 16 * 6,
        "480 GB SSD, SAS3 (RAID 1 and a hot spare)": 3 * 6,
        "PERC H345": 6,
        "iDRAC 9 Enterprise": 6,
    }


def test_the_drive_of_the_arbiter_is_in_the_box() -> None:
    def drives(**nvme: Any) -> list[tuple[int, str]]:
        plan = plan_of(nvme={"pairs": 1, "drive": "1.6 TB"} | nvme)
        return [(count, use) for count, _, use in bill(plan, catalog()) if "nvme" in use and "in servers" in use]

    assert drives() == [(20, "20 in servers for nvme")]
    assert drives(arbiter={"server": "mgmt1"}) == [(21, "1 as arbiter in mgmt1, 20 in servers for nvme")]


def test_what_is_missing_is_named() -> None:
    said = "\n".join(not_included(plan_of(nvme={"pairs": 1}), catalog()))
    for missing in ("licences", "PowerEdge R650 with ten NVMe drives", "PDUs", "OpenManage", "serial card", "racks"):
        assert missing in said
    assert "R650 with ten" not in "\n".join(not_included(plan_of(), catalog()))
    lustre = make({"name": "s", "design": "lustre-me4", "storage_modules": [{"size": "small", "data_drive": "8 TB"}],
                   "metadata": {"dne": False}, "filesystem": {"name": "f"}})  # fmt: skip
    assert "memory and system disks of PowerEdge R740" in "\n".join(not_included(lustre.plan, catalog()))
    assert "cables: no document" in "\n".join(not_included(lustre.plan, catalog()))


def test_json_has_every_part_and_the_short_page_one_line_of_cables() -> None:
    sized = workflow.plan(workflow.Given("large+hdmd")).sized
    assert sized is not None
    document = plan_json.document(sized)
    assert [(p["count"], p["item"], p["for"]) for p in document["parts"]] == list(parts(sized.plan, catalog()))
    assert document["not_included"] == list(not_included(sized.plan, catalog()))
    short, long = (text.draw(page(sized, long=is_long), 200) for is_long in (False, True))
    assert "Xeon" not in short
    assert "  89  cables\n" in short
    assert "SAS 20" not in short
    assert "  89  cables  " in long
    assert "Intel Xeon Gold 6326" in long
    assert "Not in the box" in long


def test_licences_are_counted_by_kind_of_node() -> None:
    plan = plan_of(gateways={"count": 2, "protocols": ["nfs"], "domain": "files.example.org", "subnet": "10.40.0.0/24"},
                   ngenea={"count": 1}, network={"subnet": "10.10.0.0/16"})  # fmt: skip
    assert list(licences(plan, catalog())) == [
        (8, "IBM Storage Scale, server licence", "nodes by role: 2 storage, 2 metadata, 2 management, 2 gateway"),
        (1, "IBM Storage Scale, client licence", "nodes by role: 1 ngenea"),
    ]
    assert "licences of other software" in not_included(plan, catalog())[0]


def test_power_cables_are_told_apart_by_what_is_known_of_their_plugs() -> None:
    """Two supplies in each of 6 servers, 3 switches, 4 ME4084, 4 ME484 and 1 ME4024; C14 and C20 are known of some."""
    found = {row.item: row.count for row in rows(plan_of(), catalog()) if row.item.startswith("cable.power")}
    assert found == {"cable.power": 2 * (6 + 1 + 1), "cable.power.c14": 2 * 2, "cable.power.c20": 2 * (4 + 4)}


def test_a_part_of_servers_without_an_id_gets_one_of_its_name() -> None:
    from pixsize.catalog.server_parts import ServerPart
    from pixsize.report.bill import part_id

    assert part_id(ServerPart(item="PERC H345", id="perc")) == "perc"
    assert part_id(ServerPart(item="16 GiB RDIMM, 3200 MT/s")) == "16-gib-rdimm-3200-mt-s"
    assert part_id(ServerPart(item="x" * 100)) == "x" * 40
    assert part_id(ServerPart(item="\u30e1\u30e2\u30ea")) == "part-220d4ae4"
