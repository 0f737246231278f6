"""The steps of the capacity for data, as rows and bars of a table."""

from __future__ import annotations

from collections.abc import Sequence

from pixsize import units
from pixsize.estimate import ids
from pixsize.figures import Figure
from pixsize.report.sized_plan import SizedPlan

Steps = Sequence[tuple[ids.Step, Figure]]


def steps_of(sized: SizedPlan) -> list[tuple[ids.Step, Figure]]:
    """The steps that the plan has figures of, with the names that its file system gives them."""
    terms = sized.terms
    named = (s._replace(name=terms.figure_names.get(s.figure, s.name)) for s in ids.steps(terms.volumes_figure))
    return [(s, sized.figures[s.figure]) for s in named if s.figure in sized.figures]


def sizes(figure: Figure, lost: bool = False) -> tuple[str, str]:
    """TB and TiB without their units, which the column heads say; a loss has a minus."""
    mark = "-" if lost and figure.value else ""
    return mark + units.grouped(figure.value / 10**12, 2), mark + units.grouped(figure.value / 2**40, 2)


def bars(steps: Steps) -> tuple[tuple[float, float], ...]:
    """For each step what remains after it, and what it takes away, as shares of the largest."""
    whole = max((f.value for _, f in steps), default=0) or 1
    left, drawn = 0, []
    for step, figure in steps:
        left = figure.value if step.is_there else left - figure.value
        drawn.append((left / whole, 0.0 if step.is_there else figure.value / whole))
    return tuple(drawn)


def ends(figure: Figure) -> str:
    """Both ends of a size in TB, rounded outwards; nothing where there is no range."""
    if figure.low == figure.high:
        return ""
    low, high = units.rounded(figure.low, 10**12, 2, "down"), units.rounded(figure.high, 10**12, 2, "up")
    return f"{units.grouped(low, 2)} to {units.grouped(high, 2)}"
