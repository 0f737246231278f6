"""What servers are ordered with, beside Table 1 of the document."""

from __future__ import annotations

from pixsize.catalog.server_parts import ServerParts
from tests.support.running import catalog


def test_the_servers_of_pixstor_6_have_the_parts_of_table_1() -> None:
    found = {record.server: record.parts for record in catalog().all(ServerParts)}
    assert found.keys() == {"r750", "r650"}
    assert "Gold 6326" in found["r750"]["processors"]
    assert "Platinum 8352Y" in found["r750"]["processors_of_the_test_bed"]
    assert "Gold 6330" in found["r650"]["processors"]
    assert "serial card" in found["r750"]["slot_8"]
    for parts in found.values():
        assert parts["memory"].startswith("16 x 16 GiB")
        assert parts["system_disks"].startswith("3 x 480 GB SSD")
        assert (parts["system_disk_controller"], parts["management"]) == ("PERC H345", "iDRAC 9 Enterprise")
