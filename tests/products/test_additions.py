"""Products that add servers to a system: what holds for each of them, whatever it adds."""

from __future__ import annotations

from typing import Any

import pytest

from pixsize.catalog.designs import Design
from pixsize.findings import has_errors
from pixsize.product import PRODUCTS, additions_to, filesystem_of
from pixsize.render import RENDERERS
from tests.ngenea.words import planned
from tests.products.drawing import examples
from tests.support.changing import replace
from tests.support.check_support import Break, Site, changed
from tests.support.running import catalog, load_words

WORDS = {product.adds_word: name for name, product in PRODUCTS.items() if product.adds}
BASE = {
    "name": "site",
    "design": "pixstor-6",
    "storage_modules": [{"size": "large", "data_drive": "12 TB"}],
    "hdmd": {"arrays": 3, "drive": "960 GB"},
    "filesystem": {"name": "mmfs1"},
}
SECTIONS = [(word, design) for word in sorted(WORDS) for design in sorted(examples())]


def with_addition(word: str, **words: Any) -> Site:
    """A system with what a product adds, and nothing said about it but these words."""
    return planned(BASE | {word: words})


BREAKS = (
    Break("PX580", "one", lambda: with_addition("gateways", count=1), "gateways.count", ("one",), frozenset({"PX581"})),
    Break("PX581", "rates", lambda: with_addition("gateways"), "gateways", ("no document has rates",)),
    Break(
        "PX623",
        "one pair",
        lambda: with_addition("nvme"),
        "nvme",
        ("neither of the two has a majority",),
        frozenset({"PX624"}),
    ),
    Break("PX583", "one", lambda: with_addition("ngenea", count=1), "ngenea.count", ("one",), frozenset({"PX582"})),
    Break("PX582", "rates", lambda: with_addition("ngenea"), "ngenea", ("no document has rates",)),
)


@pytest.mark.parametrize("broken", BREAKS, ids=lambda b: f"{b.code} {b.name}")
def test_a_doubt_about_an_addition_is_found(broken: Break) -> None:
    broken.prove()


@pytest.mark.parametrize(("word", "design"), SECTIONS)
def test_a_design_has_an_addition_only_with_a_record_of_it(word: str, design: str) -> None:
    """PX121 where the document of the design has none; an unknown word where its file system gives no place for it."""
    record = catalog().get(Design, design)
    adds = PRODUCTS[WORDS[word]].adds
    assert adds is not None
    possible = word in {addition.word for addition in additions_to(record.filesystem)}
    assert possible is (PRODUCTS[WORDS[word]].adds_to in filesystem_of(record).gives)
    loaded, findings = load_words(examples()[design][0] | {word: {}})
    if possible and catalog().of_design(adds.section, design):
        assert loaded is not None, findings
    else:
        assert loaded is None
        assert [(f.code, f.where) for f in findings] == [("PX121" if possible else "PX101", word)]


def test_the_earlier_generation_has_no_additions() -> None:
    for word in WORDS:
        loaded, findings = load_words(examples()["pixstor-5"][0] | {word: {}})
        assert loaded is None
        assert [(f.code, f.where, f.hint) for f in findings] == [("PX121", word, f"Leave out {word}.")]


@pytest.mark.parametrize("word", sorted(WORDS))
def test_servers_that_a_product_adds_are_judged(word: str) -> None:
    """Their number, model and adapters, by rules that count them from the request."""
    site = with_addition(word)
    servers = site.plan.servers
    assert not has_errors(site.findings())
    wrong = (
        servers[:-1],
        (*servers, replace(servers[-1], id="stray")),
        changed(servers, len(servers) - 1, model="r650"),
        changed(servers, len(servers) - 1, adapters=()),
        changed(servers, len(servers) - 1, role="storage"),
    )
    assert all(has_errors(site.with_plan(servers=other).findings()) for other in wrong)


@pytest.mark.parametrize("word", sorted(WORDS))
def test_an_addition_without_a_record_is_judged(word: str) -> None:
    site = with_addition(word)
    assert {f.code for f in site.with_plan(additions=()).findings()} == {"PX575"}


LACKING = [
    word for word, name in sorted(WORDS.items()) if any(RENDERERS[t].left_out_for for t in PRODUCTS[name].targets)
]


@pytest.mark.parametrize("word", LACKING)
def test_a_target_that_lacks_words_is_left_out_of_all(word: str) -> None:
    """The words alone make a plan; the files of the product wait for the rest."""
    plan = with_addition(word).plan
    for name in PRODUCTS[WORDS[word]].targets:
        codes = {f.code for f in RENDERERS[name].findings(plan, catalog())}
        assert RENDERERS[name].applies(plan)
        assert codes
        assert codes <= RENDERERS[name].left_out_for
