"""RUNBOOK.md: the steps of all rendered targets in the one order in which they are done."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from textwrap import fill
from typing import Any, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Record
from pixsize.findings import Finding
from pixsize.plan.records import Plan
from pixsize.render import template
from pixsize.render.manifest import RUN_BOOK
from pixsize.render.records import File
from pixsize.render.steps import STEPS, Box, Look, Step
from pixsize.render.words import prose, word

_HEADING = re.compile(r"(?m)^#{2,3} (.+)$")
_COLUMNS = 120
_MINUTE = 60
_HOUR = 3600


class Placed(NamedTuple):
    """A step of a target, in its place."""

    target: str
    step: Step


def run_book(
    plan: Plan, catalog: Catalog, files: Sequence[File], targets: Iterable[str], left_out: Mapping[str, Finding]
) -> File:
    """The run book of the rendered `targets`, whose `files` it links to, with what was left out and why.

    ValueError where a step links to a page or a section that is not there.
    """
    steps = ordered([Placed(name, step) for name in targets for step in STEPS[name](plan, catalog)])
    return File(RUN_BOOK, template.fill("run_book/RUNBOOK.md.j2", _view(plan, catalog, steps, _pages(files), left_out)))


def ordered(steps: Sequence[Placed]) -> list[Placed]:
    """The steps, each behind all those that provide what it needs; otherwise as given. ValueError for a circle."""
    left, done = list(steps), list[Placed]()
    while left:
        owed = {what for placed in left for what in placed.step.provides}
        ready = next((p for p in left if not owed.intersection(p.step.needs + p.step.after)), None)
        if ready is None:
            raise ValueError(f"steps wait for each other: {', '.join(p.step.title for p in left)}")
        done.append(ready)
        left.remove(ready)
    return done


def _view(
    plan: Plan, catalog: Catalog, steps: Sequence[Placed], pages: Mapping[str, str], left_out: Mapping[str, Finding]
) -> dict[str, Any]:
    rows = [_step(number, placed, steps, pages) for number, placed in enumerate(steps, 1)]
    return {
        "plan": word(plan.name),
        "design": prose(catalog.get(Record, plan.design).title),
        "steps": rows,
        "total": _time(sum(box.seconds for placed in steps for box in placed.step.boxes)),
        "destroying": [row["number"] for row in rows if row["destroys"]],
        "left_out": [
            {"target": word(name), "why": _cell(why.message), "hint": _cell(why.hint)} for name, why in left_out.items()
        ],
    }


def _step(number: int, placed: Placed, steps: Sequence[Placed], pages: Mapping[str, str]) -> dict[str, Any]:
    step = placed.step
    title = f"{number}. {step.title}"
    linked = list(dict.fromkeys(box.page for box in step.boxes))
    work = sum(box.seconds for box in step.boxes)
    return {
        "number": number,
        "title": step.title,
        "anchor": _slug(title),
        "target": word(placed.target),
        "where": _places(step.boxes),
        "needs": list(_needs(step, steps)),
        "work": _time(work) + (f" ({_time(work // len(step.boxes))} each)" if len(step.boxes) > 1 else ""),
        "takes": step.takes,
        "destroys": step.destroys,
        "done": step.done,
        "page": _link(linked[0], pages) if len(linked) == 1 and linked[0] else "",
        "text": [fill(text, _COLUMNS, break_long_words=False, break_on_hyphens=False) for text in step.text],
        "commands": step.commands,
        "boxes": [
            {"where": b.where, "do": b.do, "page": _link(b.page, pages) if b.page and len(linked) > 1 else ""}
            for b in step.boxes
        ],
        "looks": [Look(_cell(look.run), _cell(look.shows)) for look in step.looks],
    }


def _needs(step: Step, steps: Sequence[Placed]) -> Iterator[str]:
    """What has to be done before a step, each with its numbers; what no step of the book provides is named as such."""
    for what in step.needs + step.after:
        numbers = [str(n) for n, placed in enumerate(steps, 1) if what in placed.step.provides]
        if numbers:
            yield f"{what} ({_joined(numbers)})"
        elif what in step.needs:
            yield f"{what} (**no step of this book**: see what was left out)"


def _joined(numbers: Sequence[str]) -> str:
    return f"step {numbers[0]}" if len(numbers) == 1 else "steps " + ", ".join(numbers)


_SHOWN = 4
"""How many places the overview names before it counts them."""


def _places(boxes: Sequence[Box]) -> str:
    names = list(dict.fromkeys(box.where for box in boxes))
    if len(names) <= _SHOWN:
        return ", ".join(names)
    return f"{names[0]} and {len(names) - 1:,} more"


def _link(page: str, pages: Mapping[str, str]) -> str:
    """A link to a page, and to its section: the first heading that begins with what stands behind the `#`."""
    path, _, section = page.partition("#")
    if path not in pages:
        raise ValueError(f"a step links to {path!r}, which is not rendered")
    if not section:
        return path
    for heading in _headings(pages[path]):
        if heading.startswith(section):
            return f"{path}#{_slug(heading)}"
    raise ValueError(f"{path!r} has no section {section!r}")


def _pages(files: Iterable[File]) -> dict[str, str]:
    return {file.path: file.text for file in files}


@cache
def _headings(text: str) -> tuple[str, ...]:
    return tuple(_HEADING.findall(text))


def _slug(heading: str) -> str:
    """The anchor that viewers of Markdown give to a heading: lower case, no punctuation, hyphens for blanks."""
    kept = (c for c in heading.lower() if c.isalnum() or c in " -_")
    return "".join(kept).strip().replace(" ", "-")


def _cell(text: str) -> str:
    """Text within a cell of a table: on one line, without the sign that ends a cell."""
    return " ".join(text.replace("|", "\\|").split())


def _time(seconds: int) -> str:
    """A duration in words, rounded up to minutes."""
    minutes = -(-seconds // _MINUTE)
    hours, rest = divmod(minutes, _HOUR // _MINUTE)
    if not hours:
        return f"{minutes} min"
    return f"{hours:,} h" + (f" {rest} min" if rest else "")
