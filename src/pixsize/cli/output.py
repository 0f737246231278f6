"""Data to stdout or a file, messages to stderr, colours on terminals that show them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from pixsize.findings import Finding
    from pixsize.report.document import Line, Page

PIPE_COLUMNS = 80
LEAST_COLUMNS = 40
MOST_COLUMNS = 140
"""Of a pipe, of the narrowest terminal and of the widest: lines of prose over 140 are hard to read, and no table of
figures is wider. Some tables need 80: in a narrower terminal their lines are longer than it."""


def fancy(stream: IO[str] | None) -> bool:
    """Whether colours may go to `stream`: a terminal with colours, and no setting that turns them off."""
    return (
        stream is not None and stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )


def columns(stream: IO[str] | None) -> int:
    """How wide text may be: as the terminal is, up to a width that is still easy to read; 80 in a pipe or file."""
    if stream is None or not stream.isatty():
        return PIPE_COLUMNS
    setting = os.environ.get("COLUMNS", "")
    wide = int(setting) if setting.isdecimal() else os.get_terminal_size(stream.fileno()).columns
    return max(min(wide, MOST_COLUMNS), LEAST_COLUMNS)


def read_together() -> bool:
    """Whether stdout and stderr are the same screen or file: messages are then printed after the data."""
    try:
        return os.path.sameopenfile(sys.stdout.fileno(), sys.stderr.fileno())
    except (OSError, ValueError):  # no files at all
        return False


def emit(text: str) -> None:
    """Data to stdout; what its encoding lacks becomes a question mark."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
    sys.stdout.flush()


def say(text: str) -> None:
    """A message to stderr; control characters in the text of a user or file are made visible."""
    from pixsize.cli.usage import cleaned

    text = cleaned(text)
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    sys.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def show_page(page: Page) -> None:
    """A report to stdout: in colours on a terminal, else as plain text."""
    from pixsize.report.text import lines

    show_lines(lines(page, columns(sys.stdout), bars=fancy(sys.stdout)))


def show_lines(drawn: Iterable[Line]) -> None:
    """Lines to stdout, with their styles where they can be seen."""
    if fancy(sys.stdout):
        from pixsize.cli.terminal import draw

        draw(drawn, sys.stdout)
    else:
        from pixsize.report.text import plain

        emit(plain(drawn))


def tell_findings(findings: Iterable[Finding], quiet: bool = False) -> None:
    """Findings to stderr, a block each; errors alone with --quiet."""
    shown = [f for f in findings if not quiet or f.severity == "error"]
    if shown:
        show_findings(shown, sys.stderr)


def show_findings(findings: Sequence[Finding], stream: IO[str]) -> None:
    """Findings as text to `stream`."""
    wide = max(columns(stream), 100) if not stream.isatty() else columns(stream)
    if fancy(stream):
        from pixsize.cli.terminal import findings as coloured

        coloured(findings, stream, wide)
        return
    from pixsize.report.findings import text

    (emit if stream is sys.stdout else _plain_say)(text(findings, wide) + "\n")


def _plain_say(text: str) -> None:
    say(text.removesuffix("\n"))


def deliver(data: str | bytes, target: str | None) -> tuple[Finding, ...]:
    """Data to stdout, or whole to the file `target`; bytes go to a file alone.

    Returns PX609 where that cannot be written.
    """
    if target in (None, "-") and isinstance(data, str):
        emit(data)
        return ()
    try:
        write_whole(Path(str(target)), data.encode() if isinstance(data, str) else data)
    except OSError as error:
        why = error.strerror or str(error)
        from pixsize.findings import Finding, Position

        return (Finding("PX609", f"the file is not written: {why}", position=Position(str(target))),)
    return ()


def write_whole(path: Path, data: bytes) -> None:
    """Writes the file completely or not at all. A link is followed; a device or a pipe is written to directly."""
    import tempfile

    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    mask = os.umask(0)  # the mask can be read only by setting it
    os.umask(mask)
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~mask
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
