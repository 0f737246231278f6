"""The texts of scli: what is read from them, and what becomes of broken, contradicting and hostile ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixsize.codes import codes
from pixsize.findings import Finding
from pixsize.load import load_observed
from pixsize.load.positions import Positions
from pixsize.load.replies import ReplyError
from pixsize.observed import Observed
from pixsize.products.powerflex.observed import ObservedPool, ObservedPoolVolume
from pixsize.products.powerflex.replies import FILES, LOGIN, VOLUMES, Found, pool_of, system_of, volumes_of

SYSTEM = "2ea35ba11ef02a05"
SAID = f"Logged in. User role is SuperUser. System ID is {SYSTEM}\n"
LISTED = """\
Query-all-volumes returned 3 volumes

Protection Domain 5c0c4e7a00000000 Name: pd1
Storage Pool 7d8c3b9e00000000 Name: sp1
 Volume ID: 9c57f31300000000 Name: ost0000 Size: 1.6 TB (1600 GB) Mapped to 2 SDC Thick-provisioned
 Volume ID: 9c57f31400000001 Name: mdt0000 Size: 552.0 GB (565248 MB) Mapped to 2 SDC Thick-provisioned
 Volume ID: 9C57F31500000002 Name: mgt Size: 8.0 GB (8192 MB) Unmapped Thin-provisioned
"""
GIB = 2**30

Load = Callable[..., tuple[Observed, tuple[Finding, ...]]]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def write(
        login: str | bytes | None = SAID, volumes: str | bytes | None = LISTED
    ) -> tuple[Observed, tuple[Finding, ...]]:
        for name, text in ((LOGIN, login), (VOLUMES, volumes)):
            if text is not None:
                (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return load_observed(tmp_path)

    return write


def found(findings: tuple[Finding, ...]) -> list[tuple[str, str, int]]:
    assert all(f.position for f in findings)
    return [(f.code, f.position.file.rpartition("/")[2], f.position.line) for f in findings if f.position]


def test_both_replies(load: Load) -> None:
    observed, findings = load()
    assert findings == ()
    assert observed.arrays == {}
    assert observed.own
    assert observed.own["powerflex"].system == SYSTEM
    assert observed.own["powerflex"].volumes == {
        "ost0000": ObservedPoolVolume("9c57f31300000000", 1600 * GIB, 2, "sp1", thin=False),
        "mdt0000": ObservedPoolVolume("9c57f31400000001", 552 * GIB, 2, "sp1", thin=False),
        "mgt": ObservedPoolVolume("9c57f31500000002", 8 * GIB, 0, "sp1", thin=True),
    }
    assert observed.own["powerflex"].places["mdt0000"] == f"{VOLUMES}:6"
    assert (observed.own["powerflex"].announced, observed.own["powerflex"].rows) == (3, 3)
    assert len(observed.digest) == 64


def test_the_digest_covers_the_texts(load: Load) -> None:
    before = load()[0].digest
    assert load(volumes=LISTED.replace("8192 MB", "16384 MB"))[0].digest != before


def test_replies_of_arrays_stay_beside_them(load: Load, tmp_path: Path) -> None:
    (tmp_path / "sm01a1.enclosures.json").write_text('{"enclosures": [{"enclosure-id": 1, "model": "ME484"}]}')
    observed, findings = load()
    assert findings == ()
    assert observed.arrays["sm01a1"].enclosures[1].model == "ME484"
    assert observed.own


def test_before_there_are_volumes_the_login_is_enough(load: Load) -> None:
    observed, findings = load(volumes=None)
    assert (observed.own["powerflex"], findings) == (ObservedPool(SYSTEM), ())


def test_a_folder_without_them_observed_no_pool(tmp_path: Path) -> None:
    (tmp_path / "powerflex.txt").write_text(SAID)
    observed, findings = load_observed(tmp_path)
    assert not observed.own
    (finding,) = findings
    assert finding.code == "PX302"
    assert all(name in finding.message for name in FILES)


def test_windows_line_ends_and_a_byte_order_mark(load: Load) -> None:
    observed, findings = load(b"\xef\xbb\xbf" + SAID.replace("\n", "\r\n").encode(), LISTED.replace("\n", "\r\n"))
    assert findings == ()
    assert observed.own
    assert sorted(observed.own["powerflex"].volumes) == ["mdt0000", "mgt", "ost0000"]


@pytest.mark.parametrize(
    ("size", "wanted"),
    [
        ("1.6 TB (1600 GB) Mapped to 1 SDC", 1600 * GIB),
        ("8.0 GB (8192 MB)", 8 * GIB),
        ("1600 GB", 1600 * GIB),
        ("2 TB Unmapped", 2048 * GIB),
        ("8388608 KB", 8 * GIB),
        ("1.0 TB (1048576MB)", 1024 * GIB),
    ],
)
def test_units_are_binary_and_brackets_exact(size: str, wanted: int) -> None:
    line = f"Volume ID: 9c57f31300000000 Name: v Size: {size}\n"
    pool, findings = pool_of({LOGIN: (SAID, Positions("l")), VOLUMES: (line, Positions("v"))})
    assert findings == []
    assert pool is not None
    assert pool.volumes["v"].bytes == wanted


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("Mapped to 2 SDC Thick-provisioned", (2, False)),
        ("mapped to 1 SDC thin-provisioned", (1, True)),
        ("Mapped to 12 SDCs", (12, None)),
        ("Not mapped Thick-provisioned", (0, False)),
        ("Unmapped", (0, None)),
        ("Thin-provisioned", (None, True)),
        ("Mapped to many SDC Thickish", (None, None)),
        ("", (None, None)),
    ],
)
def test_what_stands_behind_the_size(said: str, wanted: tuple[int | None, bool | None]) -> None:
    line = f"Volume ID: 9c57f31300000000 Name: thin Size: 8.0 GB (8192 MB) {said}\n"
    (found,) = volumes_of(line)
    assert isinstance(found, Found)
    assert (found.volume.sdcs, found.volume.thin, found.volume.pool) == (*wanted, None)


def test_a_pool_is_that_of_the_last_heading_and_no_heading_lends_its_rows_to_another() -> None:
    row = "Volume ID: 9c57f31300000000 Name: v Size: 8 GB\n"
    headings = (
        "Storage Pool 7d8c3b9e00000000 Name: sp1\n",
        "  storage pool 7d8c3b9e00000001 name: sp2 \r\n",
        "Storage Pool 7d8c3b9e00000002 Name: $(reboot)\n",
        "Storage Pool 7d8c3b9e00000000 Name: sp1\n",
        "Protection Domain 5c0c4e7a00000000 Name: pd2\n",
    )
    listed = list(volumes_of(row + "".join(heading + row for heading in headings)))
    pools = [found.volume.pool for found in listed if isinstance(found, Found)]
    assert pools == [None, "sp1", "sp2", None, "sp1", None]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (LISTED, (3, 3)),
        (LISTED + LISTED, (6, 6)),
        (LISTED[: LISTED.index(" Volume ID: 9C57")], (3, 2)),
        (f"{LISTED} Volume ID: 9c57f31600000003 Name: N/A Size: 8.0 GB (8192 MB) Unmapped\n", (3, 4)),
        (LISTED.partition("\n")[2], (None, None)),
        ("Query-all-volumes returned 1 volume\n", (1, 0)),
    ],
)
def test_rows_are_counted_beside_what_is_announced(load: Load, text: str, wanted: tuple[int | None, int]) -> None:
    observed, findings = load(volumes=text)
    assert findings == ()
    assert observed.own
    assert (observed.own["powerflex"].announced, observed.own["powerflex"].rows) == wanted


@pytest.mark.parametrize(
    "line",
    [
        "Volume ID: 9c57f313 Name: v Size: 8.0 GB (8192 MB)",
        "Volume ID: 9c57f3130000000g Name: v Size: 8.0 GB (8192 MB)",
        "Volume ID: 0000000000000000 Name: v Size: 8.0 GB (8192 MB)",
        "Volume ID: ../../../../etc0 Name: v Size: 8.0 GB (8192 MB)",
        "Volume ID: 9c57f31300000000 Name: $(reboot) Size: 8.0 GB (8192 MB)",
        "Volume ID: 9c57f31300000000 Name: ../sda Size: 8.0 GB (8192 MB)",
        "Volume ID: 9c57f31300000000 Name: -rf Size: 8.0 GB (8192 MB)",
        f"Volume ID: 9c57f31300000000 Name: {'x' * 32} Size: 8.0 GB (8192 MB)",
        "Volume ID: 9c57f31300000000 Name: v Size: 1.6 TB",
        "Volume ID: 9c57f31300000000 Name: v Size: 0 GB",
        "Volume ID: 9c57f31300000000 Name: v Size: -8 GB",
        "Volume ID: 9c57f31300000000 Name: v Size: 999999999999999 TB",
        "Volume ID: 9c57f31300000000 Name: v Size: 8 PB",
        "Volume ID: 9c57f31300000000 Name: v",
        "Volume ID: 9c57f31300000000 Size: 8.0 GB (8192 MB)",
        "Volume ID",
        "\x1b[2J Volume ID: 9c57f31300000000 Name: v Size: 8 GB",
    ],
)
def test_a_line_that_names_a_volume_and_cannot_be_read_is_refused(load: Load, line: str) -> None:
    observed, findings = load(volumes=f"{LISTED}{line}\n")
    assert found(findings) == [("PX303", VOLUMES, 8)]
    assert observed.own
    assert len(observed.own["powerflex"].volumes) == 3
    assert findings[0].message.isprintable()


def test_a_volume_without_a_name_is_nobody_of_ours(load: Load) -> None:
    observed, findings = load(
        volumes=f"{LISTED} Volume ID: 9c57f31600000003 Name: N/A Size: 8.0 GB (8192 MB) Unmapped\n"
    )
    assert findings == ()
    assert observed.own
    assert "N/A" not in observed.own["powerflex"].volumes


def test_an_empty_pool_has_no_volumes(load: Load) -> None:
    observed, findings = load(volumes="Query-all-volumes returned 0 volumes\n")
    assert (observed.own["powerflex"], findings) == (ObservedPool(SYSTEM, announced=0, rows=0), ())


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("\n \n", 1),
        ("Logged in. User role is SuperUser.\n", 1),
        ("Error: Login failed\n", 1),
        ("banner\nSystem ID is 2ea35ba1\n", 2),
        ("System ID is $(reboot)\n", 1),
        ("banner\nSystem ID is 0000000000000000\n", 2),
        (f"{SAID}System ID is ffffffffffffffff\n", 2),
        (f"{'x' * 2000}\n{SAID}", 1),
    ],
)
def test_a_login_that_names_no_system_or_two(load: Load, text: str, line: int) -> None:
    observed, findings = load(login=text)
    assert found(findings) == [("PX301", LOGIN, line)]
    assert not observed.own


def test_the_same_system_twice_is_one() -> None:
    assert system_of(SAID + SAID) == SYSTEM
    assert system_of(SAID.replace(SYSTEM, SYSTEM.upper())) == SYSTEM
    assert system_of(f"System ID: 0x{SYSTEM}") == SYSTEM


def test_volumes_without_the_system_lack_half_of_their_devices_names(load: Load) -> None:
    observed, findings = load(login=None)
    assert found(findings) == [("PX303", VOLUMES, 1)]
    assert LOGIN in findings[0].hint
    assert not observed.own


def test_another_text_is_no_list_of_volumes(load: Load) -> None:
    assert found(load(volumes="Error: MDM failed command. Status: Permission denied\n")[1]) == [("PX301", VOLUMES, 1)]


@pytest.mark.parametrize("which", [0, 1])
def test_bytes_that_are_no_text(load: Load, which: int) -> None:
    given = [SAID, LISTED]
    given[which] = b"\xff\xfe"  # type: ignore[call-overload]
    assert found(load(*given)[1]) == [("PX301", FILES[which], 1)]


def test_a_reply_beyond_all_sizes_is_not_read(load: Load) -> None:
    assert [f.code for f in load(volumes="x" * (5 * 2**20))[1]] == ["PX002"]
    with pytest.raises(ReplyError, match="lines"):
        list(volumes_of("Volume\n" * 100_001))


def test_two_rows_of_one_volume_the_later_holds(load: Load) -> None:
    again = " Volume ID: 9c57f31500000002 Name: mgt Size: 16.0 GB (16384 MB) Unmapped\n"
    observed, findings = load(volumes=LISTED + again)
    assert found(findings) == [("PX307", VOLUMES, 8)]
    assert codes()["PX307"].severity == "warning"
    assert observed.own
    assert observed.own["powerflex"].volumes["mgt"] == ObservedPoolVolume("9c57f31500000002", 16 * GIB, 0, "sp1")
    assert load(volumes=LISTED + LISTED)[1] == ()


def test_two_volumes_of_one_name_are_refused(load: Load) -> None:
    """Which of them the scripts would format is not known."""
    again = " Volume ID: 9c57f31900000009 Name: mgt Size: 16.0 GB (16384 MB) Unmapped\n"
    (finding,) = load(volumes=LISTED + again)[1]
    assert (finding.code, finding.severity) == ("PX309", "error")
    assert finding.position is not None
    assert finding.position.line == 8
    assert "9c57f31900000009" in finding.message
    assert f"{VOLUMES}:7 9c57f31500000002" in finding.message


def test_one_id_cannot_be_two_volumes(load: Load) -> None:
    findings = load(volumes=LISTED.replace("9c57f31400000001", "9c57f31300000000"))[1]
    assert found(findings) == [("PX303", VOLUMES, 6)]


def test_a_long_list_of_troubles_is_cut(load: Load) -> None:
    assert len(load(volumes="Volume ID: x\n" * 500)[1]) == 20


@given(st.text(max_size=300), st.text(max_size=300))
def test_whatever_the_texts_hold_nothing_breaks_and_ids_are_ids(login: str, volumes: str) -> None:
    pool, findings = pool_of({LOGIN: (login, Positions("l", login)), VOLUMES: (volumes, Positions("v", volumes))})
    assert pool is not None or findings
    for volume in pool.volumes.values() if pool else ():
        assert len(volume.id) == 16
