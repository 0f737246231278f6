"""Findings as blocks of text and as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pixsize.findings import Finding, Position
from pixsize.report.document import Line
from pixsize.report.safe import around, clean, wrap

SCHEMA = "pixsize.findings/1"
_INDENT = "    "
_NOWHERE = Position("-")


def lines(finding: Finding, columns: int = 100, wrapped: bool = False) -> list[Line]:
    """A finding as the lines of its block: place and message, the source line with a caret, reason and hint.

    The message stays on the line of the place, where tools look for it, unless `wrapped` asks for what a person reads.
    Styles: the severity, `place`, `caret` and `hint`.
    """
    at = finding.position or _NOWHERE
    message = clean(finding.message)
    head: Line = [
        ("place", f"{clean(at.file)}:{at.line}:{at.column}: "),
        (finding.severity, f"{finding.severity} {finding.code}"),
        ("", "" if wrapped else f" {message}"),
    ]
    block = [head, *(_said("", "", message, columns) if wrapped else ()), *_source(at, columns)]
    for word, said in (("accepted: ", finding.accepted), ("hint: ", finding.hint)):
        if said:
            block += _said("hint", word, clean(said), columns if wrapped else None)
    return block


def _said(style: str, word: str, said: str, columns: int | None) -> Iterator[Line]:
    """A sentence below the place, on one line where no width is given."""
    parts = wrap(word + said, columns - 2) if columns else [word + said]
    yield from ([(style, f"  {part}")] for part in parts)


def _source(at: Position, columns: int) -> list[Line]:
    if not at.text.strip():
        return []
    text, caret = around(at.text.rstrip("\r\n"), max(at.column - 1, 0), columns - len(_INDENT))
    return [[("", _INDENT + text)], [("caret", _INDENT + " " * caret + "^")]]


def text(findings: Iterable[Finding], columns: int = 100) -> str:
    """All findings as plain text, one block each, a blank line between blocks."""
    blocks = ("\n".join("".join(part for _, part in line) for line in lines(f, columns)) for f in findings)
    return "\n\n".join(blocks)


def as_words(finding: Finding) -> dict[str, Any]:
    """A finding in the words of CONTRACT, with its place in a file where it has one."""
    at = finding.position
    place = {"file": at.file, "line": at.line, "column": at.column} if at else {}
    words = {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "where": finding.where,
        "hint": finding.hint,
    }
    return {**words, **place, **({"accepted": finding.accepted} if finding.accepted else {})}


def document(findings: Iterable[Finding]) -> dict[str, Any]:
    """The whole of what `--format json` prints when there is nothing but findings."""
    return {"schema": SCHEMA, "findings": [as_words(f) for f in findings]}


def summary(findings: Sequence[Finding]) -> str:
    """How many of each severity, in words: `1 error, 2 warnings (1 accepted), 3 notes`; `nothing found`."""
    parts = [p for p in (_count(findings, s) for s in ("error", "warning", "note")) if p]
    return ", ".join(parts) or "nothing found"


def _count(findings: Sequence[Finding], severity: str) -> str:
    some = [f for f in findings if f.severity == severity]
    if not some:
        return ""
    accepted = sum(bool(f.accepted) for f in some)
    return f"{len(some)} {severity}{'s' if len(some) > 1 else ''}" + (f" ({accepted} accepted)" if accepted else "")
