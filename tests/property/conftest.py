"""Every test of this folder draws many cases: `make quick` leaves them out."""

from __future__ import annotations

from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == FOLDER:
            item.add_marker(pytest.mark.long)
