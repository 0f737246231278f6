"""Lines of fstab, and the scripts that mount and unmount: run with mounts that are played."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pixsize.plan.records import Plan
from pixsize.products.lustre.plan import Network, server_of
from pixsize.render import RENDERERS
from tests.lustre.ha_support import Result, run, text_of
from tests.lustre.lustre_plan import NEW, OLD, catalog, me4_plan, of_scale, powerflex_plan, settings, without
from tests.lustre.render_lustre import clean_script
from tests.support.changing import replace

MOUNT = RENDERERS["mount"]
PLANS = {
    "me4": me4_plan(),
    "combined": me4_plan(combined=True, pairs=2),
    "ring": powerflex_plan(3),
    "alone": powerflex_plan(4, failover=False),
}
LINE = re.compile(r"(/dev/\S+) (/lustre/\S+) lustre (\S+) 0 0")


def files_of(given: Plan) -> dict[str, str]:
    return {f.path: f.text for f in MOUNT.files(given, catalog())}


def call(folder: Path, server: str, *words: str, given: Plan = PLANS["me4"], **variables: str) -> Result:
    devices = [t.device for t in given.targets if server in t.servers]
    return run(folder, text_of(given, f"mount/{server}.sh"), *words, devices=devices, HOST=server, **variables)


@pytest.mark.real
@pytest.mark.parametrize("given", PLANS.values(), ids=PLANS)
def test_scripts_are_clean_and_texts_plain(given: Plan, tmp_path: Path) -> None:
    files = MOUNT.files(given, catalog())
    assert {f.path for f in files if f.executable} == {f.path for f in files if f.path.endswith(".sh")}
    for file in files:
        assert file.text.isascii()
        if file.executable:
            clean_script(file.text, tmp_path)


@pytest.mark.parametrize("given", PLANS.values(), ids=PLANS)
def test_fstab_has_every_target_that_a_server_may_serve_and_mounts_none_at_boot(given: Plan) -> None:
    files = files_of(given)
    for server in {s for t in given.targets for s in t.servers}:
        rows = [LINE.fullmatch(line) for line in files[f"mount/{server}.fstab"].splitlines() if line[0] != "#"]
        wanted = [(t.device, f"/lustre/{t.id}") for t in given.targets if server in t.servers]
        assert [(r[1], r[2]) for r in rows if r] == wanted
        assert len(rows) == len(wanted)
        for row in rows:
            assert row is not None
            assert {"noauto", "_netdev"} <= set(row[3].split(","))


def test_an_ost_takes_a_full_stripe_in_one_request_where_there_are_stripes() -> None:
    """Eight data drives with chunks of 128 KiB: 1 MiB. MDTs, the MGT and volumes of PowerFlex have none."""
    me4 = files_of(PLANS["me4"])
    assert re.findall(r"max_sectors_kb=(\d+)", me4["mount/oss01.fstab"]) == ["1024"] * 4
    assert re.findall(r" max_sectors_kb=(\d+) o", me4["mount/oss01.sh"]) == ["1024"] * 4
    assert "max_sectors_kb" not in me4["mount/mds01.fstab"]
    assert "max_sectors_kb" in me4["mount/README.md"]
    assert not any("max_sectors_kb" in text for text in files_of(PLANS["ring"]).values())


@pytest.mark.parametrize(
    "given, mgs",
    [
        ("me4", "10.10.0.2@o2ib:10.10.0.1@o2ib"),
        ("combined", "10.10.0.1@o2ib:10.10.0.2@o2ib"),
        ("alone", "10.10.0.1@o2ib"),
    ],
)
def test_clients_name_the_servers_of_the_mgs_with_a_colon_between_them(given: str, mgs: str) -> None:
    lines = [line for line in files_of(PLANS[given])["mount/clients.fstab"].splitlines() if line[0] != "#"]
    assert lines == [f"{mgs}:/scratch /mnt/scratch lustre flock,_netdev,x-systemd.requires=lnet.service 0 0"]


def test_clients_wait_for_the_service_that_sets_lnet_up_and_for_no_other() -> None:
    """With options of modprobe the service is off: to require it would start it, and give LNet a second owner."""
    given = settings(PLANS["me4"], network=Network("o2ib", "ib0", owner="modprobe"))
    (line,) = [row for row in files_of(given)["mount/clients.fstab"].splitlines() if row[0] != "#"]
    assert line.endswith(" lustre flock,_netdev 0 0")
    assert "lnet.service" not in files_of(given)["mount/clients.fstab"]


def test_a_comma_stands_between_the_addresses_of_one_server() -> None:
    given = PLANS["me4"]
    servers = tuple(replace(s, nids=(*server_of(s).nids, f"192.168.1.{i}@tcp")) for i, s in enumerate(given.servers, 1))
    text = files_of(given._replace(servers=servers))["mount/clients.fstab"]
    assert "\n10.10.0.2@o2ib,192.168.1.2@tcp:10.10.0.1@o2ib,192.168.1.1@tcp:/scratch " in text


ROW = re.compile(r"^\| (\d+) \| (.+) \| `(.*)` \|$", re.M)


def rows(given: str, heading: str) -> list[str]:
    text = files_of(PLANS[given])["mount/README.md"]
    part = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    found = ROW.findall(part)
    assert [int(row[0]) for row in found] == list(range(1, len(found) + 1))
    return [row[2] for row in found]


def test_the_order_of_start_and_stop() -> None:
    """MGT, MDT0000, other MDTs, OSTs, clients; stop: clients, MDTs, OSTs, the MGT last (Lustre Operations Manual)."""
    assert rows("me4", "Start") == [
        "./mds02.sh start mgt",
        "./mds01.sh start mdt",
        "./mds02.sh start mdt",
        "./SERVER.sh start",
        "mount /mnt/scratch",
    ]
    assert rows("me4", "Stop") == [
        "umount /mnt/scratch",
        "./mds02.sh stop mdt",
        "./mds01.sh stop mdt",
        "./SERVER.sh stop",
        "./mds02.sh stop mgt",
    ]
    mds = [f"./mds{n:02d}.sh" for n in range(1, 5)]
    assert rows("combined", "Start")[:4] == [f"{m} start mdt" for m in mds]
    assert rows("combined", "Stop")[1:] == [*(f"{m} stop mdt" for m in reversed(mds)), "./SERVER.sh stop"]


@pytest.mark.real
def test_start_mounts_the_servers_own_targets_in_order(tmp_path: Path) -> None:
    done = call(tmp_path, "mds02", "start")
    assert (done.code, done.mounted) == (0, ["/lustre/MGS", "/lustre/scratch-MDT0001"])
    mounts = [c for c in done.calls if c.startswith("mount ")]
    assert mounts[0] == "mount -t lustre -o defaults /dev/mapper/mm01a1_mgt01 /lustre/MGS"


@pytest.mark.real
@pytest.mark.parametrize(
    "server, words, mounted",
    [
        ("mds02", ["start", "mgt"], ["/lustre/MGS"]),
        ("mds02", ["start", "scratch-MDT0000"], ["/lustre/scratch-MDT0000"]),
        ("mds01", ["start", "ost"], []),
        ("oss01", ["start"], ["/lustre/scratch-OST0000", "/lustre/scratch-OST0002"]),
    ],
)
def test_kinds_and_labels(server: str, words: list[str], mounted: list[str], tmp_path: Path) -> None:
    done = call(tmp_path, server, *words)
    assert (done.code, done.mounted) == (0, mounted)


@pytest.mark.real
def test_what_is_mounted_already_stays(tmp_path: Path) -> None:
    done = call(tmp_path, "oss01", "start", MOUNTED="/lustre/scratch-OST0000\n")
    assert done.mounted == ["/lustre/scratch-OST0000", "/lustre/scratch-OST0002"]
    assert "is mounted already: scratch-OST0000" in done.printed


OST0, OST1 = "/dev/mapper/sm01a1_data01", "/dev/mapper/sm01a1_data02"
OPTIONS = "ro,svname=scratch-OST0000,mgsnode=10.10.0.2@o2ib:10.10.0.1@o2ib,osd=osd-ldiskfs,errors=remount-ro 0 0"
STRANGERS = {
    "another target": f"/dev/mapper/sm01a1_data03 /lustre/scratch-OST0000 lustre {OPTIONS}\n",
    "another device": "/dev/mapper/old-ost0 /lustre/scratch-OST0000 lustre ro 0 0\n",
    "an ext4": f"{OST0} /lustre/scratch-OST0000 ext4 rw,relatime 0 0\n",
    "a tmpfs": "tmpfs /lustre/scratch-OST0000 tmpfs rw 0 0\n",
    "a client": "10.10.0.2@o2ib:10.10.0.1@o2ib:/scratch /lustre/scratch-OST0000 lustre rw,flock 0 0\n",
    "on top of the target": f"{OST0} /lustre/scratch-OST0000 lustre {OPTIONS}\ntmpfs /lustre/scratch-OST0000 tmpfs rw 0 0\n",
}


@pytest.mark.real
@pytest.mark.parametrize("words", [("start",), ("stop",), ("start", "scratch-OST0000"), ("stop", "ost")])
@pytest.mark.parametrize("mounts", STRANGERS.values(), ids=STRANGERS)
def test_a_stranger_at_the_folder_is_neither_mounted_already_nor_unmounted(
    mounts: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    """The other target of the server is left alone, too: all are looked at before the first is touched."""
    done = call(tmp_path, "oss01", *words, MOUNTS=mounts)
    assert (done.code, done.mounts) == (1, mounts), done.printed
    assert "STOP: scratch-OST0000: something else is mounted on /lustre/scratch-OST0000" in done.said
    assert mounts.splitlines()[-1].split()[0] in done.said
    assert "already" not in done.printed


@pytest.mark.real
def test_a_stranger_shows_in_the_status(tmp_path: Path) -> None:
    done = call(tmp_path, "oss01", "status", MOUNTS=STRANGERS["a tmpfs"])
    assert done.code == 0
    assert "SOMETHING ELSE is on /lustre/scratch-OST0000: tmpfs (tmpfs)" in done.printed


@pytest.mark.real
@pytest.mark.parametrize("kind", ["lustre", "lustre_tgt"])
@pytest.mark.parametrize(
    "source, links",
    [
        ("/dev/dm-7", f"ln -s {OST0} /dev/dm-7"),
        ("/dev/dm-7", "mknod /dev/dm-7 b 7 0"),
    ],
)
def test_a_device_is_known_by_whatever_path_it_was_mounted(source: str, links: str, kind: str, tmp_path: Path) -> None:
    """OST0000's device is the first of the server's: the kernel's number 7:0."""
    mounts = f"{source} /lustre/scratch-OST0000 {kind} {OPTIONS}\n"
    done = call(tmp_path, "oss01", "start", LINKS=links, MOUNTS=mounts)
    assert (done.code, "is mounted already: scratch-OST0000" in done.printed) == (0, True), done.said
    stopped = tmp_path / "stop"
    stopped.mkdir()
    done = call(stopped, "oss01", "stop", LINKS=links, MOUNTS=mounts)
    assert (done.code, done.mounts) == (0, ""), done.said


@pytest.mark.real
@pytest.mark.parametrize(
    "source, kind, links",
    [
        (OST0, "lustre", ""),
        (OST0, "lustre_tgt", ""),
        ("/dev/dm-7", "lustre", f"ln -s {OST0} /dev/dm-7"),
        (OST0, "ldiskfs", ""),  # somebody looks at CONFIGS
        (OST0, "ext4", ""),
        ("/dev/dm-7", "ext4", f"ln -s {OST0} /dev/dm-7"),
    ],
)
def test_a_device_that_is_mounted_elsewhere_is_not_mounted_twice(
    source: str, kind: str, links: str, tmp_path: Path
) -> None:
    mounts = f"proc /proc proc rw 0 0\n{source} /mnt/ost0 {kind} ro 0 0\n"
    done = call(tmp_path, "oss01", "start", MOUNTS=mounts, LINKS=links)
    assert (done.code, done.mounts) == (1, mounts)
    said = f"STOP: scratch-OST0000: {OST0} is mounted on /mnt/ost0 ({kind}), and not on /lustre/scratch-OST0000"
    assert said in done.said


@pytest.mark.real
def test_a_device_is_known_by_the_kernels_number_alone(tmp_path: Path) -> None:
    """The name under which it was mounted is gone, as after udev has renamed it."""
    devices = [t.device for t in PLANS["me4"].targets if "oss01" in t.servers]
    script = text_of(PLANS["me4"], "mount/oss01.sh")
    info = tmp_path / "renamed"
    info.write_text(
        "48 22 7:0 / /mnt/old rw - ext4 /dev/gone rw\n49 22 7:1 / /mnt/x\\040y rw shared:1 - ext4 /dev/gone rw\n"
    )
    script = script.replace("/proc/self/mountinfo", str(info))
    done = run(tmp_path, script, "start", devices=devices, HOST="oss01")
    assert (done.code, f"{OST0} is mounted on /mnt/old (ext4)" in done.said) == (1, True), done.said


@pytest.mark.real
def test_a_target_whose_device_is_gone_is_known_by_its_name_and_can_be_unmounted(tmp_path: Path) -> None:
    done = call(tmp_path, "oss01", "stop", MOUNTED="/lustre/scratch-OST0000\n", LINKS=f"rm {OST0}")
    assert (done.code, done.mounted) == (0, []), done.said


@pytest.mark.real
def test_the_devices_of_others_are_no_hindrance(tmp_path: Path) -> None:
    mounts = "/dev/sda1 / ext4 rw 0 0\ntmpfs /run tmpfs rw 0 0\n"
    done = call(tmp_path, "oss01", "start", MOUNTS=mounts)
    assert (done.code, done.mounted) == (0, ["/lustre/scratch-OST0000", "/lustre/scratch-OST0002"]), done.said


ALL = "/lustre/MGS\n/lustre/scratch-MDT0000\n/lustre/scratch-MDT0001\n"


@pytest.mark.real
def test_stop_unmounts_what_is_mounted_here_the_mgt_last(tmp_path: Path) -> None:
    done = call(tmp_path, "mds02", "stop", MOUNTED=ALL)
    assert (done.code, done.mounted) == (0, [])
    unmounts = [c for c in done.calls if c.startswith("umount ")]
    assert unmounts == [f"umount /lustre/{t}" for t in ("scratch-MDT0001", "scratch-MDT0000", "MGS")]


@pytest.mark.real
def test_the_mgt_can_wait_until_the_osts_have_stopped(tmp_path: Path) -> None:
    done = call(tmp_path, "mds02", "stop", "mdt", MOUNTED=ALL)
    assert (done.code, done.mounted) == (0, ["/lustre/MGS"])


@pytest.mark.real
def test_status_changes_nothing_and_asks_nobody(tmp_path: Path) -> None:
    done = call(tmp_path, "oss02", "status", MOUNTED="/lustre/scratch-OST0001\n", PACEMAKER="active", USER_ID="1000")
    assert done.code == 0
    assert "\nmounted: scratch-OST0001\n" in f"\n{done.printed}"
    assert "\nnot mounted: scratch-OST0003\n" in f"\n{done.printed}"


@pytest.mark.real
@pytest.mark.parametrize("action", ["start", "stop"])
@pytest.mark.parametrize(
    "variables, sentence",
    [
        ({"PACEMAKER": "active"}, "Pacemaker runs here"),
        ({"PACEMAKER": "activating"}, "Pacemaker runs here"),
        ({"PACEMAKER": "deactivating"}, "Pacemaker runs here"),
        ({"PACEMAKER": "active", "UNIT": "pacemaker_remote"}, "Pacemaker runs here"),
        ({"PROCESS": "pacemaker-remoted"}, "Pacemaker runs here"),
        ({"HOST": "oss02"}, "this is oss02, and the script is for oss01"),
        ({"USER_ID": "1000"}, "only root"),
    ],
)
def test_it_refuses(action: str, variables: dict[str, str], sentence: str, tmp_path: Path) -> None:
    text = text_of(PLANS["me4"], "mount/oss01.sh")
    done = run(tmp_path, text, action, **{"HOST": "oss01", "MOUNTED": "/lustre/scratch-OST0000\n"} | variables)
    assert (done.code, done.mounted) == (1, ["/lustre/scratch-OST0000"])
    assert f"STOP: {sentence}" in done.said


@pytest.mark.real
@pytest.mark.parametrize("host", ["oss01", "OSS01", "oss01.cluster.example"])
def test_a_host_may_tell_its_domain(host: str, tmp_path: Path) -> None:
    assert run(tmp_path, text_of(PLANS["me4"], "mount/oss01.sh"), "status", HOST=host).code == 0


@pytest.mark.real
def test_a_missing_device_stops_the_start(tmp_path: Path) -> None:
    done = run(tmp_path, text_of(PLANS["me4"], "mount/oss01.sh"), "start", HOST="oss01")
    assert (done.code, done.mounted) == (1, [])
    assert "STOP: scratch-OST0000: /dev/mapper/sm01a1_data01 is not there" in done.said


@pytest.mark.real
def test_a_mount_that_fails_stops_the_start(tmp_path: Path) -> None:
    done = call(tmp_path, "mds02", "start", BROKEN="/dev/mapper/mm01a1_mgt01")
    assert (done.code, done.mounted) == (1, [])
    assert "STOP: MGS: /dev/mapper/mm01a1_mgt01 could not be mounted" in done.said


@pytest.mark.real
@pytest.mark.parametrize("words", [[], ["go"], ["start", "scratch-OST0009"], ["start", "mdt", "now"]])
def test_wrong_words_show_how_it_is_used(words: list[str], tmp_path: Path) -> None:
    done = call(tmp_path, "oss01", *words)
    assert (done.code, done.mounted) == (2, [])
    assert "usage: oss01.sh start|stop" in done.said


def test_it_needs_addresses_and_devices() -> None:
    assert MOUNT.applies(PLANS["me4"])
    for given, code in ((without(PLANS["me4"], "network"), "PX610"), (powerflex_plan(3, observed=False), "PX611")):
        assert not MOUNT.applies(given)
        assert [f.code for f in MOUNT.findings(given, catalog())] == [code]
    assert MOUNT.findings(PLANS["ring"], catalog()) == ()


def test_another_file_system_has_nothing_for_it() -> None:
    assert not MOUNT.applies(of_scale(PLANS["me4"]))
    assert MOUNT.findings(of_scale(PLANS["me4"]), catalog()) == ()


@pytest.mark.parametrize("name", ["a b", "$(id)", "a;b", "../a", "-a", "a'b"])
def test_names_that_a_shell_could_misread_never_reach_it(name: str) -> None:
    given = PLANS["me4"]
    first, *others = given.targets
    hostile = [
        settings(given, name=name),
        given._replace(targets=(first._replace(id=name), *others)),
        given._replace(targets=(first._replace(device=f"/dev/mapper/{name}"), *others)),
        given._replace(servers=tuple(replace(s, nids=(name,)) for s in given.servers)),
    ]
    for each in hostile:
        with pytest.raises(ValueError):
            files_of(each)


def test_where_nothing_fails_over_no_file_speaks_of_pacemaker() -> None:
    """But for the check of the scripts, which stays: somebody may run it all the same."""
    for path, text in files_of(PLANS["alone"]).items():
        said = text if path.endswith((".fstab", ".md")) else text.partition("# Kind, label")[0]
        assert "Pacemaker" not in said, path
        assert "prefer" not in said, path
    assert "Pacemaker decides" in files_of(PLANS["ring"])["mount/oss01.fstab"]


@pytest.mark.parametrize("called, clients", [("clients", "clients_"), ("Clients", "clients_"), ("oss09", "clients")])
def test_the_clients_never_share_a_file_with_a_server(called: str, clients: str) -> None:
    given = PLANS["me4"]
    servers = tuple(s._replace(id=called) if s.id == "oss02" else s for s in given.servers)
    targets = tuple(t._replace(servers=tuple(called if s == "oss02" else s for s in t.servers)) for t in given.targets)
    made = MOUNT.files(given._replace(servers=servers, targets=targets), catalog())
    files = {f.path: f.text for f in made}
    assert len(files) == len(made)
    assert "/dev/mapper/" in files[f"mount/{called}.fstab"]
    assert ":/scratch /mnt/scratch lustre" in files[f"mount/{clients}.fstab"]
    assert f"| `{clients}.fstab` | every client |" in files["mount/README.md"]


def test_what_must_be_in_order_before_the_first_mount_stands_before_it() -> None:
    for name, ports in (
        ("me4", ()),
        ("ring", ("TCP 7072 (SDS), 6611 and 9011 (MDM), 9099 (LIA).", "PowerFlex 3.x, **from memory**")),
    ):
        book = files_of(PLANS[name])["mount/README.md"]
        before = book.partition("## Before the first mount")[2].partition("## Start")[0]
        assert ("PowerFlex" in before) == (name == "ring")
        for said in ("`id USER`", "l_getidentity", "mds01, mds02", "chronyc tracking", "getenforce", *ports):
            assert said in before, said
    tcp = files_of(settings(PLANS["me4"], network=Network("tcp", "em1")))["mount/README.md"]
    assert "TCP 988 in both directions" in tcp
    assert "TCP 988 in both directions" not in files_of(PLANS["me4"])["mount/README.md"]


def test_the_run_book_says_under_which_agent_the_option_is_lost() -> None:
    """ocf:lustre:Lustre takes mountoptions for one target only."""
    assert "`ocf:lustre:Lustre`, by which Pacemaker mounts" in files_of(me4_plan(release=NEW))["mount/README.md"]
    assert "by which Pacemaker mounts" not in files_of(me4_plan(release=OLD))["mount/README.md"]
