"""The first lines of a report: the system and its most important figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from pixsize import units
from pixsize.estimate import ids
from pixsize.figures import Figure
from pixsize.product import PRODUCTS, volume_terms
from pixsize.report.bill import title
from pixsize.report.labels import span, value
from pixsize.report.names import nameless, names_of
from pixsize.report.sized_plan import SizedPlan, choices
from pixsize.texts import plural
from pixsize.units import both_bytes

_HEADLINES = (
    ("capacity", (("formatted", ids.FORMATTED), ("usable", ids.USABLE))),
    (
        "throughput",
        (("write", f"{ids.SEQUENTIAL}n_n.write.peak"), ("read", f"{ids.SEQUENTIAL}n_n.read.peak")),
    ),
)
HEADLINES = tuple(figure_id for _, wanted in _HEADLINES for _, figure_id in wanted)
"""The figures that stand in the first lines of a report, where a plan has them."""


def overview(sized: SizedPlan, long: bool = True) -> Iterator[tuple[str, str]]:
    """The system in a few lines: its modules; in a long report also what was chosen, and the most important figures."""
    plan, terms = sized.plan, sized.terms
    yield "design", title(sized.catalog, plan.design)
    yield "metadata", terms.variants[plan.variant]
    for number, line in enumerate((*_modules(sized), *_pools(sized))):
        yield "" if number else ("pool" if plan.pools else "modules"), line
    yield "file system", terms.described(plan)
    if long:
        yield from ((choice.what, f"{choice.value}: {choice.why}") for choice in choices(plan, terms))
        yield terms.counted(plan)
        yield from terms.managed(plan)
    yield from _additions(sized, long)
    yield from _headlines(sized.figures) if long else ()


def _additions(sized: SizedPlan, long: bool) -> Iterator[tuple[str, str]]:
    """What products add, a line each; the names of servers are left out of a short report."""
    for addition in sized.plan.additions:
        adds = PRODUCTS[addition.product].adds
        if adds is not None:
            about = adds.about(addition.own, sized.catalog)
            yield from ((word, text if long else nameless(text, names_of(sized.plan))) for word, text in about)


def _pools(sized: SizedPlan) -> Iterator[str]:
    for pool in sized.plan.pools:
        drives = f"{pool.drives:,} x {title(sized.catalog, pool.drive)}"
        sharing = volume_terms(sized.plan).sharing
        protected = f", {sharing.protected(pool)}" if sharing else ""
        yield f"{pool.id}: {drives} in {plural(len(pool.servers), 'server')}{protected}"


def _modules(sized: SizedPlan) -> Iterator[str]:
    """The modules, equal ones counted together."""
    arrays = {a.id: a for a in sized.plan.arrays}
    kinds: Counter[tuple[str, str]] = Counter()
    for m in sized.plan.modules:
        first = arrays[m.arrays[0]]
        boxes = [f"{len(m.arrays)} x {title(sized.catalog, e.model)}" for e in first.enclosures]
        drives = [title(sized.catalog, d) for d in (m.drive, m.metadata_drive) if d]
        kinds[sized.terms.modules.get(m.size, m.size), f"{' + '.join(boxes)}; {' and '.join(drives)}"] += 1
    for (name, inside), count in kinds.items():
        yield f"{count} x {name}: {inside}"


def _headlines(figures: Mapping[str, Figure]) -> Iterator[tuple[str, str]]:
    for name, wanted in _HEADLINES:
        known = [(word, figures[i]) for word, i in wanted if i in figures]
        if known:
            yield name, ", ".join(f"{_rough(f)} {word}{_range(f)}" for word, f in known)


def _rough(figure: Figure) -> str:
    """A value as people say it: with `about` where it is extrapolated or estimated, and rounded to the digits that are
    certain.
    """
    if figure.basis in ("exact", "measured"):
        return both_bytes(figure.value) if figure.unit == "B" else value(figure)
    if figure.unit != "B":
        return f"about {value(figure)}"
    digits = 0 if figure.value >= 100 * 10**12 else 1
    return f"about {units.decimal_bytes(figure.value, digits)} ({units.binary_bytes(figure.value, digits)})"


def _range(figure: Figure) -> str:
    """The range of a rate in brackets; that of a capacity stands below its table."""
    return f" ({span(figure)})" if figure.unit != "B" and span(figure) else ""
