"""Runs the command line as a user does: in this process, or as a program of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from pixsize.cli import main

LEGAL = """\
name: scratch
design: pixstor-6
storage_modules:
  - size: large
    data_drive: 12 TB
hdmd:
  arrays: 1
  drive: 960 GB
filesystem:
  name: mmfs1
"""


def run(*args: str, **options: Any) -> Result:
    """A command in this process."""
    return CliRunner().invoke(main, list(args), **options)


def program(*args: str, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    """A command as a program of its own."""
    return subprocess.run(
        [sys.executable, "-m", "pixsize", *args],
        cwd=cwd,
        env={**os.environ, **env},
        text=True,
        capture_output=True,
        check=False,
    )


def loads(text: str) -> dict[str, Any]:
    """Exactly one JSON document."""
    held: dict[str, Any] = json.loads(text)
    return held


def request(folder: Path, text: str = LEGAL, name: str = "pixsize.yaml") -> Path:
    """A request in a file."""
    path = folder / name
    path.write_text(text)
    return path
