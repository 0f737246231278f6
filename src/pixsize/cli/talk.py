"""Messages that several commands share."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pixsize.cli.output import emit, say, tell_findings

if TYPE_CHECKING:
    from pixsize.findings import Finding
    from pixsize.workflow import Given

WRONG = 1
"""The exit code where the request, its plan or a file has errors."""


def name_example(given: Given, example: Path | None, quiet: bool) -> None:
    """Says on stderr that a shipped example stands in for the file that is not there."""
    if example is not None and not quiet:
        from pixsize.report.printable import clean

        own = f"{given.config}.yaml"
        other = f"; the file {clean(own)} is read where its whole name is given" if os.path.exists(own) else ""
        say(f"no file {clean(given.config)} here: this is about the shipped example {example.stem}{other}")


def refused(findings: Sequence[Finding], form: str, quiet: bool = False) -> int:
    """Prints the findings of a run that ends here, to stdout all of them and only as JSON; returns the exit code."""
    if form == "json":
        from pixsize.report import serialize
        from pixsize.report.findings import document

        emit(serialize.to_json(document(findings)))
    tell_findings(findings, quiet)
    return WRONG
