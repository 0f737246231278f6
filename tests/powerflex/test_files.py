"""PowerFlex: the commands as scli is given them, in their order, and the scripts that give them."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pixsize.plan.records import Plan
from pixsize.products.powerflex.render.powerflex import RENDERER
from pixsize.render import File
from pixsize.render.template import word_list
from tests.lustre.render_lustre import GIB, Shell, clean_script, powerflex, shipped
from tests.support.changing import replace
from tests.support.programs import tool

SCRIPTS = (
    "01-mdm-cluster.sh", "02-pool.sh", "03-check-drives.sh", "04-sds.sh", "05-drives.sh", "06-sdc.sh",
    "07-sdc-names.sh", "08-volumes.sh", "09-maps.sh", "10-collect.sh",
)  # fmt: skip
ON_MASTER = tuple(s for s in SCRIPTS if s not in ("03-check-drives.sh", "06-sdc.sh"))
DESTROY = ("04-sds.sh", "05-drives.sh")
PASSWORD = {"POWERFLEX_PASSWORD": "s3cret $(no)"}
HERE = "echo '2: p1p1    inet 10.20.0.3/24 brd 10.20.0.255 scope global p1p1'"
"""What `ip -o -4 addr show` prints on oss01."""


def files_of(given: Plan) -> dict[str, File]:
    return {f.path.removeprefix("powerflex/"): f for f in RENDERER.files(given, shipped())}


SERVERS = ("mds01", "mds02", "oss01", "oss02", "oss03", "oss04")
ADDRESSES = {name: f"10.20.0.{n}" for n, name in enumerate(SERVERS, 1)}


def sdcs(*names: str, mode: str = "Disabled", **states: str) -> str:
    """What `scli --query_all_sdc` prints, from memory: a row an SDC, with the addresses of the plan, then two of rates."""
    rows = "".join(
        f"SDC ID: 7b2c9d1e{n:08x} Name: {name} IP: 10.20.0.{n} State: {states.get(f's{n}', 'Connected')} "
        f"GUID: 3C5D0E7A-{n:04X}\n"
        "    Read bandwidth:  0 IOPS 0 Bytes per-second\n    Write bandwidth:  0 IOPS 0 Bytes per-second\n"
        for n, name in enumerate(names, 1)
        if name
    )
    return f"MDM restricted SDC mode: {mode}\nQuery all SDC returned {len(names)} SDC nodes.\n\n{rows}"


def listed(*rows: str) -> str:
    """What `scli --query_all_volumes` prints, from memory."""
    heading = f"\n{pool_heading()}" if rows else ""
    return f"Query-all-volumes returned {len(rows)} volumes\n{heading}{volume_rows(*rows)}"


def pool_heading(pool: str = "sp1", domain: str = "pd1") -> str:
    return f"Protection Domain 5c0c4e7a00000000 Name: {domain}\nStorage Pool 7d8c3b9e00000000 Name: {pool}\n"


def volume_rows(*rows: str) -> str:
    return "".join(
        f" Volume ID: 9c57f3{n:010x} {row} Mapped to 0 SDC Thick-provisioned\n" for n, row in enumerate(rows, 1)
    )


def every_volume() -> str:
    """The list once 08-volumes.sh has passed."""
    return listed(*(f"Name: {v.id} Size: {v.bytes // GIB} GB" for v in powerflex().volumes))


def room(said: str, pool: str = "sp1") -> str:
    """The first lines of what `scli --query_storage_pool` prints, from memory."""
    return (
        f"Storage Pool {pool} (Id: 7d8c3b9e00000000) has 0 volumes and {said} available for volume allocation\n"
        "\tThe number of parallel rebuild/rebalance jobs: 2\n\tSpare policy: 25% out of total\n"
        "\t58.2 TB (59604 GB) total capacity\n\t14.6 TB (14901 GB) spare capacity\n"
    )


ALL_ROOM = "21.8 TB (22351 GB)"


def scli(volumes: str = "", free: str = "", clients: str = "") -> str:
    """A stand-in for scli that answers the three questions, and takes everything else.

    It lists the volumes that it was told to make, and the SDCs that it was told to let in, from then on.
    """
    return f"""case "$1" in
--query_all_volumes)
    printf %s {shlex.quote(volumes or listed())}
    [ ! -e made ] || {{ printf %s {shlex.quote(pool_heading())}; cat made; }}
    ;;
--query_storage_pool) printf %s {shlex.quote(free or room(ALL_ROOM))} ;;
--query_all_sdc)
    printf %s {shlex.quote(clients or sdcs(*["N/A"] * 6))}
    [ ! -e let_in ] || cat let_in
    ;;
--add_volume) printf ' Volume ID: 1 Name: %s Size: %s GB Mapped to 0 SDC Thick-provisioned\\n' "$7" "$9" >>made ;;
--add_sdc) printf 'SDC ID: 1 Name: %s IP: %s State: Connected\\n' "$5" "$3" >>let_in ;;
esac"""


def master(tmp_path: Path, **replies: str) -> Shell:
    return Shell(tmp_path, scli=scli(**replies), ip=HERE, sleep="")


def again(shell: Shell, **replies: str) -> None:
    """Another system under the same name."""
    for name in ("made", "let_in"):
        (shell.folder / name).unlink(missing_ok=True)
    shell.program("scli", scli(**replies))


def done_by(shell: Shell) -> list[dict[str, str]]:
    """The calls of scli that change something."""
    calls = [options(c) for c in shell.calls("scli")]
    return [c for c in calls if not next(iter(c)).startswith(("login", "query_"))]


def options(call: list[str]) -> dict[str, str]:
    """The options of a call of scli with their values; empty for a mere switch."""
    found: dict[str, str] = {}
    for word in call[1:]:
        if word.startswith("--"):
            assert word not in found, call
            found[word.removeprefix("--")] = ""
        else:
            assert not found[list(found)[-1]], call
            found[list(found)[-1]] = word
    return found


@cache
def run_all(given: Plan) -> list[dict[str, str]]:
    """Every call of scli of all scripts of the master, in the order of their names. They run once for all tests of a plan."""
    (pool,) = given.pools
    left = pool.bytes * (100 - pool.spare_percent) // 200 // GIB  # two copies
    calls = []
    with TemporaryDirectory() as folder:
        shell = master(Path(folder), free=room(f"{left} GB"))
        for name in ON_MASTER:
            checked = ("--drives-checked",) if name in DESTROY else ()
            done = shell.run(files_of(given)[name].text, *checked, **PASSWORD)
            assert (done.returncode, done.stderr) == (0, ""), name
            assert "s3cret" not in done.stdout
            calls += [options(c) for c in shell.calls("scli")]
    return calls


def of(calls: list[dict[str, str]], command: str) -> list[dict[str, str]]:
    return [c for c in calls if next(iter(c)) == command]


def test_the_files_in_the_order_in_which_they_are_run() -> None:
    files = files_of(powerflex())
    assert [n for n in files if n.endswith(".sh")] == list(SCRIPTS)
    assert [n for n in files if not n.endswith(".sh")] == ["performance-parameters.txt", "README.md"]
    assert all(f.executable == n.endswith(".sh") for n, f in files.items())


@pytest.mark.real
@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("count", [3, 4])
def test_every_script_is_clean(name: str, count: int, tmp_path: Path) -> None:
    clean_script(files_of(powerflex(count, failover=count == 4))[name].text, tmp_path)


def test_the_commands_in_their_order() -> None:
    calls = run_all(powerflex())
    order = list(dict.fromkeys(n for n in (next(iter(c)) for c in calls) if n != "login" and "query" not in n))
    assert order == [
        "create_mdm_cluster", "set_password", "add_standby_mdm", "switch_cluster_mode", "add_protection_domain",
        "add_storage_pool", "modify_spare_policy", "modify_zero_padding_policy", "add_sds", "add_sds_device", "rename_sdc",
        "add_volume", "map_volume_to_sdc",
    ]  # fmt: skip
    named = [{k: v for k, v in c.items() if "protection_domain" in k} for c in calls]
    assert {v for c in named for v in c.values() if v} == {"pd1"}
    assert next(iter(calls[-1])) == "query_all_volumes"
    assert len(of(calls, "add_protection_domain")) == len(of(calls, "add_storage_pool")) == 1
    assert of(calls, "add_storage_pool")[0]["media_type"] == "SSD"


def test_from_five_servers_on_the_cluster_has_five_members(tmp_path: Path) -> None:
    shell = master(tmp_path)
    assert shell.run(files_of(powerflex(8))["01-mdm-cluster.sh"].text, **PASSWORD).returncode == 0
    calls = [options(c) for c in shell.calls("scli")]
    roles = [(c["new_mdm_name"], c["mdm_role"], c["new_mdm_ip"]) for c in of(calls, "add_standby_mdm")]
    assert roles == [
        ("oss03", "manager", "10.20.0.5"), ("oss05", "manager", "10.20.0.7"),
        ("oss07", "tb", "10.20.0.9"), ("mds01", "tb", "10.20.0.1"),
    ]  # fmt: skip
    (mode,) = of(calls, "switch_cluster_mode")
    assert (mode["cluster_mode"], mode["add_slave_mdm_name"], mode["add_tb_name"]) == (
        "5_node", "oss03,oss05", "oss07,mds01",
    )  # fmt: skip
    assert "readonly MDMS=10.20.0.3,10.20.0.5,10.20.0.7\n" in files_of(powerflex(8))["06-sdc.sh"].text
    book = files_of(powerflex(8))["README.md"].text
    assert "mode `5_node`, with oss01, oss03 and oss05 as managers" in book
    assert "it survives the loss of two." in book
    assert "| oss07 | 10.20.0.9 | tie breaker | yes | yes |" in book


def test_the_cluster_has_two_managers_and_a_tie_breaker() -> None:
    calls = run_all(powerflex())
    (made,) = of(calls, "create_mdm_cluster")
    assert (made["master_mdm_name"], made["master_mdm_ip"]) == ("oss01", "10.20.0.3")
    assert made.keys() >= {"accept_license", "approve_certificate", "master_mdm_management_ip"}
    roles = {c["new_mdm_name"]: (c["mdm_role"], c["new_mdm_ip"]) for c in of(calls, "add_standby_mdm")}
    assert roles == {"oss03": ("manager", "10.20.0.5"), "mds01": ("tb", "10.20.0.1")}
    (mode,) = of(calls, "switch_cluster_mode")
    assert (mode["cluster_mode"], mode["add_slave_mdm_name"], mode["add_tb_name"]) == ("3_node", "oss03", "mds01")


def test_the_first_password_is_replaced_before_anything_else_is_done() -> None:
    calls = run_all(powerflex())
    assert [next(iter(c)) for c in calls[:4]] == ["create_mdm_cluster", "login", "set_password", "login"]
    assert calls[1]["password"] == calls[2]["old_password"] == "admin"
    assert calls[2]["new_password"] == PASSWORD["POWERFLEX_PASSWORD"]
    assert {c["password"] for c in of(calls, "login")[1:]} == {PASSWORD["POWERFLEX_PASSWORD"]}


def test_spare_and_zero_padding_stand_before_any_drive() -> None:
    calls = run_all(powerflex())
    assert of(calls, "modify_spare_policy")[0]["spare_percentage"] == "25"
    assert "i_am_sure" in of(calls, "modify_spare_policy")[0]
    padding = of(calls, "modify_zero_padding_policy")[0]
    assert {"enable_zero_padding", "storage_pool_name"} <= padding.keys()
    first = next(i for i, c in enumerate(calls) if "device_path" in c)
    assert calls.index(padding) < first


def test_every_drive_of_every_sds_is_added_once() -> None:
    calls = run_all(powerflex())
    joined = {c["sds_name"]: (c["sds_ip"], c["sds_ip_role"], c["device_path"]) for c in of(calls, "add_sds")}
    assert joined == {f"oss0{n}": (f"10.20.0.{n + 2}", "all", "/dev/nvme0n1") for n in (1, 2, 3, 4)}
    every = [(c["sds_name"], c["device_path"]) for c in calls if "device_path" in c]
    assert sorted(every) == [(f"oss0{n}", f"/dev/nvme{d}n1") for n in (1, 2, 3, 4) for d in range(8)]
    assert [e[1] for e in every[:4]] == ["/dev/nvme0n1"] * 4


def test_the_volumes_are_those_of_the_plan_in_steps_of_8_gib() -> None:
    given = powerflex()
    made = {c["volume_name"]: int(c["size_gb"]) for c in of(run_all(given), "add_volume")}
    assert made == {v.id: v.bytes // GIB for v in given.volumes}
    assert all(size % 8 == 0 for size in made.values())
    # Lustre on PowerFlex, four servers: 16 OSTs of 1304, two MDTs of 552 and an MGT of 8 GiB.
    assert sum(made.values()) == 16 * 1304 + 2 * 552 + 8 == 21_976


@pytest.mark.parametrize(("count", "ost_gib"), [(3, 1136), (4, 1304)])
def test_each_volume_is_mapped_to_those_who_may_serve_it(count: int, ost_gib: int) -> None:
    given = powerflex(count, ost_gib=ost_gib)
    maps = of(run_all(given), "map_volume_to_sdc")
    for target in given.targets:
        mine = [m for m in maps if m["volume_name"] == target.volume]
        assert tuple(m["sdc_name"] for m in mine) == target.servers
        assert ["allow_multi_map" in m for m in mine] == [False, True]
    assert len(maps) == 2 * len(given.targets)


def test_without_failover_a_volume_has_one_map() -> None:
    given = powerflex(failover=False)
    maps = of(run_all(given), "map_volume_to_sdc")
    assert len(maps) == len(given.volumes)
    assert not any("allow_multi_map" in m for m in maps)
    assert "nothing takes over" in files_of(given)["09-maps.sh"].text


def test_each_server_that_serves_has_its_name_as_an_sdc() -> None:
    named = {c["new_name"]: c["sdc_ip"] for c in of(run_all(powerflex()), "rename_sdc")}
    assert named == ADDRESSES


def test_sdcs_are_asked_for_first_and_those_that_have_their_names_left_alone(tmp_path: Path) -> None:
    text = files_of(powerflex())["07-sdc-names.sh"].text
    shell = master(tmp_path, clients=sdcs("mds01", "N/A", "oss01", "N/A", "oss03", "oss04"))
    done = shell.run(text, **PASSWORD)
    assert (done.returncode, done.stderr) == (0, "")
    assert [c[1] for c in shell.calls("scli")][:2] == ["--login", "--query_all_sdc"]
    assert done_by(shell) == [
        {"rename_sdc": "", "sdc_ip": "10.20.0.2", "new_name": "mds02"},
        {"rename_sdc": "", "sdc_ip": "10.20.0.4", "new_name": "oss02"},
    ]
    assert "step 1 of 6, done already: the SDC with the address 10.20.0.1 is mds01" in done.stdout
    shell.program("scli", scli(clients=sdcs(*SERVERS)))
    done = shell.run(text, **PASSWORD)
    assert (done.returncode, done_by(shell)) == (0, [])
    assert done.stdout.count("done already") == 6


def test_an_sdc_is_let_in_only_in_restricted_mode(tmp_path: Path) -> None:
    text = files_of(powerflex())["07-sdc-names.sh"].text
    shell = master(tmp_path, clients=sdcs("N/A", "", "N/A"))
    done = shell.run(text, **PASSWORD)
    assert done.returncode == 1
    assert "STOP: no SDC with the address 10.20.0.2 (mds02) has registered itself." in done.stderr
    assert "Run 06-sdc.sh on mds02" in done.stderr
    assert [c["sdc_ip"] for c in done_by(shell)] == ["10.20.0.1"]
    let_in = [{"add_sdc": "", "sdc_ip": ADDRESSES[n], "sdc_name": n} for n in ("mds02", "oss02", "oss03", "oss04")]
    assert shell.run(text, "--restricted", **PASSWORD).returncode == 0
    assert shell.calls("sleep") == []
    assert [c for c in done_by(shell) if "add_sdc" in c] == let_in
    again(shell, clients=sdcs("N/A", "", "N/A", mode="Enabled"))
    assert shell.run(text, **PASSWORD).returncode == 0
    assert [c for c in done_by(shell) if "add_sdc" in c] == let_in


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (sdcs("home", *["N/A"] * 5), "STOP: the SDC with the address 10.20.0.1 is home, and planned as mds01."),
        (sdcs("oss02", *["N/A"] * 5), "STOP: the SDC with the address 10.20.0.1 is oss02, and planned as mds01."),
        (
            sdcs("N/A", "mds01"),
            "STOP: mds01 is the name of the SDC with the address 10.20.0.2, and planned for 10.20.0.1",
        ),
        ("SDC ID: 7b2c9d1e00000000 State: Connected\n", "cannot be read: SDC ID: 7b2c9d1e00000000 State: Connected"),
        ("Sdc list:\n  mds01\n", "STOP: the reply to scli --query_all_sdc cannot be read: Sdc list:"),
    ],
)
def test_nothing_is_renamed_that_is_not_understood(reply: str, said: str, tmp_path: Path) -> None:
    shell = master(tmp_path, clients=reply)
    done = shell.run(files_of(powerflex())["07-sdc-names.sh"].text, **PASSWORD)
    assert (done.returncode, done_by(shell)) == (1, [])
    assert said in done.stderr


@pytest.mark.parametrize(
    ("state", "shown"), [("Disconnected", "Disconnected"), ("Not-Connected", "Not-Connected"), ("", "state not shown")]
)
def test_an_sdc_that_is_not_connected_is_named_and_ends_it_with_an_error(
    state: str, shown: str, tmp_path: Path
) -> None:
    """All get their names, so that one server that is down stops no other; but nobody reads that all is well."""
    text = files_of(powerflex())["07-sdc-names.sh"].text
    reply = sdcs("N/A", "mds02", *["N/A"] * 4, s2=state, s5=state)
    shell = master(tmp_path, clients=reply)
    done = shell.run(text, **PASSWORD)
    assert [c["new_name"] for c in done_by(shell)] == [n for n in SERVERS if n != "mds02"]
    assert done.returncode == 1
    assert f"not connected: mds02 (10.20.0.2: {shown}), oss03 (10.20.0.5: {shown})." in done.stderr
    assert "Done" not in done.stdout
    assert len(shell.calls("sleep")) == 5
    over = shell.run(text, "--from", "7", **PASSWORD)
    assert (over.returncode, done_by(shell)) == (1, [])


def test_an_sdc_that_was_let_in_is_waited_for_until_it_is_connected(tmp_path: Path) -> None:
    text = files_of(powerflex())["07-sdc-names.sh"].text
    shell = master(tmp_path, clients=sdcs(*["N/A"] * 5))
    connects = "SDC ID: 1 Name: oss04 IP: 10.20.0.6 State: Connected"
    shell.program("scli", shell_without(scli(clients=sdcs(*["N/A"] * 5)), "--add_sdc"))
    shell.program("sleep", f"[ -e slept ] || {{ touch slept; exit 0; }}; echo '{connects}' >let_in")
    done = shell.run(text, "--restricted", **PASSWORD)
    assert (done.returncode, done.stderr, len(shell.calls("sleep"))) == (0, "", 2)
    assert "not connected yet: oss04 (10.20.0.6: not there); look 1 of 6" in done.stdout
    assert done.stdout.endswith("Done: every SDC has its name, and is connected. Next: 08-volumes.sh, here.\n")


def shell_without(text: str, case: str) -> str:
    """A stand-in that takes a command and does nothing."""
    return "\n".join(line for line in text.splitlines() if not line.startswith(f"{case})"))


def test_where_the_last_look_cannot_be_read_the_names_are_given(tmp_path: Path) -> None:
    shell = master(tmp_path)
    shell.program("scli", f'[[ "$1" != --query_all_sdc || ! -e asked ]] || {{ echo no; exit; }}\n{scli()}\n'
                  '[[ "$1" != --query_all_sdc ]] || touch asked')  # fmt: skip
    done = shell.run(files_of(powerflex())["07-sdc-names.sh"].text, **PASSWORD)
    assert (done.returncode, len(done_by(shell))) == (1, 6)
    assert "cannot be read: no" in done.stderr
    assert "The names are given." in done.stderr
    assert "Nothing was changed" not in done.stderr


@pytest.mark.parametrize("name", ["07-sdc-names.sh", "08-volumes.sh", "09-maps.sh"])
def test_a_query_that_fails_or_says_nothing_ends_it(name: str, tmp_path: Path) -> None:
    shell = master(tmp_path)
    shell.program("scli", '[[ "$1" != --query* ]] || exit 7')
    done = shell.run(files_of(powerflex())[name].text, **PASSWORD)
    assert (done.returncode, done_by(shell)) == (1, [])
    assert "failed." in done.stderr
    shell.program("scli", "")
    done = shell.run(files_of(powerflex())[name].text, **PASSWORD)
    assert (done.returncode, done_by(shell)) == (1, [])
    assert "cannot be read" in done.stderr


# --- room for the volumes -------------------------------------------------------------------------------------------


def volumes(tmp_path: Path, *given: str, **replies: str) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """How 08-volumes.sh ended, and the volumes that it made."""
    shell = master(tmp_path, **replies)
    done = shell.run(files_of(powerflex())["08-volumes.sh"].text, *given, **PASSWORD)
    return done, [c["volume_name"] for c in done_by(shell)]


@pytest.mark.long
@pytest.mark.parametrize(
    "said", [ALL_ROOM, "21976 GB", "21.5 TB (21976 GB)", "21.5 TB (22503424 MB)", "22 TB", "21.5 TB (23043506176 KB)"]
)
def test_volumes_are_made_where_all_have_room(said: str, tmp_path: Path) -> None:
    done, made = volumes(tmp_path, free=room(said))
    assert (done.returncode, done.stderr, len(made)) == (0, "", 19)
    assert "take 21976 GiB of the " in done.stdout


@pytest.mark.parametrize(
    ("said", "there"), [("21.5 TB (21975 GB)", 21975), ("21 TB", 21504), ("0 Bytes", 0), ("512 MB", 0)]
)
def test_where_there_is_too_little_none_is_made(said: str, there: int, tmp_path: Path) -> None:
    done, made = volumes(tmp_path, free=room(said))
    assert (done.returncode, made) == (1, [])
    assert (
        f"STOP: the volumes that are not there yet take 21976 GiB, and sp1 has {there} GiB left for volumes."
        in done.stderr
    )


def test_volumes_that_are_there_are_left_alone_and_need_no_room(tmp_path: Path) -> None:
    there = listed(
        "Name: mgt Size: 8.0 GB (8192 MB)", "Name: mdt0000 Size: 552.0 GB (565248 MB)", "Name: N/A Size: 8 GB"
    )
    done, made = volumes(tmp_path, volumes=there, free=room("20.9 TB (21416 GB)"))
    assert (done.returncode, done.stderr) == (0, "")
    assert made == ["mdt0001", *(f"ost{n:04x}" for n in range(16))]
    assert "step 2 of 19, done already: mdt0000 is there, of 552 GiB" in done.stdout
    again, made = volumes(folder(tmp_path), volumes=there, free=room("20.9 TB (21415 GB)"))
    assert (again.returncode, made) == (1, [])
    every = [f"Name: {v.id} Size: {v.bytes // GIB} GB" for v in powerflex().volumes]
    done, made = volumes(folder(tmp_path / "again"), volumes=listed(*every), free=room("0 Bytes"))
    assert (done.returncode, made, done.stdout.count("done already")) == (0, [], 19)


def folder(path: Path) -> Path:
    (path / "again").mkdir()
    return path / "again"


TWO_THERE = listed("Name: mgt Size: 8 GB", "Name: mdt0000 Size: 552 GB")


@pytest.mark.long
@pytest.mark.parametrize(
    ("said", "there", "code"),
    [
        ("22.3 TB (22798 GB)", "", 0),
        ("22.3 TB (22799 GB)", "", 1),
        # The spare share of 25 % is still in it; the second copies; both.
        ("29.1 TB (29802 GB)", "", 1),
        ("43.7 TB (44703 GB)", "", 1),
        ("58.2 TB (59604 GB)", "", 1),
        # 560 GiB of planned volumes are there.
        ("21.7 TB (22238 GB)", TWO_THERE, 0),
        ("21.7 TB (22239 GB)", TWO_THERE, 1),
        # Volumes of others count for nothing: they are off already.
        ("22.3 TB (22798 GB)", listed("Name: home Size: 560 GB"), 0),
    ],
)
def test_more_room_than_the_drives_can_give_is_believed_of_a_person_alone(
    said: str, there: str, code: int, tmp_path: Path
) -> None:
    """Half of 64 TB less a quarter is 22,351 GiB, and 2 % more 22,798."""
    done, made = volumes(tmp_path, volumes=there, free=room(said))
    assert (done.returncode, bool(made)) == (code, not code), done.stderr
    stopped = f"STOP: sp1 says that {said.partition('(')[2].removesuffix(' GB)')} GiB are left for volumes"
    assert (stopped in done.stderr) == bool(code)
    assert ("more than its drives can give, 22351 GiB" in done.stderr) == bool(code)
    done, made = volumes(folder(tmp_path), "--free", "22799", volumes=there, free=room(said))
    assert (done.returncode, bool(made)) == (0, True), done.stderr


def test_where_no_volume_is_left_to_make_no_room_is_judged(tmp_path: Path) -> None:
    done, made = volumes(tmp_path, volumes=every_volume(), free=room("58.2 TB (59604 GB)"))
    assert (done.returncode, made, done.stderr) == (0, [], "")


@pytest.mark.long
@pytest.mark.parametrize("name", ["08-volumes.sh", "09-maps.sh"])
@pytest.mark.parametrize("word", ["Thin-provisioned", "thin provisioned"])
def test_a_thin_volume_is_never_taken_for_the_planned_one(name: str, word: str, tmp_path: Path) -> None:
    """The planned ones are thick: a thin one takes no room until it is written."""
    rows = every_volume().splitlines(keepends=True)
    rows[5] = rows[5].replace("Thick-provisioned", word)
    shell = master(tmp_path, volumes="".join(rows), free=room("0 Bytes"))
    done = shell.run(files_of(powerflex())[name].text, **PASSWORD)
    assert (done.returncode, done_by(shell)) == (1, [])
    assert "STOP: the volume mdt0000 is there, and thin; the planned ones are thick." in done.stderr
    assert f"Its row says: Mapped to 0 SDC {word}." in done.stderr
    again(shell, volumes=every_volume() + f" Volume ID: 9c57f3ff Name: thin Size: 8 GB Mapped to 0 SDC {word}\n")
    assert shell.run(files_of(powerflex())[name].text, **PASSWORD).returncode == 0


@pytest.mark.long
@pytest.mark.parametrize("size", ["1.3 TB (1312 GB)", "8 GB", "2 TB"])
def test_a_volume_of_another_size_ends_it(size: str, tmp_path: Path) -> None:
    done, made = volumes(tmp_path, volumes=listed(f"Name: ost0003 Size: {size}"))
    assert (done.returncode, made) == (1, [])
    assert "STOP: the volume ost0003 is there, with another size than 1304 GiB." in done.stderr


MGT = "Name: mgt Size: 8.0 GB (8192 MB)"
OTHERS = [(pool_heading("spX", "pdX"), "pool spX of domain pdX"), (pool_heading("spX"), "pool spX of domain pd1"),
          (pool_heading("sp1", "pdX"), "pool sp1 of domain pdX"), (pool_heading("SP1"), "pool SP1 of domain pd1"),
          (f"{pool_heading()}Storage Pool: 1 Name: sp2\n", "pool sp2 of domain pd1")]  # fmt: skip
NOWHERE = ["", "Storage Pool 7d8c3b9e00000000 Name: sp1\n", "Protection Domain 5c0c4e7a00000000 Name: pd1\n",
           f"{pool_heading()}Protection Domain 5c0c4e7a00000001 Name: pd2\n", f"{pool_heading()}Storage Pool sp2\n",
           pool_heading("a b"), pool_heading("x" * 32)]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("name", ["08-volumes.sh", "09-maps.sh"])
@pytest.mark.parametrize(("heading", "where"), OTHERS)
def test_a_volume_of_another_pool_or_domain_is_never_taken_for_the_planned_one(
    name: str, heading: str, where: str, tmp_path: Path
) -> None:
    rest = volume_rows(*(f"Name: {v.id} Size: {v.bytes // GIB} GB" for v in powerflex().volumes if v.id != "mgt"))
    reply = f"Query-all-volumes returned 19 volumes\n\n{pool_heading()}{rest}\n{heading}{volume_rows(MGT)}"
    shell = master(tmp_path, volumes=reply)
    done = shell.run(files_of(powerflex())[name].text, **PASSWORD)
    assert (done.returncode, done_by(shell)) == (1, [])
    assert f"STOP: the volume mgt is there, in {where}; planned is pool sp1 of domain pd1." in done.stderr
    assert "its row says: Mapped to 0 SDC Thick-provisioned. Whose is it?" in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("name", ["08-volumes.sh", "09-maps.sh"])
@pytest.mark.parametrize("heading", NOWHERE)
def test_a_planned_volume_in_a_pool_that_nobody_can_read_ends_it(name: str, heading: str, tmp_path: Path) -> None:
    shell = master(tmp_path, volumes=f"Query-all-volumes returned 1 volumes\n{heading}{volume_rows(MGT)}")
    done = shell.run(files_of(powerflex())[name].text, **PASSWORD)
    assert (done.returncode, done_by(shell)) == (1, [])
    assert "no line above the row of mgt says in which protection domain and storage pool it lies" in done.stderr
    assert "--skip-list" in done.stderr


def test_volumes_of_others_hinder_nobody(tmp_path: Path) -> None:
    theirs = f"{pool_heading('spX', 'pdX')}{volume_rows('Name: home Size: 8 GB', 'Name: N/A Size: 8 GB')}"
    headless = volume_rows("Name: N/A Size: 8 GB", "Name: scratch Size: 16 GB")
    done, made = volumes(tmp_path, volumes=f"Query-all-volumes returned 4 volumes\n{headless}{theirs}")
    assert (done.returncode, done.stderr, len(made)) == (0, "", 19)
    assert "kept" not in done.stdout


WORDS = re.compile("Protection Domain|Storage Pool|Volume ID|Name|Size")


@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new"),
    [(WORDS, lambda m: m[0].upper()), (WORDS, lambda m: m[0].lower()), (re.compile(" (Name|Size): "), r"\t\1:\t"),
     (re.compile(": "), " "), (re.compile(" (Name|Size)"), r", \1"), (re.compile(r"\Z"), r"\r")],
)  # fmt: skip
def test_the_list_is_read_in_the_forms_that_the_reader_of_the_replies_takes(
    old: re.Pattern[str], new: Callable[[re.Match[str]], str] | str, tmp_path: Path
) -> None:
    from pixsize.products.powerflex.replies import Found, volumes_of

    first, empty, domain, pool, row, _ = listed("Name: mgt Size: 8 GB").split("\n")
    row = old.sub(new, row)
    if "," not in row:
        domain, pool = old.sub(new, domain), old.sub(new, pool)
    reply = "\n".join((first, empty, domain, pool, row, ""))
    (found,) = volumes_of(reply)
    assert isinstance(found, Found)
    assert (found.name, found.volume.pool, found.volume.bytes) == ("mgt", "sp1", 8 * GIB)
    done, made = volumes(tmp_path, volumes=reply)
    assert (done.returncode, done.stderr, len(made)) == (0, "", 18)


def test_two_rows_of_one_volume_end_it(tmp_path: Path) -> None:
    done, made = volumes(tmp_path, volumes=listed(MGT, MGT))
    assert (done.returncode, made) == (1, [])
    assert "cannot be read: two rows for mgt" in done.stderr


def test_a_first_run_shows_what_is_there_already_and_kept(tmp_path: Path) -> None:
    there = listed(MGT, "Name: mdt0000 Size: 552 GB", "Name: home Size: 8 GB")
    left = room("21.3 TB (21791 GB)")
    done, _ = volumes(tmp_path, volumes=there, free=left)
    assert "\n2 of the 19 planned volumes are there already, in pool sp1 of domain pd1. They are kept" in done.stdout
    assert re.findall(r"(?m)^  kept: (.*)$", done.stdout) == [
        "mgt, 8 GiB, Mapped to 0 SDC Thick-provisioned", "mdt0000, 552 GiB, Mapped to 0 SDC Thick-provisioned",
    ]  # fmt: skip
    assert done.stdout.index("kept: mgt") < done.stdout.index("step 1 of")
    done, _ = volumes(folder(tmp_path), "--from", "3", volumes=there, free=left)
    assert (done.returncode, "kept" in done.stdout) == (0, False)


def test_nothing_is_mapped_before_every_volume_is_seen_in_its_place(tmp_path: Path) -> None:
    text = files_of(powerflex())["09-maps.sh"].text
    shell = master(tmp_path, volumes=every_volume())
    done = shell.run(text, **PASSWORD)
    assert (done.returncode, done.stderr, len(done_by(shell))) == (0, "", 38)
    assert [c[1] for c in shell.calls("scli")][:2] == ["--login", "--query_all_volumes"]
    for reply, said in (
        (listed(), "STOP: there is no volume mgt."),
        (every_volume().replace("Name: ost0003", "Name: ost00030"), "STOP: there is no volume ost0003."),
        (every_volume().replace("Name: mgt Size: 8 GB", "Name: mgt Size: 16 GB"), "with another size than 8 GiB"),
        ("Volumes:\n", "cannot be read: Volumes:"),
    ):
        again(shell, volumes=reply)
        done = shell.run(text, **PASSWORD)
        assert (done.returncode, done_by(shell)) == (1, [])
        assert said in done.stderr
    done = shell.run(text, "--skip-list", "--from", "3", **PASSWORD)
    assert (done.returncode, len(done_by(shell))) == (0, 36)
    assert ["scli", "--query_all_volumes"] not in shell.calls("scli")


@pytest.mark.long
@pytest.mark.parametrize(
    "reply",
    [
        "Storage Pool sp1 (Id: 7d8c3b9e00000000) has 0 volumes and 2.7 TB available for volume allocation\n",
        "Storage Pool sp1 (Id: 7d8c3b9e00000000) has 0 volumes\n\t21.8 TB (22351 GB) unused capacity\n",
        room(ALL_ROOM, pool="sp11"),
        room(ALL_ROOM, pool="sp"),
        room("22351"),
        room("-1 GB"),
    ],
)
def test_a_room_that_cannot_be_read_ends_it_and_a_person_says_it(reply: str, tmp_path: Path) -> None:
    done, made = volumes(tmp_path, free=reply)
    assert (done.returncode, made) == (1, [])
    assert "STOP: a reply cannot be read: Storage Pool" in done.stderr
    assert "--free and the GiB that the pool has left for volumes" in done.stderr
    done, made = volumes(folder(tmp_path), "--free", "21976", free=reply)
    assert (done.returncode, len(made)) == (0, 19)
    done, made = volumes(folder(tmp_path / "again"), "--free", "21975", free=reply)
    assert (done.returncode, made) == (1, [])


def test_a_list_that_cannot_be_read_ends_it_and_a_person_says_what_is_there(tmp_path: Path) -> None:
    done, made = volumes(tmp_path, volumes=listed("Name: ost0000 Size: large"))
    assert (done.returncode, made) == (1, [])
    assert "--skip-list: those before --from are there then, and no others." in done.stderr
    options = ("--skip-list", "--from", "4")
    done, made = volumes(folder(tmp_path), *options, volumes=listed("x"), free=room("20864 GB"))
    assert (done.returncode, made) == (0, [f"ost{n:04x}" for n in range(16)])


@pytest.mark.parametrize("wrong", [("--free",), ("--free", "x"), ("--free", "1;ls"), ("--free", "-1"), ("--skip",)])
def test_a_room_is_a_number(wrong: tuple[str, ...], tmp_path: Path) -> None:
    done, made = volumes(tmp_path, *wrong)
    assert (done.returncode, made) == (2, [])


@pytest.mark.long
@pytest.mark.parametrize("name", ON_MASTER)
def test_a_dry_run_shows_the_same_commands_and_runs_none(name: str, tmp_path: Path) -> None:
    shell, text = (
        master(tmp_path, volumes=every_volume() if name == "09-maps.sh" else ""),
        files_of(powerflex())[name].text,
    )
    dry = shell.run(text, "--dry-run")
    assert (dry.returncode, dry.stderr, shell.calls()) == (0, "", [])
    checked = ("--drives-checked",) if name in DESTROY else ()
    wet = shell.run(text, *checked, **PASSWORD)
    assert re.sub("(?m)^The volumes that are not there yet .*\n", "", wet.stdout) == dry.stdout
    steps = re.findall(r"(?m)^step (\d+) of (\d+): ", dry.stdout)
    assert [int(n) for n, _ in steps] == list(range(1, int(steps[0][1]) + 1))


@pytest.mark.parametrize("name", ON_MASTER)
def test_nothing_is_run_on_another_server_or_without_the_password(name: str, tmp_path: Path) -> None:
    text, checked = files_of(powerflex())[name].text, ["--drives-checked"] if name in DESTROY else []
    shell = master(tmp_path)
    done = shell.run(text, *checked)
    assert done.returncode != 0
    assert "POWERFLEX_PASSWORD" in done.stderr
    shell.program("ip", HERE.replace("10.20.0.3", "10.20.0.30"))
    done = shell.run(text, *checked, **PASSWORD)
    assert done.returncode == 1
    assert "STOP: this server does not have the address 10.20.0.3, and so is not oss01." in done.stderr
    assert shell.calls("scli") == []


@pytest.mark.parametrize("name", DESTROY)
def test_drives_are_given_away_only_once_they_were_checked(name: str, tmp_path: Path) -> None:
    shell = master(tmp_path)
    done = shell.run(files_of(powerflex())[name].text, **PASSWORD)
    assert done.returncode == 1
    assert "03-check-drives.sh" in done.stderr
    assert shell.calls() == []


def test_a_step_that_fails_ends_the_script_and_it_goes_on_from_there(tmp_path: Path) -> None:
    text = files_of(powerflex())["08-volumes.sh"].text
    shell = master(tmp_path)
    shell.program("scli", scli() + '\n[[ "$*" != *mdt0001* ]] || { echo "Error: no room"; exit 7; }')
    done = shell.run(text, **PASSWORD)
    assert done.returncode == 1
    assert "STOP: step 3 of 19 failed with exit code 7" in done.stderr
    assert "--from 3" in done.stderr
    assert len(shell.calls("scli")) == 3 + 3
    again(shell)
    done = shell.run(text, "--from", "3", **PASSWORD)
    assert done.returncode == 0
    made = [c["volume_name"] for c in done_by(shell)]
    assert made == ["mdt0001", *(f"ost{n:04x}" for n in range(16))]


def test_behind_the_last_step_it_only_says_what_is_next(tmp_path: Path) -> None:
    """A last step that was done already has to have a way on, too: the one that the script itself names."""
    text = files_of(powerflex())["08-volumes.sh"].text
    shell = master(tmp_path)
    shell.program("scli", scli() + '\n[[ "$*" != *ost000f* ]] || { echo "Error: it exists already"; exit 7; }')
    failed = shell.run(text, **PASSWORD)
    assert "with --from 20 where" in failed.stderr
    done = shell.run(text, "--from", "20", **PASSWORD)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("Done. Next: 09-maps.sh, here.\n")
    assert done_by(shell) == []


@pytest.mark.parametrize("option", [("--from", "0"), ("--from", "21"), ("--from", "1;ls"), ("--from",), ("--now",)])
def test_options_that_are_none(option: tuple[str, ...], tmp_path: Path) -> None:
    shell = master(tmp_path)
    assert shell.run(files_of(powerflex())["08-volumes.sh"].text, *option, **PASSWORD).returncode == 2
    assert shell.calls() == []


def test_a_failed_login_ends_it(tmp_path: Path) -> None:
    shell = master(tmp_path)
    shell.program("scli", "exit 7")
    done = shell.run(files_of(powerflex())["02-pool.sh"].text, **PASSWORD)
    assert done.returncode == 1
    assert "STOP: the login failed." in done.stderr
    assert len(shell.calls("scli")) == 1


def test_the_replies_are_collected_under_the_names_that_are_read(tmp_path: Path) -> None:
    from pixsize.load import load_observed

    shell = master(tmp_path)
    volumes = "".join(
        f" Volume ID: {n:016x} Name: {v.id} Size: {v.bytes // GIB} GB ({v.bytes // 2**20} MB) Mapped to 2 SDC\\n"
        for n, v in enumerate(powerflex().volumes, 1)
    )
    said = "Logged in. User role is SuperUser. System ID is 2ea35ba11ef02a05"
    shell.program("scli", f"case $1 in --login) echo '{said}' ;; *) printf '{volumes}' ;; esac")
    assert shell.run(files_of(powerflex())["10-collect.sh"].text, **PASSWORD).returncode == 0
    observed, findings = load_observed(tmp_path)
    assert findings == ()
    assert observed.own
    assert {n: v.bytes for n, v in observed.own["powerflex"].volumes.items()} == {
        v.id: v.bytes for v in powerflex().volumes
    }


# --- what is only read ----------------------------------------------------------------------------------------------


def test_the_documents_settings_are_in_no_script() -> None:
    files = files_of(powerflex())
    for name, file in files.items():
        assert ("sdc_max_inflight_requests" in file.text) == (name == "performance-parameters.txt")
    text = files["performance-parameters.txt"].text
    assert text.startswith("NOT A SCRIPT")
    for setting in ("sds_number_os_threads 12", "sdc_number_sockets_per_sds_ip 6", "sdc_number_network_os_threads 10",
                    "sdc_max_inflight_requests 200", "sdc_max_inflight_data 20", "sdc_max_infight_data 20"):  # fmt: skip
        assert f"--{setting}`" in text
    assert not any(line.startswith("scli") for line in text.splitlines())
    assert (
        subprocess.run([tool("bash"), "-c", text], capture_output=True, check=False, env={"PATH": ""}).returncode != 0
    )


def test_the_run_book_says_which_host_runs_what() -> None:
    book = files_of(powerflex())["README.md"].text
    for name in SCRIPTS:
        assert f"| `{name}` | " in book
    assert "| oss03 | 10.20.0.5 | manager | yes | yes |" in book
    assert "| mds01 | 10.20.0.1 | tie breaker |  | yes |" in book
    assert "| oss02 | 10.20.0.4 |  | yes | yes |" in book
    assert "MDM_IP=10.20.0.3,10.20.0.5 rpm -i" in book
    assert "not stable names" in book
    assert "| OSTs | 16 | 1,304 | 20,864 |" in book
    assert "Together 21,976 GiB" in book
    assert "Fencing one of them also stops its SDS" in book


def test_the_run_book_says_what_a_cold_start_is_and_what_to_look_at_before_the_first_mount() -> None:
    _, _, cold = files_of(powerflex())["README.md"].text.partition("## A cold start")
    cold = cold.partition("\n## ")[0]
    order = ["**MDM cluster**", "**SDS**", "**SDC** (`scini.service`)", "**LNet**", "**Pacemaker**"]
    assert [cold.index(part) for part in order] == sorted(cold.index(part) for part in order)
    before = cold[cold.index("**Before the first target is mounted**") :]
    looks = (
        "query_cluster`",
        "query_all_sds`",
        "query_all`",
        "query_all_sdc`",
        "query_mdms`",
        "emc-vol-*`",
        "net show`",
    )
    assert all(look in before for look in looks)
    assert "mode `3_node`, 3 members" in before
    assert "names 10.20.0.3,10.20.0.5" in before
    assert "`pcs resource cleanup`" in before
    alone = files_of(powerflex(failover=False))["README.md"].text
    assert "## A cold start" in alone
    assert "pcs" not in alone.partition("## A cold start")[2].partition("\n## ")[0]


def test_the_run_book_says_how_much_of_the_pool_stays_free() -> None:
    """Half of 64 TB less a quarter is 22,351 GiB; the volumes take 21,976 of them."""
    book = files_of(powerflex())["README.md"].text
    assert "the pool has 22,351 GiB for volumes: the plan leaves 375 GiB of them free" in book


def test_what_is_assumed_or_from_memory_is_marked_where_it_is_used() -> None:
    four, eight = files_of(powerflex()), files_of(powerflex(8))
    assumed = 'That "available for volume allocation" leaves out spare share and second copies is an assumption'
    assert f"**{assumed}**" in four["README.md"].text
    assert "it should be about 22,351 GiB here. Where it is more than 22,798 GiB" in four["README.md"].text
    assert "It is assumed to be what is left" in four["08-volumes.sh"].text
    commas = "**The commas in `--switch_cluster_mode` are from memory**"
    assert commas in eight["README.md"].text
    assert "`--add_slave_mdm_name oss03,oss05` and `--add_tb_name oss07,mds01`" in eight["README.md"].text
    assert commas not in four["README.md"].text


def test_the_run_book_knows_whether_a_lost_server_can_be_rebuilt() -> None:
    given = powerflex()
    assert "holds no more" in files_of(given)["README.md"].text
    tight = given._replace(pools=(given.pools[0]._replace(spare_percent=10),))
    assert "cannot rebuild everything" in files_of(tight)["README.md"].text


# --- what cannot be written -----------------------------------------------------------------------------------------


def test_without_addresses_it_is_refused() -> None:
    bare = powerflex(storage_interface="")
    assert not RENDERER.applies(bare)
    (finding,) = RENDERER.findings(bare, shipped())
    assert (finding.code, finding.severity) == ("PX630", "error")
    assert "mds01, mds02, oss01, oss02, oss03 and oss04" in finding.message
    assert RENDERER.findings(powerflex(), shipped()) == ()
    assert RENDERER.applies(powerflex())


def test_another_design_has_nothing_for_it() -> None:
    given = powerflex()._replace(pools=())
    assert not RENDERER.applies(given)
    assert RENDERER.findings(given, shipped()) == ()


@pytest.mark.parametrize("size", [0, 8 * GIB + 1, 12 * GIB, -8 * GIB])
def test_a_size_that_powerflex_would_round_is_a_bug(size: int) -> None:
    given = powerflex()
    first, *others = given.volumes
    with pytest.raises(ValueError, match="no multiple"):
        files_of(replace(given, volumes=(replace(first, bytes=size), *others)))


@pytest.mark.parametrize("name", ["a b", "$(id)", "a;b", "-a", "a\nb", "a`b", ""])
def test_names_that_a_shell_could_misread_never_reach_it(name: str) -> None:
    given = powerflex()
    first, *others = given.volumes
    with pytest.raises(ValueError, match="may not stand"):
        files_of(replace(given, volumes=(replace(first, id=name), *others)))
    with pytest.raises(ValueError, match="may not stand"):
        files_of(given._replace(pools=(given.pools[0]._replace(domain=name),)))


def test_long_lists_of_servers_are_cut() -> None:
    assert word_list(["a"]) == "a"
    assert word_list(["a", "b"]) == "a and b"
    assert word_list([f"s{n}" for n in range(9)]) == "the 9 servers from s0 to s8"
    assert shlex.split(word_list(["a", "b", "c"])) == ["a,", "b", "and", "c"]


HELP = re.compile(r"^\| `--(\w+)` \| (.*) \|$", re.M)


def test_the_run_book_lists_every_word_that_scli_has_to_know() -> None:
    """Behind a semicolon, and in brackets, stand no words of the scripts."""
    given = powerflex()
    used: dict[str, set[str]] = {"add_sdc": {"sdc_ip", "sdc_name"}}
    for call in run_all(given):
        command, *words = call
        used.setdefault(command, set()).update(words)
    shown = {
        command: set(re.sub(r" \([^)]*\)", "", said.partition(";")[0]).split(", ")) - {"no more"}
        for command, said in HELP.findall(files_of(given)["README.md"].text)
    }
    assert shown == used


def test_a_certificate_is_approved_where_a_public_source_says_so() -> None:
    calls = run_all(powerflex())
    assert [next(iter(c)) for c in calls if "approve_certificate" in c] == ["create_mdm_cluster"]
