"""PDF by WeasyPrint, and what is said where it is missing."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pypdf
import pytest

from pixsize import quotes
from tests.quote.quoting import DATED, INVENTED, made, quoted
from tests.quote.test_template import png
from tests.support.cli_support import run


def test_without_weasyprint_a_finding_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    monkeypatch.delitem(sys.modules, "pixsize.report.quote.pdf", raising=False)
    result = run("quote", "-c", "small", "-o", str(tmp_path / "q.pdf"))
    assert result.exit_code == 1
    assert "error PX663 WeasyPrint is not installed" in result.stderr
    assert "pip install 'pixsize[pdf]'" in result.stderr
    assert not (tmp_path / "q.pdf").exists()


def test_without_a_library_of_the_system_a_finding_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "weasyprint":
                raise OSError("cannot load library 'libpango-1.0-0'")

    monkeypatch.delitem(sys.modules, "pixsize.report.quote.pdf", raising=False)
    for name in [m for m in sys.modules if m.partition(".")[0] == "weasyprint"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])
    found = quotes.write(made(parts=None), "pdf")
    assert not isinstance(found, str | bytes)
    assert (found.code, "libpango" in found.message) == ("PX663", True)


@pytest.fixture(scope="module")
def pdf(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    try:
        import weasyprint  # noqa: F401
    except (ImportError, OSError) as error:
        pytest.skip(f"no WeasyPrint: {error}")
    folder = tmp_path_factory.mktemp("pdf")
    (folder / "template").mkdir()
    (folder / "template/logo.png").write_bytes(png(30, 20))
    options = ("--customer", "University of X", "--template", str(folder / "template"), *DATED)
    return quoted("full-pixstor", folder / "q.pdf", *options, parts=INVENTED)


@pytest.mark.long
def test_the_pages_can_be_read(pdf: bytes) -> None:
    reader = pypdf.PdfReader(io.BytesIO(pdf))
    pages = [" ".join((p.extract_text() or "").split()) for p in reader.pages]
    assert [n for n, t in enumerate(pages) if "Appendix for engineers" in t] == [2]
    for text in ("University of X", "2026-11-23", "EUR 971,857.80", "11,907 TB", "37 GB/s"):
        assert text in " ".join(pages)
    assert len(reader.pages[0].images) == 1
    assert not any(p.get("/Annots") for p in reader.pages)
    assert reader.trailer["/Root"]["/Lang"] == "en"
    assert "/StructTreeRoot" in reader.trailer["/Root"]


@pytest.mark.long
def test_equal_input_makes_equal_bytes(pdf: bytes, tmp_path: Path) -> None:
    (tmp_path / "template").mkdir()
    (tmp_path / "template/logo.png").write_bytes(png(30, 20))
    options = ("--customer", "University of X", "--template", str(tmp_path / "template"), *DATED)
    assert quoted("full-pixstor", tmp_path / "q.pdf", *options, parts=INVENTED) == pdf
