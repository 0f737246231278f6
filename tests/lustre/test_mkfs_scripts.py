"""The scripts of `mkfs`, run for real on loop devices: what stops them before and after a format, and what does not."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.lustre import mkfs_lab as lab_room
from tests.lustre import mkfs_support as support
from tests.lustre.mkfs_lab import OLD_OST, OST0, OST2, Content, Lab, scripts, stopped
from tests.lustre.mkfs_support import BYTES, KIB
from tests.support.programs import tool

pytestmark = pytest.mark.real


def test_the_good_case_formats_each_target_once_in_one_script(lab: Lab, tmp_path: Path) -> None:
    given = support.plan()
    sizes = {v.id: v.bytes for v in given.volumes}
    for target in given.targets:
        lab.device(target.device, sizes[str(target.volume)])
    made = []
    for server, script in scripts(tmp_path).items():
        lab.says("hostname", f"{server}.example.org")
        lab.says("ip", f"4: ib0    inet {support.ADDRESSES[server]}/24 scope global ib0")
        lab.says(
            "lnetctl",
            f"net:\n    - net type: lo\n      local NI(s):\n        - nid: 0@lo\n    - net type: o2ib\n      local NI(s):\n        - nid: {support.ADDRESSES[server]}@o2ib",
        )
        checked = lab.run(script, "--check")
        assert (checked.code, checked.calls, checked.err) == (0, [], "")
        assert "Nothing was formatted." in checked.out
        ran = lab.run(script)
        assert (ran.code, ran.err) == (0, ""), ran.out + ran.err
        assert "Done. Formatted, and read back as planned: " in ran.out
        made += ran.calls
    assert [call[-1] for call in made] == [given.targets[i].device for i in (0, 2, 1, 3, 5, 4)]
    assert ["--mgs", "--servicenode=10.10.0.2@o2ib", "--servicenode=10.10.0.1@o2ib", "/dev/mapper/mm01a1_mgt01"] in made
    assert [
        "--ost",
        "--fsname=scratch",
        "--index=2",
        "--mgsnode=10.10.0.2@o2ib",
        "--mgsnode=10.10.0.1@o2ib",
        "--servicenode=10.10.0.3@o2ib",
        "--servicenode=10.10.0.4@o2ib",
        "--mkfsoptions=-E stride=32,stripe_width=256",
        "/dev/mapper/sm01a1_data03",
    ] in made
    assert not any("reformat" in word for call in made for word in call)


def test_the_good_case_of_a_pool_without_failover(lab: Lab, tmp_path: Path) -> None:
    given = support.pool_plan(f"/dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f3130000000{n}" for n in range(3))
    lab.device(given.targets[1].device, BYTES)
    ran = lab.run(scripts(tmp_path, given)["oss01"])
    assert (ran.code, ran.err) == (0, ""), ran.out
    device = given.targets[1].device
    assert ran.calls == [["--ost", "--fsname=scratch", "--index=0", "--mgsnode=10.10.0.1@o2ib", device]]


def test_dry_run_prints_the_commands_anywhere_and_looks_at_nothing(lab: Lab, tmp_path: Path) -> None:
    lab.says("hostname", "elsewhere")
    made = scripts(tmp_path)
    ran = lab.run(made["mds02"], "--dry-run")
    assert (ran.code, ran.err, ran.calls) == (0, "", [])
    nodes = "--servicenode=10.10.0.2@o2ib --servicenode=10.10.0.1@o2ib"
    assert ran.out.splitlines() == [
        f"mkfs.lustre --mgs {nodes} /dev/mapper/mm01a1_mgt01",
        f"mkfs.lustre --mdt --fsname=scratch --index=1 --mgsnode=10.10.0.2@o2ib --mgsnode=10.10.0.1@o2ib {nodes} "
        '--mkfsoptions="-E stride=16,stripe_width=80" /dev/mapper/mm01a1_meta02',
    ]
    assert len(lab.run(made["mds02"], "--dry-run", "--only", "MGS").out.splitlines()) == 1


def test_help_is_data_and_anything_unknown_is_wrong_usage(lab: Lab, tmp_path: Path) -> None:
    script = scripts(tmp_path)["oss01"]
    ran = lab.run(script, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("usage: oss01.sh ")
    for wrong in (
        ["--force"],
        ["-n"],
        ["x"],
        ["--only"],
        ["--only", "scratch-OST0001"],
        ["--only", "*"],
        ["--check", "y"],
    ):
        ran = lab.run(script, *wrong)
        assert (ran.code, ran.out, ran.calls) == (2, "", [])
        assert "usage: oss01.sh" in ran.err


CONTENTS: dict[str, tuple[Content, str]] = {
    "xfs": (lab_room.xfs(), 'TYPE="xfs"'),
    "gpt": (lab_room.gpt(), 'PTTYPE="gpt"'),
    "lvm": (lab_room.lvm(), 'TYPE="LVM2_member"'),
    "md": (lab_room.md(), 'TYPE="linux_raid_member"'),
}


@pytest.mark.parametrize("content", CONTENTS)
def test_a_device_that_is_not_blank_stops_it_before_the_first_format(content: str, lab: Lab, tmp_path: Path) -> None:
    """The second device holds something: the first must stay as it is."""
    what, shown = CONTENTS[content]
    lab.device(OST0, BYTES)
    lab.device(OST2, BYTES, what)
    script = scripts(tmp_path)["oss01"]
    for options in ([], ["--check"], ["--resume"]):
        stopped(
            lab.run(script, *options), f"STOP: scratch-OST0002: {OST2} is not blank.", shown, "Is it the right volume?"
        )
    one = lab.run(script, "--only", "scratch-OST0000")
    assert (one.code, [c[-1] for c in one.calls]) == (0, [OST0])


def test_two_signatures_of_which_blkid_is_silent_stop_it(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    subprocess.run([tool("mke2fs"), "-q", "-F", "-t", "ext4", lab.links[OST2]], check=True)
    with Path(lab.links[OST2]).open("r+b") as disk:
        disk.write(lab_room.xfs()[0][1])
    stopped(lab.run(script), f"{OST2} is not blank.", "blkid -p (exit code 8) finds: ", "xfs", "ext4")


def test_a_hostile_label_on_a_disk_reaches_no_terminal(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    subprocess.run([tool("mke2fs"), "-q", "-F", "-L", "\x1b[2Jgone\u2013", lab.links[OST0]], check=True)
    lab.format_as(OST2, *OLD_OST)
    lab.tell(OST2, target="\x1b[2Jgone\u2013")
    for label, words in (("scratch-OST0000", "is not blank"), ("scratch-OST0002", "holds the Lustre target ?[2Jgone")):
        ran = lab.run(script, "--only", label)
        stopped(ran, words)
        assert ran.err.isascii()
        assert all(c.isprintable() or c == "\n" for c in ran.err)


def test_an_old_lustre_stops_it(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    lab.format_as(OST2, *OLD_OST)
    held = "holds the Lustre target scratch:OST0000."
    stopped(lab.run(script), held, "label: planned scratch:OST0002, found scratch:OST0000", "README.md")
    stopped(lab.run(script, "--resume"), held)


@pytest.mark.parametrize(
    "mount",
    [
        "mount {loop} {place}",
        # As Lustre shows its targets: the device is the source of a mount that has a number of its own.
        "mount -t tmpfs {loop} {place}",
        # By a path that is gone.
        "cp -a {loop} {place}/../gone; mount {place}/../gone {place}; rm {place}/../gone",
    ],
)
def test_a_mounted_device_stops_it(mount: str, oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    subprocess.run([tool("mke2fs"), "-q", "-F", lab.links[OST2]], check=True)
    place = lab.folder / "place"
    place.mkdir()
    ran = lab.run(script, before=mount.format(loop=lab.links[OST2], place=place))
    stopped(ran, f"{OST2} is in use: mounted on {place}.")


def test_a_target_that_lustre_serves_stops_it(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    lab.answers("lctl", ("get_param", "-n", "osd-*.*.mntdev"), f"/dev/null\n{lab.links[OST0]}")
    stopped(lab.run(script), f"{OST0} is in use: a target that Lustre serves.")


def test_a_partition_stops_it(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    subprocess.run([tool("addpart"), lab.links[OST2], "1", "2048", "1024"], check=True)
    ran = lab.run(script)
    subprocess.run([tool("delpart"), lab.links[OST2], "1"], check=True)
    stopped(ran, f"{OST2} is in use, or has partitions: loop")


@pytest.mark.parametrize("size", [BYTES - 4 * KIB, BYTES + 512, BYTES // 2])
def test_another_size_stops_it(size: int, lab: Lab, tmp_path: Path) -> None:
    lab.device(OST0, BYTES)
    lab.device(OST2, size)
    stopped(lab.run(scripts(tmp_path)["oss01"]), f"{OST2} has {size} bytes; planned are {BYTES}.")


def test_a_missing_device_stops_it(lab: Lab, tmp_path: Path) -> None:
    lab.device(OST0, BYTES)
    script = scripts(tmp_path)["oss01"]
    stopped(lab.run(script), f"this server has no {OST2}.", "multipath -ll")
    stopped(lab.run(script, before=f"ln -s /dev/nowhere {OST2}"), f"this server has no {OST2}.")
    stopped(lab.run(script, before=f"echo > {OST2}"), f"{OST2} is no block device.")


def test_one_device_under_two_names_stops_it(lab: Lab, tmp_path: Path) -> None:
    lab.device(OST0, BYTES)
    lab.links[OST2] = lab.links[OST0]
    stopped(lab.run(scripts(tmp_path)["oss01"]), f"scratch-OST0002: {OST2} is the device of scratch-OST0000")


def test_a_read_only_device_stops_it(lab: Lab, tmp_path: Path) -> None:
    lab.device(OST0, BYTES)
    lab.device(OST2, BYTES, (), "-r")
    stopped(lab.run(scripts(tmp_path)["oss01"]), f"{OST2} is read-only.")


@pytest.mark.parametrize("name", ["oss02", "oss011", "oss01x.example.org", "localhost"])
def test_another_host_stops_it(name: str, oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    lab.says("hostname", name)
    stopped(lab.run(script), f"this is {name}, and the script is for oss01.", "run the script on oss01")


@pytest.mark.parametrize("address", ["10.10.0.33/24", "110.10.0.3/24", "10.10.0.4/24"])
def test_another_address_stops_it(address: str, oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    lab.says("ip", f"4: ib0    inet {address} brd 10.10.0.255 scope global ib0")
    stopped(lab.run(script), "ib0 does not have the address 10.10.0.3")
    lab.says("ip", "Device ib0 does not exist.", code=1)
    stopped(lab.run(script), "this server has no interface ib0.")


def test_lnet_with_other_addresses_stops_it(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    lab.says("lnetctl", "net:\n    - net type: tcp\n      local NI(s):\n        - nid: 10.10.0.3@tcp")
    stopped(lab.run(script), "LNet is up without 10.10.0.3@o2ib; it has 10.10.0.3@tcp")


@pytest.mark.parametrize(
    ("program", "said", "code"),
    [
        ("systemctl", "active", 0),
        ("systemctl", "activating", 3),
        ("systemctl", "deactivating", 3),
        ("pgrep", "4711", 0),
        ("crm_mon", "2 nodes configured", 0),
    ],
)
def test_pacemaker_stops_it(program: str, said: str, code: int, oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    lab.says(program, said, code)
    stopped(lab.run(script), "Pacemaker runs here", "pcs cluster stop --all")
    stopped(lab.run(script, "--check"), "Pacemaker runs here")


def test_the_remote_part_of_pacemaker_stops_it(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    lab.fake(
        "systemctl", '#!/bin/sh\n[ "$2" != pacemaker_remote ] || { echo active; exit 0; }\necho inactive; exit 3\n'
    )
    stopped(lab.run(script), "Pacemaker runs here", "pcs cluster stop --all")


def test_a_systemctl_that_answers_nothing_in_a_chroot_is_no_pacemaker(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    lab.says("systemctl", "Running in chroot, ignoring command 'is-active'", 0)
    assert lab.run(script, "--check").code == 0


def test_a_missing_program_and_a_user_without_rights_stop_it(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    (lab.bin / "tunefs.lustre").unlink()
    stopped(lab.run(script), "tunefs.lustre is not installed here")
    lab.says("id", "1000")
    stopped(lab.run(script), "only root can format")


@pytest.mark.parametrize(
    ("spoil", "difference"),
    [
        ("flags", "flags: planned 0x1062, found 0x62"),
        ("nodes", "nodes: planned failover.node=10.10.0.3@o2ib:10.10.0.4@o2ib mgsnode="),
        ("failout", ", found failover.mode=failout failover.node=10.10.0.3@o2ib:10.10.0.4@o2ib mgsnode="),
        ("index", "index: planned 0, found 1"),
        ("blocks", "number of blocks: planned 4096, found 4088"),
        ("inodes", "number of inodes: planned 4096, found 2048"),
        ("inode", "size of an inode: planned 512, found 256"),
        ("stride", "stride: planned 32, found 64"),
        ("width", "stripe width: planned 256, found 128"),
        ("mmp", "multiple mount protection (mmp): planned yes, found no"),
    ],
)
def test_a_wrong_read_back_stops_it_behind_the_format(spoil: str, difference: str, oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    ran = lab.run(script, SPOIL=spoil)
    assert (ran.code, [c[-1] for c in ran.calls]) == (1, [OST0])
    assert "scratch-OST0000: mkfs.lustre made something else than planned" in ran.err
    assert difference in ran.err
    assert ran.err.count(": planned ") == 1
    assert "scratch-OST0000: DO NOT MOUNT IT." in ran.err
    assert "read back, as planned" not in ran.out


def test_a_failing_mkfs_stops_it(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    ran = lab.run(script, SPOIL="fail")
    assert (ran.code, len(ran.calls)) == (1, 1)
    assert f"mkfs.lustre failed on {OST0} with exit code 1." in ran.err
    assert "scratch-OST0000: DO NOT MOUNT IT." in ran.err


def test_a_script_that_is_killed_says_what_it_left(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    lab.fake("mkfs.lustre", "#!/bin/sh\nkill -TERM $PPID\n")
    ran = lab.run(script)
    assert ran.code == 143
    assert "STOP: interrupted" in ran.err
    assert "scratch-OST0000: DO NOT MOUNT IT." in ran.err


def test_the_smallest_device_that_mkfs_takes(lab: Lab, tmp_path: Path) -> None:
    lab.says("hostname", "mds02")
    lab.says("ip", "4: ib0    inet 10.10.0.2/24 scope global ib0")
    lab.device("/dev/mapper/mm01a1_mgt01", 32384 * KIB)
    ran = lab.run(scripts(tmp_path)["mds02"], "--only", "MGS")
    assert (ran.code, ran.err) == (0, "")
