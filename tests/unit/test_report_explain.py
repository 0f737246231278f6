"""The tree behind a figure: every branch ends in a catalog record with a document and a place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pixsize import workflow
from pixsize.catalog.catalog import Catalog
from pixsize.figures import Figure, Reading, Source
from pixsize.report import explain, text
from pixsize.report.safe import width
from pixsize.resources import folder

EXAMPLES = sorted(p.stem for p in folder("examples").glob("*.yaml"))

CATALOG = Catalog(
    {
        "doc": {"kind": "source", "id": "doc", "title": "A paper", "publisher": "P"},
        "d1": {
            "kind": "drive",
            "id": "d1",
            "title": "A drive",
            "capacity": "12 TB",
            "media": "nl-sas",
            "sources": [{"document": "doc", "place": "Table 1"}],
            "note": "as sold",
        },
        "m1": {
            "kind": "measurement",
            "id": "m1",
            "title": "A run",
            "figure": "a",
            "unit": "B",
            "conditions": {"threads": "32"},
            "readings": [
                {"value": "1 GB", "document": "doc", "place": "Table 4"},
                {"value": "2 GB", "document": "doc", "place": "text", "used": False, "why": "a typo"},
            ],
        },
    }
)


def figure(figure_id: str, *inputs: str, **more: Any) -> Figure:
    made = {"value": 10**9, "low": 10**9, "high": 10**9, "unit": "B", "basis": "exact", "rule": "a rule"} | more
    return Figure(id=figure_id, inputs=inputs, sources=(Source("doc", "p. 1"),), **made)


FIGURES = {f.id: f for f in (figure("a", "b", "d1"), figure("b", "d1", "m1"), figure("c", "a"))}


def nodes(tree: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield tree
    for child in tree.get("inputs", ()):
        yield from nodes(child)


def drawn(*ids: str, columns: int = 80) -> str:
    return text.plain(explain.lines(explain.document(ids, FIGURES, CATALOG), columns))


def test_tree_as_text() -> None:
    assert drawn("a").splitlines() == [
        "a = 1 GB (953.67 MiB)",
        "│ basis: exact",
        "│ rule: a rule",
        "│ source: A paper, p. 1",
        "├─ b = 1 GB (953.67 MiB)",
        "│  │ basis: exact",
        "│  │ rule: a rule",
        "│  │ source: A paper, p. 1",
        "│  ├─ d1: A drive",
        "│  │    drive: capacity 12 TB, media nl-sas",
        "│  │    note: as sold",
        "│  │    source: A paper, Table 1",
        "│  └─ m1: A run",
        "│       measurement: figure a, unit B",
        "│       reading, used: 1 GB (A paper, Table 4)",
        "│       reading, not used: 2 GB (A paper, text): a typo",
        "│       conditions: threads 32",
        "└─ d1 (above)",
    ]


def test_repeated_trees_stand_once_over_all_figures() -> None:
    trees = explain.document(["a", "c"], FIGURES, CATALOG)["figures"]
    assert trees[1]["inputs"] == [{"id": "a", "repeated": True}]
    assert drawn("a", "c").count("source: A paper, Table 1") == 1


def test_figures_readings_and_limits_are_told() -> None:
    reading = Reading(2, "2 GB", Source("doc", "text"), False, "a typo")
    FIGURES["r"] = figure("r", low=1, readings=(reading,), limited_by="drives", basis="estimated")
    said = drawn("r")
    assert "reading, not used: 2 GB (A paper, text): a typo" in said
    assert "limited by: drives" in said
    assert "range: 1 B (1 B) to 1 GB (953.68 MiB)" in said


@pytest.mark.parametrize("columns", [60, 80, 140])
def test_text_fits_the_columns(columns: int) -> None:
    trees = workflow.explain(workflow.Given("mix"), None).trees
    assert trees
    assert max(width("".join(p for _, p in line)) for line in explain.lines(trees, columns)) <= max(columns, 80)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_figure_ends_in_records_with_a_document_and_a_place(example: str) -> None:
    """Down to the leaves: whatever has no inputs of its own is a catalog record, or an exact count with its source."""
    explained = workflow.explain(workflow.Given(example), None)
    assert explained.trees
    trees = explained.trees["figures"]
    assert [t["id"] for t in trees] == list(explained.ids)
    for node in (n for tree in trees for n in nodes(tree) if not n.get("repeated")):
        sources = [*node.get("sources", ()), *node.get("readings", ())]
        assert node.get("inputs") or sources, f"{example}: {node['id']} comes from nowhere"
        for source in sources:
            assert source.get("document") or source["source"]["document"], node["id"]
            assert source.get("place") or source["source"]["place"], node["id"]
