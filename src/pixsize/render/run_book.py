"""RUNBOOK.md: the steps of all rendered targets in the one order in which they are done."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from textwrap import fill
from typing import Any, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Design, Record
from pixsize.findings import Finding
from pixsize.plan.records import Plan
from pixsize.product import filesystem_of
from pixsize.render import STEPS, template
from pixsize.render.manifest import ALL, RUN_BOOK
from pixsize.render.records import File
from pixsize.render.steps import Box, Look, Step
from pixsize.render.words import prose, word

_HEADING = re.compile(r"(?m)^#{2,3} (.+)$")
_COMMAND = re.compile(r"`[^`]*`")
_BLANK = "\x00"
"""Stands for a blank at which no line may end."""
_COLUMNS = 120
_MINUTE = 60
_HOUR = 3600
_NAMED = 4
"""How many places the overview names before it counts them."""


class Placed(NamedTuple):
    """A step of a target, in its place. `earlier` says that a later step is done, so that this one was done before."""

    target: str
    step: Step
    earlier: bool = False

    @property
    def closed(self) -> bool:
        """Whether nothing of the step is left to do."""
        return self.earlier or self.step.done


def run_book(
    plan: Plan, catalog: Catalog, files: Sequence[File], targets: Iterable[str], left_out: Mapping[str, Finding]
) -> File:
    """The run book of the rendered `targets`, whose `files` it links to, with what was left out and why.

    ValueError where a step links to a page or a section that is not there.
    """
    prepare = filesystem_of(catalog.get(Design, plan.design)).prepare
    made = [(ALL, prepare), *((name, STEPS[name]) for name in targets)]
    steps = [Placed(name, step) for name, make in made for step in make(plan, catalog)]
    possible, waiting = _parted(steps)
    view = _view(plan, catalog, _closed(ordered(possible)), {file.path: file.text for file in files})
    reasons = [{"target": word(n), "why": _cell(f.message), "hint": _cell(f.hint)} for n, f in left_out.items()]
    return File(RUN_BOOK, template.fill("run_book/RUNBOOK.md.j2", view | {"left_out": reasons, "waiting": waiting}))


def _parted(steps: Sequence[Placed]) -> tuple[list[Placed], list[dict[str, str]]]:
    """The steps that can be done with what the others provide, and those that wait for what was left out."""
    possible, waiting = list(steps), list[dict[str, str]]()
    while True:
        provided = {what for placed in possible for what in placed.step.provides}
        stuck = [p for p in possible if not provided.issuperset(p.step.needs)]
        if not stuck:
            return possible, waiting
        for placed in stuck:
            lacking = ", ".join(what for what in placed.step.needs if what not in provided)
            waiting.append({"title": placed.step.title, "target": word(placed.target), "for": lacking})
            possible.remove(placed)


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


def _closed(steps: Sequence[Placed]) -> list[Placed]:
    """The steps, with those marked that came before a step which is done."""
    needed: set[str] = set()
    marked: list[Placed] = []
    for placed in reversed(steps):
        earlier = not placed.step.done and bool(needed.intersection(placed.step.provides))
        if earlier or placed.step.done:
            needed.update(placed.step.needs + placed.step.after)
        marked.append(placed._replace(earlier=earlier))
    return marked[::-1]


def _view(plan: Plan, catalog: Catalog, steps: Sequence[Placed], pages: Mapping[str, str]) -> dict[str, Any]:
    rows = [_step(number, placed, steps, pages) for number, placed in enumerate(steps, 1)]
    return {
        "plan": word(plan.name),
        "design": prose(catalog.get(Record, plan.design).title),
        "steps": rows,
        "first": next((row for row in rows if row["state"] == "open"), None),
        "total": _time(sum(_work(placed) for placed in steps)),
        "destroying": [row["number"] for row in rows if row["destroys"] and row["state"] == "open"],
    }


def _step(number: int, placed: Placed, steps: Sequence[Placed], pages: Mapping[str, str]) -> dict[str, Any]:
    step, work = placed.step, _work(placed)
    linked = list(dict.fromkeys(box.page for box in step.boxes))
    left = 0 if placed.closed else sum(not box.done for box in step.boxes)
    return {
        "number": number,
        "title": step.title,
        "anchor": _slug(f"{number}. {step.title}"),
        "target": word(placed.target),
        "where": _places(step.boxes),
        "needs": list(_needs(step, steps)),
        "work": (_time(work) + (f" ({_time(work // left)} each)" if left > 1 else ""))
        if left
        else "nothing left to do",
        "takes": step.takes if left else "",
        "destroys": step.destroys,
        "state": "done" if step.done else "earlier" if placed.earlier else "open",
        "page": _link(linked[0], pages) if len(linked) == 1 and linked[0] else "",
        "text": [_wrapped(text) for text in step.text],
        "commands": step.commands,
        "boxes": [
            {
                "where": b.where,
                "do": b.do,
                "done": b.done or placed.closed,
                "page": _link(b.page, pages) if b.page and len(linked) > 1 else "",
            }
            for b in step.boxes
        ],
        "looks": [Look(_cell(look.run), _cell(look.shows)) for look in step.looks],
    }


def _wrapped(text: str) -> str:
    """A paragraph in lines; a command between backticks stays on one, so that it can be copied."""
    whole = _COMMAND.sub(lambda match: match[0].replace(" ", _BLANK), text)
    return fill(whole, _COLUMNS, break_long_words=False, break_on_hyphens=False).replace(_BLANK, " ")


def _work(placed: Placed) -> int:
    """The seconds that a person still needs for a step."""
    return 0 if placed.closed else sum(box.seconds for box in placed.step.boxes if not box.done)


def _needs(step: Step, steps: Sequence[Placed]) -> Iterator[str]:
    """What has to be done before a step, each with the numbers of the steps that do it."""
    for what in step.needs + step.after:
        numbers = [str(n) for n, placed in enumerate(steps, 1) if what in placed.step.provides]
        if numbers:
            yield f"{what} ({'step' if len(numbers) == 1 else 'steps'} {', '.join(numbers)})"


def _places(boxes: Sequence[Box]) -> str:
    names = list(dict.fromkeys(box.where for box in boxes))
    if len(names) <= _NAMED:
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
