"""A plan, its figures and findings as a page: what a person who quotes or builds the system wants to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.figures import Figure
from pixsize.findings import Finding
from pixsize.plan.records import Plan
from pixsize.report import findings as told
from pixsize.report.bill import bill, title
from pixsize.report.document import Column, Items, Page, Section, Table
from pixsize.report.labels import both, grouped, plural, span, value

_BAR = 28


class Facts(NamedTuple):
    """Everything that a report of a plan speaks of."""

    plan: Plan
    figures: Mapping[str, Figure]
    findings: Sequence[Finding]
    words: Mapping[str, object]
    defaults: Sequence[str]
    catalog: Catalog


def page(facts: Facts, complete: bool = False) -> Page:
    """The report. A complete one also spells the findings and the sources out; otherwise they are counted."""
    parts = [_box(facts), _capacity(facts), _metadata(facts), *_performance(facts)]
    parts += [_findings(facts), _sources(facts)] if complete else []
    parts.append(_defaults(facts, complete))
    return Page(facts.plan.name, tuple(_lead(facts)), tuple(p for p in parts if p.blocks))


def _lead(facts: Facts) -> Iterator[str]:
    plan = facts.plan
    variant = "high-demand metadata (HDMD)" if plan.variant == "hdmd" else "standard metadata"
    yield f"{title(facts.catalog, plan.design)}, {variant}, file system {plan.filesystem.name}"
    for line in _modules(facts):
        yield line


def _modules(facts: Facts) -> Iterator[str]:
    """The modules, equal ones counted together."""
    arrays = {a.id: a for a in facts.plan.arrays}
    kinds: Counter[tuple[str, ...]] = Counter()
    for m in facts.plan.modules:
        array = arrays[m.arrays[0]]
        inside = f"{len(m.arrays)} x {title(facts.catalog, array.model)}"
        behind = f" and {len(m.arrays)} x {title(facts.catalog, array.enclosures[1].model)}" if m.expansion else ""
        ssd = f", {title(facts.catalog, m.metadata_drive)} for metadata" if m.metadata_drive else ""
        name = f"{m.size} storage module" if m.role == "storage" else "HDMD module"
        kinds[name, f"{inside}{behind}, {title(facts.catalog, m.drive)}{ssd}"] += 1
    for (name, inside), count in kinds.items():
        yield f"{plural(count, name)}{' of' if count == 1 else ', each of'} {inside}"


def _box(facts: Facts) -> Section:
    rows = [(f"{count:,}", item, use) for count, item, use in bill(facts.plan, facts.catalog)]
    rack = facts.figures.get("hardware.rack_units")
    if rack:
        rows.append((value(rack), "Rack space", "servers, arrays, expansions and switches"))
    columns = (Column("count", "right"), Column("item", wraps=True), Column("for", wraps=True))
    strong = frozenset({len(rows) - 1}) if rack else frozenset()
    return Section("In the box", (Table(columns, tuple(rows), strong=strong),))


_STEPS = (
    ("as sold", "capacity.raw", 1), ("hot spares", "capacity.spares", -1), ("parity", "capacity.parity", -1),
    ("formatted", "capacity.formatted", 1), ("array overhead", "capacity.array_overhead", -1),
    ("file system", "capacity.filesystem_overhead", -1), ("usable", "capacity.usable", 1),
)


def _capacity(facts: Facts) -> Section:
    steps = [(name, facts.figures[i], sign) for name, i, sign in _STEPS if i in facts.figures]
    rows = tuple((name if sign > 0 else f"- {name}", *_sizes(f, sign), f.basis, f.rule) for name, f, sign in steps)
    strong = frozenset(i for i, step in enumerate(steps) if step[2] > 0)
    columns = (Column("step"), Column("TB", "right"), Column("TiB", "right"), Column("basis"), Column("why", wraps=True))
    usable = facts.figures.get("capacity.usable")
    said = (f"df should show {both(usable.value)}; between {both(usable.low)} and {both(usable.high)} on the evidence there is.",)
    return Section("Capacity for data", (Table(columns, rows, strong=strong, bars=_bars(steps)), *(said if usable else ())))


def _sizes(figure: Figure, sign: int) -> tuple[str, str]:
    """TB and TiB without their units, which the column heads say; a loss has a minus."""
    mark = "-" if sign < 0 and figure.value else ""
    return f"{mark}{figure.value / 10**12:,.2f}", f"{mark}{figure.value / 2**40:,.2f}"


def _bars(steps: Sequence[tuple[str, Figure, int]]) -> tuple[str, ...]:
    """A bar for each step: full blocks are what is there after it, light ones what it takes away."""
    whole = max((f.value for _, f, _ in steps), default=0) or 1
    left, bars = 0, []
    for _, figure, sign in steps:
        left = figure.value if sign > 0 else left - figure.value
        kept = round(_BAR * left / whole)
        taken = round(_BAR * (left + figure.value) / whole) - kept if sign < 0 else 0
        bars.append("\u2588" * kept + "\u2591" * taken)
    return tuple(bars)


def _metadata(facts: Facts) -> Section:
    names = (("as sold", "capacity.metadata.raw"), ("usable", "capacity.metadata.usable"), ("files", "files.max"))
    rows = []
    for name, figure_id in names:
        figure = facts.figures.get(figure_id)
        if figure:
            rows.append((name, value(figure), units.binary_bytes(figure.value) if figure.unit == "B" else "",
                         _spaced(figure), figure.basis, figure.rule))
    columns = (Column(""), Column("", "right"), Column("", "right"), Column("range", wraps=True), Column("basis"),
               Column("why", wraps=True))
    return Section("Capacity for metadata", (Table(columns, tuple(rows)),) if rows else ())


def _spaced(figure: Figure) -> str:
    return span(figure)


def _performance(facts: Facts) -> Iterator[Section]:
    for kind, heading in (("throughput", "Throughput"), ("metadata", "Metadata operations")):
        groups = grouped(facts.figures, kind)
        yield Section(heading, (_rates(groups),) if groups else ())


def _rates(groups: Mapping[str, list[tuple[str, Figure]]]) -> Table:
    """One table, so that the columns of all groups stand below each other."""
    rows: list[tuple[str, ...]] = []
    headings = set()
    for heading, figures in groups.items():
        headings.add(len(rows))
        rows.append((heading, "", "", "", ""))
        rows += [(name, value(f), span(f), f.basis, f.limited_by or "") for name, f in figures]
    columns = (Column("rate"), Column("value", "right"), Column("range", "right"), Column("basis"),
               Column("limited by", wraps=True))
    return Table(columns, tuple(rows), headings=frozenset(headings))


def _findings(facts: Facts) -> Section:
    told_of = [f for f in facts.findings if f.severity != "error"]
    items = tuple(f"{f.severity} {f.code}: {f.message}" + (f" Accepted: {f.accepted}" if f.accepted else "") for f in told_of)
    return Section("Warnings and notes", (Items(items),) if items else ())


def _sources(facts: Facts) -> Section:
    """The documents behind the figures, and the places in them."""
    places: dict[str, dict[str, None]] = {}
    for figure in facts.figures.values():
        for source in (*figure.sources, *(r.source for r in figure.readings)):
            places.setdefault(source.document, {})[source.place] = None
    items = tuple(f"{_document(facts.catalog, d)}: {'; '.join(p)}" for d, p in sorted(places.items()))
    return Section("Sources", (Items(items),) if items else ())


def _document(catalog: Catalog, document: str) -> str:
    return title(catalog, document) if document in catalog else document


def _defaults(facts: Facts, complete: bool) -> Section:
    chosen = Items(tuple(f"{path}: {_plain(_at(facts.words, path))}" for path in facts.defaults))
    blocks: tuple[str | Items, ...] = (chosen,) if facts.defaults else ()
    if complete:
        return Section("Defaults that the request left open", blocks)
    return Section("Left to defaults", blocks) if blocks else Section("", ())


def _plain(chosen: object) -> str:
    if isinstance(chosen, list | tuple):
        return ", ".join(_plain(c) for c in chosen)
    return {None: "none", True: "true", False: "false"}.get(chosen, str(chosen)) if not isinstance(chosen, dict) else str(chosen)


def _at(words: object, path: str) -> object:
    """The value at a path such as `storage_modules[0].count`."""
    for part in path.replace("[", ".").replace("]", "").split("."):
        if isinstance(words, Mapping):
            words = words.get(part)
        elif isinstance(words, list | tuple) and part.isdigit() and int(part) < len(words):
            words = words[int(part)]
    return words


def counted(findings: Sequence[Finding]) -> str:
    """The last line of a report on a terminal: how many findings there are."""
    return told.summary(findings)
