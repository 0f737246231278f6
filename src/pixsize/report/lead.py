"""The first lines of a report: the system and the numbers that are asked for first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from pixsize import units
from pixsize.figures import Figure
from pixsize.plan.records import LustreFilesystem, Plan, ScaleFilesystem
from pixsize.report.bill import title
from pixsize.report.choices import choices
from pixsize.report.facts import Facts
from pixsize.report.labels import both, plural, value

_USES = {"descriptor": "the descriptor"}
_VARIANTS = {
    "hdmd": "high-demand (HDMD), on arrays of its own",
    "standard": "standard, on SSDs in the arrays of the data",
    "dne": "two MDTs a pair of servers (DNE), one active on each",
    "single": "one MDT a pair of servers, active/passive",
}
_MODULES = {"hdmd": "HDMD", "mds": "MDS pair"}
_HEADLINES = (
    ("capacity", (("formatted", "capacity.formatted"), ("usable", "capacity.usable"))),
    (
        "throughput",
        (("write", "throughput.sequential.n_n.write.peak"), ("read", "throughput.sequential.n_n.read.peak")),
    ),
)
HEADLINES = tuple(figure_id for _, wanted in _HEADLINES for _, figure_id in wanted)
"""The figures that stand in the first lines of a report, where a plan has them."""


def lead(facts: Facts) -> Iterator[tuple[str, str]]:
    """The system in a few lines: what it is made of, and the numbers that are asked for first."""
    plan = facts.plan
    yield "design", title(facts.catalog, plan.design)
    yield "metadata", _VARIANTS[plan.variant]
    for number, line in enumerate((*_modules(facts), *_pools(facts))):
        yield "" if number else ("pool" if plan.pools else "modules"), line
    yield "file system", _filesystem(plan.filesystem)
    for choice in choices(plan):
        yield choice.what, f"{choice.value}: {choice.why}"
    yield from _targets(plan)
    yield from _headlines(facts.figures)


def _filesystem(fs: ScaleFilesystem | LustreFilesystem) -> str:
    if isinstance(fs, LustreFilesystem):
        stripes = "all OSTs" if fs.stripe_count == -1 else plural(fs.stripe_count, "OST")
        size = units.binary_bytes(fs.stripe_bytes)
        return f"{fs.name}: Lustre {fs.version}, stripes of {size} over {stripes} by default"
    copies = f"{fs.metadata_replicas} {'copy' if fs.metadata_replicas == 1 else 'copies'} of the metadata"
    block, inode = units.binary_bytes(fs.block_bytes), units.binary_bytes(fs.inode_bytes)
    return f"{fs.name}: blocks of {block}, inodes of {inode}, {copies}"


def _pools(facts: Facts) -> Iterator[str]:
    for pool in facts.plan.pools:
        drives = f"{pool.drives:,} x {title(facts.catalog, pool.drive)}"
        spare = f"mirrored, {pool.spare_percent} % spare"
        yield f"{pool.id}: {drives} in {plural(len(pool.servers), 'server')}, {spare}"


def _modules(facts: Facts) -> Iterator[str]:
    """The modules, equal ones counted together."""
    arrays = {a.id: a for a in facts.plan.arrays}
    kinds: Counter[tuple[str, str]] = Counter()
    for m in facts.plan.modules:
        first = arrays[m.arrays[0]]
        boxes = [f"{len(m.arrays)} x {title(facts.catalog, e.model)}" for e in first.enclosures]
        drives = [title(facts.catalog, d) for d in (m.drive, m.metadata_drive) if d]
        kinds[_MODULES.get(m.size, m.size), f"{' + '.join(boxes)}; {' and '.join(drives)}"] += 1
    for (name, inside), count in kinds.items():
        yield f"{count} x {name}: {inside}"


def _targets(plan: Plan) -> Iterator[tuple[str, str]]:
    if isinstance(plan.filesystem, LustreFilesystem):
        kinds = Counter(t.kind for t in plan.targets)
        yield "targets", ", ".join(plural(n, kind.upper()) for kind, n in kinds.items())
        return
    uses = Counter(t.purpose for t in plan.targets)
    parts = ", ".join(f"{n:,} for {_USES.get(use, use)}" for use, n in uses.items())
    yield "NSDs", f"{len(plan.targets):,}: {parts}"


def _headlines(figures: Mapping[str, Figure]) -> Iterator[tuple[str, str]]:
    for name, wanted in _HEADLINES:
        there = [(word, figures[i]) for word, i in wanted if i in figures]
        if there:
            yield name, ", ".join(f"{_rough(f)} {word}" for word, f in there)


def _rough(figure: Figure) -> str:
    """A value as one says it: `about` where it is scaled or judged, and no digits that nobody can stand for."""
    if figure.basis in ("exact", "measured"):
        return both(figure.value) if figure.unit == "B" else value(figure)
    digits = 0 if figure.value >= 100 * 10**12 else 1
    binary = f" ({units.binary_bytes(figure.value, digits)})" if figure.unit == "B" else ""
    return f"about {units.show(figure.value, figure.unit, digits)}{binary}"
