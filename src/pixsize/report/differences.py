"""What differs between two plans, and the words of the request that cause it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pixsize.report.causes import MOST_WORDS, Words, causes
from pixsize.report.document import Column, Page, Section, Table
from pixsize.report.explain import compact
from pixsize.report.labels import span, value
from pixsize.report.plan_contents import Contents, Key, Kind, contents, differences
from pixsize.report.request_changes import (
    ABSENT,
    Changed,
    Path,
    changed_words,
    largest_parts,
    shown,
    with_effect,
    with_words,
)
from pixsize.report.side_by_side import from_words, name_of

SCHEMA = "pixsize.diff/1"
_TITLES: dict[Kind, str] = {
    "request": "Request",
    "figure": "Figures",
    "part": "Parts",
    "target": "Targets",
    "finding": "Findings",
}
_ELSEWHERE = "replies of arrays, the program or its catalog"
"""What makes plans differ where no word of the request does."""


class Change(NamedTuple):
    """Something that differs: before and after, None where it is not there, and the words that cause it, by path."""

    kind: Kind
    path: str
    before: Any
    after: Any
    because: tuple[str, ...]


class Planner(NamedTuple):
    """What the user wrote of a request, and what makes a plan in JSON of such words: None where that is forbidden."""

    words: Mapping[str, Any]
    plan_of: Callable[[Mapping[str, Any]], Mapping[str, Any] | None]


def explained(before: Mapping[str, Any], after: Mapping[str, Any], old: Planner, new: Planner) -> tuple[Change, ...]:
    """What differs between two plans, and the words of the request that cause it."""
    requests = before["request"], after["request"]
    written = with_effect(changed_words(old.words, new.words), *requests)
    told = {("part", shown(path)): both for path, both in written.items()}
    due = {key: both for key, both in differences(before, after).items() if told.get(key) != both}
    found = _causes(tuple(due), with_effect(largest_parts(old.words, new.words, MOST_WORDS), *requests), old, new)
    requested = (
        Change("request", shown(path), _plain(was), _plain(now), (shown(path),)) for path, (was, now) in written.items()
    )
    changes = (
        Change(kind, path, was, now, tuple(map(shown, found[kind, path]))) for (kind, path), (was, now) in due.items()
    )
    return (*requested, *changes)


def _causes(due: tuple[Key, ...], words: Changed, old: Planner, new: Planner) -> Mapping[Key, tuple[Path, ...]]:
    """The changed words that cause each difference."""

    def made(planner: Planner, some: Words, side: int) -> Contents | None:
        plan = planner.plan_of(with_words(planner.words, {p: both[side] for p, both in words.items() if p in some}))
        return None if plan is None else contents(plan)

    if not (due and words):
        return dict.fromkeys(due, ())
    return causes(due, tuple(words), lambda some: made(old, some, 1), lambda some: made(new, some, 0))


def _plain(value: Any) -> Any:  # noqa: ANN401  a word of any kind
    return None if value is ABSENT else value


# --- the report ----------------------------------------------------------------------------------------------------


def document(changes: Sequence[Change]) -> dict[str, Any]:
    """The differences as JSON has them."""
    return {
        "schema": SCHEMA,
        "same": not changes,
        "changes": [{**change._asdict(), "because": list(change.because)} for change in changes],
    }


def page(names: tuple[str, str], changes: Sequence[Change]) -> Page:
    """The differences as a page: one table for the request, the figures, the parts, the targets and the findings."""
    before, after = names
    sections = []
    for kind, title in _TITLES.items():
        some = [change for change in changes if change.kind == kind]
        if some:
            sections.append(Section(title, (Table(_columns(kind), tuple(_row(kind, change) for change in some)),)))
    return Page(f"{before} -> {after}", (), tuple(sections))


def _columns(kind: Kind) -> tuple[Column, ...]:
    because = () if kind == "request" else (Column("because of", wraps=True),)
    what = "word" if kind == "request" else kind
    return (Column(what, wraps=True), Column("before", wraps=True), Column("after", wraps=True), *because)


def _row(kind: Kind, change: Change) -> tuple[str, ...]:
    name = name_of(change.path) if kind == "figure" else change.path
    sides = _figures(change) if kind == "figure" else (_said(kind, side) for side in (change.before, change.after))
    cells = (name, *sides)
    return cells if kind == "request" else (*cells, ", ".join(change.because) or _ELSEWHERE)


def _figures(change: Change) -> Iterable[str]:
    """A figure on both sides: its basis where that differs, and every digit where fewer look alike."""
    old, new = change.before, change.after
    texts = [_figure(change.path, side) for side in (old, new)]
    if old and new and texts[0] == texts[1] and any(old[w] != new[w] for w in ("value", "low", "high")):
        texts = [_digits(side) for side in (old, new)]
    if old and new and old["basis"] != new["basis"]:
        texts = [f"{text}, {side['basis']}" for text, side in zip(texts, (old, new), strict=True)]
    return texts


def _figure(path: str, words: Mapping[str, Any] | None) -> str:
    if words is None:
        return "-"
    figure = from_words(path, words)
    return f"{value(figure)} ({span(figure)})" if span(figure) else value(figure)


def _digits(words: Mapping[str, Any]) -> str:
    unit = "" if words["unit"] == "1" else f" {words['unit']}"
    return f"{words['value']:,}{unit} ({words['low']:,} to {words['high']:,})"


def _said(kind: Kind, side: Any) -> str:  # noqa: ANN401  a value of any kind
    if side is None:
        return "-"
    if isinstance(side, list) and side and all(isinstance(each, str) for each in side):
        return "; ".join(side)
    if type(side) is int:
        return f"{side:,}"
    if isinstance(side, str):
        return side or "empty"
    return json.dumps(side, ensure_ascii=False) if kind == "request" else compact(side)
