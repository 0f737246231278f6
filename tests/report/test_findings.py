"""Findings as text: one block each, a caret below the right character, and nothing that a terminal would obey."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixsize.findings import Finding, Position
from pixsize.report import serialize
from pixsize.report.findings import document, lines, summary, text
from pixsize.report.printable import around, clean, width, wrap


def finding(line: str = "  count: 0", column: int = 10, **other: str) -> Finding:
    return Finding(
        "PX108", "count is 0", "storage_modules[0].count", position=Position("a.yaml", 4, column, line), **other
    )


def test_block_names_place_code_and_hint_and_points_at_the_column() -> None:
    assert text([finding(hint="at least 1")]).split("\n") == [
        "a.yaml:4:10: error PX108 count is 0",
        "      count: 0",
        "             ^",
        "  hint: at least 1",
    ]


def test_blocks_are_parted_by_one_blank_line() -> None:
    assert text([finding(), finding()]).count("\n\n") == 1


def test_finding_about_a_whole_file_shows_no_line() -> None:
    assert text([Finding("PX001", "gone", position=Position("b.yaml"))]) == "b.yaml:1:1: error PX001 gone"


def test_accepted_warning_shows_its_reason() -> None:
    shown = text([Finding("PX401", "sold for large", position=Position("b.yaml")).accept("we asked")])
    assert shown.split("\n") == ["b.yaml:1:1: warning PX401 sold for large", "  accepted: we asked"]


@pytest.mark.parametrize("evil", ["\x1b[2J", "\x07", "\x9b31m", "\u202e", "\u200b", "\r", "\n", "\udc80", "\u2028"])
def test_control_characters_are_written_out_wherever_they_stand(evil: str) -> None:
    position = Position(f"f{evil}", 1, 3, f"ab{evil}cd")
    shown = text([Finding("PX101", f"m{evil}", hint=f"h{evil}", position=position).accept(f"r{evil}")])
    assert evil not in shown.replace("\n", "") if evil != "\n" else shown.count("\n") == 4
    shown.encode()


def test_tabs_and_wide_characters_move_the_caret() -> None:
    assert around("\tx", 1, 80) == ("    x", 4)
    assert around("\u5bb6x", 1, 80) == ("\u5bb6x", 2)
    assert around("e\u0301x", 2, 80) == ("e\u0301x", 1)
    assert around("be\u0301\u0302x", 3, 80) == ("be\u0301\u0302x", 1)


def test_long_line_is_cut_around_the_caret() -> None:
    shown, caret = around("a" * 300 + "!" + "b" * 300, 300, 60)
    assert shown[caret] == "!"
    assert shown.startswith("...")
    assert shown.endswith("...")
    assert width(shown) <= 60


@given(st.text(max_size=300), st.integers(0, 400), st.integers(20, 120))
def test_caret_stands_below_its_character_and_the_line_fits(line: str, index: int, columns: int) -> None:
    shown, caret = around(line, index, columns)
    assert width(shown) <= columns + 10  # a written-out character is never cut in two
    assert caret <= width(shown)
    while 0 < index < len(line) and not width(clean(line[index])):
        index -= 1
    rest = "".join(c for c in map(clean, line[index:]) if width(c))  # a mark at the beginning has no column of its own
    before = shown
    while width(before) > caret:
        before = before[:-1]
    assert not rest or shown[len(before) :][:1] in (rest[0], ".")


@given(st.text(max_size=200), st.integers(1, 60))
def test_wrapped_text_keeps_every_word_in_order(words: str, columns: int) -> None:
    wrapped = wrap(words, columns)
    assert "".join("".join(wrapped).split()) == "".join(words.split())
    assert all(width(line) <= max(columns, 2) for line in wrapped)


@given(st.text(max_size=60))
def test_clean_text_is_printable_and_clean_stays_clean(raw: str) -> None:
    shown = clean(raw)
    assert all(c.isprintable() or c.isspace() for c in shown)
    assert clean(shown) == shown


def test_document_is_the_contracts() -> None:
    words = json.loads(serialize.to_json(document([finding(hint="at least 1"), Finding("PX401", "x").accept("why")])))
    assert words["schema"] == "pixsize.findings/1"
    assert words["findings"][0] == {
        "code": "PX108",
        "severity": "error",
        "message": "count is 0",
        "where": "storage_modules[0].count",
        "hint": "at least 1",
        "file": "a.yaml",
        "line": 4,
        "column": 10,
    }
    assert words["findings"][1]["accepted"] == "why"
    assert json.loads(serialize.to_json(document([]))) == {"schema": "pixsize.findings/1", "findings": []}


def test_summary_counts_each_severity_and_what_is_accepted() -> None:
    found = [Finding("PX401", "w"), Finding("PX402", "w").accept("r"), Finding("PX404", "n"), Finding("PX101", "e")]
    assert summary(found) == "1 error, 2 warnings (1 accepted), 1 note"
    assert summary([]) == "nothing found"


def test_each_line_knows_its_style() -> None:
    head, source, caret, hint = lines(finding(hint="at least 1"))
    assert [style for style, _ in head] == ["place", "error", ""]
    assert (source[0][0], caret[0][0], hint[0][0]) == ("", "caret", "hint")


def test_wrapped_for_a_reader_the_message_runs_on_below() -> None:
    long = Finding("PX408", "word " * 40, hint="hint " * 40, position=Position("a.yaml", 4, 10, "  count: 0"))
    drawn = ["".join(part for _, part in line) for line in lines(long, 60, wrapped=True)]
    assert drawn[0].startswith("a.yaml:4:10: warning PX408 word word")
    assert drawn[1].startswith("  word")
    assert max(map(width, drawn)) <= 60
    assert " ".join(drawn).count("word") == 40
    far = Finding("PX001", "gone", position=Position("f" * 50))
    assert ["".join(part for _, part in line) for line in lines(far, 60, wrapped=True)][1:] == ["  gone"]
