"""Plans with gateways for the tests of their files: a small PixStor, and words below `gateways`."""

from __future__ import annotations

from typing import Any

from pixsize.plan.records import Plan, added
from pixsize.products.ctdb.plan import CtdbCluster
from pixsize.products.ctdb.render.ctdb import RENDERER
from tests.support.running import catalog, make

Words = dict[str, Any]
ADS = {"security": "ads", "realm": "AD.EXAMPLE.ORG", "workgroup": "EXAMPLE"}


def request(**gateways: Any) -> Words:
    """The words of a request; a word below `gateways` that is None is left out."""
    words = {"domain": "files.example.org", "subnet": "10.40.0.0/24"} | gateways
    if "subnet" not in gateways:
        words.setdefault("router", "10.40.0.254")
    return {
        "name": "campus",
        "design": "pixstor-6",
        "storage_modules": [{"size": "large", "data_drive": "12 TB"}],
        "hdmd": {"arrays": 3, "drive": "960 GB"},
        "filesystem": {"name": "mmfs1"},
        "network": {"subnet": "10.10.0.0/24"},
        "gateways": {word: value for word, value in words.items() if value is not None},
    }


def planned(words: Words) -> Plan:
    """The plan of a request."""
    return make(words).plan


def cluster(**gateways: Any) -> CtdbCluster:
    """The cluster of such a request."""
    found = added(planned(request(**gateways)), CtdbCluster)
    assert found is not None
    return found


def files(**gateways: Any) -> dict[str, str]:
    """The files of such a request by their paths below `ctdb`."""
    made = RENDERER.files(planned(request(**gateways)), catalog())
    return {file.path.removeprefix("ctdb/"): file.text for file in made}


def bare(text: str) -> list[str]:
    """The lines that a program reads: no comments, no blank ones, no blanks around them."""
    return [line.strip() for line in text.splitlines() if line.strip() and line.strip()[0] not in "#;/"]
