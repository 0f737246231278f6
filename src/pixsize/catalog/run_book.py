"""What the durations of a run book rest on."""

from __future__ import annotations

from pydantic import Field

from pixsize.catalog.records import Natural, Record
from pixsize.figures import Basis
from pixsize.quantities import BytesPerS


class WorkTime(Record):
    """How long one piece of work on site takes, in seconds: an assumption, no figure of the plan rests on it."""

    seconds: Natural


class Rate(Record):
    """A rate that a duration is worked out with, in bytes a second; `basis` says what kind of evidence it is."""

    value_per_s: BytesPerS = Field(alias="value")
    basis: Basis
