"""Findings as blocks of text and as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pixsize.findings import Finding, Position
from pixsize.report.document import Line
from pixsize.report.printable import around, clean, width, wrap

SCHEMA = "pixsize.findings/1"
_INDENT = "    "
_NOWHERE = Position("-")
"""The place of a finding that belongs to no file: tools that read `FILE:LINE:COLUMN` still find one."""


def lines(finding: Finding, columns: int = 100, wrapped: bool = False) -> list[Line]:
    """A finding as the lines of its block: place and message, the source line with a caret, reason and hint.

    The message stays on the line of the place, where tools look for it, unless `wrapped` asks for what a person reads.
    Styles: the severity, `place`, `caret` and `hint`.
    """
    at = finding.position or _NOWHERE
    wrap_at = columns if wrapped else None
    block = [*_head(finding, at, wrap_at), *_source(at, columns)]
    for word, content in (("accepted: ", finding.accepted), ("hint: ", finding.hint)):
        if content:
            block += [[("hint", f"  {part}")] for part in _parts(word + clean(content), wrap_at)]
    return block


def _head(finding: Finding, at: Position, wrap_at: int | None) -> Iterator[Line]:
    """The place, the severity with the code, and the message, which runs on below them where a width is given."""
    place, what = f"{clean(at.file)}:{at.line}:{at.column}: ", f"{finding.severity} {finding.code}"
    before = width(place + what)
    if wrap_at and before > wrap_at // 2:
        first, rest = "", _parts(clean(finding.message), wrap_at)
    else:
        stand_in = "x" * before  # one word as wide as what stands before the message
        first, *rest = _parts(f"{stand_in} {clean(finding.message)}", wrap_at)
        first = first[before:]
    yield [("place", place), (finding.severity, what), ("", first)]
    yield from ([("", f"  {part}")] for part in rest)


def _parts(content: str, wrap_at: int | None) -> list[str]:
    """A sentence in lines that leave room for an indent; on one line where no width is given."""
    return wrap(content, wrap_at - 2) if wrap_at else [content]


def _source(at: Position, columns: int) -> list[Line]:
    if not at.text.strip():
        return []
    text, caret = around(at.text.rstrip("\r\n"), max(at.column - 1, 0), columns - len(_INDENT))
    return [[("", _INDENT + text)], [("caret", _INDENT + " " * caret + "^")]]


def text(findings: Iterable[Finding], columns: int = 100) -> str:
    """All findings as plain text, one block each, a blank line between blocks."""
    blocks = ("\n".join("".join(part for _, part in line) for line in lines(f, columns)) for f in findings)
    return "\n\n".join(blocks)


def as_json(finding: Finding) -> dict[str, Any]:
    """A finding as JSON has it, with its place in a file where it has one."""
    at = finding.position
    place = {"file": at.file, "line": at.line, "column": at.column} if at else {}
    values = {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "where": finding.where,
        "hint": finding.hint,
    }
    return {**values, **place, **({"accepted": finding.accepted} if finding.accepted else {})}


def document(findings: Iterable[Finding]) -> dict[str, Any]:
    """What `--format json` prints where there are only findings."""
    return {"schema": SCHEMA, "findings": [as_json(f) for f in findings]}


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
