"""Rendered benchmarks for tests: of examples with other words, in a folder, and run on a cluster that is simulated."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from pixsize.resources import folder
from tests.support.cli_support import run

SIMULATE = folder("examples") / "simulated-cluster" / "simulate.py"
DESIGNS = ("large+hdmd", "pixstor-5-large+hdmd", "lustre-me4", "lustre-powerflex")


def request(where: Path, example: str, benchmark: dict[str, Any] | None = None, **words: Any) -> Path:
    """A request like an example, with words for benchmarks."""
    found = yaml.safe_load((folder("examples") / f"{example}.yaml").read_text(encoding="utf-8"))
    path = where / "request.yaml"
    path.write_text(yaml.safe_dump(found | words | ({"benchmark": benchmark} if benchmark is not None else {})))
    return path


def rendered(where: Path, example: str, benchmark: dict[str, Any] | None = None, **words: Any) -> Path:
    """The folder `bench` of such a request."""
    path = request(where, example, benchmark, **words)
    done = run("render", "bench", "--quiet", "--config", str(path), "-o", str(where / "files"))
    assert done.exit_code == 0, done.output
    return where / "files" / "bench"


def planned(where: Path) -> Path:
    """The plan of the request as JSON."""
    done = run("plan", "--quiet", "--format", "json", "--config", str(where / "request.yaml"))
    assert done.exit_code == 0, done.output
    path = where / "plan.json"
    path.write_text(done.stdout)
    return path


def simulated(where: Path, *scripts: str, slow: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """The rendered scripts, run on the simulated cluster below `where`/campaign."""
    plan = where / "plan.json" if (where / "plan.json").exists() else planned(where)
    words = [sys.executable, str(SIMULATE), "--plan", str(plan), "--scripts", str(where / "files" / "bench")]
    words += ["--into", str(where / "campaign"), *(f"--slow={s}" for s in slow), *scripts]
    return subprocess.run(words, capture_output=True, text=True, check=False, env=os.environ | {"NO_COLOR": "1"})


def calls(where: Path, *programs: str) -> list[list[str]]:
    """What the programs were started with, in the order of the calls."""
    log = where / "campaign" / "calls.log"
    lines = log.read_text().splitlines() if log.exists() else []
    return [words for words in map(json.loads, lines) if words[0] in programs]


def remote(where: Path) -> list[tuple[str, str]]:
    """The nodes that were asked, each with the command."""
    log = where / "campaign" / "ssh.log"
    lines = log.read_text().splitlines() if log.exists() else []
    return [(host, command) for host, _, command in (line.partition("\t") for line in lines)]


def named(bench: Path, part: str) -> str:
    """The name of the only script that has `part` behind its number."""
    (found,) = (p.name for p in bench.glob("[0-9]*.sh") if p.name[3:] == f"{part}.sh")
    return found
