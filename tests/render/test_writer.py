"""The writer: all or nothing, never over an edit, never outside the folder."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from pixsize import __version__
from pixsize.render import File
from pixsize.render.writer import Written, write

REQUEST, OBSERVED = "a" * 64, "b" * 64
ONE = File("one/x/a.txt", "first\n")
TWO = File("one/y/run", "#!/bin/sh\n", executable=True)
OTHER = File("other/b.txt", "second\n")


def put(out: Path, *files: File, targets: str = "one", force: bool = False, request: str = REQUEST) -> Written:
    return write(files, out, targets=targets.split(), request_digest=request, observed_digest=OBSERVED, force=force)


def tree(root: Path) -> dict[str, str]:
    return {str(p.relative_to(root)): p.read_text() for p in sorted(root.rglob("*")) if p.is_file()}


def codes(done: Written) -> list[str]:
    return [f.code for f in done.findings]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A folder that holds the files ONE and TWO."""
    folder = tmp_path / "out"
    assert put(folder, ONE, TWO).findings == ()
    return folder


def test_files_and_manifest(tmp_path: Path) -> None:
    done = put(tmp_path / "a/b", TWO, ONE)
    assert done == Written((), ("one/x/a.txt", "one/y/run"))
    files = tree(tmp_path / "a/b")
    manifest = json.loads(files.pop("MANIFEST.json"))
    assert files == {ONE.path: ONE.text, TWO.path: TWO.text}
    made = {"version": __version__, "request": REQUEST, "observed": OBSERVED}
    assert manifest == {
        "schema": "pixsize.manifest/1",
        **made,
        "targets": {"one": made},
        "files": [
            {"path": f.path, "sha256": hashlib.sha256(f.text.encode()).hexdigest(), "target": "one"} for f in (ONE, TWO)
        ],
    }


def test_two_files_of_one_path_are_a_bug(tmp_path: Path) -> None:
    """The later would stand there, and nobody would miss the earlier."""
    files = (File("mount/a.fstab", "one\n"), File("mount/b.fstab", "two\n"), File("mount/a.fstab", "one\n"))
    with pytest.raises(ValueError, match=r"'mount/a\.fstab'"):
        write(files, tmp_path, targets=["mount"], request_digest="x")
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_place_of_a_folder_is_a_bug(tmp_path: Path) -> None:
    """Part of the files would be there before anybody noticed."""
    for files in ((File("a/b", "one\n"), File("a/b/c/d", "two\n")), (File("a/b/c/d", "two\n"), File("a/b", "one\n"))):
        with pytest.raises(ValueError, match=r"'a/b' is rendered as a file, and as the folder of 'a/b/c/d'"):
            write(files, tmp_path, targets=["a"], request_digest="x")
    assert list(tmp_path.iterdir()) == []


def test_the_same_request_gives_the_same_bytes(tmp_path: Path) -> None:
    put(tmp_path / "a", ONE, TWO)
    put(tmp_path / "b", TWO, ONE)
    assert tree(tmp_path / "a") == tree(tmp_path / "b")


def test_a_second_run_touches_nothing(out: Path) -> None:
    before = {p: p.stat().st_mtime_ns for p in out.rglob("*")}
    assert put(out, ONE, TWO) == Written((), (), ("one/x/a.txt", "one/y/run"))
    assert {p: p.stat().st_mtime_ns for p in out.rglob("*")} == before


@pytest.mark.parametrize(("umask", "plain", "run"), [(0o022, 0o644, 0o755), (0o027, 0o640, 0o750)])
def test_modes_follow_the_umask(tmp_path: Path, umask: int, plain: int, run: int) -> None:
    before = os.umask(umask)
    try:
        put(tmp_path, ONE, TWO)
    finally:
        os.umask(before)
    modes = {n: stat.S_IMODE((tmp_path / n).stat().st_mode) for n in (ONE.path, TWO.path, "MANIFEST.json")}
    assert modes == {ONE.path: plain, TWO.path: run, "MANIFEST.json": plain}


def test_a_script_that_lost_its_mode_gets_it_back(out: Path) -> None:
    (out / TWO.path).chmod(0o644)
    assert put(out, ONE, TWO).written == (TWO.path,)
    assert os.access(out / TWO.path, os.X_OK)


def test_a_new_text_replaces_the_old(out: Path) -> None:
    assert put(out, File(ONE.path, "newer\n"), TWO) == Written((), (ONE.path,), (TWO.path,))
    assert (out / ONE.path).read_text() == "newer\n"


def test_a_file_that_is_gone_comes_back(out: Path) -> None:
    (out / ONE.path).unlink()
    assert put(out, ONE, TWO).written == (ONE.path,)


def test_edits_stop_the_run_all_at_once_and_nothing_is_written(out: Path) -> None:
    for file in (ONE, TWO):
        (out / file.path).write_text("mine\n")
    before = tree(out)
    done = put(out, File(ONE.path, "newer\n"), TWO, File("one/new", "x\n"))
    assert codes(done) == ["PX602", "PX602"]
    assert [f.position.file for f in done.findings if f.position] == [str(out / ONE.path), str(out / TWO.path)]
    assert "was edited since" in done.findings[0].message
    assert done.written == ()
    assert tree(out) == before


def test_force_writes_over_an_edit(out: Path) -> None:
    (out / ONE.path).write_text("mine\n")
    assert put(out, ONE, TWO, force=True).written == (ONE.path,)
    assert (out / ONE.path).read_text() == ONE.text


def test_an_edit_that_says_what_is_wanted_is_none(out: Path) -> None:
    (out / ONE.path).write_text("newer\n")
    assert put(out, File(ONE.path, "newer\n"), TWO).findings == ()
    assert put(out, ONE, TWO).findings == ()


def test_a_file_that_pixsize_did_not_write_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "one/x").mkdir(parents=True)
    (tmp_path / ONE.path).write_text("theirs\n")
    done = put(tmp_path, ONE, TWO)
    assert codes(done) == ["PX602"]
    assert "pixsize did not write it" in done.findings[0].message
    assert tree(tmp_path) == {ONE.path: "theirs\n"}


def test_files_no_longer_made_are_removed_with_their_empty_folders(out: Path) -> None:
    assert put(out, ONE).removed == (TWO.path,)
    assert sorted(tree(out)) == ["MANIFEST.json", ONE.path]
    assert not (out / "one/y").exists()
    assert TWO.path not in (out / "MANIFEST.json").read_text()


def test_a_folder_with_something_else_in_it_stays(out: Path) -> None:
    (out / "one/y/notes").write_text("mine\n")
    assert put(out, ONE).removed == (TWO.path,)
    assert (out / "one/y/notes").read_text() == "mine\n"


@pytest.mark.parametrize("force", [False, True])
def test_an_edited_file_that_is_no_longer_made_stays_and_is_named(out: Path, force: bool) -> None:
    (out / TWO.path).write_text("mine\n")
    done = put(out, ONE, force=force)
    assert (done.removed, done.kept) == ((), (TWO.path,))
    assert [(f.code, f.severity) for f in done.findings] == [("PX605", "note")]
    assert (out / TWO.path).read_text() == "mine\n"


def test_an_edited_file_is_named_until_somebody_has_dealt_with_it(out: Path) -> None:
    (out / TWO.path).write_text("mine\n")
    for _ in range(3):
        assert [f.code for f in put(out, ONE).findings] == ["PX605"]
    (out / TWO.path).unlink()
    assert put(out, ONE).findings == ()
    assert TWO.path not in (out / "MANIFEST.json").read_text()


def test_a_target_that_makes_nothing_any_more_is_cleared(out: Path) -> None:
    assert put(out).removed == (ONE.path, TWO.path)
    assert sorted(tree(out)) == ["MANIFEST.json"]


def test_other_targets_keep_their_files_and_entries(out: Path) -> None:
    assert put(out, OTHER, targets="other").findings == ()
    manifest = json.loads((out / "MANIFEST.json").read_text())
    assert [f["path"] for f in manifest["files"]] == [ONE.path, TWO.path, OTHER.path]
    assert (out / ONE.path).exists()


def test_targets_of_another_request_are_named_and_traced(out: Path) -> None:
    done = put(out, OTHER, targets="other", request="c" * 64)
    assert codes(done) == ["PX606"]
    assert done.findings[0].message.startswith("one in this folder came from another request")
    manifest = json.loads((out / "MANIFEST.json").read_text())
    assert (manifest["request"], manifest["targets"]["one"]["request"]) == ("c" * 64, REQUEST)


BOOK = File("RUNBOOK.md", "# one, then other\n")
LEFT_OUT = {"other": "no replies of the arrays"}


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A folder that `all` was rendered into: ONE, TWO and the run book; `other` was left out."""
    done = write(
        (ONE, TWO, BOOK),
        tmp_path / "b",
        targets=["one", "all"],
        request_digest=REQUEST,
        observed_digest=OBSERVED,
        left_out=LEFT_OUT,
    )
    assert (done.findings, done.written) == ((), (BOOK.path, ONE.path, TWO.path))
    return tmp_path / "b"


def listed(out: Path) -> dict[str, Any]:
    words: dict[str, Any] = json.loads((out / "MANIFEST.json").read_text())
    return words


def test_the_run_book_at_the_root_is_of_all_and_the_manifest_says_what_was_left_out(book: Path) -> None:
    words = listed(book)
    assert sorted(words["targets"]) == ["all", "one"]
    assert {f["path"]: f["target"] for f in words["files"]} == {BOOK.path: "all", ONE.path: "one", TWO.path: "one"}
    assert words["left_out"] == LEFT_OUT
    assert (book / BOOK.path).read_text() == BOOK.text


def test_nothing_left_out_leaves_no_word(tmp_path: Path) -> None:
    assert put(tmp_path, ONE, BOOK, targets="one all").findings == ()
    assert "left_out" not in listed(tmp_path)


def test_a_later_all_replaces_the_run_book_and_what_was_left_out(book: Path) -> None:
    done = put(book, ONE, TWO, OTHER, File(BOOK.path, "# newer\n"), targets="one other all")
    assert (done.findings, (book / BOOK.path).read_text()) == ((), "# newer\n")
    assert "left_out" not in listed(book)


def test_all_removes_what_an_earlier_run_wrote_for_targets_that_it_does_not_make(book: Path) -> None:
    """Its scripts are of another plan, and the run book speaks of all files in the folder."""
    assert put(book, OTHER, File("third/c.sh", "c\n"), targets="other third").written == (OTHER.path, "third/c.sh")
    (book / "third/c.sh").write_text("mine\n")
    (book / "third/notes").write_text("mine\n")
    done = write(
        (ONE, TWO, BOOK),
        book,
        targets=["one", "all"],
        request_digest="c" * 64,
        observed_digest=OBSERVED,
        left_out=LEFT_OUT,
    )
    assert (done.removed, done.kept) == ((OTHER.path,), ("third/c.sh",))
    assert codes(done) == ["PX605", "PX606"], "an edit stays, and is named"
    assert "third in this folder came from another request" in done.findings[1].message
    assert not (book / "other").exists()
    assert sorted(listed(book)["targets"]) == ["all", "one", "third"]
    assert listed(book)["left_out"] == LEFT_OUT
    assert (book / "third/notes").read_text() == "mine\n"


def test_a_target_alone_removes_nothing_of_the_others(book: Path) -> None:
    put(book, OTHER, targets="other")
    assert put(book, ONE).removed == (TWO.path,)
    assert (book / OTHER.path).exists()


def test_a_later_target_keeps_the_run_book_and_says_that_it_may_not_fit(book: Path) -> None:
    for request in (REQUEST, "c" * 64):
        done = put(book, OTHER, targets="other", request=request)
        (stale,) = [f for f in done.findings if f.message.startswith("RUNBOOK.md")]
        assert (stale.code, stale.severity, stale.hint) == ("PX606", "note", "render all again")
        assert "was made with other targets" in stale.message
        assert stale.position
        assert stale.position.file == str(book / BOOK.path)
        assert not any("all in this folder" in f.message for f in done.findings)
    assert (book / BOOK.path).read_text() == BOOK.text
    words = listed(book)
    assert {"path": BOOK.path, "sha256": hashlib.sha256(BOOK.text.encode()).hexdigest(), "target": "all"} in words[
        "files"
    ]
    assert sorted(words["targets"]) == ["all", "one", "other"]
    assert "left_out" not in words, "it was rendered since"
    assert put(book, ONE, TWO, OTHER, BOOK, targets="one other all").findings == ()


def test_what_all_left_out_stays_known(book: Path) -> None:
    assert put(book, ONE, TWO).findings == ()
    assert listed(book)["left_out"] == LEFT_OUT


def test_a_target_that_comes_out_the_same_leaves_the_run_book_right(book: Path) -> None:
    before = tree(book)
    assert put(book, ONE, TWO).findings == ()
    assert tree(book) == before
    (book / ONE.path).unlink()
    (book / TWO.path).write_text("edited\n")
    assert put(book, ONE, TWO, force=True).written == (ONE.path, TWO.path)
    assert tree(book) == before, "what is put back as it was is what the book speaks of"


STALE = {
    "another request": ((ONE, TWO), {"request_digest": "c" * 64}),
    "other replies": ((ONE, TWO), {"observed_digest": "c" * 64}),
    "a file that changed": ((ONE, File(TWO.path, "#!/bin/sh -e\n", executable=True)), {}),
    "a new file": ((ONE, TWO, File("one/c", "x\n")), {}),
    "a file that is no longer made": ((ONE,), {}),
}


@pytest.mark.parametrize(("files", "made"), STALE.values(), ids=STALE)
def test_the_run_book_stays_stale_until_the_next_all(book: Path, files: tuple[File, ...], made: dict[str, str]) -> None:
    given = {"request_digest": REQUEST, "observed_digest": OBSERVED} | made
    first = write(files, book, targets=["one"], **given)
    assert [(f.code, f.message.split()[0]) for f in first.findings] == [("PX606", BOOK.path)]
    assert listed(book)["stale"] == [BOOK.path]
    again = put(book, ONE, TWO)
    assert codes(again) == ["PX606"], "as it was, but the mark stands"
    assert listed(book)["stale"] == [BOOK.path]
    assert put(book, ONE, TWO, BOOK, targets="one all").findings == ()
    assert "stale" not in listed(book)
    assert put(book, ONE, TWO).findings == ()


def test_another_version_makes_the_run_book_stale(book: Path) -> None:
    words = listed(book)
    words["targets"]["all"]["version"] = "0.0.1"
    (book / "MANIFEST.json").write_text(json.dumps(words))
    assert codes(put(book, ONE, TWO)) == ["PX606"]
    assert listed(book)["stale"] == [BOOK.path]


def test_a_stale_run_book_that_is_put_aside_is_stale_when_it_is_back(book: Path) -> None:
    (book / BOOK.path).rename(book / "mine.md")
    assert put(book, ONE, TWO, File("one/c", "x\n")).findings == ()
    (book / "mine.md").rename(book / BOOK.path)
    assert codes(put(book, ONE, TWO, File("one/c", "x\n"))) == ["PX606"]


def test_an_edited_run_book_stops_all_and_no_other_target(book: Path) -> None:
    (book / BOOK.path).write_text("- [x] done\n")
    assert codes(put(book, ONE, TWO)) == []
    assert codes(put(book, ONE)) == ["PX606"]
    done = put(book, ONE, TWO, File(BOOK.path, "# newer\n"), targets="one all")
    assert [(f.code, f.message.split()[0]) for f in done.findings] == [("PX602", "RUNBOOK.md")]
    assert (book / BOOK.path).read_text() == "- [x] done\n"


def test_a_run_book_that_is_gone_or_no_longer_made_is_not_stale(book: Path) -> None:
    (book / BOOK.path).unlink()
    assert put(book, ONE, TWO).findings == ()
    assert put(book, ONE, TWO, BOOK, targets="one all").written == (BOOK.path,)
    assert put(book, ONE, TWO, targets="one all").removed == (BOOK.path,)
    assert put(book, ONE).findings == ()


def test_a_run_book_without_all_is_a_bug(tmp_path: Path) -> None:
    for path in (BOOK.path, "all/x"):
        with pytest.raises(ValueError, match="no path"):
            put(tmp_path, ONE, File(path, "x\n"))
    with pytest.raises(ValueError, match="no path"):
        put(tmp_path, File("all/x", "x\n"), targets="all")


def test_a_link_below_the_folder_is_not_followed(out: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (out / "one/z").symlink_to(tmp_path / "elsewhere")
    done = put(out, ONE, TWO, File("one/z/c", "x\n"), force=True)
    assert codes(done) == ["PX603"]
    assert "one/z is a link" in done.findings[0].message
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_nor_is_a_link_in_the_place_of_a_file(out: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(ONE.text)
    (out / ONE.path).unlink()
    (out / ONE.path).symlink_to(tmp_path / "secret")
    assert codes(put(out, File(ONE.path, "newer\n"), force=True)) == ["PX603"]
    assert (tmp_path / "secret").read_text() == ONE.text


def test_nor_is_one_on_the_way_to_a_file_that_is_to_go(out: Path, tmp_path: Path) -> None:
    (out / "one/y").rename(tmp_path / "moved")
    (out / "one/y").symlink_to(tmp_path / "moved")
    done = put(out, ONE)
    assert (done.removed, done.kept) == ((), (TWO.path,))
    assert (tmp_path / "moved/run").exists()


@pytest.mark.parametrize("name", ["MANIFEST.json", ".pixsize-stage"])
def test_nor_are_links_in_the_places_of_pixsizes_own(out: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "victim").mkdir()
    (tmp_path / "victim/MANIFEST.json").write_text("{}")
    (out / name).unlink(missing_ok=True)
    (out / name).symlink_to(tmp_path / "victim")
    assert codes(put(out, File(ONE.path, "newer\n"), TWO)) == ["PX603"]
    assert tree(tmp_path / "victim") == {"MANIFEST.json": "{}"}


def test_the_folder_itself_may_be_a_link(out: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(out)
    assert put(tmp_path / "link", File(ONE.path, "newer\n"), TWO).findings == ()
    assert (out / ONE.path).read_text() == "newer\n"


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x")
    for out in (tmp_path / "f", tmp_path / "f/below"):
        assert codes(put(out, ONE)) == ["PX603"]
    assert tree(tmp_path) == {"f": "x"}


def test_a_link_to_nowhere(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    assert codes(put(tmp_path / "link", ONE)) == ["PX603"]


def test_places_that_are_taken_by_other_things(tmp_path: Path) -> None:
    (tmp_path / ONE.path).mkdir(parents=True)
    (tmp_path / "one/y").write_text("x")
    done = put(tmp_path, ONE, TWO)
    assert sorted(f.message for f in done.findings) == ["one/x/a.txt is no plain file", "one/y is no folder"]


def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "one/x").mkdir(parents=True)
    os.mkfifo(tmp_path / ONE.path)
    os.mkfifo(tmp_path / "one/y")
    assert codes(put(tmp_path, ONE, TWO)) == ["PX603", "PX603"]
    os.mkfifo(tmp_path / "MANIFEST.json")
    assert codes(put(tmp_path, ONE)) == ["PX603"]


def test_a_folder_that_may_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.W_OK)
    done = put(tmp_path, ONE)
    assert codes(done) == ["PX603"]
    assert "not writable" in done.findings[0].message
    assert put(Path("/proc/pixsize"), ONE).findings[0].code == "PX603"


def entry(**changes: Any) -> str:
    words = {"path": ONE.path, "sha256": hashlib.sha256(ONE.text.encode()).hexdigest(), "target": "one"} | changes
    return manifest(files=[words])


def manifest(**changes: Any) -> str:
    made = {"version": "1", "request": REQUEST, "observed": ""}
    words = {"schema": "pixsize.manifest/1", **made, "targets": {"one": made}, "files": []}
    return json.dumps(words | changes)


HOSTILE = {
    "empty": "",
    "no json": "{",
    "no object": "[]",
    "deep": "[" * 100_000,
    "long number": "1" * 10_000,
    "another schema": manifest(schema="pixsize.manifest/2"),
    "no schema": "{}",
    "files no list": manifest(files={}),
    "a file no object": manifest(files=["one/x"]),
    "targets no object": manifest(targets=[]),
    "a target of nothing": manifest(targets={"one": {}}),
    "a target with a strange name": manifest(targets={"../x": {"version": "1", "request": "", "observed": ""}}),
    "absolute": entry(path="/etc/passwd", target=""),
    "climbing": entry(path="one/../../secret"),
    "a dot": entry(path="one/./a"),
    "two slashes": entry(path="one//a"),
    "a zero byte": entry(path="one/\0"),
    "at the root": entry(path="MANIFEST.json", target="MANIFEST.json"),
    "another file at the root": entry(path="README.md", target="all"),
    "the run book of another": entry(path="RUNBOOK.md", target="one"),
    "the run book in a folder of all": entry(path="all/RUNBOOK.md", target="all"),
    "left out: a list": manifest(left_out=["one"]),
    "left out: no target": manifest(left_out={"../x": "because"}),
    "left out: no reason": manifest(left_out={"one": None}),
    "stale: no list": manifest(stale="RUNBOOK.md"),
    "stale: nothing": manifest(stale=None),
    "stale: a file that it does not list": manifest(stale=["RUNBOOK.md"]),
    "stale: a file of one target": manifest(files=json.loads(entry())["files"], stale=[ONE.path]),
    "stale: twice": manifest(
        files=json.loads(entry(path="RUNBOOK.md", target="all"))["files"], stale=2 * ["RUNBOOK.md"]
    ),
    "stale: no path": manifest(stale=[["RUNBOOK.md"]]),
    "in the stage": entry(path=".pixsize-stage/0", target=".pixsize-stage"),
    "no path": entry(path=7),
    "no digest": entry(sha256="x"),
    "a digest of the wrong kind": entry(sha256=None),
    "another target": entry(target="two"),
    "a newline": entry(path="one/a\n"),
    "twice": manifest(files=2 * json.loads(entry())["files"]),
    "no utf-8": "\udcff",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_manifest_that_cannot_be_trusted_stops_the_run(tmp_path: Path, text: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (tmp_path / "secret").write_text(ONE.text)
    (out / "MANIFEST.json").write_text(text, errors="surrogateescape")
    done = put(out, TWO, force=True)
    assert codes(done) == ["PX604"]
    assert [p.name for p in out.iterdir()] == ["MANIFEST.json"]
    assert (tmp_path / "secret").exists()


def test_a_huge_manifest_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "MANIFEST.json").open("wb") as file:
        file.truncate(2**40)
    assert codes(put(tmp_path, ONE)) == ["PX604"]


@pytest.mark.parametrize("path", ["a.txt", "/etc/x", "one/../x", "one/a b", "one/.hidden", "one/ü"])
def test_a_renderer_that_leaves_its_folder_is_a_bug(tmp_path: Path, path: str) -> None:
    with pytest.raises(ValueError, match="no path"):
        put(tmp_path, File(path, ""))
    assert list(tmp_path.iterdir()) == []


def test_two_runs_at_once_do_not_mix(out: Path) -> None:
    handle = os.open(out, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        done = put(out, File(ONE.path, "newer\n"), TWO)
    finally:
        os.close(handle)
    assert codes(done) == ["PX603"]
    assert "another run" in done.findings[0].message
    assert put(out, File(ONE.path, "newer\n"), TWO).findings == ()


def test_own_files_in_a_closed_folder_are_no_edits_and_stop_the_run(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, closed = os.access, str(out / "one/y")
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != closed and plain(path, mode))
    before = tree(out)
    done = put(out, File(ONE.path, "newer\n"))
    assert [(f.code, f.message) for f in done.findings] == [("PX603", "one/y is not writable")]
    assert (done.written, done.removed, done.kept) == ((), (), ())
    assert tree(out) == before
    (out / TWO.path).write_text("mine\n")
    done = put(out, File(ONE.path, "newer\n"))
    assert (codes(done), done.kept) == (["PX605"], (TWO.path,)), "an edit is one, in whatever folder"
