"""Reads the folder of the benchmarks: whom its scripts reach, what the smoke run reads, and the host files."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping

from pixsize.plan.records import Plan
from tests.readers.scripts import rows


def listed(script: str, name: str) -> list[str]:
    """The words of the only `readonly NAME=(...)`."""
    (found,) = re.findall(rf"^readonly {name}=\((.*)\)$", script, re.M)
    return shlex.split(found)


def benchmarks_measure_the_plan(files: Mapping[str, str], plan: Plan) -> None:
    """The servers are those that hold data, the smoke run reads each target once where it is served first.

    Every host file has as many threads as its name says, on clients that are no servers.
    """
    lib = files["lib.sh"]
    assert listed(lib, "SERVERS") == [s.id for s in plan.servers if s.role in ("storage", "metadata")]
    clients = listed(lib, "CLIENTS")
    assert clients
    assert not {s.id.lower() for s in plan.servers} & {c.lower() for c in clients}
    directory = re.search(r"^readonly DIRECTORY=(\S+)", lib, re.M)
    assert directory
    assert plan.filesystem.name in directory[1].split("/")
    (smoke,) = (text for path, text in files.items() if path.endswith("smoke.sh"))
    expected = [[t.servers[0], t.device, t.id, t.purpose] for t in plan.targets if t.volume and t.device]
    read = [row for row in rows(smoke, "targets") if len(row) == 4]
    assert read == expected
    lists = {path: text.split() for path, text in files.items() if path.endswith(".list")}
    assert lists
    for path, names in lists.items():
        count = int(path.removeprefix("hosts/").removesuffix(".list"))
        assert names == [clients[n % len(clients)] for n in range(count)]
