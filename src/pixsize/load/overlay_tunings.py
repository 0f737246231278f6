"""What tunings of an overlay must keep beside the others: an order in which they can be made, and one value each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.tunings import Tuning
from pixsize.findings import Finding
from pixsize.load.positions import quoted
from pixsize.load.record_files import Entry


def of_tunings(kept: Sequence[Entry], catalog: Catalog) -> Iterator[Finding]:
    """PX203 for tunings that wait for each other, and for two that set one parameter in one place."""
    mine = {entry.id: entry for entry in kept}
    if any(entry.words["kind"] == "tuning" for entry in kept):
        yield from _circle(mine, catalog)
        yield from _twice(mine, catalog)


def _circle(mine: dict[str, Entry], catalog: Catalog) -> Iterator[Finding]:
    """The first circle of `after`: none of its tunings could ever be made. Shipped ones alone have none."""
    graph = {t.id: [catalog.id_of(earlier) for earlier in t.after] for t in catalog.all(Tuning)}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1][:-1]
        entry = next(mine[i] for i in sorted(circle) if i in mine)
        others = [i for i in circle if i != entry.id]
        named = ", ".join(others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else "")
        message = f"waits for {named}, which in the end waits for it" if others else "waits for itself"
        yield entry.finding("PX203", "after", message, "Take a tuning out of after.")


def _twice(mine: dict[str, Entry], catalog: Catalog) -> Iterator[Finding]:
    """Which of two values holds would depend on their ids."""
    set_by: dict[tuple[str, str, str, bool], str] = {}
    for tuning in sorted(catalog.all(Tuning), key=lambda t: (t.id in mine, t.id)):
        design = catalog.id_of(tuning.design)
        own = (design, tuning.parameter)
        others = {p: set_by.setdefault((*own, p, tuning.benchmark_only), tuning.id) for p in tuning.set_on}
        for other in sorted({o for o in others.values() if o != tuning.id and tuning.id in mine}):
            places = " and ".join(place for place, o in others.items() if o == other)
            message = f"{other} sets {quoted(tuning.parameter)} on {places} too"
            hint = f"To replace that record, add: replaces: {other}"
            yield mine[tuning.id].finding("PX203", "parameter", message, hint)
