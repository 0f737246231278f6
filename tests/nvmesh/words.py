"""Requests with an NVMe tier, and the good plan that tests break."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pixsize.plan.records import Plan, added
from pixsize.products.nvmesh.plan import NvmeTier
from tests.ngenea.words import planned
from tests.support.check_support import Site

ARBITER = {"server": "mgmt1", "drive": "1.6 TB"}


def request(**nvme: Any) -> dict[str, Any]:
    """A Large with high-demand metadata and an NVMe tier, in the user's words."""
    return {
        "name": "fast",
        "design": "pixstor-6",
        "storage_modules": [{"size": "large", "data_drive": "12 TB"}],
        "hdmd": {"arrays": 3, "drive": "960 GB"},
        "filesystem": {"name": "mmfs1"},
        "nvme": nvme,
    }


@lru_cache(maxsize=1)
def good() -> Site:
    """One pair with an arbiter: nothing is wrong with it."""
    return planned(request(arbiter=ARBITER))


def tier(plan: Plan) -> NvmeTier:
    """What NVMesh has of a plan."""
    found = added(plan, NvmeTier)
    assert found is not None
    return found
