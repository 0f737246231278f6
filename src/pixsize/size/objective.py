"""What is made small: the price where prices are known, or else rack units, and then drives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Drive, Racked

CRITERIA = ("price", "rack_units", "drives")
"""What can be made small."""
Cost = tuple[int, ...]
"""The cost by each criterion of an objective; of two systems the first that differs decides."""


class Objective(NamedTuple):
    """The criteria, the most important first, and what each part costs by them.

    Prices are whole numbers of the `smallest` unit that any of them needs; parts without a price cost nothing.
    """

    criteria: tuple[str, ...]
    prices: Mapping[str, Fraction]
    smallest: int
    catalog: Catalog

    @classmethod
    def made(cls, catalog: Catalog, prices: Mapping[str, Fraction] | None, criteria: Sequence[str] = ()) -> Objective:
        """The objective: as it is asked for, or by price where prices are known, then rack units, then drives."""
        known = dict(prices or {})
        smallest = lcm(*(p.denominator for p in known.values()))
        asked = tuple(criteria) or (("price",) if known else ())
        return cls((*asked, *(c for c in CRITERIA[1:] if c not in asked)), known, smallest, catalog)

    def of(self, items: Mapping[str, int]) -> Cost:
        """What parts cost together."""
        return tuple(sum(n * self._each(c, i) for i, n in items.items()) for c in self.criteria)

    def _each(self, criterion: str, item: str) -> int:
        record = self.catalog.record(item)
        if criterion == "rack_units":
            return record.rack_units if isinstance(record, Racked) else 0
        if criterion == "drives":
            return int(isinstance(record, Drive))
        return int(self.prices.get(item, Fraction(0)) * self.smallest)

    def shown(self, cost: Cost) -> dict[str, int | float]:
        """A cost by the names of the criteria, prices in the currency."""
        return {
            c: float(Fraction(n, self.smallest)) if c == "price" else n
            for c, n in zip(self.criteria, cost, strict=True)
        }

    def unpriced(self, items: Mapping[str, int]) -> tuple[str, ...]:
        """The parts without a price, where price is a criterion."""
        return tuple(i for i in items if i not in self.prices) if "price" in self.criteria else ()
