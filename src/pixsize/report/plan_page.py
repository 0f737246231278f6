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


def _lead(facts: Facts) -> Iterator[tuple[str, str]]:
    """The system in a few lines: what it is made of, and the numbers that are asked for first."""
    plan, fs = facts.plan, facts.plan.filesystem
    yield "design", title(facts.catalog, plan.design)
    yield "metadata", "high-demand (HDMD), on arrays of its own" if plan.variant == "hdmd" else "standard, on SSDs beside the data"
    for number, line in enumerate(_modules(facts)):
        yield "" if number else "modules", line
    copies = plural(fs.metadata_replicas, "copy of the metadata" if fs.metadata_replicas == 1 else "copie of the metadata")
    yield "file system", f"{fs.name}: {_blocks(fs.block_bytes)} blocks, {_blocks(fs.inode_bytes)} inodes, {copies}"
    yield "NSDs", _nsds(plan)
    yield from _headlines(facts.figures)


def _modules(facts: Facts) -> Iterator[str]:
    """The modules, equal ones counted together."""
    arrays = {a.id: a for a in facts.plan.arrays}
    kinds: Counter[tuple[str, str]] = Counter()
    for m in facts.plan.modules:
        first = arrays[m.arrays[0]]
        inside = [f"{len(m.arrays)} x {title(facts.catalog, e.model)}" for e in first.enclosures]
        drives = [title(facts.catalog, d) for d in (m.drive, m.metadata_drive) if d]
        kinds["HDMD" if m.role == "metadata" else m.size, f"{' + '.join(inside)}; {' and '.join(drives)}"] += 1
    for (name, inside), count in kinds.items():
        yield f"{count} x {name}: {inside}"


def _nsds(plan: Plan) -> str:
    uses = Counter(t.purpose for t in plan.targets)
    return f"{len(plan.targets):,}: " + ", ".join(f"{n:,} for {use}" for use, n in uses.items())


_HEADLINES = (
    ("capacity", (("formatted", "capacity.formatted"), ("usable", "capacity.usable"))),
    ("throughput", (("write", "throughput.sequential.n_n.write.peak"), ("read", "throughput.sequential.n_n.read.peak"))),
)


def _headlines(figures: Mapping[str, Figure]) -> Iterator[tuple[str, str]]:
    for name, wanted in _HEADLINES:
        there = [(word, figures[i]) for word, i in wanted if i in figures]
        if there:
            yield name, ", ".join(f"{'' if f.basis == 'exact' else 'about '}{value(f)} {word}" for word, f in there)


def _box(facts: Facts) -> Section:
    rows = [(f"{count:,}", item, use) for count, item, use in bill(facts.plan, facts.catalog)]
    rack = facts.figures.get("hardware.rack_units")
    if rack:
        rows.append((value(rack), "Rack space", "servers, arrays, expansions and switches"))
    columns = (Column("count", "right"), Column("item", wraps=True), Column("for", wraps=True))
    strong = frozenset({len(rows) - 1}) if rack else frozenset()
    return Section("In the box", (Table(columns, tuple(rows), strong=strong),))


_SIZES = (Column("step"), Column("TB", "right"), Column("TiB", "right"), Column("basis", style="basis"), Column("why", wraps=True))
_STEPS = (
    ("as sold", "capacity.raw", 1),
    ("hot spares", "capacity.spares", -1),
    ("parity", "capacity.parity", -1),
    ("formatted", "capacity.formatted", 1),
    ("array overhead", "capacity.array_overhead", -1),
    ("file system", "capacity.filesystem_overhead", -1),
    ("usable", "capacity.usable", 1),
)


def _capacity(facts: Facts) -> Section:
    steps = [(name, facts.figures[i], sign) for name, i, sign in _STEPS if i in facts.figures]
    rows = tuple((name if sign > 0 else f"- {name}", *_sizes(f, sign), f.basis, f.rule) for name, f, sign in steps)
    strong = frozenset(i for i, step in enumerate(steps) if step[2] > 0)
    columns = (
        Column("step"),
        Column("TB", "right"),
        Column("TiB", "right"),
        Column("basis", style="basis"),
        Column("why", wraps=True),
    )
    return Section("Capacity for data", (Table(_SIZES, rows, strong=strong, bars=_bars(steps)), *_df(facts)))


def _df(facts: Facts) -> Iterator[str]:
    """What a customer asks first."""
    usable = facts.figures.get("capacity.usable")
    if usable:
        yield f"df should show {both(usable.value)}, between {both(usable.low)} and {both(usable.high)}."


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
    names = (("as sold", "capacity.metadata.raw"), ("usable", "capacity.metadata.usable"))
    sizes = [(name, facts.figures[i]) for name, i in names if i in facts.figures]
    rows = tuple((name, *_sizes(f, 1), f.basis, f.rule) for name, f in sizes)
    files = facts.figures.get("files.max")
    room = (f"Room for {value(files)} files, between {span(files)} ({files.basis}): {files.rule}",) if files else ()
    return Section("Capacity for metadata", (*((Table(_SIZES, rows),) if rows else ()), *room))


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
    columns = (
        Column("rate"),
        Column("value", "right"),
        Column("range", "right"),
        Column("basis", style="basis"),
        Column("limited by", wraps=True),
    )
    return Table(columns, tuple(rows), headings=frozenset(headings))


def _findings(facts: Facts) -> Section:
    told_of = [f for f in facts.findings if f.severity != "error"]
    items = tuple(
        f"{f.severity} {f.code}: {f.message}" + (f" Accepted: {f.accepted}" if f.accepted else "") for f in told_of
    )
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
    """A chosen value as a request would have it."""
    if isinstance(chosen, list | tuple):
        return ", ".join(map(_plain, chosen))
    if chosen is None:
        return "none"
    return str(chosen).lower() if isinstance(chosen, bool) else str(chosen)


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
