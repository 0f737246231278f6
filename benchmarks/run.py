"""Cold starts and growth, as ratios within one run: python benchmarks/run.py [--runs N] [--large] [--write].

The base is what any typed command line costs before it does anything: importing click, yaml and pydantic's BaseModel.
Each command runs in a process of its own, in turn with the base, and the medians are compared. Nothing is asserted;
`--write` renews the table in docs/explanation/speed.md.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BASE = [sys.executable, "-c", "import click, yaml; from pydantic import BaseModel"]
CLICK = [sys.executable, "-c", "import click"]
PIXSIZE = [str(Path(sys.executable).with_name("pixsize"))]
EXAMPLE = ["--config", str(ROOT / "examples" / "large+hdmd.yaml")]
LUSTRE = ["--config", str(ROOT / "examples" / "lustre-me4.yaml")]


# A fresh checkout caches byte code at the first run; a shell that forbids it would measure the compiler.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def seconds(command: Sequence[str]) -> float:
    """The wall time of one process."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT)
    return time.perf_counter() - start


def ratio(command: Sequence[str], base: Sequence[str], runs: int) -> tuple[float, float]:
    """Median time of `command` and the median of its ratios to `base`, run in turn."""
    seconds(command), seconds(base)
    pairs = [(seconds(command), seconds(base)) for _ in range(runs)]
    return statistics.median(a for a, _ in pairs), statistics.median(a / b for a, b in pairs)


def modules(count: int) -> str:
    """A request of `count` Large modules with one HDMD array."""
    return (
        f"name: big\ndesign: pixstor-6\nstorage_modules:\n  - {{size: large, count: {count}, data_drive: 12 TB}}\n"
        "hdmd: {arrays: 1, drive: 960 GB}\nfilesystem: {name: big}\n"
    )


def peak_mib(command: Sequence[str]) -> float:
    """The peak memory of one process in MiB."""
    child = os.fork()
    if child == 0:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1), os.dup2(quiet, 2)
        os.execve(command[0], list(command), ENVIRONMENT)
    _, _, usage = os.wait4(child, 0)
    return usage.ru_maxrss / 1024


def rows(runs: int, *, large: bool) -> list[tuple[str, str, str, str]]:
    """Name, median, ratio, and what it is a ratio to."""
    found = []
    for name, command, base, to in (
        ("pixsize --help", [*PIXSIZE, "--help"], CLICK, "import click"),
        ("plan", [*PIXSIZE, "plan", *EXAMPLE], BASE, "base"),
        ("render stanzas", [*PIXSIZE, "render", "stanzas", *EXAMPLE], BASE, "base"),
    ):
        time_s, times = ratio(command, base, runs)
        found.append((name, f"{time_s * 1000:.0f} ms", f"{times:.2f}", to))
    with tempfile.TemporaryDirectory() as folder:
        for name, command in (
            ("plan, Lustre on ME4", [*PIXSIZE, "plan", *LUSTRE]),
            ("render mkfs, Lustre on ME4", [*PIXSIZE, "render", "mkfs", *LUSTRE, "-o", f"{folder}/mkfs"]),
        ):
            time_s, times = ratio(command, BASE, runs)
            found.append((name, f"{time_s * 1000:.0f} ms", f"{times:.2f}", "base"))
    with tempfile.TemporaryDirectory() as folder:
        for count in (1, 4, 16, 63):
            config = Path(folder) / f"{count}.yaml"
            config.write_text(modules(count))
            command = [
                *PIXSIZE,
                "render",
                "stanzas",
                "me4",
                "--config",
                str(config),
                "-o",
                f"{folder}/out{count}",
                "--force",
            ]
            time_s, times = ratio(command, BASE, max(3, runs // 3))
            found.append((f"render stanzas me4, {count} Large", f"{time_s * 1000:.0f} ms", f"{times:.2f}", "base"))
        if large:
            found.append(largest(Path(folder)))
            found += osts(Path(folder))
    return found


def osts(folder: Path) -> list[tuple[str, str, str, str]]:
    """The most OSTs that a file system takes in whole modules, 8,144: planned, and their scripts rendered."""
    config = folder / "8144.yaml"
    config.write_text(
        "name: big\ndesign: lustre-me4\nlustre_version: 2.15.8\nstorage_modules:\n"
        "  - {size: large, count: 254, data_drive: 8 TB}\n  - {size: medium, data_drive: 8 TB}\n"
        "metadata: {dne: true}\nnetwork: {lnet: o2ib, interface: ib0, subnet: 10.10.0.0/16}\nfilesystem: {name: big}\n"
    )
    found = []
    for name, command in (
        ("plan, 8,144 OSTs", [*PIXSIZE, "plan", "--config", str(config)]),
        ("render mkfs, 8,144 OSTs", [*PIXSIZE, "render", "mkfs", "--config", str(config), "-o", str(folder / "big")]),
    ):
        time_s, times = ratio(command, BASE, 1)
        found.append((f"{name} (peak {peak_mib(command):.0f} MiB)", f"{time_s * 1000:.0f} ms", f"{times:.1f}", "base"))
    return found


MOST_LARGE = 590
"""Modules of 336 drives, below 200,000 in all."""


def largest(folder: Path) -> tuple[str, str, str, str]:
    """A plan of as many Large as `pixsize.drives` allows, with the NSD limit raised by an overlay record."""
    overlay = folder / "overlay"
    overlay.mkdir()
    (overlay / "limit.yaml").write_text(
        "kind: limit\nreplaces: scale.nsds\ntitle: raised for the benchmark\nvalue: 40000\n"
        "sources:\n  - {document: pixsize, place: benchmark}\n"
    )
    config = folder / "largest.yaml"
    config.write_text(modules(MOST_LARGE))
    command = [*PIXSIZE, "plan", "--config", str(config), "--catalog", str(overlay)]
    time_s, times = ratio(command, BASE, 1)
    return (
        f"plan, {MOST_LARGE} Large (peak {peak_mib(command):.0f} MiB)",
        f"{time_s * 1000:.0f} ms",
        f"{times:.1f}",
        "base",
    )


def table(found: list[tuple[str, str, str, str]]) -> str:
    """The rows as a Markdown table."""
    lines = ["| command | median | ratio | to |", "|---|---:|---:|---|"]
    return "\n".join([*lines, *(f"| {a} | {b} | {c} | {d} |" for a, b, c, d in found)]) + "\n"


def main() -> None:
    """Measure, print, and write the table when asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--large", action="store_true", help="also the largest plans")
    parser.add_argument("--write", action="store_true", help="renew the table in docs/explanation/speed.md")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    text = table(rows(options.runs, large=options.large))
    print(text, end="")
    if options.write:
        page = ROOT / "docs" / "explanation" / "speed.md"
        head = page.read_text().partition("<!-- table -->")[0]
        page.write_text(f"{head}<!-- table -->\n\n{text}")


if __name__ == "__main__":
    main()
