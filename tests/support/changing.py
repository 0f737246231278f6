"""A record with some fields changed, whatever kind of record it is."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

R = TypeVar("R")


def replace(record: R, **changes: Any) -> R:
    """The same record but for `changes`: of its own fields, or of those that a product has of it."""
    if not isinstance(record, tuple):
        return dataclasses.replace(record, **changes)  # type: ignore[type-var]
    fields = record._fields  # type: ignore[attr-defined]
    below = {name: value for name, value in changes.items() if name not in fields}
    mine = {name: value for name, value in changes.items() if name in fields}
    if below:
        mine["own"] = replace(record.own, **below)  # type: ignore[attr-defined]
    return record._replace(**mine)  # type: ignore[attr-defined, no-any-return]
