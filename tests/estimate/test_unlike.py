"""Unlike storage modules under one file system: one note says which of them pace which, and what that costs."""

from __future__ import annotations

import re
from math import ceil
from typing import Any

import pytest

from pixsize.figures import Figure
from pixsize.findings import Finding
from tests.support.estimating import estimated

LARGE: dict[str, Any] = {"size": "large"}
EXPANDED: dict[str, Any] = {"size": "large", "expansion": True}


def notes(modules: list[dict[str, Any]]) -> list[Finding]:
    return [f for f in estimated(modules).findings if f.code == "PX412"]


def test_one_note_names_the_slowest_modules_and_what_they_cost_at_most() -> None:
    """An expansion doubles the NSDs behind the same controllers: those pace the NSDs of the Large without one."""
    (note,) = notes([LARGE, EXPANDED])
    assert note.severity == "note"
    assert note.where == "storage_modules"
    assert note.message.startswith("GPFS stripes over all 96 NSDs alike: ")
    assert (
        "NSDs of sm02 (1 x Large with expansion, nl-sas-12tb) pace those of sm01 (1 x Large, nl-sas-12tb)"
        in note.message
    )
    assert re.search("equal modules.* file system of its own", note.hint)


def test_the_loss_is_that_of_the_figures() -> None:
    mix, *alone = (estimated(m).figures for m in ([LARGE, EXPANDED], [LARGE], [EXPANDED]))
    rates = [
        f
        for f in mix.values()
        if f.id.startswith(("throughput.sequential", "throughput.random_4k")) and "threads" not in f.id
    ]
    slow = [f for f in rates if f.limited_by and "(sm02: " in f.limited_by]
    lost = [max(lost_of(f.id, alone, end) for end in ("value", "low")) for f in slow]
    counted, most = [part for part in lost if part > 0], ceil(max(lost) * 1000) / 10
    (note,) = notes([LARGE, EXPANDED])
    said = f"in {len(counted)} of {len(rates)} rates, whose value or low end is up to {most:g} % below the sum"
    assert f"those of sm01 (1 x Large, nl-sas-12tb) {said}" in note.message


def lost_of(rate: str, alone: list[dict[str, Figure]], end: str) -> float:
    """The share of the sum that 32 NSDs of one module and 64 of the other lose; of values half of it."""
    first, second = (getattr(figures[rate], end) for figures in alone)
    lost = 1 - 96 * min(first / 32, second / 64) / (first + second)
    return lost if end == "low" else lost / 2


@pytest.mark.parametrize("modules", [[LARGE], [LARGE | {"count": 3}], [LARGE, LARGE]])
def test_equal_modules_have_no_such_note(modules: list[dict[str, Any]]) -> None:
    assert notes(modules) == []


def test_a_loss_of_the_low_end_alone_is_noted() -> None:
    """A Small brings a little more for each NSD than a Large, and may bring a little less: its low end paces all."""
    found = estimated([LARGE, {"size": "small"}])
    write = found.figures["throughput.sequential.n_n.write.peak"]
    assert (write.limited_by or "").startswith("slowest NSDs (sm02: ")
    (note,) = (f for f in found.findings if f.code == "PX412")
    assert "NSDs of sm02 (1 x Small, nl-sas-12tb) pace those of sm01 (1 x Large, nl-sas-12tb)" in note.message


def test_a_small_loss_is_noted() -> None:
    """One Small beside sixty Large: the sequential low end loses about 1 %, and that is more than the Small adds."""
    few, many = ([LARGE | {"count": 60}], [LARGE | {"count": 60}, {"size": "small"}])
    rate = "throughput.sequential.n_n.write.peak"
    before, after = (estimated(m) for m in (few, many))
    assert 0.98 < after.figures[rate].low / before.figures[rate].low < 1
    (note,) = (f for f in after.findings if f.code == "PX412")
    assert "NSDs of sm61 (1 x Small, nl-sas-12tb) pace those of sm01 (60 x Large, nl-sas-12tb)" in note.message
