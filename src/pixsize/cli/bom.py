"""`pixsize bom`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pixsize import bills, workflow
from pixsize.cli.forms import form_of, no_form
from pixsize.cli.options import GivenPath, Once, format_option, once_from_stdin, parts_option, request_options
from pixsize.cli.output import deliver, show_page, tell_findings
from pixsize.cli.progress import Progress
from pixsize.cli.talk import name_example, refused

if TYPE_CHECKING:
    from pixsize.report.priced_bill import Bill

_SUFFIXES = {".txt": "text", ".csv": "csv", ".xlsx": "xlsx", ".json": "json", ".md": "markdown"}
"""The form that the suffix of a file asks for."""


@click.command(short_help="The bill of materials, with prices.")
@request_options
@parts_option
@format_option("text", "csv", "json", "markdown", by_suffix=True)
@click.option(
    "-o",
    "--output",
    cls=Once,
    type=GivenPath(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Write there, whole or not at all; .csv, .xlsx, .json, .md or .txt is the form.",
)
def command(
    parts: str | None,
    form: str | None,
    output: str | None,
    quiet: bool,
    config: str,
    catalog: Path | None,
    observed: Path | None,
) -> int:
    """Every part of a system: how many, what for, ports, rack units, and what is not included.

    A parts file adds prices and more, by the ids of the bill. What nobody gave is listed and never counts as zero.
    """
    given = workflow.Given(config, catalog, observed)
    once_from_stdin((config, parts or ""))
    _refuse_own_files(given, parts, output)
    form = form or form_of(output, _SUFFIXES)
    if form is None:
        return refused((no_form(str(output), _SUFFIXES),), "text")
    with Progress(quiet) as progress:
        billed = bills.bom(given, parts, progress.tell)
        progress.tell("writing")
        data = _data(billed.bill, form, output) if billed.bill else None
    name_example(given, billed.example, quiet)
    if billed.bill is None:
        return refused(billed.findings, form, quiet)
    if data is None:
        from pixsize.report.bill_page import page

        show_page(page(billed.bill))
    elif found := deliver(data, output):
        return refused(found, form)
    tell_findings(billed.findings, quiet)
    return 0


def _refuse_own_files(given: workflow.Given, parts: str | None, output: str | None) -> None:
    """Raises UsageError where the bill would be written over what it is made from."""
    if output is None:
        return
    if workflow.is_request(given, output):
        raise click.UsageError("-o: that file is the request itself; the bill would be written over it")
    if parts is not None and workflow.is_request(workflow.Given(parts), output):
        raise click.UsageError("-o: that file is the parts file; the bill would be written over it")


def _data(bill: Bill, form: str, output: str | None) -> str | bytes | None:
    """The bill in a form; None where it is drawn on the screen instead."""
    if form == "json":
        from pixsize.report import bill_json, serialize

        return serialize.to_json(bill_json.document(bill))
    if form == "csv":
        from pixsize.report import bill_csv

        return bill_csv.draw(bill)
    if form == "xlsx":
        from pixsize.report import bill_xlsx

        return bill_xlsx.draw(bill)
    from pixsize.report import bill_page, markdown, text

    if form == "markdown":
        return markdown.draw(bill_page.page(bill))
    return None if output is None else text.draw(bill_page.page(bill))
