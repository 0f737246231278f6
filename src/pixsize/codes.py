"""The codes of findings: what each means, why it matters, and what to do.

They stand in `codes.yaml`, here and in the folders of arrays and products. A run reads the snapshot made of them by
`python -m pixsize.load.snapshot`, when the first finding asks for its severity.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "note"]

RANGES: Mapping[str, str] = {
    "PX0": "Files",
    "PX1": "Requests",
    "PX2": "The catalog",
    "PX3": "Replies of the real system",
    "PX4": "The design",
    "PX5": "The finished plan",
    "PX6": "Rendered files",
    "PX7": "Benchmarks",
}
"""What the first digit of a code says: the ranges that codes are taken from."""
SNAPSHOT = Path(__file__).with_name("codes_snapshot.json")


class Code(NamedTuple):
    """A kind of finding: what it means, why it matters (with its document, where one stands behind it), what to do."""

    severity: Severity
    title: str
    why: str
    cure: str


@cache
def codes() -> Mapping[str, Code]:
    """Every code and what it means, in the order of the codes."""
    return {code: Code(**words) for code, words in json.loads(SNAPSHOT.read_bytes()).items()}
