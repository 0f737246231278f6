"""A pool of another product than PowerFlex: nothing of PowerFlex is rendered for it, and no sentence speaks of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from pixsize.catalog.catalog import Catalog
from pixsize.check import check
from pixsize.check.context import Context
from pixsize.findings import Finding, has_errors
from pixsize.load import Loaded, load_observed, load_request
from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.plan.records import Plan
from pixsize.product import PRODUCTS
from pixsize.products.powerflex.rules import replies as replies_rules
from pixsize.products.powerflex.rules.replies import known_pool
from pixsize.render import RENDERERS, STEPS
from pixsize.request import shape_for
from pixsize.resources import folder
from tests.products import farmpool
from tests.support.running import catalog

OF_POWERFLEX = re.compile(r"powerflex|scli|scini|scaleio|\b(?:SDS|SDC|MDM)s?\b|emc-vol", re.IGNORECASE)


@pytest.fixture(autouse=True)
def in_the_table(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(PRODUCTS.places, "farmpool", f"{farmpool.__name__}:PRODUCT")
    yield
    shape_for.cache_clear()


@cache
def records() -> Catalog:
    """The catalog with a design of Lustre in such a pool, with the same servers, that another document describes."""
    shipped = catalog().raw["lustre-powerflex"]
    defaults = {word.replace("powerflex.", "farmpool."): value for word, value in shipped["defaults"].items()}
    sources = [{"document": "pixsize", "place": "no document"}]
    design = {"id": "lustre-farmpool", "title": "Lustre on FarmPool", "volumes": "farmpool", "sources": sources}
    return Catalog(catalog().raw | {"lustre-farmpool": shipped | design | {"defaults": defaults}})


def load(tmp_path: Path, *changes: tuple[str, str]) -> tuple[Loaded | None, tuple[Finding, ...]]:
    """What load says of the example of Lustre on PowerFlex, with the words for the other product."""
    text = (folder("examples") / "lustre-powerflex.yaml").read_text(encoding="utf-8")
    for old, new in (("lustre-powerflex", "lustre-farmpool"), ("powerflex:", "farmpool:"), *changes):
        text = text.replace(old, new)
    path = tmp_path / "request.yaml"
    path.write_text(text, encoding="utf-8")
    return load_request(str(path), records())


@pytest.fixture
def request_of_it(tmp_path: Path) -> Loaded:
    loaded, findings = load(tmp_path, ("farmpool:\n", "farmpool:\n  parity: 3\n"))
    assert loaded is not None, findings
    return loaded


@pytest.fixture
def plan(request_of_it: Loaded) -> Plan:
    made, refusals = make_plan(request_of_it.request, records(), Observed())
    assert made is not None, refusals
    return made


def test_its_words_stand_beside_the_sizes_that_lustre_asks_for(request_of_it: Loaded) -> None:
    assert list(request_of_it.words["farmpool"]) == ["network", "spare", "parity", "ost", "mdt", "mgt"]
    # 64 TB as sold, a tenth spare and two copies, less two MDTs of 552 GiB and an MGT of 8 GiB, on sixteen OSTs.
    most = (64 * 10**12 * 90 // 200 - (2 * 552 + 8) * 2**30) // 16 // 2**30
    assert (request_of_it.words["farmpool"]["spare"], request_of_it.words["farmpool"]["ost"]) == (10, f"{most} GiB")


def test_words_of_powerflex_are_none_of_it(tmp_path: Path) -> None:
    loaded, findings = load(tmp_path, ("farmpool:", "powerflex:"))
    assert loaded is None
    assert [(f.code, f.where) for f in findings] == [("PX101", "powerflex")]


def test_its_sizes_are_judged_by_itself(tmp_path: Path) -> None:
    """PowerFlex makes volumes of 8 GiB and its multiples, and no other product has to."""
    loaded, findings = load(tmp_path, ("farmpool:\n", "farmpool:\n  ost: 801 GiB\n"))
    assert loaded is not None, findings


def rendered(plan: Plan) -> Iterator[tuple[str, str]]:
    """The text of every file that the plan gets, by its path."""
    for renderer in RENDERERS.values():
        if renderer.applies(plan) and renderer.name != "bench":  # benchmarks need figures, and FarmPool makes none
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
    assert farmpool.TERMS.exist[0] in files["mkfs/README.md"]
    assert "`farmpool attachments`" in files["mkfs/README.md"]
    assert "read as zeros where nothing was written" not in files["mkfs/README.md"]
    assert "Fencing an OSS takes its drives away beside its OSTs." in files["ha/oss-ha01/README.md"]
    assert "farmpoolclient.service" in files["ha/oss-ha01/00-node.sh"]
    assert "over the network of FarmPool: TCP 2224 (pcsd); UDP 5404" in files["mount/README.md"]
    assert "on the network of FarmPool" in files["tuning/farmpool-network.sh"]


def test_replies_of_powerflex_are_no_replies_of_it(request_of_it: Loaded, plan: Plan) -> None:
    replies = folder("examples") / "lustre-powerflex.observed"
    observed, findings = load_observed(replies, ("powerflex", "lustre"))
    assert not findings
    context = Context(request_of_it.request, plan, records(), observed)
    assert [f.code for f in known_pool(context)] == ["PX302"]
    assert not [finding for rule in replies_rules.RULES for finding in rule(context)]


def test_its_plans_are_judged_and_findings_name_its_words(request_of_it: Loaded, plan: Plan) -> None:
    def found(judged: Plan) -> tuple[Finding, ...]:
        return check(request_of_it.request, judged, records(), Observed())

    assert not has_errors(found(plan))
    smaller = tuple(v._replace(bytes=v.bytes - 2**30) for v in plan.volumes)
    lonely = tuple(s._replace(storage_ips=()) for s in plan.servers)
    told = found(plan._replace(volumes=smaller, servers=lonely))
    assert {"farmpool.ost", "farmpool.mdt", "farmpool.mgt", "farmpool.network.addresses"} <= {f.where for f in told}
    assert not [f for f in told if OF_POWERFLEX.search(f"{f.where} {f.message} {f.hint}")]
