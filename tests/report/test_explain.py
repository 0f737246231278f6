"""The tree behind a figure: every branch ends in a catalog record with a document and a place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from pixsize import workflow
from pixsize.catalog.catalog import Catalog
from pixsize.figures import Figure, Reading, Source
from pixsize.report import explain, text
from pixsize.report.printable import width
from pixsize.resources import folder
from tests.support.planned import facts, trees_of

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
        "│       reading: 1 GB (A paper, Table 4)",
        "│       another reading: 2 GB (A paper, text): a typo",
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
    assert "another reading: 2 GB (A paper, text): a typo" in said
    assert "limited by: drives" in said
    assert "range: 1 B (1 B) to 1 GB (953.68 MiB)" in said


@pytest.mark.parametrize(
    "value, said",
    [
        (
            {"inode": "512 B", "bytes_per_inode": [{"above": "10 GiB", "bytes": "69905 B"}, {"bytes": "64 KiB"}]},
            "inode 512 B; bytes_per_inode (above 10 GiB, bytes 69905 B) (bytes 64 KiB)",
        ),
        (
            {"journal": {"above": "1 GiB", "most": "4 GiB"}, "features": ["mmp", "^extents"], "flex": 256},
            "journal (above 1 GiB, most 4 GiB); features (mmp ^extents); flex 256",
        ),
        ([{"level": "r10", "slots": ["0-9", "10,19"]}], "level r10; slots (0-9 10,19)"),
        (
            [{"model": "a", "count": 1}, {"model": "b", "more": {"c": True}}],
            "(model a, count 1) (model b, more (c true))",
        ),
        (["64 KiB", "128 KiB"], "64 KiB, 128 KiB"),
        (["a", "b"], "a b"),
        (["a"], "a"),
        ([["a", "b"], "c"], "(a b), c"),
        ({"a": [], "b": {}}, "a (none); b (none)"),
        ({}, "none"),
        ([], "none"),
    ],
)
def test_nested_words_in_one_line(value: Any, said: str) -> None:
    assert explain.compact(value) == said


def said_of(example: str, figure_id: str) -> str:
    trees = workflow.explain(workflow.Given(example), [figure_id]).trees
    assert trees
    drawn_text = text.plain(explain.lines(trees, 80))
    return " ".join(" ".join(line.lstrip(" \u2502\u251c\u2514\u2500") for line in drawn_text.splitlines()).split())


@pytest.mark.parametrize(
    "example, figure_id, said",
    [
        (
            "lustre-me4",
            "capacity.filesystem_overhead",
            [
                "ost: inode 512 B; bytes_per_inode (above 10 GiB, bytes 69905 B) (above 1 TiB, bytes 256 KiB)",
                "journal (above 1 GiB, share 4 %, most 1 GiB); features (extents uninit_bg mmp",
                "resize (above 100 MiB, blocks 4290772992)",
                "groups: purpose data; level r6; slots (0-18/2 1-19/2",
            ],
        ),
        (
            "lustre-me4",
            "files.mdt_inodes",
            [
                "mdt: inode 1 KiB; bytes_per_inode (above 0 B, bytes 2560 B)",
                "groups: purpose metadata; level r10; slots (0-9 10-19)",
                "lustre.mgt_volume: The volume of an MGT on an array limit: value 8 GiB",
            ],
        ),
        ("lustre-powerflex", "capacity.pool_metadata", ["drives 8; media nvme; targets 4", "powerflex.mdt 552 GiB"]),
        (
            "large",
            "throughput.sequential.n_n.write.peak",
            ["system: design pixstor-6; storage_modules (size large, count 1, expansion false"],
        ),
    ],
)
def test_the_numbers_that_made_a_figure_are_told_at_its_leaves(example: str, figure_id: str, said: list[str]) -> None:
    shown = said_of(example, figure_id)
    assert [part for part in said if part not in shown] == []


def test_a_doubt_is_told_with_its_place() -> None:
    shown = said_of("lustre-powerflex", "throughput.sequential.n_n.write.peak")
    assert re.search(r"doubt: Lustre on Dell EMC PowerFlex[^:]*, A1[^:]*: .{,90}: 864 files of 16 GB", shown)


def test_a_spread_says_each_ratio_with_what_differs_and_where_it_was_learned() -> None:
    steps = {"again": "1.094", "generation": "1.234", "filesystem": "1.27"}
    words = {"kind": "spread", "id": "s1", "title": "Spread", "ratios": steps, "pairs": {"generation": 4, "again": 1}}
    tree = {"figures": [{"id": "s1", "kind": "spread", "title": "Spread", "says": words, "sources": []}]}
    assert text.plain(explain.lines(tree, 200)).splitlines()[1:] == [
        "  spread: nine of ten measurements lie between the prediction divided by the ratio and multiplied by it",
        "  the same again: ratio 1.094, learned from 1 pair of measurements",
        "  another generation of servers: ratio 1.234, learned from 4 pairs of measurements",
        "  another file system: ratio 1.27, borrowed, since no pair of measurements shows it",
    ]


@pytest.mark.parametrize("example", EXAMPLES)
def test_a_leaf_says_every_word_of_its_record(example: str) -> None:
    """Nothing that a figure may rest on is left out, however deep it lies."""
    leaves = [n for tree in trees_of(example)["figures"] for n in nodes(tree) if "kind" in n]
    assert leaves
    for leaf in leaves:
        raw = facts(example).catalog.raw[leaf["id"]]
        told = {*leaf, *leaf.get("says", {})}
        assert {w for w, v in raw.items() if v} - told <= {"replaces", "documented"}, leaf["id"]
        for word, value in leaf.get("says", {}).items():
            assert value == raw[word], leaf["id"]


@pytest.mark.parametrize("example", ["lustre-me4", "lustre-powerflex"])
def test_nested_words_fit_a_terminal(example: str) -> None:
    trees = trees_of(example)
    assert max(width("".join(p for _, p in line)) for line in explain.lines(trees, 80)) <= 80


@pytest.mark.parametrize("columns", [60, 80, 140])
def test_text_fits_the_columns(columns: int) -> None:
    trees = trees_of("mix")
    assert max(width("".join(p for _, p in line)) for line in explain.lines(trees, columns)) <= max(columns, 80)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_figure_ends_in_records_with_a_document_and_a_place(example: str) -> None:
    """Down to the leaves: whatever has no inputs of its own is a catalog record, or an exact count with its source."""
    trees = trees_of(example)["figures"]
    assert [t["id"] for t in trees] == list(facts(example).figures)
    for node in (n for tree in trees for n in nodes(tree) if not n.get("repeated")):
        sources = [*node.get("sources", ()), *node.get("readings", ())]
        assert node.get("inputs") or sources, f"{example}: {node['id']} comes from nowhere"
        for source in sources:
            assert source.get("document") or source["source"]["document"], node["id"]
            assert source.get("place") or source["source"]["place"], node["id"]


def test_a_sum_of_parts_does_not_claim_a_benchmark() -> None:
    """The heights of parts are added; some of the heights are judged."""
    explained = workflow.explain(workflow.Given("large"), ["hardware.rack_units", "throughput.random_4k.write.peak"])
    height, rate = (" ".join(lines) for lines in explained.short)
    assert "benchmark" not in height
    assert "worked out from the parts of the plan" in height
    assert "benchmark" in rate


@pytest.mark.parametrize("figure", ["peak", "sustained", "threads_256"])
def test_a_rate_that_may_come_from_a_cache_says_so_in_short(figure: str) -> None:
    """5.65 M reads a second of small files; another test gave 37.3 k."""
    rates = [f"metadata.4k.{operation}.{figure}" for operation in ("read", "create")]
    read, create = (" ".join(lines) for lines in workflow.explain(workflow.Given("large+hdmd"), rates).short)
    assert "may come from a cache: another test gave 37.3 kop/s" in read
    assert "cache" not in create
