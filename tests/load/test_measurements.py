"""Measurements that no figure could be made from are refused, with what can be measured in the message."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from pixsize.catalog.measurements import Measurement
from pixsize.findings import Finding
from pixsize.load import load_catalog
from pixsize.load.record_checks import trouble

SYSTEM = {
    "design": "pixstor-6",
    "storage_modules": [{"size": "small", "data_drive": "nl-sas-12tb"}],
    "block_size": "8 MiB",
}


def findings(folder: Path, figure: str, value: str, unit: str, **more: Any) -> tuple[Finding, ...]:
    record = {
        "kind": "measurement",
        "id": "site.measured",
        "title": "Measured on site",
        "sources": [{"document": "pixsize", "place": "our report"}],
        "figure": figure,
        "unit": unit,
        "system": SYSTEM,
        "readings": [{"value": value, "document": "pixsize", "place": "our report"}],
        "conditions": {"tool": "ours"},
    } | more
    kept = {k: v for k, v in record.items() if v is not None}
    (folder / "record.yaml").write_text(yaml.safe_dump(kept, sort_keys=False), encoding="utf-8")
    return load_catalog(folder)[1]


def place(finding: Finding) -> tuple[str, str]:
    """The code, and the line of the file that it points at."""
    assert finding.position is not None
    return finding.code, finding.position.text.strip()


@pytest.mark.parametrize(
    ("figure", "value", "unit"),
    [
        ("throughput.sequential.n_1.read.sustained", "5 GB/s", "B/s"),
        ("throughput.random_4k.write.peak", "5 kop/s", "op/s"),
        ("metadata.4k.remove.sustained", "5 kop/s", "op/s"),
        ("hardware.power", "3000 W", "W"),
    ],
)
@pytest.mark.parametrize("trust", ["calibration", "width"])
def test_what_can_be_measured(tmp_path: Path, figure: str, value: str, unit: str, trust: str) -> None:
    assert not findings(tmp_path, figure, value, unit, trust=trust)


@pytest.mark.parametrize(
    ("figure", "value", "unit"),
    [
        ("capacity.usable", "750 TB", "B"),
        ("files.max", "1 TB", "B"),
        ("hardware.rack_units", "5 U", "U"),
        ("throughput.sequential.n_n.write", "5 GB/s", "B/s"),
        ("throughput.sequential.n_n.rewrite.peak", "5 GB/s", "B/s"),
        ("metadata.empty.rename.peak", "5 kop/s", "op/s"),
    ],
)
@pytest.mark.parametrize("trust", ["calibration", "width"])
def test_what_no_measurement_sets(tmp_path: Path, figure: str, value: str, unit: str, trust: str) -> None:
    (found,) = findings(tmp_path, figure, value, unit, trust=trust)
    assert place(found) == ("PX203", f"figure: {figure}")
    assert figure in found.message
    for measurable in ("throughput.", "metadata.", "hardware.power"):
        assert measurable in found.message


@pytest.mark.parametrize(
    ("doubles", "found"),
    [
        ("pixstor-6.hdmd.metadata.empty.creat.peak", [("PX202", "doubles: pixstor-6.hdmd.metadata.empty.creat.peak")]),
        ("nl-sas-12tb", [("PX202", "doubles: nl-sas-12tb")]),
        (
            "lustre-me4.large.1mdt.metadata.empty.stat.peak",
            [("PX203", "doubles: lustre-me4.large.1mdt.metadata.empty.stat.peak")],
        ),
        ("lustre-me4.large.1mdt.metadata.empty.create.peak", []),
    ],
)
def test_twice_the_metadata_targets_were_measured_for_one_figure(
    tmp_path: Path, doubles: str, found: list[tuple[str, str]]
) -> None:
    given = findings(tmp_path, "metadata.empty.create.peak", "5 kop/s", "op/s", doubles=doubles)
    assert [place(f) for f in given] == found


PEAK, FEWER = "metadata.4k.create.peak", "metadata.4k.create.threads_8"


@pytest.mark.parametrize(
    ("figure", "threads", "said"),
    [
        (PEAK, {"at": [64], "most": 512}, ""),
        (PEAK, {"most": 512}, ""),
        (FEWER, None, ""),
        (PEAK, {"at": [64, 1024], "most": 512}, "no fewer than those at the peak"),
        (FEWER, {"at": [8], "most": 512}, "threads are those of a peak"),
        ("metadata.4k.create.sustained", {"most": 512}, "threads are those of a peak"),
        ("metadata.4k.create.threads_7", None, "no measurement sets"),
        ("throughput.random_4k.write.threads_8", None, "no measurement sets"),
    ],
)
def test_threads_of_a_peak_and_of_points_below_it(tmp_path: Path, figure: str, threads: object, said: str) -> None:
    found = findings(tmp_path, figure, "5 kop/s", "op/s", threads=threads)
    assert [said in f.message for f in found] == [True] * bool(said), found


def test_a_unit_that_the_figure_does_not_have(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, "hardware.power", "5 GB/s", "B/s")
    assert place(found) == ("PX203", "unit: B/s")


def test_a_size_that_the_design_does_not_have(tmp_path: Path) -> None:
    system = SYSTEM | {"storage_modules": [{"size": "smal", "data_drive": "nl-sas-12tb"}]}
    (found,) = findings(tmp_path, "hardware.power", "3000 W", "W", system=system)
    assert place(found) == ("PX202", "- size: smal")
    assert "small" in found.hint


@pytest.mark.parametrize("size", ["9 MiB", "32 MiB", "32 KiB", "8 MB", "0 B"])
def test_a_block_size_that_gpfs_cannot_have(tmp_path: Path, size: str) -> None:
    (found,) = findings(tmp_path, "hardware.power", "3000 W", "W", system=SYSTEM | {"block_size": size})
    assert place(found) == ("PX203", f"block_size: {size}")
    assert "a power of two from 64 KiB to 16 MiB" in found.message


@pytest.mark.parametrize("size", ["64 KiB", "16 MiB", "1024 KiB"])
def test_a_block_size_that_gpfs_can_have(tmp_path: Path, size: str) -> None:
    assert not findings(tmp_path, "hardware.power", "3000 W", "W", system=SYSTEM | {"block_size": size})


def test_calibration_names_its_system(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, "hardware.power", "3000 W", "W", system=None)
    assert found.code == "PX203"
    assert "says what system was measured" in found.message


def test_evidence_for_a_width_is_free_in_its_figure(tmp_path: Path) -> None:
    assert not findings(tmp_path, "metadata.128b.create.any", "5 kop/s", "op/s", system=None, trust="width")


def test_a_reading_of_nothing(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, "hardware.power", "0 W", "W")
    assert place(found) == ("PX203", "- value: 0 W")


def test_the_shipped_measurements_keep_the_same_rules() -> None:
    catalog, _ = load_catalog()
    assert [list(trouble(m)) for m in catalog.all(Measurement) if list(trouble(m))] == []
