"""Messages about a command line that cannot be right, and about an error of pixsize itself."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

import click

MOST_NAMED = 12
"""As many names fit on three lines of 80 columns."""


def unknown(
    kind: str,
    given: str,
    names: Iterable[str],
    ctx: click.Context | None = None,
    *,
    meant: Sequence[str] = (),
    lists: str = "",
) -> click.UsageError:
    """The UsageError for an unknown name of a `kind`, with the nearest known name, or all of them where they are few.

    `lists` is the command that lists many.
    """
    from difflib import get_close_matches

    from pixsize.report.printable import clean

    known = list(names)
    suggestions = meant or get_close_matches(given, known, n=1, cutoff=0.5)
    many = f"; `{lists}` lists all" if lists else ""
    every = f"; there are {', '.join(known)}" if len(known) <= MOST_NAMED else many
    hint = f"; did you mean {' or '.join(suggestions)}?" if suggestions else every
    return click.UsageError(f"no {kind} {clean(given)}{hint}", ctx)


def cleaned(text: str) -> str:
    """Text of several lines without control characters."""
    from pixsize.report.printable import clean

    return "\n".join(map(clean, text.split("\n")))


def judge_completion(variable: str) -> None:
    """Raises UsageError where the environment asks for a completion that no shell has; click would say nothing, or
    crash.

    `variable` is the one that a shell's completion function sets, beside the words of the line and the place in them.
    """
    from click.shell_completion import get_completion_class

    import pixsize.cli.completion  # noqa: F401  it brings the completion of bash

    given = os.environ.get(variable, "")
    shell, _, action = given.partition("_")
    if get_completion_class(shell) is None or action not in ("source", "complete"):
        message = f"{variable} is {cleaned(given)[:40]!r}: a shell (bash, zsh or fish), and _source or _complete, as in"
        raise click.UsageError(f"{message} bash_source")
    if action == "source":
        return
    missing = [word for word in ("COMP_WORDS", "COMP_CWORD") if word not in os.environ]
    if missing:
        raise click.UsageError(f"{variable} is {given}, and {missing[0]} is not set: the shell's function sets it")
    words, place = os.environ["COMP_WORDS"], os.environ["COMP_CWORD"]
    if not (words + place).isprintable() and any("\ud800" <= c <= "\udfff" for c in words + place):
        raise click.UsageError("COMP_WORDS and COMP_CWORD are no text in UTF-8")
    if shell != "fish" and not (place.isascii() and place.isdecimal() and len(place) < 10):
        raise click.UsageError(f"COMP_CWORD is {cleaned(place)[:40]!r}, and no number of a word")


def report_bug(error: Exception) -> None:
    """Says on stderr, in one line, that this is a bug and how to report it; the traceback only when asked for."""
    from pixsize.report.printable import clean

    what = clean(" ".join(str(error).split()))[:200]
    click.echo(
        f"pixsize: a bug in pixsize: {type(error).__name__}: {what}; please report it, with the request and what "
        "the same command says with PIXSIZE_DEBUG=1",
        err=True,
    )
    if os.environ.get("PIXSIZE_DEBUG") == "1":
        import traceback

        click.echo("".join(traceback.format_exception(error)), err=True)
