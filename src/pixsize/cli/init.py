"""`pixsize init`."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from pixsize import workflow
from pixsize.cli.options import GivenPath, Once
from pixsize.cli.output import deliver, emit, say
from pixsize.cli.talk import refused
from pixsize.cli.usage import unknown


def _complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in workflow.example_names() if name.startswith(incomplete)]


@click.command(short_help="A starter request.")
@click.argument("name", required=False, shell_complete=_complete)
@click.option(
    "-o",
    "--output",
    cls=Once,
    type=GivenPath(dir_okay=False, allow_dash=True),
    default=workflow.DEFAULT_CONFIG,
    show_default=True,
    metavar="FILE",
    help="Write there; - is stdout.",
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@click.option("-q", "--quiet", is_flag=True, help="Nothing on stderr but errors.")
@click.pass_context
def command(ctx: click.Context, name: str | None, output: str, force: bool, quiet: bool) -> int:
    """A starter request; without NAME, the list of the shipped examples.

    NAME is that of a shipped example, which is copied; any other name becomes that of a system like large+hdmd.
    """
    if name is None:
        given = (click.core.ParameterSource.COMMANDLINE, click.core.ParameterSource.ENVIRONMENT)
        if any(ctx.get_parameter_source(option) in given for option in ("output", "force")):
            raise click.UsageError("Missing argument 'NAME'; `pixsize init` alone lists the starters", ctx)
        rows = workflow.starters()
        wide = max(len(starter) for starter, _ in rows)
        emit("".join(f"{starter:{wide}}  {line}\n" for starter, line in rows))
        return 0
    text, trouble = workflow.starter(name)
    if not text:
        error = unknown("example", name, workflow.example_names())
        raise click.UsageError(f"{error.message}; nor can a system have that name: {trouble}") if trouble else error
    if output == "-":
        emit(text)
        return 0
    _refuse_to_overwrite(Path(output), force)
    if found := deliver(text, output):
        return refused(found, "text")
    if not quiet:
        import shlex

        from pixsize.report.printable import clean

        config = "" if output == workflow.DEFAULT_CONFIG else f" --config {shlex.quote(output)}"
        say(clean(f"wrote {output}; next: pixsize plan{config}"))
    return 0


def _refuse_to_overwrite(path: Path, force: bool) -> None:
    if not force and (path.exists() or path.is_symlink()):
        from pixsize.report.printable import clean

        raise click.UsageError(f"{clean(str(path))} is there already; --force writes over it, -o FILE chooses another")
