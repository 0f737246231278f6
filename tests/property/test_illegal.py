"""Illegal requests, mutated from legal ones, end in findings: never in a traceback, never in a plan."""

from __future__ import annotations

import copy
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pixsize.findings import has_errors
from tests.property.running import load_text, load_words
from tests.property.strategies import requests

WRONG_FOR_ALL: list[Any] = [
    {"a": 1},
    [[]],
    "12 W",
    "12 TiB",
    "-rf",
    "a b",
    "$(id)",
    "a'b",
    'a"b',
    "a\nb",
    "..",
    "",
    "–x",
    -1,
    10**30,
]
WRONG_FOR: dict[str, list[Any]] = {
    "count": [0, 1.5, True, "2", 10**9],
    "modules": [0, 0.5, 5000],
    "arrays": [0, 5, "4"],
    "expansion": [2, "yes", 0],
    "data_drive": [12, "12", "960 GB", "ssd-960gb", "13 TB"],
    "drive": ["12 TB", 960, "nl-sas-12tb"],
    "metadata_drive": ["12 TB", "12"],
    "chunk_size": [512, "512", "500 KiB", "512 KB"],
    "block_size": ["3 MiB", "32 MiB", 8],
    "inode_size": ["4 KB", "3 KiB"],
    "metadata_replicas": [0, 4, 1.5],
    "failure_groups": ["per-array", True],
    "hosts": [["a"], ["x", "x"], ["ok-1", "-no"], "a,b", ["mgmt1", "other"]],
    "design": ["pixstor-7"],
    "size": ["huge"],
    "name": ["a/b", "all", "1st"],
    "device": ["/dev/../x", "sda", "/dev/sda"],
    "server": ["a b", "-x"],
}


def paths(words: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = words.items() if isinstance(words, dict) else enumerate(words) if isinstance(words, list) else ()
    return [p for key, value in items for p in [(*path, key), *paths(value, (*path, key))]]


def put(words: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(words)
    at: Any = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return changed


def refused(words: dict[str, Any]) -> None:
    loaded, findings = load_words(words)
    assert loaded is None
    assert has_errors(findings)
    assert all(f.position is not None and f.position.line >= 1 for f in findings)


@settings(max_examples=150, deadline=None)
@given(requests(), st.data())
def test_a_wrong_value_anywhere_is_refused(words: dict[str, Any], data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(paths(words)))
    word = next(str(p) for p in reversed(path) if isinstance(p, str))
    choices = list(WRONG_FOR_ALL)
    if path[-1] == word:
        choices += WRONG_FOR.get(word, [])
    refused(put(words, path, data.draw(st.sampled_from(choices))))


@settings(max_examples=80, deadline=None)
@given(requests(), st.data())
def test_an_unknown_word_anywhere_is_refused(words: dict[str, Any], data: st.DataObject) -> None:
    inside = data.draw(st.sampled_from([(), *(p for p in paths(words) if isinstance(_at(words, p), dict))]))
    refused(put(words, (*inside, data.draw(st.sampled_from(["sizes", "x", "Count", "hdmds"]))), 1))


@settings(max_examples=80, deadline=None)
@given(requests(), st.data())
def test_a_missing_word_is_refused(words: dict[str, Any], data: st.DataObject) -> None:
    needed = [
        ("name",),
        ("design",),
        ("storage_modules",),
        ("filesystem",),
        ("filesystem", "name"),
        ("storage_modules", 0, "size"),
    ]
    path = data.draw(st.sampled_from(needed))
    changed = copy.deepcopy(words)
    del _at(changed, path[:-1])[path[-1]]
    refused(changed)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_end_in_findings(text: bytes) -> None:
    loaded, findings = load_text(text)
    assert loaded is None
    assert has_errors(findings)


@settings(max_examples=150, deadline=None)
@given(requests(), st.data())
def test_a_damaged_file_never_ends_in_a_traceback(words: dict[str, Any], data: st.DataObject) -> None:
    text = yaml.safe_dump(words).encode()
    at = data.draw(st.integers(0, len(text)))
    junk = data.draw(
        st.sampled_from(
            [b"\t", b"[", b"{", b"&a ", b"*a", b"!!python/object:os.system ", b"\x00", b"'", b"---\n", b"? "]
        )
    )
    loaded, findings = load_text(text[:at] + junk + text[at:])
    assert (loaded is None) == has_errors(findings)


def _at(words: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        words = words[key]
    return words
