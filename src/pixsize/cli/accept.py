"""`pixsize accept`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pixsize import acceptances, workflow
from pixsize.cli.options import GivenPath, Once, day, format_option, request_options
from pixsize.cli.output import deliver, emit, show_page, tell_findings
from pixsize.cli.progress import Progress
from pixsize.cli.talk import WRONG, name_example, refused

if TYPE_CHECKING:
    from pixsize.acceptance.verdicts import Accepted


@click.command(short_help="Results of benchmarks against the plan.")
@request_options
@click.option(
    "--results",
    cls=Once,
    type=GivenPath(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    required=True,
    help="What the benchmarks printed: files of any name.",
)
@format_option("text", "json", "markdown")
@click.option(
    "--as-measurement",
    "measurement",
    cls=Once,
    type=GivenPath(dir_okay=False, allow_dash=False),
    metavar="FILE",
    help="Write what is accepted as records for --catalog.",
)
@click.option(
    "--chart",
    cls=Once,
    type=GivenPath(dir_okay=False),
    metavar="FILE",
    help="Draw the points by threads beside the plan's, as SVG.",
)
@click.option("--site", cls=Once, default="", metavar="TEXT", help="Whose system it is, for these records.")
@click.option(
    "--date", cls=Once, default="", metavar="YYYY-MM-DD", callback=day, help="When it was measured, for these records."
)
@click.option("--strict", is_flag=True, help="A doubtful verdict ends with 1, as a failed one does.")
def command(
    results: Path,
    form: str,
    measurement: str | None,
    chart: str | None,
    site: str,
    date: str,
    strict: bool,
    quiet: bool,
    config: str,
    catalog: Path | None,
    observed: Path | None,
) -> int:
    """What IOR, mdtest, IOzone, IO500, fio and elbencho printed, judged against the figures of a plan.

    What a file is of is read from what it says. Each result is first judged by itself: data that fit into memory, short
    runs, few clients and the like make it doubtful.
    """
    from pixsize.report import acceptance_chart  # most commands draw none

    given = workflow.Given(config, catalog, observed)
    for option, path in (("--as-measurement", measurement), ("--chart", chart)):
        if path is not None and workflow.is_request(given, path):
            raise click.UsageError(f"{option}: that file is the request itself; it would be written over")
    if chart is not None and chart == measurement:
        raise click.UsageError("--chart and --as-measurement name the same file")
    if measurement is None and (site or date):
        raise click.UsageError("--site and --date are of the records that --as-measurement writes")
    wanted = acceptances.Wanted(site, date) if measurement is not None else None
    with Progress(quiet) as progress:
        judged = acceptances.accept(given, results, wanted, progress.tell)
    name_example(given, judged.example, quiet)
    if judged.accepted is None:
        return refused(judged.findings, form)
    if judged.records is not None and (found := deliver(judged.records, measurement)):
        return refused(found, form)
    if chart is not None and (found := deliver(acceptance_chart.draw(judged.accepted), chart)):
        return refused(found, form)
    _show(judged.accepted, form)
    tell_findings(judged.findings, quiet)
    fails = judged.accepted.verdict == "fail" or (strict and judged.accepted.verdict == "doubtful")
    return WRONG if fails else 0


def _show(accepted: Accepted, form: str) -> None:
    from pixsize.report import acceptance_page

    if form == "json":
        from pixsize.report import serialize

        emit(serialize.to_json(acceptance_page.document(accepted)))
    elif form == "markdown":
        from pixsize.report import markdown

        emit(markdown.draw(acceptance_page.page(accepted)))
    else:
        show_page(acceptance_page.page(accepted))
