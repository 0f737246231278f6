"""multipath.conf as multipath itself reads it, and nsddevices as a shell and GPFS do."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pixsize.plan.records import Plan
from pixsize.product import PRODUCTS
from pixsize.render import RENDERERS, File
from tests.lustre.lustre_plan import me4_plan
from tests.scale.render_plan import WWIDS, catalog, plan, renamed
from tests.support.changing import replace
from tests.support.cli_support import run
from tests.support.programs import tool

MULTIPATH = RENDERERS["multipath"]
_EMPTY_ETC = 'mount -t tmpfs none /etc && cp "$1" /etc/multipath.conf && exec multipath -t'
_EMPTY_MAPPER = 'mount -t tmpfs none /dev && mkdir -p /dev/mapper /dev/disk/by-id && cd /dev && touch $2 && . "$1"'


def privately(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a shell script in a mount namespace of its own."""
    command = [tool("unshare", root=True), "-m", "bash", "-c", script, "bash", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)


def files_of(given: Plan) -> dict[str, File]:
    return {f.path: f for f in MULTIPATH.files(given, catalog())}


def as_multipath_reads(text: str, tmp_path: Path) -> tuple[str, str]:
    """What `multipath -t` prints of a configuration, and what it complains of. It returns 0 in any case."""
    tool("multipath", root=True)
    conf = tmp_path / "conf"
    conf.write_text(text)
    shown = privately(_EMPTY_ETC, str(conf))
    return shown.stdout, shown.stderr


@pytest.mark.real
def test_multipath_reads_the_finished_file_without_a_complaint(tmp_path: Path) -> None:
    shown, complaints = as_multipath_reads(files_of(plan(wwids=True))["multipath/sm01/multipath.conf"].text, tmp_path)
    assert complaints == ""
    aliases = re.findall(r'wwid "(\w+)"\s+alias "(\w+)"', shown)
    assert {alias: wwid for wwid, alias in aliases} == WWIDS
    assert len(aliases) == 3
    device = next(d for d in re.findall(r"\tdevice \{(.*?)\n\t\}", shown, re.S) if 'product "ME4"' in d and "prio" in d)
    for line in (
        'vendor "DellEMC"',
        'hardware_handler "1 alua"',
        'prio "alua"',
        'path_grouping_policy "group_by_prio"',
    ):
        assert line in device
    defaults = shown.partition("}")[0]
    assert 'user_friendly_names "no"' in defaults
    assert re.search('find_multipaths "(no|off)"', defaults)


@pytest.mark.real
@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda t: t.replace("no_path_retry fail", "no_path_retries fail"), "invalid keyword"),
        (lambda t: t.replace("failback immediate", "failback never"), "invalid value"),
        (lambda t: t.replace(WWIDS["sm01a1_data02"], WWIDS["sm01a1_data01"]), "duplicate"),
    ],
)
def test_this_test_would_notice(spoil: object, complaint: str, tmp_path: Path) -> None:
    text = spoil(files_of(plan(wwids=True))["multipath/sm01/multipath.conf"].text)  # type: ignore[operator]
    assert complaint in as_multipath_reads(text, tmp_path)[1]


@pytest.mark.real
def test_multipath_complains_of_an_unfinished_file(tmp_path: Path) -> None:
    shown, complaints = as_multipath_reads(files_of(plan())["multipath/sm01/multipath.conf.incomplete"].text, tmp_path)
    assert "line 1, invalid keyword: INCOMPLETE" in complaints
    assert "\talias " not in shown


def test_a_file_without_all_wwids_cannot_be_mistaken() -> None:
    given = plan(wwids=True)
    *known, last = given.volumes
    files = files_of(replace(given, volumes=(*known, replace(last, wwid=None))))
    assert "multipath/sm01/multipath.conf" not in files
    lines = files["multipath/sm01/multipath.conf.incomplete"].text.splitlines()
    assert lines[0].startswith("INCOMPLETE: ")
    assert "#   sm01a1.volumes.json" in lines
    assert "    # unknown: sm01a1_meta01 on sm01a1" in lines
    assert "        alias sm01a1_data02" in lines
    assert not any("meta01" in line for line in lines if "#" not in line)


def test_a_family_has_its_own_guide_and_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = files_of(plan())["multipath/sm01/multipath.conf.incomplete"].text
    assert "\n# Dell EMC PowerVault ME4 Series and Linux: ALUA, the owner's paths first.\n" in shipped
    volumes = PRODUCTS["me4"].volumes
    assert volumes is not None
    other = volumes.terms._replace(multipath="ME5 and Linux", commands={"volumes": "list luns"})
    monkeypatch.setattr(volumes, "terms", other)
    text = files_of(plan())["multipath/sm01/multipath.conf.incomplete"].text
    assert "\n# ME5 and Linux: ALUA" in text
    assert "collect the reply to `list luns` of each array" in text
    assert "ME4 Series" not in text
    assert "`list luns` of array sm01a1" in MULTIPATH.findings(plan(), catalog())[0].hint


def test_the_finding_says_what_to_collect() -> None:
    (finding,) = MULTIPATH.findings(plan(), catalog())
    assert (finding.code, finding.severity) == ("PX601", "warning")
    assert finding.message.startswith("the WWIDs of 3 of 3 volumes are unknown")
    assert "`show volumes` of array sm01a1" in finding.hint
    assert "sm01a1.volumes.json" in finding.hint
    assert MULTIPATH.findings(plan(wwids=True), catalog()) == ()


def test_the_finding_counts_what_it_does_not_name() -> None:
    given = plan()
    module = given.modules[0]
    names = [f"sm01a{n}" for n in range(1, 16)]
    volume = given.volumes[0]
    many = replace(
        given,
        modules=(replace(module, arrays=tuple(names)),),
        volumes=tuple(replace(volume, id=f"{n}_data01", array=n) for n in names),
    )
    (finding,) = MULTIPATH.findings(many, catalog())
    assert "of 15 arrays" in finding.hint
    assert "sm01a12.volumes.json and 3 more, <array>.volumes.json each" in finding.hint


def test_one_wwid_for_two_volumes_is_an_error() -> None:
    given = plan(wwids=True)
    first, second, third = given.volumes
    (finding,) = MULTIPATH.findings(replace(given, volumes=(first, replace(second, wwid=first.wwid), third)), catalog())
    assert (finding.code, finding.severity) == ("PX304", "error")
    assert "sm01a1_data01, sm01a1_data02" in finding.message


@pytest.mark.parametrize("name", ["a b", 'a"b', "a}b", "a\nb", "a/b", "-a", "$(id)", "`id`", ""])
def test_names_that_a_shell_or_multipath_could_misread_never_reach_them(name: str) -> None:
    with pytest.raises(ValueError, match="may not stand"):
        files_of(renamed(plan(wwids=True), name))


def test_a_wwid_in_another_form_is_a_bug() -> None:
    given = plan(wwids=True)
    first, *others = given.volumes
    with pytest.raises(ValueError, match="may not stand"):
        files_of(replace(given, volumes=(replace(first, wwid="600C0FF0001E2CCA8CBD4C0101000000"), *others)))


def script_of(given: Plan) -> File:
    return files_of(given)["multipath/sm01/nsddevices"]


@pytest.mark.real
def test_nsddevices_is_a_clean_script(tmp_path: Path) -> None:
    file = script_of(plan(descriptor="sm01n1"))
    assert file.executable
    path = tmp_path / "nsddevices"
    path.write_text(file.text)
    subprocess.run([tool("bash"), "-n", path], check=True)
    checked = subprocess.run([tool("shellcheck"), "-s", "bash", path], capture_output=True, text=True, check=False)
    assert (checked.stdout, checked.returncode) == ("", 0)


@pytest.mark.real
@pytest.mark.parametrize(("there", "shown"), [("mapper/sm01a1_data02 sda", "mapper/sm01a1_data02 dmm\n"), ("sda", "")])
def test_nsddevices_shows_what_is_there_and_nothing_else(there: str, shown: str, tmp_path: Path) -> None:
    path = tmp_path / "nsddevices"
    path.write_text(script_of(plan()).text)
    sourced = 'echo "returned $?, left ${pixsize_device-nothing}"'
    assert privately(f"{_EMPTY_MAPPER}; {sourced}", str(path), there).stdout == f"{shown}returned 0, left nothing\n"
    run = privately(_EMPTY_MAPPER.replace(". ", "bash "), str(path), there)
    assert run.stdout == shown


@pytest.mark.real
def test_nsddevices_does_not_hide_a_descriptor_on_its_own_server(tmp_path: Path) -> None:
    path = tmp_path / "nsddevices"
    path.write_text(script_of(plan(descriptor="sm01n2")).text)
    shown = privately(_EMPTY_MAPPER, str(path), "disk/by-id/scsi-desc").stdout
    assert shown == "disk/by-id/scsi-desc generic\n"
    assert "scsi-desc" not in script_of(plan(descriptor="mgmt1")).text


@pytest.mark.real
def test_the_server_of_the_descriptor_gets_an_nsddevices_of_its_own(tmp_path: Path) -> None:
    files = files_of(plan(descriptor="mgmt1.example.org"))
    file = files["multipath/descriptor-mgmt1.example.org/nsddevices"]
    assert file.executable
    assert "nsddevices of mgmt1.example.org, which serves desc01" in file.text
    path = tmp_path / "nsddevices"
    path.write_text(file.text)
    shown = privately(_EMPTY_MAPPER, str(path), "disk/by-id/scsi-desc sda").stdout
    assert shown == "disk/by-id/scsi-desc generic\n"
    checked = subprocess.run([tool("shellcheck"), "-s", "bash", path], capture_output=True, text=True, check=False)
    assert (checked.stdout, checked.returncode) == ("", 0)


@pytest.mark.parametrize("server", ["sm01n2", "SM01N2", "sm01n2.example.org"])
def test_a_server_of_the_module_has_one_nsddevices_however_it_is_written(server: str) -> None:
    """A second file would take the place of the first on that server, and hide the arrays from GPFS."""
    files = files_of(plan(descriptor=server))
    assert [p for p in files if p.endswith("nsddevices")] == ["multipath/sm01/nsddevices"]
    assert "disk/by-id/scsi-desc" in files["multipath/sm01/nsddevices"].text


@pytest.mark.real
@pytest.mark.parametrize(
    ("device", "kind"),
    [("mapper/desc", "dmm"), ("dm-3", "dmm"), ("disk/by-id/dm-name-desc", "dmm"), ("disk/by-id/wwn-0x5", "generic")],
)
def test_a_name_of_device_mapper_has_its_own_type(device: str, kind: str, tmp_path: Path) -> None:
    given = plan(descriptor="mgmt1")
    targets = (*given.targets[:-1], replace(given.targets[-1], device=f"/dev/{device}"))
    path = tmp_path / "nsddevices"
    path.write_text(files_of(replace(given, targets=targets))["multipath/descriptor-mgmt1/nsddevices"].text)
    assert privately(_EMPTY_MAPPER, str(path), device).stdout == f"{device} {kind}\n"


def devices_of(shown: str) -> list[dict[str, str]]:
    """The device sections that `multipath -t` prints which have a prio: those that are made of ours and its own."""
    bodies = re.findall(r"\tdevice \{(.*?)\n\t\}", shown, re.S)
    sections = [dict(re.findall(r'(\w+) "?(.*?)"?\s*$', body, re.M)) for body in bodies]
    return [s for s in sections if "prio" in s]


@pytest.mark.real
@pytest.mark.parametrize(("chunk", "kib"), [(2**19, 1024), (2**20, 2048), (2**17, 256)])
def test_a_full_stripe_is_one_request(chunk: int, kib: int, tmp_path: Path) -> None:
    """Two data drives of four in the small plan; what multipath itself understood, not what the file says."""
    given = plan(wwids=True)
    groups = tuple(g._replace(chunk_bytes=g.chunk_bytes and chunk) for g in given.disk_groups)
    text = files_of(replace(given, disk_groups=groups))["multipath/sm01/multipath.conf"].text
    shown, complaints = as_multipath_reads(text, tmp_path)
    assert complaints == ""
    (ours,) = [d for d in devices_of(shown) if d["product"] == "ME4"]
    assert ours["max_sectors_kb"] == str(kib)


def test_the_largest_stripe_behind_the_servers_counts() -> None:
    given = plan(wwids=True)
    first, *others = given.disk_groups
    text = files_of(replace(given, disk_groups=(first._replace(chunk_bytes=2**18), *others)))[
        "multipath/sm01/multipath.conf"
    ].text
    assert re.findall(r"max_sectors_kb (\d+)", text) == ["2048"]
    assert "A full stripe of 2 MiB (2 data drives x 1 MiB) arrives as one request" in text


def test_mirrors_leave_the_size_of_requests_alone() -> None:
    given = plan(wwids=True)
    mirrors = tuple(g._replace(level="r10") for g in given.disk_groups)
    for groups in (mirrors, tuple(g._replace(chunk_bytes=None) for g in given.disk_groups)):
        text = files_of(replace(given, disk_groups=groups))["multipath/sm01/multipath.conf"].text
        assert "max_sectors_kb" not in text


@pytest.fixture
def rendered(tmp_path: Path) -> Callable[[str], list[Path]]:
    """The files that `render multipath` writes for a shipped example."""

    def files(example: str) -> list[Path]:
        assert run("render", "multipath", "-c", example, "-o", str(tmp_path / "out"), "--quiet").exit_code == 0
        return [p for p in (tmp_path / "out").rglob("*") if p.is_file()]

    return files


@pytest.mark.parametrize(
    ("example", "kib"),
    [("large+hdmd", {"sm01": ["4096"], "hm01": []}), ("lustre-me4", {"sm01": ["1024"], "mm01": []})],
)
def test_the_shipped_designs_have_the_stripes_of_their_documents(
    rendered: Callable[[str], list[Path]], example: str, kib: dict[str, list[str]]
) -> None:
    """8 data drives x 512 KiB, GPFS's half block; 8 x 128 KiB, Lustre's bulk RPC."""
    text = {p.parent.name: p.read_text() for p in rendered(example) if p.name.startswith("multipath.conf")}
    assert {m: re.findall(r"max_sectors_kb (\d+)", t) for m, t in text.items()} == kib


@pytest.mark.real
def test_vendor_and_product_are_those_of_the_record(tmp_path: Path) -> None:
    """An array of the same family under another name, as an overlay gives it."""
    other = catalog(me4={"title": "PowerVault ME9984", "scsi_vendor": "ACME", "scsi_product": "XY 5"})
    given = plan(wwids=True)
    assert MULTIPATH.findings(given, other) == ()
    (conf,) = [f for f in MULTIPATH.files(given, other) if f.path.endswith(".conf")]
    shown, complaints = as_multipath_reads(conf.text, tmp_path)
    assert complaints == ""
    assert "ME4" not in re.sub("#.*", "", conf.text)
    exceptions = shown[shown.index("blacklist_exceptions {") :].partition("\n}")[0]
    assert re.findall(r'(?:vendor|product) "(.*?)"', exceptions) == ["ACME", "XY 5"]
    (ours,) = [d for d in devices_of(shown) if d["vendor"] == "ACME"]
    assert (ours["product"], ours["prio"], ours["max_sectors_kb"]) == ("XY 5", "alua", "2048")


@pytest.mark.parametrize(
    ("words", "lacking"),
    [
        ({"scsi_vendor": "", "scsi_product": ""}, "no scsi_vendor and no scsi_product"),
        ({"scsi_product": ""}, "has no scsi_product"),
        ({"scsi_vendor": ""}, "has no scsi_vendor"),
    ],
)
def test_an_array_without_them_is_an_error_and_no_blacklist(words: dict[str, str], lacking: str) -> None:
    (finding,) = MULTIPATH.findings(plan(wwids=True), catalog(me4=words))
    assert (finding.code, finding.severity, finding.where) == ("PX622", "error", "storage_modules[0]")
    assert lacking in finding.message
    assert "blacklist every volume" in finding.message
    assert MULTIPATH.left_out_for == {"PX622"}


def test_only_arrays_that_show_volumes_need_them() -> None:
    """An expansion is behind the controllers: nobody sees its own vendor and product."""
    assert MULTIPATH.findings(plan(wwids=True), catalog(me4x={"scsi_vendor": "", "scsi_product": ""})) == ()


def test_both_files_name_their_servers() -> None:
    files = files_of(plan(wwids=True))
    assert sorted(files) == ["multipath/sm01/multipath.conf", "multipath/sm01/nsddevices"]
    assert all("sm01n1 and sm01n2" in f.text for f in files.values())


def test_a_plan_without_volumes_has_nothing_for_it() -> None:
    bare = replace(plan(), volumes=())
    assert MULTIPATH.applies(plan())
    assert not MULTIPATH.applies(bare)
    assert MULTIPATH.findings(bare, catalog()) == ()
    assert MULTIPATH.files(bare, catalog()) == ()


ME5 = """\
- kind: array
  id: me9984
  replaces: me4084
  title: PowerVault ME9984
  sources: [{document: pixsize, place: "a test"}]
  family: me4
  slots: 84
  rack_units: 5 U
  controllers: 2
  sas_ports: 4
"""


def overlay(folder: Path, more: str = "") -> tuple[str, ...]:
    """The options of a run over an array that the catalog does not have; `more` are words of its record."""
    (folder / "site").mkdir()
    (folder / "site" / "me99.yaml").write_text(ME5 + more)
    return ("-c", "large+hdmd", "--catalog", str(folder / "site"), "-o", str(folder / "out"))


def test_an_array_of_an_overlay_without_vendor_and_product_ends_in_a_finding(tmp_path: Path) -> None:
    options = overlay(tmp_path)
    named = run("render", "multipath", *options)
    assert named.exit_code == 1
    assert "error PX622 the record me9984 (PowerVault ME9984) has no scsi_vendor and no scsi_product" in named.stderr
    assert not (tmp_path / "out").exists()
    every = run("render", "all", *options)
    assert every.exit_code == 0
    assert "warning PX607 multipath is left out: the record me9984" in every.stderr
    assert sorted(p.name for p in (tmp_path / "out").iterdir() if p.is_dir()) == [
        "bench",
        "cables",
        "cluster",
        "me4",
        "policy",
        "stanzas",
    ]


def test_with_them_its_file_names_that_array_and_the_other_module_its_own(tmp_path: Path) -> None:
    options = overlay(tmp_path, "  scsi_vendor: ACME\n  scsi_product: XY5\n")
    assert run("render", "multipath", *options).exit_code == 0
    text = {p.parent.name: p.read_text() for p in (tmp_path / "out").rglob("multipath.conf*")}
    assert re.findall(r'(?:vendor|product) "(.*)"', text["sm01"]) == [".*", ".*", *["ACME", "XY5"] * 2]
    assert re.findall(r'(?:vendor|product) "(.*)"', text["hm01"]) == [".*", ".*", *["DellEMC", "ME4"] * 2]


@pytest.mark.parametrize(
    "more",
    [
        """  scsi_vendor: 'A"'\n  scsi_product: X\n""",
        "  scsi_vendor: '.*'\n  scsi_product: X\n",
        "  scsi_vendor: A\n  scsi_product: 'X '\n",
        "  scsi_vendor: ' A'\n  scsi_product: X\n",
        '  scsi_vendor: "A\\n"\n  scsi_product: X\n',
        "  scsi_vendor: NineChars\n  scsi_product: X\n",
        "  scsi_vendor: A\n  scsi_product: SeventeenLetters1\n",
        "  scsi_vendor: A$(id)\n  scsi_product: X\n",
        "  scsi_vendor: \u00c4\n  scsi_product: X\n",
    ],
)
def test_words_that_no_array_calls_itself_are_refused(tmp_path: Path, more: str) -> None:
    result = run("render", "multipath", *overlay(tmp_path, more))
    assert result.exit_code == 1
    assert re.search(r"me99\.yaml:1[12]:\d+: error PX203 me9984: .* is no word of a SCSI device", result.stderr)
    assert not (tmp_path / "out").exists()


def test_a_lost_path_moves_nsds_of_gpfs_and_no_target_of_lustre() -> None:
    """A target remounts read-only, and the agents of Pacemaker look only whether it is mounted."""
    gpfs = files_of(plan(wwids=True))["multipath/sm01/multipath.conf"].text
    assert "GPFS must hear of it, and go to the other server." in gpfs
    lustre = replace(plan(wwids=True), design=me4_plan().design, filesystem=me4_plan().filesystem)
    text = files_of(lustre)["multipath/sm01/multipath.conf"].text
    assert "and go to the other server" not in text
    assert "remounts read-only (errors=remount-ro)" in text
    assert "no_path_retry fail" in text
