"""Overlays with two records for one version, a program under another name, and numbers that are slips of the pen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.load.test_overlay_bounds import RAW, Words, checked, errors, replacing

R10, R12, R15 = "lustre-2.10.8", "lustre-2.12.9", "lustre-2.15.8"


def own(record: str, **words: Any) -> Words:
    """A record like a shipped one, that replaces none."""
    return RAW[record] | {"id": "aa.mine"} | words


def of_one_version(folder: Path, *records: Words) -> list[tuple[str, str]]:
    found = [f for f in checked(folder, "lustre-me4", *records) if f["severity"] == "error"]
    return [(f["code"], f["message"].partition(": ")[2]) for f in found]


@pytest.mark.parametrize("name", ["aa.mine", "zz.mine"])
@pytest.mark.parametrize(
    ("words", "other"),
    [
        ({}, R15),
        ({"version": "2.15.9", "first": "2.15.9"}, R15),
        ({"version": "2.14.0", "first": "2.14.0", "last": "2.15.0"}, R15),
        ({"version": "2.13.0", "first": "2.10.0", "last": "2.14.0"}, R10),
    ],
)
def test_two_releases_that_speak_for_one_version(tmp_path: Path, name: str, words: Words, other: str) -> None:
    """Which of them a plan goes by was left to their ids."""
    found = of_one_version(tmp_path, own(R15, id=name, **words))
    assert {code for code, _ in found} == {"PX201"}
    assert any(said.startswith(f"{other} speaks for ") for _, said in found)


def test_releases_that_have_no_version_in_common(tmp_path: Path) -> None:
    mine = own(R15, version="2.14.0", first="2.14.0")
    assert of_one_version(tmp_path, mine) == []
    again = mine | {"id": "bb.mine"}
    assert of_one_version(tmp_path, mine, again)[0][0] == "PX201"
    assert of_one_version(tmp_path, replacing(R15), mine) == []


@pytest.mark.parametrize(("version", "code"), [("0.11", ["PX201"]), ("0.11.7", ["PX201"]), ("0.12", []), ("0.1", [])])
def test_two_dialects_for_one_version(tmp_path: Path, version: str, code: list[str]) -> None:
    """The script had the same arm twice, and took the first."""
    found = of_one_version(tmp_path, own("pcs.0.11", version=version))
    assert [c for c, _ in found] == code
    assert all(said.startswith("pcs.0.11 speaks for pcs 0.11 already") for _, said in found)


def test_a_dialect_that_is_replaced_may_have_its_version(tmp_path: Path) -> None:
    assert of_one_version(tmp_path, replacing("pcs.0.11", id="pcs.mine")) == []
    assert of_one_version(tmp_path, replacing("pcs.0.11", id="pcs.mine", version="0.9"))[0][0] == "PX201"


@pytest.mark.parametrize("agent", ["fence_idrac", "fence_sbd"])
def test_a_fence_agent_is_replaced_under_its_own_name(tmp_path: Path, agent: str) -> None:
    (found,) = [
        f for f in checked(tmp_path, "lustre-me4", replacing(agent, id="fence_mine")) if f["severity"] == "error"
    ]
    assert (found["code"], f"id: {agent}" in found["hint"]) == ("PX203", True)
    assert errors(tmp_path, "lustre-me4", replacing(agent)) == []
    assert errors(tmp_path, "lustre-me4", RAW[agent] | {"id": "fence_mine"}) == []


PORTS = "powerflex.ports"


@pytest.mark.parametrize(
    ("record", "words", "taken"),
    [
        ("lustre.format_rate", {"value": "999 kB/s"}, False),
        ("lustre.format_rate", {"value": "1 MB/s"}, True),
        ("lustre.format_rate", {"value": "1 TB/s"}, True),
        ("lustre.format_rate", {"value": "1.1 TB/s"}, False),
        ("work.script", {"seconds": 86_400}, True),
        ("work.script", {"seconds": 86_401}, False),
        (PORTS, {"tcp": {"SDS": [7072, 7073]}}, True),
        (PORTS, {"tcp": {"SDS": [7072, 7072]}}, False),
        (PORTS, {"tcp": {"SDS": [7072], "MDM": [7072]}}, False),
        (PORTS, {"tcp": {"S  DS": [7072]}}, False),
        (PORTS, {"tcp": {"SDS ": [7072]}}, False),
        (PORTS, {"tcp": {f"P{n}": [n + 1] for n in range(51)}}, False),
        (PORTS, {"product": "PowerFlex  3.x"}, False),
        (PORTS, {"product": "PowerFlex 3.x "}, False),
        (PORTS, {"product": "P" * 80}, True),
        (PORTS, {"product": "P" * 81}, False),
    ],
)
def test_numbers_and_names_have_bounds(tmp_path: Path, record: str, words: Words, taken: bool) -> None:
    assert set(errors(tmp_path, "lustre-me4", replacing(record, **words))) == (set() if taken else {"PX203"})
