"""The short page of a plan: a screen and a half, what may be promised first, and nothing that only an engineer needs."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pixsize import units, workflow
from pixsize.codes import codes
from pixsize.report import markdown, plan_json, text
from pixsize.report.labels import said, said_span, span, value
from pixsize.report.plan_page import page
from pixsize.report.promises import promises
from pixsize.report.sized_plan import SizedPlan
from pixsize.report.waterfall import ends
from pixsize.resources import folder
from tests.report.test_rates import figure
from tests.support.planned import facts

EXAMPLES = sorted(p.stem for p in folder("examples").glob("*.yaml"))
FIGURES = {
    "usable capacity": "capacity.usable",
    "usable, nvme": "nvme.capacity.usable",
    "files": "files.max",
    "write, one file per thread (N-N)": "throughput.sequential.n_n.write.sustained",
    "read, one file per thread (N-N)": "throughput.sequential.n_n.read.sustained",
    "write, one file for all (N-1)": "throughput.sequential.n_1.write.sustained",
    "read, one file for all (N-1)": "throughput.sequential.n_1.read.sustained",
    "random write, 4 KiB": "throughput.random_4k.write.sustained",
    "random read, 4 KiB": "throughput.random_4k.read.sustained",
    "create empty files": "metadata.empty.create.sustained",
    "create files": "metadata.empty.create.sustained",
    "create 128-byte files": "metadata.128b.create.sustained",
    "create 3 KiB files": "metadata.3k.create.sustained",
    "create 4 KiB files": "metadata.4k.create.sustained",
    "read 4 KiB files": "metadata.4k.read.sustained",
}
"""What each name on the page is in JSON."""
SCALES = {"million": 10**6, "billion": 10**9, "TB": 10**12, "TiB": 2**40, "GB": 10**9, "GB/s": 10**9, "MB/s": 10**6}


def shown(example: str, columns: int = 80, **wanted: Any) -> str:
    return text.draw(page(facts(example), **wanted), columns)


def table(drawn: str) -> list[list[str]]:
    """The cells of the first table."""
    block = drawn.split("What it holds and does\n")[1].split("\n\n", maxsplit=1)[0].splitlines()[3:]
    return [re.split(r"\s{2,}", line.strip()) for line in block]


def number(cell: str) -> Decimal:
    """What a cell says: `3.2 million/s`, `2976 TB`."""
    found = re.fullmatch(r"([\d.,]+)(?: (\S+?))?(?:/s)?", cell) or re.fullmatch(r"([\d.,]+) (\S+)", cell)
    assert found, cell
    unit = found[2] or ""
    return Decimal(found[1].replace(",", "")) * SCALES.get(unit, 1)


def one_module(example: str) -> bool:
    plan = facts(example).plan
    storage = {m.id for m in plan.modules for a in plan.arrays if a.id in m.arrays and a.role == "storage"}
    return len(storage) <= 1 and not plan.additions


# How long it is, and what is on it


def test_most_examples_have_one_module() -> None:
    assert sum(map(one_module, EXAMPLES)) > len(EXAMPLES) / 2
    assert not one_module("mix")


def test_a_system_of_one_module_takes_a_screen_and_a_half() -> None:
    lines = {example: len(shown(example).splitlines()) for example in filter(one_module, EXAMPLES)}
    assert {example: count for example, count in lines.items() if count > 62} == {}


@pytest.mark.parametrize("draw", [lambda p: text.draw(p, 400), markdown.draw])
@pytest.mark.parametrize("example", EXAMPLES)
def test_no_name_of_a_server_no_rule_no_default_and_no_peak(example: str, draw: Any) -> None:
    known = facts(example)
    drawn = draw(page(known))
    words = set(re.findall(r"[\w.-]+", drawn))
    plan = known.plan
    kinds = (plan.servers, plan.arrays, plan.volumes, plan.targets, plan.disk_groups)
    assert not words & {part.id for kind in kinds for part in kind}
    assert not [f.rule for f in known.figures.values() if f.rule[:50] in drawn]
    assert not [path for path in known.defaults if "." in path and path in drawn]
    assert not re.search(r", peak|limited by|chunk size|ConnectX.*SAS \d|Left to defaults", drawn)


def test_first_what_may_be_promised_then_warnings_parts_and_the_way_of_the_capacity() -> None:
    sections = [s.title for s in page(facts("large+hdmd")).sections]
    assert sections == ["What it holds and does", "Warnings", "Parts", "From drives to usable capacity"]
    assert [s.title for s in page(facts("medium")).sections][1] == "Notes"


# Its figures are those of the JSON


@pytest.mark.parametrize("example", EXAMPLES)
def test_what_may_be_promised_is_what_json_has(example: str) -> None:
    """The low end rounded down, the value to three digits, the basis, and a mark where the range is wide."""
    figures = plan_json.document(facts(example))["figures"]
    rows = table(shown(example, 200))
    last = ""
    for name, low, expected, *basis in rows:
        if name != "the same in TiB":
            last = name
        if last not in FIGURES or FIGURES[last] not in figures:
            assert low == "not known", name
            peak = figures.get(FIGURES.get(last, "").replace(".sustained", ".peak"))
            if not peak:
                assert (expected, basis) == ("not known", ["no data"]), name
                continue
            value, _, word = expected.rpartition(" ")
            assert (word, basis) == ("peak", [peak["basis"]])
            assert abs(number(value) - peak["value"]) <= peak["value"] * Decimal("0.006"), name
            continue
        held = figures[FIGURES[last]]
        assert held["low"] * Decimal("0.9") <= number(low) <= held["low"], name
        assert abs(number(expected) - held["value"]) <= held["value"] * Decimal("0.006"), name
        assert number(low) <= number(expected)
        wide = held["high"] > 2 * held["low"]
        assert name == "the same in TiB" or basis == [held["basis"] + " !" * wide]
    assert {"usable capacity", "files", "random read, 4 KiB"} <= {name for name, *_ in rows}
    assert any(name.startswith("create ") for name, *_ in rows)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_way_of_the_capacity_is_that_of_json(example: str) -> None:
    section = shown(example).split("From drives to usable capacity\n")[1]
    rows = re.findall(r"^  (-?) ?(\w.*?)  +(-?[\d,.]+) TB  +(-?[\d,.]+) TiB$", section, re.M)
    left = Decimal(0)
    for loss, name, tb, _ in rows:
        size = Decimal(tb.replace(",", ""))
        assert loss or name == "as sold" or abs(left - size) < Decimal("0.03"), name
        left = left + size if loss else size
    figures = plan_json.document(facts(example))["figures"]
    for _, name, tb, tib in rows:
        if name in ("as sold", "formatted", "usable"):
            held = figures[f"capacity.{'raw' if name == 'as sold' else name}"]["value"]
            assert abs(number(f"{tb} TB") - held) <= 5 * 10**9
            assert abs(number(f"{tib} TiB") - held) <= Decimal(2**40) / 200
    assert (rows[0][1], rows[-1][1]) == ("as sold", "usable")


@pytest.mark.parametrize("example", EXAMPLES)
def test_parts_are_those_of_json(example: str) -> None:
    section = shown(example, 200).split("\nParts\n")[1].split("\n\n")[0]
    rows = re.findall(r"^ +([\d,]+)  (\S.*?)(?:  .*)?$", section, re.M)
    held: dict[str, int] = {}
    for part in plan_json.document(facts(example))["parts"]:
        held[part["item"]] = held.get(part["item"], 0) + part["count"]
    cables = sum(count for item, count in held.items() if item.endswith(" cable"))
    for count, item in rows:
        wanted = {"cables": cables, "rack units": facts(example).figures["hardware.rack_units"].value}
        assert int(count.replace(",", "")) == wanted.get(item, held.get(item)), item
    assert len(rows) >= 8


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_long_page_has_every_figure_of_json(example: str) -> None:
    known = facts(example)
    drawn = " ".join(shown(example, 400, long=True).split())
    for figure_id, f in known.figures.items():
        if f.unit == "B":
            assert units.grouped(f.value / 10**12, 2) in drawn, figure_id
            assert units.grouped(f.value / 2**40, 2) in drawn, figure_id
            assert f.low == f.high or f"{ends(f)} {f.basis}" in drawn, figure_id
        else:
            assert value(f) in drawn, figure_id
            assert span(f) in drawn, figure_id
        assert f.rule is None or f.unit != "B" or " ".join(f.rule.split()) in drawn, figure_id


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_long_page_has_what_the_short_one_leaves_out(example: str) -> None:
    known = facts(example)
    drawn = shown(example, 400, long=True)
    assert all(path in drawn for path in known.defaults)
    assert all(
        heading in drawn for heading in ("In the box", "Not in the box", "Throughput", ", peak", "Further figures")
    )
    assert known.plan.servers[0].id in drawn


def test_bars_fit_beside_the_way_of_the_capacity_at_80_columns() -> None:
    drawn = text.plain(text.lines(page(facts("large+hdmd")), 80, True)).splitlines()
    full = [line.count("\u2588") for line in drawn if "\u2588" in line]
    assert len(full) == 6
    assert full == sorted(full, reverse=True)


def test_ends_of_a_size_are_rounded_outwards() -> None:
    assert ends(figure(30_720_000_000_001, 67_584_000_000_000, 92_160_011_534_336, "B")) == "30.72 to 92.17"
    assert ends(figure(5, 5, 5, "B")) == ""


# Doubts


def test_a_wide_range_is_marked_and_said() -> None:
    drawn = " ".join(shown("large+hdmd").split())
    assert "files 510 million 1.02 billion estimated !" in drawn
    assert "! Wide range: files (0.51 to 1.41 billion)." in drawn
    assert "Wide range" not in shown("lustre-powerflex")


def test_rates_that_nobody_measured_are_no_empty_cells() -> None:
    rows = {name: rest for name, *rest in table(shown("lustre-powerflex"))}
    assert rows["write, one file per thread (N-N)"] == ["not known", "11.5 GB/s peak", "measured"]
    assert rows["write, one file for all (N-1)"] == ["not known", "not known", "no data"]
    assert rows["create 4 KiB files"][2] == "measured"
    assert "do not promise" in shown("lustre-powerflex").lower()
    assert "Peak:" not in shown("large+hdmd")


@pytest.mark.parametrize("example", ["large+hdmd", "lustre-me4", "medium", "full-pixstor"])
def test_the_volumes_that_render_makes_are_said_and_agree_with_what_to_plan_with(example: str) -> None:
    known = facts(example)
    line = re.search(r"Volumes by `render`: ([\d,]+) TB, ([\d.]+) % under full size", shown(example, 200))
    assert line
    groups = {g.id: g.bytes for g in known.plan.disk_groups if g.purpose == "data"}
    made = sum(v.bytes for v in known.plan.volumes if v.backing in groups)
    assert int(line[1].replace(",", "")) == made // 10**12
    assert float(line[2]) == pytest.approx(100 - 100 * made / sum(groups.values()), abs=0.06)
    assert known.figures["capacity.usable"].low <= made


def test_volumes_of_exact_sizes_need_no_such_line() -> None:
    given = workflow.Given("large+hdmd", observed=folder("examples") / "large+hdmd.observed")
    found = workflow.plan(given).sized
    assert found is not None
    assert "under full size" not in text.draw(page(found))
    assert "under full size" not in shown("lustre-powerflex")


# Warnings


def planned(tmp_path: Path, more: str = "", size: str = "small") -> SizedPlan:
    (tmp_path / "r.yaml").write_text(
        f"name: s\ndesign: pixstor-6\nstorage_modules: [{{size: {size}, data_drive: 8 TB}}]\n"
        f"filesystem: {{name: fs1}}\n{more}"
    )
    found = workflow.plan(workflow.Given(str(tmp_path / "r.yaml"))).sized
    assert found is not None
    return found


def test_a_warning_is_a_line_with_its_remedy(tmp_path: Path) -> None:
    drawn = text.draw(page(planned(tmp_path)), 400)
    assert f"  - PX573 {codes()['PX573'].title}. Fix: size: medium, or a second storage module\n" in drawn
    assert drawn.count("PX573") == 1


def test_an_accepted_warning_shows_its_reason(tmp_path: Path) -> None:
    drawn = text.draw(page(planned(tmp_path, "accept: [{code: PX573, reason: a lab system}]\n")), 400)
    assert f"  - PX573 {codes()['PX573'].title}; accepted: a lab system\n" in drawn


def test_a_remedy_that_names_a_server_gives_way_to_that_of_its_code(tmp_path: Path) -> None:
    known = planned(tmp_path)
    findings = [f._replace(hint="ask sm01n1") if f.code == "PX573" else f for f in known.findings]
    drawn = text.draw(page(known._replace(findings=findings)), 400)
    assert "sm01n1" not in drawn
    assert f"Fix: {codes()['PX573'].cure}" in drawn


def test_the_note_on_gateways_without_rates_is_on_the_page() -> None:
    assert "PX581 no document has rates of gateways" in shown("gateways", 400)


def test_the_ceilings_that_bind_are_on_the_page() -> None:
    """Two HDR links of 25 GB/s a server: 2 servers of the tier, whose writes cross them twice; 2 gateways; 2 Ngenea nodes."""
    carried = "nvme, write 50 GB/s; nvme, read 100 GB/s; gateways 100 GB/s; ngenea 100 GB/s."
    page_of_all = shown("full-pixstor", 400)
    assert f"Sequential rates are set by the array controllers. Links carry at the most: {carried}" in page_of_all
    assert "Links carry" not in shown("large", 400)


def test_a_plan_without_figures_has_its_page(tmp_path: Path) -> None:
    drawn = text.draw(page(planned(tmp_path)._replace(figures={}, findings=())))
    assert drawn.count("no data") == 9
    assert "PowerEdge" in drawn
    assert not re.search(r"^  - \.$", drawn, re.M)


def test_names_of_ones_own_do_not_reach_the_page(tmp_path: Path) -> None:
    drawn = text.draw(page(planned(tmp_path, "", "small, hosts: [alpha, beta]")), 400)
    assert "alpha" not in drawn
    assert "storage" in drawn


# Numbers as people say them


@pytest.mark.parametrize(
    ("number", "unit", "digits", "towards", "text"),
    [
        (511_522_560, "1", 2, "down", "510 million"),
        (1_023_045_120, "1", 3, "nearest", "1.02 billion"),
        (999_999_999, "1", 3, "nearest", "1 billion"),
        (145_800, "op/s", 2, "down", "140,000/s"),
        (3_200_000, "op/s", 3, "nearest", "3.2 million/s"),
        (19_800_000_000, "B/s", 2, "down", "19 GB/s"),
        (2_976_798_708_465_664, "B", 2, "down", "2976 TB"),
        (21_229_313_720_320, "B", 3, "nearest", "21.2 TB"),
        (1_234_000_000_000, "B", 3, "down", "1.23 TB"),
        (0, "op/s", 2, "down", "0/s"),
    ],
)
def test_numbers_as_people_say_them(number: int, unit: str, digits: int, towards: Any, text: str) -> None:
    assert said(number, unit, digits, towards) == text


@pytest.mark.parametrize(
    ("low", "high", "unit", "text"),
    [
        (511_522_560, 1_406_250_000, "1", "0.51 to 1.41 billion"),
        (1_023_045_120, 2_812_500_000, "1", "1 to 2.82 billion"),
        (85_000_000, 234_375_000, "1", "85 to 235 million"),
        (37_155, 3_855_555, "op/s", "37,000/s to 3.86 million/s"),
        (900, 1_900, "op/s", "900/s to 1,900/s"),
    ],
)
def test_ranges_as_people_say_them(low: int, high: int, unit: str, text: str) -> None:
    assert said_span(figure(low, low, high, unit)) == text


def test_what_to_plan_with_is_never_more_than_expected() -> None:
    for example in EXAMPLES:
        for promise in promises(facts(example)):
            cells = [row for row in promise.rows() if row[1] != "not known"]
            assert all(number(low) <= number(expected) for _, low, expected, _ in cells)


def test_a_table_wider_than_the_screen_loses_no_cell() -> None:
    narrow = " ".join(shown("full-pixstor", 40).split())
    for name, *cells in table(shown("full-pixstor", 200)):
        titles = ("plan with", "expected", "basis")
        below = " ".join(f"{title}: {cell}" for title, cell in zip(titles, cells, strict=False))
        assert f"{name} {below}" in narrow
    assert "usable 12,017.66 TB 10,930.00 TiB" in narrow


def test_markdown_of_a_long_page_has_findings_and_sources() -> None:
    known = facts("large+hdmd")
    short, long = markdown.draw(page(known)), markdown.draw(page(known, complete=True))
    assert "| files | 510 million | 1.02 billion | estimated ! |" in short
    assert "## Sources" not in short
    assert {"## Warnings and notes", "## Sources", "## Left to defaults"} <= set(long.splitlines())
    assert all(f.message[:40] in long for f in known.findings)
