"""The `kohort` command: the real one, run by this interpreter."""

from __future__ import annotations

import os
import signal
import sys


def main() -> int:
    """Runs the command with the words it was called with."""
    # The command listens to Ctrl-C itself; Python, which waits for it, must not take the signal.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from . import _kohort

    ended = _kohort.command(["kohort", *sys.argv[1:]])
    # Nothing is left to be done, and the threads of the command need not be waited for.
    sys.stdout.flush()
    os._exit(ended)


if __name__ == "__main__":
    main()
