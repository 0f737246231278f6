"""A record of one's own is one YAML file in a folder: through the command line, each kind is seen to have its effect."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from pixsize.load import load_catalog
from tests.support.cli_support import loads, run
from tests.support.estimating import replacing

TB, GB = 10**12, 10**9
CITED = {"sources": [{"document": "pixsize", "place": "a letter to the site"}]}
Words = dict[str, Any]


def request(size: str = "large", *, arrays: int = 3, filesystem: Words | None = None, **module: Any) -> Words:
    """A request with as many metadata arrays that no finding about them is due; 0 is the standard variant."""
    words: Words = {
        "name": "scratch",
        "design": "pixstor-6",
        "storage_modules": [{"size": size, "data_drive": "12 TB"} | module],
        "filesystem": {"name": "mmfs1"} | (filesystem or {}),
    }
    return words | ({"hdmd": {"drive": "960 GB", "arrays": arrays}} if arrays else {})


def planned(folder: Path, words: Words, *records: Mapping[str, Any]) -> Words:
    """What `plan` prints for a request with records laid over the catalog, a file for each."""
    mine = folder / "mine"
    mine.mkdir(exist_ok=True)
    for old in mine.iterdir():
        old.unlink()
    for number, record in enumerate(records):
        (mine / f"{number}.yaml").write_text(yaml.safe_dump(dict(record), sort_keys=False))
    (folder / "r.yaml").write_text(yaml.safe_dump(words, sort_keys=False))
    laid = ("--catalog", str(mine)) if records else ()
    options = ("--config", str(folder / "r.yaml"), *laid, "--format", "json")
    return loads(run("plan", *options).stdout)


def codes(plan: Words) -> set[str]:
    return {f["code"] for f in plan["findings"]}


def message(plan: Words, code: str) -> str:
    return next(str(f["message"]) for f in plan["findings"] if f["code"] == code)


def layout_of(level: str) -> Words:
    """The shipped layout, its data groups of another level; the shipped design uses neither RAID 5 nor RAID 10."""
    shipped = load_catalog()[0].raw["pixstor-6.me4084.hdmd"]["groups"][0]
    return replacing("pixstor-6.me4084.hdmd", groups=[shipped | {"level": level}])


class Effect(NamedTuple):
    """A bound replaced by a value that a plan cannot keep: the code that comes, or the part of the plan that changes."""

    record: str
    value: Any
    code: str = ""
    part: str = ""
    request: Words | None = None
    beside: Words | None = None


SOURCES = [{"document": "pixsize", "place": "a test"}]
SMALL_INODES = request(filesystem={"inode_size": "512 B"})

EFFECTS = (
    Effect("scale.nsds", 40, "PX509"),
    Effect("scale.failure_group_max", 103, "PX514"),
    Effect("scale.nsd_servers", 1, "PX521"),
    Effect("scale.block_min", "16 MiB", "PX518"),
    Effect("scale.block_max", "4 MiB", "PX518"),
    Effect("scale.inode_sizes", ["512 B", "1 KiB"], "PX102"),
    Effect("scale.replicas_max", 1, "PX108"),
    Effect("scale.pools", 1, "PX517"),
    Effect("scale.descriptor_copies", [2], "PX512"),
    Effect("scale.metadata_beside_inode", "64 KiB", part="figures"),
    Effect("scale.metadata_beside_small_inode", "64 KiB", part="figures", request=SMALL_INODES),
    Effect("scale.first_data_failure_group", 501, part="targets"),
    Effect("me4.volume_bytes", "80 TiB", "PX516"),
    Effect("me4.volume_alignment", "1 GiB", part="volumes"),
    Effect("me4.lun_min", 20, part="volumes"),
    Effect("me4.lun_max", 8, "PX508"),
    Effect("me4.r1_drives", 4, "PX503"),
    Effect("me4.r5_drives_min", 11, "PX503", beside=layout_of("r5")),
    Effect("me4.r5_drives_max", 9, "PX503", beside=layout_of("r5")),
    Effect("me4.r6_drives_min", 11, "PX503"),
    Effect("me4.r6_drives_max", 9, "PX503"),
    Effect("me4.r10_drives_min", 12, "PX503", beside=layout_of("r10")),
    Effect("me4.r10_drives_max", 8, "PX503", beside=layout_of("r10")),
    Effect("me4.chunk_sizes", ["64 KiB"], "PX102"),
    Effect("me4.name_bytes", 12, "PX527"),
    Effect("me4.groups_per_array", 4, "PX527"),
    Effect("me4.spares_per_array", 3, "PX527"),
    Effect("me4.enclosures_5u", 1, "PX526", request=request(expansion=True)),
    Effect("me4.drives_5u", 83, "PX526"),
    Effect("me4.enclosures_2u", 0, "PX526"),
    Effect("me4.drives_2u", 23, "PX526"),
    Effect("pixsize.modules", 1, "PX114", request=request(count=2)),
    Effect("pixsize.name_chars", 6, "PX107"),
    Effect("pixstor-6.expansions", 0, "PX111", request=request(expansion=True)),
)


@pytest.mark.long
@pytest.mark.parametrize("effect", EFFECTS, ids=lambda e: e.record)
def test_a_bound_that_is_replaced_has_its_effect(tmp_path: Path, effect: Effect) -> None:
    words, beside = effect.request or request(), [effect.beside] if effect.beside else []
    before = planned(tmp_path, words, replacing(effect.record), *beside)
    assert "targets" in before, before["findings"]
    word = "value" if "value" in replacing(effect.record) else "values"
    after = planned(tmp_path, words, replacing(effect.record, **{word: effect.value}), *beside)
    if effect.code:
        assert codes(after) - codes(before) == {effect.code}
    else:
        assert after[effect.part] != before[effect.part]


def test_a_bound_that_is_confirmed_stops_the_plan_and_another_warns(tmp_path: Path) -> None:
    """The same number: a warning while it is a sibling's, an error once the vendor has confirmed it, and back."""
    for record, shipped in (("me4.groups_per_array", False), ("me4.drives_5u", True)):
        for confirmed in (True, False):
            plan = planned(tmp_path, request(), replacing(record, value=4, confirmed=confirmed))
            code, has_plan = ("PX526", False) if confirmed else ("PX527", True)
            assert codes(plan) & {"PX526", "PX527"} == {code}
            assert ("targets" in plan) == has_plan
            assert ("unconfirmed" in message(plan, code)) != confirmed
        assert replacing(record).get("confirmed", True) == shipped


def test_a_choice_can_be_made_longer(tmp_path: Path) -> None:
    for record, values, words in (
        ("me4.chunk_sizes", ["512 KiB", "1 MiB"], request(chunk_size="1 MiB")),
        ("scale.inode_sizes", ["4 KiB", "8 KiB"], request(filesystem={"inode_size": "8 KiB"})),
    ):
        refused = planned(tmp_path, words)
        assert codes(refused) == {"PX102"}
        assert record in message(refused, "PX102")
        assert "targets" in planned(tmp_path, words, replacing(record, values=values))


def test_a_block_and_a_replica_more(tmp_path: Path) -> None:
    for record, value, words, code in (
        ("scale.block_max", "32 MiB", request(filesystem={"block_size": "32 MiB"}), "PX518"),
        ("scale.replicas_max", 4, request(arrays=4, filesystem={"metadata_replicas": 4}), "PX108"),
    ):
        assert codes(planned(tmp_path, words)) == {code}
        assert "targets" in planned(tmp_path, words, replacing(record, value=value))


def test_the_number_of_expansions_is_the_catalogs(tmp_path: Path) -> None:
    two = request(expansion=2)
    assert "this design allows 1" in message(planned(tmp_path, two), "PX111")
    more = planned(tmp_path, two, replacing("pixstor-6.expansions", value=2))
    assert codes(more) == {"PX104"}
    assert "pixsize plans one" in message(more, "PX104")
    none = planned(tmp_path, request(expansion=True), replacing("pixstor-6.expansions", value=0))
    assert "this design allows 0" in message(none, "PX111")


def test_a_drive_is_added(tmp_path: Path) -> None:
    drive = {
        "kind": "drive",
        "sources": SOURCES,
        "id": "nl-sas-21.7tb",
        "title": "NL-SAS HDD, 21.7 TB",
        "capacity": "21.7 TB",
        "media": "nl-sas",
    }
    words = request(data_drive="21.7 TB")
    assert codes(planned(tmp_path, words)) == {"PX109"}
    plan = planned(tmp_path, words, drive | CITED)
    assert plan["figures"]["capacity.raw"]["value"] == 4 * 84 * 21_700_000_000_000
    assert {g["drive"] for g in plan["disk_groups"]} == {"nl-sas-21.7tb", "ssd-960gb"}


def test_a_server_takes_the_place_of_another(tmp_path: Path) -> None:
    server = {
        "kind": "server",
        "sources": SOURCES,
        "id": "r760",
        "replaces": "r750",
        "title": "PowerEdge R760",
        "rack_units": "4 U",
    }
    before = planned(tmp_path, request("medium"))["figures"]
    after = planned(tmp_path, request("medium"), server | CITED | {"memory_rate": "10 GB/s"})["figures"]
    height = "hardware.rack_units"
    assert after[height]["value"] - before[height]["value"] == 4 * (4 - 2)
    write = "throughput.sequential.n_n.write.peak"
    assert after[write]["limited_by"] == "server memory"
    assert before[write]["value"] > after[write]["value"] == 5 * GB


def test_a_module_size_is_added(tmp_path: Path) -> None:
    size = {
        "kind": "module_size",
        "sources": SOURCES,
        "id": "pixstor-6.three",
        "title": "Three",
        "design": "pixstor-6",
        "size": "three",
    }
    assert codes(planned(tmp_path, request("three"))) == {"PX102"}
    plan = planned(tmp_path, request("three"), size | CITED | {"arrays": 3})
    assert [a["id"] for a in plan["arrays"]] == ["sm01a1", "sm01a2", "sm01a3", "hm01a1", "hm01a2", "hm01a3"]
    assert plan["figures"]["volumes.data"]["value"] == 24


def test_a_module_needs_a_port_to_every_controller(tmp_path: Path) -> None:
    """Eight arrays have sixteen controllers; two HBA355e have eight ports, two of eight ports sixteen."""
    size = {
        "kind": "module_size",
        "sources": SOURCES,
        "id": "pixstor-6.eight",
        "title": "Eight",
        "design": "pixstor-6",
        "size": "eight",
    }
    eight = size | CITED | {"arrays": 8}
    plan = planned(tmp_path, request("eight"), eight)
    assert (codes(plan) - {"PX410"}, "targets" in plan) == ({"PX528"}, False)
    assert "needs 16 SAS ports for the controllers of 8 arrays, and has 8" in message(plan, "PX528")
    assert "targets" in planned(tmp_path, request("eight"), eight, replacing("hba355e", ports=8))


def test_a_measurement_is_added(tmp_path: Path) -> None:
    figure = "throughput.sequential.n_n.write.peak"
    measured = {
        "kind": "measurement",
        "id": f"site.{figure}",
        "title": "Acceptance test",
        "figure": figure,
        "unit": "B/s",
        "system": {
            "design": "pixstor-6",
            "storage_modules": [{"size": "small", "data_drive": "nl-sas-12tb"}],
            "hdmd": {"arrays": 1, "drive": "ssd-960gb"},
            "block_size": "8 MiB",
        },
        "readings": [{"value": "5.2 GB/s", "document": "pixsize", "place": "acceptance test"}],
        "conditions": {"tool": "IOzone"},
    }
    before = planned(tmp_path, request("small", arrays=1))["figures"][figure]
    after = planned(tmp_path, request("small", arrays=1), measured | CITED)["figures"][figure]
    assert (before["basis"], after["basis"], after["value"]) == ("estimated", "measured", 5_200_000_000)
    assert after["inputs"] == [f"site.{figure}", "spread.sequential.n_n"]


def test_a_constant_takes_the_place_of_another(tmp_path: Path) -> None:
    margin = replacing("me4.volume_margin", value="10 %", low="10 %", high="10 %")
    assert "10.0 % under nominal" in message(planned(tmp_path, request(), margin), "PX410")


# --- what documents print of a figure -----------------------------------------------------------------------------


def readings(plan: Words, figure: str) -> list[tuple[str, bool]]:
    return [(r["text"], r["used"]) for r in plan["figures"][figure].get("readings", ())]


def test_both_readings_of_a_capacity_are_shown(tmp_path: Path) -> None:
    hdmd, standard = planned(tmp_path, request()), planned(tmp_path, request(arrays=0))
    for plan in (hdmd, standard):
        assert ("3072 GB", False) in readings(plan, "capacity.formatted")
        assert ("2794 TiB", True) in readings(plan, "capacity.formatted")
        assert plan["figures"]["capacity.formatted"]["value"] == 3072 * TB
    assert ("4032 TB", True) in readings(hdmd, "capacity.raw")
    assert readings(standard, "capacity.raw") == [("4032 TB", False), ("3840 TB", True)]
    assert standard["figures"]["capacity.raw"]["value"] == 3840 * TB


def test_the_largest_module_of_the_document(tmp_path: Path) -> None:
    words = request(expansion=True, data_drive="18 TB")
    plan = planned(tmp_path, words)
    assert ("12096 TB", True) in readings(plan, "capacity.raw")
    assert readings(plan, "capacity.formatted") == [("8 PiB", False), ("9216 TB", True)]
    standard = planned(tmp_path, request(arrays=0, expansion=True, data_drive="18 TB"))
    assert ("12096 TB", False) in readings(standard, "capacity.raw")


def test_other_systems_have_no_printed_capacities(tmp_path: Path) -> None:
    for words in (request("medium"), request(count=2), request(data_drive="8 TB")):
        plan = planned(tmp_path, words)
        assert readings(plan, "capacity.raw") == readings(plan, "capacity.formatted") == []


def test_explain_names_the_reading_the_place_and_the_reason(tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text(yaml.safe_dump(request()))
    options = ("--config", str(tmp_path / "r.yaml"))
    tree = loads(run("explain", "capacity.formatted", *options, "--format", "json").stdout)["figures"][0]
    misprint, meant = tree["readings"][:2]
    assert (misprint["text"], misprint["used"], meant["text"], meant["used"]) == ("3072 GB", False, "2794 TiB", True)
    for reading in (misprint, meant):
        assert reading["source"]["id"] == "dell-pixstor-6"
        assert reading["source"]["place"].startswith("Table 1, Capacity")
        assert reading["why"]
    assert "TB is meant" in misprint["why"]
    raw = next(i for i in tree["inputs"] if i["id"] == "capacity.raw")
    assert ("4032 TB", True) in [(r["text"], r["used"]) for r in raw["readings"]]
    assert "another reading: 3072 GB" in run("explain", "capacity.formatted", *options).stdout


def test_a_statement_is_added(tmp_path: Path) -> None:
    """A site's own brochure says 750 TB: what is calculated, 768 TB, does not agree with it."""
    brochure = {
        "kind": "statement",
        "id": "site.small",
        "title": "Our brochure",
        "figure": "capacity.formatted",
        "unit": "B",
        "system": {"design": "pixstor-6", "storage_modules": [{"size": "small", "data_drive": "nl-sas-12tb"}]},
        "readings": [{"value": "750 TB", "document": "pixsize", "place": "page 2 of it", "why": "as printed"}],
    }
    plan = planned(tmp_path, request("small"), brochure | CITED)
    assert readings(plan, "capacity.formatted") == [("750 TB", False)]
    right = brochure | {"readings": [brochure["readings"][0] | {"value": "0.77 PB"}]}  # type: ignore[index]
    assert readings(planned(tmp_path, request("small"), right | CITED), "capacity.formatted") == [("0.77 PB", True)]


# --- heights ------------------------------------------------------------------------------------------------------


def test_rack_units_are_no_stronger_than_the_heights(tmp_path: Path) -> None:
    judged = ("r750", "r650", "n2248x-on")
    others = ("r740-lustre-me4", "sb7800", "arista-7060cx-32", "omni-path-100swe48qf", "s4148t-on")
    shipped = load_catalog()[0]
    assert {i for i, r in shipped.raw.items() if r.get("rack_units_basis") == "estimated"} >= {*judged, *others}
    assert planned(tmp_path, request())["figures"]["hardware.rack_units"]["basis"] == "estimated"
    known = [replacing(i, rack_units_basis="specified") for i in judged]
    assert planned(tmp_path, request(), *known)["figures"]["hardware.rack_units"]["basis"] == "specified"
    assert planned(tmp_path, request(), *known[1:])["figures"]["hardware.rack_units"]["basis"] == "estimated"
