"""Whatever stands in a name or a text, each form has the structure that it has with harmless words, and shows the text."""

from __future__ import annotations

import dataclasses
import io
import re
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pixsize import quotes
from pixsize.report.printable import clean
from pixsize.report.quote.contents import Quote
from tests.quote.quoting import FORMS, Node, document, html, made, markdown, workbook
from tests.support.cli_support import run

ATTACKS = (
    "<script>alert(1)</script>",
    "</style></title></head><img src=x onerror=alert(1)>",
    "\" onload=\"alert(1)' x='",
    "&lt;b&gt; &amp; &#60;",
    "]]><!-- --> <![CDATA[",
    '=HYPERLINK("http://evil.example")',
    "+1+cmd|' /C calc'!A0",
    "@SUM(1)",
    "-1",
    "# not a heading",
    "- not an item",
    "12. not an item",
    "---",
    "===",
    "```",
    "~~~ x",
    "[x](http://evil.example)",
    "![x](http://evil.example)",
    "[x]: http://evil.example",
    "<http://evil.example>",
    "a | b \\| c \\",
    "**b** _i_ `c` ~~s~~",
    "> quoted",
    "    code",
    "\x00\x01\x08\x0b\x1b[2J\x7f\x85",
    "a\nb\r\n\r\n# c\u2028d\u2029e",
    "\ud800 \ufffe \uffff \U0010ffff",
    "\u202e reversed \u200b\ufeff",
    "{{ 7 * 7 }}{% raw %}${x}",
    "_x0041_",
)


def with_text(quote: Quote, text: str) -> Quote:
    """The quote with a text wherever somebody other than pixsize writes one."""
    words = quote.words._replace(
        texts={k: v if k == "language" else text for k, v in quote.words.texts.items()},
        lists={k: tuple(text for _ in v) or (text,) for k, v in quote.words.lists.items()},
    )
    bill = quote.bill._replace(
        rows=tuple(r._replace(part_number=text, row=r.row._replace(title=text, use=text)) for r in quote.bill.rows),
        not_included=(text,),
        ports=tuple(p._replace(title=text, use=text) for p in quote.bill.ports),
    )
    return quote._replace(
        words=words,
        head=quote.head._replace(customer=text),
        name=text,
        system=((text, text),),
        holds=tuple(m._replace(name=text) for m in quote.holds),
        does=tuple(m._replace(name=text, basis=text) for m in quote.does),
        unknown=(text,),
        needs=((text, text),),
        assumed=(text, text),
        left_out=(text,),
        steps=tuple(s._replace(name=text) for s in quote.steps),
        sources=(text,),
        bill=bill,
        racks=tuple(r._replace(boxes=tuple(b._replace(name=text, title=text) for b in r.boxes)) for r in quote.racks),
        topology=quote.topology._replace(
            servers=tuple(k._replace(title=text, role=text) for k in quote.topology.servers),
            networks=tuple(k._replace(title=text) for k in quote.topology.networks),
        ),
        findings=tuple(f._replace(message=text, accepted=text) for f in quote.findings),
    )


@cache
def plain() -> Quote:
    """A quote with a few of each of its parts: every kind of block is there."""
    quote = made()
    bill = quote.bill._replace(rows=quote.bill.rows[:3] + quote.bill.rows[-2:], missing=quote.bill.missing[:2])
    racks = tuple(r._replace(boxes=r.boxes[:3]) for r in quote.racks)
    return quote._replace(bill=bill, figures=quote.figures[:3], sources=quote.sources[:2], racks=racks)


@cache
def harmless(form: str) -> Any:
    return shape(form, quotes.write(with_text(plain(), "x"), form))


def outline(node: Node) -> list[Any]:
    """The elements of a page with the names of their attributes; of a picture, the picture alone."""
    if node.name == "svg":
        return [node.name, sorted(node.attributes)]
    return [node.name, sorted(node.attributes), [outline(n) for n in node.inside if isinstance(n, Node)]]


DRAWN = {"svg", "title", "desc", "g", "rect", "text", "path"}


def shape(form: str, data: Any) -> Any:
    """What of a form no text may change."""
    data = data.encode() if isinstance(data, str) else data
    if form == "html":
        root = html(data)
        for picture in root.all("svg"):
            assert {n.name for n in picture.all()} <= DRAWN
            assert not any(a.startswith("on") or "href" in a for n in [picture, *picture.all()] for a in n.attributes)
        return outline(root)
    if form == "markdown":
        return [(t.type, t.tag, t.level, inline(t)) for t in markdown(data)]
    if form == "docx":
        read = document(data)
        return (
            [p.style.name for p in read.paragraphs],
            [[[c.paragraphs[0].style.name for c in r.cells] for r in t.rows] for t in read.tables],
        )
    sheets = workbook(data)
    return {name: [[type(c).__name__ for c in row] for row in rows] for name, rows in sheets.items()}


def inline(token: Any) -> list[str]:
    """The markup inside a line; texts that follow each other are one."""
    kinds = [c.type for c in token.children or () if c.type != "text_special"]
    return [k for n, k in enumerate(kinds) if k != "text" or (n and kinds[n - 1] != "text")]


@pytest.mark.long
@pytest.mark.parametrize("form", ["html", "markdown", "docx", "xlsx"])
@settings(max_examples=12, deadline=None)
@given(text=st.text(st.characters(), min_size=1, max_size=60).filter(lambda t: clean(t).strip()))
@example(text="x")
def test_no_text_changes_a_form(form: str, text: str) -> None:
    assert shape(form, quotes.write(with_text(plain(), text), form)) == harmless(form)


@pytest.mark.long
@pytest.mark.parametrize("form", ["html", "markdown", "docx", "xlsx"])
def test_no_attack_changes_a_form(form: str) -> None:
    """Each attack by itself where its place in a line matters; several together where a form takes long."""
    together = [" ".join(ATTACKS[n::3]) for n in range(3)]
    for text in ATTACKS if form in ("html", "markdown") else together:
        assert shape(form, quotes.write(with_text(plain(), text), form)) == harmless(form), text


def test_each_form_shows_the_texts_themselves() -> None:
    quote = plain()._replace(assumed=ATTACKS)
    page = html(quotes.write(quote, "html").encode()).by_id("assumed")
    inlines = [t for t in markdown(quotes.write(quote, "markdown").encode()) if t.type == "inline"]
    found = {
        "html": [n.text for n in page.all("li")],
        "markdown": ["".join(c.content for c in t.children or ()) for t in inlines],
        "docx": [p.text for p in document(quotes.write(quote, "docx")).paragraphs],
        "xlsx": [c for row in workbook(quotes.write(quote, "xlsx"))["quote"] for c in row if isinstance(c, str)],
    }
    for form, texts in found.items():
        seen = {" ".join(t.split()) for t in texts}
        for text in ATTACKS:
            assert " ".join(clean(text).split()) in seen, (form, text)


@pytest.mark.parametrize("form", FORMS)
def test_hostile_files_of_a_user(form: str, tmp_path: Path) -> None:
    """The same by the command: a customer, a parts file and a template full of markup."""
    text = "<img src=x onerror=1> =1+1 | [x](http://evil.example) `c`"
    parts, template = tmp_path / "parts.yaml", tmp_path / "template"
    parts.write_text(f"currency: EUR\nparts:\n  own: {{title: '{text}', count: 1, price: 2, part_number: '=1+1'}}\n")
    template.mkdir()
    (template / "texts.yaml").write_text(f"title: '{text}'\nheadings: {{holds: '{text}'}}\nclosing: ['{text}']\n")
    out = tmp_path / f"q.{form}"
    words = ("--parts", str(parts), "--template", str(template), "--customer", text, "--date", "2026-11-23")
    result = run("quote", "-c", "small", "-q", "-o", str(out), *words)
    assert result.exit_code == 0, result.output
    data = out.read_bytes()
    shape({"md": "markdown"}.get(form, form), data)
    if form == "html":
        assert len([n for n in html(data).all() if n.name == "img"]) == 0
        assert html(data).one("h1").text.startswith(text)
    if form == "md":
        assert not any(c.type.startswith(("link", "code", "html")) for t in markdown(data) for c in t.children or ())


@pytest.mark.parametrize("text", ["a\nb", "a\x1b[2J", "x" * 501, " ", "a\u202eb"])
def test_a_customer_is_one_line(text: str, tmp_path: Path) -> None:
    result = run("quote", "-c", "small", "-o", str(tmp_path / "q.html"), "--customer", text)
    assert result.exit_code == 2
    assert "a text of one line is needed" in result.stderr
    assert "\x1b" not in result.output


def test_a_page_loads_nothing() -> None:
    """No scripts, no links out of the page, and a policy that forbids both."""
    page = html(quotes.write(plain(), "html").encode())
    assert not page.all("script", "link", "iframe", "object", "embed", "form", "base")
    for node in page.all():
        for name, value in node.attributes.items():
            assert not name.startswith("on")
            assert name not in ("src", "href", "style") or value.startswith("data:")
    (policy,) = [n for n in page.all("meta") if n.attributes.get("http-equiv")]
    assert policy.attributes["content"].startswith("default-src 'none'")
    assert not re.search(r"url\(|@import", page.one("style").text)


def test_a_document_has_no_links_out_and_no_macros() -> None:
    with zipfile.ZipFile(io.BytesIO(quotes.write(plain(), "docx"))) as archive:
        for name in archive.namelist():
            assert not name.endswith(".bin")
            assert b'TargetMode="External"' not in archive.read(name)


def test_the_record_is_frozen() -> None:
    quote = plain()
    with pytest.raises(AttributeError):
        quote.name = "x"  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        quote.figures[0].figure.value = 1  # type: ignore[misc]
