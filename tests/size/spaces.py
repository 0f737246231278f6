"""Spaces of systems, drawn systems in them, and requirements as a command line has them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from hypothesis import strategies as st

from pixsize import proposals
from pixsize.catalog.designs import Design
from pixsize.load import load_words
from pixsize.load.requirements import load_requirements
from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.plan.records import Plan
from pixsize.product import filesystem_of
from pixsize.size.pool import PoolSpace
from pixsize.size.records import Counts, Kind, Rest
from pixsize.size.requirements import WORDS, Requirements, Restrictions
from pixsize.size.space import Space
from tests.support.running import catalog

ALL = Restrictions()


def searched() -> tuple[str, ...]:
    """The designs that the search knows."""
    designs = (catalog().get(Design, i) for i in catalog().ids("design"))
    return tuple(d.id for d in designs if filesystem_of(d).offers is not None)


POOLS = ("lustre-powerflex",)
"""The designs with a pool that the search knows."""


def planned(words: Mapping[str, Any]) -> Plan:
    loaded, findings = load_words(words, "a test", catalog())
    assert loaded is not None, findings
    plan, refusals = make_plan(loaded.request, catalog(), Observed())
    assert plan is not None, refusals
    return plan


BILL = proposals.bill_of(None, catalog())


@lru_cache(maxsize=32)
def space(design: str, restrictions: Restrictions = ALL) -> Space:
    """One space for all tests: what it keeps of rests and kinds does not change."""
    made = PoolSpace if design in POOLS else Space
    return made(catalog().get(Design, design), catalog(), restrictions, planned, BILL)


def asked(**words: Any) -> Requirements:
    found, findings = load_requirements(None, words)
    assert found is not None, findings
    return found


@lru_cache(maxsize=32)
def few_rests(design: str, each: int = 2, restrictions: Restrictions = ALL) -> tuple[Rest, ...]:
    """The first rests of each list of a design."""
    lists = space(design, restrictions).rests()
    return tuple(rest for rests in lists for rest in rests[:each])


@st.composite
def systems(draw: st.DrawFn, design: str, most: int = 40) -> tuple[Rest, tuple[Kind, ...], Counts]:
    """A system of up to three kinds of module."""
    rest = draw(st.sampled_from(few_rests(design)))
    kinds = space(design).kinds(rest)
    chosen = draw(st.lists(st.integers(0, len(kinds) - 1), min_size=1, max_size=3, unique=True))
    counts = [0] * len(kinds)
    for place in chosen:
        counts[place] = draw(st.sampled_from((1, 2, 3, 4, 8, 13, most)))
    volumes = rest.volumes + sum(k.volumes * n for k, n in zip(kinds, counts, strict=True))
    while volumes > space(design).limit:
        counts = [n // 2 for n in counts]
        volumes = rest.volumes + sum(k.volumes * n for k, n in zip(kinds, counts, strict=True))
    counts[chosen[0]] = max(counts[chosen[0]], 1)
    return rest, kinds, tuple(counts)


def figures_of_words() -> tuple[str, ...]:
    """Every figure that a word of requirements can be about."""
    return tuple(
        f"{word.figure}.{duration}" if duration else word.figure
        for word in WORDS.values()
        for duration in (("peak", "sustained") if word.durations else ("",))
    )
