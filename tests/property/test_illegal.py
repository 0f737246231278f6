"""Illegal requests of every design, mutated from legal ones, end in findings: never in a traceback, never in a plan."""

from __future__ import annotations

import copy
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pixsize.findings import has_errors
from tests.property.lustre_strategies import on_arrays, on_pool
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
    "data_drive": [12, "12", "960 GB", "ssd-960gb", "12.1 TB"],
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
    "lustre_version": [2.15, "2.15", "2.11.0", "2.10.3", "2.10.9", "3.0.0", "2.15.8-1"],
    "lnet": ["opa", "o2ib01", "o2ib-1", "tcp:1", "O2IB", "ib0"],
    "interface": ["lo", "0ib", "ib0/1", "ib0:1", "a23456789b123456"],
    "subnet": ["10.10.0.1/24", "10.10.0.0", "10.10.0.0/31", "127.0.0.0/8", "224.0.0.0/8", "0.0.0.0/0", "fe80::/64", 10],
    "configured_by": ["netplan", "modprobe.d", True],
    "agent": ["idrac", "fence_", "fence_a-b", "FENCE_idrac"],
    "outlets": [{}, {"nobody": ["10.31.0.1/1"]}, ["10.31.0.1/1"], "10.31.0.1/1"],
    "devices": [[], ["sda"], ["/dev/sda"], ["/dev/mapper/a", "/dev/mapper/a"], "/dev/mapper/a"],
    "ring": ["10.40.0.0/24", {"interface": "eth1"}],
    "second": ["fence_sbd", {"agent": "fence_idrac"}, {"agent": "fence_sbd"}],
    "addresses": [{}, {"nobody": "10.10.0.1"}, ["10.10.0.1"], "10.10.0.1"],
    "management": ["iml", "iml_managed", True],
    "pairs": [0, 1.5, "2", True, 10**9],
    "dne": [1, "yes", "two"],
    "mgt": ["mgs", "mdt0", True, "9 GiB"],
    "ost": ["9 GiB", "8 GB", "1.6 TB", "0 B", 8, "90000 TiB"],
    "mdt": ["9 GiB", "8 GB", "1.6 TB", "0 B", 8, "90000 TiB"],
    "spare": [91, 33.3, "34", "34 %", True],
    "servers": [2, 0, 3.5, "4", True, 10**9],
    "failover": [1, "yes", 0],
    "stripe_count": [0, -2, 1.5, "4", "all", True],
    "stripe_size": ["32 KiB", "65 KiB", "100 KB", "0 B", "4 GiB", 65536],
    "code": ["PX000", "PX551", "PX546", "px406", 406],
    "reason": ["  ", 7, "\x07"],
}
MEANT_FOR_ALL: dict[str, list[Any]] = {
    "reason": ["12 W", "12 TiB", "-rf", "a b", "$(id)", "a'b", 'a"b', "..", "–x"],
    **{size: ["12 TiB"] for size in ("ost", "mdt", "mgt")},
    "stripe_count": [-1],
}
"""What is wrong for all but these: a reason is any line, 12 TiB are whole steps of a pool, -1 stripes are all OSTs."""
any_request = st.one_of(requests(), on_arrays(), on_pool())
NEEDED: dict[str, list[tuple[Any, ...]]] = {
    "pixstor-6": [("storage_modules",), ("storage_modules", 0, "size")],
    "lustre-me4": [("storage_modules",), ("storage_modules", 0, "data_drive")],
    "lustre-powerflex": [("servers",), ("drive",)],
}
NEEDED_BELOW: list[tuple[Any, ...]] = [
    ("network", "lnet"),
    ("network", "interface"),
    ("fencing", "agent"),
    ("powerflex", "network", "interface"),
]


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


@settings(max_examples=400, deadline=None)
@given(any_request, st.data())
def test_a_wrong_value_anywhere_is_refused(words: dict[str, Any], data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(paths(words)))
    word = next(str(p) for p in reversed(path) if isinstance(p, str))
    choices = [w for w in WRONG_FOR_ALL if w not in MEANT_FOR_ALL.get(word, [])]
    if path[-1] == word:
        choices += WRONG_FOR.get(word, [])
    if path == ("filesystem", "name") and words["design"] != "pixstor-6":
        choices.remove("all")  # targets of Lustre are never called by this name alone
    refused(put(words, path, data.draw(st.sampled_from(choices))))


@settings(max_examples=120, deadline=None)
@given(any_request, st.data())
def test_an_unknown_word_anywhere_is_refused(words: dict[str, Any], data: st.DataObject) -> None:
    inside = data.draw(st.sampled_from([(), *(p for p in paths(words) if isinstance(_at(words, p), dict))]))
    refused(put(words, (*inside, data.draw(st.sampled_from(["sizes", "x", "Count", "hdmds"]))), 1))


@settings(max_examples=120, deadline=None)
@given(any_request, st.data())
def test_a_missing_word_is_refused(words: dict[str, Any], data: st.DataObject) -> None:
    needed = [("name",), ("design",), ("filesystem",), ("filesystem", "name"), *NEEDED[words["design"]]]
    needed += [path for path in NEEDED_BELOW if path in paths(words)]
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
@given(any_request, st.data())
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
