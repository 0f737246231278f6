"""Runs the real pcs for `ha_support`, without starting Python anew for each of its commands.

A start of pcs takes more than half a second, nearly all of it imports, and a script calls it fifty times. So pcs is
imported once, and each command runs in a fork of that process, with the arguments, the folder, the environment and the
standard streams of its caller. Started as `python3 pcs_server.py SOCKET`, by the Python that pcs is installed for.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from importlib import import_module

IDLE_S = 10
"""After so long without a command the server ends."""
CLIENT = """\
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect(sys.argv[1])
    told = json.dumps([sys.argv[2:], os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(server, [len(told).to_bytes(4, "big")], [0, 1, 2])
    server.sendall(told)
    sys.exit(server.recv(1)[0])
"""
"""`python3 -ISc CLIENT SOCKET WORD...`: hands a command to the server, and ends as that command does."""


def serve(path: str) -> None:
    """Run what is asked for, one command after the other."""
    main = import_module("pcs.app").main
    with socket.socket(socket.AF_UNIX) as server:
        server.settimeout(IDLE_S)
        server.bind(f"{path}.new")
        server.listen()
        os.rename(f"{path}.new", path)
        while True:
            try:
                asked, _ = server.accept()
            except TimeoutError:
                os.unlink(path)
                return
            with asked:
                asked.settimeout(None)
                size, streams, _, _ = socket.recv_fds(asked, 4, 3)
                told = b""
                while len(told) < int.from_bytes(size, "big"):
                    told += asked.recv(2**16)
                child = os.fork()
                if not child:
                    _become(streams, *json.loads(told))
                    main()
                    sys.exit()
                for stream in streams:
                    os.close(stream)
                asked.send(bytes([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 255]))


def _become(streams: list[int], words: list[str], folder: str, environment: dict[str, str]) -> None:
    """Take the place of the process that asked."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["pcs", *words]


if __name__ == "__main__":
    serve(sys.argv[1])
