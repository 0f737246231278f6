"""A pool of another product than PowerFlex: nothing of PowerFlex is rendered for it, and no sentence speaks of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from pixsize.catalog.catalog import Catalog
from pixsize.check.context import Context
from pixsize.load import load_observed, load_request
from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.plan.records import Plan
from pixsize.product import PRODUCTS
from pixsize.products.powerflex.rules.replies import known_pool
from pixsize.render import RENDERERS, STEPS
from pixsize.request import Request
from pixsize.resources import folder
from tests.products import nvmesh
from tests.property.running import catalog

OF_POWERFLEX = re.compile(r"powerflex|scli|scini|scaleio|\b(?:SDS|SDC|MDM)s?\b|emc-vol", re.IGNORECASE)


@pytest.fixture(autouse=True)
def in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PRODUCTS.places, "nvmesh", f"{nvmesh.__name__}:PRODUCT")


@pytest.fixture
def asked() -> tuple[Request, Observed]:
    """The example of Lustre on PowerFlex, and what its system replied."""
    path = folder("examples") / "lustre-powerflex.yaml"
    loaded, findings = load_request(str(path), catalog())
    assert loaded is not None, findings
    observed, _ = load_observed(folder("examples") / "lustre-powerflex.observed", ("powerflex", "lustre"))
    return loaded.request, observed


@cache
def records() -> Catalog:
    """The catalog with a design of Lustre in such a pool, with the same servers, that another document describes."""
    sources = [{"document": "pixsize", "place": "no document"}]
    design = {"id": "lustre-nvmesh", "title": "Lustre on NVMesh", "volumes": "nvmesh", "sources": sources}
    return Catalog(catalog().raw | {"lustre-nvmesh": catalog().raw["lustre-powerflex"] | design})


@pytest.fixture
def plan(asked: tuple[Request, Observed]) -> Plan:
    """The plan of the example, with volumes of another product, which has other names for its devices."""
    made, refusals = make_plan(asked[0], catalog(), asked[1])
    assert made is not None, refusals
    volumes = tuple(v._replace(provider="nvmesh", wwid=None) for v in made.volumes)
    targets = tuple(t._replace(device=f"/dev/nvmesh/{t.volume}") for t in made.targets)
    return made._replace(design="lustre-nvmesh", volumes=volumes, targets=targets)


def rendered(plan: Plan) -> Iterator[tuple[str, str]]:
    """The text of every file that the plan gets, by its path."""
    for renderer in RENDERERS.values():
        if renderer.applies(plan):
            yield from ((file.path, file.text) for file in renderer.files(plan, records()))


def test_powerflex_renders_nothing_for_it(plan: Plan) -> None:
    assert not RENDERERS["powerflex"].applies(plan)
    assert not RENDERERS["powerflex"].findings(plan._replace(servers=()), records())
    folders = {path.partition("/")[0] for path, _ in rendered(plan)}
    assert folders == {"mkfs", "ha", "lnet", "mount", "tuning", "striping"}


def test_no_file_speaks_of_powerflex(plan: Plan) -> None:
    told = [(path, found[0]) for path, text in rendered(plan) if (found := OF_POWERFLEX.search(text))]
    assert told == []


def test_no_step_speaks_of_powerflex(plan: Plan) -> None:
    for name in ("mkfs", "ha", "lnet", "mount", "tuning", "striping"):
        assert not OF_POWERFLEX.search(str(STEPS[name](plan, records()))), name


def test_files_say_what_the_other_product_says(plan: Plan) -> None:
    files = dict(rendered(plan))
    assert nvmesh.TERMS.exist[0] in files["mkfs/README.md"]
    assert "`nvmesh attachments`" in files["mkfs/README.md"]
    assert "read as zeros where nothing was written" not in files["mkfs/README.md"]
    assert "Fencing an OSS takes its drives away beside its OSTs." in files["ha/oss-ha01/README.md"]
    assert "nvmeshclient.service" in files["ha/oss-ha01/00-node.sh"]
    assert "over the network of NVMesh: TCP 2224 (pcsd); UDP 5404" in files["mount/README.md"]
    assert "on the network of NVMesh" in files["tuning/nvmesh-network.sh"]


def test_replies_of_powerflex_are_no_replies_of_it(asked: tuple[Request, Observed], plan: Plan) -> None:
    request, observed = asked
    assert [f.code for f in known_pool(Context(request, plan, records(), observed))] == ["PX302"]
