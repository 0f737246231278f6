"""Campaigns on a simulated cluster: what the scripts start, what comes of it, interrupted and gone on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.bench import kits
from tests.support.cli_support import loads, run


def accepted(where: Path) -> dict[str, Any]:
    results = where / "campaign" / "bench" / "results"
    found = run("accept", "-c", str(where / "request.yaml"), "--results", str(results), "--format", "json")
    assert found.exit_code in (0, 1), found.output
    return loads(found.stdout)


def test_sequential_points_are_measured_and_accepted(tmp_path: Path) -> None:
    bench = kits.rendered(tmp_path, "large+hdmd", {"clients": {"hosts": [f"c{n:02}" for n in range(1, 17)]}})
    measure = kits.named(bench, "n-n")
    refused = kits.simulated(tmp_path, measure)
    assert refused.returncode == 1
    assert f"Run {kits.named(bench, 'set-sequential')} first." in refused.stderr
    done = kits.simulated(tmp_path, kits.named(bench, "set-sequential"), f"{measure} --threads 64,128,256")
    assert done.returncode == 0, done.stderr
    found = accepted(tmp_path)
    assert found["verdict"] == "pass", found
    assert not found["ignored"]
    outputs = sorted((tmp_path / "campaign" / "bench" / "results").iterdir())
    assert len(outputs) == 12
    about = json.loads(next(o for o in outputs if "t0064" in o.name and o.suffix == ".json").read_text())
    assert (about["tool"], about["version"], about["threads"], len(about["hosts"])) == ("iozone", "3.492", 64, 16)


TAKEN_ON = [{"code": "PX680", "reason": "random transfers move as much data as the document did"}]
POINTS = "32,256,432,512,1024"
"""Few points, the peaks of the plans' curves among them."""
FOUR = {"clients": {"hosts": ["c1", "c2", "c3", "c4"], "cores": 108, "memory": "192 GiB"}}
"""Few clients: a point asks every one of them some times."""
WHOLE = {
    "large+hdmd": 14,
    "pixstor-5-large+hdmd": 18,
    "lustre-me4": 7,
    "lustre-powerflex": 12,
}
"""Designs, each with how many figures its campaign is judged by at the least."""


@pytest.mark.long
@pytest.mark.parametrize("example", WHOLE)
def test_a_whole_campaign_is_accepted(example: str, tmp_path: Path) -> None:
    bench = kits.rendered(tmp_path, example, FOUR, accept=TAKEN_ON)
    names = sorted(p.name for p in bench.glob("[0-9]*.sh"))
    measuring = [n for n in names if "points_" in (bench / n).read_text()]
    done = kits.simulated(tmp_path, *(f"{n} --threads {POINTS}" if n in measuring else n for n in names))
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "campaign" / "bench" / "state" / "settings").exists()
    assert not list((tmp_path / "campaign" / "root").rglob("pixsize-bench-*"))
    found = accepted(tmp_path)
    assert found["verdict"] == "pass", [t for t in found["tests"] if t["verdict"] != "pass"]
    assert len(found["tests"]) >= WHOLE[example]
    # What a design's document did not measure is no figure of the plan.
    assert all("the plan has no figure" in i["why"] for i in found["ignored"]), found["ignored"]
    assert all(Path(f).suffix == ".txt" for t in found["tests"] for f in t["files"])


SLOW = {
    "large+hdmd": ("metadata.4k.create", "4k", "128,256"),
    "lustre-me4": ("throughput.random_4k.read", "random", "128,256"),
    "lustre-powerflex": ("metadata.4k.create", "4k", "256,432"),
}


@pytest.mark.long
@pytest.mark.parametrize("example", SLOW)
def test_a_slow_figure_is_not_accepted(example: str, tmp_path: Path) -> None:
    figure, part, threads = SLOW[example]
    bench = kits.rendered(tmp_path, example, FOUR, accept=TAKEN_ON)
    names = sorted(p.name for p in bench.glob("[0-9]*.sh"))
    script = kits.named(bench, part)
    before = [n for n in names[: names.index(script)] if "-set-" in n or n.endswith("undo.sh")]
    done = kits.simulated(tmp_path, *before, f"{script} --threads {threads}", slow=(f"{figure}=0.5",))
    assert done.returncode == 0, done.stderr
    found = accepted(tmp_path)
    assert found["verdict"] == "fail"
    by_figure = {t["figure"]: t["verdict"] for t in found["tests"]}
    assert by_figure[f"{figure}.peak"] == "fail"
    assert {v for f, v in by_figure.items() if not f.startswith(figure)} == {"pass"}


@pytest.mark.parametrize("version", ["3.1.0", "3.3.0", "4.0.0"])
def test_outputs_of_every_version_are_read(version: str, tmp_path: Path) -> None:
    tools = {"ior": version, "mdtest": {"3.1.0": "1.9.4-rc1"}.get(version, version)}
    bench = kits.rendered(tmp_path, "large+hdmd", FOUR | {"tools": tools})
    scripts = kits.named(bench, "set-sequential"), f"{kits.named(bench, 'n-1')} --threads 16,32"
    done = kits.simulated(
        tmp_path, *scripts, kits.named(bench, "undo"), f"{kits.named(bench, 'empty')} --threads 32,256"
    )
    assert done.returncode == 0, done.stderr
    found = accepted(tmp_path)
    assert found["verdict"] == "pass", found
    assert {(t["tool"], t["version"]) for t in found["tests"]} == {("IOR", version), ("mdtest", tools["mdtest"])}
    assert not found["ignored"]


def test_a_description_without_its_output_is_named(tmp_path: Path) -> None:
    bench = kits.rendered(tmp_path, "large+hdmd", FOUR)
    assert kits.simulated(tmp_path, f"{kits.named(bench, 'empty')} --threads 32").returncode == 0
    results = tmp_path / "campaign" / "bench" / "results"
    (description,) = results.glob("*.json")
    assert not accepted(tmp_path)["ignored"]
    (results / "other.json").write_text(description.read_text().replace(".txt", ".nothing"))
    (ignored,) = accepted(tmp_path)["ignored"]
    assert ignored["file"] == "other.json"
