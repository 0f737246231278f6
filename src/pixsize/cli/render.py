"""`pixsize render`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from pixsize import workflow
from pixsize.cli.options import request_options
from pixsize.cli.output import emit, say, tell_findings
from pixsize.cli.progress import Progress
from pixsize.cli.talk import WRONG, refused, said_example
from pixsize.cli.usage import unknown

if TYPE_CHECKING:
    from pixsize.render.writer import Written

ALL = "all"


def _complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    targets = {name: r.summary for name, r in workflow.renderers().items()} | {ALL: "every target that fits"}
    return [CompletionItem(name, help=about) for name, about in targets.items() if name.startswith(incomplete)]


@click.command(short_help="The files that build the system.")
@click.argument("targets", nargs=-1, metavar="[TARGET]...", shell_complete=_complete)
@request_options
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the files below this folder.",
)
@click.option("--force", is_flag=True, help="Write over files that were edited since they were written.")
@click.option("--list", "listing", is_flag=True, help="Name the targets.")
def command(
    targets: tuple[str, ...],
    output: Path | None,
    force: bool,
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
        emit(_listed())
        return 0
    _refuse_unknown(targets)
    asked = workflow.Given(config, catalog, observed)
    with Progress(quiet) as progress:
        rendered = workflow.render(asked, targets, progress.tell)
        written = None
        if rendered.files is not None and output is not None:
            progress.tell("writing")
            written = workflow.write(rendered, output, force=force)
    said_example(asked, rendered.example, quiet)
    if rendered.files is None:
        return refused(rendered.findings, "text")
    tell_findings((*rendered.findings, *(written.findings if written else ())), quiet)
    if written is None:
        return _to_stdout(rendered)
    return _told(written, output, quiet)


def _listed() -> str:
    """Every target with what it is for, and what it needs beside the request."""
    from pixsize.report.document import Column, Table
    from pixsize.report.text import table

    rows = tuple((name, r.summary, r.needs) for name, r in workflow.renderers().items())
    block = Table((Column("target"), Column("makes", wraps=True), Column("needs", wraps=True)), rows)
    return "\n".join(line.rstrip() for line in table(block, 80)) + "\n"


def _refuse_unknown(targets: tuple[str, ...]) -> None:
    names = [*workflow.renderers(), ALL]
    if not targets:
        raise click.UsageError(f"name a target: {', '.join(names)}")
    for target in targets:
        if target not in names:
            raise unknown("target", target, names)


def _to_stdout(rendered: workflow.Rendered) -> int:
    files = rendered.files or ()
    if len(files) != 1 or len(rendered.targets) != 1:
        raise click.UsageError(
            f"{', '.join(rendered.targets)} makes {len(files)} files: -o DIR names a folder for them"
        )
    emit(files[0].text)
    return 0


def _told(written: Written, output: Path | None, quiet: bool) -> int:
    from pixsize.findings import has_errors
    from pixsize.report.labels import plural
    from pixsize.report.safe import clean

    if has_errors(written.findings):
        return WRONG
    if not quiet:
        others = {"unchanged": len(written.unchanged), "removed": len(written.removed)}
        rest = ", ".join(f"{count} {word}" for word, count in others.items() if count)
        say(f"wrote {plural(len(written.written), 'file')} to {clean(str(output))}" + (f" ({rest})" if rest else ""))
    return 0
