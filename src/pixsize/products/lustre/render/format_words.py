"""How long formatting takes, in words: for the scripts of mkfs and for every run book that names their duration."""

from __future__ import annotations

from collections.abc import Collection

from pixsize.products.lustre.format_time import FormatWork
from pixsize.units import decimal_bytes, show

_MINUTE, _HOUR = 60, 3600
_IN_MINUTES = 2 * _HOUR
"""From here on hours are named beside minutes."""


def written(work: FormatWork) -> str:
    """What a format writes: `writes 1.92 TB of inode tables and 4.29 GB of journal`."""
    parts = [(work.inode_table_bytes, "inode tables"), (work.journal_bytes, "journal")]
    named = " and ".join(f"{decimal_bytes(size)} of {what}" for size, what in parts if size)
    return f"writes {'up to ' if work.at_most else ''}{named}" if named else "writes next to nothing"


def takes(works: Collection[FormatWork]) -> str:
    """The time for formatting such targets one after the other: `about 80 min`, or `up to 80 min`."""
    seconds = sum(w.seconds for w in works)
    if seconds < _MINUTE:
        return "less than a minute"
    return f"{'up to' if any(w.at_most for w in works) else 'about'} {duration(seconds)}"


def duration(seconds: int) -> str:
    """Whole minutes, rounded up, with hours from two hours on: `80 min`, `5 h 20 min`."""
    minutes = -(-seconds // _MINUTE)
    if seconds < _IN_MINUTES:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60:02} min"


def rate(work: FormatWork) -> str:
    """The rate that a duration was worked out with: `400 MB/s`."""
    return show(work.rate, "B/s")


def sentence(work: FormatWork) -> str:
    """What a script says before it formats: bytes, rate and time."""
    return f"{written(work)}, at {rate(work)} {takes([work])}"
