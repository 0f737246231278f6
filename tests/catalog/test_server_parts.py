"""What servers are ordered with, beside Table 1 of the document."""

from __future__ import annotations

from pixsize.catalog.server_parts import ServerPart, ServerParts
from tests.support.running import catalog


def test_the_servers_of_pixstor_6_have_the_parts_of_table_1() -> None:
    found = {record.server: record.parts for record in catalog().all(ServerParts)}
    assert found.keys() == {"r750", "r650"}
    assert found["r750"]["processors"] == ServerPart(item="Intel Xeon Gold 6326", id="xeon-gold-6326", count=2)
    assert found["r750"]["processors_of_the_test_bed"].item == "Intel Xeon Platinum 8352Y"
    assert found["r650"]["processors"] == ServerPart(item="Intel Xeon Gold 6330", id="xeon-gold-6330", count=2)
    assert "serial card" in found["r750"]["slot_8"].item
    for parts in found.values():
        assert (parts["memory"].count, parts["memory"].item[:6]) == (16, "16 GiB")
        assert (parts["system_disks"].count, parts["system_disks"].item[:10]) == (3, "480 GB SSD")
        assert parts["system_disk_controller"] == ServerPart(item="PERC H345", id="perc-h345")
        assert parts["management"] == ServerPart(item="iDRAC 9 Enterprise", id="idrac-9-enterprise")
        assert parts["management_software"].sold == "unsaid"
        sold = {what for what, part in parts.items() if part.sold == "included"}
        assert sold == {"processors", "memory", "system_disks", "system_disk_controller", "management"}


def test_the_ids_of_parts_are_those_of_one_thing_each_and_of_no_record() -> None:
    named: dict[str, set[str]] = {}
    for record in catalog().all(ServerParts):
        for part in record.parts.values():
            named.setdefault(part.id, set()).add(part.item)
    assert "" not in named
    assert all(len(items) == 1 for items in named.values())
    assert not [i for i in named if i in catalog()]
