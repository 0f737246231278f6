"""Values that a word of a request for Lustre, on arrays and in a pool does not take, each wherever the word stands."""

from __future__ import annotations

from typing import Any

import pytest

from tests.products.drawing import refused_wherever_it_stands

_SERVERS = ("mds01", "mds02", "oss01", "oss02")


def _addresses(servers: tuple[str, ...], net: str) -> dict[str, str]:
    return {server: f"{net}.{n}" for n, server in enumerate(servers, 1)}


_COMMON: dict[str, Any] = {
    "name": "lab",
    "lustre_version": "2.10.8",
    "management": "iml_monitored",
    "filesystem": {"name": "scratch", "stripe_count": 4, "stripe_size": "1 MiB"},
    "accept": [{"code": "PX554", "reason": "known"}],
}
_METADATA = {"dne": True, "mgt": "own", "hosts": ["mds01", "mds02"]}
_ON_ARRAYS: dict[str, Any] = _COMMON | {
    "design": "lustre-me4",
    "storage_modules": [
        {"size": "medium", "count": 1, "data_drive": "8 TB", "chunk_size": "512 KiB", "hosts": ["oss01", "oss02"]}
    ],
    "metadata": _METADATA | {"pairs": 1, "drive": "960 GB", "chunk_size": "64 KiB"},
    "network": {
        "lnet": "o2ib",
        "interface": "ib0",
        "subnet": "10.10.0.0/24",
        "addresses": _addresses(_SERVERS, "10.10.0"),
        "configured_by": "lnet_conf",
    },
    "fencing": {
        "agent": "fence_idrac",
        "addresses": _addresses(_SERVERS, "10.20.0"),
        "second": {
            "agent": "fence_apc_snmp",
            "outlets": {server: [f"10.31.0.1/{n}"] for n, server in enumerate(_SERVERS, 1)},
        },
        "ring": {"subnet": "10.40.0.0/24"},
    },
}
_POOL_SERVERS = ("mds01", "mds02", "oss01", "oss02", "oss03")
_IN_A_POOL: dict[str, Any] = _COMMON | {
    "design": "lustre-powerflex",
    "servers": 3,
    "drive": "2 TB",
    "hosts": ["oss01", "oss02", "oss03"],
    "failover": True,
    "metadata": _METADATA,
    "network": {"lnet": "o2ib", "interface": "ib0", "subnet": "10.10.0.0/24"},
    "powerflex": {
        "ost": "480 GiB",
        "mdt": "80 GiB",
        "mgt": "8 GiB",
        "spare": 34,
        "network": {"interface": "p2p1", "addresses": _addresses(_POOL_SERVERS, "10.30.0")},
    },
    "fencing": {
        "agent": "fence_idrac",
        "subnet": "10.20.0.0/24",
        "second": {"agent": "fence_sbd", "devices": ["/dev/mapper/sbd1"]},
    },
}
REQUESTS = [_ON_ARRAYS, _IN_A_POOL]
"""Requests with every word that there is."""
WRONG: dict[str, list[Any]] = {
    "name": ["a/b", "1st"],
    "design": ["lustre-me99"],
    "lustre_version": [2.15, "2.15", "2.11.0", "2.10.3", "2.10.9", "3.0.0", "2.15.8-1"],
    "management": ["iml", "iml_managed", True],
    "size": ["huge"],
    "count": [-1, 0, 1.5, True, "2", 10**9],
    "data_drive": [12, "12", "12 W", "960 GB", "ssd-960gb", "12.1 TB"],
    "drive": ["12 TB", 960, "nl-sas-12tb"],
    "chunk_size": [512, "512", "12 W", "500 KiB", "512 KB"],
    "hosts": [["a"], ["x", "x"], ["ok-1", "-no"], "a,b"],
    "pairs": [-1, 0, 1.5, "2", True, 10**9],
    "dne": [1, "yes", "two"],
    "mgt": ["mgs", "mdt0", True, "9 GiB"],
    "stripe_count": [0, -2, 1.5, "4", "all", True],
    "stripe_size": ["32 KiB", "65 KiB", "100 KB", "0 B", "4 GiB", "12 TiB", 65536],
    "lnet": ["opa", "o2ib01", "o2ib-1", "tcp:1", "O2IB", "ib0"],
    "interface": ["lo", "0ib", "ib0/1", "ib0:1", "a23456789b123456"],
    "subnet": ["10.10.0.1/24", "10.10.0.0", "10.10.0.0/31", "127.0.0.0/8", "224.0.0.0/8", "0.0.0.0/0", "fe80::/64", 10],
    "configured_by": ["netplan", "modprobe.d", True],
    "addresses": [{}, {"nobody": "10.10.0.1"}, ["10.10.0.1"], "10.10.0.1"],
    "agent": ["idrac", "fence_", "fence_a-b", "FENCE_idrac"],
    "outlets": [{}, {"nobody": ["10.31.0.1/1"]}, ["10.31.0.1/1"], "10.31.0.1/1"],
    "devices": [[], ["sda"], ["/dev/sda"], ["/dev/mapper/a", "/dev/mapper/a"], "/dev/mapper/a"],
    "ring": ["10.40.0.0/24", {"interface": "eth1"}],
    "second": ["fence_sbd", {"agent": "fence_idrac"}, {"agent": "fence_sbd"}],
    "servers": [-1, 2, 0, 3.5, "4", True, 10**9],
    "failover": [1, "yes", 0],
    "ost": ["9 GiB", "8 GB", "1.6 TB", "0 B", 8, "90000 TiB"],
    "mdt": ["9 GiB", "8 GB", "1.6 TB", "0 B", 8, "90000 TiB"],
    "spare": [-1, 91, 33.3, "34", "34 %", True],
    "code": ["PX000", "PX551", "PX546", "px554", 554],
    "reason": ["  ", 7, "\x07", "a\nb", ""],
}


@pytest.mark.parametrize(("word", "value"), [(word, value) for word, values in WRONG.items() for value in values])
def test_a_wrong_value_is_refused(word: str, value: Any) -> None:
    refused_wherever_it_stands(REQUESTS, word, value)
