"""What a cluster would do with a configuration: crm_verify and crm_simulate asked, their output read.

Written from the manual pages and from output of Pacemaker 2.1. Exit codes alone prove little: a simulation ends with 0
when nothing starts, when a node is lost that nobody can fence, and when there is no quorum.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

Places = Mapping[str, Sequence[str]]
"""Each target's servers, the preferred first."""
_START = re.compile(r"Resource action: (\S+)\s+start on (\S+)")
_FENCING = re.compile(r"Fencing (\S+) \((?:reboot|off)\)")
_STATE = re.compile(r"^\s+\* (\S+)\s+\((\S+)\):\s+(Started|Stopped)\s*(\S*)(.*)$")


class Outcome(NamedTuple):
    """A simulated transition: its steps as (what, on which node), and where every resource runs in the end."""

    steps: list[tuple[str, str]]
    running: dict[str, str]
    odd: list[str]


def simulate(cib: Path, after: Path, *options: str) -> Outcome:
    """Let Pacemaker's scheduler act on a configuration, and store the state that it ends in."""
    command = ["/usr/sbin/crm_simulate", "-x", str(cib), "--quorum=1", *options, "-S", "-O", str(after)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    acted = shown.partition("Executing Cluster Transition:")[2]
    steps: list[tuple[str, str]] = []
    for line in acted.splitlines():
        if start := _START.search(line):
            steps.append((start[1], start[2]))
        elif fencing := _FENCING.search(line):
            steps.append(("fencing", fencing[1]))
    states = [m for m in map(_STATE.match, shown.partition("Revised Cluster Status:")[2].splitlines()) if m]
    odd = [m[0].strip() for m in states if m[5].strip()]
    return Outcome(steps, {m[1]: m[4] for m in states if m[3] == "Started"}, odd)


def sick(state: Path, after: Path, attributes: Mapping[str, Mapping[str, int]]) -> Outcome:
    """What the scheduler does when agents have set attributes: node -> attribute -> value, in a state of the cluster."""
    tree = ElementTree.parse(state)
    for node in tree.getroot().iter("node_state"):
        values = attributes.get(str(node.get("uname")), {})
        name = str(node.get("id"))
        for old in node.findall("transient_attributes"):
            node.remove(old)
        of_node = ElementTree.SubElement(node, "transient_attributes", id=name)
        holder = ElementTree.SubElement(of_node, "instance_attributes", id=f"status-{name}")
        for attribute, value in values.items():
            pair = {"id": f"status-{name}-{attribute}", "name": attribute, "value": str(value)}
            ElementTree.SubElement(holder, "nvpair", pair)
    told = after.with_suffix(".told")
    tree.write(told)
    return simulate(told, after)


def levels(cib: Path) -> dict[str, list[list[str]]]:
    """The fence devices of each node, level by level."""
    rows = ElementTree.parse(cib).getroot().iter("fencing-level")
    found: dict[str, list[tuple[int, list[str]]]] = {}
    for row in rows:
        found.setdefault(str(row.get("target")), []).append(
            (int(row.get("index", "0")), str(row.get("devices")).split(","))
        )
    return {node: [ids for _, ids in sorted(each)] for node, each in found.items()}


def trouble(cib: Path, nodes: Sequence[str], targets: Places, devices: Mapping[str, str]) -> list[str]:
    """Everything that a configuration lacks to serve the targets, whichever node is lost; empty when it lacks nothing.

    `devices` are the block devices of the targets.
    """
    found = [*_verified(cib), *_written(cib, nodes, targets, devices)]
    return found or list(_simulated(cib, nodes, targets))


def _verified(cib: Path) -> Iterator[str]:
    done = subprocess.run(
        ["/usr/sbin/crm_verify", "-V", "-x", str(cib)], capture_output=True, text=True, check=False, timeout=60
    )
    if done.returncode or done.stdout or done.stderr:
        yield f"crm_verify, {done.returncode}: {done.stdout}{done.stderr}"


def _written(cib: Path, nodes: Sequence[str], targets: Places, devices: Mapping[str, str]) -> Iterator[str]:
    """What the simulation would not show: it fences nodes that no device names, and knows only the states it is in."""
    root = ElementTree.parse(cib).getroot()
    options = {p.get("id"): _options(p) for p in root.iter("primitive")}
    scores: dict[tuple[str | None, str | None], str | None] = {}
    for rule in root.iter("rsc_location"):
        if rule.find("rule") is not None:
            continue
        if (rule.get("rsc"), rule.get("node")) in scores:
            yield f"two scores of {rule.get('rsc')} on {rule.get('node')}"
        scores[rule.get("rsc"), rule.get("node")] = rule.get("score")
    yield from _fenced(root, nodes, options, scores)
    if sorted(o["disk"] for o in options.values() if "disk" in o) != sorted(devices.values()):
        yield "not one resource for each device"
    for target, (first, second) in targets.items():
        if options.get(target, {}).get("disk") != devices[target]:
            yield f"{target} is not on {devices[target]}"
        if not 0 < int(scores.get((target, second)) or 0) < int(scores.get((target, first)) or 0):
            yield f"{target} does not prefer {first}, then {second}"
        yield from (
            f"{target} may run on {node}"
            for node in nodes
            if node not in (first, second) and scores.get((target, node)) != "-INFINITY"
        )
    yield from _ordered(root, targets)
    yield from _watched(root, targets)


def _watched(root: ElementTree.Element, targets: Places) -> Iterator[str]:
    """Each attribute that a clone sets counts for each target.

    That of LNet above zero, and while it is not known; Lustre's own word below one, on each of the target's servers.
    """
    watchers = {
        str(c.find("primitive/instance_attributes/nvpair[@name='name']").get("value")) for c in root.iter("clone")
    }  # type: ignore[union-attr]
    rules = set()
    for location in root.iter("rsc_location"):
        for rule in location.iter("rule"):
            tests = {(e.get("operation"), e.get("value")): e.get("attribute") for e in rule.iter("expression")}
            if set(tests) == {("not_defined", None), ("gt", "0")} and rule.get("boolean-op") == "or":
                rules.add((location.get("rsc"), tests["gt", "0"], tests["not_defined", None]))
    sick = {
        (location.get("rsc"), *sorted(str(e.get("value")) for e in rule.iter("expression") if e.get("value")))
        for location in root.iter("rsc_location")
        for rule in location.iter("rule")
        if rule.get("boolean-op") == "and" and {e.get("operation") for e in rule} == {"eq", "defined", "lt"}
    }
    for target, servers in targets.items():
        for watcher in sorted(watchers):
            if watcher == "lustred":
                yield from (f"{target} does not heed {watcher} on {s}" for s in servers if (target, "1", s) not in sick)
            elif (target, watcher, watcher) not in rules:
                yield f"{target} does not heed {watcher}"


def _options(primitive: ElementTree.Element) -> dict[str, str]:
    found = {str(p.get("name")): str(p.get("value")) for p in primitive.iter("nvpair")}
    disk = found.get("device") or found.get("target")
    return found | ({"disk": disk} if disk else {})


def _fenced(
    root: ElementTree.Element,
    nodes: Sequence[str],
    options: Mapping[str | None, Mapping[str, str]],
    scores: Mapping[tuple[str | None, str | None], str | None],
) -> Iterator[str]:
    settings = {p.get("name"): p.get("value") for p in root.iter("nvpair")}
    if settings.get("stonith-enabled") != "true":
        yield "fencing is off"
    delays = 0
    second = {d for r in root.iter("fencing-level") if r.get("index") == "2" for d in str(r.get("devices")).split(",")}
    for node in nodes:
        every = [i for i, o in options.items() if o.get("pcmk_host_list") == node]
        names = [i for i in every if i not in second]
        if len(names) != 1:
            yield f"{len(names)} devices fence {node}"
        yield from (f"{name} may run on {node}" for name in every if scores.get((name, node)) != "-INFINITY")
        delays += sum("pcmk_delay_base" in options[name] for name in names)
    if delays != (len(nodes) == 2):
        yield f"{delays} of {len(nodes)} nodes are fenced late"


def _ordered(root: ElementTree.Element, targets: Places) -> Iterator[str]:
    """The MGS before the MDTs, the first MDT before others, and nothing that holds a target back for ever."""
    orders = {(o.get("first"), o.get("then")): o.get("kind") for o in root.iter("rsc_order")}
    mdts = sorted(t for t in targets if "-MDT" in t)
    wanted = [("MGS", t) for t in mdts if "MGS" in targets]
    wanted += [(mdts[0], t) for t in mdts[1:] if mdts[0].endswith("-MDT0000")]
    if orders != dict.fromkeys(wanted, "Optional"):
        yield f"orders: {orders}"


def _simulated(cib: Path, nodes: Sequence[str], targets: Places) -> Iterator[str]:
    up = cib.with_suffix(".up")
    outcome = simulate(cib, up, *(f"--node-up={node}" for node in nodes))
    home = {target: servers[0] for target, servers in targets.items()}
    yield from _differences("at first", home, outcome)
    yield from (f"fence-{n} does not run elsewhere" for n in nodes if outcome.running.get(f"fence-{n}") in (None, n))
    for lost in nodes:
        down = cib.with_suffix(f".{lost}")
        outcome = simulate(up, down, f"--node-fail={lost}")
        moved = {t: next(s for s in servers if s != lost) for t, servers in targets.items()}
        yield from _differences(f"without {lost}", moved, outcome)
        yield from _fencing_first(lost, outcome, (t for t in targets if moved[t] != home[t]))
        back = simulate(down, cib.with_suffix(".back"), f"--node-up={lost}")
        yield from _differences(f"with {lost} back", moved, back)


def _differences(when: str, wanted: Mapping[str, str], outcome: Outcome) -> Iterator[str]:
    yield from (f"{when}: {line}" for line in outcome.odd)
    for target, server in wanted.items():
        if outcome.running.get(target) != server:
            yield f"{when}: {target} runs on {outcome.running.get(target)}, not on {server}"


def _fencing_first(lost: str, outcome: Outcome, moved: Iterable[str]) -> Iterator[str]:
    fencing = ("fencing", lost)
    if outcome.steps.count(fencing) != 1 or [s for s in outcome.steps if s[0] == "fencing"] != [fencing]:
        yield f"{lost} is not fenced once, and alone"
        return
    started = [step[0] for step in outcome.steps[outcome.steps.index(fencing) :]]
    yield from (f"{target} does not start after the fencing of {lost}" for target in moved if target not in started)
