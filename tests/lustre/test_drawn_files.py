"""The files of a Lustre that was built as planned, with every word that files are made of."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pixsize.plan.records import Plan
from pixsize.products.lustre.plan import lustre
from tests.lustre.drawn_requests import on_arrays, on_pool
from tests.products.reading import read_back, rendered
from tests.products.replying import REPLIES, Reply, built
from tests.support.running import load_words

pytestmark = pytest.mark.long
SHARED = {"mkfs", "lnet", "mount", "tuning", "striping"}


def rendered_once_built(words: dict[str, Any], replies: Sequence[Reply], smaller: int) -> tuple[Plan, dict[str, str]]:
    """The plan of a system that was built and has replied, and its files, read back; none of them formats again."""
    loaded, findings = load_words(words)
    assert loaded is not None, findings
    with TemporaryDirectory() as folder:
        plan, _ = built(loaded.request, Path(folder), replies, smaller)
    files = {file.path: file.text for made in rendered(plan).values() for file in made}
    read_back(files, plan)
    assert not [path for path, text in files.items() if path.endswith(".sh") and "--reformat" in text]
    return plan, files


def targets(files: dict[str, str]) -> set[str]:
    """All but the benchmarks, whose data a small system has no room for (PX704)."""
    return {path.split("/")[0] for path in files} - {"bench"}


@settings(max_examples=25, deadline=None)
@given(on_arrays(complete=True), st.integers(0, 30))
def test_every_target_of_a_lustre_on_arrays_is_rendered(words: dict[str, Any], smaller: int) -> None:
    _, files = rendered_once_built(words, REPLIES["me4"], smaller)
    assert targets(files) == SHARED | {"me4", "multipath", "ha"}
    assert not [path for path in files if path.endswith(".incomplete")]


@settings(max_examples=25, deadline=None)
@given(on_pool(complete=True))
def test_every_target_of_a_lustre_in_a_pool_is_rendered(words: dict[str, Any]) -> None:
    plan, files = rendered_once_built(words, REPLIES["powerflex"], 0)
    assert targets(files) == SHARED | {"powerflex"} | ({"ha"} if lustre(plan).failover else set())
    volumes = files["powerflex/08-volumes.sh"]
    assert all(v.id in volumes for v in plan.volumes)
    for target in plan.targets:
        holders = [p for p, t in files.items() if p.startswith("mount/") and p.endswith(".sh") and target.device in t]
        assert sorted(holders) == sorted(f"mount/{server}.sh" for server in target.servers)
        clusters = [p for p, t in files.items() if p.endswith("/02-resources.sh") and target.device in t]
        assert len(clusters) == lustre(plan).failover
