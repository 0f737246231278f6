"""What a template may hold, and what is said of one that is wrong."""

from __future__ import annotations

import base64
import io
import random
import struct
import zlib
from pathlib import Path

import docx
import pytest

from pixsize.load.wording_loader import load_wording
from tests.quote.quoting import document, html, quoted
from tests.support.cli_support import run


def png(wide: int = 3, high: int = 2) -> bytes:
    """A PNG by its specification, with a grey picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", wide, high, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x80" * wide) * high)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


JPEG = (
    base64.b64decode(
        "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////"
        "////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA="
    )
    + b"\xff\xd9"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "template"
    made.mkdir()
    return made


def codes(folder: Path) -> list[str]:
    return [f.code for f in load_wording(folder)[1]]


def test_words_of_a_template_stand_in_every_form(folder: Path, tmp_path: Path) -> None:
    words = "language: de\ntitle: Angebot\nheadings: {holds: Was es fasst}\nlabels: {customer: Kunde}\nassumptions: [Es ist so.]\n"
    (folder / "texts.yaml").write_text(words)
    (folder / "style.css").write_text("h1 { color: #123456; }\n")
    (folder / "logo.png").write_bytes(png())
    options = ("--template", str(folder), "--customer", "Universität", "--date", "2026-11-23")
    page = html(quoted("small", tmp_path / "q.html", *options))
    assert page.one("html").attributes["lang"] == "de"
    assert page.one("h1").text == "Angebot: lab"
    assert page.by_id("holds").one("h2").text == "Was es fasst"
    assert "Es ist so." in page.by_id("assumed").text
    assert "TiB is 2^40" not in page.by_id("assumed").text
    assert "What it does" in page.by_id("does").text
    assert "#123456" in page.one("style").text
    logo = page.one("img")
    assert base64.b64decode(logo.attributes["src"].removeprefix("data:image/png;base64,")) == png()
    assert logo.attributes["alt"]
    read = document(quoted("small", tmp_path / "q.docx", *options))
    assert len(read.inline_shapes) == 1
    assert "Was es fasst" in [p.text for p in read.paragraphs]
    assert "Angebot" in (quoted("small", tmp_path / "q.md", *options)).decode()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tittle: x\n", "texts.yaml:1:1: error PX101 unknown word 'tittle'"),
        ("labels: {custmer: x}\n", "texts.yaml:1:10: error PX101 unknown word 'custmer'"),
        ("title: 7\n", "texts.yaml:1:8: error PX104 a text is needed"),
        ("title: [x]\n", "texts.yaml:1:1: error PX104 a text is needed"),
        ("title:\n", "texts.yaml:1:7: error PX104"),
        ("labels: x\n", "texts.yaml:1:9: error PX104 a mapping of words"),
        ("assumptions: x\n", "texts.yaml:1:14: error PX104 a list of texts"),
        ('title: "a\\nb"\n', "texts.yaml:1:8: error PX104"),
        ('closing:\n- fine\n- "\\e[2J"\n', "texts.yaml:3:3: error PX104"),
        ("language: deutsch!\n", "texts.yaml:1:11: error PX102"),
        ("closing: [" + "x, " * 41 + "]\n", "error PX108"),
        ("title: x\ntitle: y\n", "texts.yaml:2:1: error PX007"),
        ("title: yes\n", "error PX009"),
        ("", "error PX005"),
    ],
)
def test_wrong_words_are_named_with_their_places(folder: Path, tmp_path: Path, text: str, said: str) -> None:
    (folder / "texts.yaml").write_text(text)
    result = run("quote", "-c", "small", "-o", str(tmp_path / "q.html"), "--template", str(folder))
    assert result.exit_code == 1
    assert said in result.stderr
    assert "\x1b" not in result.stderr
    assert not (tmp_path / "q.html").exists()


@pytest.mark.parametrize(
    "style",
    [
        "@import 'x';",
        "body { background: url(http://evil.example/x.png); }",
        "body { background: URL (x); }",
        "body { background: image-set('x' 1x); }",
        "</style><script>alert(1)</script>",
        "body { background: u\\72l(x); }",
        "<!--",
    ],
)
def test_a_style_that_reaches_out_is_refused_at_its_place(folder: Path, style: str) -> None:
    (folder / "style.css").write_text(f"p {{ color: red; }}\n  {style}\n")
    words, (found, *_) = load_wording(folder)
    assert words is None
    assert (found.code, found.position.line if found.position else 0) == ("PX661", 2)


def test_a_logo_is_what_its_bytes_say(folder: Path) -> None:
    (folder / "logo.png").write_bytes(JPEG)
    words, found = load_wording(folder)
    assert not found
    assert words
    assert words.logo
    assert (words.logo.media, words.logo.width, words.logo.height) == ("image/jpeg", 1, 1)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GIF89a",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        png()[:-1],
        png() + b"x",
        png().replace(b"IEND", b"IENE"),
        png(5000, 1),
        JPEG[:-2],
        JPEG[:30],
        b"\xff\xd8\xff" + b"\0" * 40 + b"\xff\xd9",
    ],
)
def test_a_logo_that_is_none_is_refused(folder: Path, data: bytes) -> None:
    (folder / "logo.png").write_bytes(data)
    assert codes(folder) == ["PX662"]


def test_a_logo_over_a_mebibyte_is_refused(folder: Path) -> None:
    (folder / "logo.png").write_bytes(png() + b"\0" * 2**20)
    assert codes(folder) == ["PX002"]


def test_a_damaged_logo_is_refused_or_written(folder: Path) -> None:
    """Bytes changed anywhere: either PX662, or a picture that python-docx takes."""
    draw = random.Random(7)
    taken = 0
    for original in (png(40, 20), JPEG):
        for _ in range(300):
            data = bytearray(original)
            for _ in range(draw.randrange(1, 4)):
                data[draw.randrange(3, len(data))] = draw.choice((0, 1, 0xFF, 0xD9, draw.randrange(256)))
            (folder / "logo.png").write_bytes(data)
            words, found = load_wording(folder)
            if words is None:
                assert [f.code for f in found] == ["PX662"]
            elif words.logo:
                taken += 1
                docx.Document().add_picture(io.BytesIO(words.logo.data), width=1000)
    assert taken > 20


def test_what_is_no_part_of_a_picture_is_left_out(folder: Path) -> None:
    secret = b"GPS 50.1 8.6"
    note = b"tEXt" + secret
    chunk = struct.pack(">I", len(secret)) + note + struct.pack(">I", zlib.crc32(note))
    exif = b"\xff\xe1" + struct.pack(">H", 2 + len(secret)) + secret
    for data in (png()[:33] + chunk + png()[33:], JPEG[:2] + exif + JPEG[2:]):
        assert secret in data
        (folder / "logo.png").write_bytes(data)
        words, _ = load_wording(folder)
        assert words
        assert words.logo
        assert secret not in words.logo.data


def test_files_that_a_quote_does_not_use_are_named(folder: Path) -> None:
    assert codes(folder) == ["PX664"]
    (folder / "text.yaml").write_text("title: x\n")
    assert codes(folder) == ["PX664"]
    (folder / "texts.yaml").write_text("title: x\n")
    (folder / "logo.svg").write_text("<svg/>")
    (folder / "README.md").write_text("ours")
    words, found = load_wording(folder)
    assert words
    assert [(f.code, f.position.file.rpartition("/")[2] if f.position else "") for f in found] == [
        ("PX665", "logo.svg"),
        ("PX665", "text.yaml"),
    ]
    assert "convert it to PNG" in found[0].hint
    assert found[1].hint == "Did you mean texts.yaml?"


def test_two_logos_are_one_too_many(folder: Path) -> None:
    (folder / "logo.png").write_bytes(png())
    (folder / "logo.jpg").write_bytes(JPEG)
    assert codes(folder) == ["PX662"]


def test_a_template_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for path in ("file", "none"):
        result = run("quote", "-c", "small", "-o", "q.html", "--template", str(tmp_path / path))
        assert result.exit_code == 2
