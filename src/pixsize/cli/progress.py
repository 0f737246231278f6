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
_BAR_S = 1.0
_BAR = 24
"""Seconds before a bar is shown beside the wheel, where it is known how much is done, and its length."""
_CLEAR = "\r\x1b[2K"


class Progress:
    """Shows the current stage after half a second, on a terminal only, and clears it at the end, also after an error.

    It is drawn without rich: to load that takes longer than most plans.
    """

    def __init__(self, quiet: bool = False) -> None:
        self._stage = ""
        self._share: float | None = None
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._turn, daemon=True) if fancy(sys.stderr) and not quiet else None

    def tell(self, stage: str, share: float | None = None, /) -> None:
        """Names the stage that begins, and how much of it is done, where that is known."""
        self._stage, self._share = stage, share

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
            is_late = _PATIENCE_S + turn * _TURN_S >= _BAR_S
            shown = bar(self._share) if is_late and self._share is not None else ""
            sys.stderr.write(f"{_CLEAR}{_FRAMES[turn % len(_FRAMES)]} {shown}{self._stage} ...")
            sys.stderr.flush()
            turn += 1
            if self._done.wait(_TURN_S):
                break
        sys.stderr.write(_CLEAR)
        sys.stderr.flush()


def bar(share: float) -> str:
    """How much is done, as a bar and in per cent."""
    full = round(min(max(share, 0.0), 1.0) * _BAR)
    return f"{chr(0x2588) * full}{chr(0x2591) * (_BAR - full)} {share:4.0%} "
