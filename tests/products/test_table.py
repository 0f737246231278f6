"""The table of products against the tree, and pages that name what tables hold."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import create_model

from pixsize.catalog.designs import Design
from pixsize.catalog.kinds import KINDS
from pixsize.catalog.measurements import MeasuredModule
from pixsize.check import pools
from pixsize.codes import codes
from pixsize.load import load_catalog, request_loader
from pixsize.load.request_loader import shape_of
from pixsize.product import PRODUCTS, volumes_of
from pixsize.render import RENDERERS, STEPS
from pixsize.request import MODULES, Words, require_modules
from tests.products.drawing import examples, smallest
from tests.support.running import catalog, load_words

ROOT = Path(__file__).resolve().parents[2]


def coded(page: str) -> set[str]:
    """What stands between backticks on a page."""
    return set(re.findall(r"`([^`\n]+)`", (ROOT / page).read_text(encoding="utf-8")))


def test_every_folder_of_a_product_stands_in_the_table() -> None:
    folders = {p.name for p in (ROOT / "src/pixsize/products").iterdir() if (p / "__init__.py").is_file()}
    assert folders == set(PRODUCTS)
    assert {product.name for product in PRODUCTS.values()} == set(PRODUCTS)


_MAY_BE_NONE = ("sizing", "server_record", "pool_record", "pool_words", "licences")
"""Fields whose text says what None means."""


def test_every_field_of_every_product_leads_somewhere() -> None:
    for product in PRODUCTS.values():
        for part in filter(None, (product.volumes, product.filesystem)):
            for name in type(part).__annotations__:
                held = getattr(part, name)
                assert held is not None or name in _MAY_BE_NONE, f"{product.name}.{name}"
                if hasattr(held, "places"):
                    assert all(held[key] is not None for key in held), f"{product.name}.{name}"
    assert list(STEPS) == list(RENDERERS)
    assert all(STEPS[name] and RENDERERS[name].name == name for name in RENDERERS)


@pytest.mark.parametrize("module", ["product", "terms", "expected"])
def test_every_field_says_what_it_means(module: str) -> None:
    """The page about adding a product names steps and folders: the fields are described where they are defined."""
    body = ast.parse((ROOT / f"src/pixsize/{module}.py").read_text(encoding="utf-8")).body
    silent = [
        f"{part.name}.{ast.unparse(field.target)}"
        for part in body
        if isinstance(part, ast.ClassDef)
        for field, below in pairwise((*part.body, ast.Pass()))
        if isinstance(field, ast.AnnAssign)
        and not (isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant))
    ]
    assert silent == []


@pytest.mark.parametrize("page", ["add-a-file-system", "add-a-service"])
def test_the_page_about_adding_a_product_fits_a_screen(page: str) -> None:
    lines = (ROOT / f"docs/how-to/{page}.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 100


def test_every_family_of_arrays_has_its_words_and_commands() -> None:
    """What rules, pages and run books ask of a family, so that none of them has words of its own."""
    families = [(p.name, p.volumes.terms) for p in PRODUCTS.values() if p.gives == "arrays" and p.volumes]
    assert families
    for name, terms in families:
        assert set(terms.commands) == {"disks", "groups", "volumes", "enclosures", "spares"}, name
        assert set(terms.labels) == {"free", "in_group", "spare", "online", "kind"}, name
        assert terms.multipath, name
        assert terms.drives_of == "arrays", name


def on_arrays() -> list[str]:
    """The file systems on arrays."""
    return [name for name, p in PRODUCTS.items() if p.filesystem and "arrays" in p.filesystem.requests]


@pytest.mark.parametrize("name", on_arrays())
def test_requests_on_arrays_name_their_modules_alike(name: str) -> None:
    """Shared code finds the modules by this word, to judge their sizes and to compare them with measured systems."""
    filesystem: Any = PRODUCTS[name].filesystem
    require_modules(filesystem.requests["arrays"])
    assert filesystem.terms.grows_at["arrays"] == MODULES
    measured = filesystem.measured_system.model_fields[MODULES].annotation
    assert get_args(measured)[0] is MeasuredModule


def test_a_model_with_another_word_for_its_modules_is_refused() -> None:
    shape: Any = PRODUCTS["scale"].filesystem.requests["arrays"]  # type: ignore[union-attr]
    modules = shape.model.model_fields[MODULES].annotation
    renamed = create_model("Renamed", __base__=Words, building_blocks=(modules, ...))
    with pytest.raises(TypeError, match="Renamed: requests for arrays name their modules storage_modules"):
        require_modules(shape._replace(model=renamed))
    sized = create_model("Sized", __base__=Words, size=(str, ...), count=(int, 1), data_drive=(str, ...))
    poor = create_model("Poor", __base__=Words, storage_modules=(tuple[sized, ...], ...))  # type: ignore[valid-type]
    with pytest.raises(TypeError, match="it lacks chunk_size"):
        require_modules(shape._replace(model=poor))


DESIGNS_ON_ARRAYS = [d for d in sorted(examples()) if PRODUCTS[catalog().get(Design, d).volumes].gives == "arrays"]


@pytest.mark.parametrize("design", DESIGNS_ON_ARRAYS)
def test_an_unknown_size_is_refused_whatever_the_product_judges(design: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = smallest(design)
    (module, *_) = words[MODULES]
    wrong = words | {MODULES: [module | {"size": "lrge"}]}
    assert [(f.code, f.where) for f in load_words(wrong)[1]] == [("PX102", f"{MODULES}[0].size")]
    shape = shape_of(catalog().get(Design, design))
    assert shape is not None
    silent = shape._replace(judge=lambda _partial: None)
    monkeypatch.setattr(request_loader, "shape_of", lambda _design: silent)
    assert [(f.code, f.where) for f in load_words(wrong)[1]] == [("PX102", f"{MODULES}[0].size")]


def test_every_pool_of_servers_is_judged_by_the_rules_that_pools_share() -> None:
    volumes = [p.volumes for p in PRODUCTS.values() if p.gives == "pool" and p.volumes]
    assert volumes
    for judged in volumes:
        assert set(pools.RULES) <= set(judged.rules)
        assert set(pools.EXACT) <= set(judged.exact)


def test_every_design_names_products_that_go_together() -> None:
    records, _ = load_catalog()
    for design in records.all(Design):
        assert shape_of(design) is not None, design.id
        assert isinstance(design, volumes_of(design).design), design.id


def test_pages_name_what_the_tables_hold() -> None:
    """The reference has every target, as it is generated; the README names some of them, and no other."""
    assert set(RENDERERS) <= coded("docs/reference/cli.md")
    rows = re.search(r"^\| targets \| for \|\n((?:\|.*\n)+)", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    assert rows
    assert set(re.findall(r"`([^`]+)`", rows[1])) <= set(RENDERERS)


def test_the_page_about_records_names_every_kind_that_is_of_no_product() -> None:
    of_products = {kind for product in PRODUCTS.values() for kind in product.kinds}
    assert set(KINDS) - of_products <= coded("docs/how-to/extend-the-catalog.md")


def test_pages_name_no_code_that_is_gone() -> None:
    known = {*codes(), "PX123"}
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        assert set(re.findall(r"\bPX[0-9]{3}\b", page.read_text(encoding="utf-8"))) <= known, page.name
