"""The results of benchmarks against a plan: `accept`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pixsize.findings import Finding, Position, has_errors
from pixsize.workflow import Checked, Given, Tell, checked, estimated, silent

if TYPE_CHECKING:
    from pixsize.acceptance.verdicts import Accepted

# Rooms are imported where they are used, as in `workflow`.


class Judged(NamedTuple):
    """The results of a folder, judged; None where a finding forbids it. `records` are the measurements as YAML."""

    findings: tuple[Finding, ...]
    accepted: Accepted | None
    example: Path | None
    records: str | None = None


class Wanted(NamedTuple):
    """What measurements are written with: whose site, and the date of the measurements, as the user gives it."""

    site: str = ""
    date: str = ""


def accept(given: Given, results: Path, wanted: Wanted | None = None, tell: Tell = silent) -> Judged:
    """The results below a folder against the plan of a request; with `wanted` the records of measurements as well."""
    from pixsize.load.results_loader import load_results

    done, figures = estimated(checked(given, tell), tell, by_threads=True)
    tell("reading the results")
    read, found = load_results(results)
    every = (*done.findings, *found)
    if has_errors(every) or done.plan is None or done.catalog is None or done.loaded is None:
        return Judged(every, None, done.example)
    from pixsize.acceptance.campaign import campaign_of
    from pixsize.acceptance.verdicts import judge

    tell("judging")
    request = done.loaded.request
    campaign = campaign_of(done.plan, getattr(request, "benchmark", None), done.catalog)
    codes = [a.code for a in request.accept]
    accepted = judge(read.files, done.plan, figures, campaign, done.catalog, codes)
    accepted = accepted._replace(ignored=(*read.unreadable, *accepted.ignored))
    more = tuple(_findings(accepted, results, codes))
    every = (*every, *more)
    if has_errors(more):
        return Judged(every, None, done.example)
    if wanted is None:
        return Judged(every, accepted, done.example)
    records, more = _records(accepted, done, wanted)
    return Judged((*every, *more), None if has_errors(more) else accepted, done.example, records)


def _findings(accepted: Accepted, folder: Path, taken_on: list[str]) -> Iterator[Finding]:
    """The doubts about results, each code once a figure and file; PX693 where nothing counts."""
    if not accepted.tests:
        listed = "; ".join(f"{i.file}: {i.why}" for i in accepted.ignored[:3])
        more = f"; and {len(accepted.ignored) - 3:,} more" if len(accepted.ignored) > 3 else ""
        yield Finding(
            "PX693",
            f"no result counts: {listed}{more}" if listed else "the folder is empty",
            position=_at(folder, "", 1),
        )
    seen: set[tuple[str, str]] = set()
    for test in accepted.tests:
        for doubt in test.doubts:
            if (doubt.code, doubt.file) in seen:
                continue
            seen.add((doubt.code, doubt.file))
            finding = Finding(
                doubt.code, f"{test.figure}: {doubt.message}", position=_at(folder, doubt.file, doubt.line)
            )
            yield finding.accept("taken on by the request") if doubt.code in taken_on else finding


def _at(folder: Path, name: str, line: int) -> Position:
    return Position(f"{folder}/{name}" if name else str(folder), line)


def _records(accepted: Accepted, done: Checked, wanted: Wanted) -> tuple[str | None, tuple[Finding, ...]]:
    from pixsize.catalog.designs import Design
    from pixsize.product import filesystem_of
    from pixsize.report.measurement_records import records_of

    if done.loaded is None or done.catalog is None or done.plan is None:
        return None, ()
    filesystem = filesystem_of(done.catalog.get(Design, done.plan.design))
    system = filesystem.measured_words(done.loaded.request)
    records = records_of(accepted, system, wanted.site, wanted.date)
    if records is None:
        return None, (Finding("PX694", "every result is doubtful or far above its range: none is written as evidence"),)
    return records, ()
