"""A mistake of the user, or a doubt about a plan, as a value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from pixsize.codes import Severity, codes


class Position(NamedTuple):
    """A place in a file: the path as the user gave it, line and column from 1, and the text of that line."""

    file: str
    line: int = 1
    column: int = 1
    text: str = ""


class About(NamedTuple):
    """A part of the real system that differs from the plan: the array that it is of, its kind, and what the replies
    show.
    """

    array: str
    kind: Literal["enclosure", "disk", "group", "spare", "volume"]
    message: str


class Finding(NamedTuple):
    """What was found, where, and what to do. `where` is a path in the request such as `storage_modules[0].count`.

    `about` are the parts that replies show otherwise than planned, each once, where the finding is of such.
    """

    code: str
    message: str
    where: str = ""
    hint: str = ""
    position: Position | None = None
    accepted: str = ""
    about: tuple[About, ...] = ()

    @property
    def severity(self) -> Severity:
        """error, warning or note, as its code says."""
        return codes()[self.code].severity

    def at(self, position: Position) -> Finding:
        """The same finding with its place in a file."""
        return self._replace(position=position)

    def accept(self, reason: str) -> Finding:
        """The same finding, accepted by the user for `reason`: still shown, no longer counted."""
        return self._replace(accepted=reason)


def has_errors(findings: Iterable[Finding]) -> bool:
    """Whether any finding is an error."""
    return any(f.severity == "error" for f in findings)


def counted_warnings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The warnings that the user has not accepted."""
    return tuple(f for f in findings if f.severity == "warning" and not f.accepted)
