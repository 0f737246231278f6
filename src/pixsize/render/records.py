"""What a renderer is, and what it makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.findings import Finding
from pixsize.plan.records import Plan


@dataclass(frozen=True, slots=True)
class File:
    """A file to be written: its path below the output folder (posix, relative), its text, and whether it is run."""

    path: str
    text: str
    executable: bool = False


class Again(NamedTuple):
    """How a render target makes parts of the plan that exist already: it destroys them first.

    `what` such a part is called; `labels` are those of a plan, `renderer` makes the chosen ones again.
    """

    what: str
    labels: Callable[[Plan], tuple[str, ...]]
    renderer: Callable[[Iterable[str]], Renderer]


class Added(NamedTuple):
    """Files of a file system's own that another product's render target makes as well; `summary` says which."""

    summary: str
    files: Callable[[Plan, Catalog], tuple[File, ...]]


def _no_findings(plan: Plan, catalog: Catalog) -> tuple[Finding, ...]:  # noqa: ARG001  the same call for every renderer
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Renderer:
    """A render target. `needs` says in words what, beside the request, makes its files complete; empty for nothing.

    `applies` tells whether a plan has anything for it; `findings` are what stands against its files, asked before any
    text is made; `files` makes them, and may count on there being no error among the findings. For the errors in
    `left_out_for` a target that applies is left out of `all`, as one that lacks something. `again` is there where
    `--reformat` is for this target.
    """

    name: str
    summary: str
    needs: str = ""
    applies: Callable[[Plan], bool]
    files: Callable[[Plan, Catalog], tuple[File, ...]]
    findings: Callable[[Plan, Catalog], tuple[Finding, ...]] = _no_findings
    left_out_for: frozenset[str] = frozenset()
    again: Again | None = None


def by_path(files: Iterable[File]) -> dict[str, File]:
    """The files by their paths, in their order. ValueError where one would take another's place, or its folder's."""
    made: dict[str, File] = {}
    for file in files:
        if made.setdefault(file.path, file) is not file:
            raise ValueError(f"two files are rendered as {file.path!r}")
    for path in made:
        above = path.rpartition("/")[0]
        while above:
            if above in made:
                raise ValueError(f"{above!r} is rendered as a file, and as the folder of {path!r}")
            above = above.rpartition("/")[0]
    return made
