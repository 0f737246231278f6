"""The text of the `mkfs` scripts and their run book, the findings about them, and --reformat on the command line."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pixsize import resources
from pixsize.plan.records import Plan
from pixsize.products.lustre.plan import lustre, target_of
from pixsize.products.lustre.render.mkfs import labels, reformatting
from pixsize.render import RENDERERS, File
from tests.lustre.lustre_plan import OTHER_FILESYSTEM
from tests.lustre.mkfs_support import ADDRESSES, catalog, plan, pool_plan
from tests.support.changing import replace
from tests.support.cli_support import request, run
from tests.support.programs import tool

MKFS = RENDERERS["mkfs"]
BY_ID = [f"/dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f3130000000{n}" for n in range(3)]


def files_of(given: Plan, *old: str) -> dict[str, File]:
    return {f.path: f for f in reformatting(old).files(given, catalog())}


def calls(text: str) -> list[list[str]]:
    """The calls of mkfs.lustre in a script, word by word, lines joined as a shell does."""
    joined = text.replace("\\\n", " ")
    return [shlex.split(line)[1:] for line in joined.splitlines() if line.strip().startswith("mkfs.lustre ")]


def all_calls(given: Plan, *old: str) -> list[list[str]]:
    return [call for path, f in files_of(given, *old).items() if path.endswith(".sh") for call in calls(f.text)]


def changed(given: Plan, label: str, **changes: Any) -> Plan:
    """The plan with one of its targets changed."""
    return given._replace(targets=tuple(replace(t, **changes) if t.id == label else t for t in given.targets))


def codes(given: Plan, *old: str) -> list[str]:
    return [f.code for f in reformatting(old).findings(given, catalog())]


def combined() -> Plan:
    """The plan with the MGS on MDT0000."""
    given = plan()
    kept = tuple(t for t in given.targets if t.kind != "mgt")
    return changed(given._replace(targets=kept), "scratch-MDT0000", mgs=True)


@pytest.mark.real
@pytest.mark.parametrize("given", [plan(), combined(), pool_plan(BY_ID)], ids=["own", "with_mdt0", "pool"])
@pytest.mark.parametrize("old", [(), ("MGS", "scratch-OST0000", "scratch-MDT0000")], ids=["new", "old"])
def test_every_script_is_clean(given: Plan, old: tuple[str, ...], tmp_path: Path) -> None:
    files = files_of(given, *old)
    paths = []
    for file in files.values():
        assert file.text.isascii(), file.path
        if file.executable:
            paths.append(tmp_path / Path(file.path).name)
            paths[-1].write_text(file.text)
            subprocess.run([tool("bash"), "-n", paths[-1]], check=True)
    checked = subprocess.run([tool("shellcheck"), "-s", "bash", *paths], capture_output=True, text=True, check=False)
    assert (checked.stdout, checked.returncode) == ("", 0)
    assert [p for p, f in files.items() if not f.executable] == ["mkfs/README.md"]


def test_each_server_that_serves_a_target_first_has_a_script_and_each_target_stands_in_one() -> None:
    given = plan()
    files = files_of(given)
    assert list(files) == [f"mkfs/{s}" for s in ("mds02.sh", "mds01.sh", "oss01.sh", "oss02.sh", "README.md")]
    made = {path: [c[-1] for c in calls(f.text)] for path, f in files.items()}
    for target in given.targets:
        assert [p for p, devices in made.items() if target.device in devices] == [f"mkfs/{target.servers[0]}.sh"]
    assert sum(map(len, made.values())) == len(given.targets)


def test_the_calls_are_those_of_the_manual() -> None:
    mgs = ["--mgsnode=10.10.0.2@o2ib", "--mgsnode=10.10.0.1@o2ib"]
    made = {c[-1]: c[:-1] for c in all_calls(plan())}
    assert made["/dev/mapper/mm01a1_mgt01"] == ["--mgs", *(m.replace("mgsnode", "servicenode") for m in mgs)]
    assert made["/dev/mapper/mm01a1_meta01"] == [
        *("--mdt", "--fsname=scratch", "--index=0", *mgs),
        *("--servicenode=10.10.0.1@o2ib", "--servicenode=10.10.0.2@o2ib", "--mkfsoptions=-E stride=16,stripe_width=80"),
    ]
    assert made["/dev/mapper/sm01a1_data02"] == [
        *("--ost", "--fsname=scratch", "--index=1", *mgs),
        *(
            "--servicenode=10.10.0.4@o2ib",
            "--servicenode=10.10.0.3@o2ib",
            "--mkfsoptions=-E stride=32,stripe_width=256",
        ),
    ]


def test_a_target_that_holds_the_mgs_is_told_no_other() -> None:
    made = {c[-1]: c for c in all_calls(combined())}
    call = made["/dev/mapper/mm01a1_meta01"]
    assert call[:4] == ["--mdt", "--mgs", "--fsname=scratch", "--index=0"]
    assert not any(word.startswith("--mgsnode") for word in call)
    assert "--mgsnode=10.10.0.1@o2ib" in made["/dev/mapper/mm01a1_meta02"]


def test_a_pool_without_failover_has_neither_service_nodes_nor_stripes() -> None:
    assert all_calls(pool_plan(BY_ID)) == [
        ["--mdt", "--mgs", "--fsname=scratch", "--index=0", BY_ID[0]],
        ["--ost", "--fsname=scratch", "--index=0", "--mgsnode=10.10.0.1@o2ib", BY_ID[1]],
        ["--ost", "--fsname=scratch", "--index=1", "--mgsnode=10.10.0.1@o2ib", BY_ID[2]],
    ]


def test_a_comma_joins_the_addresses_of_one_node_alone() -> None:
    given = plan()
    two = tuple(replace(s, nids=(f"{ADDRESSES[s.id]}@o2ib0", f"{ADDRESSES[s.id]}@tcp1")) for s in given.servers)
    text = files_of(given._replace(servers=two))["mkfs/oss01.sh"].text
    for call in calls(text):
        assert [w for w in call if "node=" in w] == [
            *("--mgsnode=10.10.0.2@o2ib,10.10.0.2@tcp1", "--mgsnode=10.10.0.1@o2ib,10.10.0.1@tcp1"),
            *("--servicenode=10.10.0.3@o2ib,10.10.0.3@tcp1", "--servicenode=10.10.0.4@o2ib,10.10.0.4@tcp1"),
        ]
    assert 'nodes="failover.node=10.10.0.3@o2ib,10.10.0.3@tcp1:10.10.0.4@o2ib,10.10.0.4@tcp1 mgsnode=' in text
    assert not any(":" in word for call in calls(text) for word in call)


def test_reformat_stands_in_the_calls_of_its_labels_alone() -> None:
    """Nor does the word stand anywhere else, so that a look for it tells the scripts that destroy a target."""
    assert not any("--reformat" in f.text for f in files_of(plan()).values() if f.executable)
    with_it = [c[-1] for c in all_calls(plan(), "scratch-OST0002", "nobody-OST0001") if "--reformat" in c]
    assert with_it == ["/dev/mapper/sm01a1_data03"]
    files = files_of(plan(), "scratch-OST0002")
    assert (
        "# THE TARGET scratch-OST0002 THAT /dev/mapper/sm01a1_data03 HOLDS NOW IS DESTROYED"
        in files["mkfs/oss01.sh"].text
    )
    assert files["mkfs/oss01.sh"].text.count("--reformat") == 1
    assert files["mkfs/oss02.sh"] == files_of(plan())["mkfs/oss02.sh"]
    assert "**Rendered with --reformat: scratch-OST0002.**" in files["mkfs/README.md"].text
    assert "Rendered with" not in files_of(plan())["mkfs/README.md"].text


def test_the_run_book_has_the_order_and_every_device() -> None:
    text = files_of(plan())["mkfs/README.md"].text
    order = re.findall(r"^\| (\d+) \| `\./(\w+)\.sh` \|", text, re.M)
    assert order == [("1", "mds02"), ("2", "mds01"), ("3", "oss01"), ("4", "oss02")]
    rows = re.findall(r"^\| (\w+)\.sh \| (\S+) \| `(\S+)` \|", text, re.M)
    assert sorted(rows) == sorted((t.servers[0], t.id, t.device) for t in plan().targets)
    assert "multipath -ll" in text
    pool = files_of(pool_plan(BY_ID))["mkfs/README.md"].text
    assert "multipath" not in pool
    assert "/dev/disk/by-id/" in pool


def test_both_run_books_say_when_a_device_that_is_not_all_zeros_may_be_formatted() -> None:
    array, pool = (files_of(given)["mkfs/README.md"].text for given in (plan(), pool_plan(BY_ID)))
    for text in (array, pool):
        assert text.count("### A device is not all zeros") == 1
        assert "`--not-zero LABEL` is right where" in text
        assert "so the device is still not all zeros" in re.sub(r"\s+", " ", text)
    assert "Volumes over drives that were used before may hold what these drives held" in array
    assert "Volumes of this pool read as zeros" in pool
    for text, other in ((array, "scli"), (pool, "multipath")):
        assert other not in text


def test_the_run_book_shows_what_tunefs_shows() -> None:
    """The label with a colon stands in the second block alone; and an MGS of its own has flags of its own."""
    files = files_of(plan())
    book = files["mkfs/README.md"].text
    said = " ".join(book.split())
    assert "(on an MGS nothing shows that: of a fresh one `tunefs.lustre` shows no colon and no `first_time`." in said
    assert "before and after its first mount" not in said
    assert "the second, `Permanent disk data`, counts" in book
    assert "Target `scratch:OST0001`, Flags `0x1062`" in book
    assert "flags=0x1044\n" in files["mkfs/mds02.sh"].text


def test_a_whole_plan_has_no_findings() -> None:
    for given in (plan(), combined(), pool_plan(BY_ID)):
        assert codes(given) == []
        assert MKFS.applies(given)
    assert labels(plan()) == tuple(t.id for t in plan().targets)


def test_without_a_network_it_is_refused() -> None:
    given = plan()
    bare = given._replace(filesystem=lustre(given)._replace(network=None))
    assert codes(bare) == ["PX610"]
    assert not MKFS.applies(bare)
    nameless = given._replace(servers=(replace(given.servers[0], nids=()), *given.servers[1:]))
    assert codes(nameless) == ["PX610"]


def test_without_the_replies_of_powerflex_it_is_refused_with_what_to_collect() -> None:
    (finding,) = MKFS.findings(pool_plan(), catalog())
    assert (finding.code, finding.severity) == ("PX611", "error")
    assert "3 of 3 targets are unknown: scratch-MDT0000, scratch-OST0000, scratch-OST0001" in finding.message
    for word in ("scli --login", "scli --query_all_volumes", "powerflex.login.txt", "powerflex.volumes.txt"):
        assert word in finding.hint
    assert not MKFS.applies(pool_plan())


def test_reformat_is_said_once_more() -> None:
    (finding,) = reformatting(["scratch-OST0001"]).findings(plan(), catalog())
    assert (finding.code, finding.severity) == ("PX612", "warning")
    assert finding.message == "oss02.sh destroys the target scratch-OST0001 that its device holds"


def hostile(field: str, text: str) -> Plan:
    given = plan()
    ost = next(t for t in given.targets if t.kind == "ost")
    if field == "nid":
        return given._replace(servers=tuple(replace(s, nids=(text,)) for s in given.servers))
    if field == "interface":
        network = lustre(given).network
        assert network is not None
        return given._replace(filesystem=lustre(given)._replace(network=network._replace(interface=text)))
    if field == "fsname":
        return given._replace(filesystem=lustre(given)._replace(name=text))
    if field == "options":
        assert target_of(ost).ldiskfs is not None
        return changed(given, ost.id, ldiskfs=target_of(ost).ldiskfs._replace(options=text))
    return changed(given, ost.id, **{field: text})


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("device", "/dev/mapper/x; reboot"),
        ("device", "/dev/mapper/../sda"),
        ("device", ""),
        ("id", "scratch-OST0000\nreboot"),
        ("id", "scratch-OST00$(id)"),
        ("id", "scratch\u2013OST0000"),
        ("nid", "10.10.0.1"),
        ("nid", "10.10.0.1@o2ib,10.10.0.2@o2ib"),
        ("nid", "10.10.0.1@o2ib:10.10.0.2@o2ib"),
        ("nid", "$(id)@o2ib"),
        ("interface", "ib0;id"),
        ("interface", "-f"),
        ("fsname", "ninechars"),
        ("fsname", "a b"),
        ("options", '-E stride=32" --reformat "'),
        ("options", "-E stride=32, stripe_width=256"),
        ("options", "\u2013E stride=32,stripe_width=256"),
    ],
)
def test_what_a_shell_or_mkfs_could_misread_never_reaches_them(field: str, text: str) -> None:
    with pytest.raises(ValueError, match="may not stand"):
        files_of(hostile(field, text))


def test_another_file_system_has_no_targets_for_it() -> None:
    scale = OTHER_FILESYSTEM
    given = plan()._replace(filesystem=scale, targets=())
    assert not MKFS.applies(given)
    assert MKFS.findings(given, catalog()) == ()
    assert MKFS.files(given, catalog()) == ()
    assert labels(given) == ()


def test_the_command_line_makes_the_script_that_destroys_one_target(tmp_path: Path) -> None:
    wanted = ("render", "mkfs", "--config", "lustre-me4.yaml", "-o", str(tmp_path / "out"))
    asked = run(*wanted, "--reformat", "scratch-OST0003")
    assert asked.exit_code == 0, asked.stderr
    assert "warning PX612 " in asked.stderr
    found = [p.name for p in (tmp_path / "out/mkfs").glob("*.sh") if "--reformat" in p.read_text()]
    assert len(found) == 1
    asked = run(*wanted, "--reformat", "scratch-OST0033")
    assert asked.exit_code == 2
    assert "no Lustre target scratch-OST0033; did you mean scratch-OST00" in asked.stderr
    assert run(*wanted).exit_code == 0
    assert not any("--reformat" in p.read_text() for p in (tmp_path / "out/mkfs").glob("*.sh"))


def test_reformat_without_mkfs_and_unknown_labels_are_wrong_usage(tmp_path: Path) -> None:
    config = str(request(tmp_path))
    asked = run("render", "stanzas", "--config", config, "--reformat", "scratch-OST0000")
    assert asked.exit_code == 2
    assert "--reformat is for the scripts of mkfs" in asked.stderr
    for wanted, said in ((("mkfs",), "no Lustre target scratch-OST0000"), (("all", "mkfs"), "and not all")):
        asked = run("render", *wanted, "--config", config, "-o", str(tmp_path / "out"), "--reformat", "scratch-OST0000")
        assert asked.exit_code == 2
        assert said in asked.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("example", ["lustre-me4", "lustre-powerflex"])
def test_all_makes_no_script_that_destroys_a_target(example: str, tmp_path: Path) -> None:
    """On PowerFlex without replies `all` leaves mkfs out, and what was asked for would not be there."""
    wanted = ("--config", f"{example}.yaml", "-o", str(tmp_path / "out"), "--reformat", "scratch-OST0000")
    for targets in (("all",), ("tuning", "all")):
        asked = run("render", *targets, *wanted)
        assert (asked.exit_code, asked.stdout) == (2, "")
        assert "--reformat is for the scripts of mkfs: name that target, and not all" in asked.stderr
        assert not (tmp_path / "out").exists()


def told_command(text: str) -> str:
    """The command of a run book for a script that destroys a target; wherever it stands, it is the same."""
    told = set(re.findall(r"pixsize render mkfs\b[^`\n]*", text))
    assert len(told) == 1, told
    assert text.count("pixsize render mkfs") == 2
    return told.pop()


def sizes(folder: Path) -> dict[str, list[str]]:
    return {p.name: re.findall(r"^ *(?:bytes|device)=.*", p.read_text(), re.M) for p in (folder / "mkfs").glob("*.sh")}


@pytest.mark.parametrize(
    ("example", "replies"), [("lustre-me4", True), ("lustre-me4", False), ("lustre-powerflex", True)]
)
def test_the_command_of_the_run_book_gives_the_same_targets_and_leaves_the_first_scripts_alone(
    example: str, replies: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    config, folder = f"{example}.yaml", resources.folder("examples") / f"{example}.observed"
    observed = ("--observed", str(folder)) if replies else ()
    assert run("render", "all", "--config", config, *observed, "-o", "out").exit_code == 0
    first = {p: p.read_bytes() for p in Path("out").rglob("*") if p.is_file()}
    book = Path("out/mkfs/README.md").read_text()
    told = told_command(book)
    assert ("--observed" in told) == replies
    told = (
        told.replace("LABEL", re.findall(r"\w+-OST0003", book)[0])
        .replace("REQUEST", config)
        .replace("FOLDER", str(folder))
    )
    asked = run(*shlex.split(told)[1:])
    assert asked.exit_code == 0, asked.stderr
    assert {p: p.read_bytes() for p in Path("out").rglob("*") if p.is_file()} == first
    (made,) = (p.parents[1] for p in Path().glob("*/mkfs/README.md") if p.parts[0] != "out")
    assert sizes(made) == sizes(Path("out"))
    assert sum("--reformat" in p.read_text() for p in (made / "mkfs").glob("*.sh")) == 1


def test_replies_of_disk_groups_alone_belong_to_the_command_too() -> None:
    """They give the sizes of volumes before there are any."""
    given = plan()
    known = tuple(g._replace(reported_bytes=10**9) for g in given.disk_groups)
    volumes = tuple(v._replace(reported_bytes=v.bytes) for v in given.volumes)
    for changed_plan in (given._replace(disk_groups=known), given._replace(volumes=volumes), pool_plan(BY_ID)):
        assert " --observed FOLDER " in told_command(files_of(changed_plan)["mkfs/README.md"].text)
    assert "--observed" not in told_command(files_of(given)["mkfs/README.md"].text)


@pytest.mark.parametrize(("size", "refused"), [(2**44 - 2**30, True), (2**44 + 2**30, False), (2**44 - 2**35, False)])
def test_a_size_that_mke2fs_refuses_is_named_before_any_script(size: int, refused: bool) -> None:
    """The last 16 GiB below 16 TiB leave no room for the growth that mkfs.lustre asks for (misc/mke2fs.c)."""
    given = plan()
    volume = next(t.volume for t in given.targets if t.kind == "ost")
    volumes = tuple(v._replace(bytes=size) if v.id == volume else v for v in given.volumes)
    assert codes(given._replace(volumes=volumes)) == (["PX613"] if refused else [])
