"""Whether a changed plan makes other files or figures, and whether the rules say so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pixsize.catalog.designs import Design
from pixsize.check import check
from pixsize.check.context import Context, Rule
from pixsize.check.rules import stages
from pixsize.estimate.make import estimate
from pixsize.findings import Finding, has_errors
from pixsize.observed import Observed
from pixsize.plan.records import Plan
from pixsize.render import RENDERERS
from pixsize.render.run_book import run_book
from pixsize.request import Request
from tests.products.replying import REPLIES, planned
from tests.products.replying import built as system_built
from tests.support.running import catalog, load_words

Product = Callable[[Plan], Any]
"""Something made of a plan: the files of a render target, or the figures."""


@dataclass(frozen=True)
class Judged:
    """A plan that is as it should be, with what it was made from and what is made of it."""

    request: Request
    observed: Observed
    plan: Plan
    made: dict[str, Any]

    def alters(self, changed: Plan) -> str:
        """The first thing that is made otherwise of a changed plan, or cannot be made; empty where nothing is."""
        return next((name for name, make in _products() if _made(make, changed) != self.made[name]), "")

    def codes(self, changed: Plan) -> list[str]:
        """The codes of all that the rules say of a changed plan."""
        return [f.code for f in self.check(changed)]

    def check(self, changed: Plan) -> tuple[Finding, ...]:
        """What the rules say of a changed plan."""
        return check(self.request, changed, catalog(), self.observed)

    def is_caught(self, changed: Plan) -> bool:
        """Whether the rules find an error; the plan as it was has none."""
        return has_errors(self.check(changed))

    def finder(self, changed: Plan, first: Rule | None) -> Rule | None:
        """A rule that finds an error; None where none does. `first` is asked first.

        What it finds, stage by stage is found too: where no stage before it has an error, its own is reached. It may
        fail where one of those would have had an error.
        """
        context = Context(self.request, changed, catalog(), self.observed)
        with suppress(Exception):
            if first and has_errors(first(context)):
                return first
        return next((rule for rules in stages(context) for rule in rules if has_errors(rule(context))), None)


def judged(words: dict[str, Any], *, built: bool) -> Judged:
    """The plan of a request in words; `built`: as the replies of the finished system make it."""
    loaded, findings = load_words(words)
    assert loaded is not None, findings
    request, seen = loaded.request, Observed()
    if built:
        with TemporaryDirectory() as room:
            maker = catalog().get(Design, request.design).volumes
            plan, seen = system_built(request, Path(room), REPLIES[maker])
    else:
        plan = planned(request, seen)
    found = check(request, plan, catalog(), seen)
    assert not has_errors(found), found
    made = {name: _made(make, plan) for name, make in _products()}
    broken = [value for value in made.values() if isinstance(value, type)]
    assert not broken, made
    return Judged(request, seen, plan, made)


def _made(make: Product, plan: Plan) -> Any:
    """What is made of a plan; of one that nothing can be made of, the kind of error."""
    try:
        return make(plan)
    except Exception as error:
        return type(error)


def _products() -> Iterator[tuple[str, Product]]:
    yield from ((name, lambda plan, name=name: _files(name, plan)) for name in RENDERERS)
    yield "figures", _figures
    yield "run book", _run_book


def _files(name: str, plan: Plan) -> Any:
    renderer = RENDERERS[name]
    if not renderer.applies(plan):
        return ()
    against = [f for f in renderer.findings(plan, catalog()) if f.severity == "error"]
    return against or renderer.files(plan, catalog())


def _figures(plan: Plan) -> Any:
    figures, found = estimate(plan, catalog(), by_threads=False)  # those rest on these, and take as long again
    return [(i, f.value, f.low, f.high, f.basis) for i, f in figures.items()], found


def _run_book(plan: Plan) -> Any:
    made = {name: _files(name, plan) for name in RENDERERS}
    whole = {name: files for name, files in made.items() if isinstance(files, tuple) and files}
    return run_book(plan, catalog(), [f for files in whole.values() for f in files], whole, {})
