"""The command line. Importing it imports click and nothing else: the commands are loaded when they are called."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

import click

from pixsize import __version__
from pixsize.streams import StreamLost

COMMANDS = {
    "plan": "The plan of a request and its figures.",
    "explain": "A figure down to its sources.",
    "render": "The files that build the system.",
    "check": "The request and its plan against every rule.",
    "compare": "The figures of several systems side by side.",
    "diff": "What differs between two systems, and why.",
    "bom": "The bill of materials, with prices.",
    "quote": "Pages for a customer, with an appendix for engineers.",
    "size": "From requirements to the best system, with proof.",
    "accept": "Results of benchmarks against the plan.",
    "catalog": "The facts that plans rest on.",
    "schema": "JSON Schemas of the request and of the plan.",
    "init": "A starter request.",
    "completion": "What a shell completes commands with.",
}
"""Every command with its short help; module `pixsize.cli.<name>` holds it as `command`."""

INTERRUPTED = 130
READER_GONE = 141
LOST = 1
BUG = 3
"""Exit codes: 128 and the number of a signal, as a shell counts; 1 where output is lost; 3 for an error of pixsize."""


@contextmanager
def _closed_pipes() -> Iterator[None]:
    """Ends the program in silence where the reader of its output closes the pipe, as other programs do."""
    try:
        yield
    except BrokenPipeError:
        raise click.exceptions.Exit(READER_GONE) from None


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Turns the collection of reference cycles off: a run is short, makes few cycles, and the search takes a tenth of
    it.

    Objects are frozen at the end, so that the search at the end of the process is short too. On a plan of 8,144 OSTs
    the peak of memory is 1 MiB higher.
    """
    collecting = gc.isenabled()
    gc.disable()
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _show(error: click.ClickException) -> None:
    """Prints an error to stderr without control characters; click would repeat the user's text as it is."""
    from pixsize.cli.usage import cleaned

    error.message = cleaned(error.message)  # type: ignore[misc]  # nobody reads it but the next line
    error.show()


class Lazy(click.Group):
    """A group that imports a command when it is called, and ends every run with an exit code of CONTRACT."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"pixsize.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            from pixsize.cli.usage import unknown

            raise unknown("command", args[0], COMMANDS, ctx)
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:  # noqa: ANN401 - as click has it
        with _closed_pipes():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click has it
        with _closed_pipes():
            code = super().invoke(ctx)
            sys.stdout.flush()
            return code

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,  # noqa: ANN401 - as click has it
    ) -> Any:  # noqa: ANN401 - as click has it
        _without_plugins()
        prog_name, complete_var = prog_name or "pixsize", complete_var or "_PIXSIZE_COMPLETE"
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, False, **extra)
        try:
            if os.environ.get(complete_var):
                from pixsize.cli.usage import judge_completion

                judge_completion(complete_var)
            with _nothing_collected():
                code = super().main(args, prog_name, complete_var, False, **extra)
        except click.ClickException as error:
            _show(error)
            sys.exit(error.exit_code)
        except (click.Abort, KeyboardInterrupt):
            click.echo("interrupted; nothing is half written", err=True)
            sys.exit(INTERRUPTED)
        except StreamLost as error:
            _show(click.ClickException(str(error)))
            sys.exit(LOST)
        except Exception as error:
            from pixsize.cli.usage import report_bug

            report_bug(error)
            sys.exit(BUG)
        sys.exit(code if isinstance(code, int) else 0)


@click.command(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="pixsize", message="%(prog)s %(version)s")
def main() -> None:
    """Sizes parallel file systems and writes the files that build them.

    A short request in YAML becomes a complete plan: every number with its origin, every file from that plan.
    Start with `pixsize init large+hdmd`, then `pixsize plan`.
    """


def _without_plugins() -> None:
    """Keeps pydantic from loading plugins: what a record means must not depend on installed packages.

    To find plugins, pydantic reads the metadata of every installed package, which takes a tenth of a start. So the
    module that searches is given in advance; where a release of pydantic has it elsewhere, the environment variable
    turns plugins off.
    """
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    loader = ModuleType("pydantic.plugin._loader")
    loader.__dict__["get_plugins"] = tuple
    sys.modules.setdefault(loader.__name__, loader)
