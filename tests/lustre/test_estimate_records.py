"""Records of measured and stated Lustre systems: what no figure could be made from is refused, with where and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from pixsize import units
from pixsize.catalog.measurements import Measurement, Statement
from pixsize.findings import Finding
from pixsize.load import load_catalog
from pixsize.load.record_checks import trouble
from tests.support.estimating import shipped

MODULES = {"storage_modules": [{"size": "large", "data_drive": "nl-sas-8tb"}]}
METADATA = {"lustre_version": "2.15.8", "metadata": {"dne": True, "drive": "ssd-960gb"}}
SERVERS = {"servers": 4, "drive": "nvme-2tb", "lustre_version": "2.15.8", "metadata": {"dne": True}}
ON_ARRAYS = {"design": "lustre-me4", **MODULES, **METADATA}
IN_A_POOL = {"design": "lustre-powerflex", **SERVERS}


def findings(folder: Path, system: dict[str, Any], **more: Any) -> tuple[Finding, ...]:
    record = {
        "kind": "measurement",
        "id": "site.measured",
        "title": "Measured on site",
        "sources": [{"document": "pixsize", "place": "our report"}],
        "figure": "throughput.sequential.n_n.write.peak",
        "unit": "B/s",
        "system": system,
        "readings": [{"value": "5 GB/s", "document": "pixsize", "place": "our report"}],
        "conditions": {"tool": "ours"},
    } | more
    (folder / "record.yaml").write_text(yaml.safe_dump(record, sort_keys=False), encoding="utf-8")
    return load_catalog(folder)[1]


@pytest.mark.parametrize("system", [ON_ARRAYS, IN_A_POOL])
@pytest.mark.parametrize(
    "figure", ["throughput.sequential.n_n.read.128k", "metadata.128b.create.sustained", "metadata.empty.stat.peak"]
)
def test_what_can_be_measured(tmp_path: Path, system: dict[str, Any], figure: str) -> None:
    unit, value = ("B/s", "5 GB/s") if figure.startswith("throughput") else ("op/s", "5 kop/s")
    reading = {"value": value, "document": "pixsize", "place": "our report"}
    assert not findings(tmp_path, system, figure=figure, unit=unit, readings=[reading])


@pytest.mark.parametrize(
    ("system", "code", "message"),
    [
        ({"design": "lustre-me4", **METADATA}, "PX203", "storage_modules, or servers with a pool"),
        ({"design": "lustre-me4", **MODULES, **SERVERS}, "PX203", "storage_modules, or servers with a pool"),
        ({**IN_A_POOL, "drive": ""}, "PX203", "the drive of the servers is missing"),
        ({"design": "lustre-me4", **MODULES}, "PX203", "the word lustre_version is missing"),
        ({"design": "lustre-me4", **MODULES}, "PX203", "the word metadata is missing"),
        ({**ON_ARRAYS, "block_size": "8 MiB"}, "PX203", "unknown word 'block_size'"),
        ({**ON_ARRAYS, "lustre_version": ""}, "PX203", "the version of Lustre is missing"),
        ({**ON_ARRAYS, "design": "pixstor-6"}, "PX203", "the word block_size is missing"),
        ({**ON_ARRAYS, "design": "pixstor-6"}, "PX203", "unknown word 'lustre_version'"),
        ({**ON_ARRAYS, "design": "pixstor-7"}, "PX202", "no record 'pixstor-7' of kind design or pool_design"),
        ({**ON_ARRAYS, "design": "ssd-960gb"}, "PX202", "ssd-960gb is no record of kind design or pool_design"),
        ({**ON_ARRAYS, "design": ["lustre-me4"]}, "PX203", "a list stands here; text is needed"),
        ({**ON_ARRAYS, "design": "lustre-powerflex"}, "PX202", "lustre-powerflex is no record of kind design"),
        ({**IN_A_POOL, "design": "lustre-me4"}, "PX202", "lustre-me4 is no record of kind pool_design"),
        ({**IN_A_POOL, "drive": "nvme-3tb"}, "PX202", "'nvme-3tb'"),
        ({**ON_ARRAYS, "metadata": {"dne": True, "drive": "ssd"}}, "PX202", "'ssd'"),
    ],
)
def test_a_system_that_no_plan_could_be_compared_with(
    tmp_path: Path, system: dict[str, Any], code: str, message: str
) -> None:
    found = findings(tmp_path, system)
    assert code in {f.code for f in found}
    assert message in " ".join(f.message for f in found)


@pytest.mark.parametrize(
    ("doubt", "message"),
    [({"document": "nobody"}, "'nobody'"), ({"surplus": "lustre.mdtest_surplu"}, "'lustre.mdtest_surplu'")],
)
def test_a_doubt_names_records_that_exist(tmp_path: Path, doubt: dict[str, str], message: str) -> None:
    doubts = [{"document": "pixsize", "place": "our report", "why": "The clocks were off."} | doubt]
    (found,) = findings(tmp_path, IN_A_POOL, doubts=doubts)
    assert (found.code, message in found.message) == ("PX202", True)


@pytest.mark.parametrize(("text", "count"), [("104,857,600", 104_857_600), ("104857600", 104_857_600), ("7", 7)])
def test_counts_as_documents_print_them(text: str, count: int) -> None:
    assert units.parse_count(text) == count


@pytest.mark.parametrize("text", ["", "1,00", "1.5", "-3", "10485,600", "7 files", "\u0663"])
def test_what_is_no_count(text: str) -> None:
    with pytest.raises(units.UnitError, match="is no count"):
        units.parse_count(text)


def test_a_statement_of_a_count(tmp_path: Path) -> None:
    words = dict(shipped().raw["lustre-powerflex.4oss.files.max"]) | {"id": "site.files"}
    for value, fine in (("104,857,600", True), ("about 100 million", False)):
        readings = [{"value": value, "document": "pixsize", "place": "our report"}]
        (tmp_path / "record.yaml").write_text(yaml.safe_dump(words | {"readings": readings}), encoding="utf-8")
        assert (not load_catalog(tmp_path)[1]) == fine


def test_the_shipped_records_keep_the_same_rules() -> None:
    for record in (*shipped().all(Measurement), *shipped().all(Statement)):
        assert not list(trouble(record)), record.id
