"""Values as words of the files."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixsize.arrays.render import multipath
from pixsize.products.lustre.render import lnet
from pixsize.products.me4.render import parts as me4
from pixsize.render import RENDERERS
from pixsize.render import template as words
from pixsize.render.template import fill, prose
from tests.readers.me4cli import read_disks

slots = st.sets(st.integers(0, 83), min_size=1).map(sorted)


@given(st.integers(0, 3), slots)
def test_drives_by_list_and_by_range_name_the_same(enclosure: int, numbers: list[int]) -> None:
    wanted = [(enclosure, n) for n in numbers]
    assert read_disks(me4.drives(enclosure, numbers)) == wanted
    assert read_disks(me4.drive_ranges(enclosure, reversed(numbers))) == wanted


def test_pairs_of_a_raid_10() -> None:
    assert me4.drive_pairs(0, (0, 12, 1, 13)) == "0.0,0.12:0.1,0.13"
    with pytest.raises(ValueError, match="no pairs"):
        me4.drive_pairs(0, (0, 1, 2))


def test_runs() -> None:
    assert me4.drive_ranges(0, (80, 81, 82, 83)) == "0.80-83"
    assert me4.drive_ranges(1, (3, 5, 6)) == "1.3,1.5-6"


@given(st.text(max_size=40))
def test_a_word_is_one_word_to_every_reader(text: str) -> None:
    try:
        passed = words.word(text)
    except ValueError:
        return
    assert passed == text
    assert text.isascii()
    assert not set(text) & set(" \t\n'\"$`\\;&|<>()[]{}*?!#%=~^/@")
    assert not text.startswith("-")


@pytest.mark.parametrize(
    ("size", "text"), [(2**23, "8M"), (2**19, "512K"), (2**16, "64K"), (2**24, "16M"), (1000, "1000")]
)
def test_sizes_as_gpfs_writes_them(size: int, text: str) -> None:
    assert words.binary_size(size) == text


def test_sizes_as_the_array_takes_them() -> None:
    assert me4.blocks(2**22) == "8192"
    assert me4.chunk_size(2**19) == "512k"
    for size in (0, -512, 511, 513):
        with pytest.raises(ValueError, match="blocks"):
            me4.blocks(size)
    for size in (0, -1024, 1000):
        with pytest.raises(ValueError, match="chunk"):
            me4.chunk_size(size)


@pytest.mark.parametrize("text", ["", "3600C0FF0001E2CCA8CBD4C0101000000", "3600c0ff", "3" + "0" * 33, "3" + "g" * 32])
def test_a_wwid_is_33_hex_digits(text: str) -> None:
    with pytest.raises(ValueError, match="may not stand"):
        multipath.wwid(text)


@pytest.mark.parametrize("text", ["", "A ", " A", 'A"', ".*", "^A", "A\n", "A}", "A" * 17, "\u00c4", "-A", "A$(id)"])
def test_a_word_of_scsi_has_no_sign_of_a_regular_expression(text: str) -> None:
    assert [multipath.scsi(w) for w in ("DellEMC", "ME4", "XY 5")] == ["DellEMC", "ME4", "XY 5"]
    with pytest.raises(ValueError, match="may not stand"):
        multipath.scsi(text)


def test_a_template_that_asks_for_more_than_its_view_fails() -> None:
    from jinja2 import UndefinedError

    with pytest.raises(UndefinedError):
        fill("me4/02-volumes.cli.j2", {})


def test_the_registry_names_its_targets_without_the_template_engine() -> None:
    code = "import sys, pixsize.render as r; print(*r.RENDERERS); assert 'jinja2' not in sys.modules"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == list(RENDERERS)
    assert all(name == r.name and r.summary for name, r in RENDERERS.items())


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("10.10.0.1@o2ib", "10.10.0.1@o2ib"),
        ("10.10.0.1@o2ib0", "10.10.0.1@o2ib"),
        ("10.10.0.1@tcp0", "10.10.0.1@tcp"),
        ("10.10.0.1@tcp10", "10.10.0.1@tcp10"),
    ],
)
def test_the_first_network_of_a_kind_has_no_number(text: str, written: str) -> None:
    assert lnet.nid(text) == written


@pytest.mark.parametrize(
    "text", ["", "10.10.0.1", "10.10.0@tcp", "10.10.0.1@elan", "10.10.0.1@tcp;id", "10.10.0.1@tcp\n"]
)
def test_what_is_no_nid_raises(text: str) -> None:
    with pytest.raises(ValueError, match="is no address of LNet"):
        lnet.nid(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[a](http://b.c/d)", "[a] (http: //b.c/d)"),
        ("![a](b) [a][b] [a]: b [[b]]", "![a] (b) [a] [b] [a] : b [ [b]]"),
        ("<img src=x> </a> <!-- <?x", "< img src=x> < /a> < !-- < ?x"),
        ("<http://a> FTP://a WWW.a.b x@a.b", "< http: //a> FTP: //a WWW .a.b x @a.b"),
        (
            "osc.{fsname}-OST*-osc-[^M]*.x < 5, > 6, 10.0.0.1@o2ib",
            "osc.{fsname}-OST*-osc-[^M]*.x < 5, > 6, 10.0.0.1@o2ib",
        ),
        ("a|b`c`\nd", "a/b'c' d"),
    ],
)
def test_prose_starts_no_link_and_no_tag(text: str, shown: str) -> None:
    assert prose(text) == shown
