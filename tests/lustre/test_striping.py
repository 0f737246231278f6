"""Striping: what lfs is given, in the words of each release, and on the right file system only."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pixsize.plan.records import Plan
from pixsize.products.lustre.plan import lustre, target_of
from pixsize.products.lustre.records import LustreRelease
from pixsize.products.lustre.render.striping import RENDERER
from pixsize.render import File
from tests.lustre.lustre_plan import OTHER_FILESYSTEM
from tests.lustre.render_lustre import Shell, clean_script, me4, powerflex, shipped
from tests.support.changing import replace

KIB, MIB = 2**10, 2**20
OPTIONS = {
    "lustre-2.10.8": ("--count", "--index"),
    "lustre-2.12.9": ("--count", "--index"),
    "lustre-2.15.8": ("--mdt-count", "--mdt-index"),
}
"""The long options of `lfs mkdir` and `lfs setdirstripe` (manual pages of the releases)."""


def files_of(given: Plan) -> dict[str, File]:
    return {f.path.removeprefix("striping/"): f for f in RENDERER.files(given, shipped())}


def client(folder: Path, mounts: str = "10.10.0.1@o2ib:10.10.0.2@o2ib:/fast /mnt/fast lustre rw,flock 0 0") -> Shell:
    """A client with these mounts, where the real awk reads another file for /proc/mounts."""
    (folder / "mounts").write_text(f"proc /proc proc rw 0 0\n{mounts}\n")
    shell = Shell(folder, lfs="", id="echo 0")
    awk = f'set -- "${{@/#\\/proc\\/mounts/{folder}/mounts}}"\nPATH=/usr/bin:/bin exec awk "$@"'
    shell.program("awk", awk)
    return shell


def ran(name: str, given: Plan, folder: Path, *options: str) -> list[list[str]]:
    """What lfs was given by a script that has passed."""
    shell = client(folder)
    done = shell.run(files_of(given)[name].text, *options)
    assert (done.returncode, done.stderr) == (0, "")
    return [c[1:] for c in shell.calls("lfs")]


def without_dne(**changes: object) -> Plan:
    given = powerflex(**changes)
    return given._replace(targets=tuple(t for t in given.targets if target_of(t).index != 1 or t.kind != "mdt"))


def new(version: str = "2.15.8") -> Plan:
    """A plan of a version that spreads directories by itself."""
    return powerflex(release="lustre-2.15.8", version=version)


def able() -> Plan:
    """A plan of a version that has the option, and does not spread directories unless it is told."""
    return new("2.14.53")


def test_the_files_of_a_plan() -> None:
    two = ["default-layout.sh", "progressive-layout.sh", "directories.sh", "striped-directory.sh", "README.md"]
    assert list(files_of(powerflex())) == two
    assert list(files_of(new())) == [*two[:2], "directory-layout.sh", *two[2:]]
    assert list(files_of(able())) == [*two[:2], "round-robin.sh", *two[2:]]
    assert list(files_of(new()._replace(targets=without_dne().targets))) == [*two[:2], "README.md"]
    assert list(files_of(without_dne())) == [*two[:2], "README.md"]
    assert all(f.executable == n.endswith(".sh") for n, f in files_of(powerflex()).items())


@pytest.mark.real
@pytest.mark.parametrize("release", OPTIONS)
def test_every_script_is_clean(release: str, tmp_path: Path) -> None:
    for name, file in files_of(powerflex(release=release)).items():
        if name.endswith(".sh"):
            clean_script(file.text, tmp_path)


@pytest.mark.parametrize(
    ("count", "size", "words"), [(1, 4 * MIB, ["1", "4M"]), (-1, 64 * KIB, ["-1", "64K"]), (32, MIB, ["32", "1M"])]
)
def test_the_default_layout_is_the_plans(count: int, size: int, words: list[str], tmp_path: Path) -> None:
    calls = ran("default-layout.sh", powerflex(stripe_count=count, stripe_bytes=size), tmp_path)
    assert calls == [["setstripe", "-c", words[0], "-S", words[1], "/mnt/fast"], ["getstripe", "-d", "/mnt/fast"]]


def components(call: list[str]) -> list[dict[str, str]]:
    """The parts of a composite layout, each from its `-E` on."""
    assert call[0] == "setstripe"
    parts: list[dict[str, str]] = []
    for option, value in zip(call[1:-1:2], call[2:-1:2], strict=True):
        if option == "-E":
            parts.append({})
        assert option not in parts[-1]
        parts[-1][option] = value
    return parts


@pytest.mark.parametrize("size", [64 * KIB, MIB, 4 * MIB, 64 * MIB])
def test_the_ends_of_a_progressive_layout_rise_in_whole_stripes(size: int, tmp_path: Path) -> None:
    calls = ran("progressive-layout.sh", powerflex(stripe_bytes=size), tmp_path)
    parts = components(calls[0])
    assert [p["-c"] for p in parts] == ["1", "4", "16"]
    assert [p["-E"] for p in parts] == ["64M", "1024M", "-1"]
    ends = [int(p["-E"].rstrip("M")) * MIB for p in parts[:-1]]
    assert ends == sorted(set(ends))
    assert all(end % (64 * KIB) == 0 and end % size == 0 for end in ends)


def test_a_progressive_layout_that_lfs_would_refuse_is_not_offered() -> None:
    files = files_of(powerflex(stripe_bytes=3 * MIB))
    assert "progressive-layout.sh" not in files
    assert "progressive" not in files["README.md"].text


def test_a_progressive_layout_asks_for_no_more_osts_than_there_are() -> None:
    given = powerflex()
    few = given._replace(targets=tuple(t for t in given.targets if t.kind != "ost" or target_of(t).index in (0, 1)))
    assert "-E 1024M -c 2 -E -1 -c 2 " in files_of(few)["progressive-layout.sh"].text


@pytest.mark.parametrize(("servers", "osts"), [(3, 12), (4, 16), (8, 16), (64, 16)])
def test_the_last_part_of_a_progressive_layout_never_goes_over_all_of_many_osts(servers: int, osts: int) -> None:
    """With 256 OSTs, -c -1 gives each file above the last boundary 256 objects."""
    files = files_of(powerflex(servers))
    assert f"-E -1 -c {osts} " in files["progressive-layout.sh"].text
    assert "-c -1" not in files["progressive-layout.sh"].text
    assert ("does not go over all OSTs" in files["README.md"].text) == (servers > 4)
    assert f"large ones use {osts} OSTs" in files["README.md"].text
    assert f"the first 1 GiB on 4 OSTs, the rest on {osts} OSTs. Small files" in files["README.md"].text
    now = f"**{osts} OSTs: that is how many there are now**, and the script names this number. After an expansion"
    assert (now in files["README.md"].text) == (servers == 3)


@pytest.mark.parametrize("release", OPTIONS)
def test_directories_go_to_one_mdt_after_the_other_in_the_releases_words(release: str, tmp_path: Path) -> None:
    count, index = OPTIONS[release]
    given = powerflex(release=release)
    calls = ran("directories.sh", given, tmp_path, "one", "two", "three")
    assert calls == [["mkdir", index, str(n % 2), f"/mnt/fast/{d}"] for n, d in enumerate(("one", "two", "three"))]
    (tmp_path / "again").mkdir()
    assert ran("directories.sh", given, tmp_path / "again", "--first", "1", "x") == [
        ["mkdir", index, "1", "/mnt/fast/x"]
    ]
    (tmp_path / "striped").mkdir()
    assert ran("striped-directory.sh", given, tmp_path / "striped", "perf") == [
        ["mkdir", count, "2", index, "0", "/mnt/fast/perf"],
        ["setdirstripe", "-D", count, "2", "/mnt/fast/perf"],
        ["getdirstripe", "-D", "/mnt/fast/perf"],
    ]


def test_only_a_release_that_can_spreads_directories_by_itself(tmp_path: Path) -> None:
    calls = ran("round-robin.sh", able(), tmp_path)
    assert calls[0] == [
        "setdirstripe",
        "-D",
        "--mdt-count",
        "1",
        "--mdt-index",
        "-1",
        "--max-inherit-rr",
        "1",
        "/mnt/fast",
    ]
    for release in OPTIONS:
        texts = [f.text for f in files_of(powerflex(release=release, version="2.14.0")).values()]
        has_it = shipped().get(LustreRelease, release).max_inherit_rr
        assert has_it == (release == "lustre-2.15.8")
        assert any("max-inherit-rr" in t for t in texts) == has_it


@pytest.mark.parametrize("version", ["2.14.54", "2.15.0", "2.15.8"])
def test_where_lustre_spreads_directories_by_itself_the_layout_is_shown_and_never_lowered(
    version: str, tmp_path: Path
) -> None:
    calls = ran("directory-layout.sh", new(version), tmp_path)
    assert calls == [["getdirstripe", "-D", "/mnt/fast"]]
    files = files_of(new(version))
    scripts = [f.text for n, f in files.items() if n.endswith(".sh")]
    assert not any("max-inherit-rr" in t for t in scripts)
    assert not any(re.search(r'setdirstripe -D .*"\$mount"$', t, re.M) for t in scripts)
    page = files["README.md"].text
    assert "**Lustre 2." in page
    assert "spreads new directories over the MDTs by itself.**" in page
    assert "lies on the MDT of the one above it" not in page
    assert "round-robin.sh" not in page


@pytest.mark.parametrize("version", ["2.10.8", "2.12.9", "2.14.53"])
def test_before_that_version_nobody_says_so(version: str) -> None:
    page = files_of(new(version))["README.md"].text
    assert "by itself.**" not in page
    assert "**A new directory lies on the MDT of the one above it.**" in page


@pytest.mark.parametrize(
    "name", ["default-layout.sh", "progressive-layout.sh", "directories.sh", "striped-directory.sh"]
)
def test_nothing_is_set_on_another_file_system(name: str, tmp_path: Path) -> None:
    text = files_of(powerflex())[name].text
    options = ("x",) if "director" in name else ()
    for turn, mounts in enumerate(
        ["", "10.10.0.1@o2ib:/fast2 /mnt/fast lustre rw 0 0", "/dev/sda1 /mnt/fast xfs rw 0 0",
         "10.10.0.1@o2ib:/fast /mnt/other lustre rw 0 0"]
    ):  # fmt: skip
        folder = tmp_path / str(turn)
        folder.mkdir()
        shell = client(folder, mounts)
        done = shell.run(text, *options)
        assert done.returncode == 1
        assert "STOP: " in done.stderr
        assert shell.calls("lfs") == []
    there = shell.run(text, "--mount", "/mnt/other/", *options)
    assert there.returncode == 0
    assert all(c[-1].startswith("/mnt/other") and "//" not in c[-1] for c in shell.calls("lfs"))
    shell.program("id", "echo 1000")
    assert shell.run(text, "--mount", "/mnt/other", *options).returncode == 1
    assert shell.calls("lfs") == []


@pytest.mark.parametrize(
    "name", ["default-layout.sh", "progressive-layout.sh", "directories.sh", "striped-directory.sh"]
)
def test_a_dry_run_shows_the_same_commands_and_runs_none(name: str, tmp_path: Path) -> None:
    text, options = files_of(powerflex())[name].text, ("x",) if "director" in name else ()
    shell = client(tmp_path)
    dry = shell.run(text, "--dry-run", *options)
    assert (dry.returncode, shell.calls()) == (0, [])
    wet = shell.run(text, *options)
    assert wet.stdout == dry.stdout
    steps = re.findall(r"(?m)^step (\d+) of (\d+): ", dry.stdout)
    assert [int(n) for n, _ in steps] == list(range(1, int(steps[0][1]) + 1))


@pytest.mark.parametrize(
    "options",
    [(), ("../x",), ("a/b",), ("-x",), (".hidden",), ("a b",), ("$(id)",), ("--first", "2", "x"), ("--first", "x", "y"),
     ("--mount", "relative", "x"), ("--mount",), ("x" * 256,)],
)  # fmt: skip
def test_names_and_options_that_are_none(options: tuple[str, ...], tmp_path: Path) -> None:
    shell = client(tmp_path)
    assert shell.run(files_of(powerflex())["directories.sh"].text, *options).returncode == 2
    assert shell.run(files_of(powerflex())["striped-directory.sh"].text, "one", "two").returncode == 2
    assert shell.calls("lfs") == []


def test_a_step_that_fails_ends_the_script(tmp_path: Path) -> None:
    shell = client(tmp_path)
    shell.program("lfs", "exit 22")
    done = shell.run(files_of(powerflex())["default-layout.sh"].text)
    assert done.returncode == 1
    assert "STOP: step 1 of 2 failed with exit code 22" in done.stderr
    assert len(shell.calls("lfs")) == 1


def test_the_scripts_own_advice_goes_on_from_the_step_that_failed(tmp_path: Path) -> None:
    shell = client(tmp_path)
    shell.program("lfs", '[[ "$*" != *two ]] || exit 17')
    text = files_of(powerflex())["directories.sh"].text
    failed = shell.run(text, "one", "two", "three")
    assert "start again with --from 2," in failed.stderr
    assert "or with --from 3 where" in failed.stderr
    done = shell.run(text, "--from", "3", "one", "two", "three")
    assert (done.returncode, done.stderr) == (0, "")
    assert [c[1:] for c in shell.calls("lfs")] == [["mkdir", "--index", "0", "/mnt/fast/three"]]
    for name, options, last in (("directories.sh", ("one",), 1), ("default-layout.sh", (), 2)):
        script = files_of(powerflex())[name].text
        assert shell.run(script, "--from", str(last + 1), *options).returncode == 0
        assert shell.calls("lfs") == []
        for wrong in (("--from", str(last + 2)), ("--from", "0"), ("--from", "x")):
            assert shell.run(script, *options, *wrong).returncode == 2
        assert shell.run(script, *options, "--from").returncode == 2


def test_a_script_for_directories_knows_of_the_release_that_spreads_them() -> None:
    said = "does not spread directories by itself"
    assert f"2.10.8 {said}.\n" in files_of(powerflex())["directories.sh"].text
    assert f"2.14.53 {said}, unless round-robin.sh was run.\n" in files_of(able())["directories.sh"].text
    assert "Lustre 2.15.8 spreads directories by itself" in files_of(new())["directories.sh"].text


def test_the_page_says_what_is_for_what() -> None:
    page = files_of(me4())["README.md"].text
    assert "# Striping of scratch: 32 OSTs, 2 MDTs" in page
    # The document's own tests (SLN314777, sections 7 and 8).
    for layout in ("-c 32 -S 1M", "-c 1 -S 1M", "-c 1 -S 4M"):
        assert f"`lfs setstripe {layout} DIR`" in page
    assert "**A new directory lies on the MDT of the one above it.**" in page
    assert "over MDTs" not in files_of(without_dne())["README.md"].text
    assert "the document's" not in files_of(powerflex())["README.md"].text


@pytest.mark.parametrize(
    ("osts", "layout", "over"),
    [(128, "-c 32 -S 1M", "over as many OSTs as it had, 32"), (32, "-c 32 -S 1M", "over as many OSTs as it had, 32"),
     (12, "-c 12 -S 1M", "over all that there are now; it had 32")],
)  # fmt: skip
def test_the_documents_own_layout_goes_over_as_many_osts_as_the_document_had(osts: int, layout: str, over: str) -> None:
    given = me4()
    (ost, *_) = (t for t in given.targets if t.kind == "ost")
    many = tuple(replace(ost, index=n, id=f"ost{n:04x}") for n in range(osts))
    page = files_of(given._replace(targets=(*(t for t in given.targets if t.kind != "ost"), *many)))["README.md"].text
    row = f"| the document's sequential test below 32 threads, {over} | `lfs setstripe {layout} DIR` |"
    assert row in page


def test_over_how_many_osts_the_documents_files_lay_is_a_record() -> None:
    from pixsize.catalog.records import Limit

    record = shipped().get(Limit, "lustre-me4.document_stripes")
    assert (record.value, record.sources[0].document) == (32, "dell-lustre-me4")


def test_the_page_says_which_words_of_lfs_are_from_memory() -> None:
    marked = "**From memory** are the form `lfs getdirstripe -D`"
    assert "what it shows, and `--max-inherit -1`: compare" in files_of(new())["README.md"].text
    for given in (powerflex(), able(), new()):
        page = files_of(given)["README.md"].text
        assert marked in page
        assert ("`--max-inherit -1`: compare" in page) == ("--max-inherit -1 " in page)
    assert marked not in files_of(without_dne())["README.md"].text


def test_it_needs_nothing_but_a_lustre_file_system() -> None:
    scale = OTHER_FILESYSTEM
    assert RENDERER.applies(powerflex(network=None))
    assert RENDERER.findings(powerflex(), shipped()) == ()
    assert not RENDERER.applies(powerflex()._replace(filesystem=scale))


@pytest.mark.parametrize("name", ["a'b", "a b", "$(id)", "a;b", "../x"])
def test_names_that_a_shell_could_misread_never_reach_it(name: str) -> None:
    given = powerflex()
    with pytest.raises(ValueError, match="may not stand"):
        files_of(given._replace(filesystem=replace(lustre(given), name=name)))
