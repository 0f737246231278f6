"""Spreads are learned from pairs of measurements, and their records and page are what the measurements give."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from math import exp, log
from pathlib import Path
from typing import Any

import pytest
import yaml

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.measurements import Measurement
from tests.support.estimating import shipped

ROOT = Path(__file__).resolve().parent.parent.parent
N_N, N_1, RANDOM = (
    "throughput.sequential.n_n.write.peak",
    "throughput.sequential.n_1.read.peak",
    "throughput.random_4k.write.peak",
)
FIGURES = (N_N, N_1, RANDOM)


@pytest.fixture
def calibration(monkeypatch: pytest.MonkeyPatch) -> Any:
    """docs/calibration_pairs.py as a module."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    return import_module("calibration_pairs")


@pytest.fixture
def writer(monkeypatch: pytest.MonkeyPatch) -> Any:
    """docs/calibration.py as a module."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    return import_module("calibration")


# --- what is learned from pairs ------------------------------------------------------------------------------------


def pairs(calibration: Any, figure: str, count: int, residual: float, *kinds: str) -> list[Any]:
    """As many pairs that lie as far apart, up and down in turn; without kinds a repetition."""
    return [
        calibration.Pair(figure, kinds or ("again",), residual * (-1) ** i, (f"a{i}", f"b{i}")) for i in range(count)
    ]


def variance(learned: Any, family: str, kind: str) -> float:
    return float(learned[family, kind].variance)


def test_a_family_with_enough_pairs_stands_alone(calibration: Any) -> None:
    """Eight repetitions 10 % apart, and a hundred of another family far apart: the mean square of the eight."""
    known = [*pairs(calibration, N_N, 8, log(1.1)), *pairs(calibration, RANDOM, 100, 2.0)]
    learned = calibration.learn(known, FIGURES)
    assert learned["sequential.n_n", "again"].pairs == 8
    assert variance(learned, "sequential.n_n", "again") == pytest.approx(log(1.1) ** 2)
    assert variance(learned, "random_4k", "again") == pytest.approx(4)


def test_a_family_with_few_pairs_is_filled_up_from_the_wider_one(calibration: Any) -> None:
    """Two pairs of 0.3 and six times the variance of all sequential ones, N-N and N-1 together: (2 x 0.09 + 9 x 0.01)/11."""
    known = [*pairs(calibration, N_N, 2, 0.3), *pairs(calibration, N_1, 9, 0.1)]
    learned = calibration.learn(known, FIGURES)
    wider = (2 * 0.09 + 9 * 0.01) / 11
    assert variance(learned, "sequential", "again") == pytest.approx(wider)
    assert variance(learned, "sequential.n_n", "again") == pytest.approx((2 * 0.09 + 6 * wider) / 8)
    assert learned["sequential.n_n", "again"].pairs == 2
    assert variance(learned, "sequential.n_1", "again") == pytest.approx(0.01)


@pytest.mark.parametrize(("count", "expected"), [(3, 0.16), (2, (2 * 0.16 + 6 * (2 * 0.16 + 8 * 0.01) / 10) / 8)])
def test_a_wide_family_stands_alone_with_three_pairs(calibration: Any, count: int, expected: float) -> None:
    """Repetitions of random operations 0.4 apart; with two of them six are filled up from all figures."""
    known = [*pairs(calibration, RANDOM, count, 0.4), *pairs(calibration, N_N, 8, 0.1)]
    assert variance(calibration.learn(known, FIGURES), "random_4k", "again") == pytest.approx(expected)


def test_a_step_is_what_is_left_without_the_repetition(calibration: Any) -> None:
    """Pairs one generation apart lie 0.5 apart, repetitions 0.3: the step has 0.25 - 0.09."""
    known = [*pairs(calibration, N_N, 8, 0.3), *pairs(calibration, N_N, 8, 0.5, "generation")]
    learned = calibration.learn(known, FIGURES)
    assert variance(learned, "sequential.n_n", "generation") == pytest.approx(0.16)


def test_a_step_of_two_is_what_is_left_without_the_other(calibration: Any) -> None:
    """File systems only differ together with a generation: 0.36 less 0.16 of that and 0.09 of the repetition."""
    known = [
        *pairs(calibration, N_N, 8, 0.3),
        *pairs(calibration, N_N, 8, 0.5, "generation"),
        *pairs(calibration, N_N, 8, 0.6, "generation", "filesystem"),
    ]
    learned = calibration.learn(known, FIGURES)
    assert variance(learned, "sequential.n_n", "filesystem") == pytest.approx(0.11)
    assert variance(learned, "sequential.n_n", "generation") == pytest.approx(0.16)


def test_of_the_pairs_with_a_step_those_with_the_fewest_others_count(calibration: Any) -> None:
    known = [
        *pairs(calibration, N_N, 8, 0.1),
        *pairs(calibration, N_N, 8, 0.2, "generation"),
        *pairs(calibration, N_N, 8, 3.0, "count", "generation"),
        *pairs(calibration, N_N, 8, 9.0, "expansion", "count", "generation"),
    ]
    learned = calibration.learn(known, FIGURES)
    assert variance(learned, "sequential.n_n", "generation") == pytest.approx(0.03)
    assert learned["sequential.n_n", "generation"].pairs == 8


def test_no_variance_is_below_nothing(calibration: Any) -> None:
    """Expansions that lie closer than repetitions bring nothing, and the ratio of their record is 1."""
    known = [*pairs(calibration, N_N, 8, 0.3), *pairs(calibration, N_N, 8, 0.1, "expansion")]
    learned = calibration.learn(known, FIGURES)
    assert variance(learned, "sequential.n_n", "expansion") == 0
    record = next(r for r in calibration.records_of(learned, 1.65) if r["id"] == "spread.sequential.n_n")
    assert record["ratios"]["expansion"] == "1.000"
    assert record["ratios"]["again"] == f"{exp(1.65 * 0.3):.3f}"


def test_a_step_that_nobody_measured_is_as_wide_as_a_repetition(calibration: Any) -> None:
    learned = calibration.learn(pairs(calibration, N_N, 8, 0.3), FIGURES)
    for kind in calibration.KINDS:
        assert variance(learned, "sequential", kind) == pytest.approx(0.09)
        assert learned["sequential", kind].pairs == (8 if kind == "again" else 0)


def test_a_family_without_pairs_has_no_record_but_the_wide_one(calibration: Any) -> None:
    learned = calibration.learn(pairs(calibration, N_N, 8, 0.3), FIGURES)
    found = {r["id"] for r in calibration.records_of(learned, 1.65)}
    assert found == {"spread.all", "spread.sequential", "spread.sequential.n_n", "spread.random_4k"}


# --- which pairs there are -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "other"),
    [
        ("pixstor-6.large.{}", "pixstor-6.large+expansion.{}"),
        ("pixstor-5.large.{}", "pixstor-6.large.{}"),
    ],
)
def test_a_pair_is_looked_at_from_one_side(calibration: Any, record: str, other: str) -> None:
    """A step up and the same step down are one observation; an expansion is looked at upwards."""
    one, two = (shipped().get(Measurement, i.format(N_N)) for i in (record, other))
    assert calibration.is_mirrored(one, two) is not calibration.is_mirrored(two, one)
    if "expansion" in other:
        assert calibration.is_mirrored(one, two)
        assert not calibration.is_mirrored(two, one)


def test_misprints_and_bounds_are_no_repetitions(calibration: Any) -> None:
    """Pairs of readings: what counts, is not the one used, and is a second look at the same quantity."""
    found = {p.ids[0]: p.residual for p in calibration.Laboratory(shipped())._readings()}
    for record in shipped().all(Measurement):
        others = [r for r in record.readings if not r.used and r.counts and not r.bound and not r.floor]
        if record.id in found:
            assert others, record.id
    assert found["pixstor-6.large.throughput.sequential.n_1.read.peak"] == pytest.approx(log(23.8 / 21.7))
    assert "pixstor-6.large.throughput.sequential.n_n.write.peak" not in found


def test_a_record_that_compares_itself_with_one_left_out_no_longer_does(calibration: Any) -> None:
    doubled = next(m for m in shipped().all(Measurement) if m.doubles)
    left = calibration.without(shipped(), {doubled.doubles})
    assert doubled.doubles not in left
    assert left.get(Measurement, doubled.id).doubles == ""


# --- the written files ---------------------------------------------------------------------------------------------


def stated_width() -> float:
    """How many standard deviations the page says that ranges hold to either side."""
    text = (ROOT / "docs/explanation/calibration.md").read_text(encoding="utf-8")
    found = re.search(r"The range holds ([0-9.]+)\s+standard deviations", text)
    assert found
    return float(found[1])


@pytest.fixture(scope="module")
def laboratory() -> Any:
    """That of the shipped measurements: it keeps its pairs, which take some seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "docs")
        return import_module("calibration_pairs").Laboratory(shipped())


def written(writer: Any, lab: Any) -> str:
    return str(writer.spreads_text(lab, lab.pairs, stated_width()))


@pytest.mark.long
def test_the_spreads_follow_from_the_measurements_and_the_stated_width(writer: Any, laboratory: Any) -> None:
    assert written(writer, laboratory) == (ROOT / "catalogs/spreads/calibrated.yaml").read_text(encoding="utf-8")


def test_the_page_says_what_the_records_do(calibration: Any) -> None:
    """Of each wide family: the ratio of every step with two digits, and its number of pairs."""
    text = (ROOT / "docs/explanation/calibration.md").read_text(encoding="utf-8")
    records = yaml.safe_load((ROOT / "catalogs/spreads/calibrated.yaml").read_text(encoding="utf-8"))
    by_id = {r["id"].removeprefix("spread."): r for r in records}
    for name, title in calibration.TITLES.items():
        if name != calibration.ALL:
            row = re.search(rf"^\| {title} \| (.*\)) \|$", text, re.M)
            assert row, title
            cells = [re.fullmatch(r"([0-9.]+) \((\d+)\)", c).groups() for c in row[1].split(" | ")]  # type: ignore[union-attr]
            for kind, (ratio, count) in zip(calibration.ORDER, cells, strict=True):
                assert float(ratio) == pytest.approx(float(by_id[name]["ratios"][kind]), abs=0.0051)
                assert int(count) == by_id[name]["pairs"][kind]


@pytest.mark.long
def test_a_changed_and_an_added_measurement_make_other_spreads(writer: Any) -> None:
    """Half the rate in one generation, and a second site's benchmark of a Large with other drives.

    Of the measurements only those of this figure are kept, as pairs are of one figure.
    """
    raw = {i: w for i, w in shipped().raw.items() if w["kind"] != "measurement" or w["figure"] == N_N}
    now = written(writer, writer.Laboratory(Catalog(raw)))
    record_id = f"pixstor-5.large.{N_N}"
    reading = raw[record_id]["readings"][0] | {"value": "8 GB/s"}
    changed = Catalog(raw | {record_id: raw[record_id] | {"readings": [reading]}})
    assert written(writer, writer.Laboratory(changed)) != now
    more = dict(raw[f"pixstor-6.large.{N_N}"]) | {"id": f"site.{N_N}"}
    more["system"] = more["system"] | {"storage_modules": [{"size": "large", "data_drive": "nl-sas-16tb"}]}
    before, after = (
        next(r for r in yaml.safe_load(text) if r["id"] == "spread.sequential.n_n")["pairs"]["drive"]
        for text in (now, written(writer, writer.Laboratory(Catalog(raw | {more["id"]: more}))))
    )
    assert after > before


@pytest.mark.long
def test_the_files_are_those_that_the_data_give(
    laboratory: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], writer: Any
) -> None:
    """As `python docs/calibration.py --check`; a page that somebody edited is named, and left as it is."""
    assert laboratory.catalog.raw == writer.shipped().raw
    monkeypatch.setattr(writer, "Laboratory", lambda _: laboratory)
    monkeypatch.setattr(sys, "argv", ["calibration.py", "--check"])
    code = writer.main()
    captured = capsys.readouterr()
    assert (code, captured.err) == (0, "")
    assert captured.out == writer.PAGE.read_text(encoding="utf-8") + "\n"


def test_an_edited_page_is_noticed(
    writer: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With --check a file that differs is named and stays; without it both are written."""
    page, spreads = tmp_path / "page.md", tmp_path / "spreads.yaml"
    page.write_text("edited\n", encoding="utf-8")
    for name, value in (("ROOT", tmp_path), ("PAGE", page), ("SPREADS", spreads)):
        monkeypatch.setattr(writer, name, value)
    for name in ("page", "spreads_text"):
        monkeypatch.setattr(writer, name, lambda *_, name=name: f"{name}\n")
    monkeypatch.setattr(writer, "narrowest", lambda *_: 1.65)
    monkeypatch.setattr(writer.Laboratory, "pairs", ())
    monkeypatch.setattr(sys, "argv", ["calibration.py", "--check"])
    assert writer.main() == 1
    assert capsys.readouterr().err == "differs: spreads.yaml\ndiffers: page.md\n"
    assert (page.read_text(encoding="utf-8"), spreads.exists()) == ("edited\n", False)
    monkeypatch.setattr(sys, "argv", ["calibration.py"])
    assert writer.main() == 0
    assert (page.read_text(encoding="utf-8"), spreads.read_text(encoding="utf-8")) == ("page\n", "spreads_text\n")


def test_the_width_is_no_less_than_that_of_a_normal_distribution() -> None:
    assert stated_width() >= 1.65


def test_the_page_says_of_how_many_pairs_spreads_are_learned() -> None:
    """As many as the table of spreads adds up to."""
    page = (ROOT / "docs/explanation/calibration.md").read_text(encoding="utf-8")
    rows = [line for line in page.partition("## Spreads")[2].splitlines() if line.startswith("| ")][1:]
    in_table = sum(int(n) for row in rows for n in re.findall(r"\((\d+)\)", row))
    found = re.search(r"from (\d+) of the (\d+) pairs that there are", page)
    unused = re.search(r"The other (\d+) pairs", page)
    assert found
    assert unused
    assert int(found[1]) == in_table
    assert int(unused[1]) == int(found[2]) - in_table
