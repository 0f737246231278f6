"""Tunings: every setting of both documents, set where it belongs, as lctl, modprobe and ip are given them."""

from __future__ import annotations

import random
import re
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design
from pixsize.catalog.kinds import KINDS
from pixsize.catalog.tunings import Tuning
from pixsize.load import load_catalog
from pixsize.plan.records import Plan
from pixsize.products.lustre.plan import Network, lustre
from pixsize.products.lustre.records import LustreRelease
from pixsize.products.lustre.render.tuning import RENDERER, ordered, why_not
from pixsize.render import File
from pixsize.units import parse_whole
from tests.lustre.lustre_plan import OTHER_FILESYSTEM
from tests.lustre.render_lustre import Shell, clean_script, me4, powerflex, shipped
from tests.support.changing import replace
from tests.support.programs import tool

# Typed again from the documents: SLN314777, section 7; the PowerFlex paper, Configuration Summary.
ME4 = {
    "osc.*.checksums": "0", "timeout": "600", "at_min": "250", "at_max": "600", "ldlm.namespaces.*.lru_size": "2000",
    "osc.*OST*.max_rpcs_in_flight": "256", "osc.*OST*.max_dirty_mb": "1024", "osc.*.max_pages_per_rpc": "1024",
}  # fmt: skip
POWERFLEX = [
    ("krcvqs", "8"), ("piothreshold", "0"), ("sge_copy_mode", "2"), ("wss_threshold", "70"),
    ("cap_mask", "0x4c09a01cbba"), ("krcvqs", "4"), ("obdfilter.lustrefs-OST*.brw_size", "16"),
    ("osc.lustrefs-OST*.max_pages_per_rpc", "4096"), ("llite.lustre*.max_read_ahead_mb", "1024"),
    ("osc.lustrefs-OST*.max_rpcs_in_flight", "16"), ("sds_number_os_threads", "12"),
    ("sdc_number_sockets_per_sds_ip", "6"), ("sdc_number_network_os_threads", "10"),
    ("sdc_max_inflight_requests", "200"), ("sdc_max_infight_data", "20"),
]  # fmt: skip


def tunings(design: str) -> list[Tuning]:
    return [t for t in shipped().all(Tuning) if t.design == design]


def printed(tuning: Tuning) -> tuple[str, str]:
    name, _, value = tuning.printed.removeprefix("lctl set_param ").partition("=")
    return name.strip(), value.strip()


DEVICES = """  0 UP mgs MGS MGS 7
  1 UP obdfilter scratch-OST0000 scratch-OST0000_UUID 7
  2 UP lov scratch-clilov-ffff8d8d 5c2b9e1f 3"""
"""What `lctl dl` tells on a node that is MGS, OSS and client at once."""


OSC = "osc.scratch-OST*-osc-[^M]*"


def files_of(given: Plan, catalog: Catalog | None = None) -> dict[str, File]:
    return {f.path.removeprefix("tuning/"): f for f in RENDERER.files(given, catalog or shipped())}


def ran(file: File, tmp_path: Path, *options: str, **programs: str) -> list[list[str]]:
    """The calls of a script that has passed."""
    shell = Shell(tmp_path, **{"lctl": f"echo '{DEVICES}'", "hostname": "echo oss01"} | programs)
    done = shell.run(file.text, *options)
    assert (done.returncode, done.stderr) == (0, "")
    return [c for c in shell.calls() if c[0] != "hostname" and c[1] != "dl"]


# --- the data -------------------------------------------------------------------------------------------------------


def test_every_setting_of_the_documents_is_a_record() -> None:
    assert dict(map(printed, tunings("lustre-me4"))) == ME4
    assert len(tunings("lustre-me4")) == len(ME4)
    assert sorted(map(printed, tunings("lustre-powerflex"))) == sorted(POWERFLEX)


RIGHT = {
    "osc.*.checksums": "osc.{fsname}-OST*-osc-[^M]*.checksums",
    "ldlm.namespaces.*.lru_size": "ldlm.namespaces.{fsname}-*.lru_size",
    "osc.*OST*.max_rpcs_in_flight": "osc.{fsname}-OST*-osc-[^M]*.max_rpcs_in_flight",
    "osc.*OST*.max_dirty_mb": "osc.{fsname}-OST*-osc-[^M]*.max_dirty_mb",
    "osc.*.max_pages_per_rpc": "osc.{fsname}-OST*-osc-[^M]*.max_pages_per_rpc",
    "obdfilter.lustrefs-OST*.brw_size": "obdfilter.{fsname}-OST*.brw_size",
    "osc.lustrefs-OST*.max_pages_per_rpc": "osc.{fsname}-OST*-osc-[^M]*.max_pages_per_rpc",
    "llite.lustre*.max_read_ahead_mb": "llite.{fsname}-*.max_read_ahead_mb",
    "osc.lustrefs-OST*.max_rpcs_in_flight": "osc.{fsname}-OST*-osc-[^M]*.max_rpcs_in_flight",
    "sdc_max_infight_data": "sdc_max_inflight_data",
}
"""Where the right spelling is another than the printed one: the file system's own name, and a letter that is missing."""


def test_the_right_spelling_and_the_printed_one() -> None:
    for tuning in shipped().all(Tuning):
        name, value = printed(tuning)
        assert (tuning.parameter, tuning.value) == (RIGHT.get(name, name), value)
        assert tuning.sources
        assert isinstance(shipped().get(Design, tuning.design), Design)
    (misspelt,) = [t for t in tunings("lustre-powerflex") if "infight" in t.printed]
    assert "without the l" in misspelt.doubt


def test_where_and_how_long() -> None:
    places: dict[str, set[str]] = {}
    for tuning in shipped().all(Tuning):
        places.setdefault(tuning.parameter.rpartition(".")[2], set()).update(tuning.set_on)
    assert places["brw_size"] == places["max_pages_per_rpc"] == {"mgs"}
    assert places["checksums"] == places["lru_size"] == {"client"}
    assert places["timeout"] == {"server", "client"}
    assert places["krcvqs"] == {"hfi1-server", "hfi1-client"}
    assert places["sds_number_os_threads"] == {"powerflex"}
    only = {t.parameter.rpartition(".")[2] for t in shipped().all(Tuning) if t.benchmark_only}
    assert only == {"checksums", "timeout", "at_min", "at_max", "max_rpcs_in_flight", "max_dirty_mb"}
    kept = [t for t in tunings("lustre-powerflex") if "max_rpcs_in_flight" in t.parameter]
    assert [(t.value, t.benchmark_only) for t in kept] == [("16", False)]


GOOD: dict[str, Any] = {
    "id": "mine", "title": "mine", "design": "lustre-me4", "parameter": "osc.{fsname}-OST*-osc-[^M]*.idle_timeout", "value": "1", "printed": "x=1",
    "set_on": ["client"], "acts_on": ["client"], "permanence": "temporary", "default": "0",
}  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        {"parameter": "x;reboot"},
        {"parameter": "x y"},
        {"parameter": "$(id)"},
        {"parameter": "x\n"},
        {"parameter": "-P"},
        {"parameter": "x='"},
        {"value": "1 2"},
        {"value": ""},
        {"value": "`id`"},
        {"set_on": ["moon"]},
        {"set_on": ["mgs"]},
        {"permanence": "permanent"},
        {"default": None},
        {"default_of": "client_dirty"},
        {"default": None, "default_of": "moon"},
        {"value": "many", "raises": True},
        {"default": "few", "raises": True},
        {"parameter": "osc.[a]"},
        {"parameter": "osc.[^$M]"},
        {"set_on": ["mgs"], "permanence": "permanent", "benchmark_only": True},
        {"benchmark": True},
    ],
)
def test_a_record_that_could_not_be_rendered_is_refused(change: dict[str, Any]) -> None:
    assert Tuning.model_validate(GOOD).value == "1"
    with pytest.raises(ValidationError):
        Tuning.model_validate(GOOD | change)


def test_a_site_can_add_its_own(tmp_path: Path) -> None:
    assert KINDS["tuning"] is Tuning
    (tmp_path / "mine.yaml").write_text(
        "kind: tuning\nid: mine\ntitle: Ours \u2013 for nobody else\ndesign: lustre-me4\nparameter: osc.{fsname}-OST*.idle_timeout\n"
        "value: '7'\nprinted: none\nset_on: [client]\nacts_on: [client]\npermanence: temporary\nbenchmark_only: true\n"
        "default: '1'\ndoubt: 'It is \u2013 ours'\nsources: [{document: pixsize, place: here}]\n"
    )
    catalog, findings = load_catalog(tmp_path)
    assert findings == ()
    text = files_of(me4(), catalog)["benchmark-only/clients.sh"].text
    assert text.isascii()
    assert "osc.scratch-OST*.idle_timeout=7'" in text


def test_a_tuning_stands_behind_those_that_it_needs() -> None:
    first, second = (
        Tuning.model_validate(GOOD | {"id": i, "after": a}) for i, a in (("a", ["b"]), ("b", ["elsewhere"]))
    )
    assert [t.id for t in ordered([first, second])] == ["b", "a"]
    with pytest.raises(ValueError, match="wait for each other"):
        ordered([first, replace_model(second, after=("a",))])


def test_tunings_keep_their_order_where_none_has_to_wait() -> None:
    """As if the first that is ready were taken again and again."""
    draw = random.Random(7)
    for _ in range(50):
        ids = [f"t{n:02}" for n in range(12)]
        draw.shuffle(ids)
        made = [
            Tuning.model_validate(GOOD | {"id": i, "after": draw.sample(ids[:n], min(n, 2))}) for n, i in enumerate(ids)
        ]
        given, left, due = sorted(made, key=lambda t: t.id), sorted(made, key=lambda t: t.id), list[Tuning]()
        while left:
            there = {t.id for t in due}
            due.append(left.pop(next(n for n, t in enumerate(left) if there.issuperset(t.after))))
        assert ordered(given) == due


def test_a_long_chain_of_tunings_is_ordered_at_once() -> None:
    first = Tuning.model_validate(GOOD | {"id": "t0000"})
    chain = [replace_model(first, id=f"t{n:04}", after=(f"t{n + 1:04}",)) for n in range(2000)]
    before = time.process_time()
    assert [t.id for t in ordered(chain)] == [t.id for t in reversed(chain)]
    assert time.process_time() - before < 1


def replace_model(tuning: Tuning, **changes: Any) -> Tuning:
    return tuning.model_copy(update=changes)


# --- the files ------------------------------------------------------------------------------------------------------


def test_the_files_of_each_design() -> None:
    assert set(files_of(me4())) == {
        "mgs.sh", "clients.sh", "benchmark-only/clients.sh", "benchmark-only/servers.sh", "README.md",
    }  # fmt: skip
    assert set(files_of(powerflex())) == {
        "mgs.sh", "hfi1/servers/hfi1.conf", "hfi1/clients/hfi1.conf", "powerflex-network.sh", "README.md",
    }  # fmt: skip
    assert "powerflex-network.sh" not in files_of(powerflex(storage_interface=""))
    assert all(f.executable == n.endswith(".sh") for n, f in files_of(me4()).items())


@pytest.mark.real
@pytest.mark.parametrize("given", [me4(), powerflex()], ids=["me4", "powerflex"])
def test_every_script_is_clean(given: Plan, tmp_path: Path) -> None:
    for name, file in files_of(given).items():
        if name.endswith(".sh"):
            clean_script(file.text, tmp_path)


def test_permanent_settings_are_given_to_the_mgs_in_an_order_that_works(tmp_path: Path) -> None:
    calls = ran(files_of(powerflex(name="lustrefs"))["mgs.sh"], tmp_path)
    assert all(c[:3] == ["lctl", "set_param", "-P"] and len(c) == 4 for c in calls)
    given = [c[3] for c in calls]
    assert set(given) == {
        "obdfilter.lustrefs-OST*.brw_size=16", "osc.lustrefs-OST*-osc-[^M]*.max_pages_per_rpc=4096",
        "llite.lustrefs-*.max_read_ahead_mb=1024", "osc.lustrefs-OST*-osc-[^M]*.max_rpcs_in_flight=16",
    }  # fmt: skip
    assert given.index("obdfilter.lustrefs-OST*.brw_size=16") < given.index(
        "osc.lustrefs-OST*-osc-[^M]*.max_pages_per_rpc=4096"
    )


def test_the_settings_of_the_other_design(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    calls = ran(files_of(me4())["mgs.sh"], tmp_path / "a")
    assert [c[3] for c in calls] == ["osc.scratch-OST*-osc-[^M]*.max_pages_per_rpc=1024"]
    calls = ran(files_of(me4())["clients.sh"], tmp_path / "b", "--set")
    assert calls == [["lctl", "set_param", "ldlm.namespaces.scratch-*.lru_size=2000"]]


@pytest.mark.parametrize(
    ("name", "there", "back"),
    [
        ("clients",
         ["at_max=600", "at_min=250", f"{OSC}.checksums=0", f"{OSC}.max_dirty_mb=1024", f"{OSC}.max_rpcs_in_flight=256",
          "timeout=600"],
         ["at_max=600", "at_min=0", f"{OSC}.checksums=1", f"{OSC}.max_dirty_mb=32", f"{OSC}.max_rpcs_in_flight=8",
          "timeout=100"]),
        ("servers", ["at_max=600", "at_min=250", "timeout=600"], ["at_max=600", "at_min=0", "timeout=100"]),
    ],
)  # fmt: skip
def test_settings_for_benchmarks_are_never_permanent_and_can_be_taken_back(
    name: str, there: list[str], back: list[str], tmp_path: Path
) -> None:
    file = files_of(me4())[f"benchmark-only/{name}.sh"]
    assert "FOR A BENCHMARK ONLY" in file.text.splitlines()[1]
    for option, wanted in (("--set", there), ("--undo", back)):
        folder = tmp_path / option.strip("-")
        folder.mkdir()
        assert ran(file, folder, option) == [["lctl", "set_param", w] for w in wanted]
    for other, text in ((n, f.text) for n, f in files_of(me4()).items() if "benchmark" not in n and n.endswith(".sh")):
        assert not re.search("checksums|max_rpcs_in_flight|max_dirty_mb", text), other
        assert "at_min" not in text, other


CLIENTS_OSC, MDTS_OSP = "scratch-OST0003-osc-ffff8d8d5c2b9000", "scratch-OST0003-osc-MDT0001"
"""What `lctl dl` calls the connection of a client to an OST, and that of an MDT, which stands below osc. too."""


@pytest.mark.parametrize(
    "tuning", [t for t in shipped().all(Tuning) if t.parameter.startswith("osc.")], ids=lambda t: t.id
)
def test_settings_of_clients_leave_the_connections_of_mdts_alone(tuning: Tuning) -> None:
    """bash matches names as glob(3) does, which lctl calls."""
    pattern, _, word = tuning.parameter.replace("{fsname}", "scratch").rpartition(".")
    for name, wanted in ((CLIENTS_OSC, 0), (MDTS_OSP, 1), (CLIENTS_OSC.replace("scratch", "other"), 1)):
        matched = subprocess.run([tool("bash"), "-c", f'[[ "osc.{name}.{word}" == {pattern}.{word} ]]'], check=False)
        assert matched.returncode == wanted, name


def on_arrays(release: str) -> dict[str, File]:
    return files_of(me4(release=f"lustre-{release}", version=release))


def test_a_setting_that_would_lower_what_the_release_has_is_left_out_and_said(tmp_path: Path) -> None:
    assert "max_dirty_mb=1024" in on_arrays("2.10.8")["benchmark-only/clients.sh"].text
    assert "## Left out" not in on_arrays("2.10.8")["README.md"].text
    for name, file in on_arrays("2.15.8").items():
        assert ("max_dirty_mb" in file.text) == (name == "README.md"), name
    page = on_arrays("2.15.8")["README.md"].text.partition("## Left out")[2]
    assert f"| `{OSC}.max_dirty_mb=1024` |" in page
    assert "Lustre 2.15 has 2000 by itself, which is more: it would be lowered" in page
    calls = ran(on_arrays("2.15.8")["benchmark-only/clients.sh"], tmp_path, "--undo")
    assert [c[2] for c in calls if "rpcs" in c[2]] == [f"{OSC}.max_rpcs_in_flight=8"]


def test_a_setting_that_nobody_could_take_back_is_left_out_and_said() -> None:
    """What a client of 2.12 holds dirty by itself was not read."""
    for name, file in on_arrays("2.12.9").items():
        assert ("max_dirty_mb" in file.text) == (name == "README.md"), name
    assert (
        "no source at hand says what Lustre 2.12 has by itself, so that nothing could take it back"
        in on_arrays("2.12.9")["README.md"].text
    )


@pytest.mark.parametrize(("own", "why"), [("1023 MiB", ""), ("1 GiB", "which is as much"), ("1025 MiB", "lowered")])
def test_a_setting_is_left_out_from_the_releases_own_value_on(own: str, why: str) -> None:
    (tuning,) = [t for t in tunings("lustre-me4") if t.raises]
    release = (
        shipped()
        .get(LustreRelease, "lustre-2.15.8")
        .model_copy(update={"client_dirty_bytes": parse_whole(own, "capacity")})
    )
    said = why_not(tuning, release)
    assert (why in said) if why else (said == "")


def test_nobody_runs_a_benchmarks_settings_by_a_slip(tmp_path: Path) -> None:
    shell = Shell(tmp_path, lctl="")
    done = shell.run(files_of(me4())["benchmark-only/clients.sh"].text)
    assert done.returncode == 2
    assert "--set or --undo?" in done.stderr
    assert shell.calls() == []


def test_the_mgs_takes_them_only_where_it_runs(tmp_path: Path) -> None:
    shell = Shell(tmp_path, lctl="echo '  0 UP osd-ldiskfs fast-MDT0000-osd fast-MDT0000-osd_UUID 12'")
    done = shell.run(files_of(powerflex())["mgs.sh"].text)
    assert done.returncode == 1
    assert "STOP: the MGS does not run here." in done.stderr
    assert "mds02 or mds01" in done.stderr
    assert [c for c in shell.calls() if "set_param" in c] == []


@pytest.mark.parametrize(
    ("name", "devices"),
    [
        ("benchmark-only/clients.sh", "  0 UP obdfilter scratch-OST0000 scratch-OST0000_UUID 7"),
        ("benchmark-only/clients.sh", "  0 UP lov scratch-MDT0000-mdtlov scratch-MDT0000-mdtlov_UUID 3"),
        ("clients.sh", "  0 UP lov other-clilov-ffff8d8d 5c2b 3"),
    ],
)
def test_a_node_takes_them_only_where_the_file_system_is(name: str, devices: str, tmp_path: Path) -> None:
    """Some of them hold for every file system of the node."""
    shell = Shell(tmp_path, lctl=f"echo '{devices}'")
    done = shell.run(files_of(me4())[name].text, "--set")
    assert done.returncode == 1
    assert "mounted here" in done.stderr
    assert [c for c in shell.calls() if "set_param" in c] == []


@pytest.mark.parametrize(("host", "code"), [("oss01", 0), ("MDS02.site.example", 0), ("oss010", 1), ("prod-db1", 1)])
def test_a_server_takes_them_whether_its_targets_are_mounted_or_not(host: str, code: int, tmp_path: Path) -> None:
    """They are the node's, and the passive one of a pair takes over with its own."""
    for option in ("--set", "--undo"):
        (folder := tmp_path / option.strip("-")).mkdir()
        shell = Shell(folder, lctl="", hostname=f"echo {host}")
        done = shell.run(files_of(me4())["benchmark-only/servers.sh"].text, option)
        assert done.returncode == code, done.stderr
        assert any("set_param" in c for c in shell.calls()) == (code == 0)
        assert ("no MDS or OSS of scratch" in done.stderr) == (code == 1)


def test_a_client_takes_them_back_also_when_nothing_is_mounted(tmp_path: Path) -> None:
    shell = Shell(tmp_path, lctl="")
    assert shell.run(files_of(me4())["benchmark-only/clients.sh"].text, "--undo").returncode == 0
    assert any("set_param" in c for c in shell.calls())


def test_a_dry_run_shows_what_would_be_set(tmp_path: Path) -> None:
    shell = Shell(tmp_path, lctl="")
    for name, options in (("mgs.sh", ()), ("benchmark-only/servers.sh", ("--undo",))):
        done = shell.run(files_of(me4())[name].text, *options, "--dry-run")
        assert (done.returncode, shell.calls()) == (0, [])
        assert re.match(r"step 1 of [13]: lctl set_param ", done.stdout)


def test_no_setting_has_blanks_round_its_equals_sign() -> None:
    for given in (me4(), powerflex()):
        for name, file in files_of(given).items():
            for line in file.text.splitlines() if name.endswith(".sh") else ():
                if "set_param" in line and "step" in line:
                    assert re.fullmatch(r"\s*step lctl set_param (-P )?'[a-z](?:[\w.*-]|\[\^M\])*=\w+'", line), line


def test_options_of_the_driver_of_omni_path() -> None:
    files = files_of(powerflex())
    lines = [t.text.splitlines()[-1] for n, t in files.items() if n.endswith(".conf")]
    assert lines == [
        "options hfi1 krcvqs=8 piothreshold=0 sge_copy_mode=2 wss_threshold=70",
        "options hfi1 cap_mask=0x4c09a01cbba krcvqs=4",
    ]
    assert not any("hfi1" in f.text.replace("driver hfi1", "") for n, f in files_of(me4()).items())


def test_on_tcp_the_options_of_omni_path_may_be_of_no_use() -> None:
    tcp = files_of(powerflex(network=Network("tcp", "em1")))["README.md"].text
    assert tcp.count("**LNet of fast is on tcp**") == 2
    for given in (powerflex(), powerflex(network=None), powerflex(network=Network("o2ib1", "ib0"))):
        assert "on tcp" not in files_of(given)["README.md"].text


# --- the network of PowerFlex ---------------------------------------------------------------------------------------

HERE = "echo '2: p1p1    inet 10.20.0.4/24 scope global p1p1'"


def test_large_packets_now_and_after_a_restart(tmp_path: Path) -> None:
    calls = ran(files_of(powerflex())["powerflex-network.sh"], tmp_path, ip=HERE, nmcli="echo 'storage net'")
    assert calls == [
        ["ip", "-o", "-4", "addr", "show", "dev", "p1p1"],
        ["nmcli", "--get-values", "GENERAL.CONNECTION", "device", "show", "p1p1"],
        ["ip", "link", "set", "dev", "p1p1", "mtu", "9000"],
        ["nmcli", "connection", "modify", "storage net", "802-3-ethernet.mtu", "9000"],
    ]


def test_the_check_sends_full_packets_to_every_server(tmp_path: Path) -> None:
    file = files_of(powerflex())["powerflex-network.sh"]
    calls = [c for c in ran(file, tmp_path, "--check", ip=HERE, ping="") if c[0] == "ping"]
    assert [c[-1] for c in calls] == [f"10.20.0.{n}" for n in range(1, 7)]
    assert all(c[c.index("-s") + 1] == str(9000 - 20 - 8) and c[c.index("-M") + 1] == "do" for c in calls)


@pytest.mark.parametrize(
    "programs", [{"ip": HERE, "ping": "exit 1"}, {"ip": HERE.replace("0.4/", "0.40/"), "ping": ""}]
)
def test_a_packet_that_is_lost_or_another_server_ends_it(programs: dict[str, str], tmp_path: Path) -> None:
    done = Shell(tmp_path, **programs).run(files_of(powerflex())["powerflex-network.sh"].text, "--check")
    assert done.returncode == 1
    assert "STOP: " in done.stderr


# --- the page -------------------------------------------------------------------------------------------------------


def test_the_page_shows_every_setting_that_is_set_somewhere() -> None:
    for given in (me4(), powerflex()):
        files = files_of(given)
        page = files["README.md"].text
        for tuning in tunings(given.design):
            if "powerflex" not in tuning.set_on:
                name = tuning.parameter.replace("{fsname}", given.filesystem.name)
                assert f"| `{name}={tuning.value}` |" in page
                assert tuning.doubt in page
        assert all(f"`{n}`" in page for n in files if n != "README.md")
    assert "**For benchmarks only.**" in files_of(me4())["README.md"].text


def test_it_needs_nothing_but_a_lustre_file_system() -> None:
    scale = OTHER_FILESYSTEM
    assert RENDERER.applies(powerflex(network=None, storage_interface=""))
    assert RENDERER.findings(powerflex(), shipped()) == ()
    assert not RENDERER.applies(powerflex()._replace(filesystem=scale))


@pytest.mark.parametrize("name", ["a'b", "a b", "$(id)", "a;b"])
def test_names_that_a_shell_could_misread_never_reach_it(name: str) -> None:
    given = powerflex()
    with pytest.raises(ValueError, match="may not stand"):
        files_of(given._replace(filesystem=replace(lustre(given), name=name)))
