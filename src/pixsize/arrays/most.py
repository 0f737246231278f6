"""What a module brings at the most, for bounds on systems that nobody has planned yet."""

from __future__ import annotations

from fractions import Fraction

from pixsize.arrays.throughput import models_for
from pixsize.catalog.catalog import Catalog
from pixsize.estimate.evidence import evidence_for
from pixsize.estimate.ids import SEQUENTIAL
from pixsize.estimate.ranges import Range
from pixsize.estimate.rates import Most
from pixsize.estimate.spreads import AGAIN, family_of
from pixsize.estimate.system import Part, System
from pixsize.figures import Source


def most_of_module(
    system: System, part: Part, figure: str, catalog: Catalog, controllers_seen: tuple[Source, ...] = ()
) -> Most | None:
    """What one module of a part brings at the most, whatever the other modules and however many there are.

    Of systems that were measured as a whole it is the share of a module. None without evidence.
    """
    models, family = models_for(system, catalog, controllers_seen), family_of(figure, catalog)
    model = models.path if figure.startswith(SEQUENTIAL) else models.drives
    found = model.any_module(part, figure, family)
    evidence = evidence_for(catalog, system.design)
    whole = [m for m in (*evidence.measurements(figure), *evidence.widths(figure)) if part.kind in m.modules]
    again = family.step(AGAIN)
    ranges = [m.rate.range for m in found]
    ranges += [m.rate.after((again, *m.doubted)).times(Fraction(1, m.modules.total())) for m in whole]
    if not ranges:
        return None
    best = Range(*(max(ends) for ends in zip(*ranges, strict=True)))
    return Most(best, frozenset((1, *(m.seen for m in found))))
