"""What a parts file may say, and what is said of one that is wrong: code, line and column."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pixsize import bills, workflow
from pixsize.findings import Finding, has_errors
from pixsize.load.parts_loader import LoadedParts, load_parts
from pixsize.resources import folder


def load(tmp_path: Path, text: str) -> tuple[LoadedParts | None, tuple[Finding, ...]]:
    path = tmp_path / "parts.yaml"
    path.write_text(text)
    return load_parts(str(path))


def places(findings: tuple[Finding, ...]) -> list[tuple[str, int, int]]:
    return [(f.code, f.position.line, f.position.column) for f in findings if f.position]


def test_every_word_is_read(tmp_path: Path) -> None:
    text = """\
currency: EUR
discount_percent: 12.5
rack: {units: 42}
parts:
  nl-sas-12tb: {price: 410.10, part_number: "0012", power_w: 9.5, lead_days: 20, weight_kg: 0.705}
  me4084: {nameplate_w: 2200, discount_percent: 3}
  install: {title: Work, count: 2}
"""
    loaded, findings = load(tmp_path, text)
    assert not findings
    assert loaded is not None
    words = loaded.words
    assert (words.currency, words.discount_percent, words.rack and words.rack.units) == ("EUR", Decimal("12.5"), 42)
    drive, array, own = words.part("nl-sas-12tb"), words.part("me4084"), words.part("install")
    assert drive is not None
    assert (drive.price, drive.part_number, drive.weight_kg) == (Decimal("410.10"), "0012", Decimal("0.705"))
    assert array is not None
    assert (array.nameplate_w, words.discount_of(array), words.discount_of(drive)) == (2200, 3, Decimal("12.5"))
    assert own is not None
    assert (own.title, own.count) == ("Work", 2)
    assert words.part("nothing") is None


ONE = "currency: EUR\nparts:\n  nl-sas-12tb: "


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ONE + "{prise: 4}", ("PX101", 3, 17)),
        (ONE + "{price: -4}", ("PX108", 3, 24)),
        (ONE + "{price: 4.1234}", ("PX108", 3, 24)),
        (ONE + "{price: 4.123}", ("PX652", 3, 24)),
        (ONE + "{price: 0.10000000000000000000000000000000000000000000000001}", ("PX108", 3, 24)),
        (ONE + "{price: 999999999}", ("PX108", 3, 24)),
        (ONE + "{price: '410'}", ("PX104", 3, 24)),
        (ONE + "{price: 410 EUR}", ("PX104", 3, 24)),
        (ONE + "{price: true}", ("PX104", 3, 24)),
        (ONE + "{price: 1e3}", ("PX009", 3, 24)),
        (ONE + "{price: .inf}", ("PX009", 3, 24)),
        (ONE + "{price: 0x10}", ("PX009", 3, 24)),
        (ONE + "{price: }", ("PX104", 3, 24)),
        (ONE + "{price: [1]}", ("PX104", 3, 17)),
        (ONE + "{discount_percent: 101}", ("PX108", 3, 35)),
        (ONE + "{power_w: 1000000}", ("PX108", 3, 26)),
        (ONE + "{weight_kg: -1}", ("PX108", 3, 28)),
        (ONE + "{lead_days: 1.5}", ("PX108", 3, 28)),
        (ONE + "{lead_days: 9999}", ("PX108", 3, 28)),
        (ONE + "{count: 0}", ("PX108", 3, 24)),
        (ONE + '{title: "a\\nb"}', ("PX104", 3, 24)),
        (ONE + '{part_number: "\\u202e"}', ("PX104", 3, 30)),
        (ONE + '{title: ""}', ("PX104", 3, 24)),
        (ONE + "410", ("PX104", 3, 16)),
        (ONE + "{price: 1}\n  nl-sas-12tb: {price: 2}", ("PX007", 4, 3)),
        (ONE + "&a {price: 1}", ("PX008", 3, 16)),
        (ONE + "!!python/object:os.system {price: 1}", ("PX008", 3, 16)),
        ("parts: {nl-sas-12tb: {price: 1}}", ("PX103", 1, 1)),
        ("currency: euro\nparts: {}", ("PX104", 1, 11)),
        ("currency: EUR\nparts: [1]", ("PX104", 2, 1)),
        ("currency: EUR\nprices: {}", ("PX101", 2, 1)),
        ("currency: EUR\nrack: {units: 0}", ("PX108", 2, 15)),
        ("currency: EUR\nrack: {high: 0}", ("PX101", 2, 8)),
        ("currency: EUR\nparts: {'a b': {price: 1}}", ("PX653", 2, 9)),
        ("currency: EUR\nparts: {'=1': {price: 1}}", ("PX653", 2, 9)),
        ("- 1", ("PX005", 1, 1)),
        ("", ("PX005", 1, 1)),
        ("a: [" * 3, ("PX004", 2, 1)),
    ],
)
def test_what_is_wrong_is_named_at_its_place(text: str, expected: tuple[str, int, int], tmp_path: Path) -> None:
    loaded, findings = load(tmp_path, text)
    assert loaded is None
    assert has_errors(findings)
    assert expected in places(findings), findings


def test_all_that_is_wrong_is_named_at_once(tmp_path: Path) -> None:
    text = "currency: eur\nparts:\n  a: {price: -1, prise: 2}\n  b: {weight_kg: x}\nrak: {}\n"
    loaded, findings = load(tmp_path, text)
    assert loaded is None
    assert {(c, line) for c, line, _ in places(findings)} == {
        ("PX104", 1),
        ("PX108", 3),
        ("PX101", 3),
        ("PX104", 4),
        ("PX101", 5),
    }
    assert "Did you mean price?" in {f.hint for f in findings}


def test_a_file_of_mistakes_ends(tmp_path: Path) -> None:
    text = "currency: EUR\nparts:\n" + "".join(f"  p{n}: {{price: -1}}\n" for n in range(3000))
    loaded, findings = load(tmp_path, text)
    assert loaded is None
    assert len(findings) <= 100
    many = "currency: EUR\nparts:\n" + "".join(f"  p{n}: {{price: 1}}\n" for n in range(5001))
    assert "5,001 parts" in load(tmp_path, many)[1][0].message


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    loaded, findings = load_parts(str(tmp_path / "none.yaml"))
    assert loaded is None
    assert [f.code for f in findings] == ["PX001"]


def of_bill(tmp_path: Path, parts: str, name: str = "large+hdmd") -> tuple[bills.Billed, list[Finding]]:
    path = tmp_path / "parts.yaml"
    path.write_text(f"currency: EUR\nparts:\n{parts}")
    made = bills.bom(workflow.Given(name), str(path))
    return made, [f for f in made.findings if f.position and f.position.file == str(path)]


@pytest.mark.parametrize(
    ("part", "code", "hint"),
    [
        ("nl-sas-12t: {price: 4}", "PX650", "Did you mean nl-sas-12tb?"),
        ("nl-sas-16tb: {price: 4}", "PX650", "Did you mean nl-sas-12tb?"),
        ("zzz: {price: 4}", "PX650", "A part of your own has title and count."),
        ("nl-sas-12tb: {count: 3}", "PX651", "Leave out count"),
        ("nl-sas-12tb: {title: x}", "PX651", "Leave out title"),
        ("openmanage: {title: x}", "PX651", "Leave out title"),
        ("zzz: {title: x, price: 4}", "PX654", "Add count."),
        ("zzz: {count: 3, price: 4}", "PX654", "Add title."),
        ("zzz: {title: x, count: 1000000, price: 100000000}", "PX655", ""),
    ],
)
def test_what_does_not_fit_the_bill(part: str, code: str, hint: str, tmp_path: Path) -> None:
    made, (found,) = of_bill(tmp_path, f"  {part}\n")
    assert (found.code, found.position and found.position.line in (2, 3)) == (code, True)
    assert hint in found.hint
    assert (made.bill is None) == (found.severity == "error")
    assert (found.severity == "warning") == (code == "PX650")


def test_parts_of_other_systems_are_named_together(tmp_path: Path) -> None:
    _, (found,) = of_bill(tmp_path, "  nl-sas-16tb: {price: 1}\n  nl-sas-8tb: {price: 1}\n  sb7800: {price: 1}\n")
    assert found.code == "PX650"
    assert "nl-sas-16tb, nl-sas-8tb, sb7800 are no parts" in found.message


def test_no_part_that_the_file_has_is_proposed(tmp_path: Path) -> None:
    """The nearest id is no mistake of spelling where it stands in the file as well."""
    _, (found,) = of_bill(tmp_path, "  nl-sas-16tb: {price: 1}\n  nl-sas-12tb: {price: 1}\n")
    assert (found.code, "Did you mean" in found.hint) == ("PX650", False)
    _, (found,) = of_bill(tmp_path, "  nl-sas-12t: {price: 1}\n  nl-sas-12tb: {price: 1}\n")
    assert (found.code, "nl-sas-12tb" in found.hint) == ("PX650", False)


def test_the_invented_parts_fit_their_example() -> None:
    path = folder("examples") / "parts" / "invented.yaml"
    found = bills.bom(workflow.Given("large+hdmd"), str(path))
    assert found.bill is not None
    assert not [f for f in found.findings if f.position and "invented" in f.position.file]
    assert "INVENTED" in path.read_text().splitlines()[0]


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["currency", "parts", "rack", "units", "price", "title", "count", "nl-sas-12tb", "a b"]
                ),
                inner,
            )
        ),
        max_leaves=12,
    )
)
def test_any_words_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, words: object) -> None:
    path = tmp_path_factory.mktemp("parts") / "parts.yaml"
    path.write_text(yaml.safe_dump(words, allow_unicode=True), encoding="utf-8")
    loaded, findings = load_parts(str(path))
    assert (loaded is None) == has_errors(findings)
    assert all(f.position is not None and f.position.file == str(path) for f in findings)
