"""Illegal requests of every design, made from its examples, end in findings: never in a traceback, never in a plan."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pixsize.check import check
from pixsize.findings import has_errors
from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.request import COMPLETED
from tests.products.drawing import LEFT_OUT, at, examples, model_at, paths, put
from tests.support.running import catalog, load_text, load_words, refused

every_design = pytest.mark.parametrize("design", sorted(examples()))
WRONG_FOR_ALL: list[Any] = [{"a": 1}, [[]], "$(id)", "a'b", 'a"b', "a\nb", "-rf", "a b", "..", "", "–x", 10**30]
"""What no word takes, but for the reason why a warning is taken on."""
OF_ANOTHER_TYPE: dict[type, list[Any]] = {
    bool: [0, 1, "yes"],
    int: [1.5, True, "2"],
    str: [12, 1.5, True],
    list: ["a", 2],
    dict: ["a", 2, []],
}
"""What is wrong where a value of a type stands."""
JUNK = [b"\t", b"[", b"{", b"&a ", b"*a", b"!!python/object:os.system ", b"\x00", b"'", b"---\n", b"? "]


@every_design
def test_a_value_of_another_type_is_refused(design: str) -> None:
    words = max(examples()[design], key=lambda words: len(list(paths(words))))
    for path in paths(words):
        for value in OF_ANOTHER_TYPE[type(at(words, path))]:
            refused(put(words, path, value))


@pytest.mark.long
@every_design
@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_hostile_value_anywhere_is_refused(design: str, data: st.DataObject) -> None:
    words = data.draw(st.sampled_from(examples()[design]))
    path = data.draw(st.sampled_from([path for path in paths(words) if path[-1] != "reason"]))
    changed = put(words, path, data.draw(st.sampled_from(WRONG_FOR_ALL)))
    loaded, _ = load_words(changed)
    if loaded is None:
        refused(changed)
    else:  # a number that is too large for the plan that it leads to
        plan, refusals = make_plan(loaded.request, catalog(), Observed())
        assert has_errors(check(loaded.request, plan, catalog(), Observed()) if plan else refusals)


@every_design
def test_an_unknown_word_anywhere_is_refused(design: str) -> None:
    for words in examples()[design]:
        for path in ((), *paths(words)):
            if isinstance(at(words, path), dict) and model_at(design, path):
                refused(put(words, (*path, "Count"), 1))


@every_design
def test_a_missing_word_is_refused(design: str) -> None:
    for words in examples()[design]:
        needed = [path for path in paths(words) if _is_needed(design, path)]
        assert {("name",), ("design",)} <= set(needed)
        for path in needed:
            refused(put(words, path, LEFT_OUT))


def _is_needed(design: str, path: tuple[Any, ...]) -> bool:
    """Whether the model of a mapping wants this word, and nothing completes it."""
    model = model_at(design, path[:-1]) if isinstance(path[-1], str) else None
    fields = {field.alias or name: field for name, field in model.model_fields.items()} if model else {}
    field = fields.get(path[-1])
    return field is not None and field.is_required() and field.json_schema_extra != COMPLETED


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_end_in_findings(text: bytes) -> None:
    loaded, findings = load_text(text)
    assert loaded is None
    assert has_errors(findings)


@pytest.mark.long
@every_design
@settings(max_examples=50, deadline=None)
@given(st.data())
def test_a_damaged_file_never_ends_in_a_traceback(design: str, data: st.DataObject) -> None:
    text = yaml.safe_dump(data.draw(st.sampled_from(examples()[design]))).encode()
    place = data.draw(st.integers(0, len(text)))
    loaded, findings = load_text(text[:place] + data.draw(st.sampled_from(JUNK)) + text[place:])
    assert (loaded is None) == has_errors(findings)
