"""The word `nvme`: what it takes, and what is refused."""

from __future__ import annotations

from typing import Any, cast

import pytest

from tests.nvmesh.words import request
from tests.support.running import load_words

WRONG: tuple[tuple[dict[str, Any], str, str], ...] = (
    ({"pairs": 0}, "nvme.pairs", "PX108"),
    ({"pairs": "1"}, "nvme.pairs", "PX104"),
    ({"pairs": 10**6}, "nvme.pairs", "PX120"),
    ({"drive": "12 TB"}, "nvme.drive", "PX109"),
    ({"drive": "1.6 TiB"}, "nvme.drive", "PX109"),
    ({"drive": "nl-sas-12tb"}, "nvme.drive", "PX109"),
    ({"drive": 1.6}, "nvme.drive", "PX105"),
    ({"metadata": True}, "nvme.metadata", "PX101"),
    ({"arbiter": {"server": "nvme2"}}, "nvme.arbiter.server", "PX107"),
    ({"arbiter": {"server": "NVME1.example.org"}}, "nvme.arbiter.server", "PX107"),
    ({"arbiter": {"server": "mgmt1; reboot"}}, "nvme.arbiter.server", "PX107"),
    ({"arbiter": {"server": "mgmt1", "drive": "8 TB"}}, "nvme.arbiter.drive", "PX109"),
    ({"arbiter": {"drive": "1.6 TB"}}, "nvme.arbiter.server", "PX103"),
    ({"arbiter": "mgmt1"}, "nvme.arbiter", "PX104"),
)


@pytest.mark.parametrize(("words", "where", "code"), WRONG, ids=lambda w: str(w)[:40])
def test_a_wrong_word_is_named(words: dict[str, Any], where: str, code: str) -> None:
    loaded, findings = load_words(request(**words))
    assert loaded is None
    assert (code, where) in {(f.code, f.where) for f in findings}


def test_an_arbiter_has_the_drive_of_the_pairs_where_nothing_is_said() -> None:
    loaded, findings = load_words(request(drive="2 TB", arbiter={"server": "mgmt1"}))
    assert loaded is not None, findings
    words = cast("Any", loaded.request).nvme
    assert (words.drive, words.arbiter.drive) == ("nvme-2tb", "nvme-2tb")
    assert "nvme.arbiter.drive" in loaded.defaults
