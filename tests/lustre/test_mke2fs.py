"""What pixsize says of a formatted target, against what the real mke2fs makes of such a device."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pixsize.products.lustre.ldiskfs import formatted, refusal
from pixsize.products.lustre.plan import lustre, target_of
from pixsize.products.lustre.records import LustreRelease
from tests.lustre.drawn_requests import lustre_requests
from tests.lustre.mke2fs import GIB, KIB, MIB, TIB, dumped, planned, told
from tests.support.catalog_records import get
from tests.support.running import make

pytestmark = [pytest.mark.real, pytest.mark.long]

LEAST = 32384 * KIB
MOST = {"ost": 15 * TIB, "mdt": 20 * GIB, "mgt": 64 * GIB}
"""Where drawn sizes end. An ext4 holds no file of 16 TiB, and the journal of a large MDT takes seconds each."""
STEPS = 10**6


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("mke2fs")


def release(version: str) -> LustreRelease:
    return get(f"lustre-{version}", LustreRelease)


def agree(folder, version: str, kind: str, size: int, stride: int = 0, width: int = 0, mmp: bool = True) -> None:
    ours = formatted(release(version), kind, size, stride=stride, stripe_width=width, mmp=mmp)
    real = dumped(folder, release(version), kind, size, mkfsoptions=ours.options, mmp=mmp)
    assert not isinstance(real, str), real
    assert not refusal(release(version), kind, size)
    assert planned(ours) == told(real), f"{kind} of {size:,} B, {version}"


@st.composite
def devices(draw) -> tuple[str, int]:
    """A kind and a size, as many small as large ones; some lie close to a size at which something changes."""
    kind = draw(st.sampled_from(sorted(MOST)))
    if draw(st.booleans()):
        size = int(LEAST * (MOST[kind] / LEAST) ** (draw(st.integers(0, STEPS)) / STEPS))
    else:
        near = draw(st.sampled_from([100 * MIB, 128 * MIB, 512 * MIB, GIB, 2 * GIB, 10 * GIB, 16 * GIB]))
        size = near * draw(st.integers(1, 9)) + draw(st.integers(-1100, 12_000)) * 4096 + draw(st.integers(-1, 1))
    return kind, max(LEAST, min(size, MOST[kind]))


@settings(max_examples=25, deadline=None)
@given(
    device=devices(), version=st.sampled_from(["2.10.8", "2.15.8"]), stride=st.sampled_from([0, 32]), mmp=st.booleans()
)
@example(device=("mdt", LEAST), version="2.10.8", stride=0, mmp=True)
@example(device=("ost", 8 * 128 * MIB + 512 * 4096), version="2.15.8", stride=32, mmp=False)
def test_drawn_devices_are_formatted_as_planned(folder, device, version, stride, mmp):
    agree(folder, version, *device, stride=stride, width=8 * stride, mmp=mmp)


@pytest.mark.parametrize(
    "version, kind, size",
    [
        ("2.15.8", "ost", 124_999_999_488 * 512),
        ("2.15.8", "ost", 1600 * GIB),
        ("2.10.8", "ost", 1600 * GIB),
        ("2.15.8", "mdt", 4_800_000_000_000 - 8 * GIB),
        ("2.15.8", "ost", 16 * TIB),
        ("2.10.8", "ost", 16 * TIB + 32 * MIB),
        ("2.15.8", "ost", 256 * 10**12),
    ],
)
def test_large_devices_are_formatted_as_planned(folder, version, kind, size):
    """Those of both designs, and those at which 32 bits end, 2^32 - 1 blocks are kept, and descriptors are spread."""
    agree(folder, version, kind, size, stride=32, width=256)


@pytest.mark.parametrize(
    "kind, size, says",
    [
        ("mdt", 12 * 10**12, "too many inodes"),
        ("mgt", 16 * TIB, "Extents MUST be enabled"),
        ("ost", 4_290_772_992 * 4096, "resize maximum must be greater"),
        ("ost", (2**32 - 2) * 4096, "resize maximum must be greater"),
    ],
)
def test_what_mke2fs_refuses_is_refused(folder, kind, size, says):
    real = dumped(folder, release("2.15.8"), kind, size)
    assert isinstance(real, str)
    assert says in real
    assert refusal(release("2.15.8"), kind, size)


@settings(max_examples=3, deadline=None)
@given(blocks=st.integers(TIB // 10 // 4096, 99 * TIB // 10 // 4096), version=st.sampled_from(["2.10.8", "2.15.8"]))
def test_drawn_mdts_are_formatted_as_planned(folder, blocks, version):
    """Between 0.1 and 9.9 TiB a number of inodes for so many bytes alone is wrong for many a size."""
    agree(folder, version, "mdt", blocks * 4096, stride=16, width=80)


@settings(max_examples=3, deadline=None)
@given(words=lustre_requests, data=st.data())
def test_targets_of_drawn_plans_are_what_their_options_make(folder, words, data):
    """The size, the stripes and the mount protection of a plan's own target, formatted with the words that it has."""
    plan = make(words).plan
    target = data.draw(st.sampled_from([t for t in plan.targets if t.kind != "mgt"]))
    size = next(v.bytes for v in plan.volumes if v.id == target.volume)
    made, several = release(lustre(plan).release.removeprefix("lustre-")), len(target.servers) > 1
    real = dumped(folder, made, target.kind, size, mkfsoptions=target_of(target).ldiskfs.options, mmp=several)
    assert not isinstance(real, str), real
    assert planned(target_of(target).ldiskfs) == told(real), f"{target.id} of {size:,} B, {lustre(plan).version}"
