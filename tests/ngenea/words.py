"""Requests with Ngenea nodes, and the good plan that tests break."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.plan.records import Plan
from pixsize.products.ngenea.plan import NgeneaNodes
from tests.support.check_support import Site
from tests.support.running import catalog, load_words

S3 = {
    "name": "cold",
    "type": "s3",
    "endpoint": "https://s3.example.org",
    "bucket": "cold",
    "region": "eu-west-1",
    "credentials_file": "/etc/pixsize/cold",
}
DS3 = {
    "name": "tape",
    "type": "ds3",
    "endpoint": "https://10.1.2.3:8443",
    "bucket": "tape",
    "credentials_file": "/etc/pixsize/tape",
}
AZURE = {"name": "blobs", "type": "azure", "bucket": "blobs", "credentials_file": "/root/.azure/keys"}
GOOGLE = {"name": "far", "type": "google", "bucket": "far_away", "credentials_file": "/etc/pixsize/far"}
POSIX = {"name": "old", "type": "posix", "path": "/archive/old"}
EVERY_TYPE = (S3, DS3, AZURE, GOOGLE, POSIX)


def request(*targets: dict[str, Any], **ngenea: Any) -> dict[str, Any]:
    """A Large with high-demand metadata and Ngenea nodes, in the user's words."""
    return {
        "name": "archive",
        "design": "pixstor-6",
        "storage_modules": [{"size": "large", "data_drive": "12 TB"}],
        "hdmd": {"arrays": 3, "drive": "960 GB"},
        "filesystem": {"name": "mmfs1"},
        "ngenea": {"targets": list(targets), **ngenea},
    }


def planned(words: dict[str, Any]) -> Site:
    """What a request comes to, with nothing observed."""
    loaded, findings = load_words(words)
    assert loaded is not None, findings
    plan, refusals = make_plan(loaded.request, catalog(), Observed())
    assert plan is not None, refusals
    return Site(loaded.request, plan, catalog(), Observed())


@lru_cache(maxsize=1)
def good() -> Site:
    """Two nodes and two targets of S3: nothing is wrong with them."""
    return planned(request(S3, S3 | {"name": "lab", "bucket": "lab"}))


def own(plan: Plan) -> NgeneaNodes:
    """What Ngenea has of a plan."""
    (addition,) = plan.additions
    assert isinstance(addition.own, NgeneaNodes)
    return addition.own
