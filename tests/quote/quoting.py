"""Quotes made by the command, and readers of each form that know nothing of the writers."""

from __future__ import annotations

import io
import json
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import docx
import openpyxl
from markdown_it import MarkdownIt

from pixsize import quotes, workflow
from pixsize.report.quote.contents import Quote
from pixsize.resources import folder
from tests.support.cli_support import run

INVENTED = str(folder("examples") / "parts" / "invented.yaml")
DATED = ("--date", "2026-11-23", "--valid-until", "2026-12-31")
FORMS = ("html", "docx", "xlsx", "md")
_VOID = frozenset(("meta", "img", "br", "hr", "link", "input"))


def quoted(name: str, out: Path, *options: str, parts: str = "") -> bytes:
    """What the command writes for a request; it must succeed, and say nothing on stdout."""
    priced = ("--parts", parts) if parts else ()
    result = run("quote", "-c", name, "-q", "-o", str(out), *priced, *options)
    assert (result.exit_code, result.stdout) == (0, ""), result.output
    return out.read_bytes()


def told(command: str, name: str, *options: str) -> dict[str, Any]:
    """The JSON of another command about the same request."""
    result = run(command, "-c", name, "-q", "--format", "json", *options)
    assert result.exit_code == 0, result.output
    held: dict[str, Any] = json.loads(result.stdout)
    return held


class Node:
    """An element of a page: its name, attributes, texts and elements in order."""

    def __init__(self, name: str, attributes: dict[str, str]) -> None:
        self.name, self.attributes = name, attributes
        self.inside: list[Node | str] = []

    @property
    def text(self) -> str:
        return "".join(i if isinstance(i, str) else i.text for i in self.inside)

    def all(self, *names: str) -> list[Node]:
        below = [n for i in self.inside if isinstance(i, Node) for n in [i, *i.all()]]
        return [n for n in below if not names or n.name in names]

    def one(self, name: str) -> Node:
        (found,) = self.all(name)
        return found

    def by_id(self, name: str) -> Node:
        (found,) = [n for n in self.all() if n.attributes.get("id") == name]
        return found


class Reader(HTMLParser):
    """A strict reader: each element is closed where it should be, attributes stand once, and `&` begins a reference."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({n for n, _ in attrs}) == len(attrs), (tag, attrs)
        node = Node(tag, {n: v or "" for n, v in attrs})
        self.open[-1].inside.append(node)
        if tag not in _VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].inside.append(Node(tag, {n: v or "" for n, v in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].name == tag, f"</{tag}> closes <{self.open[-1].name}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].inside.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"a declaration: {data}")


def html(data: bytes) -> Node:
    """The elements of a page."""
    reader = Reader()
    reader.feed(data.decode())
    reader.close()
    assert reader.open == [reader.root]
    return reader.root


def rows_of(table: Node) -> list[list[str]]:
    """The cells of each row of a table."""
    return [[c.text.strip() for c in r.all("th", "td")] for r in table.all("tr")]


def document(data: bytes) -> Any:
    """A DOCX: every part of it is well-formed XML, and python-docx reads it."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            if name.endswith((".xml", ".rels")):
                ElementTree.fromstring(archive.read(name))
    return docx.Document(io.BytesIO(data))


def tables(read: Any) -> list[list[list[str]]]:
    """The cells of each table of a document."""
    return [[[c.text for c in row.cells] for row in table.rows] for table in read.tables]


def workbook(data: bytes) -> dict[str, list[list[Any]]]:
    """The cells of each sheet; none of them is a formula."""
    book = openpyxl.load_workbook(io.BytesIO(data))
    assert all(c.data_type != "f" for sheet in book for row in sheet.iter_rows() for c in row)
    return {sheet.title: [list(row) for row in sheet.iter_rows(values_only=True)] for sheet in book}


def markdown(data: bytes) -> list[Any]:
    """The tokens of a page."""
    return MarkdownIt("commonmark").enable("table").parse(data.decode())


def markdown_text(data: bytes) -> str:
    """What a reader of the page sees, a line a block, cells set apart by bars."""
    lines = []
    for token in markdown(data):
        if token.type == "inline":
            lines.append("".join(c.content for c in token.children or ()))
    return "\n".join(lines)


def made(name: str = "large+hdmd", parts: str | None = INVENTED) -> Quote:
    """The record of a quote."""
    wanted = quotes.Wanted(parts, "University of X", "2026-11-23", "2026-12-31")
    held = quotes.quote(workflow.Given(name), wanted).quote
    assert held is not None
    return held
