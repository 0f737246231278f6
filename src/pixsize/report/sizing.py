"""The answer to requirements: as JSON, as a page, and the request with comments that say why it is the best."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pixsize import units
from pixsize.catalog.prices import digits_of
from pixsize.estimate import ids
from pixsize.figures import Figure
from pixsize.report.document import Column, Items, Page, Section, Table
from pixsize.report.labels import span
from pixsize.size.answer import SHOWN
from pixsize.size.objective import Cost, Objective
from pixsize.size.requirements import PORTS, PRICE, RACKS, WORDS, Requirement
from pixsize.texts import plural

if TYPE_CHECKING:
    from pixsize.proposals import Answer, Proposal
    from pixsize.size.answer import Lost

SCHEMA = "pixsize.size/1"
_UNITS = {"capacity": "B", "rate": "B/s", "operations": "op/s", "power": "W", "length": "U"}
_CRITERIA = {"rack_units": "rack units", "drives": "drives"}
_FREE = "A part without a price counts as free, in this system and in all others above; their true prices are higher."
_HEADS = {ids.USABLE: "usable", SHOWN[1]: "write, sustained", SHOWN[2]: "read, sustained"}


# --- JSON ----------------------------------------------------------------------------------------------------------


def document(answer: Answer) -> dict[str, Any]:
    """The answer as JSON has it."""
    objective = answer.objective
    found: dict[str, Any] = {
        "schema": SCHEMA,
        **({"currency": objective.currency} if objective.currency else {}),
        "requirements": {**answer.requirements.words, "confidence": answer.requirements.end},
        "best": answer.best and _proposal(answer.best, answer),
        "alternatives": [{"what": p.name, **_proposal(p, answer)} for p in answer.alternatives],
        "rejected": [*_designs(answer), *(_lost(each, objective) for each in answer.rejected)],
        "pareto": [
            {"what": p.what, "cost": objective.shown(p.cost), "figures": _figures(p.figures)} for p in answer.pareto
        ],
        "certificate": _certificate(answer),
    }
    if answer.best is None:
        found["clash"] = [
            {"requirement": c.requirement.word, "need": _number(c.requirement.need), "reaches": _reached(c.reaches)}
            for c in answer.clash
        ]
        found["limits"] = list(answer.limits)
        several = answer.several
        found["several"] = several and {"systems": several[0], "each": _proposal(several[1], answer)}
    return found


def _proposal(proposal: Proposal, answer: Answer) -> dict[str, Any]:
    objective = answer.objective
    return {
        "request": proposal.request,
        "cost": objective.shown(proposal.cost),
        "figures": _figures(proposal.figures),
        "findings": [{"code": f.code, "severity": f.severity, "message": f.message} for f in proposal.findings],
        "unpriced": list(proposal.unpriced),
    }


def _figures(figures: Mapping[str, Figure]) -> dict[str, Any]:
    shown = ("capacity.", "files.", ids.THROUGHPUT, ids.METADATA, "hardware.", RACKS, PORTS, PRICE)
    return {
        i: {"value": f.value, "low": f.low, "high": f.high, "unit": f.unit, "basis": f.basis}
        for i, f in figures.items()
        if i.startswith(shown) and not ids.is_by_threads(i)
    }


def _designs(answer: Answer) -> Iterator[dict[str, Any]]:
    best = answer.best and answer.best.request["design"]
    for design in (d for d in answer.designs if d.id != best):
        cost = design.cost and answer.objective.shown(design.cost)
        yield {"what": f"design {design.id}", "bound": cost, "short_by": _why(design.why, cost is not None)}


def _why(why: str, has_cost: bool) -> str:
    return why or ("its best system costs no less" if has_cost else "no system of it meets the requirements")


def _lost(each: Lost, objective: Objective) -> dict[str, Any]:
    return {"what": each.what, "bound": each.cost and objective.shown(each.cost), "short_by": short_by(each)}


def short_by(each: Lost) -> str:
    """What a kind misses, and by how much; empty where it misses nothing and costs more or as much."""
    if each.missed is None:
        return "" if each.reaches is None and each.cost else "one module costs more than the best system"
    if each.reaches is None:
        return f"{each.missed.word}: no evidence"
    return f"{each.missed.word}: {_end(each.missed, each.reaches)} of {asked(each.missed)}"


def _end(requirement: Requirement, figure: Figure) -> str:
    return _shown(Fraction(requirement.end_of(figure)), requirement)


def _reached(figure: Figure | None) -> dict[str, Any] | None:
    return (
        None if figure is None else {"value": figure.value, "low": figure.low, "high": figure.high, "unit": figure.unit}
    )


def _certificate(answer: Answer) -> dict[str, Any]:
    objective, found = answer.objective, answer.certificate
    return {
        "objective": list(found.objective),
        "cost": found.cost and objective.shown(found.cost),
        "bound": found.bound and objective.shown(found.bound),
        "nodes": found.nodes,
        "pruned": found.pruned,
        "optimal": found.optimal,
    }


def _number(number: Fraction) -> int | float:
    return int(number) if number.denominator == 1 else float(number)


# --- text ----------------------------------------------------------------------------------------------------------


def asked(requirement: Requirement) -> str:
    """What a requirement asks for, with its unit."""
    return _shown(requirement.need, requirement)


def _shown(number: Fraction, requirement: Requirement) -> str:
    unit = _UNITS.get(WORDS[requirement.word].dimension)
    return units.show(round(number), unit) if unit else f"{round(number):,}"


def modules(request: Mapping[str, Any]) -> str:
    """The modules of a request in words: `3 x Large, 12 TB; 1 x Medium with expansion, 16 TB`."""
    each: Iterator[str] = (
        f"{m['count']:,} x {m['size'].capitalize()}{' with expansion' if m.get('expansion') else ''}, {m['data_drive']}"
        for m in request.get("storage_modules", ())
    )
    if "servers" in request:
        each = iter((f"{request['servers']:,} servers with drives of {request['drive']}",))
    return "; ".join((*each, *_beside(request)))


def _beside(request: Mapping[str, Any]) -> Iterator[str]:
    hdmd, metadata = request.get("hdmd"), request.get("metadata")
    if hdmd:
        arrays = plural(hdmd["modules"] * hdmd["arrays"], "array")
        yield f"{plural(hdmd['modules'], 'HDMD module')} with {arrays} of {hdmd['drive']} SSDs"
    if metadata and "drive" in metadata:
        dne = "" if metadata["dne"] else ", one MDT each"
        yield f"{plural(metadata['pairs'], 'pair')} of MDS, {metadata['drive']} SSDs{dne}"


def cost_in_words(cost: Cost, objective: Objective, unpriced: Sequence[str] = ()) -> str:
    """A cost as one says it: `52 rack units, 588 drives`, or `EUR 10,500.00, 52 rack units, 588 drives`.

    The price is `at least` that where the parts `unpriced` are not in it.
    """
    return ", ".join(_each_in_words(cost, objective, unpriced))


def _each_in_words(cost: Cost, objective: Objective, unpriced: Sequence[str]) -> Iterator[str]:
    """The cost by each criterion, the most important first."""
    least = "at least " if unpriced else ""
    for criterion, number in objective.shown(cost).items():
        said = _of_criterion(criterion, number, objective)
        yield f"{least}{objective.currency} {said}" if criterion == PRICE else f"{said} {_CRITERIA[criterion]}"


def _of_criterion(criterion: str, number: float, objective: Objective) -> str:
    return f"{number:,.{digits_of(objective.currency)}f}" if criterion == PRICE else f"{number:,}"


def page(answer: Answer) -> Page:
    """The answer as a page."""
    if answer.best is None:
        return _infeasible(answer)
    best, objective = answer.best, answer.objective
    overview = (
        ("design", best.request["design"]),
        ("system", modules(best.request)),
        ("cost", cost_in_words(best.cost, objective, best.unpriced)),
        ("proof", proof(answer)),
    )
    warnings = tuple(f"{f.code} {f.message}" for f in best.findings if f.severity == "warning")
    named = (
        ("What was asked, and what it reaches", (_met(answer, best),)),
        ("Warnings of its plan", (Items(warnings),) if warnings else ()),
        ("What else would do", (_alternatives(answer),) if answer.alternatives else ()),
        ("What cost buys", (_pareto(answer),) if answer.pareto else ()),
        ("What did not make it", (_rejected(answer),)),
        ("Without a price", (_FREE, Items(best.unpriced)) if best.unpriced else ()),
    )
    sections = tuple(Section(title, blocks) for title, blocks in named if blocks)
    return Page("The best system", overview, sections)


def proof(answer: Answer) -> str:
    """What the certificate says, in one sentence."""
    found = answer.certificate
    ended = sum(found.pruned.values())
    done = f"{found.nodes:,} branches looked at, {ended:,} ended by a bound or a rule"
    if answer.best is None:
        return f"no system meets all of them; {done}"
    among = "cheapest among what is priced: " if answer.best.unpriced else ""
    if not found.optimal and found.bound is not None:
        return f"given up: no system costs less than {cost_in_words(found.bound, answer.objective)}; {done}"
    return f"{among}no system costs less; {done}"


def _met(answer: Answer, proposal: Proposal) -> Table:
    columns = (
        Column("requirement"),
        Column("asked", "right"),
        Column("plan with", "right"),
        Column("range", wraps=True),
    )
    rows = []
    for r in answer.requirements.all:
        figure = proposal.figures[r.figure]
        most = "" if r.at_least else "at most "
        rows.append((_name(r), f"{most}{asked(r)}", _reached_by(proposal, r), span(figure)))
    return Table(columns, tuple(rows))


def _reached_by(proposal: Proposal, requirement: Requirement) -> str:
    """What a proposal reaches of a requirement; a price is `at least` that where parts of it have none."""
    least = "at least " if requirement.figure == PRICE and proposal.unpriced else ""
    return f"{least}{_end(requirement, proposal.figures[requirement.figure])}"


def _name(requirement: Requirement) -> str:
    peak = ", peak" if requirement.figure.endswith(".peak") else ""
    return f"{requirement.word.replace('_', ' ')}{peak}"


def _alternatives(answer: Answer) -> Table:
    columns = (Column("what"), Column("system", wraps=True), Column("cost", wraps=True))
    objective = answer.objective
    rows = ((p.name, modules(p.request), cost_in_words(p.cost, objective, p.unpriced)) for p in answer.alternatives)
    return Table(columns, tuple(rows))


def _pareto(answer: Answer) -> Table:
    """What the first criterion of the cost buys; JSON has the others."""
    objective = answer.objective
    first = objective.criteria[0]
    least = ", at least" if first == PRICE and _unpriced(answer) else ""
    columns = (
        Column("system", wraps=True),
        Column(f"{_CRITERIA.get(first, objective.currency)}{least}", "right"),
        *(Column(_HEADS[i], "right") for i in SHOWN),
    )
    rows = (
        (
            p.what,
            _of_criterion(first, objective.shown(p.cost)[first], objective),
            *(_low(p.figures.get(i)) for i in SHOWN),
        )
        for p in answer.pareto
    )
    return Table(columns, tuple(rows))


def _unpriced(answer: Answer) -> tuple[str, ...]:
    """The parts of the best system without a price: what other systems cost is no whole price either."""
    return answer.best.unpriced if answer.best else ()


def _low(figure: Figure | None) -> str:
    return "-" if figure is None else units.rough(figure.low, figure.unit, 3, "down")


def _rejected(answer: Answer) -> Table:
    columns = (Column("what", wraps=True), Column("alone it costs"), Column("for the cost of the best", wraps=True))
    objective, bare = answer.objective, _unpriced(answer)
    best = answer.best and answer.best.request["design"]
    rows = [
        (f"design {d.id}", next(_each_in_words(d.cost, objective, bare)) if d.cost else "-", _why(d.why, bool(d.cost)))
        for d in answer.designs
        if d.id != best
    ]
    for each in answer.rejected:
        cost = next(_each_in_words(each.cost, objective, bare)) if each.cost else "never meets all"
        rows.append((each.what, cost, short_by(each) or "meets all, and costs as much or more"))
    return Table(columns, tuple(rows))


def _infeasible(answer: Answer) -> Page:
    columns = (Column("requirement"), Column("asked", "right"), Column("alone it reaches", "right"))
    rows = tuple(
        (
            _name(c.requirement),
            f"{'' if c.requirement.at_least else 'at most '}{asked(c.requirement)}",
            _end(c.requirement, c.reaches) if c.reaches else "no evidence",
        )
        for c in answer.clash
    )
    sections = [Section("What clashes", (Table(columns, rows),))]
    if answer.several:
        number, each = answer.several
        text = (
            f"{number} file systems of {modules(each.request)} each: "
            f"{cost_in_words(each.cost, answer.objective, each.unpriced)} each."
        )
        sections.append(Section("What would do", (text,)))
    sections.append(Section("Limits", (Items(answer.limits),)))
    return Page("No system meets the requirements", (("proof", proof(answer)),), tuple(sections))


def request(answer: Answer, proposal: Proposal) -> str:
    """The request of a proposal as YAML, with comments that say what it is for and why it is the best."""
    from pixsize.report.serialize import block_yaml

    lines = ["Proposed by pixsize size.", *_reasons(answer, proposal)]
    return "".join(f"# {line}\n" for line in lines) + block_yaml(proposal.request)


def _reasons(answer: Answer, proposal: Proposal) -> Iterable[str]:
    for r in answer.requirements.all:
        yield f"{_name(r)}: {'at least' if r.at_least else 'at most'} {asked(r)}; plan with {_reached_by(proposal, r)}"
    yield f"Cost: {cost_in_words(proposal.cost, answer.objective, proposal.unpriced)}; {proof(answer)}."
    yield from _others(answer.alternatives, answer.objective)


def _others(alternatives: Sequence[Proposal], objective: Objective) -> Iterator[str]:
    for p in alternatives:
        yield f"{p.name}: {modules(p.request)} ({cost_in_words(p.cost, objective, p.unpriced)})"
