"""What is made small: the price where prices are known, or else rack units, and then drives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, lcm

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Drive, Racked
from pixsize.figures import Figure, Source, exact
from pixsize.size.requirements import PRICE

CRITERIA = ("price", "rack_units", "drives")
"""What can be made small."""
Cost = tuple[int, ...]
"""The cost by each criterion of an objective; of two systems the first that differs decides."""


class Objective:
    """The criteria, the most important first, and what each part costs by them.

    Prices are those of one part in a currency. They are added as whole numbers of the `smallest` unit that any of them
    needs; parts without a price cost nothing.
    """

    def __init__(
        self, catalog: Catalog, criteria: Sequence[str], prices: Mapping[str, Fraction] | None, currency: str
    ) -> None:
        self.catalog = catalog
        self.criteria = tuple(criteria)
        self.prices = dict(prices or {})
        self.currency = currency
        self.smallest = lcm(*(p.denominator for p in self.prices.values()))
        self._each: dict[str, Cost] = {}

    @classmethod
    def made(
        cls,
        catalog: Catalog,
        prices: Mapping[str, Fraction] | None,
        criteria: Sequence[str] = (),
        currency: str = "",
    ) -> Objective:
        """The objective: as it is asked for, or by price where prices are known, then rack units, then drives.

        Where prices are known each system has one, so that it can be compared with the most that is to be paid.
        """
        first = tuple(criteria) or CRITERIA[: 1 if prices else 0]
        others = (c for c in (*CRITERIA[1:], *CRITERIA[: 1 if prices else 0]) if c not in first)
        return cls(catalog, (*first, *others), prices, currency)

    def first(self, criterion: str) -> Objective:
        """The same with another criterion as the most important one."""
        return self.made(self.catalog, self.prices, (criterion,), self.currency)

    def of(self, items: Mapping[str, int]) -> Cost:
        """What parts cost together."""
        each = [(n, self._of_one(item)) for item, n in items.items()]
        return tuple(sum(n * cost[place] for n, cost in each) for place in range(len(self.criteria)))

    def _of_one(self, item: str) -> Cost:
        """What one part costs by each criterion."""
        if item not in self._each:
            record = self.catalog.record(item) if item in self.catalog else None
            by_criterion = {
                "price": int(self.prices.get(item, Fraction(0)) * self.smallest),
                "rack_units": record.rack_units if isinstance(record, Racked) else 0,
                "drives": int(isinstance(record, Drive)),
            }
            self._each[item] = tuple(by_criterion[c] for c in self.criteria)
        return self._each[item]

    def price(self, cost: Cost) -> Figure | None:
        """The price of a cost in whole units of the currency, rounded up; None where no part has one."""
        if not self.prices:
            return None
        value = ceil(Fraction(cost[self.criteria.index("price")], self.smallest))
        return exact(PRICE, value, "", (Source("pixsize", "size"),), (), "1")

    def shown(self, cost: Cost) -> dict[str, int | float]:
        """A cost by the names of the criteria, prices in the currency."""
        return {
            c: float(Fraction(n, self.smallest)) if c == "price" else n
            for c, n in zip(self.criteria, cost, strict=True)
        }

    def unpriced(self, items: Mapping[str, int]) -> tuple[str, ...]:
        """The parts without a price, where some have one."""
        return tuple(i for i in items if i not in self.prices) if self.prices else ()
