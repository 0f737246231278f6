"""`pixsize quote`."""

from __future__ import annotations

from pathlib import Path

import click

from pixsize import quotes, workflow
from pixsize.cli.forms import no_form
from pixsize.cli.options import GivenPath, Once, day, once_from_stdin, parts_option, request_options
from pixsize.cli.output import deliver, tell_findings
from pixsize.cli.progress import Progress
from pixsize.cli.talk import name_example, refused
from pixsize.findings import Finding

_SUFFIXES = {".html": "html", ".docx": "docx", ".xlsx": "xlsx", ".pdf": "pdf", ".md": "markdown"}
"""The form that the suffix of a file asks for."""


def _line(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    """A text of one line; empty where none is given."""
    from pixsize.load.names import line_trouble

    trouble = line_trouble(value) if value else ""
    if trouble:
        raise click.BadParameter(f"a text of one line is needed: {trouble}")
    return value


@click.command(short_help="Pages for a customer, with an appendix for engineers.")
@request_options
@click.option(
    "-o",
    "--output",
    cls=Once,
    type=GivenPath(dir_okay=False),
    metavar="FILE",
    required=True,
    help="Write there, whole or not at all; .html, .docx, .xlsx, .pdf or .md is the form.",
)
@parts_option
@click.option("--customer", cls=Once, default="", metavar="TEXT", callback=_line, help="Whom the quote is for.")
@click.option(
    "--date",
    cls=Once,
    default="",
    metavar="YYYY-MM-DD",
    callback=day,
    help="The date of the quote; it has none unless it is given, as the clock is never read.",
)
@click.option(
    "--valid-until", cls=Once, default="", metavar="YYYY-MM-DD", callback=day, help="The last day on which it is valid."
)
@click.option(
    "--template",
    cls=Once,
    type=GivenPath(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Your own texts.yaml, logo.png or logo.jpg, and style.css.",
)
def command(
    output: str,
    parts: str | None,
    customer: str,
    date: str,
    valid_until: str,
    template: Path | None,
    quiet: bool,
    config: str,
    catalog: Path | None,
    observed: Path | None,
) -> int:
    """Two pages that a customer understands, then an appendix: figures with sources, bill, racks and connections.

    PDF needs WeasyPrint: pip install 'pixsize[pdf]'. Equal input makes equal bytes.
    """
    given = workflow.Given(config, catalog, observed)
    once_from_stdin((config, parts or ""))
    if date and valid_until and valid_until < date:
        raise click.UsageError("--valid-until is before --date")
    for option, path in (("the request itself", config), ("the parts file", parts)):
        if path is not None and workflow.is_request(workflow.Given(path), output):
            raise click.UsageError(f"-o: that file is {option}; the quote would be written over it")
    form = _SUFFIXES.get(Path(output).suffix.lower())
    if form is None:
        return refused((no_form(output, _SUFFIXES, has_option=False),), "text")
    with Progress(quiet) as progress:
        quoted = quotes.quote(given, quotes.Wanted(parts, customer, date, valid_until, template), progress.tell)
        progress.tell("writing")
        data = quotes.write(quoted.quote, form) if quoted.quote else None
    name_example(given, quoted.example, quiet)
    if data is None:
        return refused(quoted.findings, "text", quiet)
    if isinstance(data, Finding):
        return refused((data,), "text")
    if found := deliver(data, output):
        return refused(found, "text")
    tell_findings(quoted.findings, quiet)
    return 0
