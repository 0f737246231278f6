"""The options that every command shares, and what a shell completes for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import date as calendar
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from pixsize.workflow import DEFAULT_CONFIG

F = TypeVar("F", bound=Callable[..., Any])


class Once(click.Option):
    """An option that may be given once: without this, click silently takes the last of several."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:  # noqa: ANN401, ARG002 - as click has it
        parser.add_option(obj=self, opts=self.opts, dest=self.name, action="append", nargs=self.nargs)

    def consume_value(self, ctx: click.Context, opts: Any) -> tuple[Any, ParameterSource]:  # noqa: ANN401
        value, source = super().consume_value(ctx, opts)
        if source is not ParameterSource.COMMANDLINE or not isinstance(value, list):
            return value, source
        if len(value) > 1 and not ctx.resilient_parsing:
            raise click.UsageError(f"{max(self.opts, key=len)} is given {len(value)} times; it can be given once", ctx)
        return value[-1], source


class GivenPath(click.Path):
    """A path that is not empty: an empty one is a variable that was not set, and would mean the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        if not os.fspath(value):
            self.fail("an empty path; is a variable not set?", param, ctx)
        return super().convert(value, param, ctx)


class ConfigPath(click.types.StringParamType):
    """The path of a request, or the name of a shipped example."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        if not value:
            self.fail("an empty path; is a variable not set?", param, ctx)
        return super().convert(value, param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        from pixsize.resources import folder

        examples = sorted(p.name for p in folder("examples").glob("*.yaml") if p.name.startswith(incomplete))
        here = sorted(_requests_below(incomplete))
        if not examples and not here:
            return [CompletionItem(incomplete, type="file")]
        return [CompletionItem(name, is_path=True) for name in dict.fromkeys([*here, *examples])]


def _requests_below(incomplete: str) -> list[str]:
    """YAML files and folders that begin with `incomplete`, as the user would write them.

    Names with control characters are left out: a shell takes a line for a candidate.
    """
    head, slash, start = incomplete.rpartition("/")
    try:
        below = Path(head + slash or ".").iterdir()
        found = [p for p in below if p.name.startswith(start) and p.name.isprintable()]
    except OSError:
        return []
    names = [f"{p.name}/" if p.is_dir() else p.name for p in found if p.is_dir() or p.suffix in (".yaml", ".yml")]
    return [head + slash + name for name in names if start or not name.startswith(".")]


catalog_option = click.option(
    "--catalog",
    cls=Once,
    type=GivenPath(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Records laid over the shipped catalog.",
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Nothing on stderr but errors.")


observed_option = click.option(
    "--observed",
    cls=Once,
    type=GivenPath(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Replies of the real arrays.",
)
config_option = click.option(
    "--config",
    "-c",
    cls=Once,
    type=ConfigPath(),
    default=DEFAULT_CONFIG,
    show_default=True,
    metavar="FILE",
    help="The request, or the name of a shipped example; - is stdin.",
)


def input_options(command: F) -> F:
    """--catalog, --observed and --quiet, which every command has that reads requests."""
    return catalog_option(observed_option(quiet_option(command)))


def request_options(command: F) -> F:
    """--config, --catalog, --observed and --quiet, which together make a `workflow.Given`."""
    return config_option(input_options(command))


parts_option = click.option(
    "--parts",
    cls=Once,
    type=GivenPath(allow_dash=True),
    metavar="FILE",
    help="Prices, part numbers, power, weights, lead times, and parts of your own.",
)
"""--parts, the path of a parts file."""


def day(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    """A date as YYYY-MM-DD; empty where none is given."""
    if value:
        try:
            is_date = calendar.fromisoformat(value).isoformat() == value
        except ValueError:
            is_date = False
        if not is_date:
            raise click.BadParameter("a date is YYYY-MM-DD, such as 2026-11-23")
    return value


def once_from_stdin(files: Sequence[str]) -> None:
    """Raises UsageError where `-` stands for more than one file: standard input can be read once."""
    if list(files).count("-") > 1:
        raise click.UsageError("- is standard input, which can be read once; it is given more than once")


_FORM = "The form of what goes to stdout."


def format_option(*formats: str, by_suffix: bool = False) -> Callable[[F], F]:
    """--format with its choices, the first of them the default; with `by_suffix` None, as -o may say it."""
    return click.option(
        "--format",
        "form",
        cls=Once,
        type=click.Choice(formats),
        default=None if by_suffix else formats[0],
        show_default=not by_suffix,
        help=f"The form; {formats[0]}, unless the suffix of -o says another." if by_suffix else _FORM,
    )
