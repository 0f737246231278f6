"""`pixsize explain`."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from pixsize import workflow
from pixsize.cli.options import format_option, request_options
from pixsize.cli.output import columns, emit, say, show_lines
from pixsize.cli.progress import Progress
from pixsize.cli.talk import name_example, refused


def _complete(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The ids of the figures of the request, where it can be planned."""
    given = workflow.Given(ctx.params.get("config") or workflow.DEFAULT_CONFIG, ctx.params.get("catalog"))
    try:
        planned = workflow.plan(given)
    except Exception:  # a shell that completes is no place to report anything
        return []
    figures = planned.sized.figures if planned.sized else {}
    return [CompletionItem(i) for i in figures if i.startswith(incomplete)]


@click.command(short_help="A figure down to its sources.")
@click.argument("figures", nargs=-1, metavar="[FIGURE]...", shell_complete=_complete)
@click.option("--all", "every", is_flag=True, help="Every figure of the plan.")
@click.option("--short", is_flag=True, help="Each in five lines at the most, for a customer.")
@request_options
@format_option("text", "json")
def command(
    figures: tuple[str, ...],
    every: bool,
    short: bool,
    form: str,
    quiet: bool,
    config: str,
    catalog: Path | None,
    observed: Path | None,
) -> int:
    """A figure down to its sources: its value, the rule that made it, and the inputs of the rule.

    Without a FIGURE, all figures of the plan, a line each. For a figure that this plan does not have, the finding that
    says why, and exit code 1.
    """
    if every and figures:
        raise click.UsageError("either figures or --all")
    if short and (form == "json" or not (figures or every)):
        raise click.UsageError("--short is for figures as text: `explain FIGURE --short`")
    given = workflow.Given(config, catalog, observed)
    if not figures and not every:
        return _list(given, form, quiet)
    with Progress(quiet) as progress:
        explained = workflow.explain(given, None if every else figures, progress.tell)
    name_example(given, explained.example, quiet)
    if explained.trees is None:
        return refused(explained.findings, form)
    _refuse_unknown(figures, (*explained.ids, *explained.absent))
    if explained.absent:
        say(f"not in this plan: {', '.join(explained.absent)}")
        return refused(tuple(dict.fromkeys(f for why in explained.absent.values() for f in why)), form)
    if form == "json":
        from pixsize.report import serialize

        emit(serialize.indented(explained.trees))
    elif short:
        from pixsize.report.explain import short_lines

        show_lines(short_lines(explained.short, columns(sys.stdout)))
    else:
        from pixsize.report.explain import lines

        show_lines(lines(explained.trees, columns(sys.stdout)))
    return 0


def _list(given: workflow.Given, form: str, quiet: bool) -> int:
    """Every figure of the plan, in a line each."""
    with Progress(quiet) as progress:
        planned = workflow.plan(given, progress.tell)
    name_example(given, planned.example, quiet)
    if planned.sized is None:
        return refused(planned.findings, form)
    from pixsize.report import explain, serialize

    words = explain.listed(planned.sized.figures)
    if form == "json":
        emit(serialize.to_json(words))
    else:
        show_lines(explain.listed_lines(words, columns(sys.stdout)))
        if not quiet:
            say("`pixsize explain FIGURE` shows where one comes from, --all where all of them do")
    return 0


def _refuse_unknown(figures: tuple[str, ...], ids: tuple[str, ...]) -> None:
    for figure in figures:
        if figure not in ids:
            from pixsize.cli.usage import unknown
            from pixsize.report.explain import meant

            raise unknown("figure", figure, ids, meant=meant(figure, ids), lists="pixsize explain")
