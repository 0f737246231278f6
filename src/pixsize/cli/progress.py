"""A turning wheel on stderr for work that takes long."""

from __future__ import annotations

import sys
import threading
from types import TracebackType

from pixsize.cli.output import fancy

_FRAMES = "\u280b\u2819\u2839\u2838\u283c\u2834\u2826\u2827\u2807\u280f"
_PATIENCE_S = 0.5
_TURN_S = 0.1
"""Seconds before the wheel is shown, as most runs end before, and seconds for each of its frames."""
_CLEAR = "\r\x1b[2K"


class Progress:
    """Shows the current stage after half a second, on a terminal only, and clears it at the end, also after an error.

    It is drawn without rich: to load that takes longer than most plans.
    """

    def __init__(self, quiet: bool = False) -> None:
        self._stage = ""
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._turn, daemon=True) if fancy(sys.stderr) and not quiet else None

    def tell(self, stage: str) -> None:
        """Names the stage that begins."""
        self._stage = stage

    def __enter__(self) -> Progress:
        if self._thread:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        if self._thread:
            self._thread.join()

    def _turn(self) -> None:
        if self._done.wait(_PATIENCE_S):
            return
        turn = 0
        while True:
            sys.stderr.write(f"{_CLEAR}{_FRAMES[turn % len(_FRAMES)]} {self._stage} ...")
            sys.stderr.flush()
            turn += 1
            if self._done.wait(_TURN_S):
                break
        sys.stderr.write(_CLEAR)
        sys.stderr.flush()
