"""Overlays and replies that are too much, and designs and words that pixsize cannot plan with: each ends in a finding."""

from __future__ import annotations

import contextlib
import copy
import json
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from pixsize import resources
from pixsize.load import load_catalog, load_observed, overlay_checks
from pixsize.load.catalog_loader import shipped
from pixsize.load.yaml_reader import parse
from pixsize.product import PRODUCTS
from pixsize.products.lustre.ha_records import FenceAgent
from tests.support import written
from tests.support.cli_support import loads, request, run
from tests.support.estimating import replacing

Words = dict[str, Any]
RAW = shipped().raw
CITED = {"sources": [{"document": "pixsize", "place": "a test"}]}


def lay(folder: Path, *records: Words) -> Path:
    mine = folder / "mine"
    mine.mkdir(exist_ok=True)
    for number, record in enumerate(records):
        (mine / f"{number}.yaml").write_text(written.text(record))
    return mine


def checked(folder: Path, config: str, *records: Words) -> list[Words]:
    """The findings of `check`; it ends with exit 1 exactly where one of them is an error."""
    result = run("check", "--config", config, "--catalog", str(lay(folder, *records)), "--format", "json")
    found: list[Words] = loads(result.stdout)["findings"]
    assert result.exit_code == any(f["severity"] == "error" for f in found), result.output
    return found


def errors(folder: Path, config: str, *records: Words) -> list[str]:
    return [f["code"] for f in checked(folder, config, *records) if f["severity"] == "error"]


# --- designs ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "words", "hint"),
    [
        ("pixstor-6", {"filesystem": "nobodys"}, ""),
        ("pixstor-6", {"volumes": "me44"}, "scale on me4"),
        ("lustre-me4", {"volumes": "powerflex"}, "kind: pool_design"),
        ("lustre-powerflex", {"volumes": "me4"}, "kind: design"),
        ("lustre-powerflex", {"filesystem": "scale"}, ""),
    ],
)
def test_a_pair_that_nobody_plans_is_refused(tmp_path: Path, record: str, words: Words, hint: str) -> None:
    (found,) = [f for f in checked(tmp_path, "large", replacing(record, **words)) if f["severity"] == "error"]
    assert found["code"] == "PX205"
    assert hint in found.get("hint", "")
    result = run("catalog", "list", "--catalog", str(tmp_path / "mine"))
    assert result.exit_code == 1
    assert "PX205" in result.output


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("storage_modules[].cuont", 1),
        ("storage_modules.count", 1),
        ("filesystem", {"name": "x"}),
        ("storage_modules[].count", "$(x)"),
        ("storage_modules[].count", True),
        ("filesystem.block_size", "$(x)"),
        ("filesystem.failure_groups", "by_hand"),
        ("storage_modules[].metadata_drive", "$(x)"),
        ("storage_modules[].metadata_drive", "12.1 TB"),
        ("storage_modules[].metadata_drive", "me4084"),
    ],
)
def test_a_default_that_no_request_takes_is_refused(tmp_path: Path, word: str, value: Any) -> None:
    defaults = RAW["pixstor-6"]["defaults"] | {word: value}
    assert set(errors(tmp_path, "large", replacing("pixstor-6", defaults=defaults))) == {"PX206"}


def test_a_default_may_name_a_drive_by_its_id(tmp_path: Path) -> None:
    defaults = RAW["pixstor-6"]["defaults"] | {"storage_modules[].metadata_drive": "ssd-960gb"}
    record = replacing("pixstor-6", defaults=defaults)
    assert errors(tmp_path, "large", record) == []
    plans = []
    for options in ((), ("--catalog", str(tmp_path / "mine"))):
        figures = loads(run("plan", "--config", "large", "--format", "json", *options).stdout)["figures"]
        plans.append({f: v["value"] for f, v in figures.items()})
    assert plans[0] == plans[1]


@pytest.mark.parametrize(
    ("design", "word", "config"),
    [
        ("lustre-me4", "metadata.pairs", "lustre-me4"),
        ("lustre-me4", "storage_modules[].count", "lustre-me4"),
        ("pixstor-6", "storage_modules[].count", "large"),
    ],
)
def test_a_count_that_the_design_no_longer_gives_is_asked_for(
    tmp_path: Path, design: str, word: str, config: str
) -> None:
    defaults = {k: v for k, v in RAW[design]["defaults"].items() if k != word}
    (found,) = [f for f in checked(tmp_path, config, replacing(design, defaults=defaults)) if f["severity"] == "error"]
    assert found["code"] == "PX103"
    assert word.rpartition(".")[2] in found["message"]


@pytest.mark.parametrize("design", ["pixstor-6", "lustre-me4", "lustre-powerflex"])
@pytest.mark.parametrize("asked", ["old", "new"])
def test_a_design_with_a_new_id_plans_the_same(tmp_path: Path, design: str, asked: str) -> None:
    """Sizes, settings, versions and measurements of the old id belong to the new one."""
    example = {"pixstor-6": "large+hdmd"}.get(design, design)
    text = (resources.folder("examples") / f"{example}.yaml").read_text(encoding="utf-8")
    config = request(tmp_path, text if asked == "old" else text.replace(f"design: {design}", "design: site-design"))
    mine = lay(tmp_path, replacing(design, id="site-design"))
    made = []
    for number, options in enumerate((("--config", example), ("--config", str(config), "--catalog", str(mine)))):
        plan = loads(run("plan", *options, "--format", "json").stdout)
        result = run("render", "all", "-o", str(tmp_path / f"out{number}"), *options)
        assert result.exit_code == 0, result.output
        files = sorted(p for p in (tmp_path / f"out{number}").rglob("*.sh"))
        made.append((plan, {p.name: p.read_text(encoding="utf-8") for p in files if "ha" not in p.parts}))
    (plain, scripts), (laid, theirs) = made
    assert laid["targets"] == plain["targets"]
    assert theirs == scripts
    values = {f: v["value"] for f, v in plain["figures"].items()}
    assert {f: v["value"] for f, v in laid["figures"].items()} == values


def test_an_array_is_of_a_family_that_pixsize_plans(tmp_path: Path) -> None:
    (found,) = checked(tmp_path, "large", replacing("me4084", family="me44"))
    assert (found["code"], found["hint"]) == ("PX203", "Did you mean me4?")
    assert "'me44' is no family of arrays" in found["message"]


def test_the_arrays_of_a_design_are_of_the_family_of_its_volumes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = PRODUCTS["me4"]._replace(name="me99")
    monkeypatch.setattr(overlay_checks, "PRODUCTS", {**PRODUCTS, "me99": other})
    array = copy.deepcopy(RAW["me4084"]) | {"id": "me9984", "family": "me99"}
    storage = RAW["pixstor-6"]["storage"] | {"array": "me9984"}
    (found,) = checked(tmp_path, "large", array, replacing("pixstor-6", storage=storage))
    assert (found["code"], found["file"]) == ("PX203", str(tmp_path / "mine" / "1.yaml"))
    assert "has volumes of me4, and me9984 is of me99" in found["message"]
    both = checked(tmp_path, "large", replacing("me484", family="me99"), array)
    told = " ".join(f["message"] for f in both)
    assert all(f"{design} " in told for design in ("pixstor-5", "pixstor-6"))
    assert {(f["code"], f["file"]) for f in both} == {("PX203", str(tmp_path / "mine" / "0.yaml"))}


@pytest.mark.parametrize(
    ("record", "words", "where", "told"),
    [
        ("me4084", {"controllers": 1}, "  controllers: 1", "uses it as an array, which has 2"),
        ("me4084", {"controllers": 0}, "  controllers: 0", "me4084 has 0 controllers"),
        ("me4024", {"controllers": 1}, "  controllers: 1", "uses it as an array, which has 2"),
        ("me484", {"controllers": 2}, "  controllers: 2", "uses it as an expansion, which has none"),
        ("pixstor-6", {"storage": {"array": "me484"}}, "    array: me484", "me484 has 0 controllers"),
        ("pixstor-6", {"storage": {"expansion": "me4084"}}, "    expansion: me4084", "an expansion, which has none"),
        ("pixstor-6", {"storage": {"servers": {"count": 1}}}, "      count: 1", "every module is a pair of servers"),
        ("lustre-me4", {"metadata": {"servers": {"count": 3}}}, "      count: 3", "every module is a pair of servers"),
        ("pixstor-6", {"data_pool": ""}, "  data_pool: ''", "each NSD names its pool"),
    ],
)
def test_servers_and_controllers_are_pairs_and_a_pool_has_a_name(
    tmp_path: Path, record: str, words: Words, where: str, told: str
) -> None:
    laid = _deep(replacing(record), words)
    (found,) = checked(tmp_path, "large", laid)
    assert (found["code"], found["file"]) == ("PX203", str(tmp_path / "mine" / "0.yaml"))
    assert told in found["message"]
    lines = (tmp_path / "mine" / "0.yaml").read_text(encoding="utf-8").splitlines()
    assert lines[found["line"] - 1].strip() == where.strip()


def _deep(record: Words, words: Words) -> Words:
    """The record with other words, in mappings below it too."""
    for word, value in words.items():
        record[word] = _deep(record[word], value) if isinstance(value, dict) else value
    return record


@pytest.mark.parametrize("asked", ["true", "1", "5"])
def test_an_expansion_that_the_design_has_not_is_an_error_of_the_request(tmp_path: Path, asked: str) -> None:
    text = (resources.folder("examples") / "large+hdmd.yaml").read_text(encoding="utf-8")
    config = request(tmp_path, text.replace("expansion: false", f"expansion: {asked}"))
    record = _deep(replacing("pixstor-6"), {"storage": {"expansion": ""}})
    (found,) = checked(tmp_path, str(config), record)
    assert (found["code"], found["where"]) == ("PX111", "storage_modules[0].expansion")
    assert found["hint"] == "expansion: false"
    without = request(tmp_path, text)
    assert errors(tmp_path, str(without), record) == []


def test_an_array_of_a_height_without_limits_is_told(tmp_path: Path) -> None:
    """Nobody has said how many enclosures and drives such an array takes."""
    found = checked(tmp_path, "large", replacing("me4084", rack_units="4 U"))
    (told,) = [f for f in found if f["code"] == "PX527" and "drives" in f["message"]]
    assert "no record me4.drives_4u says how many it takes" in told["message"]
    assert any("me4.enclosures_4u" in f["message"] for f in found)


# --- words of programs --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ("pcs.0.11", {"auth": ["cluster", "destroy"]}),
        ("pcs.0.11", {"setup": ["cluster", "setup", "--force"]}),
        ("pcs.0.11", {"setup": ["cluster", "destroy", "--all"]}),
        ("pcs.0.11", {"defaults": ["resource", "delete"]}),
        ("pcs.0.11", {"token": ["totem", "--force", "token="]}),
        ("pcs.0.11", {"wait_for_all": ["stonith", "wait_for_all=1"]}),
        ("pcs.0.11", {"fence": {"address": "action", "user": "username", "password": "password"}}),
        ("fence_idrac", {"options": ["delete"]}),
        ("fence_idrac", {"options": ["--force"]}),
        ("fence_idrac", {"options": ["lanplus=1", "lanplus=1"]}),
        ("fence_idrac", {"options": ["ip=10.0.0.1"]}),
        ("fence_idrac", {"options": ["pcmk_host_list=other"]}),
        ("fence_idrac", {"options": ["password_script=/tmp/x"]}),
        ("fence_idrac", {"options": ["ipmitool_path=/tmp/x"]}),
        ("fence_idrac", {"options": ["lanplus=maybe"]}),
        ("fence_idrac", {"options": ["power_wait=5000"]}),
        ("fence_sbd", {"options": ["power_timeout=99"]}),
        ("fence_idrac", {"id": "my+agent"}),
        ("lustre-me4.tuning.timeout", {"value": "-1"}),
        ("lustre-me4.tuning.timeout", {"default": ".x"}),
        ("lustre-me4.tuning.timeout", {"printed": "no equals sign"}),
        ("lustre-powerflex.tuning.sds_number_os_threads", {"parameter": "a.{fsname}-*.b"}),
        ("lustre-powerflex.tuning.sds_number_os_threads", {"printed": "a-b* = 1"}),
        ("lustre-powerflex.tuning.sds_number_os_threads", {"parameter": "remove_all_volumes"}),
        ("lustre-powerflex.tuning.sds_number_os_threads", {"printed": "remove_all_volumes = 1"}),
        ("lustre-powerflex.tuning.client.krcvqs", {"parameter": "krcvqs*"}),
        ("lustre-me4.tuning.timeout", {"set_on": []}),
        ("lustre-me4.tuning.timeout", {"acts_on": []}),
        ("pixstor-6", {"data_pool": "a b"}),
        ("pixstor-6", {"data_pool": "-data"}),
        ("lustre-powerflex", {"pool": "s p"}),
        ("lustre-powerflex", {"domain": "-pd"}),
    ],
)
def test_words_that_would_be_run_are_of_a_known_shape(tmp_path: Path, record: str, words: Words) -> None:
    assert set(errors(tmp_path, "lustre-me4", replacing(record, **words))) == {"PX203"}


_SPEECH = frozenset(
    [
        "api_version",
        "auth",
        "cipher",
        "drac_version",
        "inet4_only",
        "inet6_only",
        "ipmitool_timeout",
        "ipport",
        "lanplus",
        "login_timeout",
        "notls",
        "power_timeout",
        "power_wait",
        "retry_on",
        "ribcl_version",
        "secure",
        "shell_timeout",
        "snmp_auth_prot",
        "snmp_priv_prot",
        "snmp_sec_level",
        "snmp_version",
        "ssh",
        "ssl",
        "ssl_insecure",
        "ssl_secure",
        "stonith_status_sleep",
        "use_cookies",
    ]
)
"""Of all options in the metadata of fence-agents 4.12, those that a record may give. Typed here once more on purpose."""
_VERBS = [
    "action",
    "option",
    "method",
    "target",
    "port",
    "plug",
    "ipaddr",
    "nodename",
    "switch",
    "devices",
    "delay",
    "missing_as_off",
    "debug",
    "debug_file",
    "logfile",
    "verbose",
    "verbose_level",
    "quiet",
    "version",
    "help",
    "identity_file",
    "ssh_options",
    "ssh_path",
    "telnet_path",
    "sbd_path",
    "snmpset_path",
    "sudo_path",
    "passwd_script",
    "snmp_priv_passwd",
    "disable_timeout",
    "pcmk_reboot_action",
    "pcmk_off_action",
    "pcmk_host_check",
    "pcmk_monitor_action",
    "pcmk_off_retries",
    "pcmk_delay_max",
    "stonith_timeout",
    "provides",
    "status_file",
]


def _is_taken(name: str) -> bool:
    """Whether a record may give an option of that name, with one of two values."""
    words = {k: v for k, v in RAW["fence_idrac"].items() if k != "kind"}
    for value in ("1", "off"):
        with contextlib.suppress(ValidationError):
            FenceAgent.model_validate(words | {"options": [f"{name}={value}"]})
            return True
    return False


@pytest.mark.parametrize("name", _VERBS)
def test_no_option_of_an_agent_says_what_is_done(name: str) -> None:
    assert not _is_taken(name)


def test_an_option_that_is_refused_is_told_what_is_taken(tmp_path: Path) -> None:
    record = replacing("fence_idrac", options=["lanplus=1", "action=off"])
    (found,) = [f for f in checked(tmp_path, "lustre-me4", record) if f["severity"] == "error"]
    assert found["code"] == "PX203"
    assert "action is no option that says how an agent speaks with a device: api_version, " in found["message"]


@pytest.mark.real
def test_of_the_options_of_all_installed_agents_only_those_of_speech_are_taken() -> None:
    agents = sorted(Path("/usr/sbin").glob("fence_*"))
    if len(agents) < 10:
        pytest.skip("the fence agents are not installed")
    known: set[str] = set()
    for agent in (
        "fence_idrac",
        "fence_redfish",
        "fence_apc",
        "fence_apc_snmp",
        "fence_sbd",
        "fence_ilo",
        "fence_drac5",
    ):
        done = subprocess.run([f"/usr/sbin/{agent}", "-o", "metadata"], capture_output=True, text=True, check=True)
        known.update(re.findall(r'<parameter name="([a-z0-9_]+)"', done.stdout))
    assert {"action", "port", "debug_file", "lanplus"} < known
    assert {name for name in known if _is_taken(name)} == known & _SPEECH


TIMEOUT, CHECKSUMS = "lustre-me4.tuning.timeout", "lustre-me4.tuning.checksums"


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([replacing(TIMEOUT, after=[TIMEOUT])], f"{TIMEOUT}: waits for itself"),
        (
            [replacing(TIMEOUT, after=[CHECKSUMS]), replacing(CHECKSUMS, after=[TIMEOUT])],
            f"{CHECKSUMS}: waits for {TIMEOUT}, which in the end waits for it",
        ),
        ([replacing(TIMEOUT, id="mine", after=[TIMEOUT])], "mine: waits for itself"),
        (
            [{**replacing(TIMEOUT, id="mine"), "replaces": None}],
            f"mine: {TIMEOUT} sets 'timeout' on server and client too",
        ),
    ],
)
def test_tunings_that_cannot_be_made_together(tmp_path: Path, records: list[Words], message: str) -> None:
    laid = [{k: v for k, v in record.items() if v is not None} for record in records]
    found = [f for f in checked(tmp_path, "lustre-me4", *laid) if f["severity"] == "error"]
    assert {f["code"] for f in found} == {"PX203"}
    assert found[0]["message"] == message


def test_a_tuning_comes_after_what_stands_for_the_one_that_it_names(tmp_path: Path) -> None:
    size, pages = "lustre-powerflex.tuning.brw_size", "lustre-powerflex.tuning.max_pages_per_rpc"
    mine = lay(tmp_path, replacing(size, id="zzz.brw_size"))
    result = run(
        "render", "tuning", "-o", str(tmp_path / "out"), "--config", "lustre-powerflex", "--catalog", str(mine)
    )
    assert result.exit_code == 0, result.output
    assert RAW[pages]["after"] == [size]
    text = (tmp_path / "out/tuning/mgs.sh").read_text(encoding="utf-8")
    assert 0 < text.index("brw_size=") < text.index("max_pages_per_rpc=")


@pytest.mark.parametrize(
    ("record", "words", "rule"),
    [
        ("fence_idrac", {"options": ["lanplus=/ x"]}, "as in lanplus=1"),
        ("fence_idrac", {"id": "my-agent"}, "fence_, then at most 41 of a-z, 0-9 and `_`"),
        ("pcs.0.11", {"version": "new"}, "two to four numbers with points between them"),
        (TIMEOUT, {"value": "-1"}, "a letter or a digit, then at most 39 of"),
        (TIMEOUT, {"parameter": "-1"}, "a small letter, then at most 99 of"),
        (TIMEOUT, {"printed": "no equals sign"}, "a name, an equals sign and a value"),
        ("pixstor-6", {"data_pool": "a b"}, "a letter, then at most 30 of"),
    ],
)
def test_a_word_of_the_wrong_shape_is_told_the_rule(tmp_path: Path, record: str, words: Words, rule: str) -> None:
    found = [f["message"] for f in checked(tmp_path, "lustre-me4", replacing(record, **words))]
    assert any("cannot stand here: " in message and rule in message for message in found), found


@pytest.mark.parametrize(("length", "refused"), [(20_000, set()), (20_001, {"PX203"})])
def test_a_note_may_be_a_page(tmp_path: Path, length: int, refused: set[str]) -> None:
    assert set(errors(tmp_path, "large", replacing("me4084", note="x" * length))) == refused


@pytest.mark.parametrize(("length", "refused"), [(2000, set()), (2001, {"PX203"})])
def test_a_title_is_a_line(tmp_path: Path, length: int, refused: set[str]) -> None:
    assert set(errors(tmp_path, "large", replacing("me4084", title="x" * length))) == refused


def test_a_setting_that_no_document_prints_is_not_misspelt(tmp_path: Path) -> None:
    record = replacing("lustre-powerflex.tuning.sds_number_os_threads", printed="none")
    options = (
        "--config",
        "lustre-powerflex",
        "--observed",
        str(resources.folder("examples") / "lustre-powerflex.observed"),
    )
    result = run("render", "powerflex", "-o", str(tmp_path / "out"), *options, "--catalog", str(lay(tmp_path, record)))
    assert result.exit_code == 0, result.output
    assert "sds_number_os_threads" in (tmp_path / "out/powerflex/performance-parameters.txt").read_text(
        encoding="utf-8"
    )


def test_a_measurement_beside_a_broken_design(tmp_path: Path) -> None:
    """Whoever judges what a measurement names is not to trip over it."""
    measured = next(i for i, w in RAW.items() if w["kind"] == "measurement" and w["system"]["design"] == "lustre-me4")
    for broken in (replacing("lustre-me4", switches=3), replacing("lustre-me4.large", arrays="many")):
        assert set(errors(tmp_path, "large", replacing(measured), broken)) == {"PX203"}


# --- too much -----------------------------------------------------------------------------------------------------


def size(**words: Any) -> Words:
    own = {"kind": "module_size", "id": "big", "title": "t", "design": "pixstor-6", "size": "big", "arrays": 64}
    return own | CITED | words


MANY = (
    size(),
    replacing("pixsize.modules", value=10_000),
    replacing("scale.nsds", value=10**9),
)


@pytest.mark.parametrize(
    ("records", "count", "code"),
    [
        (MANY, 9000, "PX120"),
        ((*MANY, replacing("pixsize.parts", value=20_001)), 9000, "PX203"),
        ((*MANY, replacing("pixsize.modules", value=10**9)), 10**9, "PX203"),
    ],
)
def test_what_multiplies_is_counted_before_it_is_made(
    tmp_path: Path, records: tuple[Words, ...], count: int, code: str
) -> None:
    text = (
        "name: scratch\ndesign: pixstor-6\nstorage_modules: [{size: big, count: COUNT, data_drive: 12 TB}]\n".replace(
            "COUNT", str(count)
        )
    )
    config = request(tmp_path, text + "filesystem: {name: mmfs1}\n")
    begun = time.process_time()
    assert code in errors(tmp_path, str(config), *{r["id"]: r for r in records}.values())
    assert time.process_time() - begun < 5


def test_switches_and_servers_are_counted_too(tmp_path: Path) -> None:
    text = "name: scratch\ndesign: pixstor-6\nstorage_modules: [{size: small, count: 200, data_drive: 12 TB}]\n"
    config = str(request(tmp_path, text + "filesystem: {name: mmfs1}\n"))
    switch = replacing("n2248x-on", ports=1)
    roles = [{"model": "n2248x-on", "count": 64, "ports_a_server": 64, "ports_an_array": 64}]
    assert errors(tmp_path, config, switch, replacing("pixstor-6", switches=roles)) == ["PX120"]
    for old in (tmp_path / "mine").iterdir():
        old.unlink()
    (found,) = [f for f in checked(tmp_path, config, replacing("pixsize.parts", value=300)) if f["severity"] == "error"]
    assert (found["code"], "400 servers" in found["message"]) == ("PX120", True)


def test_osts_of_a_pool_are_counted_first(tmp_path: Path) -> None:
    text = (resources.folder("examples") / "lustre-powerflex.yaml").read_text(encoding="utf-8")
    config = str(request(tmp_path, text.replace("servers: 4", "servers: 9000")))
    modules = replacing("pixsize.modules", value=10_000)
    assert errors(tmp_path, config, modules) == ["PX120"]


def test_a_pattern_of_slots_is_no_longer_than_an_enclosure(tmp_path: Path) -> None:
    groups = [{"purpose": "data", "level": "r6", "slots": [",".join(["0-999"] * 20_000)]}]
    assert set(errors(tmp_path, "large", replacing("pixstor-6.me4084.hdmd", groups=groups))) == {"PX203"}
    groups = [{"purpose": "data", "level": "r6", "slots": ["0-999"] * 60_000}]
    assert set(errors(tmp_path, "large", replacing("pixstor-6.me4084.hdmd", groups=groups))) == {"PX203"}


def only(folder: Path) -> list[str]:
    begun = time.process_time()
    found = load_catalog(folder)[1]
    assert time.process_time() - begun < 5
    assert len(found) <= 100
    return [f.code for f in found if f.severity == "error"]


DRIVE = "- {kind: drive, id: d%d, title: t, capacity: 20 TB, media: nl-sas, sources: [{document: pixsize, place: p}]}\n"


@pytest.mark.long
def test_very_many_files_are_no_catalog(tmp_path: Path) -> None:
    for n in range(1001):
        (tmp_path / f"{n}.yaml").write_text(DRIVE % n)
    assert only(tmp_path) == ["PX207"]
    for n in range(20_000):
        (tmp_path / f"{n}.txt").touch()
    assert only(tmp_path) == ["PX207"]


def test_very_many_records_and_bytes_are_no_catalog(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("".join(DRIVE % n for n in range(2001)))
    assert only(tmp_path) == ["PX207"]
    for n in range(4):
        (tmp_path / f"{n}.yaml").write_text("# " + "x" * 300_000 + "\n" + DRIVE % n)
    (tmp_path / "a.yaml").unlink()
    assert only(tmp_path) == ["PX207"]


@pytest.mark.long
@pytest.mark.parametrize(
    "text", ["- kind: drvie\n" * 60_000, "- {kind: drive, id: a, replaces: nl-sas-13tb}\n" * 20_000, "- []\n" * 150_000]
)
def test_a_flood_of_mistakes_ends_soon(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.yaml").write_text(text)
    assert only(tmp_path)


def test_a_file_of_very_many_values_is_refused() -> None:
    for text in ("[" + "1," * 200_000 + "1]", "".join(f"a{n}: 1\n" for n in range(100_000))):
        parsed = parse(text, "x.yaml", "records")
        assert [f.code for f in parsed.findings] == ["PX002"]
        assert parsed.value is None


def test_very_many_replies_end_in_few_findings(tmp_path: Path) -> None:
    for n in range(600):
        (tmp_path / f"a{n}.volumes.json").write_text("{")
        (tmp_path / f"-b{n}.volumes.json").write_text("{}")
    begun = time.process_time()
    found = load_observed(tmp_path)[1]
    assert time.process_time() - begun < 5
    assert {f.code for f in found} <= {"PX301", "PX302"}
    assert len(found) == 200
    assert "more was found" in found[-1].message


def test_a_reply_of_very_many_elements_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.volumes.xml").write_text("<RESPONSE>" + "<a/>" * 300_000 + "</RESPONSE>")
    (found,) = load_observed(tmp_path)[1]
    assert found.code == "PX301"
    assert "elements" in found.message


# --- what a new user meets ----------------------------------------------------------------------------------------

LARGE = (resources.folder("examples") / "large.yaml").read_text(encoding="utf-8")
SMALL = "name: scratch\ndesign: pixstor-6\nstorage_modules: [{size: small, data_drive: %s}]\nhdmd: %s\nfilesystem: {name: mmfs1}\n"


def hints(folder: Path, text: str) -> list[tuple[str, str]]:
    result = run("check", "--config", str(request(folder, text)), "--format", "json")
    return [(f["code"], f.get("hint", "")) for f in json.loads(result.stdout)["findings"] if f["severity"] == "error"]


@pytest.mark.parametrize(
    ("data", "metadata", "hint"),
    [
        ("12 GB", "960 GB", "Did you mean 12 TB?"),
        ("12 MB", "960 GB", "Did you mean 12 TB?"),
        ("12 PB", "960 GB", "Did you mean 12 TB?"),
        ("12GiB", "960 GB", "Did you mean 12 TB?"),
        ("12 TiB", "960 GB", "Did you mean 12 TB?"),
        ("11 TiB", "960 GB", "The nearest is 12 TB."),
        ("12 TB", "960 TB", "Did you mean 960 GB?"),
        ("12.1 TB", "960 GB", "The nearest is 12 TB."),
    ],
)
def test_a_capacity_with_the_wrong_unit(tmp_path: Path, data: str, metadata: str, hint: str) -> None:
    assert hints(tmp_path, SMALL % (data, f"{{drive: {metadata}}}")) == [("PX109", hint)]


@pytest.mark.parametrize(
    ("drive", "hint"),
    [
        ("960", "Did you mean 960 GB?"),
        ("'960'", "Did you mean 960 GB?"),
        ("961", "This slot takes "),
        ("9.5", "This slot takes "),
    ],
)
def test_a_capacity_without_a_unit_is_that_of_a_drive_of_the_slot(tmp_path: Path, drive: str, hint: str) -> None:
    """12 TB is a drive for data, and 960 GB one for metadata."""
    ((code, said),) = hints(tmp_path, SMALL % ("12 TB", f"{{drive: {drive}}}"))
    assert code == "PX105"
    assert said.startswith(hint)
    assert ("GB" in said, " 12 TB" in said) == (True, False)


@pytest.mark.parametrize(("value", "code"), [("yes", "PX009"), ("true", "PX104"), ("1", "PX104"), ("[]", "PX104")])
def test_hdmd_shows_the_form_that_it_has(tmp_path: Path, value: str, code: str) -> None:
    form = "Write hdmd: {arrays: 1, drive: 960 GB}, or leave the word out."
    assert hints(tmp_path, SMALL % ("12 TB", value)) == [(code, form)]


def test_a_file_that_is_missing_suggests_init(tmp_path: Path) -> None:
    for name in ("nowhere.yaml", str(tmp_path / "nowhere.yaml")):
        result = run("plan", "--config", name)
        assert result.exit_code == 1
        assert "pixsize init" in result.output


# --- in 512 MiB ---------------------------------------------------------------------------------------------------

MOST_KIB = 512 * 1024


def within(*args: str) -> str:
    """What a command prints as a program that is given 512 MiB; it ends with findings."""
    line = f"ulimit -v {MOST_KIB}; exec {shlex.join([sys.executable, '-m', 'pixsize', *args])}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1, (done.stdout[-500:], done.stderr[-2000:])
    return done.stdout + done.stderr


@pytest.mark.long
def test_replies_of_any_size_fit(tmp_path: Path) -> None:
    for n in range(45):
        (tmp_path / f"a{n}.volumes.json").write_text('{"a":[' + ",".join(['{"x":1}'] * 400_000) + "]}")
    assert "PX311" in within("check", "--config", "large", "--observed", str(tmp_path))


@pytest.mark.long
def test_an_overlay_of_any_size_fits(tmp_path: Path) -> None:
    slots = ", ".join(f"{n}-999" for n in range(300))
    layout = "- {kind: layout, id: l%d, title: t, slots: 1000, groups: [{purpose: data, level: r6, slots: [%s]}]}\n"
    (tmp_path / "a.yaml").write_text("".join(layout % (n, slots) for n in range(300)))
    assert "PX203" in within("check", "--config", "large", "--catalog", str(tmp_path))


def test_counts_of_any_size_fit(tmp_path: Path) -> None:
    text = "name: scratch\ndesign: pixstor-6\nstorage_modules: [{size: big, count: 9000, data_drive: 12 TB}]\n"
    config = request(tmp_path, text + "filesystem: {name: mmfs1}\n")
    assert "PX120" in within("check", "--config", str(config), "--catalog", str(lay(tmp_path, *MANY)))
