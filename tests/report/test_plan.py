"""A plan as text, Markdown, JSON and YAML: complete, in order, within 80 columns, and as its schema says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import jsonschema
import pydantic
import pytest
import yaml

from pixsize import workflow
from pixsize.estimate.ids import is_by_threads
from pixsize.plan.records import INTERNAL
from pixsize.report import markdown, plan_json, plan_schema, request_schema, serialize, text
from pixsize.report.bill import bill
from pixsize.report.document import Column, Items, Page, Section, Table
from pixsize.report.labels import first_to_last, grouped, label
from pixsize.report.plan_page import page
from pixsize.report.printable import width
from pixsize.resources import folder
from pixsize.texts import plural
from tests.report.test_rates import figure
from tests.support.planned import facts

EXAMPLES = sorted(p.stem for p in folder("examples").glob("*.yaml"))
TB = 10**12


def words(example: str) -> dict[str, Any]:
    held: dict[str, Any] = json.loads(serialize.to_json(plan_json.document(facts(example))))
    return held


def request_words(example: str) -> Any:
    return yaml.safe_load((folder("examples") / f"{example}.yaml").read_text())


# JSON


@pytest.mark.parametrize("example", EXAMPLES)
def test_json_is_what_its_schema_says(example: str) -> None:
    schema = plan_schema.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(words(example))


@pytest.mark.parametrize("agent", ["fence_apc_snmp", "fence_sbd"])
def test_a_second_level_and_a_second_link_are_in_the_plan_and_both_schemas(agent: str, tmp_path: Path) -> None:
    asked = request_words("lustre-me4")
    servers = ["mds01", "mds02", "oss01", "oss02"]
    outlets = {server: [f"10.31.0.{pdu}/{n}" for pdu in (1, 2)] for n, server in enumerate(servers, 1)}
    second = {"outlets": outlets} if agent == "fence_apc_snmp" else {"devices": ["/dev/mapper/sbd1"]}
    asked["fencing"] |= {"second": {"agent": agent} | second, "ring": {"subnet": "10.40.0.0/24"}}
    jsonschema.Draft202012Validator(request_schema.schema()).validate(asked)
    (tmp_path / "request.yaml").write_text(yaml.safe_dump(asked))
    seen = words(str(tmp_path / "request.yaml"))
    jsonschema.Draft202012Validator(plan_schema.schema()).validate(seen)
    jsonschema.Draft202012Validator(request_schema.schema()).validate(seen["request"])
    assert seen["request"]["fencing"]["ring"]["addresses"] == {s: f"10.40.0.{n}" for n, s in enumerate(servers, 1)}
    assert "fencing.ring.addresses" in seen["defaults"]
    assert seen["filesystem"]["second_fence_agent"] == agent
    assert seen["filesystem"].get("sbd_devices") == second.get("devices")
    given = {s["id"]: (s.get("outlets"), s["ring"]) for s in seen["servers"] if s["role"] != "management"}
    expected = second.get("outlets", {})
    assert given == {s: (expected.get(s), f"10.40.0.{n}") for n, s in enumerate(servers, 1)}
    plan = workflow.plan(workflow.Given(str(tmp_path / "request.yaml"))).sized
    assert plan is not None
    assert yaml.safe_load(serialize.to_yaml(plan_json.document(plan)))["filesystem"] == seen["filesystem"]


def test_schema_refuses_what_is_not_described() -> None:
    validator = jsonschema.Draft202012Validator(plan_schema.schema())
    good = words("small")
    for broken in (
        {**good, "more": 1},
        {k: v for k, v in good.items() if k != "targets"},
        {**good, "targets": [{**good["targets"][0], "failure_group": "1"}]},
        {**good, "figures": {"x": {**good["figures"]["capacity.raw"], "unit": "TB"}}},
    ):
        assert not validator.is_valid(broken)


def test_every_key_of_the_plan_schema_is_described() -> None:
    def undescribed(part: Any, path: str) -> list[str]:
        if not isinstance(part, dict):
            return []
        own = [path] if ("type" in part or "const" in part) and not part.get("description") else []
        below = [
            *part.get("properties", {}).items(),
            ("items", part.get("items")),
            ("*", part.get("additionalProperties")),
            *(("|", form) for form in part.get("anyOf", ())),
        ]
        return own + [p for name, held in below for p in undescribed(held, f"{path}.{name}")]

    top = plan_schema.schema()
    assert undescribed(top, "plan") == []


def test_a_field_that_nothing_describes_is_no_word() -> None:
    class Tape(NamedTuple):
        slots: int

    with pytest.raises(TypeError, match=r"Tape\.slots"):
        plan_json.fields_of(Tape)


def test_words_are_required_unless_their_default_is_empty() -> None:
    class Tape(NamedTuple):
        slot: Annotated[int, "where it is"]
        serial: Annotated[str | None, "its number"]
        label: Annotated[str, "what stands on it"] = ""
        side: Annotated[int, "which side is read"] = 0
        inside: Annotated[str, INTERNAL] = ""

    assert {f.name: f.always for f in plan_json.fields_of(Tape)} == {
        "slot": True,
        "serial": True,
        "label": False,
        "side": True,
    }


def test_a_lun_of_zero_is_a_word_and_a_volume_of_a_pool_has_none() -> None:
    plan = facts("lustre-me4")
    zero = plan.plan.volumes[0]._replace(lun=0)
    held = plan_json.document(plan._replace(plan=plan.plan._replace(volumes=(zero,))))
    assert held["volumes"][0]["lun"] == 0
    assert not any({"lun", "array", "owner"} & v.keys() for v in words("lustre-powerflex")["volumes"])


def test_json_holds_every_part_of_the_plan() -> None:
    plan, held = facts("mix").plan, words("mix")
    for key in ("servers", "arrays", "switches", "disk_groups", "volumes", "targets", "modules"):
        assert [part["id"] for part in held[key]] == [part.id for part in getattr(plan, key)]
    assert len(held["spares"]) == len(plan.spares)
    drives = sum(len(g["slots"]) for g in (*held["disk_groups"], *held["spares"]))
    assert drives == sum(
        n for n, _, use in bill(plan, facts("mix").catalog) if re.search(r"\d (data|metadata|hot)", use)
    )


def test_json_holds_what_the_arrays_reported_of_volumes() -> None:
    given = workflow.Given("large+hdmd", observed=folder("examples") / "large+hdmd.observed")
    found = workflow.plan(given).sized
    assert found is not None
    held = json.loads(serialize.to_json(plan_json.document(found)))
    jsonschema.Draft202012Validator(plan_schema.schema()).validate(held)
    assert [v["reported_bytes"] for v in held["volumes"]] == [v.reported_bytes for v in found.plan.volumes]
    assert [v["wwid"] for v in held["volumes"]] == [v.wwid for v in found.plan.volumes]
    assert not any({"wwid", "reported_bytes"} & v.keys() for v in words("large+hdmd")["volumes"])


def test_json_of_a_system_that_the_document_describes() -> None:
    held = words("large+hdmd")
    assert held["schema"] == "pixsize.plan/1"
    assert {a["model"] for a in held["arrays"]} == {"PowerVault ME4084", "PowerVault ME4024"}
    assert [e["model"] for e in words("large+expansion")["arrays"][0]["enclosures"]] == [
        "PowerVault ME4084",
        "PowerVault ME484",
    ]
    assert {s["model"] for s in held["servers"] if s["role"] != "management"} == {"PowerEdge R750"}
    raw = held["figures"]["capacity.raw"]
    assert (raw["value"], raw["low"], raw["high"], raw["unit"], raw["basis"]) == (
        4032 * TB,
        4032 * TB,
        4032 * TB,
        "B",
        "exact",
    )
    assert all({"document", "id", "place"} == set(s) for f in held["figures"].values() for s in f["sources"])
    assert all(isinstance(t["failure_group"], int) and len(t["servers"]) == 2 for t in held["targets"])
    assert {"code", "severity", "message", "where", "hint", "file", "line", "column"} <= set(held["findings"][0])
    assert held["request"]["filesystem"]["block_size"] == "8 MiB"
    assert "filesystem.block_size" in held["defaults"]


def test_readings_say_which_was_used_and_why() -> None:
    readings = [r for f in words("large+hdmd")["figures"].values() for r in f.get("readings", ())]
    assert readings
    assert {r["used"] for r in readings} == {True, False}
    assert all(r["why"] for r in readings if not r["used"])


def test_json_and_yaml_say_the_same() -> None:
    document = plan_json.document(facts("mix"))
    loaded = yaml.load(serialize.to_yaml(document), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    assert loaded == json.loads(serialize.to_json(document))
    assert not re.search(
        r"^ *(- )?[&*]|: [&*]", serialize.to_yaml({**document, "same": [document["request"]] * 2}), re.M
    )
    assert "&" not in serialize.block_yaml({"a": [document["request"]] * 2})


def test_json_is_ascii_and_has_a_line_for_each_part() -> None:
    shown = serialize.to_json(
        {"schema": "x", "a": [{"b": "\u2013\x1b"}, {"c": [1, 2]}], "d": {}, "e": [], "f": {"g": None}}
    )
    assert shown.isascii()
    assert "\x1b" not in shown
    assert shown.splitlines()[3:5] == ['    {"b": "\\u2013\\u001b"},', '    {"c": [1, 2]}']
    assert json.loads(shown) == {
        "schema": "x",
        "a": [{"b": "\u2013\x1b"}, {"c": [1, 2]}],
        "d": {},
        "e": [],
        "f": {"g": None},
    }


# The schema of requests


@pytest.mark.parametrize("example", EXAMPLES)
def test_request_schema_accepts_the_shipped_examples(example: str) -> None:
    schema = request_schema.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(request_words(example))


def test_models_of_two_products_may_have_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """A product's author need not know how others call their models: no definition takes another's place."""
    disks = pydantic.create_model("Network", disks=(int, ...))
    first = pydantic.create_model("FirstRequest", network=(disks, ...))
    ports = pydantic.create_model("Network", __module__="other", ports=(str, ...))
    second = pydantic.create_model("SecondRequest", network=(ports, ...))
    monkeypatch.setattr(request_schema, "_models", lambda: (first, second))
    schema = jsonschema.Draft202012Validator(request_schema.schema())
    assert schema.is_valid({"network": {"disks": 1}})
    assert schema.is_valid({"network": {"ports": "a"}})
    assert not schema.is_valid({"network": {"disks": "a"}})


@pytest.mark.parametrize("example", EXAMPLES)
def test_request_schema_accepts_completed_requests(example: str) -> None:
    completed = words(example)["request"]
    jsonschema.Draft202012Validator(request_schema.schema()).validate(completed)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("desing", "pixstor-6"),
        ("filesystem.block_size", 8),
        ("filesystem.block_size", "8"),
        ("filesystem.failure_groups", "one"),
        ("storage_modules", []),
        ("storage_modules.0.count", 0),
        ("storage_modules.0.size", None),
        ("hdmd.drive", None),
        ("hdmd.arrays", "1"),
    ],
)
def test_request_schema_refuses_what_load_refuses(path: str, value: object) -> None:
    broken = request_words("large+hdmd")
    *above, last = path.split(".")
    part = broken
    for step in above:
        part = part[int(step)] if step.isdigit() else part[step]
    if value is None:
        del part[last]
    else:
        part[last] = value
    assert not jsonschema.Draft202012Validator(request_schema.schema()).is_valid(broken)


def test_every_word_of_a_request_is_described() -> None:
    schema = request_schema.schema()
    bodies = schema["$defs"]
    assert {o["$ref"] for o in schema["anyOf"]} <= {f"#/$defs/{name}" for name in bodies}
    missing = [f"{n}.{w}" for n, b in bodies.items() for w, a in b["properties"].items() if not a.get("description")]
    assert missing == []


# Text and Markdown


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.parametrize("columns", [40, 60, 80, 100, 140])
@pytest.mark.parametrize("long", [False, True])
def test_text_fits_the_columns(example: str, columns: int, long: bool) -> None:
    for bars in (False, True):
        drawn = text.plain(text.lines(page(facts(example), long=long), columns, bars))
        assert max(map(width, drawn.splitlines())) <= columns
        assert not re.search(r"[ \t]$", drawn, re.M)


@pytest.mark.parametrize("example", EXAMPLES)
def test_waterfall_adds_up_as_printed(example: str) -> None:
    drawn = text.draw(page(facts(example), long=True))
    section = drawn.split("Capacity for data\n")[1].split("Capacity for metadata")[0]
    row = re.compile(r"^  (-?) ?([A-Za-z ]+?)  +(-?[\d,.]+)  +(-?[\d,.]+)(?:  +[-\d,.]+ to [\d,.]+)?  +\w+$", re.M)
    steps = [(bool(loss), name, float(tb.replace(",", ""))) for loss, name, tb, _ in row.findall(section)]
    assert (steps[0][1], steps[-1][1]) == ("as sold", "usable")
    left = steps[0][2]
    for is_loss, name, terabytes in steps[1:]:
        assert is_loss or abs(left - terabytes) < 0.02, name
        left = left + terabytes if is_loss else terabytes


def test_waterfall_gives_a_reason_for_each_step() -> None:
    drawn = text.draw(page(facts("large+hdmd"), long=True), 100)
    for step in ("as sold", "hot spares", "parity", "formatted", "array overhead", "file system", "usable"):
        assert re.search(rf"^  - {step}: \S.{{20,}}", drawn, re.M), step


def test_tb_and_tib_stand_side_by_side() -> None:
    drawn = text.draw(page(facts("large+hdmd"), long=True))
    assert re.search(r"^  formatted +3072\.00 +2793\.97 +exact$", drawn, re.M)
    assert re.search(r"^  usable +5\.76 +5\.24 +exact$", drawn, re.M)


def test_numbers_of_a_column_end_below_each_other() -> None:
    drawn = text.draw(page(facts("mix"), long=True)).split("Capacity for data\n")[1].split("\n\n")[0].splitlines()[3:]
    assert len({re.match(r".*?\d\.\d\d(?=  )", line).end() for line in drawn}) == 1  # type: ignore[union-attr]


def test_rates_say_range_basis_and_what_limits_them() -> None:
    drawn = text.draw(page(facts("small"), long=True), 100)
    row = re.search(r"^  write, peak +([\d.]+) GB/s +([\d.]+) to ([\d.]+) GB/s +(\w+) +(\S.*)$", drawn, re.M)
    assert row
    assert float(row[2]) < float(row[1]) < float(row[3])
    assert row[4] == "estimated"


def test_bars_show_what_is_left_and_what_is_lost() -> None:
    drawn = [
        line
        for line in text.plain(text.lines(page(facts("large+hdmd"), long=True), 100, True)).splitlines()
        if "\u2588" in line
    ]
    full = [line.count("\u2588") for line in drawn]
    lost = [line.count("\u2591") for line in drawn]
    assert len(drawn) == 7
    assert full == sorted(full, reverse=True)
    assert full[0] == full[1] + lost[1]
    assert full[3] == round(full[0] * 3072 / 4032)
    assert "\u2588" not in text.draw(page(facts("large+hdmd")), 140)


@pytest.mark.parametrize("example", EXAMPLES)
def test_markdown_is_complete(example: str) -> None:
    known = facts(example)
    shown = markdown.draw(page(known, complete=True))
    assert shown.startswith(f"# {known.plan.name}\n")
    for count, item, _ in bill(known.plan, known.catalog):
        assert f"| {count:,} | {item} |" in shown
    for finding in known.findings:
        assert finding.code in shown
    titles = {known.catalog.record(s.document).title for f in known.figures.values() for s in f.sources}
    assert all(markdown.escape(t) in shown for t in titles)
    tables = re.findall(r"(?:^\|.*\n)+", shown, re.M)
    assert all(len({len(re.findall(r"(?<!\\)\|", line)) for line in t.splitlines()}) == 1 for t in tables)


def test_markdown_takes_nothing_from_texts_as_markup() -> None:
    table = Table((Column("a|b"),), (("*c* | <d> [e](f) `g|h`",),))
    shown = markdown.draw(Page("x_y_\x1b", (), (Section("s", (table, Items(("# i", "- j")), "_p_ a_b[0]", "> q")),)))
    assert shown.splitlines()[0] == "# x_y\\_\\\\x1b"
    assert "| \\*c\\* \\| \\<d> \\[e](f) `g\\|h` |" in shown
    assert "\n- \\# i\n- \\- j\n" in shown
    assert "\n\\_p\\_ a_b[0]\n" in shown
    assert "\n\\> q\n" in shown


def test_long_words_in_a_table_stay_within_the_width() -> None:
    table = Table(
        (Column("name"), Column("what", wraps=True), Column("why", wraps=True)), (("n" * 20, "w" * 300, "y z " * 80),)
    )
    assert max(width("".join(p for _, p in line)) for line in text.table(table, 80)) <= 80


def test_control_characters_of_an_overlay_never_reach_the_page() -> None:
    evil = Page(
        "\x1b[2J", (("a", "\x07"),), (Section("s", ("\x9b", Items(("\u202e",)), Table((Column(""),), (("\r",),)))),)
    )
    for shown in (text.draw(evil), markdown.draw(evil)):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", shown)


# Words


def test_labels() -> None:
    assert label("write.peak") == "write, peak"
    assert label("new_thing.read") == "new thing, read"
    assert plural(1, "switch") == "1 switch"
    assert plural(2, "switch") == "2 switches"
    assert plural(1200, "file") == "1,200 files"
    assert first_to_last(["a", "b", "c"]) == "a, b, c"
    assert first_to_last(["a", "b", "c", "d"]) == "a ... d"


def test_a_figure_that_nobody_foresaw_is_shown_all_the_same() -> None:
    figures = {i: figure(1, 2, 3, figure_id=i) for i in ("throughput.new.read", "throughput.x", "metadata.rename.peak")}
    groups = grouped(figures, "throughput", {"throughput.x": "its own name"})
    assert {title: [name for name, _ in rows] for title, rows in groups.items()} == {
        "Further throughput": ["new, read", "its own name"]
    }


def test_only_the_long_report_speaks_of_threads() -> None:
    """A row for each figure."""
    known = facts("large+hdmd")
    short, long = (text.draw(page(known, long=wanted), 140) for wanted in (False, True))
    assert "threads of the clients" not in short
    section = long[long.index("Rates by threads of the clients") : long.index("Further figures")]
    rows = re.findall(r"^  ([\d,]+) threads? ", section, re.M)
    assert len(rows) == len([i for i in known.figures if is_by_threads(i)])
    assert re.search(r"  4 threads +19\.8 GB/s +\S+ to \S+ GB/s +measured +client threads", section)
    assert "1,024 threads" in section


def test_report_speaks_of_every_figure() -> None:
    known = facts("large+hdmd")
    drawn = text.draw(page(known, long=True), 140)
    for figure_id in known.figures:
        is_rate = figure_id.startswith("throughput") or figure_id.split(".")[0] == "metadata"
        if is_rate and not is_by_threads(figure_id):
            assert label(".".join(figure_id.split(".")[-2:])) in drawn
    assert "Room for 1,023,045,120 files; " in drawn
