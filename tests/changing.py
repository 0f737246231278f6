"""A record with some fields changed, whatever kind of record it is."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

R = TypeVar("R")


def replace(record: R, **changes: Any) -> R:
    """The same record but for `changes`."""
    if isinstance(record, tuple):
        return record._replace(**changes)  # type: ignore[attr-defined, no-any-return]
    return dataclasses.replace(record, **changes)  # type: ignore[type-var]
