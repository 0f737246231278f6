"""Real programs that judge what is rendered: where they are, and that only tests marked `real` start them."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import pytest


class Running(NamedTuple):
    """The test that runs, and whether it may start real programs."""

    test: str
    real: bool


running = Running("no test", True)
"""Set by conftest.py before each test; without a test, as in a shell of Python, everything may be started."""


def tool(name: str, *, root: bool = False) -> str:
    """The path of a program that a test needs; skips without it, but fails in CI, where all of them are.

    A test without the marker `real` fails: it would run in `make quick`. Every machine has bash, which needs no marker.
    """
    if name != "bash" and not running.real:
        pytest.fail(f"{running.test} starts {name}: mark it with pytest.mark.real")
    path = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin:/usr/libexec/ctdb")
    lacking = None if path else f"{name} is not installed"
    if root and os.geteuid() != 0:
        lacking = lacking or "a private mount needs root"
    if lacking and os.environ.get("CI") == "true":
        pytest.fail(lacking)
    if lacking:
        pytest.skip(lacking)
    return str(path)


def stand_in(module: str) -> str:
    """The text of a program that is the `main` of a module, given by its file.

    A script starts hundreds: they do without `site`, and keep the bytecode of the module where all other is kept.
    """
    file = Path(module)
    kept = f"Xpycache_prefix={sys.pycache_prefix}" if sys.pycache_prefix else ""
    place = f"import sys\nsys.path.insert(0, {str(file.parent)!r})\n"
    return f"#!{sys.executable} -IS{kept}\n{place}import {file.stem}\nsys.exit({file.stem}.main())\n"
