"""From requirements to the best request, with its proof: searches all designs, then plans and checks what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pixsize.findings import Finding, Position, has_errors
from pixsize.workflow import Checked, Given, estimated, judged, silent

if TYPE_CHECKING:
    from pixsize.catalog.catalog import Catalog
    from pixsize.catalog.prices import PartsFile
    from pixsize.figures import Figure
    from pixsize.load.parts_loader import LoadedParts
    from pixsize.plan.records import Plan
    from pixsize.size.answer import Clash, Lost, Point
    from pixsize.size.objective import Cost, Objective
    from pixsize.size.parts import Bill
    from pixsize.size.requirements import Requirements, Restrictions
    from pixsize.size.search import Best, Certificate
    from pixsize.size.space import Space

# Rooms are imported where they are used, as in `workflow`.


class TellShare(Protocol):
    """Told the name of each stage when it begins, and how much of it is done, where that is known."""

    def __call__(self, stage: str, share: float | None = None, /) -> None:
        """The stage, and a share of one."""
        ...


def nobody(_stage: str, _share: float | None = None, /) -> None:
    """Tells nobody."""


SHOWN = "the proposed request"
"""Where findings about a proposed request say that they are."""


class Asked(NamedTuple):
    """What a command line asks: the path of requirements, words beside it, records over the catalog, a parts file."""

    file: str | None
    flags: Mapping[str, Any]
    catalog: Path | None = None
    parts: str | None = None


class Proposal(NamedTuple):
    """A proposed system: what it is for, its request, cost and figures, and what the rules find in its plan."""

    name: str
    request: Mapping[str, Any]
    cost: Cost
    figures: Mapping[str, Figure]
    findings: tuple[Finding, ...]
    unpriced: tuple[str, ...]


class Design(NamedTuple):
    """What came of the search in a design: its best cost, and why there is none."""

    id: str
    cost: Cost | None
    why: str


class Answer(NamedTuple):
    """All that is told; `best` is None where no system meets the requirements, and then there is a clash.

    `several` are how many equal file systems would do, and one of them.
    """

    requirements: Requirements
    objective: Objective
    certificate: Certificate
    best: Proposal | None
    alternatives: tuple[Proposal, ...]
    designs: tuple[Design, ...]
    rejected: tuple[Lost, ...]
    pareto: tuple[Point, ...]
    clash: tuple[Clash, ...]
    several: tuple[int, Proposal] | None
    limits: tuple[str, ...]


def size(asked: Asked, tell: TellShare = nobody) -> tuple[Answer | None, tuple[Finding, ...]]:
    """The best system for requirements; None, and why, where these are wrong."""
    from pixsize.load import load_catalog
    from pixsize.load.requirements import criteria_of, load_requirements
    from pixsize.size.objective import Objective
    from pixsize.size.requirements import PRICE

    tell("reading")
    records, found = load_catalog(asked.catalog)
    if has_errors(found):
        return None, found
    requirements, found = load_requirements(asked.file, asked.flags)
    parts, more = _parts(asked.parts, records)
    if requirements is None or has_errors(more):
        return None, (*found, *more)
    place = Position(asked.file or "the command line")
    criteria = criteria_of(requirements)
    if not parts.prices and (any(r.figure == PRICE for r in requirements.all) or PRICE in criteria):
        return None, (Finding("PX673", "price is asked about, and no part has one", PRICE, "", place),)
    objective = Objective.made(records, parts.prices, criteria, parts.currency)
    spaces, designs, wrong = _spaces(requirements.restrictions, records, parts)
    if wrong:
        return None, (wrong.at(place),)
    more = (*more, *_misfits(parts, spaces, records))
    if has_errors(more):
        return None, more
    answer = _Answering(requirements, objective, spaces, designs, records, tell).answer()
    return answer, (*more, *_unpriced(answer, place))


class _Parts(NamedTuple):
    """A parts file as the search needs it: as it was read, its words by the records, and the price of one of each."""

    loaded: LoadedParts | None
    words: PartsFile | None
    prices: Mapping[str, Fraction]

    @property
    def currency(self) -> str:
        return (self.words and self.words.currency) or ""

    @property
    def rack(self) -> int | None:
        return self.words.rack.units if self.words and self.words.rack else None


def _parts(path: str | None, records: Catalog) -> tuple[_Parts, tuple[Finding, ...]]:
    if path is None:
        return _Parts(None, None, {}), ()
    from pixsize.load.parts_loader import load_parts

    loaded, found = load_parts(path)
    if loaded is None:
        return _Parts(None, None, {}), found
    words = loaded.words.by_record(records)
    each = ((item, words.unit_price(part)) for item, part in words.parts.items())
    return _Parts(loaded, words, {item: Fraction(price) for item, price in each if price is not None}), found


def _misfits(parts: _Parts, spaces: Sequence[Space], records: Catalog) -> tuple[Finding, ...]:
    """What of a parts file fits the bill of no design. Any part of the catalog may be of use to a system."""
    from pixsize.catalog.records import Adapter, Drive, Racked
    from pixsize.load.parts_loader import Known, judge_parts
    from pixsize.report import bill

    if parts.loaded is None:
        return ()
    rows = [row for space in spaces for row in bill.rows(space.sample, records)]
    sold = {record.id for kind in (Racked, Drive, Adapter) for record in records.all(kind)}
    counted = sold | {r.item for r in rows if r.count is not None}
    return judge_parts(parts.loaded, Known(counted, {r.item for r in rows if r.count is None}), records)


def _unpriced(answer: Answer, place: Position) -> tuple[Finding, ...]:
    """PX674 for parts of the best system without a price."""
    from pixsize.load.partial_request import named

    items = answer.best.unpriced if answer.best else ()
    message = f"the cheapest among what is priced: no price for {named(items)}"
    return (Finding("PX674", message, position=place),) if items else ()


def bill_of(words: PartsFile | None, records: Catalog) -> Bill:
    """How the parts of plans are counted, with those that a parts file adds to a system."""
    from pixsize.report import bill
    from pixsize.report.priced_bill import priced
    from pixsize.size.parts import Bill

    def counted(plan: Plan) -> Counter[str]:
        found: Counter[str] = Counter()
        for row in bill.rows(plan, records):
            found[row.item] += row.count or 0
        return +found

    def once(plan: Plan) -> Counter[str]:
        rows = bill.rows(plan, records)
        ours = {row.item for row in rows if row.count is not None}
        return Counter({p.row.item: p.count for p in priced(rows, words) if p.count and p.row.item not in ours})

    return Bill(counted, once)


def _spaces(
    restrictions: Restrictions, records: Catalog, parts: _Parts
) -> tuple[tuple[Space, ...], tuple[Design, ...], Finding | None]:
    """The designs to search; those that are not, and why; a finding where nothing is left."""
    from pixsize.catalog.designs import ArrayDesign
    from pixsize.catalog.designs import Design as Described
    from pixsize.catalog.records import DESIGNS
    from pixsize.load.partial_request import named
    from pixsize.product import filesystem_of
    from pixsize.size.pool import PoolSpace
    from pixsize.size.space import RACK_HEIGHT, Space

    known = sorted((i for kind in DESIGNS for i in records.ids(kind)), reverse=True)
    unknown = [d for d in restrictions.designs if d not in known]
    if unknown:
        return (), (), Finding("PX672", f"no design {unknown[0]}; the catalog has {named(sorted(known))}", "design")
    planner, bill = _planner(records), bill_of(parts.words, records)
    spaces, others = [], []
    for name in (d for d in known if not restrictions.designs or d in restrictions.designs):
        design = records.get(Described, name)
        if filesystem_of(design).offers is None:
            others.append(Design(name, None, "not searched: its file system offers nothing to the search"))
            continue
        made = Space if isinstance(design, ArrayDesign) else PoolSpace
        space = made(design, records, restrictions, planner, bill, parts.rack or RACK_HEIGHT)
        if space.is_empty:
            others.append(
                Design(
                    name, None, "it has none of the sizes, drives, expansions and metadata arrays that are asked for"
                )
            )
        else:
            spaces.append(space)
    if not spaces:
        why = "; ".join(f"{d.id}: {d.why}" for d in others)
        return (), (), Finding("PX672", f"no design is left to search: {why}", "design")
    return tuple(spaces), tuple(others), None


def _planner(records: Catalog) -> Callable[[Mapping[str, Any]], Plan]:
    """Makes plans of words that the search puts together. A plan that cannot be made is a mistake of pixsize."""
    from pixsize.load import load_words
    from pixsize.observed import Observed
    from pixsize.plan.make import make_plan

    def plan(words: Mapping[str, Any]) -> Plan:
        loaded, found = load_words(words, SHOWN, records)
        made, more = make_plan(loaded.request, records, Observed()) if loaded else (None, ())
        if made is None:
            raise RuntimeError(f"the search made a request without a plan: {[f.message for f in (*found, *more)]}")
        return made

    return plan


class _Answering:
    """Makes the answer to one set of requirements."""

    def __init__(
        self,
        requirements: Requirements,
        objective: Objective,
        spaces: Sequence[Space],
        designs: Sequence[Design],
        records: Catalog,
        tell: TellShare,
    ) -> None:
        self._requirements, self._objective, self._spaces = requirements, objective, spaces
        self._designs, self._records, self._tell = designs, records, tell

    def answer(self) -> Answer:
        """All that is told."""
        from pixsize.size import answer as beside
        from pixsize.size.search import Search

        found: list[tuple[Space, Best | None]] = []
        certificates: list[Certificate] = []
        for place, space in enumerate(self._spaces):
            search = Search(self._requirements, self._objective, tell=self._telling(space.design.id, place))
            found.append((space, search.run([space])))
            certificates.append(search.certificate())
        best = min((b for _, b in found if b), key=lambda b: b.cost, default=None)
        designs = (*(Design(s.design.id, b and b.cost, "") for s, b in found), *self._designs)
        certificate = _joined(certificates)
        if best is None:
            return self._infeasible(designs, certificate)
        proposal = self._proposed("the best", best, self._requirements)
        self._tell("looking for others")
        others = beside.others(best, self._requirements, self._objective, best.space.restricted)
        made = tuple(self._proposed(name, other, self._requirements) for name, other in others)
        lost = tuple(beside.lost(best, self._requirements, self._objective))
        points = beside.pareto(best, self._objective)
        return Answer(
            self._requirements, self._objective, certificate, proposal, made, designs, lost, points, (), None, ()
        )

    def _infeasible(self, designs: Sequence[Design], certificate: Certificate) -> Answer:
        from pixsize.size import answer as beside

        self._tell("looking for what clashes")
        clash = beside.clash(self._spaces, self._requirements, self._objective)
        is_large = all(c.requirement.at_least and c.reaches for c in clash)
        some = beside.several(self._spaces, self._requirements, self._objective) if is_large else None
        shared = some and (some[0], self._proposed("one of several", some[1], self._requirements.shared(some[0])))
        limits = tuple(s.limit_in_words for s in self._spaces)
        return Answer(
            self._requirements,
            self._objective,
            certificate,
            None,
            (),
            tuple(designs),
            (),
            (),
            clash,
            shared or None,
            limits,
        )

    def _telling(self, design: str, place: int) -> Callable[[float], None]:
        """Tells how far the search is: the designs before, and of this one the share that is looked at."""

        shares = [0.0]

        def tell(share: float) -> None:
            shares[0] = max(shares[0], share)  # each rest begins anew, and a bar does not go back
            self._tell(f"searching {design}", (place + shares[0]) / len(self._spaces))

        return tell

    def _proposed(self, name: str, best: Best, requirements: Requirements) -> Proposal:
        """A system that was found, planned and checked like any request. One that misses a requirement is a bug."""
        from pixsize.load import load_words
        from pixsize.observed import Observed
        from pixsize.size.requirements import missed

        words = best.space.request(best.rest, best.kinds, best.counts)
        loaded, found = load_words(words, SHOWN, self._records)
        read = Checked((), None, loaded, self._records, Observed())
        done, figures = estimated(judged(read, found, Given(SHOWN), silent), silent, by_threads=False)
        if done.plan is None:
            raise RuntimeError(f"the proposed system has errors: {[f.message for f in done.findings]}")
        whole = {**best.figures, **figures}
        short = [r.word for r in missed(requirements, whole)]
        if short:
            raise RuntimeError(
                f"the plan of the proposed system misses {', '.join(short)}, which the search has it meet"
            )
        items = best.space.items(best.rest, best.kinds, best.counts)
        return Proposal(name, words, best.cost, whole, done.findings, self._objective.unpriced(items))


def _joined(certificates: Sequence[Certificate]) -> Certificate:
    """The certificate of the searches of all designs."""
    pruned: Counter[str] = Counter()
    for each in certificates:
        pruned.update(each.pruned)
    cost = min((c.cost for c in certificates if c.cost is not None), default=None)
    bound = min((c.bound for c in certificates if c.bound is not None), default=None)
    nodes, optimal = sum(c.nodes for c in certificates), all(c.optimal for c in certificates)
    return certificates[0]._replace(cost=cost, bound=bound, nodes=nodes, pruned=dict(pruned), optimal=optimal)
