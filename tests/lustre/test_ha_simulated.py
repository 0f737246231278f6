"""What Pacemaker does with the rendered clusters when a server is lost: the scripts, pcs and the scheduler are real."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pixsize.plan.records import Plan
from pixsize.products.lustre.ha_records import HaPolicy
from pixsize.products.lustre.render.ha import Cluster, clusters
from tests.lustre.ha_support import SECRETS, pushed, run, text_of
from tests.lustre.lustre_plan import NEW, OLD, catalog, me4_plan, powerflex_plan, with_outlets, with_sbd
from tests.readers.cluster import Outcome, levels, sick, simulate, trouble
from tests.support.programs import tool

pytestmark = pytest.mark.real

Change = Callable[[ElementTree.Element], None]
Cibs = Callable[[str], Path]

CASES = {
    # A pair of OSS under pcs 0.9, with Pacemaker's agent for file systems.
    "pair": (me4_plan(release=OLD), "sm01", "0.9.169"),
    # A pair of MDS with MGS and two MDTs under pcs 0.11, with Lustre's agent, which pcs checks.
    "mds": (me4_plan(release=NEW), "mm01", "0.11.5"),
    # Three in a ring under pcs 0.10: each target has two servers, and must never start on the third.
    "ring": (powerflex_plan(3, osts=1), "oss-ha01", "0.10.12"),
    # With a second level of fencing, by the outlets of two PDUs, and health watched.
    "outlets": (with_outlets(me4_plan(release=NEW)), "sm01", "0.11.5"),
    # With a second level by SBD, under the words of old agents.
    "sbd": (with_sbd(me4_plan(release=OLD)), "sm01", "0.9.169"),
}
WATCHED = ("mds", "outlets")


@pytest.fixture(scope="module")
def cib_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The configuration of a case: its script runs once, and takes half a minute."""
    for program in ("pcs", "crm_verify", "crm_simulate", "cibadmin", "fence_idrac", "fence_apc_snmp", "fence_sbd"):
        tool(program)
    return cache(lambda case: pushed(tmp_path_factory.mktemp(case), *CASES[case]))


def cluster_of(plan: Plan, name: str) -> Cluster:
    return next(c for c in clusters(plan) if c.id == name)


def judged(case: str, cib: Path) -> list[str]:
    plan, name, _ = CASES[case]
    cluster = cluster_of(plan, name)
    targets = {t.id: t.servers for t in cluster.targets}
    return trouble(cib, [s.id for s in cluster.servers], targets, {t.id: t.device for t in cluster.targets})


@pytest.mark.parametrize("case", CASES)
def test_every_target_survives_the_loss_of_any_server(case: str, cib_of: Cibs) -> None:
    assert judged(case, cib_of(case)) == []


@pytest.mark.parametrize("case", ["pair", "mds", "ring"])
def test_one_level_needs_no_topology(case: str, cib_of: Cibs) -> None:
    assert levels(cib_of(case)) == {}


@pytest.mark.parametrize(
    "case, second, options",
    [
        (
            "outlets",
            ["fence2-oss01", "fence2-oss01.2"],
            [{"ip": "10.31.0.1", "plug": "3"}, {"ip": "10.31.0.2", "plug": "3"}],
        ),
        (
            "sbd",
            ["fence2-oss01"],
            [
                {
                    "devices": ",".join(f"/dev/disk/by-id/wwn-0x600c0ff000sbd{n}" for n in (1, 2, 3)),
                    "power_timeout": "150",
                }
            ],
        ),
    ],
)
def test_the_second_level_is_all_that_feeds_a_server(
    case: str, second: list[str], options: list[dict[str, str]], cib_of: Cibs
) -> None:
    """Of a level with two devices Pacemaker turns both off before one goes on again (Pacemaker Explained)."""
    found = levels(cib_of(case))
    assert found["oss01"] == [["fence-oss01"], second]
    assert found["oss02"] == [["fence-oss02"], [name.replace("oss01", "oss02") for name in second]]
    devices = {p.get("id"): p for p in ElementTree.parse(cib_of(case)).getroot().iter("primitive")}
    for name, wanted in zip(second, options, strict=True):
        given = {p.get("name"): p.get("value") for p in devices[name].iter("nvpair")}
        assert wanted.items() <= given.items()
        assert given["pcmk_host_list"] == "oss01"
        assert given["pcmk_delay_base"] == "10s"


def started(case: str, cib: Path, folder: Path) -> tuple[Path, list[str], dict[str, str]]:
    """The cluster with every node up: its state, nodes, and where each target runs."""
    plan, name, _ = CASES[case]
    nodes = [s.id for s in cluster_of(plan, name).servers]
    up = folder / "up.xml"
    simulate(cib, up, *(f"--node-up={node}" for node in nodes))
    return up, nodes, {t.id: t.servers[0] for t in cluster_of(plan, name).targets}


def places(case: str, outcome: Outcome) -> dict[str, str]:
    targets = {t.id for t in cluster_of(*CASES[case][:2]).targets}
    return {what: where for what, where in outcome.running.items() if what in targets}


@pytest.mark.parametrize("case", WATCHED)
@pytest.mark.parametrize("attribute", ["pingd", "lustred"])
def test_targets_leave_a_server_that_is_sick(case: str, attribute: str, cib_of: Cibs, tmp_path: Path) -> None:
    """A dead fabric (pingd) or a sick target (lustred) on one server; nobody is fenced, and all targets of it move."""
    up, nodes, home = started(case, cib_of(case), tmp_path)
    well = {node: {"pingd": 2, "lustred": 1} for node in nodes}
    assert places(case, sick(up, tmp_path / "well.xml", well)) == home
    for bad in nodes:
        (other,) = (n for n in nodes if n != bad)
        outcome = sick(up, tmp_path / f"{bad}.xml", well | {bad: well[bad] | {attribute: 0}})
        assert places(case, outcome) == dict.fromkeys(home, other), bad
        assert not [step for step in outcome.steps if step[0] == "fencing"]
        back = sick(tmp_path / f"{bad}.xml", tmp_path / "back.xml", well)
        assert places(case, back) == dict.fromkeys(home, other), "it moves back by itself"


@pytest.mark.parametrize("case", WATCHED)
@pytest.mark.parametrize("attribute", ["pingd", "lustred"])
def test_nothing_moves_and_nothing_stops_where_all_servers_are_sick(
    case: str, attribute: str, cib_of: Cibs, tmp_path: Path
) -> None:
    """A fabric that is down as a whole, and ping hosts that are off: no server is better than the other."""
    up, nodes, home = started(case, cib_of(case), tmp_path)
    outcome = sick(up, tmp_path / "all.xml", {node: {"pingd": 2, "lustred": 1} | {attribute: 0} for node in nodes})
    assert places(case, outcome) == home
    assert not [step for step in outcome.steps if step[0] in home]


def parameter(cib: Path, agent: str, name: str) -> str:
    """What the configuration gives to an agent."""
    (found,) = (p for p in ElementTree.parse(cib).getroot().iter("primitive") if p.get("type") == agent)
    return str({n.get("name"): n.get("value") for n in found.iter("nvpair")}.get(name, ""))


def written(cib: Path, agent: str, noticed: dict[str, int]) -> list[set[str]]:
    """The sets of nodes whose new values the scheduler sees, one after the other, where each notices at its second.

    pacemaker-attrd writes an attribute of all nodes at once, when the dampen after the first change is over
    (attrd_updater(8), --delay).
    """
    wait = int(parameter(cib, agent, "dampen").removesuffix("s") or 0)
    seen: list[set[str]] = []
    left = dict(noticed)
    while left:
        first = min(left.values())
        seen.append({n for n, at in noticed.items() if at == first or at < first + wait})
        left = {n: at for n, at in left.items() if at != first and at >= first + wait}
    return seen


@pytest.mark.parametrize("case", WATCHED)
@pytest.mark.parametrize("agent, attribute", [("healthLNET", "pingd"), ("healthLUSTRE", "lustred")])
def test_an_outage_that_one_server_notices_first_moves_nothing_within_the_dampen(
    case: str, agent: str, attribute: str, cib_of: Cibs, tmp_path: Path
) -> None:
    """The monitors run up to an interval apart, and a ping that is not answered takes its time; back as forth."""
    policy = catalog().get(HaPolicy, "lustre.ha")
    apart = policy.health_interval_s + policy.ping_hosts * policy.ping_s
    up, nodes, home = started(case, cib_of(case), tmp_path)
    values = {node: {"pingd": 1, "lustred": 1} for node in nodes}
    state = up
    for value in (0, 1):
        for number, changed_nodes in enumerate(written(cib_of(case), agent, {nodes[0]: 0, nodes[1]: apart})):
            shown = {n: v | {attribute: value if n in changed_nodes else 1 - value} for n, v in values.items()}
            outcome = sick(state, tmp_path / f"{value}-{number}.xml", shown)
            state = tmp_path / f"{value}-{number}.xml"
            assert places(case, outcome) == home
            assert not [step for step in outcome.steps if step[0] in home]


@pytest.mark.parametrize("case", WATCHED)
def test_an_outage_that_reaches_one_server_later_than_the_dampen_moves_its_targets(
    case: str, cib_of: Cibs, tmp_path: Path
) -> None:
    """As the run book says."""
    up, nodes, home = started(case, cib_of(case), tmp_path)
    later = catalog().get(HaPolicy, "lustre.ha").health_dampen_s + 1
    steps = written(cib_of(case), "healthLNET", {nodes[0]: 0, nodes[1]: later})
    assert steps == [{nodes[0]}, set(nodes)]
    outcome = sick(up, tmp_path / "first.xml", {nodes[0]: {"pingd": 0}, nodes[1]: {"pingd": 2}})
    assert places(case, outcome) == dict.fromkeys(home, nodes[1])


@pytest.mark.parametrize("case", WATCHED)
def test_a_target_whose_own_storage_is_lost_does_not_send_all_to_and_fro(
    case: str, cib_of: Cibs, tmp_path: Path
) -> None:
    """Where it is mounted the server is sick, and the one that it has left is well again: it comes to an end."""
    up, nodes, home = started(case, cib_of(case), tmp_path)
    for lost, first in home.items():
        state, where, moves = up, home, []
        for number in range(6):
            values = {n: {"pingd": 2, "lustred": int(where[lost] != n)} for n in nodes}
            after = tmp_path / f"{lost}-{number}.xml"
            now = places(case, sick(state, after, values))
            moves.append([t for t in home if now[t] != where[t]])
            state, where = after, now
        ours = [t for t in home if home[t] == first]
        others = [t for t in home if home[t] != first]
        assert moves == [ours, others, [], [], [], []], "each target moves once, to its second server, and stays"


@pytest.mark.parametrize("case", WATCHED)
def test_a_target_on_its_second_server_stays_where_lustre_says_that_it_is_sick(
    case: str, cib_of: Cibs, tmp_path: Path
) -> None:
    """The price of that end, which the run book names: somebody moves it home."""
    up, nodes, home = started(case, cib_of(case), tmp_path)
    down, back = tmp_path / "down.xml", tmp_path / "back.xml"
    simulate(up, down, f"--node-fail={nodes[0]}")
    simulate(down, back, f"--node-up={nodes[0]}")
    outcome = sick(back, tmp_path / "sick.xml", {nodes[0]: {"lustred": 1}, nodes[1]: {"lustred": 0}})
    assert places(case, outcome) == {t: nodes[1] if first == nodes[0] else nodes[0] for t, first in home.items()}
    lnet = sick(back, tmp_path / "lnet.xml", {nodes[0]: {"pingd": 2}, nodes[1]: {"pingd": 0}})
    assert places(case, lnet) == dict.fromkeys(home, nodes[0])


@pytest.mark.parametrize("case", WATCHED)
def test_one_ping_host_less_and_an_agent_that_has_said_nothing_yet_move_nothing(
    case: str, cib_of: Cibs, tmp_path: Path
) -> None:
    up, nodes, home = started(case, cib_of(case), tmp_path)
    for attributes in (
        {nodes[0]: {"pingd": 1, "lustred": 1}, nodes[1]: {"pingd": 2, "lustred": 1}},
        {nodes[1]: {"pingd": 2, "lustred": 1}},
        {nodes[0]: {"pingd": 2, "lustred": 1}},
    ):
        assert places(case, sick(up, tmp_path / "some.xml", attributes)) == home


@pytest.mark.parametrize("case", WATCHED)
def test_a_server_that_is_lost_is_replaced_by_one_that_is_sick(case: str, cib_of: Cibs, tmp_path: Path) -> None:
    """With its partner gone, a server that counts as sick serves all: it is the only one."""
    up, nodes, home = started(case, cib_of(case), tmp_path)
    told = tmp_path / "told.xml"
    sick(up, told, {nodes[1]: {"pingd": 0, "lustred": 1}})
    outcome = simulate(told, tmp_path / "lost.xml", f"--node-fail={nodes[0]}")
    assert places(case, outcome) == dict.fromkeys(home, nodes[1])
    assert ("fencing", nodes[0]) in outcome.steps


def removed(kind: str, key: str, value: str) -> Change:
    """A configuration without the elements of a kind that have this value."""

    def change(root: ElementTree.Element) -> None:
        parents = [(p, c) for p in root.iter() for c in p if c.tag == kind and c.get(key) == value]
        assert parents, f"no {kind} with {key}={value}"
        for parent, child in parents:
            parent.remove(child)

    return change


def set_to(name: str, value: str, new: str) -> Change:
    """A configuration with another value of an option."""

    def change(root: ElementTree.Element) -> None:
        pairs = [p for p in root.iter("nvpair") if (p.get("name"), p.get("value")) == (name, value)]
        assert pairs, f"no {name}={value}"
        for pair in pairs:
            pair.set("value", new)

    return change


def changed(cib: Path, change: Change, folder: Path) -> Path:
    tree = ElementTree.parse(cib)
    change(tree.getroot())
    other = folder / "changed.xml"
    tree.write(other)
    return other


@pytest.mark.parametrize("case", ["pair", "mds", "ring"])
def test_no_constraint_can_be_left_out(case: str, cib_of: Cibs, tmp_path: Path) -> None:
    section = ElementTree.parse(cib_of(case)).getroot().find("configuration/constraints")
    assert section is not None
    assert len(section) >= 9
    for constraint in section:
        without = removed(constraint.tag, "id", str(constraint.get("id")))
        assert judged(case, changed(cib_of(case), without, tmp_path)), f"{constraint.attrib} is not missed"


@pytest.mark.parametrize(
    "case, change, sentence",
    [
        ("pair", set_to("stonith-enabled", "true", "false"), "fencing is off"),
        ("pair", removed("primitive", "id", "fence-oss02"), ""),
        ("pair", set_to("pcmk_host_list", "oss02", "oss01"), "0 devices fence oss02"),
        ("pair", removed("nvpair", "name", "pcmk_delay_base"), "0 of 2 nodes are fenced late"),
        ("pair", removed("nvpair", "name", "resource-stickiness"), "with oss01 back"),
        ("pair", set_to("device", "/dev/mapper/sm01a1_data02", "/dev/mapper/sm01a1_data01"), "not one resource"),
        ("pair", removed("primitive", "id", "scratch-OST0003"), ""),
        ("mds", removed("primitive", "id", "MGS"), ""),
        ("ring", set_to("pcmk_host_list", "oss03", "oss04"), "0 devices fence oss03"),
    ],
)
def test_what_breaks_a_cluster_is_noticed(
    case: str, change: Change, sentence: str, cib_of: Cibs, tmp_path: Path
) -> None:
    found = judged(case, changed(cib_of(case), change, tmp_path))
    assert any(sentence in line for line in found), found


def test_the_simulation_alone_notices_what_is_not_fenced_or_has_nowhere_to_go(cib_of: Cibs, tmp_path: Path) -> None:
    """The written constraints are compared first; these two are left to the scheduler."""
    from tests.readers import cluster

    def nowhere(root: ElementTree.Element) -> None:
        for rule in root.iter("rsc_location"):
            if rule.get("rsc") == "scratch-OST0000" and rule.get("node") == "oss02":
                rule.set("score", "-INFINITY")

    targets = {t.id: t.servers for t in cluster_of(*CASES["pair"][:2]).targets}
    for change, sentence in (
        (nowhere, "without oss01: scratch-OST0000 runs on None"),
        (set_to("stonith-enabled", "true", "false"), "oss01 is not fenced"),
    ):
        found = list(cluster._simulated(changed(cib_of("pair"), change, tmp_path), ["oss01", "oss02"], targets))
        assert any(sentence in line for line in found), found


@pytest.mark.parametrize(
    "old, new, complaint",
    [
        ("target=/dev/mapper/mm01a1_meta02", "targett=/dev/mapper/mm01a1_meta02", "invalid resource option 'targett'"),
        ("target=/dev/mapper/mm01a1_meta02", "target=/dev/mapper/mm01a1_meta01", "unique"),
        ("pcmk_delay_base", "pcmk_delay_bas", "pcmk_delay_bas"),
    ],
)
def test_pcs_reads_every_word_and_nothing_is_pushed(old: str, new: str, complaint: str, tmp_path: Path) -> None:
    plan, name, version = CASES["mds"]
    script = text_of(plan, f"ha/{name}/02-resources.sh").replace(old, new)
    if old.startswith("target"):  # fencing comes first, and takes its time
        script = re.sub(r"(?m)^run pcs -f \S+ (?:constraint .*|stonith .*\n.*)\n", "", script)
    result = run(tmp_path, script, HOST="mds01", MEMBERS="mds01 mds02", PCS_VERSION=version)
    assert result.code != 0
    assert complaint in result.said
    assert not result.pushed.exists()


# --- a cluster that runs already ---------------------------------------------------------------------------------------

NEW_LINES = re.compile(
    r" resource create (?:lnet|lustre)-health | constraint location \S+ (?:prefers|rule) | stonith create fence2-"
    r"| constraint location fence2-\S+ avoids | stonith level add "
)
"""The lines of a dry run that the page names for a cluster that has neither health nor a second level."""


@pytest.fixture(scope="module")
def running_cluster(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The state of a pair as older scripts have made it, with all targets on the second server."""
    tool("pcs")
    folder = tmp_path_factory.mktemp("running")
    names = ("oss01", "oss02")
    script = text_of(me4_plan(release=NEW), "ha/sm01/02-resources.sh")
    older = re.sub(
        r"(?m)^run pcs -f \S+ (?:resource create \S+-health .*\n.*|constraint location \S+ rule .*)\n", "", script
    )
    older = older.replace("=1000 ", "=100 ").replace("=950\n", "=50\n")
    assert (older.count("=100 "), older.count("=50\n"), "-health " in older.partition("operations=(")[2]) == (
        4,
        4,
        False,
    )
    (before := folder / "before").mkdir()
    done = run(before, older, HOST=names[0], MEMBERS=" ".join(names))
    assert done.code == 0, done.said
    states = [folder / f"{state}.xml" for state in ("up", "lost", "back")]
    simulate(done.pushed, states[0], *(f"--node-up={node}" for node in names))
    simulate(states[0], states[1], "--node-fail=oss01")
    outcome = simulate(states[1], states[2], "--node-up=oss01")
    assert {outcome.running[f"scratch-OST000{n}"] for n in range(4)} == {"oss02"}
    return states[2]


def configured(cib: Path) -> list[str]:
    """Every element of a configuration that has an id, without its children; in no order, since pcs appends what is new."""
    root = ElementTree.parse(cib).getroot().find("configuration")
    assert root is not None
    rows = [e for part in ("resources", "constraints", "fencing-topology") for e in root.iterfind(f"{part}//*[@id]")]
    return sorted(f"{e.tag} {sorted(e.attrib.items())}" for e in rows)


def page_commands(page: str) -> list[str]:
    """The commands of the section about a cluster that runs, in their order."""
    part = page.partition("## A cluster that runs already")[2].partition("\n## ")[0]
    return re.findall(r"(?m)^ {7}(\S.*)$", part)


def test_what_is_new_reaches_a_cluster_that_runs_and_no_target_moves(
    running_cluster: Path, cib_of: Cibs, tmp_path: Path
) -> None:
    """The page's own commands, with lines of the dry run as they are printed; all targets are on the second server."""
    plan, name, _ = CASES["outlets"]
    for folder in ("dry", "live"):
        (tmp_path / folder).mkdir()
    printed = run(tmp_path / "dry", text_of(plan, f"ha/{name}/02-resources.sh"), "--dry-run").printed
    lines = [line for line in printed.splitlines() if NEW_LINES.search(line)]
    assert len(lines) == 2 + 4 * 4 + 4 * 2 + 4
    commands = page_commands(text_of(plan, f"ha/{name}/README.md"))
    assert commands.index("cp draft.xml before.xml") < commands.index("pcs cluster cib-push draft.xml --config")
    after = commands.index("cp draft.xml before.xml") + 1
    script = "\n".join(["set -e", *commands[:after], *lines, *commands[after:], "echo ended"])
    done = run(tmp_path / "live", script, LIVE=str(running_cluster))
    assert (done.code, done.printed.endswith("\nended\n")) == (0, True), done.said
    now, then = re.findall(r"(?s)\nTransition Summary:\n(.*?)\nExecuting Cluster Transition:\n", done.printed)
    assert now == ""
    assert len(then.splitlines()) == 8
    assert all(re.match(r"  \* Start +(fence2-|lnet-health:|lustre-health:)", line) for line in then.splitlines())
    outcome = simulate(done.pushed, tmp_path / "after.xml")
    assert {outcome.running[f"scratch-OST000{n}"] for n in range(4)} == {"oss02"}
    assert configured(done.pushed) == configured(cib_of("outlets"))
    communities = [
        n.get("value") for n in ElementTree.parse(done.pushed).iter("nvpair") if n.get("name") == "community"
    ]
    assert communities == [SECRETS["FENCE2_COMMUNITY"]] * 4


def test_one_half_of_prefers_alone_moves_a_target(running_cluster: Path, tmp_path: Path) -> None:
    """Why it is no command for a cluster that runs: pcs writes the points of one server after those of the other."""

    def half(root: ElementTree.Element) -> None:
        for location in root.iter("rsc_location"):
            if (location.get("rsc"), location.get("node")) == ("scratch-OST0000", "oss01"):
                location.set("score", "1000")

    outcome = simulate(changed(running_cluster, half, tmp_path), tmp_path / "after.xml")
    assert outcome.running["scratch-OST0000"] == "oss01"
