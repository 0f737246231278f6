"""Arithmetic of ranges for known answers, apart from the code that they check: in floating point, from files as they are.

A test derives what a figure should be from printed numbers and from the ratios of the spread records, and compares.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest

from pixsize.figures import Figure
from pixsize.resources import folder
from tests.support.written import parsed


@cache
def spread(*families: str) -> dict[str, float]:
    """The ratio of each kind of step, as the record of the first of these families that has one says."""
    records = parsed(folder("catalogs") / "spreads" / "calibrated.yaml")
    ratios = {record["id"].removeprefix("spread."): record["ratios"] for record in records}
    found = next(ratios[family] for family in families if family in ratios)
    return {kind: float(ratio) for kind, ratio in found.items()}


N_N, N_1, RANDOM = (spread(f, "sequential") for f in ("sequential.n_n", "sequential.n_1", "random_4k"))


def times(ratio: float, doublings: float) -> float:
    """The ratio of a step that is taken once for every doubling: its logarithm grows with the root of their number."""
    return float(ratio ** math.sqrt(doublings))


def root(*ratios: float) -> float:
    """Independent ratios together: the root of the sum of the squares of their logarithms, as a ratio."""
    return math.exp(math.sqrt(sum(math.log(r) ** 2 for r in ratios)))


def exactly(number: float) -> Any:
    """The number but for its rounding outwards to whole units, and for six digits of a root."""
    return pytest.approx(number, rel=3e-6, abs=1)


def check(
    figure: Figure,
    value: float,
    steps: Iterable[float] = (),
    *,
    low: float | None = None,
    high: float | None = None,
    down: Iterable[float] = (),
    up: Iterable[float] = (),
    most: float = math.inf,
) -> None:
    """Fails unless a figure has this value and range.

    `low` and `high` are the bounds before any step, the value where they are not given. `steps` widen both ends, `down`
    and `up` one of them; nothing is above `most`.
    """
    low, high = (value if bound is None else bound for bound in (low, high))
    steps = tuple(steps)
    assert figure.value == exactly(value), figure.id
    assert figure.low == exactly(value / root(value / low, *steps, *down)), figure.id
    assert figure.high == exactly(min(value * root(high / value, *steps, *up), most)), figure.id
