"""`pixsize compare`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pixsize import sides as beside
from pixsize import workflow
from pixsize.cli.options import ConfigPath, format_option, input_options, once_from_stdin
from pixsize.cli.output import columns, emit, show_page
from pixsize.cli.progress import Progress
from pixsize.cli.talk import name_example, refused
from pixsize.findings import has_errors


@click.command(short_help="The figures of several systems side by side.")
@click.argument("files", nargs=-1, metavar="FILE FILE...", type=ConfigPath())
@input_options
@format_option("text", "json", "markdown")
def command(files: tuple[str, ...], catalog: Path | None, observed: Path | None, quiet: bool, form: str) -> int:
    """The figures of several systems side by side, with their ranges; the best of each is marked.

    A FILE is a request, a plan that `plan --format json` wrote, or the name of a shipped example. A cell is marked only
    where its whole range is better than those of all others that have the figure.
    """
    from pixsize.report import side_by_side as report

    if len(files) < 2:
        raise click.UsageError("compare takes two files or more")
    once_from_stdin(files)
    given = [workflow.Given(file, catalog, observed) for file in files]
    with Progress(quiet) as progress:
        sides = beside.compare(given, progress.tell)
    for each, side in zip(given, sides, strict=True):
        name_example(each, side.example, quiet)
    wrong = [f for side in sides for f in side.findings if has_errors((f,))]
    if wrong:
        return refused(wrong, form)
    systems = [report.system(side.document or {}, file) for side, file in zip(sides, files, strict=True)]
    if form == "json":
        from pixsize.report import serialize

        emit(serialize.to_json(report.document(systems)))
    elif form == "markdown":
        from pixsize.report import markdown

        emit(markdown.draw(report.page(systems)))
    else:
        show_page(report.page(systems, columns(sys.stdout)))
    return 0
