"""What is said of a design is its own: the documents that its figures cite, and the words of its products alone."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from pixsize.catalog.catalog import Catalog
from pixsize.codes import codes
from pixsize.estimate.make import estimate
from pixsize.product import PRODUCTS
from pixsize.resources import folder
from tests.products.drawing import examples, smallest
from tests.products.reading import rendered
from tests.products.test_examples import CASES, files_of, plan_of
from tests.support.running import catalog, make

OTHER = "pcie-sas-standards"
"""A document that no design describes itself by."""
SOURCE = folder("catalogs").parent / "src/pixsize"
every_design = pytest.mark.parametrize("design", sorted(examples()))


def another(design: str) -> Catalog:
    """The catalog with the design as another document describes it, that names no places."""
    words = {k: v for k, v in catalog().raw[design].items() if k != "documented"}
    words["sources"] = [{"document": OTHER, "place": "another document"}]
    return Catalog(catalog().raw | {design: words})


@every_design
def test_figures_cite_the_document_of_the_design(design: str) -> None:
    """What a file system or a product of volumes knows of all designs may cite other documents, and does for these."""
    plan, other = make(smallest(design)).plan, another(design)
    before, after = estimate(plan, catalog())[0], estimate(plan, other)[0]
    for name in ("capacity.raw", "capacity.formatted", "hardware.rack_units", "volumes.data"):
        assert [source.document for source in after[name].sources] == [OTHER], name
        assert [source.document for source in before[name].sources] != [OTHER], name
    assert {name: f.value for name, f in after.items()} == {name: f.value for name, f in before.items()}


def strange_words(case: str) -> list[str]:
    """Words that stand for products that a plan is not made of: their names, and the commands that make targets."""
    plan = plan_of(case)
    design = catalog().record(plan.design)
    there = {design.filesystem, design.volumes}  # type: ignore[attr-defined]
    words = []
    for name, product in PRODUCTS.items():
        if product.filesystem and name not in there:
            words.append(product.filesystem.terms.makes)
        if product.volumes and name not in there:
            words.append(product.volumes.terms.name)
    return words


@pytest.mark.parametrize("case", CASES)
def test_no_file_of_a_plan_speaks_of_a_product_that_is_not_in_it(case: str) -> None:
    words = "|".join(map(re.escape, strange_words(case)))
    found = {p: m.group() for p, text in files_of(case).items() if (m := re.search(rf"\b(?:{words})\b", text))}
    assert found == {}


@pytest.mark.parametrize("case", CASES)
def test_every_target_is_in_a_file_of_its_file_system(case: str) -> None:
    """A device that is known, and that no file names, is a target that nobody makes."""
    plan = plan_of(case)
    own = set(PRODUCTS[catalog().record(plan.design).filesystem].targets)  # type: ignore[attr-defined]
    texts = [file.text for name, files in rendered(plan).items() if name in own for file in files]
    assert not texts or not [t.id for t in plan.targets if t.device and not any(t.device in text for text in texts)]


@pytest.mark.parametrize("name", [name for name, product in PRODUCTS.items() if product.filesystem])
def test_terms_go_together(name: str) -> None:
    """A target grows with its volume, or takes any size that it has: no rule judges the size of one that does both."""
    filesystem = PRODUCTS[name].filesystem
    assert filesystem is not None
    assert not (filesystem.terms.expands and filesystem.terms.sized)


def test_every_code_that_the_program_gives_is_explained() -> None:
    given = {code for path in SOURCE.rglob("*.py") for code in re.findall(r"\"(PX\d{3})\"", path.read_text())}
    assert given <= set(codes())
    assert all(one < other for one, other in pairwise(codes()))
