"""Where a run begins and ends: `python -m pixsize` and the script `pixsize` alike."""

from __future__ import annotations

import sys

from pixsize.streams import guard

INTERRUPTED = 130
READER_GONE = 141
"""128 and the number of the signal, as a shell counts: SIGINT is 2, SIGPIPE is 13."""


def run() -> None:
    """Run the command line. Ctrl-C is met from here on, while modules are still being loaded, and to the very end."""
    try:
        guard()
        from pixsize.cli import main

        main()
    except KeyboardInterrupt:
        _deaf()
        sys.stderr.write("interrupted; nothing is half written\n")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # nobody reads stderr any more, and an error was to be told
        sys.exit(READER_GONE)
    finally:
        _deaf()


def _deaf() -> None:
    """From here on all is done, and an interrupt could only make a traceback of it."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    run()
