"""The scripts of `mkfs` run a second time: --resume after a stop, and what was rendered with --reformat."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pixsize.plan.records import Plan, Target
from pixsize.products.lustre.plan import lustre, target_of
from tests.lustre.mkfs_lab import FOREIGN_OST, OLD_OST, OST0, OST2, Lab, scripts, stopped, xfs
from tests.lustre.mkfs_support import KIB, RELEASES, plan
from tests.support.changing import replace
from tests.support.programs import tool

pytestmark = pytest.mark.real


def test_after_a_stop_half_way_resume_goes_on(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    assert lab.run(script, "--only", "scratch-OST0000").code == 0
    before = lab.holds(OST0)
    stopped(lab.run(script), f"{OST0} holds it already, exactly as planned and never mounted.", "--resume")
    ran = lab.run(script, "--resume")
    assert (ran.code, ran.err, [c[-1] for c in ran.calls]) == (0, "", [OST2])
    assert (
        "Formatted, and read back as planned: scratch-OST0002. Left alone, as planned before: scratch-OST0000."
        in ran.out
    )
    assert lab.holds(OST0) == before
    again = lab.run(script, "--resume")
    assert (again.code, again.calls) == (0, [])


def test_resume_does_not_take_a_target_that_was_mounted(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    assert lab.run(script, "--only", "scratch-OST0000").code == 0
    lab.mounted(OST0)
    ran = lab.run(script, "--resume")
    stopped(
        ran, "label: planned scratch:OST0000, found scratch-OST0000", "flags: planned 0x1062, found 0x1042", "README.md"
    )


@pytest.mark.parametrize("change", [{"flags": "0x1042"}, {"flags": "0x62"}, {"target": "scratch-OST0000"}])
def test_resume_takes_only_the_label_and_the_flags_of_a_fresh_target(
    change: dict[str, str], oss: tuple[Lab, Path]
) -> None:
    lab, script = oss
    assert lab.run(script, "--only", "scratch-OST0000").code == 0
    assert lab.run(script, "--resume", "--check").code == 0
    lab.tell(OST0, **change)
    stopped(lab.run(script, "--resume"), f"{OST0} holds the Lustre target", "planned", "found")


def test_resume_keeps_an_mgs_whether_it_was_mounted_or_not_and_claims_nothing(mds: Lab) -> None:
    script = scripts(mds.folder)["mds02"]
    assert mds.run(script, "--only", "MGS").code == 0
    mds.mounted(MGT)
    ran = mds.run(script, "--only", "MGS", "--resume")
    assert (ran.code, ran.calls) == (0, [])
    assert f"as planned already, stays: MGS on {MGT}" in ran.out
    stopped(mds.run(script, "--only", "MGS"), f"{MGT} holds it already, exactly as planned.")


@pytest.mark.parametrize("version", RELEASES)
def test_scripts_come_to_their_end_with_the_replies_of_either_release(version: str, tmp_path: Path) -> None:
    """Fresh, with --resume and with --reformat, on the server of the MGS and on one of the OSTs."""
    given = plan(version)
    sizes = {v.id: v.bytes for v in given.volumes}
    for server in ("mds02", "oss01"):
        folder = tmp_path / server
        folder.mkdir()
        lab = Lab(folder, server)
        try:
            mine = [t for t in given.targets if t.servers[0] == server]
            for target in mine:
                lab.device(target.device, sizes[str(target.volume)])
            comes_to_its_end(lab, given, version, mine)
        finally:
            lab.close()


def comes_to_its_end(lab: Lab, given: Plan, version: str, mine: list[Target]) -> None:
    server, labels = mine[0].servers[0], [t.id for t in mine]
    script = scripts(lab.folder, given)[server]
    ran = lab.run(script, "--only", labels[0], RELEASE=version)
    assert (ran.code, ran.err, len(ran.calls)) == (0, "", 1), ran.out
    ran = lab.run(script, "--resume", RELEASE=version)
    assert (ran.code, ran.err, len(ran.calls)) == (0, "", len(mine) - 1), ran.out
    assert f"Left alone, as planned before: {labels[0]}." in ran.out
    lab.mounted(mine[-1].device)
    old = scripts(lab.folder, given, labels[-1])[server]
    ran = lab.run(old, "--resume", RELEASE=version)
    assert (ran.code, ran.err, [c[-1] for c in ran.calls]) == (0, "", [mine[-1].device]), ran.out


def given_nodes(*nodes: str) -> tuple[str, ...]:
    return ("--ost", "--fsname=scratch", "--index=0", *nodes)


@pytest.mark.parametrize(
    ("nodes", "said"),
    [
        (FOREIGN_OST[3:], "its mgsnode names other nodes: 10.9.0.1@o2ib."),
        (("--mgsnode=10.10.0.1@o2ib", "--servicenode=10.9.0.3@o2ib"), "its failover.node names other nodes: 10.9.0.3@o2ib."),
        (("--mgsnode=10.10.0.3@o2ib", "--servicenode=10.10.0.1@o2ib"), "its mgsnode names other nodes: 10.10.0.3@o2ib."),
        (("--mgsnode=10.10.0.1@o2ib",), "its failover.node is empty."),
        (("--servicenode=10.10.0.3@o2ib",), "its mgsnode is empty."),
    ],
)  # fmt: skip
def test_reformat_leaves_a_target_of_other_nodes_to_who_says_that_it_is_this_one(
    nodes: tuple[str, ...], said: str, oss: tuple[Lab, Path]
) -> None:
    """The same name and index may be another file system's."""
    lab, _ = oss
    script = scripts(lab.folder, None, "scratch-OST0000")["oss01"]
    lab.format_as(OST0, *given_nodes(*nodes))
    lab.mounted(OST0)
    before = lab.holds(OST0)
    for option in ((), ("--check",), ("--resume",)):
        ran = lab.run(script, *option)
        stopped(
            ran, f"scratch-OST0000: {OST0} holds a target of that label, but {said}", "--this-target scratch-OST0000."
        )
    assert lab.holds(OST0) == before
    ran = lab.run(script, "--only", "scratch-OST0000", "--this-target", "scratch-OST0000")
    assert (ran.code, ran.err, [c[-1] for c in ran.calls]) == (0, "", [OST0]), ran.out
    assert "destroyed all the same, as you said" in ran.out


def test_one_planned_node_of_each_list_is_enough(oss: tuple[Lab, Path]) -> None:
    lab, _ = oss
    script = scripts(lab.folder, None, "scratch-OST0000")["oss01"]
    both = ("--mgsnode=10.9.0.1@o2ib", "--mgsnode=10.9.0.2@tcp,10.10.0.2@o2ib", "--servicenode=10.10.0.4@o2ib")
    lab.format_as(OST0, *given_nodes(*both))
    ran = lab.run(script, "--only", "scratch-OST0000")
    assert (ran.code, ran.err, [c[-1] for c in ran.calls]) == (0, "", [OST0]), ran.out


def test_this_target_is_no_word_for_anything_else(oss: tuple[Lab, Path]) -> None:
    """Neither for a target that the script does not destroy, nor for one of another label."""
    lab, script = oss
    ran = lab.run(script, "--this-target", "scratch-OST0000")
    assert (ran.code, "no option --this-target" in ran.err) == (2, True)
    script = scripts(lab.folder, None, "scratch-OST0000")["oss01"]
    ran = lab.run(script, "--this-target", "scratch-OST0002")
    assert (ran.code, "no target scratch-OST0002 that this script destroys" in ran.err) == (2, True)
    lab.format_as(OST0, "--ost", "--fsname=other", "--index=0", "--mgsnode=10.10.0.1@o2ib")
    stopped(
        lab.run(script, "--this-target", "scratch-OST0000"), f"{OST0} does not hold this target, but other:OST0000."
    )


@pytest.mark.parametrize("mark", [":", "-", "="])
def test_reformat_is_for_that_target_alone(mark: str, oss: tuple[Lab, Path]) -> None:
    lab, _ = oss
    script = scripts(lab.folder, None, "scratch-OST0000")["oss01"]
    lab.format_as(OST0, *OLD_OST)
    lab.tell(OST0, target=f"scratch{mark}OST0000")
    ran = lab.run(script, "--check")
    assert (ran.code, ran.calls) == (0, [])
    ran = lab.run(script)
    assert (ran.code, ran.err) == (0, ""), ran.out
    assert [("--reformat" in c, c[-1]) for c in ran.calls] == [(True, OST0), (False, OST2)]
    assert lab.holds(OST0)["parameters"].startswith("  mgsnode=10.10.0.2@o2ib:10.10.0.1@o2ib ")


AT_ONCE = """\
#!/bin/sh
if [ ! -e "$RECORD/second" ]; then
    {script} {options} >"$RECORD/second" 2>&1
    echo "exit code $?" >>"$RECORD/second"
fi
exec {program} "$@"
"""


@pytest.mark.parametrize("options", ["", "--resume", "--only scratch-OST0000", "--check"])
def test_of_two_runs_at_once_one_stops(options: str, oss: tuple[Lab, Path]) -> None:
    """The second begins while the first formats: its device still looks blank."""
    lab, script = oss
    (lab.folder / "real").mkdir()
    program = (lab.bin / "mkfs.lustre").rename(lab.folder / "real" / "mkfs.lustre")
    lab.fake("mkfs.lustre", AT_ONCE.format(script=script, options=options, program=program))
    ran = lab.run(script)
    assert (ran.code, [c[-1] for c in ran.calls]) == (0, [OST0, OST2]), ran.err
    second = (lab.folder / "second").read_text()
    assert "STOP: another run of such a script is at work on this server, and holds /run/pixsize-mkfs.lock." in second
    assert second.endswith("This run has formatted nothing.\nexit code 1\n")


def test_checks_go_beside_each_other_but_no_format_beside_a_check(oss: tuple[Lab, Path]) -> None:
    lab, script = oss
    checking = "exec 8>>/run/pixsize-mkfs.lock; flock -s 8"
    assert lab.run(script, "--check", before=checking).code == 0
    stopped(lab.run(script, before=checking), "another run of such a script is at work")
    assert lab.run(script, "--dry-run", before="exec 8>>/run/pixsize-mkfs.lock; flock 8").code == 0


@pytest.mark.parametrize("open_to_others", ["chmod 1777 /run", "chmod 775 /run", "chown 1000 /run"])
def test_the_lock_lies_where_root_alone_can_write(open_to_others: str, oss: tuple[Lab, Path]) -> None:
    """Where others can write, a link could be planted in its place; on this server /var/run and /var/lock lie there, too."""
    lab, script = oss
    also = "for place in /var/run /var/lock; do [ ! -d $place ] || mount --bind /run $place; done"
    planted = f"{open_to_others}; ln -s $RECORD/victim /run/pixsize-mkfs.lock; {also}"
    stopped(lab.run(script, before=planted), "is a folder that root alone can write to")
    assert not (lab.folder / "victim").exists()


def test_reformat_leaves_the_other_targets_of_the_server_alone(oss: tuple[Lab, Path]) -> None:
    lab, _ = oss
    script = scripts(lab.folder, None, "scratch-OST0000")["oss01"]
    lab.format_as(OST0, *OLD_OST)
    lab.format_as(OST2, *OLD_OST)
    stopped(lab.run(script), "scratch-OST0002", "holds the Lustre target scratch:OST0000")
    ran = lab.run(script, "--only", "scratch-OST0000")
    assert (ran.code, [c[-1] for c in ran.calls]) == (0, [OST0])


def test_reformat_refuses_everything_but_that_target(oss: tuple[Lab, Path]) -> None:
    lab, _ = oss
    script = scripts(lab.folder, None, "scratch-OST0000")["oss01"]
    stopped(lab.run(script), f"{OST0} shows no signature: there is nothing to reformat.")
    lab.format_as(OST0, *OLD_OST)
    for other in ("other:OST0000", "scratch:OST0001", "scratch:MDT0000", "scratch-OST00000", "MGS"):
        lab.tell(OST0, target=other)
        stopped(lab.run(script), f"{OST0} does not hold this target, but {other}.")
    lab.tell(OST0, target="scratch:OST0000")
    with Path(lab.links[OST0]).open("r+b") as disk:
        disk.write(xfs()[0][1])
    stopped(lab.run(script), "blkid -p (exit code 8) finds")


def test_reformat_refuses_a_target_that_another_server_has_mounted(oss: tuple[Lab, Path]) -> None:
    lab, _ = oss
    script = scripts(lab.folder, None, "scratch-OST0000")["oss01"]
    lab.format_as(OST0, *OLD_OST)
    shown = subprocess.run([tool("dumpe2fs"), "-h", lab.links[OST0]], capture_output=True, text=True, check=True)
    block = next(int(line.split()[-1]) for line in shown.stdout.splitlines() if line.startswith("MMP block number"))
    with Path(lab.links[OST0]).open("r+b") as disk:
        disk.seek(block * 4096 + 4)
        disk.write((17).to_bytes(4, "little"))
    stopped(lab.run(script), "a server has it mounted, or died while it had", "clear_mmp")


MGT = "/dev/mapper/mm01a1_mgt01"


@pytest.fixture
def mds(tmp_path: Path) -> Iterator[Lab]:
    """The server mds02, which serves the MGS first."""
    lab = Lab(tmp_path, "mds02")
    try:
        lab.device(MGT, 32384 * KIB)
        yield lab
    finally:
        lab.close()


def old_mgs(lab: Lab, *nodes: str, given: Plan | None = None) -> Path:
    """An MGS with these nodes on the device, and the script that is to destroy one."""
    lab.format_as(MGT, "--mgs", "--reformat", *(f"--servicenode={n}" for n in nodes))
    return scripts(lab.folder, given, "MGS")["mds02"]


@pytest.mark.parametrize(
    "nodes",
    [
        ("10.10.0.2@o2ib", "10.10.0.1@o2ib"),
        ("10.10.0.9@o2ib", "10.10.0.1@o2ib"),
        ("10.10.0.9@o2ib,10.10.0.2@o2ib",),
    ],
    ids=["both", "one", "second address"],
)
def test_reformat_destroys_the_mgs_of_a_planned_node(nodes: tuple[str, ...], mds: Lab) -> None:
    ran = mds.run(old_mgs(mds, *nodes), "--only", "MGS")
    assert (ran.code, ran.err) == (0, ""), ran.out
    assert [("--reformat" in c, c[-1]) for c in ran.calls] == [(True, MGT)]


@pytest.mark.parametrize("option", [(), ("--this-mgs",), ("--check",), ("--resume",)])
@pytest.mark.parametrize(
    "nodes",
    [("192.168.7.1@tcp", "192.168.7.2@tcp"), ("10.10.0.2@tcp",), ("10.10.0.20@o2ib,110.10.0.2@o2ib",)],
    ids=["others", "network", "longer"],
)
def test_reformat_leaves_the_mgs_of_other_nodes_alone(
    nodes: tuple[str, ...], option: tuple[str, ...], mds: Lab
) -> None:
    """The label of every MGS is the same: only its nodes tell whose it is."""
    script = old_mgs(mds, *nodes)
    before = mds.holds(MGT)
    shown = " ".join(nodes).replace(",", " ")
    ran = mds.run(script, "--only", "MGS", *option)
    stopped(ran, f"MGS: {MGT} holds a target of that label, but its failover.node names other nodes: {shown}.")
    stopped(ran, "Planned: 10.10.0.2@o2ib 10.10.0.1@o2ib\n", "README.md", "--this-target MGS.")
    assert mds.holds(MGT) == before


def test_an_mgs_without_nodes_is_destroyed_only_where_somebody_says_that_it_is_this_one(mds: Lab) -> None:
    script = old_mgs(mds)
    for option in ((), ("--check",), ("--resume",)):
        stopped(mds.run(script, "--only", "MGS", *option), "its failover.node is empty.", "--this-target MGS.")
    assert mds.run(script, "--only", "MGS", "--check", "--this-mgs").code == 0
    assert mds.run(script, "--only", "MGS", "--check", "--this-target", "MGS").code == 0
    ran = mds.run(script, "--only", "MGS", "--this-mgs")
    assert (ran.code, ran.err, [c[-1] for c in ran.calls]) == (0, "", [MGT])


def test_an_mgs_of_other_nodes_is_destroyed_only_under_its_label(mds: Lab) -> None:
    script = old_mgs(mds, "192.168.7.1@tcp")
    ran = mds.run(script, "--only", "MGS", "--this-target", "MGS")
    assert (ran.code, ran.err, [c[-1] for c in ran.calls]) == (0, "", [MGT])
    said = "MGS: its failover.node is 192.168.7.1@tcp, not 10.10.0.2@o2ib 10.10.0.1@o2ib; destroyed all the same, as you said."
    assert said in ran.out


def test_without_failover_too_an_mgs_has_to_say_whose_it_is(mds: Lab) -> None:
    """Then the plan's MGS has no service nodes either, and the address of its one server is compared."""
    whole = plan()
    alone = tuple(
        replace(
            t,
            servers=t.servers[:1],
            ldiskfs=target_of(t).ldiskfs._replace(mmp=False, flags=0x44) if target_of(t).ldiskfs else None,
        )
        for t in whole.targets
    )
    given = whole._replace(filesystem=lustre(whole)._replace(failover=False), targets=alone)
    stopped(mds.run(old_mgs(mds, given=given), "--only", "MGS"), "its failover.node is empty")
    stopped(mds.run(old_mgs(mds, "10.10.0.1@o2ib", given=given), "--only", "MGS"), "names other nodes: 10.10.0.1@o2ib.")
    ran = mds.run(old_mgs(mds, "10.10.0.2@o2ib", given=given), "--only", "MGS")
    assert (ran.code, ran.err, [c[-1] for c in ran.calls]) == (0, "", [MGT])


@pytest.mark.parametrize("old", [(), ("scratch-MDT0001",)])
def test_no_other_script_knows_the_option_of_the_mgs(old: tuple[str, ...], mds: Lab) -> None:
    script = scripts(mds.folder, None, *old)["mds02"]
    for option, said in (
        (("--this-mgs",), "no option --this-mgs"),
        (("--this-target", "MGS"), "MGS that" if old else ""),
    ):
        ran = mds.run(script, *option)
        assert (ran.code, ran.calls) == (2, [])
        assert (said or "no option --this-target") in ran.err
