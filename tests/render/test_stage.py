"""Files replaced together: whatever ends a run, and whenever, two plans never lie side by side."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pixsize.render import File, stage
from tests.render.test_writer import ONE, TWO, codes, put, tree

STAGE = ".pixsize-stage"
A = (
    File("one/x/a.txt", "a of A\n"),
    File("one/x/same.txt", "the same\n"),
    File("one/y/run", "#!/bin/sh\n# A\n", executable=True),
    File("one/old/deep/only-a.txt", "A\n"),
    File("one/mode", "#!/bin/sh\n", executable=True),
)
B = (
    File("one/x/a.txt", "a of B\n"),
    File("one/x/same.txt", "the same\n"),
    File("one/y/run", "#!/bin/sh\n# B\n", executable=True),
    File("one/new/deep/only-b.txt", "B\n"),
    File("one/mode", "#!/bin/sh\n", executable=True),
    File("one/z.txt", "B\n"),
)
C = (File("one/x/a.txt", "a of C\n"), File("one/c.txt", "C\n"), File("one/mode", "#!/bin/sh\n", executable=True))
PLANS = {"A": A, "B": B, "C": C}
OPERATIONS = ("open", "mkdir", "rename", "replace", "link", "unlink", "rmdir", "fsync")
"""Every call by which the writer changes a folder. `os.write` is missing: texts are written between two of them."""


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """In memory where the machine has such a place: thousands of folders are made and removed here."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory) as name:
        yield Path(name)


@pytest.fixture(autouse=True)
def _disks_that_take_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that dies takes no flushed text with it, and no other; only the order of the calls matters here."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def forked(work: Callable[[], object]) -> int:
    """The id of a child that does the work and nothing else; it ends with 0, or 1 where the work fails."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of the test runner, which the child never uses
        child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return child


def ended(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class _Dead(BaseException):
    """No part of the writer catches it, and nothing that it does on the way out reaches the disk."""


def killed_at(out: Path, plan: str, left: int, force: bool = False) -> bool:
    """Render the plan in a run that is dead from its operation number `left` on; whether it came that far."""
    count = iter(range(10_000))

    def dying(plain: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            if next(count) >= left:
                raise _Dead
            return plain(*args, **options)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in OPERATIONS:
            patch.setattr(os, name, dying(getattr(os, name)))
        try:
            put(out, *PLANS[plan], force=force)
        except _Dead:
            return True
    return False


def everything(out: Path) -> dict[str, str | None]:
    """What is in a folder: files with text and mode, folders with None."""
    return {
        str(p.relative_to(out)): None if p.is_dir() else f"{p.stat().st_mode & 0o111:o} {p.read_text()}"
        for p in sorted(out.rglob("*"))
    }


def texts(out: Path) -> dict[str, str]:
    """The files in a folder, those of the stage left out."""
    return {path: text for path, text in tree(out).items() if not path.startswith(STAGE)}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Each plan alone in a folder, as a run that nobody kills leaves it."""
    made = {name: tmp_path_factory.mktemp("whole") / name for name in PLANS}
    for name, out in made.items():
        assert put(out, *PLANS[name]).findings == ()
    return made


def mixed(out: Path, whole: dict[str, Path], names: str = "AB") -> str:
    """What is wrong in a folder behind a kill: empty when it holds one plan's files or a part of them, and all of them
    where it has a manifest."""
    there = texts(out)
    fits = [n for n in names if there.items() <= texts(whole[n]).items()]
    if not fits:
        return f"mixed: {sorted(there.items())}"
    full = any(there == texts(whole[n]) for n in fits)
    return "a manifest, and files are missing" if "MANIFEST.json" in there and not full else ""


def copied(whole: dict[str, Path], name: str, place: Path) -> Path:
    """A whole folder of the plan whose script has lost its mode: a file that changes and keeps its text."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(whole[name], place)
    (place / "one/mode").chmod(0o644)
    return place


def kill_points(whole: dict[str, Path], place: Path, old: str, new: str) -> Iterator[tuple[int, Path]]:
    """A folder with the old plan for each operation before which the run of the new plan was killed."""
    for left in range(1000):
        out = copied(whole, old, place) if old else place
        if not old:
            shutil.rmtree(place, ignore_errors=True)
        if not killed_at(out, new, left):
            assert everything(out) == everything(whole[new])
            assert left > 20, "the operations are not counted any more"
            return
        yield left, out


@pytest.mark.long
@pytest.mark.parametrize(("old", "new"), ["AB", "BA", "AC", "CB"])
def test_a_kill_at_any_operation_mixes_nothing_and_the_next_run_ends_whole(
    tmp_path: Path, whole: dict[str, Path], old: str, new: str
) -> None:
    for left, out in kill_points(whole, tmp_path / "out", old, new):
        assert mixed(out, whole, old + new) == "", left
        following = "ABC"[left % 3]
        done = put(out, *PLANS[following])
        assert [c for c in codes(done) if c != "PX626"] == [], left
        assert everything(out) == everything(whole[following]), left


def test_the_folder_may_be_the_current_one_and_hold_other_things(
    tmp_path: Path, whole: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    for left in range(1000):
        out = copied(whole, "A", tmp_path / "out")
        (out / "notes").write_text("mine\n")
        monkeypatch.chdir(out)
        inode = out.stat().st_ino
        died = killed_at(Path(), "B", left)
        assert (out.stat().st_ino, (out / "notes").read_text()) == (inode, "mine\n")
        (out / "notes").rename(tmp_path / "notes")
        assert mixed(out, whole) == "", left
        assert [c for c in codes(put(Path(), *C)) if c != "PX626"] == [], left
        assert everything(out) == everything(whole["C"]), left
        if not died:
            return


def test_a_kill_of_the_first_run_leaves_a_part_of_its_files(tmp_path: Path, whole: dict[str, Path]) -> None:
    for left, out in kill_points(whole, tmp_path / "out", "", "A"):
        if out.exists():
            assert mixed(out, whole, "A") == "", left
        assert [c for c in codes(put(out, *B)) if c != "PX626"] == [], left
        assert everything(out) == everything(whole["B"]), left


@pytest.mark.long
def test_nor_does_a_kill_of_the_run_that_recovers(tmp_path: Path, whole: dict[str, Path]) -> None:
    """Killed once in each phase, then once more at any operation of the next run."""
    out, torn = tmp_path / "out", tmp_path / "torn"
    points = [left for left, _ in kill_points(whole, out, "A", "B")]
    for first in points[:: max(len(points) // 4, 1)]:
        killed_at(copied(whole, "A", torn), "B", first)
        for left in range(1000):
            shutil.rmtree(out)
            shutil.copytree(torn, out)
            if not killed_at(out, "C", left):
                break
            assert mixed(out, whole, "ABC") == "", (first, left)
            assert [c for c in codes(put(out, *A)) if c != "PX626"] == [], (first, left)
            assert everything(out) == everything(whole["A"]), (first, left)


@pytest.mark.long
def test_two_hundred_kills_at_drawn_moments_mix_nothing(tmp_path: Path, whole: dict[str, Path]) -> None:
    drawn = random.Random(7)
    begun = time.perf_counter()
    assert put(copied(whole, "A", tmp_path / "out"), *B).findings == ()
    longest = 3 * (time.perf_counter() - begun)
    died = 0
    for number in range(200):
        old, new = drawn.sample("ABC", 2)
        out = copied(whole, old, tmp_path / "out")
        child = forked(lambda out=out, new=new: put(out, *PLANS[new]))  # type: ignore[misc]
        time.sleep(drawn.uniform(0, longest))
        os.kill(child, signal.SIGKILL)
        died += ended(child) == -signal.SIGKILL
        assert mixed(out, whole, old + new) == "", number
        following = drawn.choice("ABC")
        assert [c for c in codes(put(out, *PLANS[following])) if c != "PX626"] == []
        assert everything(out) == everything(whole[following]), number
    assert died > 20


_FIRST: dict[Callable[[Path], bool], int] = {}


def torn(whole: dict[str, Path], out: Path, has: Callable[[Path], bool]) -> Path:
    """A folder with plan A whose run of plan B was killed as soon as `has` was true of it."""
    if has not in _FIRST:
        _FIRST[has] = next(left for left, folder in kill_points(whole, out, "A", "B") if has(folder))
    killed_at(copied(whole, "A", out), "B", _FIRST[has])
    return out


def moved_out(out: Path) -> bool:
    return (out / STAGE / "MANIFEST.json.old").exists() and not (out / "one/x/a.txt").exists()


def moved_in(out: Path) -> bool:
    return (out / "one/z.txt").exists() and (out / STAGE / "MANIFEST.json").exists()


@pytest.mark.parametrize("has", [moved_out, moved_in])
def test_the_next_run_says_what_it_undid(tmp_path: Path, whole: dict[str, Path], has: Callable[[Path], bool]) -> None:
    out = torn(whole, tmp_path / "out", has)
    (told,) = put(out, *B).findings
    assert (told.code, told.severity) == ("PX626", "note")
    assert told.position
    assert told.position.file == str(out)
    assert put(out, *B).findings == ()


@pytest.mark.parametrize("has", [moved_out, moved_in])
@pytest.mark.parametrize("path", ["one/x/a.txt", "one/y/run"])
def test_what_somebody_wrote_behind_a_kill_is_an_edit(
    tmp_path: Path, whole: dict[str, Path], has: Callable[[Path], bool], path: str
) -> None:
    for following in "ABC":
        out = torn(whole, tmp_path / "out", has)
        (out / path).write_text("mine\n")
        done = put(out, *PLANS[following])
        wanted = path in {f.path for f in PLANS[following]}
        assert codes(done) == ["PX626", "PX602" if wanted else "PX605"]
        assert (out / path).read_text() == "mine\n"
        if wanted:
            assert put(out, *PLANS[following], force=True).findings == ()
            assert everything(out) == everything(whole[following])


@pytest.mark.parametrize("has", [moved_out, moved_in])
def test_an_edit_that_a_killed_run_was_forced_over_is_still_there(
    tmp_path: Path, whole: dict[str, Path], has: Callable[[Path], bool]
) -> None:
    for left in range(1000):
        out = copied(whole, "A", tmp_path / "out")
        (out / "one/x/a.txt").write_text("mine\n")
        killed_at(out, "B", left, force=True)
        if has(out):
            break
    assert codes(put(out, *B)) == ["PX626", "PX602"]
    assert (out / "one/x/a.txt").read_text() == "mine\n"
    assert put(out, *B, force=True).findings == ()
    assert everything(out) == everything(whole["B"])


def test_links_in_the_places_of_moved_files_stop_the_undoing(tmp_path: Path, whole: dict[str, Path]) -> None:
    out = torn(whole, tmp_path / "out", moved_out)
    shutil.rmtree(out / "one/x")
    (tmp_path / "elsewhere").mkdir()
    (out / "one/x").symlink_to(tmp_path / "elsewhere")
    before = everything(out)
    for force in (False, True):
        done = put(out, *B, force=force)
        assert [(f.code, f.message.split(",")[0]) for f in done.findings] == [("PX603", "one/x is a link")]
    assert everything(out) == before
    assert list((tmp_path / "elsewhere").iterdir()) == []


def moves(*paths: object, **changes: Any) -> str:
    held = [{"path": p, "sha256": "a" * 64} for p in paths]
    return json.dumps({"schema": "pixsize.moves/1", "manifest": "b" * 64, "moves": held} | changes)


HOSTILE = {
    "empty": "",
    "deep": "[" * 100_000,
    "a list": "[]",
    "another schema": moves(schema="pixsize.moves/2"),
    "no moves": moves(moves=None),
    "no manifest": moves(manifest=None),
    "a move that is none": moves(moves=["x"]),
    "climbing": moves("one/../../secret"),
    "absolute": moves("/etc/passwd"),
    "the manifest": moves("MANIFEST.json"),
    "twice": moves("one/a", "one/a"),
    "no path": moves(7),
    "a list for a path": moves(["one/a"]),
    "no digest": moves(moves=[{"path": "one/a", "sha256": "x"}]),
    "a number for a digest": moves(moves=[{"path": "one/a", "sha256": 7}]),
    "no utf-8": "\udcff",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_moves_that_cannot_be_trusted_move_nothing(tmp_path: Path, whole: dict[str, Path], text: str) -> None:
    """Where old files wait, they are not deleted; where none do, nothing had moved yet."""
    (tmp_path / "secret").write_text("mine\n")
    out = torn(whole, tmp_path / "out", moved_out)
    (out / STAGE / "moves.json").write_text(text, errors="surrogateescape")
    before = everything(out / "one"), sorted(os.listdir(out / STAGE))
    done = put(out, *A, force=True)
    assert codes(done) == ["PX603"]
    assert "no longer says where they belong" in done.findings[0].message
    assert (everything(out / "one"), sorted(os.listdir(out / STAGE))) == before
    for old in (out / STAGE).glob("*.old"):
        old.unlink()
    assert codes(put(out, *A, force=True)) == []
    assert texts(out) == texts(whole["A"])
    assert (tmp_path / "secret").read_text() == "mine\n"


# What fails or interrupts a run that goes on living


def failing(monkeypatch: pytest.MonkeyPatch, name: str, error: BaseException, number: int) -> None:
    """The call `number` of this function of the stage fails; those behind it work."""
    plain, calls = getattr(stage.os, name), iter(range(10_000))

    def fails(*args: Any, **options: Any) -> Any:
        if next(calls) == number:
            raise error
        return plain(*args, **options)

    monkeypatch.setattr(stage.os, name, fails)


@pytest.mark.parametrize("number", range(14))
@pytest.mark.parametrize("name", ["replace", "fsync", "open", "mkdir"])
def test_a_disk_that_fails_leaves_the_folder_as_it_was(
    tmp_path: Path, whole: dict[str, Path], monkeypatch: pytest.MonkeyPatch, name: str, number: int
) -> None:
    out = copied(whole, "A", tmp_path / "out")
    before = everything(out)
    with monkeypatch.context() as patch:
        failing(patch, name, OSError(errno.ENOSPC, "No space left on device", "x"), number)
        done = put(out, *B)
    if not done.findings:
        assert everything(out) == everything(whole["B"])
        return
    assert [(f.code, f.message) for f in done.findings] == [("PX603", "No space left on device")]
    assert everything(out) == before


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device", "x"), KeyboardInterrupt()])
def test_nothing_stays_of_a_first_run_that_ends_while_staging(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    for number in range(1, 4):
        with monkeypatch.context() as patch:
            failing(patch, "open", error, number)
            try:
                assert codes(put(tmp_path / "a/b", ONE, TWO)) == ["PX603"]
            except KeyboardInterrupt:
                assert isinstance(error, KeyboardInterrupt)
        assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_while_moving_waits_for_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    plain = os.replace

    def replace(source: Path, target: Path) -> None:
        seen.append(Path(target).name)
        if len(seen) == 1:
            signal.raise_signal(signal.SIGINT)
        plain(source, target)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(os, "replace", replace)
        put(tmp_path, ONE, TWO)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert seen == ["a.txt", "run", "MANIFEST.json"]
    assert sorted(tree(tmp_path)) == ["MANIFEST.json", ONE.path, TWO.path]


def test_an_interrupt_that_is_ignored_stays_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As under nohup: a run in the background of a script goes on."""
    plain = os.replace

    def replace(source: Path, target: Path) -> None:
        signal.raise_signal(signal.SIGINT)
        plain(source, target)

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", replace)
            assert put(tmp_path, ONE, TWO).findings == ()
    finally:
        signal.signal(signal.SIGINT, before)


def test_everything_is_on_the_disk_before_the_next_step(
    tmp_path: Path, whole: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All texts, then the list of moves, then the folders: before anything moves; and between out, in and manifest."""
    out = copied(whole, "A", tmp_path / "out")
    log: list[str] = []
    fsync, replace = os.fsync, os.replace

    def flushed(handle: int) -> None:
        log.append(f"flush {Path(os.readlink(f'/proc/self/fd/{handle}')).relative_to(tmp_path)}")
        fsync(handle)

    def moved(source: Path, target: Path) -> None:
        log.append(f"move {Path(source).relative_to(tmp_path)} {Path(target).relative_to(tmp_path)}")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", flushed)
    monkeypatch.setattr(os, "replace", moved)
    put(out, *B)
    where = [
        "before" if not e.startswith("move") else "manifest" if e.endswith("MANIFEST.json") else
        "out" if e.endswith(".old") else "in" for e in log
    ]  # fmt: skip
    phases = [w for i, w in enumerate(where) if w != "before" and (i == 0 or where[i - 1] != w)]
    assert phases == ["out", "out", "in", "manifest"], "the manifest leaves first, and comes last"
    first = next(i for i, w in enumerate(where) if w == "out")
    assert log[first].startswith("move out/MANIFEST.json ")
    staged = {e for e in log[:first] if e.startswith(f"flush out/{STAGE}/")}
    assert {f"flush out/{STAGE}/{n}" for n in ("0", "1", "MANIFEST.json", "moves.json")} <= staged
    assert log[first - 2 : first] == [f"flush out/{STAGE}", "flush out"]
    last_in = max(i for i, w in enumerate(where) if w == "in")
    end = where.index("manifest")
    last_out, first_in = max(i for i, w in enumerate(where) if w == "out"), where.index("in")
    for between in (log[last_out + 1 : first_in], log[last_in + 1 : end]):
        assert {"flush out", f"flush out/{STAGE}", "flush out/one", "flush out/one/x", "flush out/one/y"} <= {*between}
    assert log[end + 1 : end + 3] == ["flush out", f"flush out/{STAGE}"]


@pytest.mark.parametrize("count", [3, 60])
def test_few_files_and_many_are_all_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    flushed: set[str] = set()
    monkeypatch.setattr(os, "fsync", lambda handle: flushed.add(Path(os.readlink(f"/proc/self/fd/{handle}")).name))
    files = [File(f"one/d{n}/f", f"{n}\n") for n in range(count)]
    assert put(tmp_path / "out", *files).findings == ()
    assert {*map(str, range(count)), *(f"d{n}" for n in range(count)), "MANIFEST.json", "moves.json", "out"} <= flushed


@pytest.mark.parametrize("count", [3, 60])
def test_a_disk_that_fails_to_flush_one_of_them_undoes_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    failing(monkeypatch, "fsync", OSError(errno.EIO, "Input/output error"), count - 1)
    done = put(tmp_path / "out", *(File(f"one/d{n}/f", f"{n}\n") for n in range(count)))
    assert [(f.code, f.message) for f in done.findings] == [("PX603", "Input/output error")]
    assert list(tmp_path.iterdir()) == []


# The stage


def test_what_a_torn_stage_holds_is_not_trusted(tmp_path: Path, whole: dict[str, Path]) -> None:
    out = copied(whole, "A", tmp_path / "out")
    (out / STAGE).mkdir()
    (out / STAGE / ".made-by-pixsize").touch()
    (out / STAGE / "MANIFEST.json").write_text('{"schema": "pixsize.manifest/1", "fil')
    (out / STAGE / "0").write_text("half")
    assert put(out, *B).findings == ()
    assert everything(out) == everything(whole["B"])


@pytest.mark.parametrize(
    "names", [["notes.txt"], ["0"], ["MANIFEST.json", "moves.json"], [".made-by-pixsize", "notes.txt"]], ids=" ".join
)
def test_files_of_the_users_own_in_the_stage_are_never_deleted(
    tmp_path: Path, whole: dict[str, Path], names: list[str]
) -> None:
    out = copied(whole, "A", tmp_path / "out")
    (out / STAGE).mkdir()
    for name in names:
        (out / STAGE / name).write_text("mine\n")
    before = tree(out)
    done = put(out, *B, force=True)
    assert codes(done) == ["PX603"]
    assert "holds files that pixsize did not put there" in done.findings[0].message
    assert tree(out) == before


def test_nor_is_a_folder_in_it(tmp_path: Path) -> None:
    (tmp_path / STAGE / "0").mkdir(parents=True)
    (tmp_path / STAGE / ".made-by-pixsize").touch()
    assert codes(put(tmp_path, *A)) == ["PX603"]


def test_an_empty_stage_is_in_nobodys_way(tmp_path: Path, whole: dict[str, Path]) -> None:
    (tmp_path / STAGE).mkdir()
    assert put(tmp_path, *A).findings == ()
    assert everything(tmp_path) == everything(whole["A"])


def test_where_no_thread_can_be_started_files_are_flushed_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit on threads or on address space is usual on login nodes and in containers."""

    def none(*_: object, **__: object) -> None:
        raise RuntimeError("can't start new thread")

    flushed: list[Path] = []
    monkeypatch.setattr("threading.Thread.start", none)
    monkeypatch.setattr(stage, "flush", flushed.append)
    paths = [tmp_path / str(n) for n in range(40)]
    for path in paths:
        path.touch()
    stage.flush_each(paths)
    assert set(flushed) == set(paths)


def test_a_render_fits_into_half_a_gibibyte_of_address_space(tmp_path: Path) -> None:
    command = (
        f"ulimit -v 524288; exec {sys.executable} -m pixsize render all -q --config lustre-me4 -o {tmp_path / 'out'}"
    )
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
