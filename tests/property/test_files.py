"""What the rendered files say, read by small independent readers, is the plan."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from pixsize.render import RENDERERS
from tests.property.running import catalog, make
from tests.property.strategies import requests
from tests.readers.compare import arrays_hold_the_plan, stanzas_say_the_plan


@settings(max_examples=40, deadline=None)
@given(requests())
def test_stanza_text_gives_the_plan_back(words: dict[str, Any]) -> None:
    plan = make(words).plan
    (file,) = RENDERERS["stanzas"].files(plan, catalog())
    stanzas_say_the_plan(file.text, plan)


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
    for name, renderer in RENDERERS.items():
        files = renderer.files(plan, catalog())
        assert len({f.path.lower() for f in files}) == len(files)
        for file in files:
            assert file.path.startswith(f"{name}/")
            assert ".." not in file.path
            assert file.text.isascii()
            assert file.text.endswith("\n")
