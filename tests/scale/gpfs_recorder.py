"""Stands in for the commands of GPFS: called by their names, it keeps a cluster in a file and prints what they print.

Run as a program with the environment STATE (a JSON file). Each call is noted in it; `fails` names a command that fails
once, without doing anything. A script starts hundreds of them: it imports little.
"""

from __future__ import annotations

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    State = dict[str, Any]

READING = {"mmlscluster", "mmlslicense", "mmlsnodeclass", "mmlsconfig", "mmgetstate", "mmlsnsd", "mmlsfs", "mmlsmount"}
ROLES = {"quorum-manager": "quorumManager", "quorum-client": "quorum", "nonquorum-manager": "manager"}
_FIELDS = {"-B": "blockSize", "-i": "inodeSize", "-j": "blockAllocationType", "-m": "defaultMetadataReplicas"}
_FIELDS |= {"-M": "maxMetadataReplicas", "-r": "defaultDataReplicas", "-R": "maxDataReplicas", "-n": "numNodes"}


GATEWAY = {
    "mlx5_0": ("Ethernet", True),
    "mlx5_1": ("InfiniBand", True),
    "mlx5_2": ("InfiniBand", True),
    "mlx5_3": ("InfiniBand", False),
}
"""The adapters of a gateway: their network, and whether they are active; one is on no cable yet."""


def empty(**words: Any) -> State:
    """Servers on which GPFS is installed, and nothing else."""
    return {
        "calls": [], "cluster": None, "licences": {}, "classes": {}, "config": [], "up": [], "nsds": {}, "fs": {},
        "mounted": [], "fails": "", "domain": "", "holds": {}, "silent": [], "ports": ["mlx5_0", "mlx5_1"], "adapters": GATEWAY,
    } | words  # fmt: skip


def main() -> int:
    """Does the command that it was called as. The state is written back whatever comes of it."""
    program, words, path = os.path.basename(sys.argv[0]), sys.argv[1:], os.environ["STATE"]
    state = json.loads(_read(path))
    state["calls"].append([program, *words])
    try:
        if state["fails"] == program:
            state["fails"] = ""
            print(f"{program}: 6027-1639 Command failed. Examine previous error messages to determine cause.")
            return 1
        return int(globals()[f"_{program.replace('-', '_')}"](state, words) or 0)
    finally:
        with open(path, "w") as file:
            file.write(json.dumps(state))


def _read(path: str) -> str:
    with open(path) as file:
        return file.read()


def _after(words: list[str], option: str) -> str:
    return words[words.index(option) + 1]


def _shown(state: State, node: str) -> str:
    return f"{node}{state['domain']}"


def _id(_state: State, _words: list[str]) -> None:
    print(0)


def _hostname(state: State, _words: list[str]) -> None:
    print(state["host"])


def _sleep(state: State, _words: list[str]) -> None:
    """Time passes: whatever starts is up."""
    state["up"] = [node[0] for node in state["cluster"]["nodes"]]


def _ssh(state: State, words: list[str]) -> int:
    node, program, *rest = words
    if node in state["silent"]:
        print("ssh: connect to host: No route to host", file=sys.stderr)
        return 255
    if program == "test" and rest[1].startswith("/sys/class/infiniband/"):
        return int(rest[1].rpartition("/")[2] not in state["ports"])
    if program == "grep":
        for device, (layer, is_active) in state["adapters"].items():
            shown = {"link_layer": layer, "state": "4: ACTIVE" if is_active else "1: DOWN"}
            print("\n".join(f"/sys/class/infiniband/{device}/ports/1/{file}:{text}" for file, text in shown.items()))
    if program == "wipefs":
        print("** This system is for authorised use only **", file=sys.stderr)
        held = [f"{device.rpartition('/')[2]} 0x1fe dos" for device in rest if device in state["holds"].get(node, [])]
        print("\n".join(["DEVICE OFFSET TYPE UUID LABEL", *held]) if held else "", end="\n" if held else "")
    return 0


def _mmlscluster(state: State, _words: list[str]) -> int:
    cluster = state["cluster"]
    if cluster is None:
        print("mmlscluster: This node does not belong to a GPFS cluster.", file=sys.stderr)
        return 1
    print(
        "mmlscluster:clusterSummary:HEADER:version:reserved:reserved:clusterName:clusterId:uidDomain:rshPath:rcpPath:"
    )
    print("mmlscluster:clusterNode:HEADER:version:reserved:reserved:nodeNumber:daemonNodeName:ipAddress:adminNodeName:"
          "designation:otherNodeRoles:adminLoginName:")  # fmt: skip
    print(f"mmlscluster:clusterSummary:0:1:::{cluster['name']}:8741:{cluster['name']}:%2Fusr%2Fbin%2Fssh:x:")
    for number, (node, designation) in enumerate(cluster["nodes"], 1):
        name = _shown(state, node)
        role = ROLES.get(designation, "")
        print(f"mmlscluster:clusterNode:0:1:::{number}:{name}:10.10.0.{number}:{name}:{role}:::")
    return 0


def _mmcrcluster(state: State, words: list[str]) -> None:
    lines = _read(_after(words, "-N")).split()
    nodes = [line.split(":")[:2] for line in lines]
    state["cluster"] = {"name": _after(words, "-C") + state["domain"], "nodes": nodes}
    state["licences"] = {node: "none" for node, _ in nodes}


def _mmlslicense(state: State, _words: list[str]) -> None:
    print("\n Node name        Required license    Designated license\n" + "-" * 60)
    for node, licence in state["licences"].items():
        print(f"{_shown(state, node):<24} server              {licence}")
    print("\n Summary information\n" + "-" * 21)


def _mmchlicense(state: State, words: list[str]) -> None:
    assert words[1] == "--accept"
    state["licences"] |= dict.fromkeys(_after(words, "-N").split(","), words[0])


def _mmlsnodeclass(state: State, _words: list[str]) -> None:
    if not state["classes"]:
        print("mmlsnodeclass: No user-defined node classes were found.")
        return
    print("Node Class Name       Members\n" + "-" * 40)
    for name, members in state["classes"].items():
        print(f"{name:<21} {','.join(_shown(state, m) for m in members)}")


def _mmcrnodeclass(state: State, words: list[str]) -> int:
    if words[0] in state["classes"]:
        print(f"mmcrnodeclass: Node class {words[0]} already exists.", file=sys.stderr)
        return 1
    state["classes"][words[0]] = _after(words, "-N").split(",")
    return 0


def _mmlsconfig(state: State, words: list[str]) -> None:
    lines = [f"{n} {v}" + (f" [{where}]" if where else "") for n, v, where in state["config"] if n == words[0]]
    print("\n".join(lines) if lines else f"{words[0]} (undefined)")


def _mmchconfig(state: State, words: list[str]) -> int:
    name, _, value = words[0].partition("=")
    where = _after(words, "-N") if "-N" in words else ""
    if name == "maxblocksize" and state["up"]:
        print("mmchconfig: 6027-1347 GPFS must be down on all nodes", file=sys.stderr)
        return 1
    state["config"] = [line for line in state["config"] if (line[0], line[2]) != (name, where)] + [[name, value, where]]
    return 0


def _mmgetstate(state: State, _words: list[str]) -> None:
    print(
        "mmgetstate::HEADER:version:reserved:reserved:nodeName:nodeNumber:state:quorum:nodesUp:totalNodes:remarks:cnfsState:"
    )
    for number, (node, _) in enumerate(state["cluster"]["nodes"], 1):
        is_up = "active" if node in state["up"] else "down"
        print(f"mmgetstate::0:1:::{_shown(state, node)}:{number}:{is_up}:3:4:8:quorum node:(undefined):")


def _mmstartup(state: State, words: list[str]) -> None:
    assert words == ["-a"]
    state["up"] = [state["cluster"]["nodes"][0][0]]


def _mmlsnsd(state: State, words: list[str]) -> int:
    if "-X" in words:
        return 0
    if not state["nsds"]:
        print("mmlsnsd: 6027-1290 No disks were found.", file=sys.stderr)
        return 1
    print("mmlsnsd:nsd:HEADER:version:reserved:reserved:fileSystem:diskName:volumeId:serverList:")
    for name, filesystem in state["nsds"].items():
        print(f"mmlsnsd:nsd:0:1:::{filesystem or '%28free disk%29'}:{name}:0A0A:sm01n1%2Csm01n2:")
    return 0


def _mmcrnsd(state: State, words: list[str]) -> int:
    """Makes them one by one; `half` ends it in the midst."""
    text = _read(_after(words, "-F"))
    names = [line.split("=")[1] for line in text.splitlines() if line.strip().startswith("nsd=")]
    if set(names) & set(state["nsds"]) or text.count("%nsd:") != len(names) or text.count("servers=") != len(names):
        print("mmcrnsd: Disk name is already registered for use by GPFS.", file=sys.stderr)
        return 1
    if state.pop("half", False):
        names = names[: len(names) // 2]
    state["nsds"] |= dict.fromkeys(names, "")
    return int(len(names) != text.count("%nsd:"))


def _mmlsfs(state: State, words: list[str]) -> int:
    if words[0] not in state["fs"]:
        print(f"mmlsfs: File system {words[0]} is not known to the GPFS cluster.", file=sys.stderr)
        return 1
    print("mmlsfs::HEADER:version:reserved:reserved:deviceName:fieldName:data:remarks:")
    for field, value in state["fs"][words[0]].items():
        print(f"mmlsfs::0:1:::{words[0]}:{field}:{value}::")
    return 0


def _mmcrfs(state: State, words: list[str]) -> None:
    sizes = {"8M": str(8 << 20), "4096": "4096"}
    given = dict(zip(words[1::2], words[2::2], strict=True))
    state["fs"][words[0]] = {f: sizes.get(given[o], given[o]) for o, f in _FIELDS.items()} | state.get("made", {})
    state["nsds"] = dict.fromkeys(state["nsds"], words[0])


def _mmlsmount(state: State, words: list[str]) -> None:
    print(f"File system {words[0]} is mounted on {len(state['mounted'])} nodes:")
    for number, node in enumerate(state["mounted"], 1):
        print(f"  10.10.0.{number:<10} {_shown(state, node)}   campus")


def _mmmount(state: State, words: list[str]) -> None:
    assert words[1] == "-a"
    state["mounted"] = [n for n, _ in state["cluster"]["nodes"] if n not in state.get("never", [])]


def _mmlspolicy(state: State, words: list[str]) -> None:
    assert words[1:] == ["-L"]
    print(state["policy"], end="")


def _mmchpolicy(state: State, words: list[str]) -> None:
    if words[2:] != ["-I", "test"]:
        state["policy"] = _read(words[1])


def _mmlscallback(state: State, _words: list[str]) -> int:
    if not state["callbacks"]:
        print("mmlscallback: No callback identifiers were found.", file=sys.stderr)
        return 1
    for name, lines in state["callbacks"].items():
        print("\n".join([name, *(f"        {word:<14}= {value}" for word, value in lines.items())]), end="\n\n")
    return 0


def _mmaddcallback(state: State, words: list[str]) -> None:
    known = {"--command": "command", "--event": "event", "--parms": "parms"}
    state["callbacks"][words[0]] = {known[w]: v for w, v in zip(words[1::2], words[2::2], strict=True)}
