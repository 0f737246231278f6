"""What writes cost that fill no whole RAID stripe, and how wide the range of a plan with such writes is."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixsize.arrays.stripes import Stripe, stripe_of
from tests.support.estimating import Estimated, estimated, lustre_on_arrays, overlaid, replacing

KIB = 1024
RAID_6 = Stripe(data_drives=8, chunk_bytes=512 * KIB, parity_drives=2)
WRITE = "throughput.sequential.n_n.write.peak"
READ = "throughput.sequential.n_n.read.peak"


@pytest.mark.parametrize(
    ("block_kib", "times"),
    [
        (4096, 1),  # one stripe
        (8192, 1),  # two
        (
            1024,
            Fraction(16, 5),
        ),  # 2 chunks and 2 of parity, each read and written: 4 MiB for 1, where a stripe takes 1.25
        (2048, 2),  # 4 chunks and 2 of parity written, the other 4 read: 5 MiB for 2
        (256, Fraction(24, 5)),  # half a chunk and twice its parity, each read and written: 1.5 MiB for a quarter
    ],
)
def test_by_hand(block_kib: int, times: Fraction) -> None:
    assert RAID_6.overhead(block_kib * KIB) == times


def drive_by_drive(stripe: Stripe, start: int, size: int) -> int:
    """The least that drives move for one write, counted chunk by chunk in units of a chunk."""
    moved = 0
    chunks = range(start, start + size)
    for first in range(start - start % stripe.data_drives, start + size, stripe.data_drives):
        written = sum(c in chunks for c in range(first, first + stripe.data_drives))
        others = stripe.data_drives - written
        old, rest = written + stripe.parity_drives, others
        moved += written + stripe.parity_drives + (min(old, rest) if others else 0)
    return moved


@given(st.integers(1, 16), st.integers(1, 2), st.integers(1, 64))
def test_counted_chunk_by_chunk(drives: int, parity: int, size: int) -> None:
    """Over as many blocks as bring all places at which one may begin."""
    stripe = Stripe(drives, 64 * KIB, parity)
    moved = sum(drive_by_drive(stripe, n * size, size) for n in range(drives))
    whole = Fraction(drives + parity, drives)
    assert stripe.overhead(size * 64 * KIB) == Fraction(moved, drives * size) / whole
    assert (stripe.overhead(size * 64 * KIB) == 1) == (size % drives == 0)


def test_mirrors_have_no_stripe_that_must_be_whole() -> None:
    (group, *_) = estimated([{"size": "large"}]).plan.disk_groups
    assert stripe_of(group) == RAID_6
    assert stripe_of(group._replace(level="r10")) is None
    assert stripe_of(group._replace(chunk_bytes=None)) is None


def width(found: Estimated, figure: str) -> float:
    return found.figures[figure].high / found.figures[figure].low


def test_blocks_that_fill_no_stripe_have_a_low_end_of_their_own() -> None:
    whole, part = (estimated([{"size": "large"}], block_size=f"{n} MiB") for n in (16, 1))
    assert part.figures[WRITE].basis == "estimated"
    assert whole.figures[WRITE].basis == "extrapolated"
    assert part.value(WRITE) == whole.value(WRITE)
    assert whole.value(WRITE) / whole.figures[WRITE].low < 1.2
    assert 3.2 <= part.value(WRITE) / part.figures[WRITE].low < 3.5
    assert "fill no whole RAID stripe" in part.figures[WRITE].rule
    assert "fill no whole RAID stripe" not in part.figures[READ].rule
    assert part.figures[READ].basis == whole.figures[READ].basis


@pytest.mark.parametrize("size", ["small", "medium"])
def test_so_has_a_module_that_nobody_measured(size: str) -> None:
    assert width(estimated([{"size": size}], block_size="1 MiB"), WRITE) > 3.2


def test_an_rpc_is_what_lustre_writes_at_once(tmp_path: Path) -> None:
    """4 MiB, which are whole stripes with each chunk that the arrays have; 1 MiB fills no stripe of chunks of 512 KiB."""
    assert width(lustre_on_arrays([{"size": "large", "chunk_size": "512 KiB"}]), WRITE) < 1.5
    smaller = overlaid(tmp_path, replacing("lustre.rpc_bytes", value="1 MiB"))
    part = lustre_on_arrays([{"size": "large", "chunk_size": "512 KiB"}], catalog=smaller)
    assert width(part, WRITE) > 3.2


def test_a_benchmark_with_such_blocks_is_taken_as_it_is(tmp_path: Path) -> None:
    record = {
        "kind": "measurement",
        "id": "mine",
        "title": "mine",
        "figure": WRITE,
        "unit": "B/s",
        "trust": "calibration",
        "system": {
            "design": "pixstor-6",
            "storage_modules": [{"size": "large", "data_drive": "nl-sas-12tb"}],
            "hdmd": {"drive": "ssd-960gb"},
            "block_size": "1 MiB",
        },
        "readings": [{"value": "12 GB/s", "document": "pixsize", "place": "a test"}],
        "sources": [{"document": "pixsize", "place": "a test"}],
        "conditions": {"tool": "IOR"},
    }
    found = estimated(
        [{"size": "large", "data_drive": "16 TB"}], block_size="1 MiB", catalog=overlaid(tmp_path, record)
    )
    assert found.value(WRITE) == 12 * 10**9
    assert "fill no whole RAID stripe" not in found.figures[WRITE].rule
