"""Records of spreads in an overlay: what is wrong with one is a finding at its line, and never takes long."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Any

import pytest
import yaml

from pixsize.catalog.measurements import Spread
from pixsize.estimate.evidence import Evidence
from pixsize.findings import Finding
from pixsize.load import load_catalog
from tests.support.estimating import shipped

FAMILY = "spread.random_4k"
MEASURED = "pixstor-6.large.throughput.random_4k.write.peak"


def laid(folder: Path, record: dict[str, Any]) -> tuple[Finding, ...]:
    (folder / "record.yaml").write_text(yaml.safe_dump(record, sort_keys=False), encoding="utf-8")
    return load_catalog(folder)[1]


def spread(**ratios: Any) -> dict[str, Any]:
    """The shipped record in its own place, with other ratios; None takes one out."""
    words = dict(shipped().raw[FAMILY])
    changed = {k: v for k, v in (words["ratios"] | ratios).items() if v is not None}
    return words | {"replaces": FAMILY, "ratios": changed}


def said(findings: tuple[Finding, ...]) -> tuple[str, str, str]:
    """The code, the line and the message of the only finding."""
    (finding,) = findings
    assert finding.position is not None
    return finding.code, finding.position.text.strip(), finding.message


@pytest.mark.parametrize("ratio", ["1", "1.25", "1000", 1, 1.25, "1.000000001"])
def test_what_a_ratio_can_be(tmp_path: Path, ratio: Any) -> None:
    assert laid(tmp_path, spread(size=ratio)) == ()


@pytest.mark.parametrize(
    "ratio",
    ["0.9", "0", "-2", "1000.5", "1001", 0.5, True, "nan", "inf", "1/0", "5/4", "wide", "", "1,25", " 1.25", "1_0", "10 %", "1.2\n",
     "9" * 5000, "1." + "0" * 5000 + "1", "\u0661.\u0662", ["1.2"], {"up": "1.2"}],
)  # fmt: skip
def test_what_no_ratio_is(tmp_path: Path, ratio: Any) -> None:
    code, line, message = said(laid(tmp_path, spread(size=ratio)))
    assert (code, line.startswith("size:")) == ("PX203", True)
    assert "is no ratio from 1 to 1000, such as 1.25" in message
    assert len(message) < 200


@pytest.mark.parametrize("ratio", ["1e999", "1e999999999", "1E+999999999", "1e-999999999"])
def test_a_power_is_not_taken(tmp_path: Path, ratio: str) -> None:
    """As text in quotes, which YAML does not judge: Fraction would write out all its digits."""
    words = yaml.safe_dump(spread(size="HERE"), sort_keys=False).replace("HERE", f"'{ratio}'")
    (tmp_path / "record.yaml").write_text(words, encoding="utf-8")
    started = monotonic()
    code, line, message = said(load_catalog(tmp_path)[1])
    assert monotonic() - started < 5
    assert (code, line) == ("PX203", f"size: '{ratio}'")
    assert f"'{ratio}' is no ratio" in message


def test_a_kind_that_is_missing(tmp_path: Path) -> None:
    assert said(laid(tmp_path, spread(size=None))) == ("PX203", "ratios:", f"{FAMILY}: no ratio of size")


@pytest.mark.parametrize("word", ["ratios", "pairs"])
def test_a_kind_that_nobody_knows(tmp_path: Path, word: str) -> None:
    record = spread()
    record[word] = record[word] | {"colour": 2}
    code, line, message = said(laid(tmp_path, record))
    assert (code, line) == ("PX203", "colour: 2")
    assert "'colour' is none of 'again', 'generation'" in message


@pytest.mark.parametrize("count", [-1, 10**7, "many"])
def test_a_number_of_pairs_that_cannot_be(tmp_path: Path, count: Any) -> None:
    record = spread()
    record["pairs"] = record["pairs"] | {"size": count}
    code, line, _ = said(laid(tmp_path, record))
    assert (code, line) == ("PX203", f"size: {count}")


def test_every_shipped_spread_has_every_kind_and_its_family() -> None:
    records = shipped().all(Spread)
    assert {r.id for r in records} >= {"spread.all", "spread.sequential", "spread.metadata.peak", FAMILY}
    for record in records:
        assert set(record.ratios) == set(record.pairs)
        assert all(1 <= ratio <= 1000 for ratio in record.ratios.values())


# --- measurements whose words are broken ---------------------------------------------------------------------------


def without(words: dict[str, Any], *path: str) -> dict[str, Any]:
    head, *rest = path
    if not rest:
        return {k: v for k, v in words.items() if k != head}
    return words | {head: without(words[head], *rest)}


@pytest.mark.parametrize(
    "path",
    [("figure",), ("unit",), ("readings",), ("conditions",), ("system", "design"), ("system", "storage_modules")],
    ids=".".join,
)
def test_a_word_that_a_measurement_lacks_is_a_finding(tmp_path: Path, path: tuple[str, ...]) -> None:
    record = without(dict(shipped().raw[MEASURED]), *path) | {"replaces": MEASURED}
    found = laid(tmp_path, record)
    assert found
    assert all(f.code.startswith("PX") and f.position for f in found)


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("figure", ""), ("figure", None), ("figure", 7), ("figure", ["x"]), ("figure", "x"),
        ("system", []), ("system", "x"), ("system", {"design": None}), ("system", {"design": ["pixstor-6"]}),
        ("system", {"design": "me4084"}), ("system", {"design": "nothing"}), ("system", {"design": ""}), ("system", {}),
    ],
)  # fmt: skip
def test_a_broken_word_of_a_measurement_is_a_finding_at_its_line(tmp_path: Path, word: str, value: Any) -> None:
    """Evidence reads `figure` and `system.design` of a record that nothing else has read: load has judged both."""
    found = laid(tmp_path, dict(shipped().raw[MEASURED]) | {"replaces": MEASURED, word: value})
    assert found
    for finding in found:
        assert finding.position is not None
        assert finding.position.file.endswith("record.yaml")


@pytest.mark.parametrize("system", [None, "left out"])
def test_a_measurement_without_a_system_is_evidence_of_none(tmp_path: Path, system: str | None) -> None:
    record = dict(shipped().raw[MEASURED]) | {"id": "site.measured", "trust": "width"}
    record = without(record, "system") if system else record | {"system": None}
    (tmp_path / "record.yaml").write_text(yaml.safe_dump(record, sort_keys=False), encoding="utf-8")
    catalog, findings = load_catalog(tmp_path)
    if catalog is None:
        assert findings
        return
    evidence = Evidence(catalog, "pixstor-6")
    assert "site.measured" not in [m.id for m in evidence.near("throughput.random_4k.write.peak")]
