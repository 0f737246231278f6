"""What differs between two plans, and which words of the request cause it."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pixsize.report import plan_json, text
from pixsize.report.causes import MOST_JOINT, MOST_WORDS, causes
from pixsize.report.differences import Change, Planner, document, explained, page
from pixsize.report.plan_contents import contents, differences, parts
from pixsize.report.request_changes import ABSENT, changed_words, largest_parts, own_words, shown, with_words
from pixsize.report.sized_plan import SizedPlan
from pixsize.resources import folder
from tests.support.running import catalog, load_words, make

Words = dict[str, Any]
MODULE = {"size": "large", "data_drive": "12 TB"}
POOL: Words = {
    "name": "x",
    "design": "lustre-powerflex",
    "servers": 5,
    "drive": "2 TB",
    "filesystem": {"name": "fs"},
}
BASE: Words = {"name": "x", "design": "pixstor-6", "storage_modules": [MODULE], "filesystem": {"name": "fs"}}


def plan_of(words: Any) -> Words | None:
    if load_words(words)[0] is None:
        return None
    made = make(dict(words))
    sized = SizedPlan(made.plan, made.figures, made.findings, made.loaded.words, made.loaded.defaults, catalog())
    return plan_json.document(sized) if made.figures else None


def load_example(name: str) -> Words:
    """The words that stand in a shipped example."""
    text = (folder("examples") / f"{name}.yaml").read_text()
    return dict(yaml.safe_load(text))


def because(before: Words, after: Words) -> dict[tuple[str, str], tuple[str, ...]]:
    """The words that cause each change, by its kind and path."""
    old, new = plan_of(before), plan_of(after)
    assert old
    assert new
    changes = explained(old, new, Planner(before, plan_of), Planner(after, plan_of))
    assert len({(c.kind, c.path) for c in changes}) == len(changes)
    return {(c.kind, c.path): c.because for c in changes}


# --- words ---------------------------------------------------------------------------------------------------------

PLAIN = st.none() | st.booleans() | st.integers(0, 9) | st.text("ab", max_size=2)
KEYS = st.sampled_from(["a", "b", "c", "d.e", "f[0]"])
PART = st.dictionaries(KEYS, PLAIN | st.lists(st.integers(0, 3), max_size=2), max_size=3)
WORDS = st.dictionaries(KEYS, PLAIN | PART | st.lists(PART, max_size=3), max_size=4)


@example({"a": []}, {"a": [{}, {}]})
@example({"a": [{}, {}]}, {"a": []})
@given(WORDS, WORDS)
def test_all_changes_together_make_the_other_request(before: Words, after: Words) -> None:
    whole = deepcopy(before)
    made = with_words(before, {path: now for path, (_, now) in changed_words(before, after).items()})
    assert made == after
    assert before == whole  # nothing was changed in place


@given(WORDS)
def test_a_request_does_not_differ_from_itself(words: Words) -> None:
    assert changed_words(words, deepcopy(words)) == {}


def test_own_words_are_those_that_are_no_defaults() -> None:
    loaded, _ = load_words(BASE)
    assert loaded
    assert own_words(loaded.words, loaded.defaults) == BASE
    assert loaded.words != BASE


def test_an_item_of_a_list_of_parts_is_a_word_and_a_list_of_plain_values_is_one() -> None:
    found = changed_words({"m": [{"a": 1}], "l": [1, 2]}, {"m": [{"a": 1}, {"a": 2}], "l": [1]})
    assert found == {("m", 1): (ABSENT, {"a": 2}), ("l",): ([1, 2], [1])}


@pytest.mark.parametrize("size", ["12000 GB", "12TB"])
def test_a_word_that_says_the_same_is_no_change(size: str) -> None:
    """Another way to write a size, and a default written out."""
    after = BASE | {"storage_modules": [MODULE | {"data_drive": size, "count": 1}]}
    assert because(BASE, after) == {}
    assert ("request", "storage_modules[0].count") in because(BASE, BASE | {"storage_modules": [MODULE | {"count": 2}]})


@given(WORDS, WORDS, st.integers(1, 5))
def test_many_changed_words_are_taken_as_the_parts_that_hold_them(before: Words, after: Words, most: int) -> None:
    found = largest_parts(before, after, most)
    assert len(found) <= max(most, len({*before, *after}))
    assert with_words(before, {path: now for path, (_, now) in found.items()}) == after


# --- causes --------------------------------------------------------------------------------------------------------


def test_each_change_names_the_words_that_cause_it() -> None:
    before = BASE | {"hdmd": {"drive": "960 GB"}}
    bigger = {"storage_modules": [MODULE | {"expansion": True}], "hdmd": {"drive": "960 GB", "arrays": 2}}
    found = because(before, before | bigger | {"name": "other"})
    assert found["request", "name"] == ("name",)
    assert found["part", "PowerVault ME484"] == ("storage_modules[0].expansion",)
    assert found["part", "PowerVault ME4024"] == ("hdmd.arrays",)
    assert "hdmd.arrays" in found["figure", "metadata.empty.create.peak"]
    assert found["figure", "capacity.usable"] == ("storage_modules[0].expansion",)
    assert set(found["figure", "hardware.rack_units"]) == {"storage_modules[0].expansion", "hdmd.arrays"}
    assert found["target", "nsd, data"] == ("storage_modules[0].expansion",)
    named = [k for k, words in found.items() if "name" in words]
    assert named == [("request", "name"), ("part", "filesystem.cluster.name")]  # the cluster has the request's name


def test_words_that_cannot_be_changed_alone_are_named_together() -> None:
    """The other design has servers with drives in place of modules: no word can be changed without the others."""
    found = because(BASE, POOL)
    assert found["target", "ost, data"] == ("design", "storage_modules", "servers", "drive")
    assert found["request", "storage_modules"] == ("storage_modules",)


def figures(**values: int) -> dict[tuple[Any, str], Any]:
    return {("figure", name): value for name, value in values.items()}


def found_causes(first: set[str], last: set[str], plan: Any) -> dict[str, tuple[str, ...]]:
    """The causes of what differs between two requests, which are sets of words; `plan` makes figures of such a set."""
    words = sorted((w,) for w in first ^ last)

    def of(given: set[str], some: Any) -> Any:
        made = plan(given ^ {w for (w,) in some})
        return None if made is None else figures(**made)

    before, after = of(first, ()), of(last, ())
    keys = [key for key in before if before[key] != after[key]]
    found = causes(keys, words, lambda some: of(first, some), lambda some: of(last, some))
    return {name: tuple(w for (w,) in some) for (_, name), some in found.items()}


def test_a_word_that_moves_a_figure_a_little_is_not_the_whole_cause() -> None:
    """`a` and `b` are allowed together only, and make most of the change; `c` makes a little of it; `d` nothing."""

    def plan(has: set[str]) -> dict[str, int] | None:
        return None if len(has & {"a", "b"}) == 1 else {"f": 100 * ("a" in has) + ("c" in has), "g": len(has & {"a"})}

    assert found_causes(set(), {"a", "b", "c", "d"}, plan) == {"f": ("a", "b", "c"), "g": ("a", "b")}


def test_one_word_is_the_cause_alone_where_it_carries_the_whole_change() -> None:
    """`b` moves the figure only while `a` is not there, and stays so in neither plan."""

    def plan(has: set[str]) -> dict[str, int]:
        return {"sum": len(has), "a": len(has & {"a"}), "both": int({"a", "b"} <= has)}

    assert found_causes(set(), {"a", "b"}, plan) == {"sum": ("a", "b"), "a": ("a",), "both": ("a", "b")}


def test_the_number_of_plans_is_bounded() -> None:
    made = 0
    words = {f"w{n:02}" for n in range(MOST_WORDS)}

    def plan(has: set[str]) -> dict[str, int]:
        nonlocal made
        made += 1
        pairs = {f"p{a}{b}": len({a, b} & has) for a in words for b in words if a < b}  # each is moved by two words
        return pairs | {w: int(w in has) for w in words}

    found = found_causes(set(), words, plan)
    assert made <= 2 * (MOST_WORDS + MOST_JOINT) + 8
    assert all(set(some) == {n[1:4], n[4:]} for n, some in found.items() if n[0] == "p")
    assert all(some == (n,) for n, some in found.items() if n[0] == "w")


@pytest.mark.parametrize(
    ("before", "after"), [("lustre-me4", "lustre-powerflex"), ("mix", "lustre-powerflex-8"), ("large", "nvme-tier")]
)
def test_the_words_named_carry_the_whole_of_each_figure(before: str, after: str) -> None:
    """Whatever is named: with these words changed, the first plan has the figure of the second, or cannot be made."""
    old, new = (load_example(name) for name in (before, after))
    changed = {shown(path): (path, now) for path, (_, now) in changed_words(old, new).items()}
    for (kind, name), words in because(old, new).items():
        if kind != "figure":
            continue
        made = plan_of(with_words(old, {changed[word][0]: changed[word][1] for word in words}))
        found, wanted = (
            made and contents(made).get(("figure", name)),
            contents(plan_of(new) or {}).get(("figure", name)),
        )
        assert made is None or found == wanted, (name, words)


def test_a_design_is_a_cause_where_capacity_falls_to_another_design() -> None:
    found = because(load_example("lustre-me4"), load_example("lustre-powerflex"))
    for name in ("capacity.usable", "files.max", "hardware.rack_units", "throughput.sequential.n_n.read.peak"):
        assert {"design", "storage_modules", "servers", "drive"} <= set(found["figure", name])
    found = because(load_example("mix"), load_example("lustre-powerflex-8"))
    assert {"design", "storage_modules", "servers", "drive"} <= set(found["figure", "capacity.raw"])


def test_what_no_word_causes_has_no_cause() -> None:
    """A plan that another release wrote."""
    old = plan_of(BASE)
    assert old
    new = deepcopy(old)
    new["figures"]["capacity.usable"]["value"] -= 1
    changes = explained(old, new, Planner(BASE, plan_of), Planner(BASE, plan_of))
    assert [(c.kind, c.path, c.because) for c in changes] == [("figure", "capacity.usable", ())]
    assert document(changes)["same"] is False
    assert document(()) == {"schema": "pixsize.diff/1", "same": True, "changes": []}


def changed(change: Any, words: Words = BASE) -> dict[Any, Any]:
    """What differs from a plan in which something was changed."""
    old = plan_of(words)
    assert old
    new = deepcopy(old)
    change(new)
    return differences(old, new)


def test_a_target_that_both_have_and_that_differs_is_counted() -> None:
    """Among those of its kind and purpose; the value is shown where all have the same."""

    def change(plan: Any) -> None:
        for target in [t for t in plan["targets"] if t["purpose"] == "data"][:3]:
            target |= {"servers": target["servers"][::-1], "pool": "other"}

    assert changed(change, BASE | {"hdmd": {"drive": "960 GB"}}) == {
        ("target", "nsd, data: servers"): ("several values in 3 of 32", "several values in 3 of 32"),
        ("target", "nsd, data: pool"): ("data in 3 of 32", "other in 3 of 32"),
    }


@pytest.mark.parametrize(
    ("change", "key", "sides"),
    [
        (lambda p: p.update(disk_groups=[]), ("part", "disk groups, data"), (32, None)),
        (lambda p: p.update(links=[]), ("part", "links, sas"), (16, None)),
        (lambda p: p.update(switches=[]), ("part", "switches, management"), (1, None)),
        (lambda p: p.update(volumes=p["volumes"][:3]), ("part", "volumes, data"), (32, 3)),
        (lambda p: p.update(servers=p["servers"][:1]), ("part", "servers, storage"), (2, 1)),
        (lambda p: p["filesystem"].update(block_bytes=4096), ("part", "filesystem.block_bytes"), (8388608, 4096)),
        (lambda p: p["targets"][0].update(id="other"), ("target", "nsd, data: names"), ("sm01a1_data01", "other")),
        (lambda p: p.update(design="lustre-me4"), ("part", "design"), ("pixstor-6", "lustre-me4")),
        (lambda p: p.update(variant="hdmd"), ("part", "variant"), ("standard", "hdmd")),
        (lambda p: p["links"][0].update(network="x"), ("part", "links, x"), (None, 1)),
        (lambda p: p["arrays"][0].update(model="x"), ("part", "arrays, storage: model"), None),
        (lambda p: p["not_included"].pop(), ("part", "not included"), None),
        (lambda p: p["findings"][0].update(accepted="why"), ("finding", "PX405"), None),
    ],
)
def test_every_part_of_a_plan_is_compared(change: Any, key: Any, sides: Any) -> None:
    found = changed(change)
    assert key in found
    assert sides is None or found[key] == sides


def test_the_basis_is_shown_where_it_differs_and_all_digits_where_fewer_look_alike() -> None:
    def drawn(**words: Any) -> str:
        side = {"value": 20_500_000_000, "low": 18_000_000_000, "high": 23_000_000_000, "unit": "B/s"}
        before = side | {"basis": "measured"}
        change = Change("figure", "throughput.sequential.n_n.read.peak", before, before | words, ())
        return text.draw(page(("a", "b"), (change,)), 200)

    assert "20.5 GB/s (18 to 23 GB/s), measured" in drawn(basis="extrapolated")
    assert "20.5 GB/s (18 to 23 GB/s), extrapolated" in drawn(basis="extrapolated")
    assert "20,500,000,001 B/s" in drawn(value=20_500_000_001)
    assert "measured" not in drawn(value=20_500_000_001)


@pytest.mark.parametrize(
    ("words", "model", "count"),
    [
        (BASE | {"nvme": {"pairs": 2}, "hdmd": {"drive": "960 GB"}}, "Samsung PM1735 (Dell AG), NVMe, 1.6 TB", 40),
        (BASE, "PowerVault ME4084", 4),
        (BASE, "NL-SAS HDD, 12 TB", 320),
        (POOL, "Intel SSD DC P4600, NVMe, 2 TB", 40),
    ],
)
def test_parts_are_counted_once(words: Words, model: str, count: int) -> None:
    found = plan_of(words)
    assert found
    assert parts(found)[model] == count


@settings(max_examples=5, deadline=None)
@given(st.sampled_from(["small", "medium", "large"]), st.integers(1, 3), st.booleans())
def test_what_a_word_alone_changes_is_caused_by_it(size: str, count: int, expansion: bool) -> None:
    after = BASE | {"storage_modules": [MODULE | {"size": size, "count": count, "expansion": expansion}]}
    words = {f"storage_modules[0].{w}" for w in ("size", "count", "expansion")}
    for (kind, path), named in because(BASE, after).items():
        assert named, path
        assert set(named) <= words, (kind, path)
