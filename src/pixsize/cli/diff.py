"""`pixsize diff`."""

from __future__ import annotations

from pathlib import Path

import click

from pixsize import sides as beside
from pixsize import workflow
from pixsize.cli.options import ConfigPath, format_option, input_options, once_from_stdin
from pixsize.cli.output import emit, show_page
from pixsize.cli.progress import Progress
from pixsize.cli.talk import name_example, refused
from pixsize.findings import has_errors

SAME, DIFFERENT, TROUBLE = 0, 1, 2
"""Exit codes, as of diff(1)."""


@click.command(short_help="What differs between two systems, and why.")
@click.argument("before", metavar="A", type=ConfigPath())
@click.argument("after", metavar="B", type=ConfigPath())
@input_options
@format_option("text", "json")
def command(before: str, after: str, catalog: Path | None, observed: Path | None, quiet: bool, form: str) -> int:
    """What differs between two systems, and the words of the request that cause it.

    A and B are requests, plans that `plan --format json` wrote, or names of shipped examples. The exit code is 0 where
    nothing differs, 1 where something does, and 2 where one of them cannot be planned.
    """
    from pixsize.report import differences as report

    once_from_stdin((before, after))
    given = workflow.Given(before, catalog, observed), workflow.Given(after, catalog, observed)
    with Progress(quiet) as progress:
        found = beside.diff(*given, progress.tell)
    for each, side in zip(given, (found.before, found.after), strict=True):
        name_example(each, side.example, quiet)
    if found.changes is None:
        refused([f for side in (found.before, found.after) for f in side.findings if has_errors((f,))], form)
        return TROUBLE
    if form == "json":
        from pixsize.report import serialize

        emit(serialize.to_json(report.document(found.changes)))
    elif found.changes:
        show_page(report.page((before, after), found.changes))
    return DIFFERENT if found.changes else SAME
