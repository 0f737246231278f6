"""`pixsize accept` as its users see it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from pixsize.resources import folder
from tests.accept import campaigns, printing
from tests.accept.campaigns import EXPANDED, LARGE, LUSTRE_ME4, LUSTRE_POWERFLEX, SWAPPED, Typed
from tests.accept.printing import GIB, MIB
from tests.accept.test_outputs import OUTPUTS
from tests.support.cli_support import loads, request, run


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r").mkdir()


def accepted(config: str, *more: str, code: int | None = None, results: str = "r") -> dict[str, Any]:
    found = run("accept", "-c", config, "--results", results, "--format", "json", *more)
    assert found.exit_code in ((0, 1) if code is None else (code,)), found.output
    return loads(found.stdout)


@pytest.mark.long
@pytest.mark.parametrize(
    ("example", "rows", "clients"),
    [
        ("large+hdmd", LARGE, 16),
        ("large+expansion", EXPANDED, 16),
        ("lustre-me4", LUSTRE_ME4, 32),
        ("lustre-powerflex", LUSTRE_POWERFLEX, 12),
    ],
)
def test_the_documents_own_tables_are_accepted_for_their_own_systems(
    example: str, rows: tuple[Typed, ...], clients: int
) -> None:
    campaigns.write(Path("r"), rows, clients)
    config = example
    if example == "lustre-me4":  # the document's version
        text = (folder("examples") / "lustre-me4.yaml").read_text(encoding="utf-8")
        config = str(
            request(
                Path(),
                "\n".join(t if "lustre_version" not in t else "lustre_version: 2.10.4" for t in text.split("\n")),
            )
        )
    found = accepted(config, code=0)
    assert found["verdict"] in ("pass", "doubtful")
    by_figure = {t["figure"]: t for t in found["tests"]}
    names = {"n_n": "throughput.sequential.n_n", "n_1": "throughput.sequential.n_1", "random": "throughput.random_4k"}
    for row in rows:
        stem = f"{names.get(row.test, 'metadata.' + row.test)}.{row.operation}"
        test = by_figure[f"{stem}.peak"]
        factor = 1e9 if row.test in ("n_n", "n_1") else 1
        assert test["measured"] == pytest.approx(row.peak * factor, rel=1e-4), stem
        assert test["low"] <= test["measured"] <= test["high"], (stem, test)
        # Reads of small files that the same nodes wrote stay doubtful.
        assert test["verdict"] == "pass", test
        if row.sustained is not None and f"{stem}.sustained" in by_figure:
            assert by_figure[f"{stem}.sustained"]["range"] in ("inside", "above")
    assert not found["ignored"]


@pytest.mark.parametrize(
    ("example", "rows"),
    [("large+hdmd", SWAPPED), ("medium", LARGE[:4]), ("small", LARGE[:4]), ("large+hdmd", EXPANDED)],
)
def test_tables_of_another_size_and_swapped_columns_are_not_accepted(example: str, rows: tuple[Typed, ...]) -> None:
    campaigns.write(Path("r"), rows, 16)
    found = accepted(example, code=1)
    assert found["verdict"] == "fail"
    if rows == SWAPPED:
        read = next(t for t in found["tests"] if t["figure"] == "throughput.random_4k.read.peak")
        assert (read["range"], read["verdict"]) == ("below", "fail")


def test_a_slow_system_is_told_what_to_look_at_in_order() -> None:
    Path("r/a").write_text(campaigns.printed(LARGE[0], 64, 12.0, 16))
    found = accepted("large+hdmd", code=1)
    (test,) = found["tests"]
    assert (test["range"], test["verdict"], test["files"], test["tool"], test["version"]) == (
        "below", "fail", ["a"], "IOR", "3.3.0",
    )  # fmt: skip
    words = [r.split(":")[0] for r in test["reasons"]]
    assert words[:5] == ["below", "(1) clients", "(2) links", "(3) controllers", "(4) drives"]
    assert "array controllers" in test["reasons"][0]
    assert "throughput.sequential.n_n.read.peak" in found["missing"]
    (point,) = found["points"]
    assert (point["threads"], point["figure"]) == (64, "throughput.sequential.n_n.write.threads_64")


RULES = {
    "PX680": {"block": 16 * GIB},
    "PX681": {"block": 16 * GIB},
    "PX682": {"nodes": 4},
    "PX683": {"tasks": 32},
    "PX685": {"extra": "-e -C --posix.odirect -D 300"},
    "PX690": {"extra": "-e"},
    "PX691": {"extra": "-C"},
}


@pytest.mark.parametrize("code", RULES)
def test_each_rule_sees_what_it_is_of(code: str) -> None:
    # 20.5 GB/s and 19.6 GiB/s: inside the range.
    sound = {"tasks": 64, "nodes": 16, "block": 256 * GIB, "extra": "-e -C --posix.odirect"}
    rates = {"write": [19550.0, 19560.0], "read": [22000.0, 22010.0]}
    Path("r/a").write_text(printing.ior(rates, **sound))
    clean = accepted("large+hdmd", code=0)
    assert clean["verdict"] == "pass"
    assert not any(code in reason for t in clean["tests"] for reason in t["reasons"])
    changed = sound | RULES[code]
    if code == "PX690":
        changed |= {"block": 64 * GIB}
    Path("r/a").write_text(printing.ior(rates, **changed))
    found = run("accept", "-c", "large+hdmd", "--results", "r", "--format", "json")
    tests = loads(found.stdout)["tests"]
    assert any(reason.startswith(code) for t in tests for reason in t["reasons"])
    assert f"warning {code}" in found.stderr
    assert "r/a:1:1" in found.stderr
    doubtful = code not in ("PX682", "PX683")  # these lower a rate, and it is inside
    assert loads(found.stdout)["verdict"] == ("doubtful" if doubtful else "pass")
    assert run("accept", "-c", "large+hdmd", "--results", "r", "--strict").exit_code == (1 if doubtful else 0)
    text = (folder("examples") / "large+hdmd.yaml").read_text(encoding="utf-8")
    taken_on = request(Path(), f"{text}accept: [{{code: {code}, reason: known}}]\n")
    again = accepted(str(taken_on), code=0)
    assert any("taken on" in reason for t in again["tests"] for reason in t["reasons"])


def test_a_run_on_more_clients_than_planned_is_of_another_campaign() -> None:
    Path("r/a").write_text(
        printing.ior({"write": [19550.0, 19560.0]}, tasks=64, nodes=32, block=256 * GIB, extra="-e -C")
    )
    found = accepted("large+hdmd")
    assert found["verdict"] == "doubtful"
    reasons = [r for t in found["tests"] for r in t["reasons"]]
    assert any(r.startswith("PX682 32 nodes, where 16 are planned") for r in reasons)


def test_mixed_versions_single_runs_and_what_tools_say_of_themselves() -> None:
    Path("r/a").write_text(campaigns.printed(LARGE[0], 64, 20.4, 16))
    Path("r/b").write_text(campaigns.printed(LARGE[0], 128, 19.9, 16, "4.0.0"))
    Path("r/c").write_text((OUTPUTS / "mdtest-1.9.3_seed003.txt").read_text())
    found = {t["figure"]: t["reasons"] for t in accepted("large+hdmd")["tests"]}
    assert any(r.startswith("PX688") for r in found["throughput.sequential.n_n.write.peak"])
    assert any(r.startswith("PX687 640 files") for r in found["metadata.empty.create.peak"])
    Path("r/b").unlink()
    Path("r/a").write_text(printing.ior({"write": [19550.0]}, block=256 * GIB))
    found = {t["figure"]: t["reasons"] for t in accepted("large+hdmd")["tests"]}
    assert any(r.startswith("PX684") for r in found["throughput.sequential.n_n.write.peak"])


def test_few_clients_excuse_a_low_rate_and_no_cache_does() -> None:
    low = {"write": [9000.0, 9010.0]}
    Path("r/a").write_text(printing.ior(low, tasks=64, nodes=2, block=256 * GIB))
    assert accepted("large+hdmd")["verdict"] == "doubtful"
    Path("r/a").write_text(printing.ior(low, tasks=64, nodes=16, block=16 * GIB))
    assert accepted("large+hdmd")["verdict"] == "fail"


def test_above_is_a_cache_or_a_better_system() -> None:
    high = {"write": [23000.0, 23010.0]}
    Path("r/a").write_text(printing.ior(high, block=256 * GIB))
    (test,) = accepted("large+hdmd", code=0)["tests"]
    assert (test["range"], test["verdict"]) == ("above", "pass")
    assert "a better system is likelier" in test["reasons"][0]
    Path("r/a").write_text(printing.ior(high, block=16 * GIB))
    (test,) = accepted("large+hdmd", code=0)["tests"]
    assert test["verdict"] == "doubtful"
    assert "cache" in test["reasons"][0]
    Path("r/a").write_text(printing.ior({"write": [90000.0]}, block=256 * GIB))
    assert accepted("large+hdmd", code=1)["verdict"] == "fail"


def test_hostile_folders_are_listed_and_never_read() -> None:
    good = printing.ior({"write": [19550.0, 19560.0]}, block=256 * GIB)
    Path("r/good").write_text(good)
    Path("r/copy").write_text(good)
    os.mkfifo("r/pipe")
    Path("r/link").symlink_to("good")
    Path("r/around").symlink_to(".")
    with Path("r/huge").open("wb") as huge:
        huge.truncate(1 << 30)
    Path("r/nul").write_bytes(b"IOR-4.0.0\0")
    Path("r/latin").write_bytes(b"caf\xe9\n")
    Path("r/escape").write_text("\x1b[2Jhello\n")
    Path("r/\x1b[31m").write_text("hello")
    deep = Path("r", *(["d"] * 12))
    deep.mkdir(parents=True)
    (deep / "x").write_text(good + " ")
    found = run("accept", "-c", "large+hdmd", "--results", "r")
    assert found.exit_code == 0
    assert "\x1b" not in found.output
    why = {i["file"]: i["why"] for i in accepted("large+hdmd", code=0)["ignored"]}
    assert "the same bytes as" in why["good"]  # `copy` stands first
    assert "pipe" in why["pipe"]
    assert "link" in why["link"]
    assert "link" in why["around"]
    assert "16 MiB" in why["huge"]
    assert "NUL" in why["nul"]
    assert "UTF-8" in why["latin"]
    assert "control character" in why["escape"]
    assert any("8 levels" in w for w in why.values())


def test_without_a_result_that_counts_nothing_is_printed_but_the_finding() -> None:
    Path("r/a").write_text("hello")
    found = run("accept", "-c", "large+hdmd", "--results", "r", "--format", "json")
    assert found.exit_code == 1
    assert loads(found.stdout)["schema"] == "pixsize.findings/1"
    assert [f["code"] for f in loads(found.stdout)["findings"] if f["severity"] == "error"] == ["PX693"]
    assert run("accept", "-c", "large+hdmd", "--results", "nowhere").exit_code == 2


def test_results_of_another_directory_are_of_another_run() -> None:
    text = (folder("examples") / "large+hdmd.yaml").read_text(encoding="utf-8")
    config = str(request(Path(), f"{text}benchmark: {{directory: /mmfs1/bench}}\n"))
    Path("r/a").write_text(printing.ior({"write": [19550.0, 19560.0]}, block=256 * GIB, path="/mmfs1/bench/a"))
    Path("r/b").write_text(printing.ior({"write": [29550.0, 29560.0]}, block=256 * GIB, path="/tmp/a"))
    found = accepted(config, code=0)
    assert [t["files"] for t in found["tests"]] == [["a"]]
    assert "from another run" in found["ignored"][0]["why"]


def test_the_request_says_what_the_clients_have() -> None:
    Path("r/a").write_text(printing.ior({"write": [19550.0, 19560.0]}, block=40 * GIB, extra="-e -C"))
    assert any("PX680" in r for r in accepted("large+hdmd")["tests"][0]["reasons"])
    text = (folder("examples") / "large+hdmd.yaml").read_text(encoding="utf-8")
    config = request(Path(), f"{text}benchmark: {{clients: {{count: 16, memory: 1 GiB}}}}\n")
    assert not any("PX680" in r for r in accepted(str(config))["tests"][0]["reasons"])


@pytest.mark.long
def test_what_is_accepted_is_evidence_for_the_next_plan() -> None:
    before = loads(run("plan", "-c", "medium", "--format", "json").stdout)["figures"]
    figure = before["throughput.sequential.n_n.write.peak"]
    rate = figure["value"] / 1e9
    campaigns.write(Path("r"), (Typed("n_n", "write", rate, 64, rate * 0.97),), 16)
    Path("r/small").write_text(printing.ior({"read": [5000.0]}, block=GIB))
    accepted("medium", "--as-measurement", "site/m.yaml", code=1)  # the folder is missing
    Path("site").mkdir()
    found = accepted("medium", "--as-measurement", "site/m.yaml", "--site", "Lab: 'A'", "--date", "2026-11-23")
    assert found["verdict"] in ("pass", "doubtful", "fail")
    records = yaml.safe_load(Path("site/m.yaml").read_text())
    assert records[0]["date"] == "2026-11-23"
    assert records[0]["publisher"] == "Lab: 'A'"
    figures = {r["figure"] for r in records[1:]}
    assert "throughput.sequential.n_n.write.peak" in figures
    assert "throughput.sequential.n_n.read.peak" not in figures
    peak = next(r for r in records[1:] if r["figure"].endswith("write.peak"))
    assert peak["threads"] == {"at": [64], "most": 128}
    assert "SHA-256" in peak["sources"][0]["place"]
    after = loads(run("plan", "-c", "medium", "--catalog", "site", "--format", "json").stdout)["figures"]
    measured = after["throughput.sequential.n_n.write.peak"]
    assert measured["basis"] == "measured"
    assert measured["high"] / measured["low"] < figure["high"] / figure["low"]
    shown = run("explain", "throughput.sequential.n_n.write.peak", "-c", "medium", "--catalog", "site")
    assert records[0]["id"] in shown.stdout
    assert "IOR 3.3.0" in shown.stdout


def test_doubtful_results_make_no_record() -> None:
    Path("r/a").write_text(printing.ior({"write": [19550.0]}, block=GIB))
    found = run("accept", "-c", "large+hdmd", "--results", "r", "--as-measurement", "m.yaml")
    assert found.exit_code == 1
    assert "PX694" in found.stderr
    assert not Path("m.yaml").exists()
    assert run("accept", "-c", "large+hdmd", "--results", "r", "--site", "X").exit_code == 2
    assert run("accept", "-c", "large+hdmd", "--results", "r", "--as-measurement", "m", "--date", "soon").exit_code == 2


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_pages(form: str) -> None:
    Path("r/a").write_text(campaigns.printed(LARGE[0], 64, 20.4, 16))
    Path("r/b|`x`").write_text("hello")
    found = run("accept", "-c", "large+hdmd", "--results", "r", "--format", form)
    assert found.exit_code == 0
    assert "accepted (pass)" in found.stdout
    assert "n_n.write.peak" in found.stdout
    assert "no output of IOR" in found.stdout.replace("\n", " ").replace("  ", " ")
    assert max(map(len, found.stdout.splitlines())) <= 80 or form == "markdown"


@pytest.mark.parametrize(
    "design", ["large+hdmd", "large", "lustre-me4", "lustre-me4-nodne", "lustre-powerflex", "ethernet", "mix"]
)
def test_the_system_of_every_design_can_be_written_as_measured(design: str) -> None:
    plan = loads(run("plan", "-c", design, "--format", "json").stdout)["figures"]
    value = plan["throughput.sequential.n_n.write.peak"]["value"] / MIB
    Path("r/a").write_text(printing.ior({"write": [value, value]}, tasks=960, nodes=12, block=64 * GIB))
    Path("site").mkdir()
    found = run("accept", "-c", design, "--results", "r", "--as-measurement", "site/m.yaml")
    assert found.exit_code == 0, found.stderr
    again = run("plan", "-c", design, "--catalog", "site", "--format", "json")
    assert again.exit_code == 0, again.stderr
    assert loads(again.stdout)["figures"]["throughput.sequential.n_n.write.peak"]["basis"] == "measured"


def test_the_chart_has_a_dot_for_each_point_inside_its_panel() -> None:
    campaigns.write(Path("r"), LARGE[:4], 16)
    Path("r/c").write_text(printing.io500({"ior-easy-write": (19.0, "GiB/s")}))  # without threads: no dot
    found = run("accept", "-c", "large+hdmd", "--results", "r", "--chart", "c.svg")
    assert found.exit_code == 0
    tree = ElementTree.parse("c.svg").getroot()
    panels = tree.findall("{*}g")
    assert len(panels) == 4
    for panel in panels:
        dots = panel.findall("{*}circle")
        assert len(dots) == 3
        assert all(0 <= float(d.attrib["cx"]) <= 300 and 0 <= float(d.attrib["cy"]) <= 170 for d in dots)
        places = [float(d.attrib["cx"]) for d in dots]
        assert places == sorted(places)
        # The second point is the peak: the highest of the three.
        assert min(dots, key=lambda d: float(d.attrib["cy"])) is dots[1]
    assert run("accept", "-c", "large+hdmd", "--results", "r", "--chart", "no/c.svg").exit_code == 1
    config = request(Path())
    assert run("accept", "-c", str(config), "--results", "r", "--chart", str(config)).exit_code == 2
