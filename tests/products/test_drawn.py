"""What every plan keeps, of whatever design: on requests drawn from its examples, its models and the catalog."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pixsize.codes import codes
from pixsize.findings import has_errors
from pixsize.render import RENDERERS
from pixsize.render.run_book import run_book
from pixsize.report import plan_json, plan_page, plan_schema, text
from pixsize.report.sized_plan import SizedPlan
from tests.products.drawing import examples, requests, smallest
from tests.property.running import Made, catalog, load_words, make

some = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
every_design = pytest.mark.parametrize("design", sorted(examples()))
long = pytest.mark.long


def judge_finds_no_bug(made: Made) -> None:
    """A word of the request is to blame for every error: none is one that is to be reported."""
    bugs = [f for f in made.findings if f.severity == "error" and codes()[f.code].cure.startswith("Report this")]
    assert not bugs
    assert all(f.where for f in made.findings if f.severity == "error")


def names_are_unique(made: Made) -> None:
    plan = made.plan
    for parts in (plan.servers, plan.arrays, plan.disk_groups, plan.volumes, plan.targets):
        assert not [name for name, n in Counter(part.id.casefold() for part in parts).items() if n > 1]


def every_volume_has_its_target_and_servers(made: Made) -> None:
    plan = made.plan
    assert Counter(t.volume for t in plan.targets if t.volume) == Counter(v.id for v in plan.volumes)
    servers = {server.id for server in plan.servers}
    assert all(target.servers and servers.issuperset(target.servers) for target in plan.targets if target.volume)


def figures_hold(made: Made) -> None:
    for figure in made.figures.values():
        assert 0 <= figure.low <= figure.value <= figure.high, figure.id
        assert figure.rule
        assert figure.basis == "exact" or figure.sources or figure.inputs, figure.id
    if made.figures:
        raw, formatted, usable = (made.figures[f"capacity.{step}"] for step in ("raw", "formatted", "usable"))
        assert raw.value >= formatted.value >= usable.value > 0
        assert formatted.value <= sum(volume.bytes for volume in made.plan.volumes) * 2


def files_stay_in_their_folders(made: Made) -> None:
    """Of each render target that has something to say of the plan, once: plain text below the target's own name."""
    for name, renderer in RENDERERS.items():
        if not renderer.applies(made.plan) or has_errors(renderer.findings(made.plan, catalog())):
            continue
        files = renderer.files(made.plan, catalog())
        assert len({file.path.lower() for file in files}) == len(files)
        for file in files:
            assert file.path.startswith(f"{name}/")
            assert ".." not in file.path
            assert file.text.isascii()
            assert file.text.endswith("\n")


def pages_fit(made: Made) -> None:
    """The plan fits a terminal of 80 columns, but for words that are longer; the run book of its files is made."""
    sized = sized_plan(made)
    assert max(map(len, text.draw(plan_page.page(sized), 80).splitlines())) <= 80
    whole = {
        name: renderer.files(made.plan, catalog())
        for name, renderer in RENDERERS.items()
        if renderer.applies(made.plan) and not has_errors(renderer.findings(made.plan, catalog()))
    }
    made_of = [file for files in whole.values() for file in files]
    assert run_book(made.plan, catalog(), made_of, whole, {}).text.startswith("#")


def sized_plan(made: Made) -> SizedPlan:
    loaded = made.loaded
    return SizedPlan(made.plan, made.figures, made.findings, loaded.words, loaded.defaults, catalog())


def json_keeps_its_schema(made: Made) -> None:
    sized = sized_plan(made)
    schema().validate(json.loads(json.dumps(plan_json.document(sized))))


@cache
def schema() -> Any:
    return jsonschema.Draft202012Validator(plan_schema.schema())


LAWS = (
    judge_finds_no_bug,
    names_are_unique,
    every_volume_has_its_target_and_servers,
    figures_hold,
    files_stay_in_their_folders,
    pages_fit,
    json_keeps_its_schema,
)


def test_every_design_has_an_example() -> None:
    assert all(examples().values())


@every_design
def test_the_smallest_system_keeps_every_law(design: str) -> None:
    made = make(smallest(design))
    assert made.figures
    for law in LAWS:
        law(made)


@long
@every_design
@some
@given(st.data())
def test_every_plan_keeps_every_law(design: str, data: st.DataObject) -> None:
    made = make(data.draw(requests(design)))
    for law in LAWS:
        law(made)


@long
@every_design
@some
@given(st.data(), st.randoms(use_true_random=False))
def test_the_order_of_keys_changes_nothing(design: str, data: st.DataObject, rng: random.Random) -> None:
    def shuffled(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: shuffled(value[key]) for key in rng.sample(list(value), len(value))}
        return [shuffled(each) for each in value] if isinstance(value, list) else value

    words = data.draw(requests(design))
    one, other = make(words), make(shuffled(words))
    assert (one.plan, one.figures, one.loaded.digest) == (other.plan, other.figures, other.loaded.digest)


@long
@every_design
@some
@given(st.data())
def test_a_completed_request_written_back_gives_the_same_plan(design: str, data: st.DataObject) -> None:
    made = make(data.draw(requests(design)))
    again, findings = load_words(made.loaded.words)
    assert again is not None, findings
    assert again.request == made.loaded.request
    assert again.defaults == ()
