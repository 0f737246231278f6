"""The shipped catalog as plain words and as records, read with PyYAML alone: the strict reader is tested elsewhere."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.kinds import KINDS
from pixsize.catalog.measurements import Measurement
from pixsize.catalog.records import Record
from tests.support import written

ROOT = Path(__file__).resolve().parents[2]
CATALOGS = ROOT / "catalogs"
EXTEND = ROOT / "docs" / "how-to" / "extend-the-catalog.md"
ERRATA = ROOT / "docs" / "explanation" / "errata.md"
FILES = sorted(CATALOGS.rglob("*.yaml"))
TB = 10**12


@lru_cache(maxsize=1)
def _catalog() -> Catalog:
    return Catalog({record["id"]: record for _, record in written.records()})


def validated(record: dict[str, Any]) -> Record:
    plain = {k: v for k, v in record.items() if k not in ("kind", "replaces")}
    return KINDS[record["kind"]].model_validate(plain, context=_catalog())


@lru_cache(maxsize=1)
def records() -> dict[str, Record]:
    return {r["id"]: validated(r) for _, r in written.records()}


def kind_of(kind: type[Record]) -> list[Any]:
    found = [r for r in records().values() if type(r) is kind]
    assert found, f"no {kind.__name__} in the catalog"
    return found


def get(record_id: str, kind: type[Any]) -> Any:
    record = records()[record_id]
    assert isinstance(record, kind)
    return record


def number(text: str) -> Fraction:
    return units.parse(text, "rate" if text.endswith("B/s") else "operations")


def used(measurement: Measurement) -> Fraction:
    (reading,) = [r for r in measurement.readings if r.used]
    return number(reading.value)
