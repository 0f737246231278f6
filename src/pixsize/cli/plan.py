"""`pixsize plan`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pixsize import workflow
from pixsize.cli.forms import form_of, no_form
from pixsize.cli.options import GivenPath, Once, format_option, request_options
from pixsize.cli.output import deliver, read_together, show_page, tell_findings
from pixsize.cli.progress import Progress
from pixsize.cli.talk import name_example, refused

if TYPE_CHECKING:
    from pixsize.report.sized_plan import SizedPlan


@click.command(short_help="The plan of a request and its figures.")
@request_options
@format_option("text", "json", "yaml", "markdown", by_suffix=True)
@click.option(
    "--long",
    is_flag=True,
    help="Everything: each rate, rules, defaults, names, what few threads reach; json and yaml always have it.",
)
@click.option(
    "-o",
    "--output",
    cls=Once,
    type=GivenPath(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Write there, whole or not at all; .json, .yaml, .md or .txt is the form.",
)
def command(
    form: str | None,
    long: bool,
    output: str | None,
    quiet: bool,
    config: str,
    catalog: Path | None,
    observed: Path | None,
) -> int:
    """The plan of a request on a screen and a half: what to promise, warnings, parts, and how drives become capacity.

    Markdown makes a page for a mail; json and yaml hold everything that is known of the plan.
    """
    given = workflow.Given(config, catalog, observed)
    if output is not None and workflow.is_request(given, output):
        raise click.UsageError("-o: that file is the request itself; the plan would be written over it")
    form = form or form_of(output, _SUFFIXES)
    if form is None:
        return refused((no_form(str(output), _SUFFIXES),), "text")
    with Progress(quiet) as progress:
        planned = workflow.plan(given, progress.tell, by_threads=long or form in ("json", "yaml"))
        progress.tell("writing")
        text = _text(planned.sized, form, output, long) if planned.sized else None
    name_example(given, planned.example, quiet)
    if planned.sized is None:
        return refused(planned.findings, form, quiet)
    if text is None:
        from pixsize.report.plan_page import page

        told = not long and read_together() and sys.stdout.isatty()
        show_page(page(planned.sized, findings_follow=not (quiet or told) and read_together(), long=long))
        quiet = quiet or told  # the page that a person reads has the warnings, and one and a half screens
    elif found := deliver(text, output):
        return refused(found, form)
    tell_findings(planned.findings, quiet)
    return 0


_SUFFIXES = {".json": "json", ".yaml": "yaml", ".yml": "yaml", ".md": "markdown", ".txt": "text"}
"""The form that the suffix of a file asks for."""


def _text(sized: SizedPlan, form: str, output: str | None, long: bool) -> str | None:
    """The report as text; None where it is drawn on the screen instead."""
    if form in ("json", "yaml"):
        from pixsize.report import plan_json, serialize

        return (serialize.to_json if form == "json" else serialize.to_yaml)(plan_json.document(sized))
    from pixsize.report import markdown, plan_page, text

    if form == "markdown":
        return markdown.draw(plan_page.page(sized, complete=long))
    return None if output is None else text.draw(plan_page.page(sized, long=long))
