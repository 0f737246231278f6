"""Parts that no rule judges are refused, and what every target must have is judged for a product without rules too."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from pixsize.catalog.designs import Design
from pixsize.check.context import Context
from pixsize.check.rules import targets_can_be_served
from pixsize.findings import has_errors
from pixsize.plan.records import Plan
from pixsize.product import filesystem_of, volumes_of
from tests.products.drawing import examples, smallest
from tests.products.judging import Judged, judged
from tests.products.replying import planned
from tests.products.test_changes import REQUESTS, SMALLEST, site
from tests.support.changing import replace
from tests.support.running import catalog

SITES = [*REQUESTS, *SMALLEST]

STRANGERS = {
    "volume": lambda plan: {"volumes": (replace(plan.volumes[0], provider="nvmesh"), *plan.volumes[1:])},
    "target": lambda plan: {"targets": (replace(plan.targets[0], kind="nobodys"), *plan.targets[1:])},
    "server": lambda plan: {"servers": (*plan.servers[:-1], replace(plan.servers[-1], role="brewer"))},
}


@pytest.mark.parametrize("name", SITES)
@pytest.mark.parametrize("part", STRANGERS)
def test_a_part_of_a_kind_that_no_rule_judges_is_refused(name: str, part: str) -> None:
    plan = site(name).plan
    assert site(name).codes(replace(plan, **STRANGERS[part](plan))) == ["PX575"]


@pytest.mark.parametrize(
    ("home", "other", "names"),
    [
        ("lustre on arrays", "lustre in a pool", ("pools",)),
        ("lustre on arrays", "pixstor, sides", ("filesystem",)),
        ("pixstor, sides", "lustre in a pool", ("pools", "filesystem")),
        ("lustre in a pool", "pixstor, sides", ("modules", "arrays", "disk_groups", "spares", "filesystem")),
    ],
)
def test_parts_and_settings_of_another_design_are_refused(home: str, other: str, names: tuple[str, ...]) -> None:
    for name in names:
        strange = replace(site(home).plan, **{name: getattr(site(other).plan, name)})
        assert site(home).codes(strange) == ["PX575"], name


def targets(change: Callable[[Plan, Any], dict[str, Any]]) -> Callable[[Plan], dict[str, Any]]:
    """Every target of a plan that has a volume, changed."""
    return lambda plan: {"targets": tuple(replace(t, **change(plan, t)) if t.volume else t for t in plan.targets)}


BROKEN: dict[str, Callable[[Plan], dict[str, Any]]] = {
    "on a server that is not there": targets(lambda _, target: {"servers": ("ghost01",)}),
    "on no server": targets(lambda _, target: {"servers": ()}),
    "twice on one server": targets(lambda _, target: {"servers": target.servers[:1] * 2}),
    "with one name": targets(lambda _, target: {"id": "target"}),
    "without a name": targets(lambda _, target: {"id": ""}),
    "on one volume": targets(lambda plan, _: {"volume": plan.volumes[0].id}),
    "on a volume that is not there": targets(lambda _, target: {"volume": f"{target.volume}0"}),
    "left out": lambda plan: {"targets": plan.targets[1:]},
    "on a volume of no bytes": lambda plan: {"volumes": (replace(plan.volumes[0], bytes=0), *plan.volumes[1:])},
}


def without_rules(of: Judged, monkeypatch: pytest.MonkeyPatch, *, volumes: bool) -> None:
    """Takes the rules of the file system out of its product, and those of the product of volumes too where asked."""
    design = catalog().get(Design, of.plan.design)
    for field in ("rules", "exact"):
        monkeypatch.setitem(filesystem_of(design).__dict__, field, ())
        monkeypatch.setitem(filesystem_of(design).__dict__, f"{field}_on", dict.fromkeys(("arrays", "pool"), ()))
    for field in ("rules", "exact", "reply_rules") if volumes else ():
        monkeypatch.setitem(volumes_of(design).__dict__, field, ())


@pytest.mark.parametrize("volumes", [False, True], ids=["volumes have rules", "no product has rules"])
@pytest.mark.parametrize("name", SMALLEST)
@pytest.mark.parametrize("how", BROKEN)
def test_targets_are_judged_where_the_product_says_nothing(
    name: str, how: str, volumes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for a new file system, on volumes of a product that is there, and on those of a new one."""
    of = site(name)
    without_rules(of, monkeypatch, volumes=volumes)
    assert not has_errors(of.check(of.plan))
    found = {f.code for f in of.check(replace(of.plan, **BROKEN[how](of.plan))) if f.severity == "error"}
    assert found
    assert found <= ({"PX576"} if volumes else {"PX506", "PX507", "PX515", "PX524", "PX525", "PX576"})


def test_a_target_is_served_by_the_servers_of_its_array() -> None:
    of = site("pixstor, metadata arrays")
    others = {one.servers: other.servers for one, other in pairwise(of.plan.modules)}
    moved = targets(lambda _, target: {"servers": others.get(target.servers, target.servers)})
    plan = replace(of.plan, **moved(of.plan))
    found = next(targets_can_be_served(Context(of.request, plan, catalog(), of.observed)))
    assert found.code == "PX576"
    assert "sm01a1_data01 is served by hm01n1, hm01n2, where sm01n1, sm01n2 can reach it" in found.message


@pytest.mark.parametrize("design", sorted(examples()))
def test_the_judge_works_devices_out_for_itself(design: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A function that plan and judge shared would be wrong in both: targets take what the volumes' terms say."""
    volumes, of = volumes_of(catalog().get(Design, design)), judged(smallest(design), built=True)
    right = volumes.terms.device
    monkeypatch.setitem(volumes.__dict__, "terms", volumes.terms._replace(device=lambda volume: f"{right(volume)}x"))
    assert "PX524" in of.codes(planned(of.request, of.observed))
