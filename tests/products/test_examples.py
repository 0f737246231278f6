"""Every shipped example, rendered and read back: the files say the plan, whole and nothing else."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pixsize.findings import Finding
from pixsize.load import load_request, observed_loader
from pixsize.observed import Observed
from pixsize.plan.records import Plan
from pixsize.product import PRODUCTS
from pixsize.products.me4 import reply_rows
from pixsize.render import RENDERERS
from pixsize.resources import folder
from tests.products.drawing import smallest
from tests.products.reading import READERS, UNREAD, bash_reads, read_back, rendered
from tests.products.replying import REPLIES, built, observed, planned
from tests.support.running import catalog, make

CASES = {path.name: (path, None) for path in sorted(folder("examples").glob("*.yaml"))} | {
    path.name: (path.with_suffix(".yaml"), path) for path in sorted(folder("examples").glob("*.observed"))
}
"""The requests, and the folders of replies with their requests."""


@cache
def plan_of(case: str) -> Plan:
    path, replies = CASES[case]
    loaded, findings = load_request(str(path), catalog())
    assert loaded is not None, findings
    return planned(loaded.request, observed(loaded.request, replies)[0] if replies else Observed())


@cache
def files_of(case: str) -> dict[str, str]:
    made = [file for files in rendered(plan_of(case)).values() for file in files]
    assert len({f.path.lower() for f in made}) == len(made)
    return {f.path: f.text for f in made}


@pytest.mark.parametrize("case", CASES)
def test_the_files_of_an_example_say_its_plan(case: str, tmp_path: Path) -> None:
    files = files_of(case)
    read_back(files, plan_of(case))
    bash_reads(files, tmp_path)


@pytest.mark.parametrize(
    ("call", "other"),
    [
        ("-m 2", "-m 1"),
        ("-M 2", "-M 3"),
        ("-r 1", "-r 2"),
        ("-B 8M", "-B 4M"),
        ("-i 4096", "-i 512"),
        ("mmcrfs m", "mmcrfs n"),
    ],
)
def test_another_call_of_mmcrfs_is_caught(call: str, other: str) -> None:
    files, path = files_of("large+hdmd.yaml"), "stanzas/nsd.stanza"
    assert files[path].count(call) == 1
    with pytest.raises(AssertionError):
        read_back(files | {path: files[path].replace(call, other)}, plan_of("large+hdmd.yaml"))


def test_every_target_is_rendered_of_an_example() -> None:
    """So that each is read back above, or is at least a script that bash reads."""
    assert {path.split("/")[0] for case in CASES for path in files_of(case)} == set(RENDERERS)


def test_every_target_is_read_back_or_says_why_not() -> None:
    """A product whose files nobody reads back could format the wrong volume, and every suite would pass."""
    assert not READERS.keys() & UNREAD.keys()
    assert READERS.keys() | UNREAD.keys() == set(RENDERERS), "add a reader in tests/products/reading.py"
    assert all(len(reason) > 20 for reason in UNREAD.values())


def test_every_product_with_replies_replies_in_tests() -> None:
    """One that did not would be built by no test: its replies would be read by nobody."""
    replying = {name for name, product in PRODUCTS.items() if product.replies}
    assert set(REPLIES) == replying, "add its replies in tests/products/replying.py"
    assert all(REPLIES.values()), "a product without a step of building replies nothing"


@pytest.mark.parametrize("design", ["pixstor-6", "lustre-me4"])
def test_a_reader_that_doubles_sizes_is_caught(design: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader is that of the design's volumes, wherever in the table another family claims the same names."""
    request = make(smallest(design)).loaded.request
    me4: Any = PRODUCTS["me4"]
    other = me4._replace(name="me0", replies=SimpleNamespace(claims=me4.replies.claims, reader=Silent))
    monkeypatch.setattr(observed_loader, "PRODUCTS", {"me0": other, **PRODUCTS})
    plan, seen = built(request, tmp_path, REPLIES["me4"])
    assert seen.arrays.keys() == {a.id for a in plan.arrays}
    monkeypatch.setattr(reply_rows, "_BLOCK", 1024)
    with pytest.raises(AssertionError, match="other sizes than were replied"):
        built(request, tmp_path, REPLIES["me4"])


class Silent:
    """The reader of another family: it reads nothing of these replies."""

    def take(self, _reply: object, _left: object) -> list[Finding]:
        return []

    def finish(self, observed: Observed, _unread: bool) -> tuple[Observed, list[Finding]]:
        return observed, []


@pytest.mark.parametrize("case", [case for case, (_, replies) in CASES.items() if replies])
def test_with_every_reply_nothing_is_left_to_collect(case: str) -> None:
    assert RENDERERS["multipath"].findings(plan_of(case), catalog()) == ()
    assert not [path for path in files_of(case) if path.endswith(".incomplete")]
    assert not [path for path, text in files_of(case).items() if "expand volume" in text]


@pytest.mark.parametrize("case", CASES)
def test_the_same_plan_gives_the_same_files(case: str) -> None:
    again = {f.path: f.text for files in rendered(plan_of(case)).values() for f in files}
    assert again == files_of(case)
