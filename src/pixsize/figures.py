"""A number and its origin: value, range, unit, basis, rule, sources and inputs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

Basis = Literal["exact", "measured", "specified", "extrapolated", "estimated"]
Unit = Literal["B", "B/s", "op/s", "W", "U", "1"]

BASES: tuple[Basis, ...] = ("exact", "measured", "specified", "extrapolated", "estimated")
"""Every basis, strongest first."""

ARRAY_OVERHEAD = "capacity.array_overhead"
"""The id of what arrays keep of their groups for themselves."""


class Source(NamedTuple):
    """A place in a public document: the id of a catalog source record, and where in it."""

    document: str
    place: str


class Reading(NamedTuple):
    """One of several values that the documents print for the same quantity.

    `value` is in the figure's unit, `text` as printed, `why` says why it was used or left aside.
    """

    value: int
    text: str
    source: Source
    used: bool
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One number of a plan: integers in bytes, bytes per second, operations per second, watts, rack units or 1.

    `low` and `high` bound what the evidence allows. `inputs` are ids of other figures or of catalog records, so that a
    reader can follow the number down to documents. `limited_by` names the part that sets it, where one does. `steps`
    are the kinds of step that lie between a rate and the measurement that it rests on.
    """

    id: str
    value: int
    low: int
    high: int
    unit: Unit
    basis: Basis
    rule: str
    sources: tuple[Source, ...] = ()
    inputs: tuple[str, ...] = ()
    limited_by: str | None = None
    readings: tuple[Reading, ...] = ()
    steps: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # Only what an array keeps may be less than nothing: some report more than their drives are sold as.
        least = self.low if self.id == ARRAY_OVERHEAD else 0
        if not least <= self.low <= self.value <= self.high:
            raise ValueError(f"{self.id}: {least} <= {self.low} <= {self.value} <= {self.high} does not hold")


def weakest(bases: Iterable[Basis]) -> Basis:
    """The weakest of `bases`; `exact` when there are none. A figure is no stronger than its rule and its inputs."""
    return max(bases, key=BASES.index, default="exact")


def exact(
    figure: str, value: int, rule: str, sources: tuple[Source, ...], inputs: tuple[str, ...], unit: Unit = "B"
) -> Figure:
    """Arithmetic on chosen parts: no range."""
    return Figure(
        id=figure,
        value=value,
        low=value,
        high=value,
        unit=unit,
        basis="exact",
        rule=rule,
        sources=sources,
        inputs=inputs,
    )
