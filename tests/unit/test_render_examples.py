"""Every shipped example, rendered and read back: the files say the plan, whole and nothing else."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

from pixsize.catalog.catalog import Catalog
from pixsize.load import load_catalog, load_observed, load_request
from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.plan.records import Plan
from pixsize.products.scale.plan import ScaleFilesystem
from pixsize.render import RENDERERS, File
from pixsize.resources import folder
from tests.readers.compare import arrays_hold_the_plan, mkfs_makes_the_plan, stanzas_say_the_plan

EXAMPLES = sorted(folder("examples").glob("*.yaml"))
OBSERVED = sorted(folder("examples").glob("*.observed"))
CASES = [(path, None) for path in EXAMPLES] + [(path.with_suffix(".yaml"), path) for path in OBSERVED]


@lru_cache(maxsize=1)
def shipped() -> Catalog:
    return load_catalog()[0]


def planned(path: Path, replies: Path | None) -> Plan:
    loaded, findings = load_request(str(path), shipped())
    assert loaded is not None, findings
    observed = load_observed(replies)[0] if replies else Observed()
    plan, refusals = make_plan(loaded.request, shipped(), observed)
    assert plan is not None, refusals
    return plan


def rendered(plan: Plan) -> dict[str, File]:
    made = [f for r in RENDERERS.values() if r.applies(plan) for f in r.files(plan, shipped())]
    assert len({f.path.lower() for f in made}) == len(made)
    return {f.path: f for f in made}


@pytest.mark.parametrize(("path", "replies"), CASES, ids=[(r or p).name for p, r in CASES])
def test_the_files_of_an_example_say_its_plan(path: Path, replies: Path | None) -> None:
    plan = planned(path, replies)
    files = {name: f.text for name, f in rendered(plan).items()}
    if isinstance(plan.filesystem, ScaleFilesystem):
        stanzas_say_the_plan(files["stanzas/nsd.stanza"], plan)
    elif plan.arrays or replies:
        mkfs_makes_the_plan(files, plan)
    arrays_hold_the_plan(files, plan)
    unfinished = [n for n in files if n.endswith(".incomplete")]
    assert bool(unfinished) == (replies is None and bool(plan.arrays))


@pytest.mark.parametrize("replies", OBSERVED, ids=[r.name for r in OBSERVED])
def test_with_every_reply_nothing_is_left_to_collect(replies: Path) -> None:
    plan = planned(replies.with_suffix(".yaml"), replies)
    assert RENDERERS["multipath"].findings(plan, shipped()) == ()
    books = [f.text for name, f in rendered(plan).items() if name.endswith("README.md")]
    assert books
    assert not any("expand volume" in book for book in books)


def test_the_same_plan_gives_the_same_files() -> None:
    path = next(p for p in EXAMPLES if p.stem == "mix")
    assert rendered(planned(path, None)) == rendered(planned(path, None))
