"""The least cost of modules that must bring so much together: a linear relaxation, solved by a convex hull."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

Point = tuple[float, float]
"""What a module brings, and what it costs."""


class Hull:
    """The least average cost of modules, of any mix, that bring at least so much on average.

    Counts may be fractions here, so that it is a lower bound for whole modules.
    """

    def __init__(self, points: Iterable[Point]) -> None:
        corners: list[Point] = []
        for point in sorted(points, key=lambda p: (p[0], -p[1])):
            while corners and corners[-1][1] >= point[1]:
                corners.pop()
            while len(corners) > 1 and _is_above(corners[-2], corners[-1], point):
                corners.pop()
            corners.append(point)
        self._brings = [p[0] for p in corners]
        self._costs = [p[1] for p in corners]

    def least(self, average: float) -> float | None:
        """The least average cost; None where no mix brings so much."""
        place = bisect_left(self._brings, average)
        if place == 0:
            return self._costs[0]
        if place == len(self._brings):
            return None
        (few, less), (many, more) = ((self._brings[i], self._costs[i]) for i in (place - 1, place))
        return less + (more - less) * (average - few) / (many - few)

    @property
    def most(self) -> float:
        """What the module that brings most brings."""
        return self._brings[-1]


def _is_above(first: Point, middle: Point, last: Point) -> bool:
    """Whether the middle point lies on or above the line between the others: a mix of them is no dearer."""
    return (middle[1] - first[1]) * (last[0] - first[0]) >= (last[1] - first[1]) * (middle[0] - first[0])
