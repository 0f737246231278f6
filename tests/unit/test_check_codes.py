"""Every code has a rule's test that breaks a good plan, or another room that owns it; every code has its page."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from pixsize.check import rules
from pixsize.check.context import Rule
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
    return (*below, *filesystem.rules, *filesystem.exact, *(rule for more in further for rule in more))


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
    *rules.KINDS,
    *rules.RULES,
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


def test_the_pages_are_those_that_the_code_gives() -> None:
    result = subprocess.run(
        [sys.executable, ROOT / "docs/generate.py", "--check"], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_stale_page_is_noticed_and_mended(tmp_path: Path) -> None:
    def generate(*options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, ROOT / "docs/generate.py", "--into", tmp_path, *options]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert generate("--check").returncode == 1
    assert not list(tmp_path.iterdir())
    assert generate().returncode == 0
    assert generate("--check").returncode == 0
    page, extra = tmp_path / "reference/findings/PX501.md", tmp_path / "reference/findings/PX999.md"
    page.write_text(page.read_text() + "edited\n")
    extra.write_text("left over\n")
    stale = generate("--check")
    assert stale.returncode == 1
    assert "PX501.md" in stale.stdout
    assert "PX999.md" in stale.stdout
    assert generate().returncode == 0
    assert not extra.exists()
    assert generate("--check").returncode == 0
