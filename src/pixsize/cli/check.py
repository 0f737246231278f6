"""`pixsize check`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pixsize import workflow
from pixsize.cli.options import format_option, request_options
from pixsize.cli.output import emit, show_findings
from pixsize.cli.progress import Progress
from pixsize.cli.talk import WRONG, name_example


@click.command(short_help="The request and its plan against every rule.")
@request_options
@format_option("text", "json")
@click.option("--strict", is_flag=True, help="Warnings that are not accepted count as errors; notes never do.")
def command(form: str, strict: bool, quiet: bool, config: str, catalog: Path | None, observed: Path | None) -> int:
    """The request and its finished plan against every rule that the vendors' documents set.

    The findings are the data, on stdout. The exit code is 1 when one of them is an error.
    """
    from pixsize.findings import counted_warnings, has_errors

    given = workflow.Given(config, catalog, observed)
    with Progress(quiet) as progress:
        checked = workflow.check(given, progress.tell)
    name_example(given, checked.example, quiet)
    if form == "json":
        from pixsize.report import serialize
        from pixsize.report.findings import document

        emit(serialize.to_json(document(checked.findings)))
    else:
        _show(checked, given)
    wrong = has_errors(checked.findings) or (strict and counted_warnings(checked.findings))
    return WRONG if wrong else 0


def _show(checked: workflow.Checked, given: workflow.Given) -> None:
    from pixsize.report.findings import summary
    from pixsize.report.printable import clean

    if checked.findings:
        show_findings(checked.findings, sys.stdout)
        emit("\n")
    emit(f"{clean(given.config)}: {summary(checked.findings)}\n")
    for code in checked.unused_acceptances():
        emit(f"accepted, but not found: {clean(code)}\n")
