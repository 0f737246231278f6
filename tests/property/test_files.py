"""What the rendered files say, read by small independent readers, is the plan."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from pixsize.findings import has_errors
from pixsize.render import RENDERERS
from tests.property.lustre_strategies import lustre_requests, on_arrays
from tests.property.running import catalog, make
from tests.property.strategies import requests
from tests.readers.compare import arrays_hold_the_plan, mkfs_makes_the_plan, stanzas_say_the_plan


@settings(max_examples=40, deadline=None)
@given(requests())
def test_stanza_text_gives_the_plan_back(words: dict[str, Any]) -> None:
    plan = make(words).plan
    (file,) = RENDERERS["stanzas"].files(plan, catalog())
    stanzas_say_the_plan({file.path: file.text}, plan)


@settings(max_examples=40, deadline=None)
@given(requests())
def test_cli_text_gives_the_plan_back(words: dict[str, Any]) -> None:
    plan = make(words).plan
    files = RENDERERS["me4"].files(plan, catalog())
    arrays_hold_the_plan({f.path: f.text for f in files}, plan)


@settings(max_examples=40, deadline=None)
@given(requests())
def test_files_lie_in_their_targets_folder_and_are_plain_text(words: dict[str, Any]) -> None:
    plan = make(words).plan
    fitting = {name: renderer for name, renderer in RENDERERS.items() if renderer.applies(plan)}
    assert {"stanzas", "multipath", "me4"} <= set(fitting)
    assert not {"powerflex", "mkfs", "ha"} & set(fitting)
    for name, renderer in fitting.items():
        files = renderer.files(plan, catalog())
        assert len({f.path.lower() for f in files}) == len(files)
        for file in files:
            assert file.path.startswith(f"{name}/")
            assert ".." not in file.path
            assert file.text.isascii()
            assert file.text.endswith("\n")


@settings(max_examples=25, deadline=None)
@given(on_arrays())
def test_mkfs_and_cli_text_give_the_plan_of_a_lustre_back(words: dict[str, Any]) -> None:
    plan = make(words).plan
    names = ["me4", *(["mkfs"] if RENDERERS["mkfs"].applies(plan) else [])]
    files = {f.path: f.text for name in names for f in RENDERERS[name].files(plan, catalog())}
    arrays_hold_the_plan(files, plan)
    assert ("mkfs" in names) is ("network" in words)
    if "mkfs" in names:
        mkfs_makes_the_plan(files, plan)


@settings(max_examples=25, deadline=None)
@given(lustre_requests)
def test_files_of_a_lustre_lie_in_their_targets_folder_and_are_plain_text(words: dict[str, Any]) -> None:
    plan = make(words).plan
    for name, renderer in RENDERERS.items():
        found = renderer.findings(plan, catalog())
        if not renderer.applies(plan) or has_errors(found):
            continue
        files = renderer.files(plan, catalog())
        assert len({f.path.lower() for f in files}) == len(files)
        for file in files:
            assert file.path.startswith(f"{name}/")
            assert ".." not in file.path
            assert file.text.isascii()
            assert file.text.endswith("\n")
            assert "--reformat" not in file.text or not file.path.endswith(".sh")
