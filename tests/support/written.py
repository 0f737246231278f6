"""The catalog as it is written: plain words, parsed once a process."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from pixsize.resources import folder

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The parser in C reads the catalog in a twentieth of the time."""


def parsed(path: Path) -> Any:
    """What a YAML file says."""
    return yaml.load(path.read_text(encoding="utf-8"), LOADER)


@cache
def records() -> tuple[tuple[Path, dict[str, Any]], ...]:
    """Every record of the shipped catalog, with its file. Who changes one changes a copy of it."""
    files = {path: parsed(path) for path in sorted(folder("catalogs").rglob("*.yaml"))}
    return tuple((path, r) for path, found in files.items() for r in (found if isinstance(found, list) else [found]))
