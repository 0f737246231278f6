"""Replies that are too much together: read in a second or two and in 512 MiB, or refused with PX311."""

from __future__ import annotations

import json
import os
import random
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pixsize.load import load_observed
from pixsize.load.replies import ReadBudget, TooMuchError
from pixsize.products.me4.reply_text import _Text, rows_of
from tests.load.test_overlay_bounds import within

VALUES, OBJECTS = "more values together than those of the largest file system", "more than 50,000 objects together"
DISKS = '{"disks":[' + ",".join(f'{{"location":"0.{n % 1000}","usage":"x"}}' for n in range(4999)) + "]}"


def elements() -> str:
    return ("<RESPONSE>" + "<a/>" * 63_000 + "</RESPONSE>") * 3


def attributes() -> str:
    return "<RESPONSE><a " + " ".join(f'a{n:x}=""' for n in range(9_990)) + "/></RESPONSE>"


FLOODS: dict[str, tuple[int, str, Callable[[], str], str]] = {
    "rows": (11, "json", lambda: DISKS, OBJECTS),
    "objects": (6, "json", lambda: '{"a":[' + ",".join(["{}"] * 1_390_000) + "]}", VALUES),
    "lists": (6, "json", lambda: '{"a":[' + ",".join(["[]"] * 1_390_000) + "]}", VALUES),
    "numbers": (6, "json", lambda: '{"a":[' + ",".join(["1"] * 2_090_000) + "]}", VALUES),
    "fields": (10, "json", lambda: '{"a":{' + ",".join(f'"{n:x}":[]' for n in range(340_000)) + "}}", VALUES),
    "replies": (400, "json", lambda: "{}" * 999, VALUES),
    "elements": (6, "xml", elements, VALUES),
    "attributes": (300, "xml", attributes, VALUES),
    "documents": (400, "xml", lambda: "<RESPONSE></RESPONSE>" * 999, VALUES),
}
"""How many files, of which kind, with what in each, and what is said of them: each is legal by itself."""


@pytest.mark.long
@pytest.mark.parametrize("flood", FLOODS)
def test_replies_that_are_too_much_together(tmp_path: Path, flood: str) -> None:
    count, kind, made, said = FLOODS[flood]
    text = made()
    assert len(text) <= 4 << 20
    for n in range(count):
        (tmp_path / f"a{n}.other.{kind}").write_text(text)
    begun = os.times()
    output = within("check", "--config", "large", "--observed", str(tmp_path))
    assert os.times().children_user - begun.children_user < 6
    assert re.search(f"error PX311 the replies up to this one .*{said}", output)


@pytest.mark.long
def test_very_many_attributes_are_refused_before_they_are_read(tmp_path: Path) -> None:
    for n in range(20):
        text = "<RESPONSE><a " + " ".join(f'a{m:x}=""' for m in range(380_000)) + "/></RESPONSE>"
        (tmp_path / f"a{n}.other.xml").write_text(text)
    begun = time.process_time()
    found = load_observed(tmp_path)[1]
    assert time.process_time() - begun < 3
    assert {(f.code, "attributes" in f.message) for f in found} == {("PX301", True)}


@pytest.mark.parametrize("text", ["{}" + "\n" * 4_190_000, "#\n" * 2_090_000 + "{}"], ids=["lines", "echo"])
def test_files_of_very_many_lines_are_read_at_once(tmp_path: Path, text: str) -> None:
    """Where a character stands is not counted unless somebody asks."""
    for n in range(8):
        (tmp_path / f"a{n}.other.json").write_text(text)
    begun = time.process_time()
    assert load_observed(tmp_path)[1] == ()
    assert time.process_time() - begun < 3


def array(name: str, module: int) -> dict[str, str]:
    """The replies of an array with its expansion, by the command that was answered."""
    fields = {f"property-{n}": f"some text {n}" for n in range(42)} | {f"property-{n}-numeric": n for n in range(42)}
    sized = {"size-numeric": 23_437_770_752, "health": "OK"}
    disks = [
        {"location": f"{shelf}.{slot}", "usage": "LINEAR POOL", **sized, **fields}
        for shelf in range(2)
        for slot in range(84)
    ]
    groups = [{"name": f"dg{n:02}", **sized, **fields} for n in range(20)]
    volumes = [
        {"volume-name": f"{name}v{n:02}", "wwn": f"600c0ff{module:09x}{n:016x}", **sized, **fields} for n in range(20)
    ]
    status = [{"response-type": "Success", "response-type-numeric": 0, "return-code": 0}]
    replies = {"disks": {"drives": disks}, "disk-groups": {"disk-groups": groups}, "volumes": {"volumes": volumes}}
    return {command: json.dumps(reply | {"status": status}, indent=1) for command, reply in replies.items()}


@pytest.mark.long
def test_the_replies_of_the_largest_file_system_are_read(tmp_path: Path) -> None:
    """63 Large modules: two arrays each, 84 drives in an array and as many in its expansion."""
    for module in range(126):
        for command, text in array(f"sm{module}", module).items():
            (tmp_path / f"sm{module}.{command}.json").write_text(text)
    observed, found = load_observed(tmp_path)
    assert found == ()
    assert len(observed.arrays) == 126
    assert sum(len(a.disks) for a in observed.arrays.values()) == 126 * 168


def test_a_count_goes_on_in_the_next_file() -> None:
    left = ReadBudget()
    left.pieces, left.rows = 100, 1
    assert len(rows_of('{"disks":[{"location":"0.1"}]}', left)) == 1
    assert (left.pieces, left.rows) == (100 - 3 - 20, 0)
    with pytest.raises(TooMuchError, match="objects"):
        rows_of('{"disks":[{"location":"0.1"}]}', left)
    with pytest.raises(TooMuchError, match="values"):
        rows_of("<RESPONSE>" + "<a/>" * 10 + "</RESPONSE>", left)


def test_places_are_those_that_a_count_from_the_start_gives() -> None:
    draw = random.Random(3)
    for _ in range(50):
        text = "".join(draw.choice("ab\n") for _ in range(60))
        whole = _Text(text)
        for index in [draw.randrange(len(text) + 1) for _ in range(40)]:
            before = text[:index]
            assert whole.place(index) == (before.count("\n") + 1, index - before.rfind("\n"))
