"""Where the shipped catalogs, templates and examples lie: inside an installed package, or at the top of a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

_PACKAGE = Path(__file__).resolve().parent


def folder(name: Literal["catalogs", "templates", "examples"]) -> Path:
    """The folder with the shipped files of that kind."""
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parents[1] / name
