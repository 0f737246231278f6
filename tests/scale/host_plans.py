"""Requests with the networks and names of their servers, for the tests of what is made of them."""

from __future__ import annotations

from typing import Any

from pixsize.plan.records import Plan
from pixsize.products.scale.render.hosts import RENDERER
from tests.support.running import catalog, make

Words = dict[str, Any]
NETWORK: Words = {
    "subnet": "10.10.0.0/24",
    "management": {"subnet": "10.20.0.0/24"},
    "bmc": {"subnet": "10.30.0.0/24"},
    "domain": "example.org",
    "ntp": ["ntp1.example.org", "192.0.2.1"],
    "dns": ["192.0.2.53", "192.0.2.54"],
}
SERVERS = ("sm01n1", "sm01n2", "mgmt1", "mgmt2")
OTHER = {"server": "q1.lab.example.org", "device": "/dev/disk/by-id/scsi-desc"}
"""A descriptor on a server that is none of the plan."""


def request(hosts: list[str] | None = None, descriptor: Words | None = None, **network: Any) -> Words:
    """The words of a request; a word below `network` that is None is left out."""
    module = {"size": "small", "data_drive": "8 TB"} | ({"hosts": hosts} if hosts else {})
    return {
        "name": "lab",
        "design": "pixstor-6",
        "storage_modules": [module],
        "filesystem": {"name": "labfs"} | ({"descriptor": descriptor} if descriptor else {}),
        "network": {word: value for word, value in (NETWORK | network).items() if value is not None},
    }


def planned(**words: Any) -> Plan:
    """The plan of such a request."""
    return make(request(**words)).plan


def files(**words: Any) -> dict[str, str]:
    """The files of such a request by their names."""
    return {f.path.removeprefix("hosts/"): f.text for f in RENDERER.files(planned(**words), catalog())}


def codes(**words: Any) -> list[str]:
    """The codes of what stands against the files of such a request."""
    return [found.code for found in RENDERER.findings(planned(**words), catalog())]
