"""The pages that the project promises are there, and hold what they are for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pixsize.catalog.designs import Design
from pixsize.load import load_catalog

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(p.relative_to(ROOT).as_posix() for p in (ROOT / "docs").rglob("*.md") if p.parent.name != "adr")
KINDS = {"docs/tutorial", "docs/how-to", "docs/reference", "docs/explanation"}


def test_pages_of_every_kind_are_there() -> None:
    assert {str(Path(page).parent) for page in PAGES} >= KINDS


@pytest.mark.parametrize("page", PAGES)
def test_the_readme_or_a_page_leads_to_every_page(page: str) -> None:
    assert len((ROOT / page).read_text().splitlines()) > 10
    name = Path(page).name
    others = [ROOT / "README.md", *(p for p in (ROOT / "docs").rglob("*.md") if p != ROOT / page)]
    assert any(re.search(rf"[(/]{re.escape(name)}[)#]", p.read_text()) for p in others)


def test_the_changelog_says_which_numbers_changed() -> None:
    assert re.search(r"^### Numbers changed\n- ", (ROOT / "CHANGELOG.md").read_text(), re.M)


def test_the_table_of_rooms_has_every_module_and_folder() -> None:
    page = (ROOT / "docs/explanation/architecture.md").read_text()
    rows = re.search(r"^\| room \| holds \|\n\|---\|---\|\n((?:\|.*\n)+)", page, re.M)
    assert rows
    listed = [room for row in rows[1].splitlines() for room in re.findall(r"`([^`]+)`", row.split("|")[1])]
    source = ROOT / "src/pixsize"
    rooms = {f"{path.parent.name}/" for path in source.glob("*/__init__.py")}
    assert sorted(listed) == sorted(rooms | {p.name for p in source.glob("*.py") if not p.name.startswith("__")})


def test_every_decision_has_its_page() -> None:
    index = (ROOT / "docs/adr/README.md").read_text()
    linked = re.findall(r"\((\d{4}-[a-z-]+\.md)\)", index)
    assert linked == sorted(p.name for p in (ROOT / "docs/adr").glob("0*.md"))
    assert re.findall(r"^(\d+)\.", index, re.M) == [str(int(name[:4])) for name in linked]


def test_the_table_of_speed_is_filled() -> None:
    table = (ROOT / "docs/explanation/speed.md").read_text().partition("<!-- table -->")[2]
    for command in ("--help", "| plan |", "| render stanzas |", "63 Large", "590 Large"):
        assert command in table


def test_the_page_of_figures_lists_all_with_both_rules() -> None:
    """For each design, rates as the model makes them; the rule of a measurement once, and what only one gives."""
    page = (ROOT / "docs/reference/figures.md").read_text()
    parts = {part.partition("\n")[0]: part for part in re.split(r"^## ", page, flags=re.M)[1:]}
    assert {f"`{design.id}`" for design in load_catalog()[0].all(Design)} < set(parts)
    for design, (families, model) in MODELS.items():
        calculated, _, modelled = parts[f"`{design}`"].partition("\nRates that were not measured")
        rates = [f"{f}.{op}" for f, ops in families.items() for op in ops]
        for figure in rates:
            (row,) = re.findall(rf"^\| `{re.escape(figure)}` \|.*$", modelled, re.M)
            assert re.search(model, row), row
            assert "This configuration was benchmarked" not in row
        for figure in ("capacity.usable", "files.max", "hardware.rack_units"):
            assert f"| `{figure}` |" in calculated
    assert page.count("> This configuration was benchmarked") == 1
    assert re.search(r"`hardware\.power`.*where it was measured", parts["What nobody can work out"])


BOTH, EACH = ("write", "read"), ("create", "stat", "read", "remove")
PIXSTOR = {
    f"throughput.{f}": [f"{d}.{t}" for d in BOTH for t in ("peak", "sustained")]
    for f in ("sequential.n_n", "sequential.n_1", "random_4k")
} | {f"metadata.{f}": [f"{o}.{t}" for o in EACH for t in ("peak", "sustained")] for f in ("empty", "4k")}
SCALED = "Halfway between|Nearest evidence|of the way from the first|Bounded, not scaled|grow with each array"
MODELS = {
    "pixstor-6": (PIXSTOR, SCALED),
    "pixstor-5": (PIXSTOR | {"metadata.3k": [f"{o}.peak" for o in EACH]}, SCALED),
    "lustre-me4": (
        {"throughput.sequential.n_n": [f"{d}.{t}" for d in BOTH for t in ("peak", "sustained")]}
        | {"throughput.random_4k": [f"{d}.peak" for d in BOTH]}
        | {"metadata.empty": ["create.peak", "stat.peak", "remove.peak"]},
        "was measured at|MDTs with 32 OSTs made",
    ),
    "lustre-powerflex": (
        {"throughput.sequential.n_n": [f"{d}.{t}" for d in BOTH for t in ("peak", "128k")]}
        | {"metadata.4k": [f"{o}.{t}" for o in EACH for t in ("peak", "sustained")]},
        "Each of the 8 servers|MDTs with 16 OSTs made",
    ),
}
"""The rates of each design that somebody measured, and what the rule of the model says of them."""
