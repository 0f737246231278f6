"""`pixsize size`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pixsize.cli.options import GivenPath, Once, catalog_option, format_option, parts_option, quiet_option
from pixsize.cli.output import deliver, emit, show_page, tell_findings
from pixsize.cli.progress import Progress
from pixsize.cli.talk import WRONG, refused

if TYPE_CHECKING:
    from pixsize.findings import Finding
    from pixsize.proposals import Answer

F = TypeVar("F", bound=Callable[..., Any])

_RATE = "sustained, such as 30GB/s; peak:30GB/s for the peak"
WORDS = {
    "usable": ("SIZE", "capacity that df should show, such as 2.5PB"),
    "formatted": ("SIZE", "capacity of the data drives, decimal"),
    "raw": ("SIZE", "capacity of all drives of the data as sold"),
    "read": ("RATE", f"sequential reads, {_RATE}"),
    "write": ("RATE", "sequential writes, likewise"),
    "read_n_1": ("RATE", "sequential reads of one shared file"),
    "write_n_1": ("RATE", "sequential writes of one shared file"),
    "random_read": ("RATE", "random reads of 4 KiB, such as 20kop/s"),
    "random_write": ("RATE", "random writes of 4 KiB"),
    "files": ("NUMBER", "files that fit, such as '500 million'"),
    "create": ("RATE", "files created in a second, such as 100kop/s"),
    "rack_units": ("NUMBER", "rack units of all parts, at most"),
    "racks": ("NUMBER", "racks of 42 units, at most"),
    "ports": ("NUMBER", "ports of the servers on the switches of the data, at most"),
    "price": ("NUMBER", "price of all parts that have one, at most"),
    "power": ("WATTS", "power draw, at most, where it was measured"),
    "design": ("NAMES", "designs to search; all when left out"),
    "drives": ("NAMES", "data drives to choose from, such as '12 TB,16 TB'"),
    "sizes": ("NAMES", "sizes of module to choose from"),
    "objective": ("NAMES", "what to make small first: price, rack_units, drives"),
}
"""The words of requirements on the command line, each with what its value is, and what it asks."""


def word_options(command: F) -> F:
    """An option for each word of requirements."""
    for word, (kind, about) in reversed(WORDS.items()):
        name = f"--{word.replace('_', '-')}"
        command = click.option(name, word, cls=Once, metavar=kind, help=f"{about[:1].upper()}{about[1:]}.")(command)
    return command


@click.command(short_help="From requirements to the best system, with proof.")
@word_options
@click.option("--expansion/--no-expansion", default=None, help="Modules with expansions alone, or without.")
@click.option("--hdmd/--no-hdmd", default=None, help="With arrays for metadata alone, or without.")
@click.option(
    "--confidence",
    cls=Once,
    type=click.Choice(("low", "value", "high")),
    default=None,
    help="The end of a range that must meet what is asked; low when left out.",
)
@click.option(
    "--requirements", cls=Once, type=GivenPath(dir_okay=False), metavar="FILE", help="The same words in a file."
)
@parts_option
@catalog_option
@quiet_option
@format_option("text", "json", "markdown")
@click.option(
    "-o",
    "--output",
    cls=Once,
    type=GivenPath(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Write the request there, with comments that say why.",
)
def command(
    requirements: str | None,
    parts: str | None,
    catalog: Path | None,
    quiet: bool,
    form: str,
    output: str | None,
    **words: str | bool | None,
) -> int:
    """From requirements to the best system, with proof that none costs less.

    The low end of each range must meet what is asked. Cost is the price where a parts file has prices, then rack units,
    then drives. What the command line says goes before what the file says.
    """
    from pixsize import proposals

    asked = proposals.Asked(requirements, {w: v for w, v in words.items() if v is not None}, catalog, parts)
    with Progress(quiet) as progress:
        answer, found = proposals.size(asked, progress.tell)
    if answer is None:
        return refused(found, form)
    if output is not None and answer.best is not None:
        from pixsize.report.sizing import request

        if failed := deliver(request(answer, answer.best), output):
            return refused(failed, form)
    if output not in ("-",):
        _show(answer, form)
    if answer.best is None:
        tell_findings((_infeasible(answer, requirements),), quiet)
        return WRONG
    tell_findings(found, quiet)
    return 0


def _show(answer: Answer, form: str) -> None:
    from pixsize.report import sizing

    if form == "json":
        from pixsize.report import serialize

        emit(serialize.to_json(sizing.document(answer)))
    elif form == "markdown":
        from pixsize.report import markdown

        emit(markdown.draw(sizing.page(answer)))
    else:
        show_page(sizing.page(answer))


def _infeasible(answer: Answer, file: str | None) -> Finding:
    """PX671 with what clashes."""
    from pixsize.findings import Finding, Position

    words = ", ".join(c.requirement.word for c in answer.clash)
    message = f"no system meets the requirements: {words} {'clash' if len(answer.clash) > 1 else 'is out of reach'}"
    return Finding("PX671", message, position=Position(file or "the command line"))
