"""YAML for tests, and the catalog as it is written: plain words, parsed once a process."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from pixsize.resources import folder

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
"""Both in C where they are built in: they take a twentieth of the time."""


def text(words: Any) -> str:
    """Words as YAML, in their order."""
    return str(yaml.dump(words, Dumper=DUMPER, sort_keys=False))


def parsed(path: Path) -> Any:
    """What a YAML file says."""
    return yaml.load(path.read_text(encoding="utf-8"), LOADER)


@cache
def records() -> tuple[tuple[Path, dict[str, Any]], ...]:
    """Every record of the shipped catalog, with its file. Who changes one changes a copy of it."""
    files = {path: parsed(path) for path in sorted(folder("catalogs").rglob("*.yaml"))}
    return tuple((path, r) for path, found in files.items() for r in (found if isinstance(found, list) else [found]))
