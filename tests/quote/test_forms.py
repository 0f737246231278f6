"""Every form of a quote, read back and compared with `plan` and `bom`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.quote.quoting import (
    DATED,
    FORMS,
    INVENTED,
    document,
    html,
    markdown_text,
    quoted,
    rows_of,
    tables,
    told,
    workbook,
)
from tests.support.cli_support import run

NAME = "large+hdmd"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("quotes")
    options = ("--customer", "University of X", *DATED)
    return {f: quoted(NAME, folder / f"q.{f}", *options, parts=INVENTED) for f in FORMS}


def texts(form: str, data: bytes) -> str:
    """Everything that a reader of a form sees."""
    if form == "html":
        return html(data).one("body").text
    if form == "md":
        return markdown_text(data)
    if form == "xlsx":
        return "\n".join(str(c) for rows in workbook(data).values() for row in rows for c in row if c is not None)
    read = document(data)
    cells = (c for table in tables(read) for row in table for c in row)
    return "\n".join([*(p.text for p in read.paragraphs), *cells])


@pytest.mark.parametrize("form", FORMS)
def test_each_form_says_whom_when_what_and_how_it_was_made(made: dict[str, bytes], form: str) -> None:
    seen = texts(form, made[form])
    for text in ("University of X", "2026-11-23", "2026-12-31", "scratch", "pixsize 0.1.0"):
        assert text.lower() in seen.lower()
    plan = told("plan", NAME)
    assert plan["name"] in seen
    for text in plan["not_included"]:
        assert text.lower() in seen.lower()


@pytest.mark.parametrize("form", FORMS)
def test_each_form_has_the_bill(made: dict[str, bytes], form: str) -> None:
    bill = told("bom", NAME, "--parts", INVENTED)
    seen = texts(form, made[form]).replace(",", "")
    for row in bill["rows"]:
        if row["included"]:
            assert row["title"].replace(",", "") in seen
            assert str(row.get("price", 0)).removesuffix(".0") in seen


def test_the_page_shows_the_low_ends_that_plan_gives(made: dict[str, bytes]) -> None:
    figures = told("plan", NAME)["figures"]
    rows = {r[0]: r for r in rows_of(html(made["html"]).by_id("does").one("table"))}
    for rate, name in (
        ("n_n.write", "Write, one file for each thread"),
        ("n_n.read", "Read, one file for each thread"),
    ):
        figure = figures[f"throughput.sequential.{rate}.sustained"]
        low, value = (float(c.split()[0]) for c in rows[name][1:3])
        assert figure["low"] - 10**9 < low * 10**9 <= figure["low"]
        assert value * 10**9 == pytest.approx(figure["value"], rel=0.005)


def test_numbers_of_the_workbook_are_the_plans(made: dict[str, bytes]) -> None:
    figures = told("plan", NAME)["figures"]
    scales = {"TB": 10**12, "GB/s": 10**9}
    rows = workbook(made["xlsx"])["figures"][1:]
    assert {r[0] for r in rows} == {i for i in figures if ".threads_" not in i}
    for name, unit, *ends, basis, _ in rows:
        figure = figures[name]
        assert [round(n * scales.get(unit, 1)) for n in ends] == [figure["low"], figure["value"], figure["high"]]
        assert basis == figure["basis"]


@pytest.mark.parametrize("form", FORMS)
def test_equal_input_makes_equal_bytes(made: dict[str, bytes], form: str, tmp_path: Path) -> None:
    again = quoted(NAME, tmp_path / f"other.{form}", "--customer", "University of X", *DATED, parts=INVENTED)
    assert again == made[form]


@pytest.mark.parametrize("form", FORMS)
def test_a_quote_without_a_date_has_none(form: str, tmp_path: Path) -> None:
    result = run("quote", "-c", NAME, "-o", str(tmp_path / f"q.{form}"))
    assert result.exit_code == 0
    assert "note PX660" in result.stderr
    assert "Valid until" not in texts(form, (tmp_path / f"q.{form}").read_bytes())
