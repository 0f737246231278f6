"""What a quote says, as one frozen record: made once from plan, bill and findings, and read by every writer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from pixsize import __version__
from pixsize.catalog.records import Adapter
from pixsize.catalog.wording import Wording
from pixsize.estimate import ids
from pixsize.figures import Figure, Source
from pixsize.findings import Finding
from pixsize.report import bill_page
from pixsize.report.bill import title
from pixsize.report.doubts import other_tests
from pixsize.report.labels import said
from pixsize.report.names import names_of
from pixsize.report.overview import overview
from pixsize.report.priced_bill import Bill
from pixsize.report.promises import Promise, expected, low_end, promises
from pixsize.report.quote.racks import HEIGHT, Rack, racks
from pixsize.report.quote.topology import Topology, topology
from pixsize.report.sized_plan import SizedPlan
from pixsize.report.summary import warning_in_words
from pixsize.report.waterfall import bars, steps_of
from pixsize.texts import plural
from pixsize.units import binary_bytes


class Head(NamedTuple):
    """Whom a quote is for, its date and the last day on which it is valid (YYYY-MM-DD); empty where nobody says so."""

    customer: str = ""
    date: str = ""
    valid_until: str = ""


class Measure(NamedTuple):
    """A quantity of the pages for a customer.

    `low`, `value` and `high` are texts: what to plan with, what is expected and the most. `bar` has the three as shares
    of the longest bar beside it. `figure` is None where only a peak is known, whose text is then `value`.
    """

    name: str
    figure: Figure | None
    low: str
    value: str
    high: str
    basis: str
    bar: tuple[float, float, float] | None = None


class Step(NamedTuple):
    """A step of the capacity: what is there, or what is lost; its bar is what remains and what is lost, in shares."""

    name: str
    figure: Figure
    is_there: bool
    bar: tuple[float, float]


class Cited(NamedTuple):
    """A figure with the numbers of its sources in the list of sources, from 1."""

    figure: Figure
    sources: tuple[int, ...]


class Quote(NamedTuple):
    """Everything that a quote says. Texts are as their authors wrote them: each writer makes them harmless."""

    words: Wording
    head: Head
    name: str
    version: str
    digest: str
    system: tuple[tuple[str, str], ...]
    holds: tuple[Measure, ...]
    does: tuple[Measure, ...]
    unknown: tuple[str, ...]
    needs: tuple[tuple[str, str], ...]
    assumed: tuple[str, ...]
    left_out: tuple[str, ...]
    steps: tuple[Step, ...]
    figures: tuple[Cited, ...]
    sources: tuple[str, ...]
    bill: Bill
    racks: tuple[Rack, ...]
    topology: Topology
    findings: tuple[Finding, ...]


def quote(sized: SizedPlan, bill: Bill, words: Wording, head: Head, digest: str, rack: int | None) -> Quote:
    """The quote of an allowed plan. `digest` is that of the request, `rack` the units of a rack where given."""
    shown = promises(sized)
    known = tuple(p for p in shown if p.figure or p.peak)
    capacities = tuple(p for p in known if p.figure and p.figure.unit in ("B", "1"))
    rates = tuple(p for p in known if p not in capacities)
    places = _places(sized)
    steps = [(step, figure) for step, figure in steps_of(sized) if step.is_there or figure.value]
    return Quote(
        words,
        head,
        sized.plan.name,
        __version__,
        digest,
        tuple(_named(overview(sized, long=False))),
        tuple(_measures(capacities, words)),
        tuple(_measures(rates, words)),
        tuple(_name(p, words) for p in shown if p not in known),
        tuple(_needs(sized, bill, words, rack)),
        tuple(map(_sentence, (*words.lists["assumptions"], *_assumed(sized)))),
        tuple(map(_sentence, (*bill.not_included, *words.lists["not_included"]))),
        tuple(Step(s.name, f, s.is_there, bar) for (s, f), bar in zip(steps, bars(steps), strict=True)),
        tuple(Cited(f, tuple(dict.fromkeys(places[s] for s in _sources(f)))) for f in _told(sized)),
        tuple(_place(s, sized) for s in places),
        bill,
        racks(sized.plan, sized.catalog, rack or HEIGHT),
        topology(sized.plan, sized.catalog),
        tuple(f for f in sized.findings if f.code != NO_POWER or bill.totals.power_w is None),
    )


def _named(rows: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Rows with a name each: one that goes on with the row above is joined to it."""
    held: list[tuple[str, str]] = []
    for name, text in rows:
        if name or not held:
            held.append((_sentence(name), text))
        else:
            held[-1] = (held[-1][0], f"{held[-1][1]}; {text}")
    yield from held


def _sentence(text: str) -> str:
    """A text with a large letter in front."""
    return text[:1].upper() + text[1:]


# What it holds and does


def _measures(found: Sequence[Promise], words: Wording) -> Iterator[Measure]:
    """The quantities with their bars: those of rates of transfer are compared, every other is by itself."""
    most = max((p.figure.high for p in found if p.figure and p.figure.unit == "B/s"), default=0)
    for promise in found:
        figure = promise.figure
        if figure is None:
            peak = promise.peak
            if peak is not None:
                best = f"{expected(peak)} {words.label('best')}"
                name = _name(promise, words)
                yield Measure(name, None, words.label("unknown"), best, "", words(f"bases.{peak.basis}"))
            continue
        longest = (most if figure.unit == "B/s" else figure.high) or 1
        bar = (figure.low / longest, figure.value / longest, figure.high / longest)
        high = said(figure.high, figure.unit, 3, "up") if figure.low < figure.high else low_end(figure)
        basis = words(f"bases.{figure.basis}")
        yield Measure(_name(promise, words), figure, _twice(figure, "low"), _twice(figure, "value"), high, basis, bar)


def _twice(figure: Figure, which: str) -> str:
    """An end of a figure as people say it; a capacity in TB and TiB."""
    text = low_end(figure) if which == "low" else expected(figure)
    if figure.unit != "B":
        return text
    size = figure.low if which == "low" else figure.value
    towards = "down" if which == "low" or figure.low == figure.value else "nearest"
    digits = 0 if size >= 100 * 10**12 else 1 if size >= 10**13 else 2
    return f"{text} ({binary_bytes(size, digits, towards)})"  # type: ignore[arg-type]


def _name(promise: Promise, words: Wording) -> str:
    """What the template calls a quantity; else what the plan calls it."""
    return words.texts.get(f"quantities.{promise.id}") or _sentence(promise.name)


# What it needs


def _needs(sized: SizedPlan, bill: Bill, words: Wording, rack: int | None) -> Iterator[tuple[str, str]]:
    """Rack, power, weight and ports, as far as they are known."""
    given = dict(bill_page.overview(bill))
    height = rack or HEIGHT
    stand = racks(sized.plan, sized.catalog, height)
    yield (
        words.label("rack_space"),
        f"{bill.totals.rack_units:,} U: {plural(len(stand), 'rack')} of {stand[0].height} U",
    )
    yield words.label("power"), given.get("power") or words.note("power_unknown")
    if bill.totals.heat is not None:
        yield words.label("heat"), f"{bill.totals.heat:,} Btu/h"
    if "weight" in given:
        yield words.label("weight"), given["weight"]
    yield words.label("data_ports"), _data_ports(sized, bill, words)
    count = {network: sum(n.network == network for n in sized.plan.links) for network in ("outward", "power")}
    if count["outward"]:
        yield words.label("site_ports"), f"{count['outward']:,}"
    if count["power"]:
        yield words.label("feeds"), f"{count['power']:,}"
    if "lead time" in given:
        yield words.label("lead_time"), given["lead time"]


def _data_ports(sized: SizedPlan, bill: Bill, words: Wording) -> str:
    """The ports of the included switches; where these are the customer's, those that they have to have."""
    switches = {sized.catalog.id_of(s.model) for s in sized.plan.switches if s.role != "management"}
    said_of = [
        f"{p.ports:,} of {p.title}: {p.used:,} used, "
        f"{f'{p.kept:,} kept for clients, ' if p.kept else ''}{p.free:,} free"
        for p in bill.ports
        if p.item in switches and p.used is not None
    ]
    if said_of:
        return "; ".join(said_of)
    needed: dict[str, int] = {}
    for server in sized.plan.servers:
        for model, count in server.adapters:
            card = sized.catalog.get(Adapter, model)
            if card.use == "network":
                name = title(sized.catalog, model)
                needed[name] = needed.get(name, 0) + count * card.ports
    return "; ".join(f"{n:,} of {name} {words.note('customer_switches')}" for name, n in needed.items()) or "0"


NO_POWER = "PX407"
"""The note that no document gives the power draw, which a parts file may give."""

# What is assumed


def _assumed(sized: SizedPlan) -> Iterator[str]:
    """Rates that other tests contradict, and the warnings, each with its remedy: the appendix has whole messages."""
    for kind in ("throughput", "metadata"):
        yield from other_tests(sized, kind)
    names = names_of(sized.plan)
    warnings = (f for f in sized.findings if f.severity == "warning")
    yield from dict.fromkeys(warning_in_words(f, names, "Remedy") for f in warnings)


# Figures and sources


def _told(sized: SizedPlan) -> Iterator[Figure]:
    """The figures of the appendix: all but those by threads."""
    return (f for i, f in sized.figures.items() if not ids.is_by_threads(i))


def _sources(figure: Figure) -> Iterator[Source]:
    return iter((*figure.sources, *(r.source for r in figure.readings)))


def _places(sized: SizedPlan) -> dict[Source, int]:
    """Every place that a figure of the appendix cites, with its number."""
    found = dict.fromkeys(source for figure in _told(sized) for source in _sources(figure))
    return {source: number for number, source in enumerate(found, 1)}


def _place(source: Source, sized: SizedPlan) -> str:
    document = title(sized.catalog, source.document) if source.document in sized.catalog else source.document
    return f"{document}, {source.place}"


def price_of(bill: Bill, purpose: str) -> tuple[Decimal | None, bool]:
    """What the parts of a purpose cost together, None where none has a price; and whether some part has none."""
    parts = bill.of(purpose)
    known = [r.price for r in parts if r.price is not None]
    return (sum(known, Decimal(0)) if known else None), len(known) < len(parts)
