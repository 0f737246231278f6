"""What is said of a design is its own: the documents that its figures cite, and the words of its products alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design
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


OLD_DATA = "an old NSD of GPFS"
"""What a device may hold from an earlier use, in the run book that says what mkfs.lustre would write over."""
FILESYSTEMS = {name: product.filesystem for name, product in PRODUCTS.items() if product.filesystem}


def words_of(name: str) -> set[str]:
    """Words that stand for a product: its name, the kinds of its targets, the commands that make and measure them."""
    volumes, filesystem = PRODUCTS[name].volumes, PRODUCTS[name].filesystem
    words = {volumes.terms.name} if volumes else set()
    if filesystem:
        words |= {kind.upper() + end for kind in filesystem.kinds for end in ("", "s")} | {filesystem.terms.makes}
        # A command that is a part of another one, as `df` is of `lfs df`, stands for no product.
        shared = [other.terms.df for key, other in FILESYSTEMS.items() if key != name]
        words |= {df for df in (filesystem.terms.df,) if not any(df in other for other in shared)}
    return words


def strangers(text: str, own: Iterable[str]) -> list[str]:
    """The words in a text that stand for other products than its own."""
    words = {word for name in PRODUCTS if name not in own for word in words_of(name)}
    found = re.findall(rf"\b(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})\b", text)
    return sorted(set(found) - {word for name in own for word in words_of(name)})


def own_products(case: str) -> tuple[str, str]:
    """The products that the plan of a case is made of."""
    design = catalog().get(Design, plan_of(case).design)
    return design.filesystem, design.volumes


@pytest.mark.parametrize("case", CASES)
def test_no_file_of_a_plan_speaks_of_a_product_that_is_not_in_it(case: str) -> None:
    own, texts = own_products(case), {path: text.replace(OLD_DATA, "") for path, text in files_of(case).items()}
    assert {path: found for path, text in texts.items() if (found := strangers(text, own))} == {}


SHARED_CODES = [SOURCE / "codes.yaml", SOURCE / "arrays/codes.yaml"]
EXAMPLE = re.compile(r"\b(?:such as|for example|for instance)\b")
"""What says before or behind a product's word that it stands for others."""


def named(text: str, *, examples: bool) -> list[str]:
    """The words of any product in a text that is about all of them, but for documents in brackets.

    `examples`: a part of a sentence that says that it gives one may name a product.
    """
    words = {word for name in PRODUCTS for word in (*words_of(name), name.capitalize())}
    keys = "|".join(map(re.escape, PRODUCTS))
    word = re.compile(
        rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})(?!\w)|`(?:{keys})[.`]"
    )
    parts = re.split(r"(?<=[.:;])\s", re.sub(r"\([^()]*\)", "", text))
    return [found for part in parts if not (examples and EXAMPLE.search(part)) for found in word.findall(part)]


@pytest.mark.parametrize("path", SHARED_CODES, ids=["all products", "arrays"])
def test_a_shared_code_is_about_no_one_product(path: Path) -> None:
    """Its title names none at all; what it says and advises names one only as an example."""
    found = {}
    for code in re.findall(r"(?m)^(PX\d{3}):", path.read_text(encoding="utf-8")):
        meaning = codes()[code]
        found[code] = named(meaning.title, examples=False)
        found[code] += [word for text in (meaning.why, meaning.cure) for word in named(text, examples=True)]
    assert {code: words for code, words in found.items() if words} == {}


@pytest.mark.parametrize("folder", ["check", "arrays"])
def test_shared_rules_are_about_no_one_product(folder: str) -> None:
    """In docstrings and in what they say to the user."""
    found = {}
    for path in sorted((SOURCE / folder).rglob("*.py")):
        nodes = [
            node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Constant)
        ]
        texts = [node.value for node in nodes if isinstance(node.value, str)]
        found[path.name] = [word for text in texts for word in named(text, examples=True)]
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.parametrize(
    ("text", "examples", "found"),
    [
        ("One device in two NSDs", False, ["NSDs"]),
        ("Correct `powerflex.network.addresses`.", True, ["`powerflex."]),
        ("Each OST has one. Some, such as an OST, have two.", True, ["OST"]),
        ("A target, such as an NSD", False, ["NSD"]),
        ("A target (mkfs.lustre, Lustre Operations Manual)", False, []),
    ],
)
def test_a_word_of_a_product_is_found_in_a_shared_text(text: str, examples: bool, found: list[str]) -> None:
    assert named(text, examples=examples) == found


def said(value: Any) -> Iterator[str]:
    """Every text in a record of terms."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for item in value.items() for text in said(item))
    elif isinstance(value, tuple):
        yield from (text for item in value for text in said(item))


@pytest.mark.parametrize("name", PRODUCTS)
def test_terms_of_a_product_speak_of_no_other(name: str) -> None:
    """Those of volumes speak of no file system: `{targets}` and the like are filled in where they are used."""
    volumes, filesystem, adds = PRODUCTS[name].volumes, PRODUCTS[name].filesystem, PRODUCTS[name].adds
    texts = [text for part in (volumes, filesystem) if part for text in said(part.terms)]
    texts += [adds.words.__doc__ or ""] if adds else []
    assert texts or not (volumes or filesystem or adds)
    assert {text: found for text in texts if (found := strangers(text, (name,)))} == {}


@pytest.mark.parametrize("name", FILESYSTEMS)
@pytest.mark.parametrize("other", FILESYSTEMS)
def test_the_words_of_another_file_system_are_found(name: str, other: str) -> None:
    """In the fields of the terms that a copied product most likely keeps, in the singular and in the plural."""
    kind = sorted(FILESYSTEMS[other].kinds)[0].upper()
    for planted in ({"targets": f"{kind}s"}, {"user": f"an {kind}"}, {"df": f"{FILESYSTEMS[other].terms.makes} --df"}):
        texts = list(said(FILESYSTEMS[name].terms._replace(**planted)))  # type: ignore[arg-type]
        assert any(strangers(text, (name,)) for text in texts) == (name != other), planted


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
