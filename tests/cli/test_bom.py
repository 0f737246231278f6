"""`pixsize bom` as its users see it."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest

from pixsize.resources import folder
from tests.support.cli_support import LEGAL, loads, request, run

INVENTED = str(folder("examples") / "parts" / "invented.yaml")
PARTS = "currency: EUR\nparts:\n  nl-sas-12tb: {price: 410}\n"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def parts(text: str = PARTS) -> str:
    Path("parts.yaml").write_text(text)
    return "parts.yaml"


@pytest.mark.parametrize("form", ["text", "csv", "json", "markdown"])
def test_data_on_stdout_and_talk_on_stderr(tmp_path: Path, form: str) -> None:
    request(tmp_path)
    result = run("bom", "--parts", parts(), "--format", form)
    assert result.exit_code == 0, result.output
    assert "PX573" in result.stderr
    assert "PX573" not in result.stdout
    assert "nl-sas-12tb" in result.stdout
    assert "137760" in result.stdout.replace(",", "")
    assert run("bom", "--parts", "parts.yaml", "--format", form, "--quiet").stderr == ""
    if form == "json":
        assert loads(result.stdout)["schema"] == "pixsize.bom/1"
    if form == "csv":
        assert next(csv.DictReader(io.StringIO(result.stdout)))["item"] == "r750"


def test_a_bill_needs_no_parts_file() -> None:
    result = run("bom", "-c", "large+hdmd")
    assert result.exit_code == 0
    assert "no file large+hdmd here: this is about the shipped example large+hdmd" in result.stderr
    assert "--parts names a file with prices" in result.stdout
    assert "EUR" not in result.stdout


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("b.txt", b"lab"),
        ("b.csv", b"item,"),
        ("b.json", b"{"),
        ("b.md", b"# lab"),
        ("b.XLSX", b"PK"),
        ("b.xlsx", b"PK"),
    ],
)
def test_the_suffix_decides(name: str, begins: bytes) -> None:
    result = run("bom", "-c", "small", "-q", "-o", name)
    assert (result.exit_code, result.stdout) == (0, "")
    assert Path(name).read_bytes().startswith(begins)


def test_a_workbook_can_be_read() -> None:
    assert run("bom", "-c", "large+hdmd", "--parts", INVENTED, "-q", "-o", "b.xlsx").exit_code == 0
    book = openpyxl.load_workbook("b.xlsx")
    assert book.sheetnames == ["bill", "by purpose", "ports", "missing"]
    assert book["bill"]["A2"].value == "r750"
    assert book["bill"]["C2"].value == 2
    first = Path("b.xlsx").read_bytes()
    assert run("bom", "-c", "large+hdmd", "--parts", INVENTED, "-q", "-o", "b.xlsx").exit_code == 0
    assert Path("b.xlsx").read_bytes() == first


def test_another_suffix_is_refused_unless_the_form_is_said() -> None:
    result = run("bom", "-c", "small", "-o", "b.ods")
    assert result.exit_code == 1
    assert "error PX614" in result.stderr
    assert ".csv, .xlsx" in result.stderr
    assert not Path("b.ods").exists()
    assert run("bom", "-c", "small", "-q", "-o", "b.ods", "--format", "csv").exit_code == 0
    assert Path("b.ods").read_text().startswith("item,")
    assert run("bom", "-c", "small", "--format", "xlsx").exit_code == 2


def test_csv_in_a_file_ends_lines_as_the_rfc_has_it() -> None:
    run("bom", "-c", "small", "-q", "-o", "b.csv")
    data = Path("b.csv").read_bytes()
    assert data.count(b"\r\n") == data.count(b"\n") > 10


@pytest.mark.parametrize("form", ["text", "json", "csv"])
def test_a_wrong_parts_file_writes_nothing(tmp_path: Path, form: str) -> None:
    request(tmp_path)
    wrong = parts(PARTS.replace("410", "-410"))
    result = run("bom", "--parts", wrong, "--format", form, "-o", "out.csv")
    assert result.exit_code == 1
    assert "parts.yaml:3:24: error PX108" in result.stderr
    assert not Path("out.csv").exists()
    if form == "json":
        assert [f["code"] for f in loads(result.stdout)["findings"] if f["severity"] == "error"] == ["PX108"]
    else:
        assert result.stdout == ""


def test_mistakes_of_both_files_come_at_once(tmp_path: Path) -> None:
    request(tmp_path, LEGAL.replace("12 TB", "13 TB"))
    result = run("bom", "--parts", parts(PARTS.replace("price", "prise")))
    assert result.exit_code == 1
    assert "pixsize.yaml:5:" in result.stderr
    assert "parts.yaml:3:17: error PX101" in result.stderr


def test_an_unknown_part_is_a_warning(tmp_path: Path) -> None:
    request(tmp_path)
    result = run("bom", "--parts", parts(PARTS.replace("12tb", "12bt")))
    assert result.exit_code == 0
    assert "parts.yaml:3:3: warning PX650" in result.stderr
    assert "Did you mean nl-sas-12tb?" in result.stderr


def test_nothing_is_written_over_what_a_bill_is_made_from(tmp_path: Path) -> None:
    path = request(tmp_path)
    assert run("bom", "-o", str(path)).exit_code == 2
    assert run("bom", "--parts", parts(), "-o", "parts.yaml").exit_code == 2
    assert Path("parts.yaml").read_text() == PARTS


def test_one_of_both_files_comes_from_stdin(tmp_path: Path) -> None:
    request(tmp_path)
    result = run("bom", "--parts", "-", "-q", "--format", "json", input=PARTS)
    assert loads(result.stdout)["totals"]["price"] == 137760
    result = run("bom", "-c", "-", "-q", "--format", "json", input=LEGAL)
    assert loads(result.stdout)["name"] == "scratch"
    assert run("bom", "-c", "-", "--parts", "-", input=LEGAL).exit_code == 2


def test_a_parts_file_that_is_not_there() -> None:
    result = run("bom", "-c", "small", "--parts", "none.yaml")
    assert result.exit_code == 1
    assert "none.yaml:1:1: error PX001" in result.stderr
    assert result.stdout == ""


def test_no_terminal_obeys_the_texts_of_a_parts_file(tmp_path: Path) -> None:
    request(tmp_path)
    text = PARTS + '  own: {title: "<b>=HYPERLINK(1)</b> [x](http://evil.example)", count: 1, part_number: "=1"}\n'
    assert "\\<b>" in run("bom", "--parts", parts(text), "--format", "markdown").stdout
    cells = list(csv.reader(io.StringIO(run("bom", "--parts", parts(text), "--format", "csv").stdout)))[-1]
    assert "'=1" in cells
    result = run("bom", "--parts", parts(text.replace("=1", "\\e[2J")))
    assert result.exit_code == 1
    assert "\x1b" not in result.output


@pytest.mark.parametrize("form", ["text", "csv", "json"])
def test_xlsxwriter_loads_for_a_workbook_alone(form: str) -> None:
    code = (
        "import sys; from pixsize.cli import main\n"
        f"try: main(['bom', '--config', 'large+hdmd', '-q', '--format', '{form}'])\n"
        "except SystemExit: print(*sorted(m for m in sys.modules if m in ('rich', 'jinja2', 'pint', 'xlsxwriter')), file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stderr.splitlines()[-1] == ""


def test_plan_loads_nothing_of_prices() -> None:
    code = (
        "import sys; from pixsize.cli import main\n"
        "try: main(['plan', '--config', 'large+hdmd', '-q'])\n"
        "except SystemExit: print(*sorted(m for m in sys.modules if 'price' in m or 'xlsx' in m or 'parts_loader' in m), file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stderr.splitlines()[-1] == ""
