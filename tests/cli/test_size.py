"""`pixsize size` as its users see it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from pixsize import proposals
from pixsize.cli.size import WORDS as OPTIONS
from pixsize.load.requirements import OTHERS, SWITCHES
from pixsize.size.requirements import WORDS
from tests.support.cli_support import loads, program, run

SMALL = ("--usable", "2.5PB", "--read", "20GB/s", "--design", "pixstor-6", "--drives", "12 TB")


def sized(*args: str) -> dict[str, Any]:
    result = run("size", *args, "--format", "json", "--quiet")
    assert result.exit_code == 0, result.output
    return loads(result.stdout)


def test_every_word_is_an_option() -> None:
    assert list(OPTIONS) == [*(w for w in OPTIONS if w in WORDS), *(w for w in OTHERS if w in OPTIONS)]
    assert set(OPTIONS) >= set(WORDS)
    assert set(OTHERS) - set(OPTIONS) == {*SWITCHES, "confidence"}
    about = run("size", "--help").stdout
    assert all(f"--{word.replace('_', '-')}" in about for word in (*WORDS, *OTHERS))


def test_the_best_meets_all_in_its_plan(tmp_path: Path) -> None:
    written = tmp_path / "request.yaml"
    found = sized(*SMALL, "-o", str(written))
    best = found["best"]
    assert found["schema"] == "pixsize.size/1"
    assert found["requirements"] == {
        "usable": "2.5PB",
        "read": "20GB/s",
        "design": "pixstor-6",
        "drives": "12 TB",
        "confidence": "low",
    }
    assert best["figures"]["capacity.usable"]["low"] >= 2_500 * 10**12
    assert best["figures"]["throughput.sequential.n_n.read.sustained"]["low"] >= 20 * 10**9
    text = written.read_text()
    assert yaml.safe_load(text) == best["request"]
    assert text.startswith("# Proposed by pixsize size.\n# usable: at least 2500 TB; plan with ")
    plan = run("plan", "-c", str(written), "--format", "json", "--quiet")
    figures = loads(plan.stdout)["figures"]
    for name, figure in best["figures"].items():
        assert {k: figures[name][k] for k in figure} == figure or name in ("racks", "ports")
    assert figures["hardware.rack_units"]["value"] == best["cost"]["rack_units"]


def test_the_certificate_and_what_lost() -> None:
    found = sized(*SMALL)
    certificate = found["certificate"]
    assert certificate["objective"] == ["rack_units", "drives"]
    assert certificate["cost"] == certificate["bound"] == found["best"]["cost"]
    assert certificate["optimal"] is True
    assert set(certificate) == {"objective", "cost", "bound", "nodes", "pruned", "optimal"}
    assert found["rejected"]
    cost = found["best"]["cost"]
    for each in found["rejected"]:
        assert set(each) == {"what", "bound", "short_by"}
        assert each["short_by"] or (each["bound"]["rack_units"], each["bound"]["drives"]) >= tuple(cost.values())
    for each in found["alternatives"]:
        assert tuple(each["cost"].values()) >= tuple(cost.values())
    costs = [tuple(p["cost"].values()) for p in found["pareto"]]
    assert costs == sorted(costs)


def test_without_a_design_all_are_searched_and_those_that_lost_say_why() -> None:
    found = sized("--usable", "2PB")
    lost = {each["what"]: each["short_by"] for each in found["rejected"] if each["what"].startswith("design ")}
    assert len(lost) == 3
    assert all(lost.values())


def test_a_file_and_the_command_line(tmp_path: Path) -> None:
    needs = tmp_path / "needs.yaml"
    needs.write_text("usable: 2 PB\npeak: {write: 20 GB/s}\ndrives: [12 TB]\ndesign: pixstor-6\nexpansion: false\n")
    found = sized("--requirements", str(needs), "--usable", "4PB", "--confidence", "value")
    assert found["requirements"]["usable"] == "4PB"
    assert found["requirements"]["write"] == "peak:20 GB/s"
    figures = found["best"]["figures"]
    assert figures["capacity.usable"]["value"] >= 4 * 10**15
    assert figures["throughput.sequential.n_n.write.peak"]["value"] >= 20 * 10**9
    assert all(m["data_drive"] == "12 TB" for m in found["best"]["request"]["storage_modules"])


@pytest.mark.parametrize(
    "line, code",
    [
        ("usabel: 2 PB", "PX101"),
        ("usable: 2", "PX105"),
        ("usable: 2 GB/s", "PX106"),
        ("usable: 0 PB", "PX670"),
        ("files: peak:3", "PX670"),
        ("files: many", "PX104"),
        ("expansion: perhaps", "PX104"),
        ("confidence: sure", "PX104"),
        ("drives: 12 TB", "PX670"),
        ("price: 100000", "PX673"),
        ("usable: 2 PB\ndesign: pixstor-7", "PX672"),
        ("usable: 2 PB\ndesign: lustre-powerflex\nsizes: [large]", "PX672"),
        ("usable: 2 PB\nsizes: [huge]", "PX672"),
    ],
)
def test_wrong_requirements_are_findings_with_their_place(tmp_path: Path, line: str, code: str) -> None:
    needs = tmp_path / "needs.yaml"
    needs.write_text(f"{line}\n")
    result = run("size", "--requirements", str(needs), "--format", "json", "--quiet")
    assert result.exit_code == 1
    (finding,) = loads(result.stdout)["findings"]
    assert finding["code"] == code
    assert f"{needs}:1:" in result.stderr or f"{needs}:2:" in result.stderr


def test_what_clashes_and_what_would_do() -> None:
    result = run("size", "--usable", "900PB", "--files", "1 billion", "--design", "pixstor-6", "--format", "json")
    assert result.exit_code == 1
    found = loads(result.stdout)
    assert found["best"] is None
    assert [c["requirement"] for c in found["clash"]] == ["usable"]
    assert found["clash"][0]["reaches"]["low"] < 900 * 10**15
    assert found["limits"] == ["2,048 NSDs in a file system of pixstor-6"]
    each = found["several"]["each"]["figures"]["capacity.usable"]["low"]
    assert found["several"]["systems"] * each >= 900 * 10**15
    assert (found["several"]["systems"] - 1) * found["clash"][0]["reaches"]["low"] < 900 * 10**15
    assert "PX671" in result.stderr


def test_two_requirements_clash_that_are_met_alone() -> None:
    args = ("--read", "50GB/s", "--usable", "1PB", "--rack-units", "40", "--design", "pixstor-6")
    result = run("size", *args, "--format", "json", "--quiet")
    assert result.exit_code == 1
    found = loads(result.stdout)
    assert [c["requirement"] for c in found["clash"]] == ["read", "rack_units"]
    assert found["clash"][1]["reaches"]["value"] <= 40


def test_fewer_drives_may_take_more_room() -> None:
    few = sized(*SMALL, "--objective", "drives")
    assert few["certificate"]["objective"] == ["drives", "rack_units"]
    assert few["best"]["cost"]["drives"] <= sized(*SMALL)["best"]["cost"]["drives"]


def test_prices_decide_where_they_are_known() -> None:
    """The seam for a parts file: prices by catalog id; what has none is named."""
    drives = {"nl-sas-12tb": 400, "nl-sas-16tb": 900, "nl-sas-8tb": 900, "nl-sas-4tb": 900}
    prices = {item: Fraction(price) for item, price in {**drives, "me4084": 9000}.items()}
    flags = {"usable": "8.8PB", "design": "pixstor-6"}
    answer, findings = proposals.size(proposals.Asked(None, flags, prices=prices))
    assert answer is not None, findings
    assert [f.code for f in findings] == ["PX674"]
    assert answer.best is not None
    assert answer.objective.criteria == ("price", "rack_units", "drives")
    assert {m["data_drive"] for m in answer.best.request["storage_modules"]} == {"12 TB"}
    assert "r750" in answer.best.unpriced
    assert "me4084" not in answer.best.unpriced
    assert [p.name for p in answer.alternatives][:2] == ["another size", "another drive"]


def test_a_system_that_misses_a_requirement_is_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pixsize.size.requirements.missed", lambda requirements, _figures: iter(requirements.all))
    result = run("size", *SMALL, "--quiet")
    assert result.exit_code == 3


def test_a_program_of_its_own_prints_json_alone() -> None:
    done = program("size", *SMALL, "--format", "json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["best"]["request"]["design"] == "pixstor-6"
    assert done.stderr == ""


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_the_page(form: str) -> None:
    result = run("size", *SMALL, "--format", form, "--quiet")
    assert result.exit_code == 0
    for heading in ("What was asked, and what it reaches", "What cost buys", "What did not make it"):
        assert heading in result.stdout
