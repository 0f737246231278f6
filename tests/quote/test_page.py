"""The page of every example: well-formed, and such that everybody can read it."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from pixsize import workflow
from pixsize.resources import folder
from tests.quote.quoting import DATED, INVENTED, Node, html, quoted, rows_of, told
from tests.support.cli_support import program

EXAMPLES = workflow.example_names()


@pytest.mark.long
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_page_of_every_example(name: str, tmp_path: Path) -> None:
    page = html(quoted(name, tmp_path / "q.html", "--customer", "University of X", *DATED, parts=INVENTED))
    plan = told("plan", name)
    assert page.one("html").attributes["lang"] == "en"
    assert page.one("head").one("title").text == f"Quote: {plan['name']}"
    levels = [int(n.name[1]) for n in page.all("h1", "h2", "h3", "h4")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    names = [n.attributes["id"] for n in page.all() if "id" in n.attributes]
    assert len(names) == len(set(names))
    for table in page.all("table"):
        judge_table(table)
    for picture in page.all("svg"):
        assert picture.attributes["role"] == "img"
        assert picture.attributes.get("aria-label") or set(picture.attributes["aria-labelledby"].split()) <= {*names}
    for region in (n for n in page.all("div") if n.attributes.get("role") == "region"):
        assert region.attributes["aria-label"]
        assert region.attributes["tabindex"] == "0"
    figures = plan["figures"]
    usable = figures.get("capacity.usable")
    if usable:
        low = next(r for r in rows_of(page.by_id("holds").one("table")) if r[0] == "Usable capacity")[1]
        shown = float(low.split()[0].replace(",", "")) * {"TB": 10**12, "GB": 10**9}[low.split()[1]]
        assert 0.98 * usable["low"] < shown <= usable["low"]
    listed = {r[0] for r in rows_of(page.by_id("figures").one("table"))}
    assert {i for i in figures if ".threads_" not in i} <= listed
    sources = [r[1] for r in rows_of(page.by_id("sources").one("table"))[1:]]
    cited = {f"{s['document']}, {s['place']}" for i, f in figures.items() if ".threads_" not in i for s in f["sources"]}
    assert cited <= set(sources)


def judge_table(table: Node) -> None:
    """Each row has a head, each column one where it has a title, and all rows are equally wide."""
    wide = set()
    for row in table.all("tr"):
        cells = row.all("th", "td")
        wide.add(sum(int(c.attributes.get("colspan", "1")) for c in cells))
        for head in row.all("th"):
            assert head.attributes["scope"] in ("col", "row", "rowgroup")
            assert head.text.strip()
        assert cells[0].name == "th" or not cells[0].text
    assert len(wide) == 1


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2, definition)."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("price", "is_said"), [("", False), ("me4024", True)])
def test_what_the_prices_lack_is_said_where_they_lack_it(price: str, is_said: bool, tmp_path: Path) -> None:
    parts = tmp_path / "parts.yaml"
    lines = Path(INVENTED).read_text(encoding="utf-8").splitlines(keepends=True)
    parts.write_text("".join(line for line in lines if not price or price not in line), encoding="utf-8")
    page = quoted("large+hdmd", tmp_path / "q.md", parts=str(parts)).decode()
    assert ("no price are not in the sums" in page) == is_said
    assert ("| **Total** | **at least EUR" in page) == is_said
    assert "| **Total** | **" in page
    assert "- If the bill has a line for something in this list, it is included." in page


def test_a_customer_reads_warnings_with_their_remedies_and_engineers_all_of_them(tmp_path: Path) -> None:
    page = quoted("large+hdmd", tmp_path / "q.md").decode()
    customer, engineer = page.split("## Appendix")
    assert "- All metadata lies on one array. Remedy: arrays: 2, or more HDMD modules" in customer
    assert "PX573" not in customer
    assert "PX573: " in engineer
    (whole,) = (f["message"] for f in told("plan", "large+hdmd")["findings"] if f["code"] == "PX573")
    assert whole not in customer


@pytest.mark.parametrize(("parts", "is_said"), [("", True), (INVENTED, False)])
def test_a_power_that_the_parts_file_gives_is_not_called_unknown(parts: str, is_said: bool, tmp_path: Path) -> None:
    page = quoted("large+hdmd", tmp_path / "q.md", parts=parts).decode()
    assert ("PX407" in page) == is_said
    assert ("not known; no document gives the power" in page) == is_said


def test_texts_and_bars_stand_out_in_light_dark_and_print() -> None:
    style = (folder("templates") / "quote" / "style.css").read_text()
    schemes = [dict(re.findall(r"--(\w+): (#\w{6})", block)) for block in re.findall(r":root \{([^}]*)\}", style)]
    assert len(schemes) == 3
    for colours in schemes:
        for ground in ("paper", "soft", "array", "server", "switch"):
            assert contrast(colours["ink"], colours[ground]) >= 4.5, ground
            assert contrast(colours["dim"], colours[ground]) >= 4.5, (ground, colours["dim"], colours[ground])
        assert contrast(colours["solid"], colours["paper"]) >= 4.5
        assert contrast(colours["solid"], colours["light"]) >= 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--date", "20261123"), "a date is YYYY-MM-DD"),
        (("--date", "2026-02-30"), "a date is YYYY-MM-DD"),
        (("--date", "2026-W48-1"), "a date is YYYY-MM-DD"),
        (("--date", "2026-11-23", "--valid-until", "2026-11-22"), "--valid-until is before --date"),
        (("-c", "-", "--parts", "-"), "standard input, which can be read once"),
        (("--date", "2026-11-23", "--date", "2026-11-24"), "it can be given once"),
        (("-o", ""), "an empty path"),
    ],
)
def test_wrong_usage(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    out = () if "-o" in words else ("-o", str(tmp_path / "q.html"))
    result = program("quote", *words, *out, cwd=tmp_path)
    assert result.returncode == 2
    assert said in result.stderr
    assert not list(tmp_path.iterdir())


def test_a_suffix_without_a_form_is_refused(tmp_path: Path) -> None:
    result = program("quote", "-c", "small", "-o", "q.odt", cwd=tmp_path)
    assert result.returncode == 1
    assert "q.odt:1:1: error PX614" in result.stderr
    assert ".html, .docx, .xlsx, .pdf, .md" in result.stderr
    assert "--format" not in result.stderr
    assert program("quote", "-c", "small", cwd=tmp_path).returncode == 2


def test_nothing_is_written_over_what_a_quote_is_made_from(tmp_path: Path) -> None:
    (tmp_path / "r.md").write_text("name: x\n")
    assert program("quote", "-c", "r.md", "-o", "r.md", cwd=tmp_path).returncode == 2
    assert program("quote", "-c", "small", "--parts", "r.md", "-o", "r.md", cwd=tmp_path).returncode == 2
    assert (tmp_path / "r.md").read_text() == "name: x\n"


def test_every_mistake_is_found_at_once(tmp_path: Path) -> None:
    (tmp_path / "t").mkdir()
    (tmp_path / "t/texts.yaml").write_text("tittle: x\n")
    (tmp_path / "p.yaml").write_text("parts: {x: {prise: 1}}\n")
    words = ("-c", "small", "--parts", "p.yaml", "--template", "t", "-o", "q.html")
    result = program("quote", *words, cwd=tmp_path)
    assert result.returncode == 1
    assert "p.yaml:1:13: error PX101" in result.stderr
    assert "t/texts.yaml:1:1: error PX101" in result.stderr


@pytest.mark.parametrize("command", [("plan",), ("bom",), ("quote", "-o", "q.html"), ("quote", "-o", "q.md")])
def test_writers_load_for_their_forms_alone(command: tuple[str, ...], tmp_path: Path) -> None:
    import subprocess
    import sys

    code = (
        "import sys; from pixsize.cli import main\n"
        f"try: main({[*command, '-c', 'small', '-q']!r})\n"
        "except SystemExit: print(*sorted(m for m in sys.modules if m in ('docx', 'lxml', 'weasyprint', 'xlsxwriter')), file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert result.stderr.splitlines()[-1] == ""
