"""A plan, its figures and findings as a page for people who quote or build the system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pixsize import units
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.measurements import Measurement
from pixsize.estimate import ids
from pixsize.estimate.evidence import far_below
from pixsize.figures import Figure
from pixsize.report.bill import bill, title
from pixsize.report.document import Column, Items, Page, Section, Table
from pixsize.report.findings import summary
from pixsize.report.labels import by_threads, grouped, label, span, value
from pixsize.report.overview import overview
from pixsize.report.sized_plan import SizedPlan
from pixsize.units import both_bytes


def page(sized: SizedPlan, complete: bool = False, findings_follow: bool = False, long: bool = False) -> Page:
    """The report. A complete one also lists the findings and the sources; otherwise they are counted. A long one has
    the rates by threads of the clients as well.

    With `findings_follow` the findings are printed after the report: it does not name the command that shows them.
    """
    kinds = (("throughput", "Throughput"), ("metadata", "Metadata operations"))
    grouped_rates = ((kind, heading, grouped(sized.figures, kind, sized.terms.figure_names)) for kind, heading in kinds)
    rates = (
        Section(heading, (_rates(groups), *_other_tests(sized, kind)) if groups else ())
        for kind, heading, groups in grouped_rates
    )
    parts = [
        _box(sized),
        _capacity(sized),
        _metadata(sized),
        _added(sized),
        *rates,
        *([_by_threads(sized)] if long else []),
    ]
    parts.append(_defaults(sized))
    parts += [_findings(sized, complete, findings_follow), *([_sources(sized)] if complete else [])]
    return Page(sized.plan.name, tuple(overview(sized)), tuple(p for p in parts if p.blocks))


def _box(sized: SizedPlan) -> Section:
    rows = [(f"{count:,}", item, use) for count, item, use in bill(sized.plan, sized.catalog)]
    rack = sized.figures.get(ids.RACK_UNITS)
    if rack:
        rows.append((value(rack), "Rack space", "servers, arrays, expansions and switches"))
    columns = (Column("count", "right"), Column("item", wraps=True), Column("for", wraps=True))
    strong = frozenset({len(rows) - 1}) if rack else frozenset()
    return Section("In the box", (Table(columns, tuple(rows), strong=strong),))


_SIZES = (
    Column("step"),
    Column("TB", "right"),
    Column("TiB", "right"),
    Column("basis", style="basis"),
)


def _capacity(sized: SizedPlan) -> Section:
    terms = sized.terms
    named = (s._replace(name=terms.figure_names.get(s.figure, s.name)) for s in ids.steps(terms.volumes_figure))
    steps = [(s, sized.figures[s.figure]) for s in named if s.figure in sized.figures]
    rows = tuple((s.name if s.is_there else f"- {s.name}", *_sizes(f, not s.is_there), f.basis) for s, f in steps)
    strong = frozenset(i for i, (step, _) in enumerate(steps) if step.is_there)
    why = Items(tuple(f"{step.name}: {f.rule}" for step, f in steps))
    return Section("Capacity for data", (Table(_SIZES, rows, strong=strong, bars=_bars(steps)), *_df(sized), why))


def _df(sized: SizedPlan) -> Iterator[str]:
    """The size that the command for free space shows on a client."""
    usable = [f for i, f in sized.figures.items() if i == ids.USABLE or i.endswith(f".{ids.USABLE}")]
    if ids.USABLE in sized.figures:
        size, low, high = (sum(ends) for ends in zip(*((f.value, f.low, f.high) for f in usable), strict=True))
        ends = f", between {both_bytes(low, 'down')} and {both_bytes(high, 'up')}" if low < high else ""
        what = " for all tiers together" if len(usable) > 1 else ""
        yield f"{sized.terms.df} should show {both_bytes(size)}{ends}{what}."


def _sizes(figure: Figure, lost: bool = False) -> tuple[str, str]:
    """TB and TiB without their units, which the column heads say; a loss has a minus."""
    mark = "-" if lost and figure.value else ""
    return mark + units.grouped(figure.value / 10**12, 2), mark + units.grouped(figure.value / 2**40, 2)


def _bars(steps: Sequence[tuple[ids.Step, Figure]]) -> tuple[tuple[float, float], ...]:
    """For each step what remains after it, and what it takes away, as shares of the largest."""
    whole = max((f.value for _, f in steps), default=0) or 1
    left, bars = 0, []
    for step, figure in steps:
        left = figure.value if step.is_there else left - figure.value
        bars.append((left / whole, 0.0 if step.is_there else figure.value / whole))
    return tuple(bars)


def _metadata(sized: SizedPlan) -> Section:
    names = (("as sold", ids.METADATA_RAW), ("usable", ids.METADATA_USABLE))
    sizes = [(name, sized.figures[i]) for name, i in names if i in sized.figures]
    rows = tuple((name, *_sizes(f), f.basis) for name, f in sizes)
    files = sized.figures.get(ids.FILES)
    file_limit: tuple[str, ...] = ()
    if files:
        first = f" (the {files.limited_by} run out first)" if files.limited_by else ""
        by_evidence = f"; {span(files)} by the evidence" if span(files) else ""
        file_limit = (f"Room for {value(files)} files{first}{by_evidence}.",)
    why = [(name, f.rule) for name, f in (*sizes, *((("files", files),) if files else ()))]
    rules = (Items(tuple(f"{name}: {rule}" for name, rule in why)),) if why else ()
    return Section("Capacity for metadata", (*((Table(_SIZES, rows),) if rows else ()), *file_limit, *rules))


def _added(sized: SizedPlan) -> Section:
    """The capacities of what is added to the system, whose figures have its name in front."""
    found = [(i, f) for i, f in sized.figures.items() if f".{_CAPACITY}" in i]
    names = [i.replace(_CAPACITY, "").replace(".", ", ") for i, _ in found]
    rows = tuple((name, *_sizes(f), f.basis) for name, (_, f) in zip(names, found, strict=True))
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


def _other_tests(sized: SizedPlan, kind: str) -> Iterator[str]:
    """A line for each reading far below the rate that a figure rests on: only the low end can be counted on.

    Such a reading bounds the rate, and is less than half of it. Figures with the same reading share a line.
    """
    tests: dict[tuple[str, str, str], list[str]] = {}
    for figure_id, figure in sized.figures.items():
        for record in (_measurement(i, sized.catalog) for i in figure.inputs if figure_id.startswith(f"{kind}.")):
            if record is None or record.figure != figure_id:
                continue
            printed = next(r.value for r in record.readings if r.used)
            name, _, duration = figure_id.removeprefix(f"{kind}.").rpartition(".")
            for other in far_below(record):
                tests.setdefault((label(name), other.value, other.why), []).append(f"{printed} ({label(duration)})")
    for (name, rate, why), rates in tests.items():
        yield f"{name}: count on the low end. Measured: {', '.join(rates)}; in another test {rate}. {why}"


def _measurement(record_id: str, catalog: Catalog) -> Measurement | None:
    """The measurement with this id; None where the id is that of a figure or of another kind of record."""
    is_one = record_id in catalog and catalog.raw[catalog.id_of(record_id)]["kind"] == "measurement"
    return catalog.get(Measurement, record_id) if is_one else None


def _by_threads(sized: SizedPlan) -> Section:
    """What a few threads reach: each peak needs as many as its document names."""
    groups = by_threads(sized.figures)
    why = "What so many threads of all clients reach together. The peaks above need many threads."
    return Section("Rates by threads of the clients", (why, _rates(groups)) if groups else ())


def _findings(sized: SizedPlan, complete: bool, findings_follow: bool) -> Section:
    """The findings, or how many there are, and where they are: behind the report, or with `pixsize check`."""
    if not complete:
        where = ":" if findings_follow else "; `pixsize check` shows them."
        return Section("Findings", (f"{summary(sized.findings)}{where}",) if sized.findings else ())
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
