"""From words to everything that comes of them, through the files and rooms that the program itself uses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.check import check
from pixsize.estimate.make import estimate
from pixsize.figures import Figure
from pixsize.findings import Finding, has_errors
from pixsize.load import Loaded, load_catalog, load_request
from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.plan.records import Plan
from tests.support import written


@dataclass(frozen=True)
class Made:
    """A request and all that was made of it."""

    loaded: Loaded
    plan: Plan
    figures: dict[str, Figure]
    findings: tuple[Finding, ...]


@lru_cache(maxsize=1)
def catalog() -> Catalog:
    """The shipped catalog."""
    found, findings = load_catalog()
    assert not findings
    return found


def load_words(words: dict[str, Any]) -> tuple[Loaded | None, tuple[Finding, ...]]:
    """What load says of words in a file."""
    return load_text(written.text(words).encode())


def load_text(text: bytes) -> tuple[Loaded | None, tuple[Finding, ...]]:
    """What load says of a file with these bytes."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "request.yaml"
        path.write_bytes(text)
        return load_request(str(path), catalog())


def refused(words: dict[str, Any]) -> None:
    """Fails unless load refuses these words, with an error at a place for each that it finds."""
    loaded, findings = load_words(words)
    assert loaded is None, words
    assert has_errors(findings)
    assert all(f.position is not None and f.position.line >= 1 for f in findings)


def make(words: dict[str, Any], *, by_threads: bool = False) -> Made:
    """The plan of legal words; fails with the findings where load refuses them. One with errors has no figures.

    Rates by threads are half of the work: only tests that look at them ask for them.
    """
    loaded, findings = load_words(words)
    assert loaded is not None, findings
    plan, refusals = make_plan(loaded.request, catalog(), Observed())
    assert plan is not None, refusals
    return judged_and_estimated(loaded, findings, plan, by_threads=by_threads)


def make_if_legal(words: dict[str, Any], *, by_threads: bool = False) -> Made | None:
    """The same; None where load, the planner or the judge refuses the words."""
    loaded, findings = load_words(words)
    plan = make_plan(loaded.request, catalog(), Observed())[0] if loaded else None
    if loaded is None or plan is None:
        return None
    made = judged_and_estimated(loaded, findings, plan, by_threads=by_threads)
    return made if made.figures else None


def judged_and_estimated(loaded: Loaded, findings: tuple[Finding, ...], plan: Plan, *, by_threads: bool) -> Made:
    """All that is made of a plan; `findings` are those of its request."""
    judged = check(loaded.request, plan, catalog(), Observed())
    if has_errors(judged):
        return Made(loaded, plan, {}, (*findings, *judged))
    figures, doubts = estimate(plan, catalog(), by_threads=by_threads)
    return Made(loaded, plan, figures, (*findings, *doubts, *judged))
