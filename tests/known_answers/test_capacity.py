"""Capacities that the white paper prints, or that follow from it by arithmetic, exact to the byte.

Sources: Dell PixStor 6 white paper, Table 1 ("Capacity w/o expansion", "Capacity w/ expansion"), its introduction
(12,096 TB, 10.74 PiB) and Storage Configuration on ME4 Arrays (Figures 12 to 14). Decimal TB throughout.
"""

from __future__ import annotations

from typing import Any

import pytest

from pixsize import units
from tests.support.estimating import ONE_ME4024, estimated

TB = 10**12
GB = 10**9

LARGE = [{"size": "large"}]
EXPANDED = [{"size": "large", "expansion": True}]

KNOWN = [
    # Table 1: 4 x 84 x 12 TB raw; 4 x 8 groups x 8 data drives x 12 TB. 24 x 960 GB, halved twice: RAID 1, two copies.
    pytest.param(LARGE, ONE_ME4024, 4032 * TB, 3072 * TB, 32, 12, 23_040 * GB, 5_760 * GB, id="large, 1 array"),
    # Table 1: twice the enclosures.
    pytest.param(EXPANDED, ONE_ME4024, 8064 * TB, 6144 * TB, 64, 12, 23_040 * GB, 5_760 * GB, id="large + expansion"),
    # Introduction: 12,096 TB or 10.74 PiB raw and 8 PiB formatted are 672 slots of 18 TB.
    pytest.param(
        [{"size": "large", "expansion": True, "data_drive": "18 TB"}],
        ONE_ME4024, 12_096 * TB, 9216 * TB, 64, 12, 23_040 * GB, 5_760 * GB, id="large + expansion, 18 TB",
    ),
    # Figure 12: 80 HDDs an array, the last four slots hold SSDs: 16 x 960 GB.
    pytest.param(LARGE, None, 3840 * TB, 3072 * TB, 32, 8, 15_360 * GB, 3_840 * GB, id="large, standard"),
    # System Design: one and two arrays a module.
    pytest.param([{"size": "small"}], ONE_ME4024, 1008 * TB, 768 * TB, 8, 12, 23_040 * GB, 5_760 * GB, id="small"),
    pytest.param([{"size": "medium"}], ONE_ME4024, 2016 * TB, 1536 * TB, 16, 12, 23_040 * GB, 5_760 * GB, id="medium"),
    # Table 1: four ME4024 for a Large.
    pytest.param(
        LARGE, {"arrays": 4, "drive": "960 GB"}, 4032 * TB, 3072 * TB, 32, 48, 92_160 * GB, 23_040 * GB, id="4 arrays"
    ),
]  # fmt: skip


@pytest.mark.parametrize(("modules", "hdmd", "raw", "formatted", "data", "metadata", "ssd", "usable"), KNOWN)
def test_the_documents_capacities(
    modules: list[dict[str, Any]],
    hdmd: dict[str, Any] | None,
    raw: int,
    formatted: int,
    data: int,
    metadata: int,
    ssd: int,
    usable: int,
) -> None:
    found = estimated(modules, hdmd)
    exact = {
        "capacity.raw": raw,
        "capacity.formatted": formatted,
        "volumes.data": data,
        "volumes.metadata": metadata,
        "capacity.metadata.raw": ssd,
        "capacity.metadata.usable": usable,
    }
    assert {i: found.value(i) for i in exact} == exact
    for figure in (found.figures[i] for i in exact):
        assert figure.low == figure.value == figure.high
        assert figure.basis == "exact"


def test_binary_units_as_printed() -> None:
    """Table 1 prints 3667 and 2794, 7334 and 5588 TiB; the introduction 10.74 PiB for 12,096 TB, and 8 PiB is 8.19."""
    large, expanded = estimated(LARGE), estimated(EXPANDED)
    most = estimated([{"size": "large", "expansion": True, "data_drive": "18 TB"}])
    assert [units.binary_bytes(large.value(f"capacity.{i}"), 0) for i in ("raw", "formatted")] == [
        "3667 TiB",
        "2794 TiB",
    ]
    assert [units.binary_bytes(expanded.value(f"capacity.{i}"), 0) for i in ("raw", "formatted")] == [
        "7334 TiB",
        "5588 TiB",
    ]
    assert round(most.value("capacity.raw") / 2**50, 2) == 10.74
    assert round(most.value("capacity.formatted") / 2**50, 2) == 8.19


def test_a_group_shows_85_4_tib() -> None:
    """python-me4storage, README: a volume on a linear group of 8+2, probably of 12 TB drives, has 85.4 TiB."""
    found = estimated([{"size": "small"}])
    assert round(found.value("capacity.usable") / 8 / 2**40, 1) == 85.4


def test_waterfall_of_a_large() -> None:
    """By hand: 4 x 4 spares of 12 TB are 192 TB, 2 of 10 drives in 32 groups 768 TB; 2.2 % of 3072 TB are 67.584 TB."""
    found = estimated(LARGE)
    assert found.value("capacity.spares") == 192 * TB
    assert found.value("capacity.parity") == 768 * TB
    assert found.value("capacity.array_overhead") == 67_584 * GB
    assert found.value("capacity.filesystem_overhead") == 0
    assert found.value("capacity.usable") == 3_004_416 * GB


def test_range_of_usable() -> None:
    """By hand: high takes off 1 % and nothing; low has volumes of 97 % of 96 TB in whole 4 MiB, and loses 0.1 %."""
    usable = estimated(LARGE).figures["capacity.usable"]
    assert usable.high == 3072 * TB * 99 // 100
    volume = 96 * TB * 97 // 100 // 2**22 * 2**22
    filesystem = -(-(3072 * TB * 99 // 100) // 1000)
    assert usable.low == 32 * volume - filesystem
    assert usable.basis == "estimated"


def test_files_of_one_me4024() -> None:
    """By hand: 5.76 TB in inodes of 4 KiB are 1,406,250,000 at the most.

    A volume of 97 % of 960 GB is 931.2 GB, in whole 4 MiB 931,198,402,560 bytes; twelve of them, stored twice, at 75 %.
    """
    files = estimated(LARGE).figures["files.max"]
    assert files.high == 1_406_250_000
    assert files.value == 12 * 931_198_402_560 // 2 * 3 // 4 // 4096
    assert files.low == 12 * 931_198_402_560 // 2 * 3 // 8 // 4096


@pytest.mark.parametrize(("inode", "beside"), [("512 B", 16_384), ("1 KiB", 16_384), ("4 KiB", 4_096)])
def test_the_least_of_files_counts_what_lies_beside_an_inode(inode: str, beside: int) -> None:
    """8 KiB a file with inodes of 4 KiB; 16.5 KiB at worst with those of 512 bytes. Three quarters of the space."""
    files = estimated(LARGE, inode_size=inode).figures["files.max"]
    size = {"512 B": 512, "1 KiB": 1024, "4 KiB": 4096}[inode]
    assert files.low == 12 * 931_198_402_560 // 2 * 3 // 4 // (size + beside)
    assert f"{beside:,} bytes of directory entries" in files.rule


def test_rack_units_of_a_large() -> None:
    """Two R750 (2 U), four ME4084 (5 U); two R750, an ME4024 (2 U); two R650, an N2248X-ON, two QM8700 (1 U each)."""
    found = estimated(LARGE)
    assert found.value("hardware.rack_units") == 2 * 2 + 4 * 5 + 2 * 2 + 2 + 2 * 1 + 1 + 2
    assert "hardware.power" not in found.figures
    assert "PX407" in found.codes()
