"""The scripts of `mkfs`: what they look at first, what they see of a device in use, and the second look before each format."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lustre.mkfs_lab import OST0, OST2, Lab, Ran, stopped

pytestmark = pytest.mark.real


def wrong_for_all(lab: Lab) -> None:
    """Pacemaker runs, and nothing of Lustre is installed: a server of somebody else's."""
    lab.says("systemctl", "active", 0)
    (lab.bin / "mkfs.lustre").unlink()


def silent_about_this_server(ran: Ran) -> None:
    """Nothing that it says asks for a change of the server that it runs on."""
    for word in ("Pacemaker", "pcs cluster", "Install", "Set up"):
        assert word not in ran.err


@pytest.mark.parametrize("option", [(), ("--check",), ("--resume",), ("--only", "scratch-OST0000")])
def test_on_another_host_that_comes_before_all_else(option: tuple[str, ...], oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    lab.says("hostname", "prod-db1")
    lab.says("ip", "Device ib0 does not exist.", code=1)
    lab.says("systemctl", "active", 0)
    wanted = "STOP: this is prod-db1, and the script is for oss01.\n      Leave this server alone, and run the script on oss01.\n"
    for spoil in (lambda _: None, wrong_for_all):
        spoil(lab)
        ran = lab.run(script, *option)
        stopped(ran, wanted)
        silent_about_this_server(ran)


def test_another_address_too_comes_before_what_is_installed_and_running(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    wrong_for_all(lab)
    lab.says("ip", "4: ib0    inet 10.10.0.4/24 brd 10.10.0.255 scope global ib0")
    ran = lab.run(script)
    stopped(ran, "ib0 does not have the address 10.10.0.3", "Is this oss01?")
    silent_about_this_server(ran)


def test_a_missing_program_is_named_before_pacemaker_is_to_be_stopped(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    wrong_for_all(lab)
    stopped(lab.run(script), "mkfs.lustre is not installed here")


@pytest.mark.parametrize("program", ["ip", "awk"])
def test_the_programs_that_look_at_addresses_are_looked_for_first(program: str, oss: tuple[Lab, Path]) -> None:
    """The PATH is one folder with links to all programs but this one; the shell keeps the real name of bash."""
    lab, script = oss
    only = lab.folder / "only"
    only.mkdir()
    for folder in (lab.bin, *map(Path, ("/usr/local/bin", "/usr/bin", "/usr/sbin", "/bin", "/sbin"))):
        for found in folder.iterdir() if folder.is_dir() else ():
            if found.name != program and not (only / found.name).exists():
                (only / found.name).symlink_to(found)
    text = script.read_text()
    assert text.count('PATH="$PATH:/usr/sbin:/sbin"\n') == 1
    script.write_text(text.replace('PATH="$PATH:/usr/sbin:/sbin"\n', f'PATH="{only}"\n'))
    lab.says("lnetctl", "net:\n    - net type: o2ib\n      local NI(s):\n        - nid: 10.10.0.3@o2ib")
    ran = lab.run(script)
    stopped(ran, f"{program} is not installed here, or not on the PATH.")


def test_a_device_that_another_holds_stops_it(oss: tuple[Lab, Path]) -> None:
    """As the kernel shows a device under multipath, LVM or RAID: by a link in the folder `holders` of the device."""
    lab, script = oss
    holders = f"/sys/block/{Path(lab.links[OST2]).name}/holders"
    ran = lab.run(script, before=f"mount -t tmpfs none {holders}; ln -s ../../dm-7 {holders}/dm-7; mkdir {holders}/md0")
    stopped(ran, f"scratch-OST0002: {OST2} is in use, or has partitions: holders/md0", "find out whose it is")
    assert lab.run(script, "--check", before=f"mount -t tmpfs none {holders}").code == 0


def test_a_device_that_is_swap_stops_it(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    swaps = lab.folder / "swaps"
    head = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
    shown = f"mount --bind {swaps} /proc/swaps"
    swaps.write_text(f"{head}/dev/nowhere partition 65532 0 -2\n{lab.links[OST2]} partition\t65532\t\t0\t\t-3\n")
    stopped(lab.run(script, before=shown), f"scratch-OST0002: {OST2} is in use: swap.", "whose data it is")
    swaps.write_text(f"{head}/dev/nowhere partition 65532 0 -2\n")
    assert lab.run(script, "--check", before=shown).code == 0


MEANWHILE = """\
#!/bin/sh
{change}
exec {program} "$@"
"""


def meanwhile(lab: Lab, change: str) -> None:
    """Makes the first call of mkfs.lustre come with a change of something else, which no earlier check can have seen."""
    (lab.folder / "real").mkdir()
    program = (lab.bin / "mkfs.lustre").rename(lab.folder / "real" / "mkfs.lustre")
    lab.fake("mkfs.lustre", MEANWHILE.format(change=change, program=program))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("mke2fs -q -F -t ext4 {loop}", f"scratch-OST0002: {OST2} is not blank."),
        ("rm {device}", f"scratch-OST0002: this server has no {OST2}."),
        ("mount -t tmpfs {loop} $RECORD/place", f"scratch-OST0002: {OST2} is in use: mounted on "),
    ],
    ids=["content", "device", "mount"],
)
def test_what_changes_while_the_first_is_formatted_stops_it_before_the_second(
    change: str, words: str, oss: tuple[Lab, Path]
) -> None:
    lab, script = oss
    (lab.folder / "place").mkdir()
    meanwhile(lab, change.format(loop=lab.links[OST2], device=OST2))
    ran = lab.run(script)
    assert (ran.code, [c[-1] for c in ran.calls]) == (1, [OST0]), ran.err
    assert f"STOP: {words}" in ran.err
    assert ran.err.endswith("This run formatted, exactly as planned: scratch-OST0000\n")
    assert "DO NOT MOUNT" not in ran.err
