"""Values that a word of a request for PixStor does not take, each wherever the word stands."""

from __future__ import annotations

from typing import Any

import pytest

from tests.products.drawing import refused_wherever_it_stands

_MODULE = {
    "size": "small",
    "count": 1,
    "data_drive": "8 TB",
    "metadata_drive": "960 GB",
    "expansion": True,
    "chunk_size": "512 KiB",
    "hosts": ["a1", "a2"],
}
_FILESYSTEM = {
    "name": "fs1",
    "block_size": "8 MiB",
    "inode_size": "4 KiB",
    "metadata_replicas": 2,
    "failure_groups": "sides",
    "descriptor": {"server": "mgmt1", "device": "/dev/disk/by-id/scsi-desc"},
}
_WORDS: dict[str, Any] = {
    "name": "lab",
    "design": "pixstor-6",
    "storage_modules": [_MODULE],
    "filesystem": _FILESYSTEM,
    "accept": [{"code": "PX554", "reason": "known"}],
}
REQUESTS = [
    _WORDS,
    _WORDS
    | {
        "storage_modules": [{word: value for word, value in _MODULE.items() if word != "metadata_drive"}],
        "hdmd": {"drive": "960 GB", "arrays": 2, "modules": 1, "hosts": ["m1", "m2"]},
    },
]
"""Requests with every word that there is."""
WRONG: dict[str, list[Any]] = {
    "name": ["a/b", "all", "1st"],
    "design": ["pixstor-7"],
    "size": ["huge"],
    "count": [-1, 0, 1.5, True, "2", 10**9],
    "modules": [-1, 0, 0.5, 5000],
    "arrays": [-1, 0, 5, "4"],
    "expansion": [2, "yes", 0],
    "data_drive": [12, "12", "12 W", "960 GB", "ssd-960gb", "12.1 TB"],
    "drive": ["12 TB", 960, "nl-sas-12tb"],
    "metadata_drive": ["12 TB", "12"],
    "chunk_size": [512, "512", "12 W", "500 KiB", "512 KB"],
    "block_size": ["3 MiB", "32 MiB", "12 TiB", 8],
    "inode_size": ["4 KB", "3 KiB", "12 TiB"],
    "metadata_replicas": [-1, 0, 4, 1.5],
    "failure_groups": ["per-array", True],
    "hosts": [["a"], ["x", "x"], ["ok-1", "-no"], "a,b", ["mgmt1", "other"]],
    "server": ["a b", "-x"],
    "device": ["/dev/../x", "sda", "/dev/sda"],
    "code": ["PX000", "PX551", "PX546", "px554", 554],
    "reason": ["  ", 7, "\x07", "a\nb", ""],
}


@pytest.mark.parametrize(("word", "value"), [(word, value) for word, values in WRONG.items() for value in values])
def test_a_wrong_value_is_refused(word: str, value: Any) -> None:
    refused_wherever_it_stands(REQUESTS, word, value)
