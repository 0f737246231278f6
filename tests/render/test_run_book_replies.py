"""RUNBOOK.md with replies: a box is ticked only where a reply shows all of it, and as planned."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.render.test_run_book import CASES, RUN_BOOK, made, part, steps_in

A = "sm01a1"
REQUEST, REPLIES = next((p, r) for p, r in CASES if r and r.name == "large+hdmd.observed")
POWERFLEX, POOL_REPLIES = next((p, r) for p, r in CASES if r and r.name == "lustre-powerflex.observed")
Rows = list[dict[str, Any]]


def differing(tmp_path: Path, change: Callable[[Rows], object], what: str = "volumes") -> Path:
    """The replies of the example, where those rows of the first array are changed."""
    folder = tmp_path / "replies"
    shutil.copytree(REPLIES, folder)
    file = folder / f"{A}.{what}.json"
    head, brace, rest = file.read_text().partition("{")
    words = json.JSONDecoder().raw_decode(brace + rest)[0]
    change(words[what])
    file.write_text(head + json.dumps(words))
    return folder


def book(tmp_path: Path, replies: Path, request: Path = REQUEST) -> str:
    return (made(request, replies, tmp_path / "out") / RUN_BOOK).read_text()


def box(step: str, where: str) -> str:
    """The line of a box."""
    (line,) = re.findall(rf"(?m)^- \[[ x]\] \*\*{where}\*\*: .*$", step)
    return str(line)


def give(rows: Rows, **words: Any) -> None:
    rows[0].update({key.replace("_", "-"): value for key, value in words.items()})


@pytest.mark.parametrize(
    ("what", "change", "title", "seen"),
    [
        (
            "volumes",
            lambda rows: give(rows, write_policy="write-through"),
            "Make the volumes",
            "sm01a1_data01 is write-through, expected write-back",
        ),
        (
            "volumes",
            lambda rows: give(rows, blocks=181874999296, size_numeric=181874999296),
            "Make the volumes",
            "sm01a1_data01 has 93,119,999,639,552 bytes, planned are 93,885,460,119,552",
        ),
        (
            "disk-groups",
            lambda rows: give(rows, health="Degraded"),
            "Make the disk groups",
            "the health of dg_sm01a1_data01 is Degraded",
        ),
        (
            "disk-groups",
            lambda rows: give(rows, owner="B"),
            "Make the disk groups",
            "dg_sm01a1_data01 has controller B as its owner",
        ),
        (
            "disk-groups",
            lambda rows: rows.pop(),
            "Make the disk groups",
            "reports disk groups, but not the planned dg_sm01a1_data08",
        ),
    ],
    ids=["write-through", "size", "degraded", "owner", "group missing"],
)
def test_a_box_that_the_replies_contradict_is_not_ticked(
    what: str, change: Callable[[Rows], object], title: str, seen: str, tmp_path: Path
) -> None:
    """The array and the step that it is about, and no others; the warning stands in the book."""
    text = book(tmp_path, differing(tmp_path, change, what))
    step = part(text, title)
    open_box = box(step, A)
    assert open_box.startswith("- [ ]")
    assert f"**do not repeat its commands.** Replies show it as done, but {A} {seen}" in open_box.replace(
        f"but {seen}", f"but {A} {seen}"
    )
    assert box(step, "sm01a2").startswith("- [x]")
    assert "**Do not repeat it.**" in step
    assert "There is no way back" not in step
    assert f"{title} (differs)" in text
    table = text.partition("## What the replies say otherwise than the plan\n")[2].partition("\n## ")[0]
    assert re.search(rf"(?m)^\| PX306 \| .*{re.escape(seen)}", table)
    number = next(n for n, t in enumerate(steps_in(text), 1) if t == title)
    before = re.search(r"First finish these steps before it, .*: ([0-9, ]+)\.", text)
    assert before
    assert str(number) in before[1].split(", ")


def test_replies_that_say_what_is_planned_have_no_section_of_their_own(tmp_path: Path) -> None:
    assert "otherwise than the plan" not in book(tmp_path, REPLIES)


def test_words_of_an_array_stay_words_in_the_book(tmp_path: Path) -> None:
    hostile = "bad | [x](http://a.example) <img src=x>"
    text = book(tmp_path, differing(tmp_path, lambda rows: give(rows, health=hostile), "disk-groups"))
    line = box(part(text, "Make the disk groups"), A)
    assert "bad / [x] (http: //a.example) < img" in line
    row = next(row for row in text.splitlines() if row.startswith("| PX306"))
    assert "bad / [x] (http: //a.example) < img" in row


def test_missing_groups_are_named_and_nothing_else_is_to_be_entered(tmp_path: Path) -> None:
    folder = differing(tmp_path, lambda rows: rows.pop(2), "disk-groups")
    for file in folder.glob("*.volumes.*"):
        file.unlink()
    text = book(tmp_path, folder)
    groups = part(text, "Make the disk groups")
    assert box(groups, A).startswith("- [ ] **sm01a1**: replies show 7 of 8:")
    assert "enter `add disk-group` **only** for dg_sm01a1_data03 (" in box(groups, A)
    assert "8 commands" not in box(groups, A)
    assert box(groups, "sm01a2").startswith("- [x]")
    assert "| before: `show disks` | every drive that the command names is `AVAIL`, health OK |" in groups
    compare = part(text, "Compare each array with the plan")
    assert "`show disk-groups`, `show volumes`" not in compare
    assert "usage `AVAIL`" not in compare


def test_arrays_without_groups_are_still_to_show_nothing(tmp_path: Path) -> None:
    folder = differing(tmp_path, lambda rows: rows)
    for file in folder.glob("sm01a2.*"):
        file.unlink()
    compare = part(book(tmp_path, folder), "Compare each array with the plan")
    assert box(compare, A).startswith("- [x]")
    assert box(compare, "sm01a2").startswith("- [ ]")
    assert "`show volumes` | nothing on arrays of which no reply shows groups" in compare


def test_missing_volumes_are_named_and_nothing_else_is_to_be_entered(tmp_path: Path) -> None:
    text = book(tmp_path, differing(tmp_path, lambda rows: rows.pop()))
    volumes = box(part(text, "Make the volumes"), A)
    assert volumes.startswith("- [ ] **sm01a1**: replies show 7 of 8:")
    assert "enter `create volume` **only** for sm01a1_data08, and stop before the first `map volume`" in volumes
    assert "8 commands" not in volumes


_AT_ARRAYS = (
    "Put the arrays into the racks",
    "Switch the arrays on",
    "Give the arrays their users, addresses and firmware",
)
"""The steps of the arrays before the first that a reply shows: done earlier, where that one is done."""


def test_the_book_says_where_to_go_on_and_what_no_reply_shows(tmp_path: Path) -> None:
    """Cables and the first step of ME4 are never in a reply, and must not hide the line."""
    folder = differing(tmp_path, lambda rows: rows)
    for file in folder.glob("*.volumes.*"):
        file.unlink()
    text = book(tmp_path, folder)
    steps = steps_in(text)
    assert f"**Go on with step {steps.index('Add the spares') + 1}.**" in text
    unseen = [
        n
        for n, title in enumerate(steps[: steps.index("Compare each array with the plan")], 1)
        if title not in _AT_ARRAYS
    ]
    assert len(unseen) == len(steps[: steps.index("Compare each array with the plan")]) - len(_AT_ARRAYS)
    before = ", ".join(map(str, unseen))
    assert f"First finish these steps before it, which no reply shows as done and as planned: {before}." in " ".join(
        text.split()
    )
    whole = book(tmp_path / "whole", REPLIES)
    expected = steps_in(whole).index("See which hosts are cabled to each array") + 1
    assert f"**Go on with step {expected}.**" in whole
    spares = steps_in(whole).index("Add the spares") + 1
    assert f"as planned: {before}, {spares}." in whole
    assert "**Go on with step" not in (made(REQUEST, None, tmp_path / "none") / RUN_BOOK).read_text()


def test_the_new_book_shows_what_the_step_that_asks_for_it_says(tmp_path: Path) -> None:
    text = (made(REQUEST, None, tmp_path / "none") / RUN_BOOK).read_text()
    assert "`Go on with step` a step behind them" in part(
        text, "Collect the sizes of the disk groups, and render again"
    )


def test_replies_about_volumes_tick_nothing_of_other_targets(tmp_path: Path) -> None:
    """Volumes of PowerFlex say nothing of kernels, packages and drivers on the servers."""
    text = book(tmp_path, POOL_REPLIES, POWERFLEX)
    titles = (
        "Prepare the servers",
        "Set the options of the driver hfi1 on the servers",
        "Set the packet size on the network of PowerFlex",
    )
    for title in titles:
        step = part(text, title)
        assert "- [x]" not in step, title
        assert "**Check again**" in step, title
        assert f"{title} (check again)" in text
    assert "- [ ]" not in part(text, "Install the packages of PowerFlex")
    assert "- [ ]" not in part(text, "Add the drives to the pool")


def test_a_volume_of_powerflex_that_is_thin_leaves_its_box_open(tmp_path: Path) -> None:
    folder = tmp_path / "replies"
    shutil.copytree(POOL_REPLIES, folder)
    file = folder / "powerflex.volumes.txt"
    file.write_text(file.read_text().replace("Thick-provisioned", "Thin-provisioned", 1))
    step = part(book(tmp_path, folder, POWERFLEX), "Make and map the volumes of PowerFlex")
    assert "mgt is thin-provisioned, planned is thick" in step
    assert "- [x]" not in step


def drives(usages: dict[int, str]) -> str:
    """`show disks` of the first array, where drives in these slots have other uses."""
    rows = [
        {
            "object-name": "drive",
            "location": f"0.{slot}",
            "blocks": 23437770752,
            "blocksize": 512,
            "usage": usages.get(slot, "LINEAR POOL" if slot < 80 else "GLOBAL SP"),
            "description": "SAS MDL",
        }
        for slot in range(84)
    ]
    return json.dumps({"drives": rows})


@pytest.mark.parametrize(
    ("usages", "ticked"),
    [({}, True), ({83: "AVAIL"}, False), ({7: "FAILED", 83: "LINEAR POOL"}, False)],
    ids=["all", "one is left", "one stands in"],
)
def test_spares_are_ticked_when_show_disks_lists_them(usages: dict[int, str], ticked: bool, tmp_path: Path) -> None:
    folder = differing(tmp_path, lambda rows: rows)
    (folder / f"{A}.disks.json").write_text(drives(usages))
    spares = part(book(tmp_path, folder), "Add the spares")
    assert box(spares, A).startswith("- [x]" if ticked else "- [ ]")
    assert box(spares, "sm01a2").startswith("- [ ]")
    assert ("spares stand in: 0.83" in box(spares, A)) == (7 in usages)
