"""Records that the durations of a run book are calculated from."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, field_validator

from pixsize.catalog.records import Record
from pixsize.figures import Basis
from pixsize.quantities import BytesPerS

_A_DAY_S = 24 * 60 * 60
_LEAST_PER_S, _MOST_PER_S = 10**6, 10**12
"""Bounds against mistakes of units: a step longer than a day, a rate in MB/s written as B/s or the other way round."""


class WorkTime(Record):
    """How long one piece of work on site takes, in seconds, a day at most.

    It is an assumption: no figure of the plan rests on it.
    """

    seconds: Annotated[int, Field(ge=1, le=_A_DAY_S)]


class Rate(Record):
    """A rate that a duration is worked out with, in bytes a second, 1 MB/s to 1 TB/s.

    `basis` says what kind of evidence it is.
    """

    value_per_s: BytesPerS = Field(alias="value")
    basis: Basis

    @field_validator("value_per_s")
    @classmethod
    def _sensible(cls, value_per_s: int) -> int:
        """The rate, where it is within the bounds: another would make a duration of years, or of no time."""
        if not _LEAST_PER_S <= value_per_s <= _MOST_PER_S:
            raise ValueError(f"{value_per_s:,} B/s is out of range: 1 MB/s to 1 TB/s")
        return value_per_s
