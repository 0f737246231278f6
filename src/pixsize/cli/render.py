"""`pixsize render`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from pixsize import workflow
from pixsize.cli.options import GivenPath, Once, request_options
from pixsize.cli.output import columns, emit, say, show_lines, tell_findings
from pixsize.cli.progress import Progress
from pixsize.cli.talk import WRONG, name_example, refused
from pixsize.cli.usage import unknown

if TYPE_CHECKING:
    from pixsize.render.writer import Written
    from pixsize.report.document import Line

ALL = "all"


def _complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    targets = {**workflow.summaries(), ALL: "every target that fits"}
    return [CompletionItem(name, help=about) for name, about in targets.items() if name.startswith(incomplete)]


@click.command(short_help="The files that build the system.")
@click.argument("targets", nargs=-1, metavar="[TARGET]...", shell_complete=_complete)
@request_options
@click.option(
    "-o",
    "--output",
    cls=Once,
    type=GivenPath(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the files below this folder.",
)
@click.option("--force", is_flag=True, help="Write over files that were edited since they were written.")
@click.option(
    "--reformat",
    multiple=True,
    metavar="LABEL",
    help="Destroys a target that exists, and makes it anew, such as scratch-OST0003 of mkfs. May be repeated.",
)
@click.option("--list", "listing", is_flag=True, help="Name the targets.")
def command(
    targets: tuple[str, ...],
    output: Path | None,
    force: bool,
    reformat: tuple[str, ...],
    listing: bool,
    quiet: bool,
    config: str,
    catalog: Path | None,
    observed: Path | None,
) -> int:
    """The files that build the system, for each TARGET a folder below DIR.

    `all` is every target that fits. A single file goes to stdout when no -o is given: `pixsize render stanzas`.
    """
    if listing:
        show_lines(_listed())
        return 0
    _refuse(targets, output, reformat)
    given = workflow.Given(config, catalog, observed)
    with Progress(quiet) as progress:
        rendered = workflow.render(given, targets, progress.tell, reformat)
        _refuse_unknown(targets, reformat, rendered.labels)
        progress.tell("writing")
        written = workflow.write(rendered, output, force=force) if rendered.files is not None and output else None
    name_example(given, rendered.example, quiet)
    if rendered.files is None:
        return refused(rendered.findings, "text", quiet)
    if output is None and len(rendered.files) != 1:
        raise click.UsageError(f"{targets[0]} makes {len(rendered.files)} files: -o DIR names a folder for them")
    tell_findings((*rendered.findings, *(written.findings if written else ())), quiet)
    if written is None:
        emit(rendered.files[0].text)
        return 0
    return _told(written, output, quiet)


def _listed() -> Iterator[Line]:
    """Every target with what it is for, and what it needs beside the request."""
    from pixsize.report.document import Column, Table
    from pixsize.report.text import table

    rows = tuple((name, makes, workflow.renderers()[name].needs) for name, makes in workflow.summaries().items())
    block = Table((Column("target"), Column("makes", wraps=True), Column("needs", wraps=True)), rows)
    return table(block, columns(sys.stdout))


def _refuse(targets: tuple[str, ...], output: Path | None, reformat: tuple[str, ...]) -> None:
    """Raises UsageError for combinations of options that no request can use."""
    names = [*workflow.renderers(), ALL]
    if not targets:
        raise click.UsageError(f"name a target: {', '.join(names)}")
    for target in targets:
        if target not in names:
            raise unknown("target", target, names)
    if output is None and (len(set(targets)) > 1 or ALL in targets):
        raise click.UsageError("several targets make several files: -o DIR names a folder for them")
    if reformat and (ALL in targets or not any(workflow.renderers()[target].again for target in targets)):
        makers = " and ".join(name for name, renderer in workflow.renderers().items() if renderer.again)
        raise click.UsageError(f"--reformat is for the scripts of {makers}: name that target, and not {ALL}")


def _refuse_unknown(targets: tuple[str, ...], reformat: tuple[str, ...], labels: tuple[str, ...] | None) -> None:
    """Raises UsageError for names that the plan does not have, where there is a plan."""
    what = (
        next((again.what for target in targets if (again := workflow.renderers()[target].again)), "")
        if reformat
        else ""
    )
    for label in reformat:
        if labels is not None and label not in labels:
            raise unknown(what, label, labels)


def _told(written: Written, output: Path | None, quiet: bool) -> int:
    from pixsize.findings import has_errors
    from pixsize.report.printable import clean
    from pixsize.texts import plural

    if has_errors(written.findings):
        return WRONG
    if not quiet:
        others = {"unchanged": len(written.unchanged), "removed": len(written.removed)}
        rest = ", ".join(f"{count} {word}" for word, count in others.items() if count)
        say(f"wrote {plural(len(written.written), 'file')} to {clean(str(output))}" + (f" ({rest})" if rest else ""))
    return 0
