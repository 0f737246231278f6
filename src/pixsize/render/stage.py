"""Files of a folder replaced together: a kill leaves some of them missing, and never those of two plans side by side.

Everything new is first written into the stage, a hidden folder beside its place, with a list of the moves to come. Then
whatever will be replaced or removed is moved into the stage, the manifest before all others; then the new files are
moved to their places, the manifest last. So a folder with a manifest is whole. Until the new manifest is in its place
every move can be undone, and the next run undoes them. Each of these steps is on the disk before the next begins.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import signal
import stat
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from pixsize.findings import Finding, Position
from pixsize.render.manifest import LARGEST, NAME, is_inside
from pixsize.render.records import File

STAGE = ".pixsize-stage"
MARK = ".made-by-pixsize"
"""The first file that is written into a stage: a folder without it was not made by pixsize."""
JOURNAL = "moves.json"
SCHEMA = "pixsize.moves/1"
_OLD = ".old"
# The names of all files that a run puts into a stage: any other belongs to someone else, and nothing is removed then.
_OURS = re.compile(rf"(?:[0-9]+|{re.escape(NAME)})(?:{re.escape(_OLD)})?|{re.escape(MARK)}|{re.escape(JOURNAL)}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
CLOSED = "is not writable"
"""How the message about a folder without write permission ends; the writer tells such findings from others by it."""
_FEW = 16
"""Files that are flushed at a time."""
_STACK_BYTES = 256 * 1024
"""Of a thread that only flushes: the usual 8 MiB each would be a great part of a small address space."""
_NO_FOLDER_FLUSH = (errno.EINVAL, errno.ENOTSUP, errno.EBADF)
"""What file systems say that flush no folders."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be done in a folder: the files to write by path, those to remove, and the manifest afterwards."""

    out: Path
    changed: Mapping[str, File]
    removed: tuple[str, ...]
    manifest: str


@dataclass(frozen=True, slots=True)
class _Move:
    """A file that comes (`new` is its SHA-256) or that only goes (None). Its place in the stage is its number."""

    path: str
    new: str | None


@dataclass(frozen=True, slots=True)
class _Moves:
    """All moves of a job, and the SHA-256 of the manifest that ends it."""

    moves: tuple[_Move, ...]
    manifest: str

    def paths(self) -> list[str]:
        return [m.path for m in self.moves]

    def text(self) -> str:
        """The moves as the journal holds them."""
        moves = [{"path": m.path, "sha256": m.new} for m in self.moves]
        return json.dumps({"schema": SCHEMA, "manifest": self.manifest, "moves": moves}) + "\n"


def carry_out(job: Job) -> None:
    """Do all of the job. When anything fails, the folder is as it was before; only a kill leaves that to the next run.

    Raises OSError.
    """
    if not job.changed and not job.removed and digest(job.out / NAME) == sha256(job.manifest):
        return
    comes = {path: sha256(file.text) for path, file in job.changed.items()}
    planned = {**comes, **dict.fromkeys(job.removed)}
    moves = _Moves(tuple(_Move(path, planned[path]) for path in sorted(planned)), sha256(job.manifest))
    try:
        _fill(job, moves)
        with undisturbed():
            _exchange(job.out, moves)
    except BaseException:
        with undisturbed(), suppress(OSError, Refused):
            recover(job.out)
        raise


def recover(out: Path) -> bool:
    """Undo what a run that was killed has moved, and remove its stage; whether there was anything to undo.

    A file that somebody has edited or made since stays as it is. Raises Refused, with nothing done, for a stage that is
    not pixsize's, and for places that are taken by links or the like; and OSError.
    """
    stage = out / STAGE
    if not os.path.lexists(stage):
        return False
    _own(stage)
    moves = _journal(stage)
    if moves is None:  # it was killed before the first move, or behind the last
        _clear(stage)
        return False
    for finding in refusals(out, moves.paths()):
        raise Refused(finding.code, Path(finding.position.file if finding.position else out), finding.message)
    undone = digest(out / NAME) != moves.manifest and _undo(out, moves)
    _tidy(out, moves)
    return undone


def _fill(job: Job, moves: _Moves) -> None:
    """Write the mark, every new file, the manifest and the moves into the stage, in this order, onto the disk."""
    stage = job.out / STAGE
    os.mkdir(stage)
    put(stage / MARK, "", 0o666)
    for number, move in enumerate(moves.moves):
        if move.new is not None:
            file = job.changed[move.path]
            put(stage / f"{number}", file.text, 0o777 if file.executable else 0o666)
    put(stage / NAME, job.manifest, 0o666)
    flush_each(stage.iterdir())
    put(stage / JOURNAL, moves.text(), 0o666)
    flush_each((stage / JOURNAL, stage, job.out))


def _exchange(out: Path, moves: _Moves) -> None:
    """Move the old files into the stage and the new ones to their places."""
    stage, paths = out / STAGE, moves.paths()
    for path in paths:
        (out / path).parent.mkdir(parents=True, exist_ok=True)
    if os.path.lexists(out / NAME):
        os.replace(out / NAME, stage / f"{NAME}{_OLD}")
        flush_each((out, stage))
    for number, path in enumerate(paths):
        if os.path.lexists(out / path):
            os.replace(out / path, stage / f"{number}{_OLD}")
    flush_each((*folders(out, paths), stage))
    for number, move in enumerate(moves.moves):
        if move.new is not None:
            os.replace(stage / f"{number}", out / move.path)
    flush_each((*folders(out, paths), stage))
    os.replace(stage / NAME, out / NAME)
    _tidy(out, moves)


def _undo(out: Path, moves: _Moves) -> bool:
    """Move the new files back into the stage, and only then the old ones to their places; whether any moved.

    It may be killed and begun again at any point: where each file is says what is still to be done.
    """
    stage, moved = out / STAGE, False
    for number, move in enumerate(moves.moves):
        if move.new and not os.path.lexists(stage / f"{number}") and digest(out / move.path) == move.new:
            os.replace(out / move.path, stage / f"{number}")
            moved = True
    flush_each((*folders(out, moves.paths()), stage))
    for number, move in enumerate(moves.moves):
        moved = _put_back(stage / f"{number}{_OLD}", out / move.path) or moved
    flush_each((*folders(out, moves.paths()), stage))
    return _put_back(stage / f"{NAME}{_OLD}", out / NAME) or moved


def _put_back(old: Path, place: Path) -> bool:
    """Move a file out of the stage to its place, unless somebody has put another there since; whether it was there."""
    if not os.path.lexists(old):
        return False
    if os.path.lexists(place):
        os.unlink(old)
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        os.replace(old, place)
    return True


def _tidy(out: Path, moves: _Moves) -> None:
    """Remove folders that are empty now, and the stage, once the last move is on the disk."""
    flush_each((out, out / STAGE))
    prune(out, moves.paths())
    _clear(out / STAGE)


def _clear(stage: Path) -> None:
    """Remove the stage with its files: the moves first, since the rest means nothing without them; the mark last."""
    with suppress(OSError):
        (stage / JOURNAL).unlink(missing_ok=True)
        flush(stage)
        for place in stage.iterdir():
            if place.name != MARK and _OURS.fullmatch(place.name):
                os.unlink(place)
        (stage / MARK).unlink(missing_ok=True)
        os.rmdir(stage)


def _own(stage: Path) -> None:
    """Refuse a stage that is no folder, or that holds files that no run of pixsize leaves."""
    if not stat.S_ISDIR(stage.lstat().st_mode):
        raise Refused("PX603", stage, f"{stage.name} is no folder")
    entries = list(stage.iterdir())
    marked = not entries or (stage / MARK) in entries
    if not marked or not all(_OURS.fullmatch(p.name) and stat.S_ISREG(p.lstat().st_mode) for p in entries):
        message = f"{stage.name} holds files that pixsize did not put there"
        raise Refused("PX603", stage, message, "move them elsewhere: the folder is for files on their way")


def _journal(stage: Path) -> _Moves | None:
    """The moves of a run that was killed; None where it had made none. Refused where old files wait without any."""
    place = stage / JOURNAL
    if not os.path.lexists(place):
        return None
    moves = _read(place.read_bytes()) if place.stat().st_size <= LARGEST else None
    if moves is None and any(p.name.endswith(_OLD) for p in stage.iterdir()):
        message = f"{stage.name} holds files of an earlier run, and {JOURNAL} no longer says where they belong"
        raise Refused("PX603", stage, message, "move them elsewhere, then render again")
    return moves


def _read(text: bytes) -> _Moves | None:
    """The moves in the journal, which may have been changed; None where it is not of the form that pixsize writes."""
    try:
        journal = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(journal, dict) or journal.get("schema") != SCHEMA or not isinstance(journal.get("moves"), list):
        return None
    moves = tuple(_Move(m.get("path", ""), m.get("sha256")) for m in journal["moves"] if isinstance(m, dict))
    paths = [m.path for m in moves]
    good = all(isinstance(p, str) and is_inside(p) for p in paths) and len(set(paths)) == len(journal["moves"])
    good = good and all(d is None or _is_digest(d) for d in (m.new for m in moves))
    return _Moves(moves, journal["manifest"]) if good and _is_digest(journal.get("manifest")) else None


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold back the signals that end a run until the block is through. Only the main thread gets any."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []
    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {s: signal.signal(s, lambda number, _: received.append(number)) for s in signals}
    try:
        yield
    finally:
        for held_signal, handler in before.items():
            signal.signal(held_signal, handler or signal.SIG_DFL)
        for number in received[:1]:
            signal.raise_signal(number)


class Refused(Exception):
    """The folder cannot be used as it is; carries the finding."""

    def __init__(self, code: str, path: Path, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.finding = Finding(code, message, hint=hint, position=Position(str(path)))


def refusals(out: Path, paths: Iterable[str]) -> Iterator[Finding]:
    """A finding for each part of the paths that cannot be used: a link, a mounted file system, or the wrong kind."""
    device = out.stat().st_dev
    judged: set[str] = set()
    for path in paths:
        parts = path.split("/")
        for depth in range(1, len(parts) + 1):
            part = "/".join(parts[:depth])
            if part not in judged:
                judged.add(part)
                why = _unusable(out / part, device, is_file=depth == len(parts))
                if why:
                    yield Finding("PX603", f"{part} {why}", position=Position(str(out / part)))


def _unusable(path: Path, device: int, *, is_file: bool) -> str:
    try:
        info = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    if stat.S_ISLNK(info.st_mode):
        return "is a link, and could lead out of the folder"
    if is_file:
        return "" if stat.S_ISREG(info.st_mode) else "is no plain file"
    if not stat.S_ISDIR(info.st_mode):
        return "is no folder"
    if info.st_dev != device:
        return "is another file system"
    return "" if os.access(path, os.W_OK | os.X_OK) else CLOSED


def digest(path: Path) -> str | None:
    """The SHA-256 of the file; None where there is none."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (FileNotFoundError, NotADirectoryError):
        return None


def sha256(text: str) -> str:
    """The digest that a file with this text has."""
    return hashlib.sha256(text.encode()).hexdigest()


def put(place: Path, text: str, mode: int) -> None:
    """A new file with this text; the user's umask takes from the mode what it takes from any file."""
    with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(text.encode())


def flush_each(paths: Iterable[Path]) -> None:
    """`flush` of every path that is there. Many at once: a disk writes the changes of many files in one go."""
    existing = [path for path in paths if os.path.lexists(path)]
    if len(existing) > _FEW:
        # Where the system gives no more threads (a limit on them, or on address space), one after the other will do.
        with suppress(RuntimeError):
            _flush_at_once(existing)
            return
    for path in existing:
        flush(path)


def _flush_at_once(paths: Sequence[Path]) -> None:
    """`flush` of every path, some at a time. RuntimeError where no thread can be started."""
    import threading
    from concurrent.futures import ThreadPoolExecutor

    usual = threading.stack_size(_STACK_BYTES)
    try:
        with ThreadPoolExecutor(_FEW) as pool:
            list(pool.map(flush, paths))
    finally:
        threading.stack_size(usual)


def flush(path: Path) -> None:
    """Have a file's text on the disk, or the names in a folder, before this returns. Raises OSError.

    What its owner may write and not read, under a strange umask, is left to the system.
    """
    try:
        handle = os.open(path, os.O_RDONLY)
    except PermissionError:
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if not path.is_dir() or error.errno not in _NO_FOLDER_FLUSH:
            raise
    finally:
        os.close(handle)


def folders(out: Path, paths: Iterable[str]) -> list[Path]:
    """Every folder between `out` and the files, `out` last; each once."""
    found: dict[Path, None] = {}
    for path in paths:
        below = (out / path).parent
        while below != out:
            found[below] = None
            below = below.parent
    return [*found, out]


def prune(out: Path, paths: Iterable[str]) -> None:
    """Remove the folders of these files that are empty, or hold nothing but such; never `out`."""
    for folder in sorted(folders(out, paths)[:-1], key=lambda f: len(f.parts), reverse=True):
        with suppress(OSError):
            os.rmdir(folder)
