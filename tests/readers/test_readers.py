"""The readers themselves: they accept what the grammars allow, and nothing else."""

from __future__ import annotations

import pytest

from tests.readers.me4cli import Group, NewVolume, read_cli, read_disks
from tests.readers.stanza import read_mmcrfs, read_stanzas

SITE = """\
# a head
%nsd: device=/dev/mapper/a NSD=one
  # a comment ends nothing
  servers=n1,n2   # nor does this
  FailureGroup=1
  usage=dataOnly

%nsd:nsd=two device=vdb
%pool:
  pool=data blocksize=8M
some words end it
"""


def test_stanzas_as_sites_write_them() -> None:
    assert read_stanzas(SITE) == [
        {
            "stanza": "nsd",
            "device": "/dev/mapper/a",
            "nsd": "one",
            "servers": "n1,n2",
            "failureGroup": "1",
            "usage": "dataOnly",
        },
        {"stanza": "nsd", "nsd": "two", "device": "vdb"},
        {"stanza": "pool", "pool": "data", "blockSize": "8M"},
    ]


@pytest.mark.parametrize(
    "text",
    [
        "%nsd:\n  nsd=a\n\n  pool=data\n",  # a blank line cuts the stanza
        "%nsd:\n  nsd=a\n  words\n  pool=data\n",
        "%nsd: nsd = a\n",
        "%nsd: servers=a, b\n",
        "%nsd: nsd=a nsd=b\n",
        "%nsd: nsd=\n",
        "nsd=a\n",
    ],
)
def test_broken_stanzas_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="line"):
        read_stanzas(text)


def test_the_call_of_mmcrfs_in_a_head() -> None:
    text = "# mmcrfs takes the file.\n"
    call = "#   mmcrfs fs1 -F nsd.stanza -B 512K -i 4096 -m 2\n"
    assert read_mmcrfs(call) == {"device": "fs1", "-F": "nsd.stanza", "-B": 524288, "-i": 4096, "-m": "2"}
    for broken in (
        "",
        call * 2,
        text,
        call.replace("-m 2", "-m"),
        call.replace("-m", "-i"),
        call.replace("512K", "512X"),
    ):
        with pytest.raises(ValueError, match=r"mmcrfs|option|size"):
            read_mmcrfs(broken)


def test_the_five_commands() -> None:
    array = read_cli(
        "add disk-group type linear disks 0.0,0.2,0.4,0.6 level r6 assigned-to a chunk-size 512k g1\n"
        "add disk-group type linear disks 0.1,0.13 level r1 assigned-to b g2\n"
        "add spares 0.80-81,1.83\n"
        "create volume pool g1 size 8192 v1\n"
        "create volume pool g2 size 3GiB v2\n"
        "map volume access read-write lun 2 v1\n"
    )
    disks = ((0, 0), (0, 2), (0, 4), (0, 6))
    assert array.groups == {
        "g1": Group("g1", disks, "r6", "a", 524288),
        "g2": Group("g2", ((0, 1), (0, 13)), "r1", "b", None),
    }
    assert array.spares == {(0, 80), (0, 81), (1, 83)}
    assert array.volumes == {"v1": NewVolume("v1", "g1", 4194304), "v2": NewVolume("v2", "g2", 3 * 2**30)}
    assert array.luns == {"v1": 2}


GROUP = "add disk-group type linear disks 0.0,0.1 level r1 assigned-to a g\n"


@pytest.mark.parametrize(
    "text",
    [
        "# a comment\n",
        "\n",
        " show disks\n",
        "show disks\n",
        "add spares 0.80-0.83\n",
        "add spares 0.80, 0.81\n",
        "add spares 0.83-80\n",
        "add spares 0.1\r\n",
        "add spares 0.1",
        "add spares 0.1,0.1\n",
        GROUP + "add spares 0.1\n",
        GROUP + "add disk-group type linear disks 0.2,0.3 level r1 assigned-to a G\n",
        GROUP.replace(" g\n", " g;reboot\n"),
        GROUP.replace("-to a", "-to auto"),
        GROUP + "create volume pool h size 8 v\n",
        GROUP + "create volume pool g size max v\n",
        GROUP + "create volume pool g size 8 v\nmap volume access read-write lun 2 w\n",
        GROUP + "create volume pool g size 8 v\n" + "map volume access read-write lun 2 v\n" * 2,
        GROUP + "create volume pool g size 8 v\ncreate volume pool g size 8 w\n"
        "map volume access read-write lun 2 v\nmap volume access read-write lun 2 w\n",
    ],
)
def test_other_lines_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_cli(text)


def test_pairs_of_a_raid_10() -> None:
    assert read_disks("0.0,0.1:1.2-3") == [(0, 0), (0, 1), (1, 2), (1, 3)]
