"""Unlike storage modules under one file system: one note says which of them pace which, and what that costs."""

from __future__ import annotations

import re
from math import floor
from typing import Any

import pytest

from pixsize.findings import Finding
from tests.support.estimating import estimated

LARGE: dict[str, Any] = {"size": "large"}
EXPANDED: dict[str, Any] = {"size": "large", "expansion": True}


def notes(modules: list[dict[str, Any]]) -> list[Finding]:
    return [f for f in estimated(modules).findings if f.code == "PX412"]


def test_one_note_names_the_slowest_modules_and_what_they_cost_at_least() -> None:
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
    lost = [1 - f.value / sum(figures[f.id].value for figures in alone) for f in slow]
    counted = [part for part in lost if part > 0.02]
    least = floor(min(counted) * 1000) / 10
    (note,) = notes([LARGE, EXPANDED])
    said = f"sm01 (1 x Large, nl-sas-12tb) in {len(counted)} of {len(rates)} rates, which are at least {least:g} % below the sum"
    assert said in note.message


@pytest.mark.parametrize("modules", [[LARGE], [LARGE | {"count": 3}], [LARGE, LARGE]])
def test_equal_modules_have_no_such_note(modules: list[dict[str, Any]]) -> None:
    assert notes(modules) == []


def test_a_loss_of_two_per_cent_is_not_worth_a_note() -> None:
    """A Small brings a little more for each NSD than a Large: what the Large costs it is lost in the range."""
    found = estimated([LARGE, {"size": "small"}])
    figure = found.figures["throughput.sequential.n_n.write.peak"]
    assert (figure.limited_by or "").startswith("slowest NSDs (sm01: ")
    assert "PX412" not in {f.code for f in found.findings}
