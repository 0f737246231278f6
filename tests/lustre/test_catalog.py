"""The records of Lustre and PowerFlex against their documents: typed again here, independently of the files."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pixsize import units
from pixsize.catalog.designs import PoolDesign
from pixsize.catalog.measurements import Statement
from pixsize.catalog.records import Adapter, Constant, Document, Drive, Enclosure, Layout, Limit, Server, Switch
from pixsize.catalog.software import Software
from pixsize.products.lustre.records import LustreRelease
from pixsize.quantities import bound
from tests.support import written
from tests.support.catalog_records import CATALOGS, TB, get, kind_of

GIB, KIB, MIB, TIB = 2**30, 2**10, 2**20, 2**40

# --- parts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "height", "dimms", "dimm_gib"),
    [
        ("r740-lustre-me4", 2, 24, 16),
        ("r640-lustre-me4", 1, 12, 8),
        ("r640-lustre-powerflex-oss", 1, 12, 16),
        ("r640-lustre-powerflex-mds", 1, 24, 16),
    ],
)
def test_servers_as_the_tables_have_them(model, height, dimms, dimm_gib):
    record = get(model, Server)
    assert (record.rack_units, record.memory_bytes) == (height, dimms * dimm_gib * GIB)


def test_only_a_height_that_a_document_gives_is_specified():
    """The PowerFlex document: 6U of 1U servers, R640. No document at hand has the height of an R740."""
    basis = {s.id: s.rack_units_basis for s in kind_of(Server) if "lustre" in s.id}
    named = ("r740-lustre-me4", "r640-lustre-me4", "r640-lustre-powerflex-oss", "r640-lustre-powerflex-mds")
    assert [i for i in named if basis[i] == "estimated"] == ["r740-lustre-me4"]


def test_data_servers_have_twelve_channels_of_ddr4_2666():
    for model in ("r740-lustre-me4", "r640-lustre-powerflex-oss", "r640-lustre-powerflex-mds"):
        assert get(model, Server).memory_bytes_per_s == 12 * 2666 * 10**6 * 8


ADAPTERS = ("sas-hba-12gbps", "connectx-5-edr", "omni-path-100", "ql45611")


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_pcie_3_lane_is_8_gigatransfers_in_128b_130b(adapter):
    assert get(adapter, Adapter).pcie_lane_bytes_per_s == 8 * 10**9 * 128 // 130 // 8


@pytest.mark.parametrize("adapter", ADAPTERS[1:])
def test_a_network_port_is_100_gigabits_and_its_slot_carries_them(adapter):
    record = get(adapter, Adapter)
    port = record.ports * record.lanes * record.lane_bytes_per_s
    assert (record.use, port * 8) == ("network", 100 * 10**9)
    assert record.pcie_lanes * record.pcie_lane_bytes_per_s > port


def test_sas_ports_reach_each_controller_of_the_arrays():
    """Four adapters for the two controllers of four ME4084; two for those of one ME4024, with a port to spare on each."""
    ports = get("sas-hba-12gbps", Adapter).ports
    assert 4 * ports == 4 * get("me4084", Enclosure).controllers
    assert 2 * ports >= 2 * get("me4024", Enclosure).controllers
    assert get("sas-hba-12gbps", Adapter).lane_bytes_per_s == 12 * 10**9 * 8 // 10 // 8


@pytest.mark.parametrize(
    ("switch", "ports", "network"),
    [
        ("sb7800", 36, "infiniband"),
        ("arista-7060cx-32", 32, "ethernet"),
        ("omni-path-100swe48qf", 48, "omni-path"),
        ("s4148t-on", 48, "management"),
    ],
)
def test_switches(switch, ports, network):
    record = get(switch, Switch)
    assert (record.ports, record.network, record.rack_units) == (ports, network, 1)
    assert record.rack_units_basis == "estimated"


@pytest.mark.parametrize(("switch", "said"), [("sb7800", "For Lustre it is ours"), ("s4148t-on", "Ours")])
def test_a_switch_that_the_document_does_not_name_says_so(switch, said):
    assert said in get(switch, Switch).note
    assert "pixsize" in {s.document for s in get(switch, Switch).sources}


def test_four_servers_hold_the_documents_raw_and_mirrored_capacity():
    """64 TB raw, 32 TB mirrored (Installation Details)."""
    raw = 4 * 8 * get("nvme-2tb", Drive).capacity_bytes
    assert (get("nvme-2tb", Drive).media, raw) == ("nvme", 64 * TB)
    assert raw // get("powerflex.mirror_copies", Limit).value == 32 * TB


# --- layouts -------------------------------------------------------------------------------------------------------


def test_an_array_has_eight_osts_and_four_spares():
    layout = get("lustre-me4.me4084", Layout)
    assert layout.groups == get("pixstor-6.me4084.hdmd", Layout).groups
    assert (layout.spares, layout.empty) == ((80, 81, 82, 83), None)
    (group,) = layout.groups
    assert [(group.purpose, group.level, len(slots)) for slots in group.slots] == [("data", "r6", 10)] * 8


def test_the_documents_capacities_of_the_base_configuration():
    """4 x 84 drives of 8 TB are 2,688 TB (printed 2.69 PB); 32 OSTs of eight data drives are 2,048 TB."""
    layout, drive = get("lustre-me4.me4084", Layout), get("nl-sas-8tb", Drive).capacity_bytes
    assert 4 * layout.slots * drive == 2688 * TB
    assert sum(len(g.slots) for g in layout.groups) * 4 * 8 * drive == 2048 * TB


def test_the_printed_raw_capacity_is_used_and_agrees_with_the_drives():
    readings = {r.value: r.used for r in get("lustre-me4.large.capacity.raw", Statement).readings}
    assert readings == {"2.69 PB": True, "2560 TB": False}
    assert abs(units.parse("2.69 PB", "capacity") - 2688 * TB) <= units.half_last_digit("2.69 PB", "capacity")


@pytest.mark.parametrize(
    ("layout_id", "mdts", "spares", "empty", "raw_gb"),
    [
        ("lustre-me4.me4024.dne", ((0, 10), (10, 20)), (20, 24), None, 23_040),
        ("lustre-me4.me4024.single", ((0, 10),), (10, 12), (12, 24), 11_520),
    ],
)
def test_metadata_arrays(layout_id, mdts, spares, empty, raw_gb):
    """24 or 12 SSDs of 960 GB; each MDT a linear RAID 10 of ten, 4.8 TB."""
    layout, drive = get(layout_id, Layout), get("ssd-960gb", Drive).capacity_bytes
    (group,) = layout.groups
    assert (group.purpose, group.level) == ("metadata", "r10")
    assert group.slots == tuple(tuple(range(*ends)) for ends in mdts)
    assert layout.spares == tuple(range(*spares))
    assert layout.empty == (tuple(range(*empty)) if empty else None)
    assert (layout.slots - len(layout.empty or ())) * drive == raw_gb * 10**9
    assert {len(slots) // 2 * drive for slots in group.slots} == {4_800 * 10**9}


@pytest.mark.parametrize("layout_id", ["lustre-me4.me4084", "lustre-me4.me4024.dne", "lustre-me4.me4024.single"])
def test_slots_that_no_document_gives_are_ours(layout_id):
    layout = get(layout_id, Layout)
    assert "slots are ours" in layout.note
    assert {"pixsize", "dell-lustre-me4"} <= {s.document for s in layout.sources}


# --- limits and constants ------------------------------------------------------------------------------------------

LIMITS = {
    "lustre.fsname_chars": 8,
    "lustre.osts": 8150,
    "lustre.mdts": 256,
    "lustre.index_max": 65_534,
    "lustre.ost_bytes_warn": 256 * TB,
    "lustre.ost_bytes_max": 2**50,
    "lustre.mdt_bytes_max": 10 * TIB,
    "lustre.device_bytes_min": 32_384 * KIB,
    "lustre.object_bytes_max": 16 * TIB,
    "lustre.stripe_size_min": 64 * KIB,
    "lustre.stripe_size_max": 4 * GIB,
    "lustre.stripes_max": 2000,
    "lustre.stripes_max_no_ea": 160,
    "lustre.stripes_in_small_inode": 16,
    "lustre.stripes_in_large_inode": 59,
    "lustre.progressive_stripes": 16,
    "lustre-me4.document_stripes": 32,
    "lustre.mkfsoptions_chars": 512,
    "lustre.rpc_bytes": 4 * MIB,
    "lustre.brw_bytes_max.2.10": 16 * MIB,
    "lustre.brw_bytes_max.2.15": 64 * MIB,
    "lustre.mgt_bytes_warn": 128 * GIB,
    "lustre.rpcs_in_flight_max": 512,
    "lustre.mds_memory": 60 * 10**9,
    "lustre.mgt_volume": 8 * GIB,
    "powerflex.volume_step": 8 * GIB,
    "powerflex.sds_min": 3,
    "powerflex.five_mdms": 5,
    "powerflex.pool_devices": 300,
    "powerflex.domain_sds": 128,
    "powerflex.mtu": 9000,
}


@pytest.mark.parametrize(("limit", "value"), LIMITS.items())
def test_limits(limit, value):
    assert get(limit, Limit).value == value


def test_bounds_seen_for_a_later_powerflex_alone_are_unconfirmed():
    seen = {lim.id for lim in kind_of(Limit) if lim.id.startswith("powerflex.") and not lim.confirmed}
    assert seen == {"powerflex.pool_devices", "powerflex.domain_sds"}


def test_254_large_modules_and_a_medium_fit_and_255_large_do_not():
    osts = sum(len(g.slots) for g in get("lustre-me4.me4084", Layout).groups)
    assert (254 * 4 + 2) * osts == 8144 <= get("lustre.osts", Limit).value < 255 * 4 * osts


def test_an_mdt_past_its_limit_would_gain_no_inode():
    """2560 bytes an inode: the 4,293,918,720 that mke2fs makes at most end less than half a per mille below 10 TiB."""
    size = get("lustre.mdt_bytes_max", Limit).value
    assert size * Fraction(9995, 10_000) < 4_293_918_720 * 2560 <= size


def test_volumes_of_the_document_are_whole_steps():
    step = get("powerflex.volume_step", Limit).value
    assert [gib * GIB % step for gib in (1600, 552, 8)] == [0, 0, 0]


def test_a_full_stripe_divides_an_rpc():
    rpc = get("lustre.rpc_bytes", Limit).value
    assert [rpc % (8 * chunk * KIB) for chunk in (64, 128, 256, 512)] == [0, 0, 0, 0]
    assert get("lustre.brw_bytes_max.2.10", Limit).value % rpc == 0


def test_the_servers_of_the_documents_have_the_memory_that_the_manual_asks_for():
    """16 OSTs of its own need 24 + 16 x 8 = 152 GB, four need 56 GB, an MDS of a pair 96 GB."""
    base, each = (get(f"lustre.{name}", Limit).value for name in ("oss_memory_base", "oss_memory_per_ost_failover"))
    assert each == 2 * get("lustre.oss_memory_per_ost", Limit).value
    assert (base + 16 * each, base + 4 * each) == (152 * 10**9, 56 * 10**9)
    assert base + 16 * each < get("r740-lustre-me4", Server).memory_bytes
    assert base + 4 * each < get("r640-lustre-powerflex-oss", Server).memory_bytes
    assert get("lustre.mds_memory", Limit).value < get("lustre.mds_memory_ha", Limit).value == 96 * 10**9
    assert get("lustre.mds_memory_ha", Limit).value < get("r640-lustre-powerflex-mds", Server).memory_bytes


def test_root_keeps_five_per_cent():
    assert {get(f"lustre-{v}", LustreRelease).mke2fs.reserved_percent for v in ("2.10.8", "2.12.9", "2.15.8")} == {5}


@pytest.mark.parametrize(("threads", "directories"), [(1024, 2), (512, 4), (256, 8)])
def test_the_surplus_of_mdtest_covers_every_thread_count(threads, directories):
    """A third at two directories a thread, which Table 3 has at 1024 threads; less with more of them."""
    surplus = get("lustre.mdtest_surplus", Constant)
    assert threads * directories * 1024 == 2**21
    assert 0 == surplus.low == surplus.value < Fraction(1, directories + 1) < surplus.high < Fraction(34, 100)


def test_the_spare_that_was_seen_takes_the_documents_sizes_and_a_lost_server_does_not():
    """16 OSTs of 1600, two MDTs and the MGT are 26,712 GiB; half of 64 TB less 10 % has room for them, less 25 % not."""
    seen = get("powerflex.spare_seen", Constant)
    asked = (16 * 1600 + 2 * 552 + 8) * GIB
    assert asked == 26_712 * GIB
    assert 32 * TB * (1 - Fraction(1, 4)) < asked < 32 * TB * (1 - seen.value)
    assert seen.high == Fraction(34, 100)


# --- the design on PowerFlex ---------------------------------------------------------------------------------------


def test_everything_that_the_pool_design_names_exists():
    for design in kind_of(PoolDesign):
        for role in filter(None, (design.storage.servers, design.metadata, design.management)):
            get(role.model, Server)
            for adapter in role.adapters:
                get(adapter, Adapter)
        for switch in design.switches:
            get(switch.model, Switch)
        assert design.storage.media in {d.media for d in kind_of(Drive)}


def test_the_pool_design_starts_from_the_documents_sizes():
    defaults = get("lustre-powerflex", PoolDesign).defaults
    assert [bound(defaults[f"powerflex.{word}"]) for word in ("mdt", "mgt")] == [552 * GIB, 8 * GIB]


# --- software ------------------------------------------------------------------------------------------------------

SOFTWARE = {
    "lustre-me4.software.servers": {
        "CentOS or Red Hat Enterprise Linux": "7.5",
        "kernel": "3.10.0-862.el7.x86_64",
        "Lustre": "2.10.4",
        "Mellanox OFED": "4.4-1",
        "BIOS": "1.4.5",
    },
    "lustre-me4.software.clients": {
        "Red Hat Enterprise Linux": "7.5",
        "kernel": "3.10.0-862.2.3.el7.x86_64",
        "Lustre": "2.10.4",
        "Mellanox OFED": "4.4-1",
        "BIOS": "2.7.1",
    },
    "lustre-powerflex.software.servers": {
        "CentOS": "7.6",
        "kernel": "3.10.0-957.1.3.el7_lustre.x86_64",
        "Lustre": "2.10.8",
        "PowerFlex": "3.0-100.134",
        "IntelOPA-IFS": "RHEL76-x86_64.10.9.3.1.1",
    },
    "lustre-powerflex.software.clients": {
        "CentOS": "7.6",
        "kernel": "3.10.0-957.1.3.el7.x86_64",
        "Lustre": "2.10.8",
        "IntelOPA-IFS": "RHEL76-x86_64.10.9.3.1.1",
    },
    "pixstor-6.software.servers": {
        "Red Hat Enterprise Linux": "8.4",
        "kernel": "4.18.0-305.12.1.el8_4.x86_64",
        "PixStor": "6.0.0.0",
        "IBM Spectrum Scale": "5.1.1-2",
        "MLNX_OFED_LINUX": "5.4-1.0.3.0",
    },
    "pixstor-6.software.clients": {
        "CentOS": "7.9",
        "kernel": "3.10.0-1160.el7.x86_64",
        "PixStor": "6.0.0.0",
        "IBM Spectrum Scale": "5.1.1-2",
        "MLNX_OFED_LINUX": "5.4-1.0.3.0",
        "BIOS": "2.8.2",
    },
}
"""Every version that the tables of the three documents print, PixStor's among them."""


def test_versions_of_the_software():
    records = kind_of(Software)
    assert SOFTWARE.items() <= {record.id: record.versions for record in records}.items()
    for record in records:
        assert record.id == f"{record.design}.software.{record.runs_on}"


# --- sources -------------------------------------------------------------------------------------------------------


def test_every_source_says_how_far_it_can_be_trusted():
    own = [r["id"] for path, r in written.records() if path == CATALOGS / "sources" / "lustre.yaml"]
    assert len(own) >= 15
    for record_id in own:
        assert len(get(record_id, Document).confidence) > 20, record_id
