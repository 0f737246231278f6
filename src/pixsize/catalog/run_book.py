"""What the durations of a run book rest on."""

from __future__ import annotations

from pixsize.catalog.records import Natural, Record


class WorkTime(Record):
    """How long one piece of work on site takes, in seconds: an assumption, no figure of the plan rests on it."""

    seconds: Natural
