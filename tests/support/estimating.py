"""Figures of a request for tests: through load and planner, with records laid over the catalog where needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pixsize.catalog.catalog import Catalog
from pixsize.estimate.make import estimate
from pixsize.figures import Figure
from pixsize.findings import Finding
from pixsize.load import load_catalog, load_request
from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.plan.records import Plan
from tests.support import written

ONE_ME4024 = {"arrays": 1, "drive": "960 GB"}


@dataclass(frozen=True)
class Estimated:
    """A plan, its figures, and the findings of the estimates."""

    plan: Plan
    figures: dict[str, Figure]
    findings: tuple[Finding, ...]
    catalog: Catalog

    def value(self, figure: str) -> int:
        return self.figures[figure].value

    def codes(self) -> list[str]:
        return [f.code for f in self.findings]


@lru_cache(maxsize=1)
def shipped() -> Catalog:
    """The shipped catalog."""
    catalog, findings = load_catalog()
    assert not findings
    return catalog


def replacing(record_id: str, new_id: str = "", **changes: Any) -> dict[str, Any]:
    """A shipped record in words, changed, as a file of an overlay has it."""
    found = deepcopy(dict(shipped().raw[record_id]))
    return found | {"id": new_id or record_id, "replaces": record_id} | changes


def overlaid(folder: Path, *records: Mapping[str, Any]) -> Catalog:
    """The shipped catalog with records laid over it from a folder, as `--catalog` does."""
    for number, record in enumerate(records):
        (folder / f"{number}.yaml").write_text(written.text(dict(record)), encoding="utf-8")
    catalog, findings = load_catalog(folder)
    assert not findings, findings
    return catalog


def estimated(
    modules: Iterable[Mapping[str, Any]],
    hdmd: Mapping[str, Any] | None = ONE_ME4024,
    *,
    catalog: Catalog | None = None,
    observed: Observed | None = None,
    by_threads: bool = False,
    design: str = "pixstor-6",
    **filesystem: Any,
) -> Estimated:
    """The figures of storage modules of 12 TB drives, unless they say otherwise."""
    words: dict[str, Any] = {
        "name": "site",
        "design": design,
        "storage_modules": [{"data_drive": "12 TB"} | dict(m) for m in modules],
        "filesystem": {"name": "fs1"} | filesystem,
    }
    if hdmd is not None:
        words["hdmd"] = dict(hdmd)
    return estimated_words(words, catalog, observed, by_threads=by_threads)


def lustre_on_arrays(
    modules: Iterable[Mapping[str, Any]] = ({"size": "large"},),
    *,
    catalog: Catalog | None = None,
    observed: Observed | None = None,
    by_threads: bool = False,
    filesystem: Mapping[str, Any] | None = None,
    version: str = "2.10.4",
    **metadata: Any,
) -> Estimated:
    """The figures of Lustre on modules of 8 TB drives, unless they say otherwise, in the document's version."""
    words = {
        "name": "site",
        "design": "lustre-me4",
        "lustre_version": version,
        "storage_modules": [{"data_drive": "8 TB"} | dict(m) for m in modules],
        "metadata": metadata,
        "filesystem": {"name": "fs1"} | dict(filesystem or {}),
    }
    return estimated_words(words, catalog, observed, by_threads=by_threads)


def lustre_in_a_pool(
    servers: int = 4,
    *,
    catalog: Catalog | None = None,
    by_threads: bool = False,
    filesystem: Mapping[str, Any] | None = None,
    version: str = "2.10.8",
    metadata: Mapping[str, Any] | None = None,
    **powerflex: Any,
) -> Estimated:
    """The figures of Lustre on PowerFlex with 2 TB drives, in the document's version."""
    words = {
        "name": "site",
        "design": "lustre-powerflex",
        "lustre_version": version,
        "servers": servers,
        "drive": "2 TB",
        "metadata": dict(metadata or {"dne": True}),
        "powerflex": powerflex,
        "filesystem": {"name": "fs1"} | dict(filesystem or {}),
    }
    return estimated_words(words, catalog, by_threads=by_threads)


def estimated_words(
    words: Mapping[str, Any],
    catalog: Catalog | None = None,
    observed: Observed | None = None,
    *,
    by_threads: bool = False,
) -> Estimated:
    """The figures of a request in words."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "request.yaml"
        path.write_text(written.text(dict(words)), encoding="utf-8")
        return estimated_file(path, catalog or shipped(), observed, by_threads=by_threads)


def estimated_file(
    path: Path, records: Catalog, observed: Observed | None = None, *, by_threads: bool = False
) -> Estimated:
    """The figures of a request in a file. Rates by threads are half of the work: few tests ask for them."""
    loaded, findings = load_request(str(path), records)
    assert loaded is not None, findings
    plan, refusals = make_plan(loaded.request, records, observed or Observed())
    assert plan is not None, refusals
    figures, doubts = estimate(plan, records, by_threads=by_threads)
    return Estimated(plan, figures, doubts, records)
