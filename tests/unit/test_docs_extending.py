"""The page that says what a new file system and a new way to make volumes touch, against the tree.

The page has a chapter for each, with tables of modules, registries, records and data; here every name in them is looked
up.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "pixsize"
PAGE = ROOT / "docs/how-to/add-a-file-system.md"

OWN, REGISTRIES, RECORDS, SHARED = (
    "Modules of its own",
    "Entries in registries",
    "Records",
    "Shared modules that know it",
)
TEMPLATES, DATA = "Templates", "Data"
TABLES = (OWN, REGISTRIES, RECORDS, SHARED, TEMPLATES, DATA)


class Kind(NamedTuple):
    """What is added: its chapter, and the column of the counts."""

    chapter: str
    column: str


KINDS = [
    Kind("A file system: Lustre", "Lustre"),
    Kind("A way to make volumes: PowerFlex", "PowerFlex"),
]

Rows = list[list[str]]


@lru_cache(maxsize=1)
def chapters() -> dict[str, dict[str, Rows]]:
    """The rows of each table: chapter -> heading -> cells."""
    found: dict[str, dict[str, Rows]] = {}
    for part in re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.M)[1:]:
        title, _, body = part.partition("\n")
        tables = found.setdefault(title, {})
        for below in re.split(r"^### ", "### \n" + body, flags=re.M)[1:]:
            heading, _, text = below.partition("\n")
            rows = [[c.strip() for c in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
            tables[heading.strip()] = rows[2:]
    return found


def coded(cell: str) -> list[str]:
    return re.findall(r"`([^`\n]+)`", cell)


def first(kind: Kind, heading: str) -> list[str]:
    """What the rows of a table are about."""
    return [name for row in chapters()[kind.chapter][heading] for name in coded(row[0])]


def module(path: str) -> str:
    return "pixsize." + path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.column)
def test_every_chapter_has_its_tables(kind: Kind) -> None:
    assert [h for h in chapters()[kind.chapter] if h] == list(TABLES)


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.column)
def test_every_module_and_folder_exists(kind: Kind) -> None:
    for heading in (OWN, SHARED):
        named = first(kind, heading)
        assert len(named) == len(set(named)) > 0
        assert [n for n in named if not (SOURCE / n).is_file()] == [], heading
    assert [n for n in first(kind, TEMPLATES) if not any((ROOT / "templates" / n).glob("*.j2"))] == []
    assert [n for n in first(kind, DATA) if not (ROOT / "catalogs" / n).is_file()] == []


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.column)
def test_every_registry_holds_its_entries(kind: Kind) -> None:
    for registry, path, entries in chapters()[kind.chapter][REGISTRIES]:
        held = getattr(import_module(module(coded(path)[0])), coded(registry)[0])
        keys = [
            ", ".join(k) if isinstance(k, tuple) else getattr(k, "__name__", k)
            for k in (held if not isinstance(held, dict) else held.keys())
        ]
        assert coded(entries)
        assert [e for e in coded(entries) if e not in keys] == [], registry


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.column)
def test_every_record_and_field_is_there(kind: Kind) -> None:
    for names, path, *_ in chapters()[kind.chapter][RECORDS]:
        held = import_module(module(coded(path)[0]))
        for name in coded(names):
            record, _, field = name.partition(".")
            fields = getattr(held, record)
            assert not field or field in fields.__annotations__ or hasattr(fields, field), name


def test_the_designs_name_what_the_registries_hold() -> None:
    """The words that lead there."""
    designs = [
        record
        for path in (ROOT / "catalogs/designs").glob("*.yaml")
        for record in yaml.safe_load(path.read_text(encoding="utf-8"))
        if record["kind"] in ("design", "pool_design")
    ]
    shapes = import_module("pixsize.load.request_loader").SHAPES
    assert {(d["filesystem"], d["volumes"]) for d in designs} == set(shapes)


def test_pages_name_what_registries_hold() -> None:
    """Every target in the README, and every kind of record on the page about them."""
    targets = set(coded((ROOT / "README.md").read_text(encoding="utf-8")))
    assert set(import_module("pixsize.render").RENDERERS) <= targets
    kinds = coded((ROOT / "docs/how-to/extend-the-catalog.md").read_text(encoding="utf-8"))
    assert set(import_module("pixsize.catalog.kinds").KINDS) <= set(kinds)


def test_pages_name_no_code_that_is_gone() -> None:
    codes = import_module("pixsize.codes").CODES
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        assert set(re.findall(r"\bPX[0-9]{3}\b", page.read_text(encoding="utf-8"))) - {"PX123"} <= set(codes), page.name
