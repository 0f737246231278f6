"""The only composer: one function a command, each from what the user gave to what is shown or written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pixsize.findings import Finding, Position, has_errors

if TYPE_CHECKING:
    from pixsize.catalog.catalog import Catalog
    from pixsize.figures import Figure
    from pixsize.load import Loaded
    from pixsize.observed import Observed
    from pixsize.plan.records import Plan
    from pixsize.report.plan_page import Facts

# Rooms are imported where they are used: `init` and `schema` need none of them, and every start would pay for all.

Tell = Callable[[str], None]
"""Told the name of each stage when it begins."""

DEFAULT_CONFIG = "pixsize.yaml"
_SEVERITIES = ("error", "warning", "note")


class Given(NamedTuple):
    """What a command line names: the request, records laid over the catalog, and replies of the real arrays."""

    config: str = DEFAULT_CONFIG
    catalog: Path | None = None
    observed: Path | None = None


class Checked(NamedTuple):
    """A request as far as it came. `plan` is there when nothing forbids one; `loaded` when the request could be read.

    `example` is the shipped file that was read because the one given does not exist.
    """

    findings: tuple[Finding, ...]
    example: Path | None = None
    loaded: Loaded | None = None
    catalog: Catalog | None = None
    observed: Observed | None = None
    plan: Plan | None = None

    def unused_acceptances(self) -> tuple[str, ...]:
        """Codes that the request accepts and that did not occur."""
        accepted = self.loaded.request.accept if self.loaded else ()
        found = {f.code for f in self.findings}
        return tuple(a.code for a in accepted if a.code not in found)


class Planned(NamedTuple):
    """A plan with its figures, ready for a report; `facts` is None when a finding forbids the plan."""

    findings: tuple[Finding, ...]
    facts: Facts | None
    example: Path | None


class Explained(NamedTuple):
    """The ids of all figures of a plan, and the trees of those asked for. `trees` is None when the plan is forbidden."""

    findings: tuple[Finding, ...]
    ids: tuple[str, ...]
    trees: dict[str, Any] | None
    example: Path | None


def silent(_stage: str) -> None:
    """Tells nobody."""


def check(given: Given, tell: Tell = silent) -> Checked:
    """The request, the plan, and every finding about both, those of the estimates among them."""
    return _estimated(_checked(given, tell), tell)[0]


def plan(given: Given, tell: Tell = silent) -> Planned:
    """The plan with its figures. No plan when anything found is an error."""
    done, figures = _estimated(_checked(given, tell), tell)
    if done.plan is None or done.loaded is None or done.catalog is None:
        return Planned(done.findings, None, done.example)
    from pixsize.report.plan_page import Facts

    facts = Facts(done.plan, figures, done.findings, done.loaded.words, done.loaded.defaults, done.catalog)
    return Planned(done.findings, facts, done.example)


def explain(given: Given, wanted: Iterable[str] | None, tell: Tell = silent) -> Explained:
    """The trees of the figures `wanted`, or of all; ids that the plan does not have are left to the caller to refuse."""
    from pixsize.report import explain as trees

    planned = plan(given, tell)
    if planned.facts is None:
        return Explained(planned.findings, (), None, planned.example)
    figures = planned.facts.figures
    ids = [i for i in (figures if wanted is None else wanted) if i in figures]
    return Explained(planned.findings, tuple(figures), trees.document(ids, figures, planned.facts.catalog), planned.example)


def catalog(overlay: Path | None) -> tuple[Catalog | None, tuple[Finding, ...]]:
    """The catalog with the records of `overlay` laid over it; None when they contain an error."""
    from pixsize.load import load_catalog

    records, found = load_catalog(overlay)
    return (None if has_errors(found) else records), _settled(found, None, str(overlay or ""))


def _checked(given: Given, tell: Tell) -> Checked:
    """Everything up to the judged plan. A stage begins only when the one before found no error."""
    from pixsize.check import check as judge
    from pixsize.planner import make_plan

    read, found = _read(given, tell)
    if read.loaded is None or read.catalog is None or read.observed is None or has_errors(found):
        return read._replace(findings=_settled(found, read.loaded, given.config))
    tell("planning")
    made, more = make_plan(read.loaded.request, read.catalog, read.observed)
    found += more
    if made is not None and not has_errors(found):
        tell("checking")
        found += judge(read.loaded.request, made, read.catalog, read.observed)
    allowed = None if has_errors(found) else made
    return read._replace(findings=_settled(found, read.loaded, given.config), plan=allowed)


def _read(given: Given, tell: Tell) -> tuple[Checked, tuple[Finding, ...]]:
    """Catalog, request and replies. A broken catalog ends here: every record that it lacks would be one more finding."""
    from pixsize.load import find_request, load_catalog, load_observed, load_request
    from pixsize.observed import Observed

    tell("reading")
    records, found = load_catalog(given.catalog)
    if has_errors(found):
        return Checked(()), found
    path, shipped = find_request(given.config)
    loaded, more = load_request(str(path) if shipped else given.config, records)
    seen, still = load_observed(given.observed) if given.observed else (Observed(), ())
    return Checked((), path if shipped else None, loaded, records, seen), (*found, *more, *still)


def _estimated(done: Checked, tell: Tell) -> tuple[Checked, Mapping[str, Figure]]:
    """The figures of an allowed plan, and its findings with those of the estimates."""
    if done.plan is None or done.catalog is None:
        return done, {}
    from pixsize.estimate import estimate

    tell("estimating")
    figures, more = estimate(done.plan, done.catalog)
    found = _settled((*done.findings, *more), done.loaded, "")
    return done._replace(findings=found, plan=None if has_errors(found) else done.plan), figures


def _settled(found: Iterable[Finding], loaded: Loaded | None, given: str) -> tuple[Finding, ...]:
    """The findings once each, with their places in files, those that the user takes on marked, the worst first."""
    reasons = {a.code: a.reason for a in loaded.request.accept} if loaded else {}
    placed = (_placed(f, loaded, given) for f in found)
    marked = (f.accept(reasons[f.code]) if f.severity == "warning" and f.code in reasons else f for f in placed)
    return tuple(sorted(dict.fromkeys(marked), key=_order))


def _placed(finding: Finding, loaded: Loaded | None, given: str) -> Finding:
    if finding.position is not None:
        return finding
    return finding.at(loaded.positions.of(finding.where) if loaded else Position(given))


def _order(finding: Finding) -> tuple[int, str, int, int, str, str]:
    at = finding.position or Position("")
    return _SEVERITIES.index(finding.severity), at.file, at.line, at.column, finding.code, finding.message
