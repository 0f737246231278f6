"""A plan, its figures and findings as a page for people who quote or build the system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pixsize.estimate import ids
from pixsize.figures import Figure
from pixsize.report import summary
from pixsize.report.bill import bill, cables, inside, licences, not_included, title
from pixsize.report.document import Column, Items, Page, Section, Table
from pixsize.report.doubts import other_tests
from pixsize.report.labels import by_threads, grouped, span, value
from pixsize.report.overview import overview
from pixsize.report.sized_plan import SizedPlan
from pixsize.report.waterfall import bars, ends, sizes, steps_of
from pixsize.units import both_bytes


def page(sized: SizedPlan, complete: bool = False, findings_follow: bool = False, long: bool = False) -> Page:
    """The report: what may be promised, the warnings, the parts and the way of the capacity, on a screen and a half.

    A long one has every figure with its rule, the names of servers, what is in them and the words left to defaults. A
    complete one also has every finding and the sources. With `findings_follow` the findings are printed after the
    report: it does not name the command that shows them.
    """
    long = long or complete
    parts = _long(sized, complete, findings_follow) if long else summary.sections(sized, findings_follow)
    return Page(sized.plan.name, tuple(overview(sized, long)), tuple(p for p in parts if p.blocks))


def _long(sized: SizedPlan, complete: bool, findings_follow: bool) -> Iterator[Section]:
    """The sections of the long page."""
    yield summary.promised(sized, long=True)
    yield _findings(sized) if complete else summary.warnings(sized, findings_follow)
    yield _box(sized)
    yield from _details(sized)
    yield _capacity(sized)
    yield _metadata(sized)
    yield _added(sized)
    for kind, heading in (("throughput", "Throughput"), ("metadata", "Metadata operations")):
        groups = grouped(sized.figures, kind, sized.terms.figure_names)
        yield Section(heading, (_rates(groups), *other_tests(sized, kind)) if groups else ())
    yield _by_threads(sized)
    yield _further(sized)
    yield _defaults(sized)
    if complete:
        yield _sources(sized)


def _box(sized: SizedPlan) -> Section:
    rows = [(f"{count:,}", item, use) for count, item, use in bill(sized.plan, sized.catalog)]
    rack = sized.figures.get(ids.RACK_UNITS)
    if rack:
        rows.append((value(rack), "Rack space", "servers, arrays, expansions and switches"))
    strong = frozenset({len(rows) - 1}) if rack else frozenset()
    return Section("In the box", (Table(_LINE, tuple(rows), strong=strong),))


def _details(sized: SizedPlan) -> Iterator[Section]:
    """Cables by kind, the parts of the servers and licences, then what is in no line."""
    plan, catalog = sized.plan, sized.catalog
    lines = (*cables(plan), *inside(plan, catalog), *licences(plan, catalog))
    rows = tuple((f"{count:,}", item, use) for count, item, use in lines)
    yield Section("Cables, and in the servers", (Table(_LINE, rows),) if rows else ())
    yield Section("Not in the box", (Items(not_included(sized.plan, sized.catalog)),))


_LINE = (Column("count", "right"), Column("item", wraps=True), Column("for", wraps=True))
_SIZES = (
    Column("step"),
    Column("TB", "right"),
    Column("TiB", "right"),
    Column("range in TB", "right"),
    Column("basis", style="basis"),
)


def _capacity(sized: SizedPlan) -> Section:
    steps = steps_of(sized)
    rows = tuple(
        (s.name if s.is_there else f"- {s.name}", *sizes(f, not s.is_there), ends(f), f.basis) for s, f in steps
    )
    strong = frozenset(i for i, (step, _) in enumerate(steps) if step.is_there)
    why = Items(tuple(f"{step.name}: {f.rule}" for step, f in steps))
    return Section("Capacity for data", (Table(_SIZES, rows, strong=strong, bars=bars(steps)), *_df(sized), why))


def _df(sized: SizedPlan) -> Iterator[str]:
    """The size that the command for free space shows on a client."""
    usable = [f for i, f in sized.figures.items() if i == ids.USABLE or i.endswith(f".{ids.USABLE}")]
    if ids.USABLE in sized.figures:
        size, low, high = (sum(ends) for ends in zip(*((f.value, f.low, f.high) for f in usable), strict=True))
        ends = f", between {both_bytes(low, 'down')} and {both_bytes(high, 'up')}" if low < high else ""
        what = " for all tiers together" if len(usable) > 1 else ""
        yield f"{sized.terms.df} should show {both_bytes(size)}{ends}{what}."


def _metadata(sized: SizedPlan) -> Section:
    names = (("as sold", ids.METADATA_RAW), ("usable", ids.METADATA_USABLE))
    known = [(name, sized.figures[i]) for name, i in names if i in sized.figures]
    rows = tuple((name, *sizes(f), ends(f), f.basis) for name, f in known)
    files = sized.figures.get(ids.FILES)
    file_limit: tuple[str, ...] = ()
    if files:
        first = f" (the {files.limited_by} run out first)" if files.limited_by else ""
        by_evidence = f"; {span(files)} by the evidence" if span(files) else ""
        file_limit = (f"Room for {value(files)} files{first}{by_evidence}.",)
    why = [(name, f.rule) for name, f in (*known, *((("files", files),) if files else ()))]
    rules = (Items(tuple(f"{name}: {rule}" for name, rule in why)),) if why else ()
    return Section("Capacity for metadata", (*((Table(_SIZES, rows),) if rows else ()), *file_limit, *rules))


def _added(sized: SizedPlan) -> Section:
    """The capacities of what is added to the system, whose figures have its name in front."""
    found = [(i, f) for i, f in sized.figures.items() if f".{_CAPACITY}" in i]
    names = [i.replace(_CAPACITY, "").replace(".", ", ") for i, _ in found]
    rows = tuple((name, *sizes(f), ends(f), f.basis) for name, (_, f) in zip(names, found, strict=True))
    why = Items(tuple(f"{name}: {f.rule}" for name, (_, f) in zip(names, found, strict=True)))
    return Section("Capacity beside the main tier", (Table(_SIZES, rows), why) if rows else ())


_CAPACITY = "capacity."


def _rates(groups: Mapping[str, list[tuple[str, Figure]]]) -> Table:
    """One table, so that the columns of all groups stand below each other."""
    rows: list[tuple[str, ...]] = []
    headings = set()
    for heading, figures in groups.items():
        headings.add(len(rows))
        rows.append((heading, "", "", "", ""))
        rows += [(name, value(f), span(f), f.basis, f.limited_by or "") for name, f in figures]
    columns: tuple[Column, ...] = (
        Column("rate"),
        Column("value", "right"),
        Column("range", "right"),
        Column("basis", style="basis"),
        Column("limited by", wraps=True),
    )
    if not any(row[-1] for row in rows):  # no rate has a known limit: no column for it
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    return Table(columns, tuple(rows), headings=frozenset(headings))


def _by_threads(sized: SizedPlan) -> Section:
    """What a few threads reach: each peak needs as many as its document names."""
    groups = by_threads(sized.figures)
    why = "What so many threads of all clients reach together. The peaks above need many threads."
    return Section("Rates by threads of the clients", (why, _rates(groups)) if groups else ())


_SHOWN = (_CAPACITY, f"{ids.THROUGHPUT}", f"{ids.METADATA}")


def _further(sized: SizedPlan) -> Section:
    """The figures that no other section has: numbers of volumes, what bounds the files, and the like."""
    own = {ids.FILES, ids.RACK_UNITS, *(step.figure for step, _ in steps_of(sized))}
    rest = {i: f for i, f in sized.figures.items() if i not in own and not any(f".{k}" in f".{i}" for k in _SHOWN)}
    rows = tuple((i, value(f), span(f), f.basis) for i, f in rest.items())
    columns = (Column("figure"), Column("value", "right"), Column("range", "right"), Column("basis", style="basis"))
    return Section("Further figures", (Table(columns, rows),) if rows else ())


def _findings(sized: SizedPlan) -> Section:
    """Every finding with its message."""
    items = (
        f"{f.severity} {f.code}: {f.message}" + (f" (accepted: {f.accepted})" if f.accepted else "")
        for f in sized.findings
    )
    return Section("Warnings and notes", (Items(tuple(items)),) if sized.findings else ())


def _sources(sized: SizedPlan) -> Section:
    """The documents behind the figures, and the places in them."""
    places: dict[str, dict[str, None]] = {}
    for figure in sized.figures.values():
        for source in (*figure.sources, *(r.source for r in figure.readings)):
            places.setdefault(source.document, {})[source.place] = None
    catalog = sized.catalog
    titles = {document: title(catalog, document) if document in catalog else document for document in places}
    items = tuple(f"{titles[document]}: {'; '.join(found)}" for document, found in sorted(places.items()))
    return Section("Sources", (Items(items),) if items else ())


def _defaults(sized: SizedPlan) -> Section:
    chosen = Items(tuple(f"{path}: {_plain(_at(sized.words, path))}" for path in sized.defaults))
    return Section("Left to defaults", (chosen,) if sized.defaults else ())


def _plain(chosen: object) -> str:
    """A chosen value as a request would have it."""
    if isinstance(chosen, list | tuple):
        return ", ".join(map(_plain, chosen))
    if isinstance(chosen, Mapping):
        return ", ".join(f"{word} {_plain(value)}" for word, value in chosen.items())
    if chosen is None:
        return "none"
    return str(chosen).lower() if isinstance(chosen, bool) else str(chosen)


def _at(value: object, path: str) -> object:
    """The value at a path such as `storage_modules[0].count`."""
    for part in path.replace("[", ".").replace("]", "").split("."):
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, list | tuple) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
    return value
