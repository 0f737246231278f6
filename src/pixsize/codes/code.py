"""What a kind of finding is."""

from __future__ import annotations

from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "note"]


class Code(NamedTuple):
    """A kind of finding: what it means, why it matters (with its document, where one stands behind it), what to do."""

    severity: Severity
    title: str
    why: str
    cure: str
