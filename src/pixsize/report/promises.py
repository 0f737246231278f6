"""What a system may be promised to hold and to do: for each quantity the low end of its range, and its value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pixsize.estimate import ids
from pixsize.figures import Figure
from pixsize.report.doubts import doubtful, other_tests
from pixsize.report.labels import said, said_in_tib, said_span
from pixsize.report.sized_plan import SizedPlan
from pixsize.units import decimal_bytes, grouped

_WIDE = 2
"""A range is wide where its high end is more than so many times the low end."""
_SUSTAINED, _PEAK = (ids.DURATIONS[1], ids.DURATIONS[0])
_TRANSFERS = (
    (f"{ids.SEQUENTIAL}n_n.write", "write, one file per thread (N-N)"),
    (f"{ids.SEQUENTIAL}n_n.read", "read, one file per thread (N-N)"),
    (f"{ids.SEQUENTIAL}n_1.write", "write, one file for all (N-1)"),
    (f"{ids.SEQUENTIAL}n_1.read", "read, one file for all (N-1)"),
    (f"{ids.RANDOM}write", "random write, 4 KiB"),
    (f"{ids.RANDOM}read", "random read, 4 KiB"),
)
_FILES = {"empty": "empty files", "128b": "128-byte files", "3k": "3 KiB files", "4k": "4 KiB files"}
_BASES = {
    "exact": "counted",
    "measured": "on such a system",
    "specified": "the maker's number",
    "extrapolated": "scaled",
    "estimated": "not tested",
}
"""The basis of a figure in words."""


class Promise(NamedTuple):
    """A quantity: its name, its figure, None where nobody knows it, and its peak, where at least that is known.

    `id` is that of the figure; of a rate without the duration.
    """

    id: str
    name: str
    figure: Figure | None
    peak: Figure | None = None

    @property
    def is_wide(self) -> bool:
        """Whether the range is so wide that the value alone misleads."""
        return self.figure is not None and self.figure.high > _WIDE * self.figure.low

    def rows(self) -> Iterator[tuple[str, str, str, str]]:
        """Its name, the low end rounded down, the value, and the basis with a mark where the range is wide.

        A capacity has a second row in TiB.
        """
        figure = self.figure
        if figure is None:
            known = (f"{expected(self.peak)} peak", self.peak.basis) if self.peak else (_UNKNOWN, _NOTHING)
            yield self.name, _UNKNOWN, *known
            return
        yield self.name, low_end(figure), expected(figure), figure.basis + " !" * self.is_wide
        if figure.unit == "B":
            least = said_in_tib(figure.low, "down")
            yield "the same in TiB", least, said_in_tib(figure.value) if figure.low < figure.value else least, ""


_UNKNOWN, _NOTHING = "not known", "no data"


def low_end(figure: Figure) -> str:
    """What to plan with: the low end of the range, rounded down."""
    return said(figure.low, figure.unit, 2 if figure.low < figure.value else 3, "down")


def expected(figure: Figure) -> str:
    """The value in round numbers; as the low end where there is no range."""
    return said(figure.value, figure.unit, 3) if figure.low < figure.value else low_end(figure)


def promises(sized: SizedPlan) -> tuple[Promise, ...]:
    """Capacity and files, then the sustained rates: those that everybody asks for, and those that are in doubt."""
    figures = sized.figures
    doubted = tuple(i.rpartition(".")[0] for i in doubtful(sized) if i.endswith(f".{_SUSTAINED}"))
    rates = dict((*_TRANSFERS, *_creates(figures), *((rate, _named(rate)) for rate in doubted)))
    return (
        Promise(ids.USABLE, "usable capacity", figures.get(ids.USABLE)),
        *(Promise(i, f"usable, {i.removesuffix(_OF_A_TIER)}", f) for i, f in figures.items() if i.endswith(_OF_A_TIER)),
        Promise(ids.FILES, "files", figures.get(ids.FILES)),
        *(_rate(figures, rate, name) for rate, name in rates.items()),
    )


_OF_A_TIER = f".{ids.USABLE}"


def _creates(figures: Mapping[str, Figure]) -> tuple[tuple[str, str], ...]:
    """The creation of files of each size that is known of the system; one row in any case."""
    rates = [f"{ids.METADATA}{size}.create" for size in ids.FILE_SIZES]
    known = [r for r in rates if f"{r}.{_SUSTAINED}" in figures or f"{r}.{_PEAK}" in figures]
    return tuple((rate, _named(rate)) for rate in known) or ((rates[0], "create files"),)


def _named(rate: str) -> str:
    """A rate without its duration as people say it: `read 4 KiB files`."""
    first, _, operation = rate.rpartition(".")
    size = first.rpartition(".")[2]
    return dict(_TRANSFERS).get(rate) or f"{operation} {_FILES.get(size, size)}"


def _rate(figures: Mapping[str, Figure], rate: str, name: str) -> Promise:
    return Promise(rate, name, figures.get(f"{rate}.{_SUSTAINED}"), figures.get(f"{rate}.{_PEAK}"))


def remarks(sized: SizedPlan, shown: tuple[Promise, ...], long: bool) -> Iterator[str]:
    """What a reader has to know of the promises: what each column means, and where to be careful.

    A long page names the readings of other tests below the tables of rates instead.
    """
    yield "Promise the first number only. Rates are sustained, of all clients together."
    yield from _smaller_volumes(sized)
    doubted = doubtful(sized)  # a line of their own says what to plan with
    wide = [f"{p.name} ({said_span(p.figure)})" for p in shown if p.figure and p.is_wide and p.figure.id not in doubted]
    if wide:
        yield f"! Wide range: {'; '.join(wide)}."
    yield from _ceilings(sized.figures) if sized.plan.additions and not long else ()
    yield from () if long else (line for kind in ("throughput", "metadata") for line in other_tests(sized, kind))
    if any(p.figure is None and p.peak for p in shown):
        yield "Peak: the best result, with the best number of threads; do not promise it."
    bases = {known.basis for p in shown if (known := p.figure or p.peak)}
    if bases:
        yield "; ".join(f"{basis}: {words}" for basis, words in _BASES.items() if basis in bases).capitalize() + "."


def _ceilings(figures: Mapping[str, Figure]) -> Iterator[str]:
    """What binds a system with parts beside the arrays: what sets the sequential rates, and what links carry of those
    that nobody measured.
    """
    links = {i: f for i, f in figures.items() if ids.FABRIC in i}
    if links:
        rates = (f for i, f in figures.items() if i.startswith(ids.SEQUENTIAL) and i.endswith(f".{_SUSTAINED}"))
        sets = dict.fromkeys(f.limited_by for f in rates if f.limited_by)
        named = (i.replace(ids.FABRIC, "").replace(".", ", ") for i in links)
        carried = "; ".join(f"{name} {said(f.value, f.unit, 3)}" for name, f in zip(named, links.values(), strict=True))
        told = f"Sequential rates are set by the {' and the '.join(sets)}. " if sets else ""
        yield f"{told}Links carry at the most: {carried}."


def _smaller_volumes(sized: SizedPlan) -> Iterator[str]:
    """How much smaller than their groups the rendered files make the volumes for data, where no array has reported
    these.
    """
    groups = {g.id: g.bytes for g in sized.plan.disk_groups if g.purpose == "data" and g.reported_bytes is None}
    made, nominal = sum(v.bytes for v in sized.plan.volumes if v.backing in groups), sum(groups.values())
    if made >= nominal:
        return
    below = 100 * (1 - made / nominal)
    size = decimal_bytes(made, 0 if made >= 100 * 10**12 else 2, "down")
    yield f"Volumes by `render`: {size}, {grouped(below, 1)} % under full size until expanded."
