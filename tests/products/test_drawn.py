"""What every plan keeps, of whatever design: on requests drawn from its examples, its models and the catalog."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from functools import cache
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pixsize.catalog.records import Enclosure, Layout
from pixsize.codes import codes
from pixsize.estimate.ids import FORMATTED, RAW, USABLE, steps
from pixsize.product import terms_of
from pixsize.render.run_book import run_book
from pixsize.report import plan_json, plan_page, plan_schema, text
from pixsize.report.sized_plan import SizedPlan
from tests.products.drawing import examples, requests, smallest
from tests.products.reading import read_back, rendered
from tests.support.running import Made, catalog, load_words, make

some = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
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


def every_slot_of_an_array_has_its_one_use(made: Made) -> None:
    used = defaultdict(list)
    for part in (*made.plan.disk_groups, *made.plan.spares):
        used[part.array, part.enclosure] += part.slots
    for array in made.plan.arrays:
        for enclosure in array.enclosures:
            slots = catalog().get(Enclosure, enclosure.model).slots
            empty = catalog().get(Layout, enclosure.layout).empty or ()
            assert sorted(used[array.id, enclosure.index]) == sorted(set(range(slots)) - set(empty))


def volumes_lie_in_their_groups(made: Made) -> None:
    plan = made.plan
    for group in plan.disk_groups:
        assert 0 < sum(v.bytes for v in plan.volumes if v.backing == group.id) <= group.bytes
    luns = Counter((v.array, v.lun) for v in plan.volumes if v.array)
    assert set(luns.values()) <= {1}


def figures_hold(made: Made) -> None:
    for figure in made.figures.values():
        assert 0 <= figure.low <= figure.value <= figure.high, figure.id
        assert figure.rule
        assert figure.basis == "exact" or figure.sources or figure.inputs, figure.id
    if made.figures:
        formatted, usable = made.figures[FORMATTED], made.figures[USABLE]
        # A volume may be planned under what its group has at last, and be expanded: up to formatted, beyond the low end.
        assert formatted.value >= sum(v.bytes for v in made.plan.volumes if v.purpose == "data") >= usable.low > 0


def capacity_adds_up(made: Made) -> None:
    """Each size is the one before it less all that is lost between them."""
    left = made.figures[RAW].value if made.figures else 0
    volumes = terms_of(made.plan, catalog()).volumes_figure
    for step in (step for step in steps(volumes) if step.figure in made.figures):
        if step.is_there:
            assert made.figures[step.figure].value == left, step.name
        else:
            left -= made.figures[step.figure].value


def files_stay_in_their_folders_and_say_the_plan(made: Made) -> None:
    """Of each render target that has something to say of the plan, once: plain text below the target's own name."""
    texts = {}
    for name, files in rendered(made.plan).items():
        assert len({file.path.lower() for file in files}) == len(files)
        for file in files:
            assert file.path.startswith(f"{name}/")
            assert ".." not in file.path
            assert file.text.isascii()
            assert file.text.endswith("\n")
            texts[file.path] = file.text
    read_back(texts, made.plan)


def pages_fit(made: Made) -> None:
    """The plan fits a terminal of 80 columns, but for words that are longer; the run book of its files is made."""
    sized = sized_plan(made)
    for long in (False, True):
        assert max(map(len, text.draw(plan_page.page(sized, long=long), 80).splitlines())) <= 80
    whole = rendered(made.plan)
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
    every_slot_of_an_array_has_its_one_use,
    volumes_lie_in_their_groups,
    figures_hold,
    capacity_adds_up,
    files_stay_in_their_folders_and_say_the_plan,
    pages_fit,
    json_keeps_its_schema,
)


@every_design
def test_the_smallest_system_keeps_every_law(design: str) -> None:
    made = make(smallest(design), by_threads=True)
    assert made.figures
    for law in LAWS:
        law(made)


@long
@every_design
@some
@given(st.data())
def test_every_plan_keeps_every_law(design: str, data: st.DataObject) -> None:
    made = make(data.draw(requests(design)), by_threads=True)
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
    one, other = make(words, by_threads=True), make(shuffled(words), by_threads=True)
    assert (one.plan, one.figures, one.loaded.digest) == (other.plan, other.figures, other.loaded.digest)


@long
@every_design
@some
@given(st.data())
def test_a_completed_request_written_back_gives_the_same_plan(design: str, data: st.DataObject) -> None:
    made = make(data.draw(requests(design)), by_threads=True)
    again, findings = load_words(made.loaded.words)
    assert again is not None, findings
    assert again.request == made.loaded.request
    assert again.defaults == ()
