"""DOCX and XLSX of quotes in LibreOffice, which makes PDF of them. `make office` runs it; no other run collects it."""

from __future__ import annotations

import io
import shutil
import subprocess
from pathlib import Path

import pypdf
import pytest

from tests.quote.quoting import DATED, INVENTED, quoted, told

pytestmark = pytest.mark.real


@pytest.mark.parametrize("form", ["docx", "xlsx"])
@pytest.mark.parametrize("name", ["large+hdmd", "full-pixstor", "lustre-powerflex"])
def test_libreoffice_shows_what_the_quote_says(form: str, name: str, tmp_path: Path) -> None:
    office = shutil.which("soffice")
    assert office, "make office needs LibreOffice: apt-get install libreoffice-writer libreoffice-calc"
    quoted(name, tmp_path / f"q.{form}", "--customer", "University of X", *DATED, parts=INVENTED)
    profile = f"-env:UserInstallation=file://{tmp_path / 'profile'}"
    command = [
        office,
        "--headless",
        profile,
        "--convert-to",
        "pdf",
        "--outdir",
        str(tmp_path),
        str(tmp_path / f"q.{form}"),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    pages = pypdf.PdfReader(io.BytesIO((tmp_path / "q.pdf").read_bytes())).pages
    seen = [" ".join((p.extract_text() or "").split()) for p in pages]
    for text in ("University of X", "2026-11-23", "What is not included"):
        assert any(text in page for page in seen)
    # A cell is broken into lines where it is narrow: blanks are left out on both sides.
    shown = "".join("".join(seen).split())
    for row in told("bom", name, "--parts", INVENTED)["rows"]:
        if row["included"]:
            assert "".join(row["title"].split()) in shown
    if form == "docx":
        (begin,) = [n for n, page in enumerate(seen) if "Appendix for engineers" in page]
        assert begin == 2
    assert "#NAME?" not in shown
    assert "Err:" not in shown
