"""Every rule has a test that breaks a good plan, and every code stands on the page of findings."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import pixsize
from pixsize.check import rules
from pixsize.check.context import Rule
from pixsize.codes import SNAPSHOT, codes
from pixsize.load.snapshot import codes_text, read_codes
from pixsize.product import PRODUCTS, Product

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/reference/findings.md"


def rules_of(product: Product) -> tuple[Rule, ...]:
    """Every rule that a product brings."""
    volumes, filesystem, adds = product.volumes, product.filesystem, product.adds
    below = (*volumes.rules, *volumes.exact, *volumes.reply_rules) if volumes else ()
    below += (*adds.rules, *adds.exact) if adds else ()
    if filesystem is None:
        return below
    further = (*filesystem.rules_on.values(), *filesystem.exact_on.values())
    return (*below, *filesystem.rules, *filesystem.exact, *(rule for more in further for rule in more))


TESTS = sorted(path for path in (ROOT / "tests").rglob("test_*.py") if re.search(r"^BREAKS\b", path.read_text(), re.M))
"""The tests that break good plans, wherever they stand: each says in `BREAKS` which code comes of it."""
BROKEN = {
    broken.code
    for path in TESTS
    for broken in import_module(".".join(path.relative_to(ROOT).with_suffix("").parts)).BREAKS
} | {"PX576", "PX577", "PX631", "PX632"}
"""PX576 is given where a product has no rules of its own; tests/products/test_judges.py breaks such plans. PX577 is about
cables: tests/cabling breaks them. PX631 and PX632 are notes on the network that a request chooses: tests/scale/test_fabric.py."""
EVERY_RULE = {rule for product in PRODUCTS.values() for rule in rules_of(product)} | {
    *rules.KINDS,
    *rules.RULES,
    *rules.LAST,
}


def test_every_code_is_given_somewhere() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")]
    assert {code for text in sources for code in re.findall(r"\bPX\d{3}\b", text)} == set(codes())


def test_every_rule_names_the_code_that_it_gives() -> None:
    named = {code for rule in EVERY_RULE for code in re.findall(r"PX\d{3}", (rule.__doc__ or "").partition(":")[0])}
    assert named == BROKEN
    assert all(re.match(r"PX\d{3}: ", rule.__doc__ or "") for rule in EVERY_RULE)


def test_the_snapshot_of_the_codes_is_current() -> None:
    held, wrong = read_codes()
    assert wrong == []
    assert SNAPSHOT.read_text(encoding="utf-8") == codes_text(held), "run: python -m pixsize.load.snapshot"
    assert codes() == held


def test_a_code_stands_with_the_product_whose_rules_give_it() -> None:
    """In `arrays/` and in a product's folder are codes that nobody else gives; all others stand in the shared file."""
    root = Path(pixsize.__file__).parent
    homes = [path.parent for path in root.rglob("codes.yaml") if path.parent != root]

    def home(path: Path) -> Path:
        return next((folder for folder in homes if path.is_relative_to(folder)), root)

    given: dict[str, set[Path]] = {}
    for path in root.rglob("*.py"):
        for code in re.findall(r'"(PX\d{3})"', path.read_text(encoding="utf-8")):
            given.setdefault(code, set()).add(home(path))
    # What gives PX117 is Lustre's request, which has words for the sizes of volumes; what it says is of PowerFlex.
    for path in root.rglob("codes.yaml"):
        for code in set(re.findall(r"(?m)^(PX\d{3}):", path.read_text(encoding="utf-8"))) - {"PX117"}:
            alone = given[code] if len(given[code]) == 1 else {root}
            assert alone == {home(path)}, code


_CODE = "{}:\n  severity: error\n  title: A\n  why: B.\n  cure: C.\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (_CODE.format("PX691") * 2, "PX007"),
        (_CODE.format("PX90"), "PX90: a code is PX and three digits"),
        (_CODE.format("PX801"), "PX801: no code begins with PX8; the ranges are PX0 (Files), PX1 (Requests), "),
        (_CODE.format("PX691").replace("error", "grave"), "PX691: a severity is one of error, warning, note"),
        (_CODE.format("PX691").replace("  cure: C.\n", ""), "PX691: the words are severity, title, why, cure"),
        (_CODE.format("PX691").replace("B.", "[B]"), "PX691: why is text"),
        (_CODE.format("PX690"), "PX690: it stands in another file too"),
        ("PX691: error\n", "PX691: the words are"),
    ],
)
def test_what_is_no_code_is_named(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "products").mkdir()
    (tmp_path / "codes.yaml").write_text(_CODE.format("PX690"))
    (tmp_path / "products/codes.yaml").write_text(text)
    held, wrong = read_codes(tmp_path)
    assert len(wrong) == 1
    assert wrong[0].startswith("products/codes.yaml: ")
    assert said in wrong[0]
    assert "PX690" in held


def test_the_page_has_a_heading_and_a_link_for_every_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert re.findall(r"^### (.*)$", page, re.M) == list(codes())
    assert re.findall(r"^\| \[(PX\d{3})\]\(#px(\d{3})\) \|", page, re.M) == [(c, c[2:]) for c in codes()]


def test_the_page_says_what_why_and_how() -> None:
    entries = re.split(r"^### ", PAGE.read_text(encoding="utf-8"), flags=re.M)[1:]
    for entry, (code, meaning) in zip(entries, codes().items(), strict=True):
        words = " ".join(entry.split())
        assert all(part in words for part in (code, meaning.severity, meaning.title, meaning.why, meaning.cure))


def test_links_to_a_code_lead_to_its_heading() -> None:
    """Every link of a page to one of findings.md, or to a file beside it that is gone."""
    anchors = {code.lower() for code in codes()}
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        text = page.read_text(encoding="utf-8")
        assert set(re.findall(r"findings\.md#([^)\s`]+)", text)) <= anchors, page
        assert not re.findall(r"\([^)]*findings/[^)]*\)", text), page


Generate = Callable[..., tuple[int, str]]


@pytest.fixture
def generate(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Generate:
    """`docs/generate.py` with options, in this process: its exit code and what it prints."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    main = import_module("generate").main

    def called(*options: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["generate.py", *options])
        return main(), capsys.readouterr().out

    return called


def test_the_pages_are_those_that_the_code_gives(generate: Generate) -> None:
    assert generate("--check") == (0, "")


@pytest.mark.long
def test_a_stale_page_is_noticed_and_mended(tmp_path: Path, generate: Generate) -> None:
    into = ("--into", str(tmp_path))
    assert generate(*into, "--check")[0] == 1
    assert not list(tmp_path.iterdir())
    assert generate(*into)[0] == 0
    assert generate(*into, "--check")[0] == 0
    page, extra = tmp_path / "reference/findings.md", tmp_path / "reference/other.md"
    page.write_text(page.read_text() + "edited\n")
    extra.write_text("left over\n")
    code, named = generate(*into, "--check")
    assert code == 1
    assert "stale: reference/findings.md" in named
    assert "left over: reference/other.md" in named
    assert generate(*into)[0] == 0
    assert not extra.exists()
    assert generate(*into, "--check")[0] == 0
