"""The shipped catalog against the documents: typed again here, independently of the files that are tested."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
import yaml

from pixsize.catalog.designs import ArrayDesign, Design, ModuleSize
from pixsize.catalog.kinds import KINDS
from pixsize.catalog.records import Adapter, Choice, Constant, Drive, Enclosure, Layout, Limit, Server, Switch
from pixsize.load import load_catalog
from tests.support import written
from tests.support.catalog_records import CATALOGS, ERRATA, EXTEND, FILES, TB, get, kind_of, records, validated

# --- every record ------------------------------------------------------------------------------------------------


def test_catalog_is_not_empty():
    assert len(FILES) >= 15
    assert {r["kind"] for _, r in written.records()} == set(KINDS)


def test_every_record_validates():
    for _, record in written.records():
        assert validated(record).id == record["id"]


def test_the_strict_reader_reads_the_same_as_pyyaml():
    catalog, findings = load_catalog()
    assert findings == ()
    assert catalog.raw == {r["id"]: r for _, r in written.records()}


def test_ids_are_unique_over_all_kinds():
    ids = [r["id"] for _, r in written.records()]
    assert sorted(ids) == sorted(set(ids))


def test_ids_need_no_quoting_anywhere():
    for _, record in written.records():
        assert re.fullmatch(r"[a-z0-9][a-z0-9.+_-]*", record["id"]), record["id"]


def test_no_shipped_record_replaces_another():
    assert [r["id"] for _, r in written.records() if "replaces" in r] == []


def test_every_record_cites_a_document_that_exists():
    documents = {r["id"] for _, r in written.records() if r["kind"] == "source"}
    for _, record in written.records():
        citations = [s["document"] for s in record.get("sources", [])] + [
            r["document"] for r in record.get("readings", [])
        ]
        assert set(citations) <= documents, record["id"]
        if record["kind"] != "source":
            assert record["sources"], record["id"]


def test_every_place_says_where_a_person_finds_it():
    for _, record in written.records():
        for citations in [*record.get("sources", []), *record.get("readings", [])]:
            assert len(citations["place"]) >= 5, record["id"]


NOT_PUBLIC = re.compile(r"/work|\.\./shared|\bseeds?\b|\bissues?\b|\bL[0-9]{2,4}\b|https?://", flags=re.IGNORECASE)


def test_texts_name_public_documents_only():
    for path in (*FILES, EXTEND, ERRATA):
        assert NOT_PUBLIC.findall(path.read_text(encoding="utf-8")) == [], path


BARE_INTEGER = re.compile(r"0|-?[1-9][0-9]*")


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(CATALOGS)))
def test_yaml_is_plain_and_conservative(path):
    """No anchors, aliases or tags, and no bare text that one YAML version reads as a number, a date or a boolean."""
    text = path.read_text(encoding="utf-8")
    assert "\t" not in text
    assert text.isascii()
    resolver = yaml.SafeLoader("").yaml_implicit_resolvers
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        assert not isinstance(event, yaml.AliasEvent)
        assert getattr(event, "anchor", None) is None
        assert getattr(event, "tag", None) is None
        if isinstance(event, yaml.ScalarEvent) and event.style in (None, ""):
            tags = {t for t, pattern in resolver.get(event.value[:1], []) if pattern.match(event.value)}
            plain = event.value in ("true", "false") or BARE_INTEGER.fullmatch(event.value)
            assert not tags or plain, f"{event.value!r} in line {event.start_mark.line + 1} needs quotes"


# --- parts ---------------------------------------------------------------------------------------------------------

DRIVES = {
    "nl-sas-4tb": 4 * TB,
    "nl-sas-8tb": 8 * TB,
    "nl-sas-10tb": 10 * TB,
    "nl-sas-12tb": 12 * TB,
    "nl-sas-16tb": 16 * TB,
    "nl-sas-18tb": 18 * TB,
    "ssd-480gb": 480 * 10**9,
    "ssd-800gb": 800 * 10**9,
    "ssd-960gb": 960 * 10**9,
    "ssd-1.92tb": 1_920_000_000_000,
    "ssd-3.84tb": 3_840_000_000_000,
    "nvme-2tb": 2 * TB,
    "nvme-1.6tb": 1_600_000_000_000,
}


@pytest.mark.parametrize(("drive", "capacity"), DRIVES.items())
def test_the_drives_that_the_documents_name(drive, capacity):
    assert get(drive, Drive).capacity_bytes == capacity


def test_what_is_derived_of_an_adapter_says_so():
    """No document prints how many ports an HBA355e has."""
    hba = get("hba355e", Adapter)
    assert hba.ports == 4
    assert "derived" in hba.note


def test_no_drive_contradicts_its_own_id():
    """As far as the id says anything: `nl-sas-12tb`."""
    media = {"nl-sas": "nl-sas", "ssd": "sas-ssd", "nvme": "nvme"}
    for drive in kind_of(Drive):
        if match := re.fullmatch(r"([a-z-]+)-([0-9.]+)(tb|gb)", drive.id):
            assert drive.capacity_bytes == Fraction(match[2]) * {"tb": TB, "gb": 10**9}[match[3]]
            assert drive.media == media.get(match[1], drive.media)


def test_drives_that_no_source_confirms():
    assert [get(d, Drive).confirmed for d in ("nl-sas-8tb", "nl-sas-10tb", "nl-sas-18tb")] == [True, False, False]
    assert all(d.note for d in kind_of(Drive) if not d.confirmed)


def test_eighteen_terabyte_drives_explain_the_documents_maximum():
    """12,096 TB raw, 8 PiB formatted: four ME4084 and four ME484 with 84 slots, eighty of them in groups of 8+2."""
    drive = get("nl-sas-18tb", Drive).capacity_bytes
    assert 8 * 84 * drive == 12_096 * TB
    assert 8 * 80 * 8 // 10 * drive == 9_216 * TB


@pytest.mark.parametrize(
    ("array", "slots", "height", "controllers", "ports"),
    [
        ("me4084", 84, 5, 2, 4),
        ("me4024", 24, 2, 2, 4),
        ("me484", 84, 5, 0, 0),
    ],
)
def test_arrays(array, slots, height, controllers, ports):
    record = get(array, Enclosure)
    assert (record.slots, record.rack_units) == (slots, height)
    assert (record.controllers, record.sas_ports) == (controllers, ports)


def test_array_write_rate_is_a_quarter_of_what_four_are_specified_for():
    assert get("me4084", Enclosure).write_bytes_per_s * 4 == 22 * 10**9


def test_rates_that_no_source_states_are_absent():
    assert get("me4084", Enclosure).read_bytes_per_s is None
    assert get("me4024", Enclosure).write_bytes_per_s is None


def test_sas_lane_is_12_gigabits_in_8b_10b():
    hba = get("hba355e", Adapter)
    assert hba.lane_bytes_per_s == 12 * 10**9 * 8 // 10 // 8
    assert (hba.use, hba.lanes, hba.pcie_lanes) == ("sas", 4, 8)


@pytest.mark.parametrize("adapter", ["hba355e", "connectx-6-hdr"])
def test_pcie_4_lane_is_16_gigatransfers_in_128b_130b(adapter):
    assert get(adapter, Adapter).pcie_lane_bytes_per_s == 16 * 10**9 * 128 // 130 // 8


def test_hdr_port_is_200_gigabits():
    nic = get("connectx-6-hdr", Adapter)
    assert nic.ports * nic.lanes * nic.lane_bytes_per_s * 8 == 200 * 10**9
    assert (nic.use, nic.pcie_lanes) == ("network", 16)


def test_a_server_has_a_sas_port_for_each_controller_of_a_large():
    design = get("pixstor-6", ArrayDesign)
    ports = get("hba355e", Adapter).ports * design.storage.servers.adapters["hba355e"]
    assert ports == get("pixstor-6.large", ModuleSize).arrays * get("me4084", Enclosure).controllers


def test_server_memory_is_sixteen_dimms_of_ddr4_3200():
    assert get("r750", Server).memory_bytes_per_s == 16 * 3200 * 10**6 * 8


def test_server_keeps_both_readings_of_the_sas_slots():
    slots = get("r750", Server).slots
    assert slots["sas_as_allocated"].startswith("2, 5")
    assert slots["sas_as_cabled"].startswith("2, 7")


@pytest.mark.parametrize(("model", "height"), [("r750", 2), ("r650", 1)])
def test_server_heights(model, height):
    assert get(model, Server).rack_units == height


@pytest.mark.parametrize(
    ("switch", "ports", "network"),
    [
        ("n2248x-on", 48, "management"),
        ("qm8700", 40, "infiniband"),
        ("sn3700", 32, "ethernet"),
    ],
)
def test_switches(switch, ports, network):
    record = get(switch, Switch)
    assert (record.ports, record.network, record.rack_units) == (ports, network, 1)


# --- the design ----------------------------------------------------------------------------------------------------


def slots_used(layout: Layout) -> list[int]:
    in_groups = [s for g in layout.groups for pattern in g.slots for s in pattern]
    return sorted([*in_groups, *(layout.spares or ()), *(layout.empty or ())])


def test_every_layout_uses_every_slot_exactly_once():
    for layout in kind_of(Layout):
        assert slots_used(layout) == list(range(layout.slots)), layout.id


def figure_12_group(number: int) -> tuple[int, ...]:
    """Group 1 to 8 of Figure 12, zero-based: blocks of twenty slots, the even ones first, then the odd ones."""
    first = 20 * ((number - 1) // 2) + (number - 1) % 2
    return tuple(first + 2 * i for i in range(10))


@pytest.mark.parametrize("layout_id", ["pixstor-6.me4084.standard", "pixstor-6.me4084.hdmd"])
def test_data_groups_are_those_of_figure_12(layout_id):
    (group,) = [g for g in get(layout_id, Layout).groups if g.purpose == "data"]
    assert group.level == "r6"
    assert group.slots == tuple(figure_12_group(n) for n in range(1, 9))


def test_last_four_slots():
    standard, hdmd = get("pixstor-6.me4084.standard", Layout), get("pixstor-6.me4084.hdmd", Layout)
    (metadata,) = [g for g in standard.groups if g.purpose == "metadata"]
    assert (metadata.level, metadata.slots, standard.spares) == ("r1", ((80, 81), (82, 83)), None)
    assert ([g.purpose for g in hdmd.groups], hdmd.spares) == (["data"], (80, 81, 82, 83))


def test_metadata_array_mirrors_slot_n_on_n_plus_12():
    (group,) = get("pixstor-6.me4024", Layout).groups
    assert (group.purpose, group.level) == ("metadata", "r1")
    assert group.slots == tuple((n, n + 12) for n in range(12))


def test_sizes_of_storage_modules():
    for design in ("pixstor-6", "lustre-me4"):
        assert [get(f"{design}.{size}", ModuleSize).arrays for size in ("small", "medium", "large")] == [1, 2, 4]
    assert all(m.id == f"{get(m.design, Design).id}.{m.size}" for m in kind_of(ModuleSize))


def test_everything_that_designs_name_exists_and_fits():
    for design in kind_of(ArrayDesign):
        storage, metadata = design.storage, design.metadata
        for role in filter(None, (storage.servers, metadata.servers, design.management)):
            get(role.model, Server)
            for adapter in role.adapters:
                get(adapter, Adapter)
        for layout in storage.layouts.values():
            for enclosure in filter(None, (storage.array, storage.expansion)):
                assert get(layout, Layout).slots == get(enclosure, Enclosure).slots
        for layout in metadata.layouts.values():
            assert get(layout, Layout).slots == get(metadata.array, Enclosure).slots
        for switch in design.switches:
            get(switch.model, Switch)
        sizes = {m.size for m in kind_of(ModuleSize) if m.design == design.id}
        assert {*storage.expansion_sold_for, metadata.arrays_max_needs} - {""} <= sizes
        assert {storage.data_media, metadata.media, storage.metadata_media} - {""} <= {d.media for d in kind_of(Drive)}


def test_the_design_as_the_document_has_it():
    design = get("pixstor-6", ArrayDesign)
    assert (design.volumes, design.filesystem, design.data_pool, design.owners) == ("me4", "scale", "data", ("a", "b"))
    assert (design.storage.servers.model, design.storage.servers.count) == ("r750", 2)
    assert (design.metadata.servers.model, design.metadata.servers.count) == ("r750", 2)
    assert (design.management.model, design.management.count) == ("r650", 2)
    assert (design.metadata.arrays_min, design.metadata.arrays_max) == (1, 4)
    assert design.storage.servers.adapters == {"hba355e": 2, "connectx-6-hdr": 2}
    assert {(s.model, s.count) for s in design.switches} == {("n2248x-on", 1), ("qm8700", 2)}


def test_the_design_of_the_generation_before():
    """Two R740 with four SAS HBAs of two ports and one EDR adapter each: eight ports for eight controllers, 25 GB/s."""
    design, newer = get("pixstor-5", ArrayDesign), get("pixstor-6", ArrayDesign)
    for role in (design.storage, design.metadata):
        assert get(role.servers.model, Server).title == "PowerEdge R740"
        assert (role.servers.count, role.servers.adapters) == (2, {"sas-hba-12gbps": 4, "connectx-5-edr": 1})
    assert (design.storage.array, design.storage.expansion) == (newer.storage.array, newer.storage.expansion)
    assert (design.metadata.array, design.metadata.arrays_max) == (newer.metadata.array, 4)
    assert (design.storage.layouts, design.metadata.layouts) == (newer.storage.layouts, newer.metadata.layouts)
    assert [s.model for s in design.switches if get(s.model, Switch).network == "infiniband"] == ["sb7800"]
    hba, edr = get("sas-hba-12gbps", Adapter), get("connectx-5-edr", Adapter)
    assert 4 * hba.ports == get("pixstor-5.large", ModuleSize).arrays * get("me4084", Enclosure).controllers
    assert 2 * edr.ports * edr.lanes * edr.lane_bytes_per_s == 25 * 10**9
    assert design.defaults == newer.defaults


def test_defaults_are_those_of_the_reference():
    assert get("pixstor-6", Design).defaults == {
        "storage_modules[].count": 1,
        "storage_modules[].expansion": False,
        "storage_modules[].metadata_drive": "960 GB",
        "storage_modules[].chunk_size": "512 KiB",
        "hdmd.modules": 1,
        "hdmd.arrays": 1,
        "filesystem.block_size": "8 MiB",
        "filesystem.inode_size": "4 KiB",
        "filesystem.metadata_replicas": 2,
        "filesystem.failure_groups": "per_array",
    }


# --- limits and constants ------------------------------------------------------------------------------------------

LIMITS = {
    "scale.nsds": 2048,
    "scale.failure_group_max": 4000,
    "scale.nsd_servers": 8,
    "scale.block_min": 65_536,
    "scale.block_max": 16_777_216,
    "scale.replicas_max": 3,
    "me4.volume_bytes": 140_737_488_355_328,
    "me4.volume_alignment": 4_194_304,
    "me4.lun_min": 2,
    "me4.lun_max": 254,
    "me4.r1_drives": 2,
    "me4.r6_drives_min": 4,
    "me4.r6_drives_max": 16,
    "me4.r10_drives_max": 16,
    "me4.groups_per_array": 64,
    "pixsize.modules": 1024,
    "pixsize.name_chars": 31,
    "pixstor-6.expansions": 1,
    "pixstor-5.expansions": 1,
}


@pytest.mark.parametrize(("limit", "value"), LIMITS.items())
def test_limits(limit, value):
    assert get(limit, Limit).value == value


@pytest.mark.parametrize(
    ("choice", "values", "confirmed"),
    [
        ("scale.inode_sizes", (512, 1024, 4096), True),
        ("me4.chunk_sizes", (65_536, 131_072, 262_144, 524_288), False),
    ],
)
def test_choices(choice, values, confirmed):
    assert (get(choice, Choice).values, get(choice, Choice).confirmed) == (values, confirmed)


def test_limits_seen_for_a_sibling_only_are_unconfirmed():
    for limit in ("me4.volume_bytes", "me4.groups_per_array"):
        assert not get(limit, Limit).confirmed
    assert all(limit.note or limit.sources for limit in kind_of(Limit) if not limit.confirmed)


def test_layouts_keep_the_limits_of_the_arrays():
    for design in kind_of(ArrayDesign):
        for name in (*design.storage.layouts.values(), *design.metadata.layouts.values()):
            for group in get(name, Layout).groups:
                widths = {len(pattern) for pattern in group.slots}
                limits = f"{design.volumes}.{group.level}_drives"
                if group.level == "r1":
                    assert widths == {get(limits, Limit).value}
                else:
                    assert get(f"{limits}_min", Limit).value <= min(widths)
                    assert max(widths) <= get(f"{limits}_max", Limit).value


def test_constants_lie_within_their_ranges():
    for constant in kind_of(Constant):
        assert constant.low <= constant.value <= constant.high, constant.id


def test_volume_margin_covers_the_highest_array_overhead():
    """Otherwise `create volume` would ask for more than the group may have."""
    assert get("me4.volume_margin", Constant).value >= get("me4.array_overhead", Constant).high


def test_array_overhead_is_what_a_real_array_shows():
    """A volume with the whole size of a group of 8+2, probably of 12 TB drives, has 85.4 TiB (README of python-me4storage)."""
    seen = 1 - Fraction("85.4") * 2**40 / (8 * 12 * TB)
    assert abs(seen - get("me4.array_overhead", Constant).value) < Fraction(1, 2000)


# --- how to extend the catalog -------------------------------------------------------------------------------------

HEADINGS = ["Add a drive", "Add a server", "Add a module size", "Add a limit", "Add a measurement"]


def blocks() -> dict[str, list[dict[str, Any]]]:
    """The records of the page, by the heading that they stand under."""
    found: dict[str, list[dict[str, Any]]] = {}
    for part in re.split(r"^## ", EXTEND.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        for block in re.findall(r"```yaml\n(.*?)```", part, flags=re.DOTALL):
            content = yaml.safe_load(block)
            found.setdefault(part.splitlines()[0], []).extend(content if isinstance(content, list) else [content])
    return found


def test_the_page_shows_every_kind_that_it_promises():
    kinds = {heading: {r["kind"] for r in found} - {"source"} for heading, found in blocks().items()}
    assert [kinds[heading] for heading in HEADINGS] == [{h.removeprefix("Add a ").replace(" ", "_")} for h in HEADINGS]


@pytest.mark.parametrize("heading", HEADINGS)
def test_examples_of_the_page_are_valid_and_complete(heading):
    found = blocks()[heading]
    own = {r["id"] for r in found if r["kind"] == "source"}
    for record in found:
        assert validated(record).id == record["id"]
        shipped = records()
        for source in record.get("sources", []):
            assert source["document"] in own or source["document"] in shipped, record["id"]
        assert record["id"] not in shipped or record.get("replaces") == record["id"]
        assert record.get("replaces", "scale.nsds") in shipped


def test_examples_of_the_page_load_from_one_folder(tmp_path):
    """As a reader would use them: one file a block, all in one folder."""
    texts = re.findall(r"```yaml\n(.*?)```", EXTEND.read_text(encoding="utf-8"), flags=re.DOTALL)
    for index, text in enumerate(texts):
        (tmp_path / f"{index}.yaml").write_text(text, encoding="utf-8")
    catalog, findings = load_catalog(tmp_path)
    assert findings == ()
    assert catalog.get(Drive, "site-nl-sas-14tb").capacity_bytes == 14 * TB
    assert catalog.get(Server, "r750").memory_bytes_per_s == 16 * 4800 * 10**6 * 8
    assert catalog.get(ModuleSize, "pixstor-6.three").arrays == 3
    assert catalog.get(Limit, "scale.nsds").value == 40_000
    assert "site.small.throughput.sequential.n_n.write.peak" in catalog.ids("measurement")


# --- errata --------------------------------------------------------------------------------------------------------


def test_no_number_of_the_errata_is_missing_or_stands_twice():
    counts = []
    for part in re.split(r"^## ", ERRATA.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        numbers = sorted(int(n) for n in re.findall(r"^\| ([0-9]+) \|", part, flags=re.MULTILINE))
        assert numbers == list(range(1, len(numbers) + 1)), part.splitlines()[0]
        counts.append(len(numbers))
    assert len(counts) >= 5
    assert all(counts)
