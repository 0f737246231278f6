"""multipath.conf as multipath itself reads it, and nsddevices as a shell and GPFS do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pixsize.plan.records import Plan
from pixsize.render import RENDERERS, File
from tests.changing import replace
from tests.unit.render_plan import WWIDS, catalog, plan, renamed

MULTIPATH = RENDERERS["multipath"]
_EMPTY_ETC = 'mount -t tmpfs none /etc && cp "$1" /etc/multipath.conf && exec multipath -t'
_EMPTY_MAPPER = 'mount -t tmpfs none /dev && mkdir -p /dev/mapper /dev/disk/by-id && cd /dev && touch $2 && . "$1"'


def tool(name: str, *, root: bool = False) -> str:
    """The path of a program that a test needs; skips without it, but fails in CI, where all of them are."""
    path = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    lacking = None if path else f"{name} is not installed"
    if root and os.geteuid() != 0:
        lacking = lacking or "a private mount needs root"
    if lacking and os.environ.get("CI") == "true":
        pytest.fail(lacking)
    if lacking:
        pytest.skip(lacking)
    return str(path)


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


def test_nsddevices_is_a_clean_script(tmp_path: Path) -> None:
    file = script_of(plan(descriptor="sm01n1"))
    assert file.executable
    path = tmp_path / "nsddevices"
    path.write_text(file.text)
    subprocess.run([tool("bash"), "-n", path], check=True)
    checked = subprocess.run([tool("shellcheck"), "-s", "bash", path], capture_output=True, text=True, check=False)
    assert (checked.stdout, checked.returncode) == ("", 0)


@pytest.mark.parametrize(
    ("there", "shown"), [("mapper/sm01a1_data02 sda", "mapper/sm01a1_data02 generic\n"), ("sda", "")]
)
def test_nsddevices_shows_what_is_there_and_nothing_else(there: str, shown: str, tmp_path: Path) -> None:
    path = tmp_path / "nsddevices"
    path.write_text(script_of(plan()).text)
    sourced = 'echo "returned $?, left ${pixsize_device-nothing}"'
    assert privately(f"{_EMPTY_MAPPER}; {sourced}", str(path), there).stdout == f"{shown}returned 0, left nothing\n"
    run = privately(_EMPTY_MAPPER.replace(". ", "bash "), str(path), there)
    assert run.stdout == shown


def test_nsddevices_does_not_hide_a_descriptor_on_its_own_server(tmp_path: Path) -> None:
    path = tmp_path / "nsddevices"
    path.write_text(script_of(plan(descriptor="sm01n2")).text)
    shown = privately(_EMPTY_MAPPER, str(path), "disk/by-id/scsi-desc").stdout
    assert shown == "disk/by-id/scsi-desc generic\n"
    assert "scsi-desc" not in script_of(plan(descriptor="mgmt1")).text


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
