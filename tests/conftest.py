"""Options and settings of the whole suite."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.support import programs

settings.register_profile("ci", derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("dev", suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci" if os.environ.get("CI") else "dev")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew-goldens", action="store_true", help="write the expected trees anew; the run still fails")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with tests that are `real` or `long` come first: whole files are given to the workers, and a long one at the
    end would let all but one of them wait.
    """
    long = {item.path for item in items if item.get_closest_marker("real") or item.get_closest_marker("long")}
    items.sort(key=lambda item: item.path not in long)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    programs.running = programs.Running(item.nodeid, item.get_closest_marker("real") is not None)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C reaches this process and those that it starts, also in a suite in the background of a script.

    There SIGINT is ignored, which is inherited: `make check &` in a shell without job control, or under nohup.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
