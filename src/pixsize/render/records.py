"""What a renderer is, and what it makes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pixsize.catalog.catalog import Catalog
from pixsize.findings import Finding
from pixsize.plan.records import Plan


@dataclass(frozen=True, slots=True)
class File:
    """A file to be written: its path below the output folder (posix, relative), its text, and whether it is run."""

    path: str
    text: str
    executable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Renderer:
    """A render target. `needs` says in words what, beside the request, makes its files complete; empty for nothing.

    `applies` tells whether a plan has anything for it; `findings` are what stands against its files, asked before any
    text is made; `files` makes them, and may count on there being no error among the findings.
    """

    name: str
    summary: str
    needs: str = ""
    applies: Callable[[Plan], bool]
    findings: Callable[[Plan, Catalog], tuple[Finding, ...]]
    files: Callable[[Plan, Catalog], tuple[File, ...]]
