"""A rate under a link that cannot carry more."""

from __future__ import annotations

from fractions import Fraction

from pixsize import units
from pixsize.estimate.ceilings import Ceiling
from pixsize.estimate.evidence import Spread
from pixsize.estimate.modules import Rate
from pixsize.estimate.ranges import Range
from pixsize.figures import weakest


def capped(rate: Rate, ceiling: Ceiling, spread: Spread) -> Rate:
    """The rate under a further link of the chain, which sets it where it carries no more than the value.

    Nobody measured that a link reaches its line rate: the low end stays below that by the ratio of the spread.
    """
    least = ceiling.rate / (1 + spread.share) if ceiling.least is None else ceiling.least
    bounds = rate.range.under(Range(least, ceiling.rate, ceiling.most))
    if bounds == rate.range or (ceiling.least is None and ceiling.rate >= rate.range.high):
        return rate
    if ceiling.least is None:
        said = f"no more than {_show(ceiling.rate)}; the lower end stays below that by {spread.text()}"
    else:
        said = f"{_show(ceiling.rate)}, {_show(ceiling.least)} at the least and {_show(ceiling.most)} at the most"
    limit = ceiling.name if ceiling.rate <= rate.range.value else rate.limit
    return rate._replace(
        range=bounds,
        basis=weakest((rate.basis, ceiling.basis)),
        rule=f"{rate.rule} The {ceiling.name} carry {said}.",
        limit=limit,
        inputs=(*rate.inputs, *ceiling.guesses),
    )


def _show(rate: Fraction) -> str:
    return units.show(round(rate), "B/s")
