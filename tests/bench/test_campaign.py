"""Campaigns on a simulated cluster: what the scripts start, what comes of it, interrupted and gone on."""

from __future__ import annotations

import json
from pathlib import Path

from tests.bench import kits
from tests.support.cli_support import loads, run


def accepted(where: Path) -> dict[str, object]:
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
