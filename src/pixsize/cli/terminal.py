"""Reports and findings in colours. The only module that knows rich, and it is loaded for terminals only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import IO

from rich.console import Console
from rich.text import Text

from pixsize.findings import Finding
from pixsize.report.document import Line
from pixsize.report.findings import lines

_STYLES = {
    "title": "bold",
    "section": "bold cyan",
    "rule": "dim cyan",
    "head": "dim",
    "key": "dim",
    "group": "bold",
    "strong": "bold",
    "bar": "cyan",
    "dim": "dim",
    "name": "bold cyan",
    "error": "bold red",
    "warning": "bold yellow",
    "note": "bold cyan",
    "place": "bold",
    "caret": "bold green",
    "hint": "green",
}
# A basis is coloured by how strong it is.
_BASES = {"exact": "green", "measured": "green", "specified": "cyan", "extrapolated": "yellow", "estimated": "yellow"}


def draw(drawn: Iterable[Line], stream: IO[str]) -> None:
    """Lines with their styles. They are drawn as they are: nothing is wrapped or cut."""
    console = Console(file=stream, highlight=False, emoji=False, markup=False, soft_wrap=True)
    for line in drawn:
        whole = Text()
        for name, text in line:
            whole.append(text, _of_basis(text) if name == "basis" else _STYLES.get(name, ""))
        console.print(whole)


def _of_basis(text: str) -> str:
    """The colour of a basis; bold where it bears the mark of a wide range."""
    basis, _, mark = text.strip().partition(" ")
    return f"{_BASES.get(basis, '')}{' bold' if mark and basis in _BASES else ''}"


def findings(found: Sequence[Finding], stream: IO[str], columns: int) -> None:
    """Findings as blocks, a blank line between them."""
    for number, finding in enumerate(found):
        draw([[]] if number else [], stream)
        draw(lines(finding, columns, wrapped=True), stream)
