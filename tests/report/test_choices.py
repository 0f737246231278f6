"""Why the chunk is what it is: in every form of a plan, computed for whatever chunk and block."""

from __future__ import annotations

import pytest

from pixsize.products.scale.terms import TERMS
from pixsize.report import markdown, plan_json, text
from pixsize.report.plan_page import page
from pixsize.report.sized_plan import choices
from tests.scale.render_plan import plan
from tests.support.changing import replace
from tests.support.planned import facts

KIB, MIB = 2**10, 2**20


@pytest.mark.parametrize("draw", [text.draw, markdown.draw])
def test_the_page_says_why_the_chunk_is_512_kib(draw: object) -> None:
    assert callable(draw)
    shown = " ".join(draw(page(facts("large+hdmd"), long=True)).split())
    assert "512 KiB: one stripe over 8 data drives is 4 MiB, half a file-system block of 8 MiB" in shown


def test_json_says_it_too() -> None:
    assert plan_json.document(facts("large+hdmd"))["choices"] == [
        {
            "what": "chunk size",
            "value": "512 KiB",
            "why": "one stripe over 8 data drives is 4 MiB, half a file-system block of 8 MiB; "
            "a full write never reads first",
        }
    ]


@pytest.mark.parametrize(
    ("chunk", "slots", "level", "block", "said"),
    [
        (
            128 * KIB,
            10,
            "r6",
            8 * MIB,
            "8 data drives is 1 MiB, 1/8 of a file-system block of 8 MiB; a full write never",
        ),
        (256 * KIB, 10, "r6", 8 * MIB, "is 2 MiB, a quarter of a file-system block of 8 MiB"),
        (512 * KIB, 10, "r6", 4 * MIB, "is 4 MiB, one file-system block of 4 MiB"),
        (512 * KIB, 10, "r6", 2 * MIB, "is 4 MiB, larger than a file-system block of 2 MiB; a full write may have to"),
        (
            512 * KIB,
            8,
            "r6",
            8 * MIB,
            "over 6 data drives is 3 MiB, no whole part of a block of 8 MiB; a full write may",
        ),
        (64 * KIB, 10, "r10", 8 * MIB, "over 5 data drives is 320 KiB, no whole part"),
        (512 * KIB, 9, "r5", 8 * MIB, "over 8 data drives is 4 MiB, half"),
    ],
)
def test_it_is_worked_out_from_the_plan(chunk: int, slots: int, level: str, block: int, said: str) -> None:
    given = plan()
    group = replace(given.disk_groups[0], chunk_bytes=chunk, slots=tuple(range(slots)), level=level)
    fs = replace(given.filesystem, block_bytes=block)
    (only,) = choices(replace(given, disk_groups=(group, group), filesystem=fs), TERMS)
    assert said in only.why


def test_each_chunk_size_has_its_line_and_mirrors_have_none() -> None:
    given = plan()
    data, other, meta = given.disk_groups
    assert meta.chunk_bytes is None
    two = replace(given, disk_groups=(replace(data, chunk_bytes=512 * KIB), other, meta))
    assert [c.value for c in choices(two, TERMS)] == ["512 KiB", "1 MiB"]
    assert choices(replace(given, disk_groups=(meta,)), TERMS) == ()
