"""The sections of a plan's short page: what may be promised, warnings, parts, and the way of the capacity."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pixsize.codes import codes
from pixsize.estimate import ids
from pixsize.findings import Finding
from pixsize.report.bill import bill
from pixsize.report.document import Column, Items, Section, Table
from pixsize.report.names import nameless, names_of
from pixsize.report.promises import promises, remarks
from pixsize.report.sized_plan import SizedPlan
from pixsize.report.waterfall import bars, sizes, steps_of
from pixsize.texts import plural

_PROMISED = (
    Column("", wraps=True),
    Column("plan with", "right", style="strong"),
    Column("expected", "right"),
    Column("basis", style="basis"),
)
_PARTS = (Column("", "right"), Column("", wraps=True), Column("", wraps=True))
_WATERFALL = (Column(""), Column("", "right"), Column("", "right"))


def promised(sized: SizedPlan, long: bool = False) -> Section:
    """What the system holds and does, for a promise."""
    shown = promises(sized)
    table = Table(_PROMISED, tuple(row for p in shown for row in p.rows()))
    return Section("What it holds and does", (table, Items(tuple(remarks(sized, shown, long)))))


def warnings(sized: SizedPlan, findings_follow: bool) -> Section:
    """Each warning with its remedy, or why it was accepted; then what the notes are about.

    The command that shows all findings is named unless they follow the page.
    """
    names = names_of(sized.plan)
    found = [_warning(f, names) for f in sized.findings if f.severity != "note"]
    notes = [f.code for f in sized.findings if f.severity == "note"]
    titles = "; ".join(_about(code) for code in dict.fromkeys(notes))
    where = "" if findings_follow else "`pixsize check`"
    last = f"{plural(len(notes), 'note')}{where and f' ({where})'}: {titles}" if notes else where
    items = (*dict.fromkeys(found), *((last,) if last else ()))
    return Section("Warnings" if found else "Notes", (Items(items),) if sized.findings else ())


def _warning(finding: Finding, names: re.Pattern[str] | None) -> str:
    """A warning in a line, with its code."""
    return f"{finding.code} {warning_in_words(finding, names, 'Fix')}"


def warning_in_words(finding: Finding, names: re.Pattern[str] | None, remedy: str) -> str:
    """What a warning means, and the remedy behind a word for it, without the names of servers and arrays."""
    code = codes()[finding.code]
    if finding.accepted:
        return f"{code.title}; accepted: {finding.accepted}"
    hint = finding.hint if finding.hint and not (names and names.search(finding.hint)) else code.cure
    return f"{code.title}. {remedy}: {hint}"


def _about(code: str) -> str:
    """What a note is about, in a few words."""
    return f"{code} {_lower(codes()[code].title)}"


def _lower(title: str) -> str:
    """A title inside a sentence; a first word with further capitals, such as GPFS, stays."""
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]


def parts(sized: SizedPlan) -> Section:
    """What is in the box, each kind of part in a line, and the rack space. The long page names the servers."""
    names = names_of(sized.plan)
    kinds: dict[str, list[tuple[int, str]]] = {}
    for count, item, use in bill(sized.plan, sized.catalog):
        kinds.setdefault(item, []).append((count, "" if item == "cables" else nameless(use, names)))
    rows = [(f"{sum(n for n, _ in uses):,}", item, _uses(uses)) for item, uses in kinds.items()]
    rack = sized.figures.get(ids.RACK_UNITS)
    if rack:
        rows.append((f"{rack.value:,}", "rack units", ""))
    strong = frozenset({len(rows) - 1}) if rack else frozenset()
    return Section("Parts", (Table(_PARTS, tuple(rows), strong=strong),))


def _uses(uses: list[tuple[int, str]]) -> str:
    """What a part is for; with numbers where it has several uses."""
    return uses[0][1] if len(uses) == 1 else ", ".join(f"{count:,} {use}" for count, use in uses)


def waterfall(sized: SizedPlan) -> Section:
    """The sizes from the drives as sold to what is usable, without steps that take nothing."""
    steps = [(s, f) for s, f in steps_of(sized) if s.is_there or f.value]
    cells = ((step, *sizes(f, not step.is_there)) for step, f in steps)
    rows = tuple((s.name if s.is_there else f"- {s.name}", f"{tb} TB", f"{tib} TiB") for s, tb, tib in cells)
    strong = frozenset(i for i, (step, _) in enumerate(steps) if step.is_there)
    table = Table(_WATERFALL, rows, strong=strong, bars=bars(steps))
    return Section("From drives to usable capacity", (table,) if rows else ())


def sections(sized: SizedPlan, findings_follow: bool) -> Iterator[Section]:
    """All of them, in the order of the page."""
    yield promised(sized)
    yield warnings(sized, findings_follow)
    yield parts(sized)
    yield waterfall(sized)
