"""The shipped records, and those that the user lays over them.

A JSON file, the snapshot, spares a run the parsing of the shipped YAML. It carries a digest over the YAML files: where
somebody has edited them since, they are parsed instead.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any
from zlib import crc32

from pixsize import resources
from pixsize.catalog.catalog import Catalog
from pixsize.findings import Finding

FILE = Path(__file__).with_name("catalog_snapshot.json")

Place = tuple[str, int, int]


@dataclass
class Shipped:
    """The shipped records as YAML words by id, the place of each (file, line, column), and what is wrong with them."""

    raw: dict[str, dict[str, Any]]
    places: dict[str, Place]
    findings: list[Finding]

    @cached_property
    def catalog(self) -> Catalog:
        """The records without any overlay; a process that lays several overlays over them validates each once."""
        return Catalog(self.raw)


def shipped() -> Shipped:
    """The shipped catalogs: from the snapshot where it is current, from the YAML files otherwise."""
    return _shipped(resources.folder("catalogs"), FILE)


@lru_cache(maxsize=1)
def _shipped(folder: Path, snapshot: Path) -> Shipped:
    """A process reads them once, also where it compares several requests."""
    names = catalog_files(folder)
    return _from_snapshot(snapshot, digest(folder, names)) or from_yaml(folder, names)


def catalog_files(folder: Path) -> list[str]:
    """The names of the YAML files below `folder`, relative to it, sorted."""
    found: list[str] = []
    for where, _, files in os.walk(folder):
        prefix = os.path.relpath(where, folder)
        found += [name if prefix == "." else f"{prefix}/{name}" for name in files if name.endswith((".yaml", ".yml"))]
    return sorted(found)


def digest(folder: Path, names: Sequence[str]) -> str:
    """A digest over names and bytes, cheap enough for every start: it guards against edits, not against attacks."""
    summed, size = 0, 0
    for name in names:
        data = (folder / name).read_bytes()
        summed = crc32(data, crc32(f"{name}\0{len(data)}\0".encode(), summed))
        size += len(data)
    return f"{len(names)}-{size}-{summed:08x}"


def _from_snapshot(file: Path, expected: str) -> Shipped | None:
    try:
        snapshot = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return None
    if not isinstance(snapshot, dict) or snapshot.get("digest") != expected:
        return None
    return Shipped(snapshot["raw"], {i: (p[0], p[1], p[2]) for i, p in snapshot["places"].items()}, [])


def from_yaml(folder: Path, names: Sequence[str]) -> Shipped:
    """The shipped catalogs, read from their YAML files."""
    from pixsize.load.record_files import read_entries

    result = Shipped({}, {}, [])
    for name in names:
        entries, findings = read_entries(folder / name, f"catalogs/{name}")
        result.findings.extend(findings)
        for entry in entries:
            if entry.id in result.raw:
                file, line, _ = result.places[entry.id]
                result.findings.append(entry.finding("PX201", "id", f"the id stands in {file}:{line} too"))
                continue
            position = entry.position()
            result.raw[entry.id] = entry.words
            result.places[entry.id] = (position.file, position.line, position.column)
    return result


def load_catalog(overlay: Path | None = None) -> tuple[Catalog, tuple[Finding, ...]]:
    """Every record of the run, and what is wrong with those of `overlay`: a new id adds, `replaces: ID` replaces.

    Shipped records are validated when they are first used, overlay records now.
    """
    base = shipped()
    if overlay is None or base.findings:
        return base.catalog, tuple(base.findings)
    from pixsize.load.overlay import lay_over

    return lay_over(base, overlay)
