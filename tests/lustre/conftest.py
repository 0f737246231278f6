"""A server on which the scripts of mkfs are run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lustre.mkfs_lab import Lab, oss01


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    """The server oss01, so far without a device."""
    made = Lab(tmp_path, "oss01")
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def oss(tmp_path: Path) -> Iterator[tuple[Lab, Path]]:
    """The server oss01 with its devices, and its script."""
    with oss01(tmp_path) as made:
        yield made
