"""Every code has a rule's test that breaks a good plan, or another room that owns it; every code has its page."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from pixsize.check import asked, kinds, shared
from pixsize.check.case import Rule
from pixsize.codes import CODES
from pixsize.product import PRODUCTS, Product
from tests.unit import (
    test_check_design,
    test_check_lustre_limits,
    test_check_lustre_plan,
    test_check_lustre_pool,
    test_check_plan,
    test_check_replies,
)

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs/reference/findings"

OWNED_ELSEWHERE = {
    "PX301": "load", "PX303": "load", "PX305": "load", "PX307": "load", "PX309": "load", "PX310": "load",
    "PX311": "load",
    "PX405": "estimate", "PX407": "estimate", "PX411": "estimate",
}  # fmt: skip
"""Codes of these kinds that other rooms give, and test."""


def rules_of(product: Product) -> tuple[Rule, ...]:
    """Every rule that a product brings."""
    volumes, filesystem = product.volumes, product.filesystem
    below = (*volumes.rules, *volumes.exact) if volumes else ()
    if filesystem is None:
        return below
    further = (*filesystem.rules_on.values(), *filesystem.exact_on.values())
    return (*below, *filesystem.rules, *filesystem.exact, *(rule for rules in further for rule in rules))


_PARTS = (
    test_check_design,
    test_check_lustre_limits,
    test_check_lustre_plan,
    test_check_lustre_pool,
    test_check_plan,
    test_check_replies,
)
BROKEN = {b.code for part in _PARTS for b in part.BREAKS}
EVERY_RULE = {rule for product in PRODUCTS.values() for rule in rules_of(product)} | {
    *kinds.RULES,
    *asked.RULES,
    *shared.RULES,
}


def test_every_code_of_plan_design_and_replies_is_broken_alone_somewhere() -> None:
    judged = {code for code in CODES if code.startswith(("PX3", "PX4", "PX5"))}
    assert BROKEN | set(OWNED_ELSEWHERE) == judged
    assert not BROKEN & set(OWNED_ELSEWHERE)


def test_every_rule_names_the_code_that_it_gives() -> None:
    named = {code for rule in EVERY_RULE for code in re.findall(r"PX\d{3}", (rule.__doc__ or "").partition(":")[0])}
    assert named == BROKEN
    assert all(re.match(r"PX\d{3}: ", rule.__doc__ or "") for rule in EVERY_RULE)


def test_every_code_has_its_page_and_no_page_is_left_over() -> None:
    assert {p.stem for p in PAGES.glob("*.md")} == set(CODES)


def test_a_page_says_what_why_and_how() -> None:
    for code, meaning in CODES.items():
        page = (PAGES / f"{code}.md").read_text()
        words = " ".join(page.split())
        assert all(part in words for part in (code, meaning.severity, meaning.title, meaning.why, meaning.cure))


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


def test_a_stale_page_is_noticed_and_mended(tmp_path: Path, generate: Generate) -> None:
    into = ("--into", str(tmp_path))
    assert generate(*into, "--check")[0] == 1
    assert not list(tmp_path.iterdir())
    assert generate(*into)[0] == 0
    assert generate(*into, "--check")[0] == 0
    page, extra = tmp_path / "reference/findings/PX501.md", tmp_path / "reference/findings/PX999.md"
    page.write_text(page.read_text() + "edited\n")
    extra.write_text("left over\n")
    code, named = generate(*into, "--check")
    assert code == 1
    assert "PX501.md" in named
    assert "PX999.md" in named
    assert generate(*into)[0] == 0
    assert not extra.exists()
    assert generate(*into, "--check")[0] == 0
