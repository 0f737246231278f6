"""RUNBOOK.md: the steps of all rendered targets in the one order in which they are done."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from textwrap import fill
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design
from pixsize.catalog.records import Record
from pixsize.findings import Finding
from pixsize.plan.records import Plan
from pixsize.product import filesystem_of, volume_terms
from pixsize.render import STEPS, template
from pixsize.render.manifest import ALL, RUN_BOOK
from pixsize.render.records import File
from pixsize.render.steps import Box, Look, Step
from pixsize.render.template import duration, prose, word

_HEADING = re.compile(r"(?m)^#{2,3} (.+)$")
_COMMAND = re.compile(r"`[^`]*`")
_BLANK = "\x00"
"""Replaces a blank at which no line may end, while a paragraph is wrapped."""
_COLUMNS = 120
"""Of the Markdown source: as wide as the other rendered files."""
_REPLIES = "PX3"
"""How the codes of findings about replies begin."""
_NAMED = 4
"""How many places the overview names before it counts them."""
State = Literal["open", "done", "earlier", "unseen", "differs"]


def unbuilt(plan: Plan, files: Iterable[File]) -> tuple[Finding, ...]:
    """PX627 where arrays of the plan have no page among the files of `all`."""
    if not plan.arrays:
        return ()
    paths, page = {file.path for file in files}, volume_terms(plan).page.partition("#")[0]
    missing = [a.id for a in plan.arrays if page.format(array=a.id) not in paths]
    if not missing:
        return ()
    named = ", ".join(missing[:_NAMED]) + (f" and {len(missing) - _NAMED:,} more" if len(missing) > _NAMED else "")
    return (Finding("PX627", f"no file says how the arrays are built: {named}", "design"),)


class Placed(NamedTuple):
    """A step of a target, in its place, with what the replies show of it.

    `done`: all of it. `earlier`: a later step of its target is done, so that this one was done before. `unseen`: a
    later step of another target is done, which proves little. `differs`: all of it, but not as planned everywhere.
    `doubts` are what differs, by the numbers of its boxes.
    """

    target: str
    step: Step
    state: State = "open"
    doubts: Mapping[int, Sequence[str]] = MappingProxyType({})

    @property
    def closed(self) -> bool:
        """Whether nothing of the step is left to do."""
        return self.state in ("done", "earlier")

    def left(self) -> int:
        """The boxes that are not ticked."""
        return 0 if self.closed else sum(not box.done for box in self.step.boxes) + len(self.doubts)


def run_book(
    plan: Plan,
    catalog: Catalog,
    files: Sequence[File],
    targets: Iterable[str],
    left_out: Mapping[str, Finding],
    findings: Sequence[Finding] = (),
) -> File:
    """The run book of the rendered `targets`, whose `files` it links to, with what was left out and why.

    Of the `findings` it holds those about replies, and ticks no box that one of them is about. ValueError where a step
    links to a page or a section that is not there.
    """
    prepare = filesystem_of(catalog.get(Design, plan.design)).prepare
    made = [(ALL, prepare), *((name, STEPS[name]) for name in targets)]
    steps = [Placed(name, step) for name, make in made for step in make(plan, catalog)]
    possible, waiting = _parted(steps)
    shown = _states([_doubted(placed, findings) for placed in ordered(possible)])
    view = _view(plan, catalog, shown, {file.path: file.text for file in files})
    reasons = [{"target": word(n), "why": _cell(f.message), "hint": _cell(f.hint)} for n, f in left_out.items()]
    differs = [_row(f) for f in findings if f.code.startswith(_REPLIES)]
    more = {"left_out": reasons, "waiting": waiting, "differs": differs}
    return File(RUN_BOOK, template.fill("run_book/RUNBOOK.md.j2", view | more))


def _row(finding: Finding) -> dict[str, str]:
    """A finding about replies. Its message has words of the array, which stay words."""
    accepted = f" (accepted: {prose(finding.accepted)})" if finding.accepted else ""
    return {"code": finding.code, "message": prose(finding.message) + accepted, "hint": _cell(finding.hint)}


def _doubted(placed: Placed, findings: Iterable[Finding]) -> Placed:
    """The step with what the findings are about, box by box, where replies show a box as done."""
    about: dict[tuple[str, str], list[str]] = {}
    for part in (part for finding in findings for part in finding.about):
        about.setdefault((part.array, part.kind), []).append(part.message)
    doubts = {
        number: reported
        for number, box in enumerate(placed.step.boxes)
        if box.done and (reported := [text for part_id in box.about for text in about.get(part_id, ())])
    }
    return placed._replace(doubts=doubts)


def _parted(steps: Sequence[Placed]) -> tuple[list[Placed], list[dict[str, str]]]:
    """The steps that can be done with what the others provide, and those that wait for a target that was left out."""
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
    remaining, done = list(steps), list[Placed]()
    while remaining:
        pending = {what for placed in remaining for what in placed.step.provides}
        ready = next((p for p in remaining if not pending.intersection(p.step.needs + p.step.after)), None)
        if ready is None:
            raise ValueError(f"steps wait for each other: {', '.join(p.step.title for p in remaining)}")
        done.append(ready)
        remaining.remove(ready)
    return done


def _states(steps: Sequence[Placed]) -> list[Placed]:
    """The steps, each with its state. What a step that is done needs was done before; what another target did before
    it, no reply shows, and nothing that destroys is done again."""
    needed: dict[str, set[str]] = {}
    marked: list[Placed] = []
    for placed in reversed(steps):
        step, by = placed.step, {t for what in placed.step.provides for t in needed.get(what, ())}
        state: State = "open"
        if step.done:
            state = "differs" if placed.doubts else "done"
        elif by and not placed.doubts:
            state = "earlier" if placed.target in by or step.destroys else "unseen"
        if state != "open":
            for what in step.needs + step.after:
                needed.setdefault(what, set()).add("" if state == "unseen" else placed.target)
        marked.append(placed._replace(state=state))
    return marked[::-1]


def _go_on(steps: Sequence[Placed]) -> dict[str, Any]:
    """The first step to do behind the last one that is done, and those before it that no reply proves; empty where
    replies show none as done."""
    last = max((n for n, placed in enumerate(steps) if placed.state != "open"), default=-1)
    after = [n for n, placed in enumerate(steps, 1) if n > last + 1 and not placed.closed]
    before = [str(n) for n, placed in enumerate(steps[: last + 1], 1) if not placed.closed]
    return {"step": after[0], "before": ", ".join(before)} if last >= 0 and after else {}


def _view(plan: Plan, catalog: Catalog, steps: Sequence[Placed], pages: Mapping[str, str]) -> dict[str, Any]:
    rows = [_step(number, placed, steps, pages) for number, placed in enumerate(steps, 1)]
    return {
        "plan": word(plan.name),
        "design": prose(catalog.get(Record, plan.design).title),
        "steps": rows,
        "go_on": _go_on(steps),
        "total": duration(sum(_work(placed) for placed in steps)),
        "destroying": [row["number"] for row in rows if row["destroys"] and row["state"] == "open"],
    }


def _step(number: int, placed: Placed, steps: Sequence[Placed], pages: Mapping[str, str]) -> dict[str, Any]:
    step, work = placed.step, _work(placed)
    linked = list(dict.fromkeys(box.page for box in step.boxes))
    left = placed.left()
    return {
        "number": number,
        "title": step.title,
        "anchor": _slug(f"{number}. {step.title}"),
        "target": word(placed.target),
        "where": _places(step.boxes),
        "needs": list(_needs(step, steps)),
        "work": (duration(work) + (f" ({duration(work // left)} each)" if left > 1 else ""))
        if left
        else "nothing left to do",
        "takes": step.takes if left else "",
        "destroys": step.destroys,
        "state": placed.state,
        "page": _link(linked[0], pages) if len(linked) == 1 and linked[0] else "",
        "text": [_wrapped(text) for text in step.text],
        "commands": step.commands,
        "boxes": [
            {
                "where": b.where,
                "do": _differs(placed.doubts[n]) if n in placed.doubts else b.do,
                "done": placed.closed or (b.done and n not in placed.doubts),
                "page": _link(b.page, pages) if b.page and len(linked) > 1 else "",
            }
            for n, b in enumerate(step.boxes)
        ],
        "looks": [Look(_cell(look.run), _cell(look.shows)) for look in step.looks],
    }


def _wrapped(text: str) -> str:
    """A paragraph in lines; a command between backticks stays on one, so that it can be copied."""
    whole = _COMMAND.sub(lambda match: match[0].replace(" ", _BLANK), text)
    return fill(whole, _COLUMNS, break_long_words=False, break_on_hyphens=False).replace(_BLANK, " ")


def _differs(reports: Sequence[str]) -> str:
    """What is done at a box that replies show as done otherwise than planned."""
    more = f", and {len(reports) - 1:,} more" if len(reports) > 1 else ""
    return (
        f"**do not repeat its commands.** Replies show it as done, but {prose(reports[0])}{more}. Put that right, or"
        " find out that it may stay, before this box is ticked"
    )


def _work(placed: Placed) -> int:
    """The seconds that a person still needs for a step."""
    boxes = enumerate(placed.step.boxes)
    return 0 if placed.closed else sum(b.seconds for n, b in boxes if not b.done or n in placed.doubts)


def _needs(step: Step, steps: Sequence[Placed]) -> Iterator[str]:
    """What has to be done before a step, each with the numbers of the steps that do it."""
    for what in dict.fromkeys(step.needs + step.after):
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
