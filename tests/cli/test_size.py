"""`pixsize size` as its users see it."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from pixsize.cli.size import WORDS as OPTIONS
from pixsize.load.requirements import OTHERS, SWITCHES
from pixsize.size.requirements import WORDS
from tests.support.cli_support import loads, program, run

SMALL = ("--usable", "2.5PB", "--read", "20GB/s", "--design", "pixstor-6", "--drives", "12 TB")


def sized(*args: str, code: int = 0) -> dict[str, Any]:
    result = run("size", *args, "--format", "json", "--quiet")
    assert result.exit_code == code, result.output
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


PARTS = """\
currency: EUR
discount_percent: 10
rack: {units: 30}
parts:
  nl-sas-12tb: {price: 410.25}
  nl-sas-16tb: {price: 900}
  nl-sas-8tb: {price: 900}
  nl-sas-4tb: {price: 900}
  me4084: {price: 9000, discount_percent: 25}
  qm8700: {price: 14000}
  cable.sas: {price: 62.4}
  cable.joint: {price: 120}
  cable.power.c14: {price: 4}
  cable.connectx-6-hdr: {price: 81}
  scale.licence.server: {price: 2500}
  openmanage: {price: 99, count: 2}
  installation: {title: Installation on site, count: 3, price: 1600, discount_percent: 0}
"""


def priced(tmp_path: Path, *flags: str, parts: str = PARTS, code: int = 0) -> dict[str, Any]:
    path = tmp_path / "parts.yaml"
    path.write_text(parts, encoding="utf-8")
    return sized("--parts", str(path), *flags, code=code)


def test_prices_decide_where_they_are_known(tmp_path: Path) -> None:
    found = priced(tmp_path, "--usable", "8.8PB", "--design", "pixstor-6")
    best = found["best"]
    assert found["currency"] == "EUR"
    assert found["certificate"]["objective"] == ["price", "rack_units", "drives"]
    assert found["certificate"]["optimal"]
    assert {m["data_drive"] for m in best["request"]["storage_modules"]} == {"12 TB"}
    assert "r750" in best["unpriced"]
    assert "me4084" not in best["unpriced"]
    assert [p["what"] for p in found["alternatives"]][:2] == ["another size", "another drive"]


@pytest.mark.parametrize(
    "flags",
    [
        ("--usable", "2.5PB", "--design", "pixstor-6", "--no-hdmd"),
        ("--usable", "8.8PB", "--files", "1e9", "--design", "pixstor-6", "--hdmd"),
        ("--usable", "30PB", "--design", "pixstor-6"),
        ("--usable", "5PB", "--design", "lustre-me4"),
        ("--usable", "100TB", "--design", "lustre-powerflex"),
    ],
)
def test_the_price_is_that_of_the_bill(tmp_path: Path, flags: tuple[str, ...]) -> None:
    """To the cent, with cables, switches, licences, discounts, and the parts of the user's own."""
    ours = [line for line in PARTS.splitlines() if "pixstor-6" in flags or "openmanage" not in line]
    best = priced(tmp_path, *flags, parts="\n".join(ours))["best"]
    request = tmp_path / "request.json"
    request.write_text(json.dumps(best["request"]), encoding="utf-8")
    done = run("bom", "--config", str(request), "--parts", str(tmp_path / "parts.yaml"), "--format", "json", "--quiet")
    bill = json.loads(done.stdout)
    assert bill["totals"]["price"] == best["cost"]["price"]
    assert bill["totals"]["rack_units"] == best["cost"]["rack_units"]
    assert set(best["unpriced"]) <= {m["item"] for m in bill["missing"] if m["what"] == "price"}


def test_a_price_without_some_parts_is_said_to_be_more(tmp_path: Path) -> None:
    """In the page and in the request that is written: a part without a price counts as free in the search alone."""
    (tmp_path / "parts.yaml").write_text(PARTS, encoding="utf-8")
    flags = ("--usable", "8.8PB", "--design", "pixstor-6", "--price", "900000")
    written = tmp_path / "best.yaml"
    done = run("size", *flags, "--parts", str(tmp_path / "parts.yaml"), "--quiet", "-o", str(written))
    assert done.exit_code == 0, done.output
    for page in (done.stdout, written.read_text(encoding="utf-8")):
        assert "at least EUR" in page
        assert not re.search(r"(?<!at least )EUR [0-9]", page)
        assert re.search(r"^(# )? *price.* at least [0-9]", page, re.MULTILINE)
    assert "counts as free" in done.stdout
    assert "EUR, at least" in done.stdout.split("What cost buys")[1]


def test_a_price_at_most_is_kept_or_clashes(tmp_path: Path) -> None:
    flags = ("--usable", "8.8PB", "--design", "pixstor-6")
    cost = priced(tmp_path, *flags)["best"]["cost"]["price"]
    enough = priced(tmp_path, *flags, "--price", f"{cost + 1:.0f}", "--objective", "rack_units")
    assert enough["best"]["cost"]["price"] <= cost + 1
    assert enough["best"]["figures"]["price"]["value"] == math.ceil(enough["best"]["cost"]["price"])
    less = priced(tmp_path, *flags, "--price", f"{cost - 1:.0f}", code=1)
    assert {c["requirement"] for c in less["clash"]} == {"usable", "price"}
    assert next(c for c in less["clash"] if c["requirement"] == "price")["reaches"]["value"] < cost


def test_the_racks_are_those_of_the_parts_file(tmp_path: Path) -> None:
    flags = ("--usable", "8.8PB", "--racks", "9", "--design", "pixstor-6")
    lower = priced(tmp_path, *flags)["best"]["figures"]["racks"]["value"]
    higher = priced(tmp_path, *flags, parts=PARTS.replace("units: 30", "units: 60"))["best"]["figures"]["racks"][
        "value"
    ]
    assert higher < lower


@pytest.mark.parametrize(
    ("parts", "flags", "code"),
    [
        (PARTS.replace("currency: EUR", "currency: euros"), (), "PX104"),
        (PARTS.replace("me4084:", "me4048:"), (), "PX650"),
        ("currency: EUR", ("--price", "100000"), "PX673"),
        ("currency: EUR", ("--objective", "price"), "PX673"),
        (PARTS, ("--price", "100000.5"), "PX670"),
    ],
)
def test_what_is_wrong_with_prices(tmp_path: Path, parts: str, flags: tuple[str, ...], code: str) -> None:
    path = tmp_path / "parts.yaml"
    path.write_text(parts, encoding="utf-8")
    done = run("size", "--parts", str(path), "--usable", "1PB", "--design", "pixstor-6", *flags)
    assert code in done.stderr
    assert done.exit_code == (0 if code == "PX650" else 1)
    assert code != "PX650" or "me4084" in done.stderr


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
