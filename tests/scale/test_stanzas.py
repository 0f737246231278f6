"""The stanza file: its text to the letter, its grammar, and names that must not reach it."""

from __future__ import annotations

from functools import cache

import pytest

from pixsize.catalog.catalog import Catalog
from pixsize.load import load_catalog
from pixsize.product import PRODUCTS
from pixsize.products.scale.render.stanzas import PATH
from pixsize.render import RENDERERS
from tests.readers.compare import stanzas_say_the_plan
from tests.readers.stanza import read_stanzas
from tests.scale.render_plan import catalog, plan, renamed
from tests.support.changing import replace

STANZAS = RENDERERS["stanzas"]
BODY = """
# sm01a1: PowerVault ME4084
%nsd:
  device=/dev/mapper/sm01a1_data01
  nsd=sm01a1_data01
  servers=sm01n1,sm01n2
  usage=dataOnly
  failureGroup=1
  pool=data

%nsd:
  device=/dev/mapper/sm01a1_data02
  nsd=sm01a1_data02
  servers=sm01n2,sm01n1
  usage=dataOnly
  failureGroup=1
  pool=data

%nsd:
  device=/dev/mapper/sm01a1_meta01
  nsd=sm01a1_meta01
  servers=sm01n1,sm01n2
  usage=metadataOnly
  failureGroup=1
  pool=system
"""
DESCRIPTOR = """
# on a server
%nsd:
  device=/dev/disk/by-id/scsi-desc
  nsd=desc01
  servers=mgmt1
  usage=descOnly
  failureGroup=4000
  pool=system
"""


@cache
def records() -> Catalog:
    """The few records of the plan, over the shipped ones: the figure in the head rests on those."""
    return Catalog({**load_catalog()[0].raw, **catalog().raw})


def text_of(made: object) -> str:
    (file,) = STANZAS.files(made, records())  # type: ignore[arg-type]
    assert file.path == PATH == "stanzas/nsd.stanza"
    assert not file.executable
    return file.text


def test_the_text_of_every_stanza() -> None:
    text = text_of(plan(descriptor="mgmt1"))
    head, first, _ = text.partition("\n# sm01a1: ")
    assert first + text.partition(first)[2] == BODY + DESCRIPTOR
    assert all(line.startswith("#") for line in head.splitlines())


def test_the_head_names_both_commands() -> None:
    lines = text_of(plan()).splitlines()
    assert "#   mmcrnsd -F nsd.stanza" in lines
    assert "#   mmcrfs mmfs1 -F nsd.stanza -T /mmfs1 -B 8M -i 4096 -j scatter -m 2 -M 2 -r 1 -R 2" in lines
    assert not any("mmchconfig" in line for line in lines)


@pytest.mark.parametrize(("replicas", "options"), [(1, "-m 1 -M 2"), (3, "-m 3 -M 3")])
def test_replicas_that_can_be_raised_later(replicas: int, options: str) -> None:
    given = plan()
    filesystem = replace(given.filesystem, metadata_replicas=replicas, block_bytes=2**19)
    assert f"-B 512K -i 4096 -j scatter {options} -r 1 -R 2" in text_of(replace(given, filesystem=filesystem))


def test_the_head_says_why_scatter_and_what_must_stand_before_mmcrnsd() -> None:
    head = " ".join(text_of(plan()).partition("%nsd:")[0].replace("\n#", "").split())
    assert "mmcrfs takes cluster by itself for up to 8 nodes or 8 disks, and nothing changes it later" in head
    assert "Block allocation map" in head
    before = head.partition("mmcrnsd writes to every device")[0]
    assert "/var/mmfs/etc/nsddevices is installed" in before
    assert "multipathd runs" in before
    assert "each volume has its size (me4/ARRAY/README.md, section 5)." in before


def test_the_head_names_the_page_of_the_family_of_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    volumes = PRODUCTS["me4"].volumes
    assert volumes is not None
    for page, said in (
        ("me99/{array}/steps.md#7.", "its size (me99/ARRAY/steps.md, section 7)."),
        ("", "has its size."),
    ):
        monkeypatch.setattr(volumes, "terms", volumes.terms._replace(page=page))
        assert said in " ".join(text_of(plan()).replace("\n#", "").split())


def test_the_head_says_what_to_do_after_half_an_mmcrnsd() -> None:
    head = " ".join(text_of(plan()).partition("%nsd:")[0].replace("\n#", "").split())
    assert "do not repeat it with this file: `mmlsnsd -F` shows the NSDs that it made" in head
    assert "Copy the stanzas of the others, and no more, into a file of their own" in head


def test_the_server_of_a_descriptor_is_told_to_let_go() -> None:
    assert "#   mmchconfig unmountOnDiskFail=yes -N mgmt1\n" in text_of(plan(descriptor="mgmt1"))


def test_the_file_read_back_is_the_plan() -> None:
    given = plan(descriptor="mgmt1")
    stanzas_say_the_plan({"nsd.stanza": text_of(given)}, given)


def test_no_line_ends_in_a_blank_and_no_two_are_empty() -> None:
    text = text_of(plan(descriptor="mgmt1"))
    assert "\n\n\n" not in text
    assert text.endswith("pool=system\n")
    assert all(line == line.rstrip() and len(line) <= 120 for line in text.splitlines())


@pytest.mark.parametrize(
    "name",
    ["a b", "a;b", "$(id)", "-rf", "a\nb", "a'b", 'a"b', "", "ä", "a/b", "#a", "%nsd:", "a.b", "a-b", "a,b", "a" * 33],
)
def test_names_that_something_could_misread_never_reach_the_file(name: str) -> None:
    with pytest.raises(ValueError, match="may not stand"):
        text_of(renamed(plan(), name))


@pytest.mark.parametrize("server", ["a,b", "a b", "-x", "a=b"])
def test_nor_do_such_servers(server: str) -> None:
    given = plan()
    first, *others = given.targets
    with pytest.raises(ValueError, match="may not stand"):
        text_of(replace(given, targets=(replace(first, servers=(server,)), *others)))


@pytest.mark.parametrize("device", ["/dev/../etc/passwd", "/etc/x", "sdb", "/dev/a b", "/dev//a", "/dev/", "/dev/-a"])
def test_nor_do_such_devices(device: str) -> None:
    given = plan()
    first, *others = given.targets
    with pytest.raises(ValueError, match="may not stand"):
        text_of(replace(given, targets=(replace(first, device=device), *others)))


def test_a_title_of_the_catalog_stays_within_its_comment() -> None:
    hostile = catalog(me4={"title": "ME4084\n%nsd: nsd=evil device=/dev/sda\u2028|`"})
    (file,) = STANZAS.files(plan(), Catalog({**records().raw, **hostile.raw}))
    assert len(read_stanzas(file.text)) == 3
    assert "# sm01a1: ME4084 %nsd: nsd=evil device=/dev/sda /'\n" in file.text


def test_nothing_to_render_without_nsds() -> None:
    assert STANZAS.applies(plan())
    assert not STANZAS.applies(replace(plan(), targets=()))
    assert STANZAS.findings(plan(), catalog()) == ()
