"""The page in a real Chromium: on a phone and on a desk, light and dark, and printed; PDF by WeasyPrint beside it."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import pypdf
import pytest

from tests.quote.quoting import DATED, INVENTED, quoted
from tests.support.programs import tool

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    for name in ("large+hdmd", "full-pixstor", "lustre-powerflex"):
        quoted(name, folder / f"{name}.html", "--customer", "University of X", *DATED, parts=INVENTED)
    return folder


def chromium(folder: Path, page: Path, *options: str) -> str:
    """What Chromium says about a page that it opens by these options. Nothing is reached over a network."""
    fixed = (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--host-resolver-rules=MAP * ~NOTFOUND",
    )
    command = [tool("chromium"), *fixed, f"--user-data-dir={folder / 'profile'}", *options, page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    return done.stdout


def pixels(path: Path) -> tuple[tuple[int, int], list[tuple[int, int, int]]]:
    """The size of a picture, and the colours of its corners."""
    from PIL import Image

    with Image.open(path) as picture:
        image = picture.convert("RGB")
        wide, high = image.size
        return image.size, [image.getpixel(at) for at in ((2, 2), (wide - 3, 2), (2, high - 3))]  # type: ignore[misc]


@pytest.mark.parametrize(("wide", "dark"), [(500, False), (500, True), (1280, False), (1280, True)])
def test_the_page_on_screens(pages: Path, wide: int, dark: bool) -> None:
    out = pages / f"{wide}-{dark}.png"
    scheme = ("--blink-settings=preferredColorScheme=0",) if dark else ("--blink-settings=preferredColorScheme=1",)
    chromium(pages, pages / "full-pixstor.html", f"--screenshot={out}", f"--window-size={wide},1600", *scheme)
    size, corners = pixels(out)
    assert size == (wide, 1600)
    assert corners == [(13, 17, 23) if dark else (255, 255, 255)] * 3


WIDTHS = """<!DOCTYPE html><meta charset="utf-8"><iframe id="f" style="width:390px;height:800px;border:0"></iframe><p id="r"></p>
<script>
f.onload = () => { const d = f.contentDocument.documentElement; r.textContent = d.scrollWidth + " " + d.clientWidth; };
f.srcdoc = atob("%s");
</script>"""


def test_nothing_is_wider_than_a_phone(pages: Path) -> None:
    """In a frame of 390 pixels the page does not scroll sideways: what is wider scrolls by itself."""
    import base64

    for name in ("large+hdmd", "full-pixstor", "lustre-powerflex"):
        held = base64.b64encode((pages / f"{name}.html").read_bytes()).decode()
        frame = pages / f"{name}-frame.html"
        frame.write_text(WIDTHS % held)
        shown = chromium(pages, frame, "--dump-dom", "--virtual-time-budget=4000")
        found = shown.rpartition('<p id="r">')[2].partition("<")[0].split()
        assert len(found) == 2, shown[-300:]
        assert int(found[0]) <= int(found[1]) == 390, name


def read(data: bytes) -> list[str]:
    return [" ".join((p.extract_text() or "").split()) for p in pypdf.PdfReader(io.BytesIO(data)).pages]


@pytest.mark.parametrize("name", ["large+hdmd", "full-pixstor", "lustre-powerflex"])
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_two_pages_for_the_customer_then_the_appendix(pages: Path, name: str, paper: str) -> None:
    page = pages / f"{name}-{paper}.html"
    text = (pages / f"{name}.html").read_text()
    page.write_text(text.replace("</style>", f"@page {{ size: {paper}; }}</style>"))
    out = page.with_suffix(".pdf")
    chromium(pages, page, f"--print-to-pdf={out}", "--no-pdf-header-footer")
    printed = read(out.read_bytes())
    (begin,) = [n for n, t in enumerate(printed) if "Appendix for engineers" in t]
    assert begin <= 2
    assert "University of X" in printed[0]
    assert "What is not included" in printed[begin - 1]
    assert "Bill of materials" in " ".join(printed[begin:])
    wide = {"A4": 595, "Letter": 612}[paper]
    assert float(pypdf.PdfReader(io.BytesIO(out.read_bytes())).pages[0].mediabox.width) == pytest.approx(wide, abs=1)
