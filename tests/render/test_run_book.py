"""RUNBOOK.md: the steps of every target in one order, with links that lead somewhere and boxes that can be ticked."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner

from pixsize import workflow
from pixsize.catalog.designs import Design
from pixsize.cli import main
from pixsize.estimate.make import estimate
from pixsize.findings import Finding
from pixsize.plan.records import Plan
from pixsize.product import filesystem_of
from pixsize.products.lustre.plan import lustre
from pixsize.render import RENDERERS, STEPS, File
from pixsize.render.run_book import Placed, ordered, run_book
from pixsize.render.steps import CLIENTS, PREPARED, Box, Look, Step
from tests.products import reading
from tests.products.test_examples import CASES as EXAMPLES
from tests.products.test_examples import plan_of
from tests.support.running import catalog as shipped

RUN_BOOK = "RUNBOOK.md"
CASES = list(EXAMPLES.values())
"""Each example, and each with its folder of replies."""
RENDERED = TemporaryDirectory(prefix="run-books-")
"""The trees of the examples, each rendered when it is first looked at."""


def planned(path: Path, replies: Path | None) -> Plan:
    return plan_of((replies or path).name)


def rendered(plan: Plan) -> dict[str, File]:
    """The files of every target by their paths."""
    return {file.path: file for files in reading.rendered(plan).values() for file in files}


def made(path: Path, replies: Path | None, out: Path) -> Path:
    """What `render all` writes of an example; a copy of it where it was rendered before in this run."""
    if (path, replies) not in CASES:
        return written(path, replies, out)
    first = Path(RENDERED.name) / (replies or path).name
    return Path(shutil.copytree(first if first.exists() else written(path, replies, first), out))


def written(path: Path, replies: Path | None, out: Path) -> Path:
    """What `render all` writes of a request."""
    given = ["--config", str(path), *(["--observed", str(replies)] if replies else [])]
    result = CliRunner().invoke(main, ["render", "all", *given, "-o", str(out)])
    assert result.exit_code == 0, result.output
    return out


@pytest.mark.parametrize("example", ["mix", "lustre-me4"])
def test_arrays_whose_family_has_no_render_target_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, example: str
) -> None:
    given = workflow.Given(example)
    assert "PX627" not in {f.code for f in workflow.render(given, ["all"]).findings}
    others = {name: RENDERERS[name] for name in RENDERERS if name != "me4"}
    monkeypatch.setattr(workflow, "renderers", lambda: others)
    result = workflow.render(given, ["all"])
    (found,) = [f for f in result.findings if f.code == "PX627"]
    assert (found.severity, found.where) == ("warning", "design")
    assert "sm01a1" in found.message
    assert result.files is not None
    assert not any(file.path.startswith("me4/") for file in result.files)
    assert "PX627" not in {f.code for f in workflow.render(given, ["multipath"]).findings}


def test_a_pool_has_no_arrays_to_be_built() -> None:
    assert "PX627" not in {f.code for f in workflow.render(workflow.Given("lustre-powerflex"), ["all"]).findings}


def steps_in(text: str) -> list[str]:
    return re.findall(r"(?m)^## [0-9]+\. (.+)$", text)


def anchors(text: str) -> set[str]:
    """The anchors of a page, as GitHub and others make them; written without a look at the code under test."""
    found = set()
    for heading in re.findall(r"(?m)^#+ (.+)$", text):
        found.add(re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip()))
    return found


def steps_of(name: str, plan: Plan) -> tuple[Step, ...]:
    """The steps of a target, or those before all targets."""
    prepare = filesystem_of(shipped().get(Design, plan.design)).prepare
    return (prepare if name == "all" else STEPS[name])(plan, shipped())


@pytest.mark.parametrize(("path", "replies"), CASES, ids=[(r or p).name for p, r in CASES])
def test_every_link_leads_to_a_file_and_a_section(path: Path, replies: Path | None, tmp_path: Path) -> None:
    out = made(path, replies, tmp_path / "out")
    text = (out / RUN_BOOK).read_text()
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) > 10
    for link in links:
        name, _, section = link.partition("#")
        page = out / (name or RUN_BOOK)
        assert page.is_file(), link
        assert not section or section in anchors(page.read_text()), link


@pytest.mark.parametrize(("path", "replies"), CASES, ids=[(r or p).name for p, r in CASES])
def test_every_step_has_boxes_needs_checks_and_a_duration(path: Path, replies: Path | None) -> None:
    plan = planned(path, replies)
    files = list(rendered(plan).values())
    targets = list(reading.rendered(plan))
    text = run_book(plan, shipped(), files, targets, {}).text
    parts = re.split(r"(?m)^## (?=[0-9]+\. )", text)[1:]
    waiting = text.partition("## Steps that wait\n")[2].partition("\n## ")[0].count("\n| ") - 1
    assert len(parts) + max(waiting, 0) == sum(len(steps_of(n, plan)) for n in ("all", *targets))
    assert not re.search(r"(?m)^[^`|\n-]*(`[^`\n]*`[^`\n]*)*`[^`\n]*$", text), "a command is broken over two lines"
    for part in parts:
        assert re.search(r"(?m)^- \[[ x]\] \*\*[^*]+\*\*: ", part), part
        assert re.search(r"(?m)^\| needs \| .+ \|$", part), part
        assert re.search(r"(?m)^\| time \| ([0-9].*|nothing left to do) \|$", part), part
        assert re.search(r"(?m)^\| destroys \| .+ \|$", part), part
        assert re.search(r"\| check \| it must show \|\n\|---\|---\|\n\| .+ \| .+ \|", part), part


@pytest.mark.parametrize(("path", "replies"), CASES, ids=[(r or p).name for p, r in CASES])
def test_no_step_stands_before_what_it_needs(path: Path, replies: Path | None) -> None:
    plan = planned(path, replies)
    names = ["all", *reading.rendered(plan)]
    steps = [Placed(n, s) for n in names for s in steps_of(n, plan)]
    seen: set[str] = set()
    provided = {what for p in steps for what in p.step.provides}
    for placed in ordered(list(reversed(steps))):
        waits = set(placed.step.needs + placed.step.after) & provided
        assert waits <= seen, placed.step.title
        seen |= set(placed.step.provides)


def test_every_executable_of_a_target_is_named_in_some_step(tmp_path: Path) -> None:
    """But for scripts with a purpose of their own, such as benchmarks, and those that mount on a server that only takes
    over."""
    chosen_by_people = {
        "benchmark-only",
        "progressive-layout.sh",
        "striped-directory.sh",
        "directories.sh",
        "10-collect.sh",
    }
    for path, replies in CASES:
        out = made(path, replies, tmp_path / (replies or path).name)
        text = (out / RUN_BOOK).read_text()
        waiting = text.partition("## Steps that wait\n")[2].partition("\n## ")[0]
        for file in out.rglob("*"):
            parts = file.relative_to(out).parts
            chosen = chosen_by_people & set(parts) or parts[0] == "mount" or f"| {parts[0]} |" in waiting
            if file.suffix in (".sh", ".cli") and not chosen:
                assert file.name in text, file


def test_the_order_for_gpfs() -> None:
    case = next((p, r) for p, r in CASES if (r or p).name == "large+hdmd.yaml")
    plan = planned(*case)
    files = list(rendered(plan).values())
    text = run_book(plan, shipped(), files, ["stanzas", "cluster", "multipath", "me4"], {}).text
    assert steps_in(text) == [
        "Put the arrays into the racks",
        "Put the servers and the switches into the racks",
        "Switch the arrays on",
        "Give the arrays their users, addresses and firmware",
        "Switch on the switches, then the servers",
        "Give the management controllers their addresses, and the servers their firmware",
        "Install the operating system",
        "Bring up the network of the file system",
        "Prepare the servers",
        "Compare each array with the plan",
        "Make the disk groups",
        "Add the spares",
        "Collect the sizes of the disk groups, and render again",
        "Make the volumes",
        "See which hosts are cabled to each array",
        "Map the volumes",
        "Collect the WWIDs of the volumes, and render again",
        "Name the volumes on the servers",
        "Compare the sizes of the volumes",
        "Start multipathd before GPFS",
        "Show the devices to GPFS",
        "Bring the stanzas to the admin node",
        "Form the GPFS cluster scratch",
        "Give the nodes their licences, classes and settings",
        "Start GPFS",
        "Make the 44 NSDs",
        "Make the file system mmfs1",
        "Mount mmfs1",
        "Accept the file system mmfs1",
        "Take a server of each pair away, and give it back",
        "Take the management servers away together, and give them back",
        "Accept the paths to the volumes",
        "Accept the arrays",
        "Stop GPFS everywhere",
        "Switch the servers off, then the arrays",
        "Switch everything on again, and look",
    ]


def test_pacemaker_starts_only_when_nothing_is_mounted_by_hand(tmp_path: Path) -> None:
    """The scripts of `mount` refuse where Pacemaker runs, and `01-cluster-setup.sh` starts it."""
    case = next((p, r) for p, r in CASES if r and r.name == "lustre-me4.observed")
    steps = steps_in((made(*case, tmp_path / "out") / RUN_BOOK).read_text())
    order = [
        "Set up LNet",
        "Check the devices of all targets",
        "Format the targets",
        "Start the targets by hand for the first time",
        "Stop what was started by hand",
        "Set up the clusters",
        "Hand the targets over to Pacemaker",
        "Mount the clients",
        "Fence each server once, before there is data",
        "Set the default layouts",
    ]
    assert [s for s in steps if s in order] == order


def test_what_replies_show_is_done_and_is_not_to_be_repeated(tmp_path: Path) -> None:
    case = next((p, r) for p, r in CASES if r and r.name == "large+hdmd.observed")
    text = (made(*case, tmp_path / "out") / RUN_BOOK).read_text()
    groups = part(text, "Make the disk groups")
    assert "**Done already**" in groups
    assert "**Do not repeat it.**" in groups
    assert "- [x] **sm01a1**" in groups
    assert "- [ ]" not in groups
    nsds = part(text, "Make the 44 NSDs")
    assert "- [ ] **mgmt1**" in nsds
    assert "There is no way back" in nsds
    assert "render again" not in text


def part(text: str, title: str) -> str:
    """A step of a run book, by its title."""
    found = re.search(rf"(?ms)^## [0-9]+\. {re.escape(title)}\n(.*?)(?=^## |\Z)", text)
    assert found, title
    return found[1]


@pytest.mark.parametrize(("path", "replies"), CASES, ids=[(r or p).name for p, r in CASES])
def test_no_open_step_stands_before_a_done_one_that_needs_it(path: Path, replies: Path | None, tmp_path: Path) -> None:
    """A reader who goes from the first open box to the last never restarts a server under a pool that works: a step that
    no reply shows says that its checks come first."""
    text = (made(path, replies, tmp_path / "out") / RUN_BOOK).read_text()
    parts = re.split(r"(?m)^## (?=[0-9]+\. )", text)[1:]
    state = {int(p.partition(".")[0]): "- [ ]" in p and "**Check again**" not in p for p in parts}
    for text_of_step in parts:
        number = int(text_of_step.partition(".")[0])
        needs = re.search(r"(?m)^\| needs \| (.*) \|$", text_of_step)
        assert needs
        if not state[number]:
            before = [int(n) for found in re.findall(r"\(steps? ([0-9, ]+)\)", needs[1]) for n in found.split(", ")]
            assert not any(state[n] for n in before), text_of_step.splitlines()[0]


def test_a_reply_ticks_what_it_shows_and_no_more(tmp_path: Path) -> None:
    """`show volumes` says that volumes were made; who is cabled and what is mapped stand in other replies."""
    case = next((p, r) for p, r in CASES if r and r.name == "large+hdmd.observed")
    text = (made(*case, tmp_path / "out") / RUN_BOOK).read_text()
    assert "- [ ]" not in part(text, "Make the volumes")
    assert "- [x]" not in part(text, "See which hosts are cabled to each array")
    assert "- [x]" not in part(text, "Map the volumes")


def test_replies_of_some_arrays_tick_these_arrays_alone(tmp_path: Path) -> None:
    case = next((p, r) for p, r in CASES if r and r.name == "large+hdmd.observed")
    some = tmp_path / "some"
    some.mkdir()
    for file in case[1].glob("sm01a1.*"):
        (some / file.name).write_bytes(file.read_bytes())
    text = (made(case[0], some, tmp_path / "out") / RUN_BOOK).read_text()
    groups = part(text, "Make the disk groups")
    assert "- [x] **sm01a1**" in groups
    assert "- [ ] **sm01a2**" in groups
    assert "every drive that the commands of the open boxes name" in groups
    assert "sm01a1" not in part(text, "Collect the sizes of the disk groups, and render again")


def test_volumes_that_leave_room_are_expanded_before_they_are_mapped() -> None:
    case = next((p, r) for p, r in CASES if r and r.name == "large+hdmd.observed")
    plan = planned(*case)
    first = plan.volumes[0]
    small = plan._replace(volumes=(first._replace(reported_bytes=first.bytes - 2**40), *plan.volumes[1:]))
    text = run_book(small, shipped(), list(rendered(small).values()), ["me4"], {}).text
    steps = steps_in(text)
    title = "Expand the volumes that are smaller than their groups"
    assert steps.index("Make the volumes") < steps.index(title) < steps.index("Map the volumes")
    assert f"`expand volume size max NAME` for {first.id}" in part(text, title)
    assert title not in steps_in(run_book(plan, shipped(), list(rendered(plan).values()), ["me4"], {}).text)


@pytest.mark.parametrize(("path", "replies"), CASES, ids=[(r or p).name for p, r in CASES])
def test_without_a_target_the_steps_that_need_it_wait(path: Path, replies: Path | None) -> None:
    """Whatever is left out, nothing that destroys comes before what it needs."""
    plan = planned(path, replies)
    files = list(rendered(plan).values())
    names = list(reading.rendered(plan))
    for missing in names:
        targets = [n for n in names if n != missing]
        steps = [s for n in ("all", *targets) for s in steps_of(n, plan)]
        provided = {what for s in steps for what in s.provides}
        stuck = {s.title for s in steps if not provided.issuperset(s.needs)}
        text = run_book(plan, shipped(), files, targets, {missing: Finding("PX610", "no")}).text
        assert not stuck & set(steps_in(text)), missing
        for title in stuck:
            assert f"| {title} |" in text.partition("## Steps that wait\n")[2]


def test_gpfs_makes_no_nsd_where_multipath_is_left_out() -> None:
    case = next((p, r) for p, r in CASES if (r or p).name == "large+hdmd.yaml")
    plan = planned(*case)
    text = run_book(plan, shipped(), list(rendered(plan).values()), ["stanzas", "cluster", "me4"], {}).text
    assert not any(s.startswith(("Make the 44 NSDs", "Make the file system", "Mount")) for s in steps_in(text))
    assert "| Make the 44 NSDs | cluster | devices that every server sees under the planned names |" in text


def test_lnet_is_started_as_its_page_says() -> None:
    case = next((p, r) for p, r in CASES if (r or p).name == "lustre-me4.yaml")
    plan = planned(*case)
    network = lustre(plan).network
    assert network is not None
    for owner in ("lnet_conf", "modprobe"):
        changed = plan._replace(filesystem=lustre(plan)._replace(network=network._replace(owner=owner)))
        page = rendered(changed)["lnet/README.md"].text
        (lnet,) = STEPS["lnet"](changed, shipped())
        assert all(f"`{command}`" in page for command in lnet.commands), owner


@pytest.mark.parametrize("name", ["large+hdmd.yaml", "lustre-me4.yaml"])
def test_the_commands_for_multipath_are_those_of_the_page_in_its_order(name: str) -> None:
    case = next((p, r) for p, r in CASES if (r or p).name == name)
    plan = planned(*case)
    page = next(f.text for path, f in rendered(plan).items() if path.startswith("me4/") and path.endswith("README.md"))
    section = page.partition("## 5. ")[2].partition("\n## ")[0].splitlines()
    commands = STEPS["multipath"](plan, shipped())[0].commands
    assert [line for line in section if line in commands] == list(commands)


def test_a_line_that_asks_for_several_variables_can_be_pasted(tmp_path: Path) -> None:
    """Pasted as several lines, the first `read` would take the second line for its answer."""
    case = next((p, r) for p, r in CASES if r and r.name == "lustre-me4.observed")
    text = (made(*case, tmp_path / "out") / RUN_BOOK).read_text()
    commands = [line.strip() for line in text.splitlines() if line.startswith("    read ")]
    assert len(commands) == 4
    for command in commands:
        names = command.partition("export ")[2].split()
        script = f"{command}\n" + "".join(f'printf "%s;" "${n}"\n' for n in names)
        answers = "".join(f"answer{n}\n" for n in range(len(names)))
        done = subprocess.run(["bash", "-c", script], input=answers, capture_output=True, text=True, check=True)
        assert done.stdout == "".join(f"answer{n};" for n in range(len(names)))


def test_spares_stand_in_no_reply_about_groups(tmp_path: Path) -> None:
    case = next((p, r) for p, r in CASES if r and r.name == "large+hdmd.observed")
    text = (made(*case, tmp_path / "out") / RUN_BOOK).read_text()
    assert "- [ ]" not in part(text, "Make the disk groups")
    assert "- [x]" not in part(text, "Add the spares")
    assert "**sm01a1**: enter each command `add spares`" in part(text, "Add the spares")
    assert "hm01a1" not in part(text, "Add the spares")


def test_a_pool_with_some_volumes_is_not_made_again(tmp_path: Path) -> None:
    """Where the script for volumes was interrupted, the drives hold data already."""
    case = next((p, r) for p, r in CASES if r and r.name == "lustre-powerflex.observed")
    some = tmp_path / "some"
    some.mkdir()
    for file in case[1].iterdir():
        lines = file.read_text().splitlines(keepends=True)
        (some / file.name).write_text(
            "".join(line for line in lines if "ost000f" not in line).replace("19 volumes", "18 volumes")
        )
    out = tmp_path / "out"
    result = CliRunner().invoke(main, ["render", "all", "-c", str(case[0]), "--observed", str(some), "-o", str(out)])
    assert result.exit_code == 0, result.output
    text = (out / RUN_BOOK).read_text()
    for title in ("Install the packages of PowerFlex", "Add the drives to the pool"):
        assert "- [ ]" not in part(text, title)
    assert "- [x]" not in part(text, "Connect the SDCs, and name them"), "one volume shows no SDC but its own"
    volumes = part(text, "Make and map the volumes of PowerFlex")
    assert "- [ ]" in volumes
    assert "No reply shows ost000f" in volumes


FENCED = """\
name: scratch
design: lustre-me4
lustre_version: 2.15.8
storage_modules: [{size: large, data_drive: 8 TB}]
network: {lnet: o2ib, interface: ib0, subnet: 10.10.0.0/24}
fencing: {agent: fence_idrac, subnet: 10.20.0.0/24, second: {agent: fence_sbd, devices: [/dev/disk/by-id/wwn-0x1]}, ring: {subnet: 10.21.0.0/24}}
filesystem: {name: scratch}
"""


def test_what_fencing_asks_for_is_in_the_book(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(FENCED)
    out = tmp_path / "out"
    result = CliRunner().invoke(main, ["render", "all", "-c", str(tmp_path / "a.yaml"), "-o", str(out)])
    assert result.exit_code == 0, result.output
    text = (out / RUN_BOOK).read_text()
    prepared = part(text, "Prepare the servers")
    assert "sbd and the driver of a watchdog, the address 10.21.0.3 on the network of the second link" in prepared
    headers = part(text, "Write the headers of SBD")
    assert "There is no way back" in headers
    assert "`sbd -d DEVICE dump`, on one server" in headers
    assert "`corosync-cfgtool -s`, on each node" in part(text, "Set up the clusters")
    assert "| `pcs stonith sbd status` | `YES`, `YES`, `YES` for every node" in part(text, "Set up the clusters")
    asked = part(text, "Ask every fence device from every server")
    assert [name for name in ("mds01", "mds02", "oss01", "oss02") if f"- [ ] **{name}**" in asked] == [
        "mds01", "mds02", "oss01", "oss02",
    ]  # fmt: skip
    assert (
        part(text, "Fence each server once, before there is data").count("then put it back, and `pcs stonith cleanup`")
        == 4
    )
    steps = steps_in(text)
    order = [
        "Write the headers of SBD",
        "Set up the clusters",
        "Ask every fence device from every server",
        "Hand the targets over to Pacemaker",
    ]
    assert [s for s in steps if s in order] == order


PDUS = """\
agent: fence_apc_snmp, outlets: {mds01: [10.31.0.1/1], mds02: [10.31.0.1/2], oss01: [10.31.0.1/3], oss02: [10.31.0.1/4]}"""


@pytest.mark.parametrize(
    ("second", "community"),
    [("", False), ("agent: fence_sbd, devices: [/dev/disk/by-id/wwn-0x1]", False), (PDUS, True)],
)
def test_what_every_variable_of_the_fence_devices_holds_is_said(second: str, community: bool, tmp_path: Path) -> None:
    request = re.sub(r"second: \{.*?\}, ", f"second: {{{second}}}, " if second else "", FENCED)
    (tmp_path / "a.yaml").write_text(request)
    out = tmp_path / "out"
    result = CliRunner().invoke(main, ["render", "all", "-c", str(tmp_path / "a.yaml"), "-o", str(out)])
    assert result.exit_code == 0, result.output
    text = part((out / RUN_BOOK).read_text(), "Hand the targets over to Pacemaker")
    held = dict(re.findall(r"`(FENCE\w+)` is (.*?)\. ", " ".join(text.split())))
    both = {
        "FENCE_USER": "the user of the management controllers",
        "FENCE_PASSWORD": "the password of the management controllers",
    }
    more = {"FENCE2_COMMUNITY": "the SNMP community, with the right to write, of the PDUs"}
    assert held == both | (more if community else {})
    assert set(re.findall(r"read -r\w+ '(\w+): '", text)) == set(held)


def test_targets_that_are_left_out_are_named_with_the_reason_in_book_and_manifest(tmp_path: Path) -> None:
    case = next((p, r) for p, r in CASES if (r or p).name == "lustre-powerflex.yaml")
    out = made(*case, tmp_path / "out")
    text = (out / RUN_BOOK).read_text()
    left_out = text.partition("## Left out\n")[2].partition("\n## ")[0]
    manifest = json.loads((out / "MANIFEST.json").read_text())
    assert sorted(manifest["left_out"]) == ["ha", "mkfs", "mount"]
    for name, reason in manifest["left_out"].items():
        assert f"| {name} | {reason} | when the volumes exist, collect" in left_out
    assert {f["target"] for f in manifest["files"] if f["path"] == RUN_BOOK} == {"all"}
    assert "| Set the default layouts | striping | clients that have the file system mounted |" in text
    assert "Set the default layouts" not in steps_in(text)


def test_scripts_of_targets_that_are_left_out_now_do_not_stay(tmp_path: Path) -> None:
    """Scripts of the four-server plan would format, on the word of a book of the six-server plan."""
    path, replies = next((p, r) for p, r in CASES if r and r.name == "lustre-powerflex.observed")
    out = made(path, replies, tmp_path / "out")
    scripts = [out / "mkfs", out / "ha", out / "mount"]
    assert all(list(folder.rglob("*.sh")) for folder in scripts)
    other = tmp_path / "other.yaml"
    other.write_text(path.read_text().replace("servers: 4", "servers: 6", 1))
    assert other.read_text() != path.read_text()
    written(other, None, out)
    assert not any(folder.exists() for folder in scripts)
    manifest = json.loads((out / "MANIFEST.json").read_text())
    assert not set(manifest["left_out"]) & set(manifest["targets"])
    folders = {p.name for p in out.iterdir() if p.is_dir()}
    assert folders | {"all"} == set(manifest["targets"])


def test_a_later_target_alone_makes_the_run_book_stale(tmp_path: Path) -> None:
    case = next((p, r) for p, r in CASES if (r or p).name == "large+hdmd.yaml")
    out = made(*case, tmp_path / "out")
    before = (out / RUN_BOOK).read_text()
    same = CliRunner().invoke(main, ["render", "stanzas", "--config", str(case[0]), "-o", str(out)])
    assert (same.exit_code, "PX606" in same.stderr) == (0, False), same.stderr
    other = tmp_path / "other.yaml"
    other.write_text(case[0].read_text().replace("mmfs1", "mmfs2"))
    result = CliRunner().invoke(main, ["render", "stanzas", "--config", str(other), "-o", str(out)])
    assert result.exit_code == 0
    assert f"{RUN_BOOK} was made with other targets" in " ".join(result.stderr.split())
    assert (out / RUN_BOOK).read_text() == before
    assert json.loads((out / "MANIFEST.json").read_text())["stale"] == [RUN_BOOK]
    assert "PX606" not in CliRunner().invoke(main, ["render", "all", "--config", str(case[0]), "-o", str(out)]).stderr


def test_a_ticked_run_book_is_not_written_over(tmp_path: Path) -> None:
    case = next((p, r) for p, r in CASES if (r or p).name == "large+hdmd.yaml")
    out = made(*case, tmp_path / "out")
    ticked = (out / RUN_BOOK).read_text().replace("- [ ]", "- [x]", 1)
    (out / RUN_BOOK).write_text(ticked)
    result = CliRunner().invoke(main, ["render", "all", "--config", str(case[0]), "-o", str(out)])
    assert result.exit_code == 1
    assert "PX602" in result.stderr
    assert (out / RUN_BOOK).read_text() == ticked


def test_single_targets_make_no_run_book(tmp_path: Path) -> None:
    case = next((p, r) for p, r in CASES if (r or p).name == "large+hdmd.yaml")
    result = CliRunner().invoke(main, ["render", "me4", "--config", str(case[0]), "-o", str(tmp_path / "out")])
    assert result.exit_code == 0
    assert not (tmp_path / "out" / RUN_BOOK).exists()


def step(title: str, *, needs: tuple[str, ...] = (), provides: tuple[str, ...] = (), page: str = "") -> Placed:
    made_step = Step(title, (Box("here", "do it", page, 60),), (Look("look", "shows"),), needs=needs, provides=provides)
    return Placed("me4", made_step)


def test_a_need_waits_for_every_step_that_provides_it() -> None:
    steps = [
        step("last", needs=("x",)),
        step("one", provides=("x",)),
        step("two", needs=("y",), provides=("x",)),
        step("first", provides=("y",)),
    ]
    assert [p.step.title for p in ordered(steps)] == ["one", "first", "two", "last"]


def test_steps_that_wait_for_each_other_are_a_bug() -> None:
    steps = [step("a", needs=("x",), provides=("y",)), step("b", needs=("y",), provides=("x",))]
    with pytest.raises(ValueError, match="wait for each other: a, b"):
        ordered(steps)


@pytest.mark.parametrize("page", ["me4/none.md", "me4/sm01a1/README.md#9. None"])
def test_a_link_that_leads_nowhere_is_a_bug(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = next((p, r) for p, r in CASES if (r or p).name == "large+hdmd.yaml")
    plan = planned(*case)
    monkeypatch.setitem(STEPS._loaded, "me4", lambda *_: (step("s", page=page).step,))
    with pytest.raises(ValueError, match=r"not rendered|no section"):
        run_book(plan, shipped(), [File("me4/sm01a1/README.md", "## 1. One\n")], ["me4"], {})


def test_every_target_has_its_steps() -> None:
    assert set(STEPS) == set(RENDERERS)


def test_a_reason_cannot_end_a_cell() -> None:
    case = next((p, r) for p, r in CASES if (r or p).name == "large+hdmd.yaml")
    plan = planned(*case)
    finding = Finding("PX610", "a | b\n## c", hint="d\ne")
    text = run_book(plan, shipped(), [], [], {"mkfs": finding}).text
    assert "| mkfs | a \\| b ## c | d e |" in text


@pytest.mark.parametrize(("server", "line"), [("sm01n2", "33 lines"), ("mgmt01", "1 line")])
def test_a_device_is_named_at_its_own_server_alone(server: str, line: str, tmp_path: Path) -> None:
    """nsddevices prints a device only where it is."""
    path = next(p for p, _ in CASES if p.name == "large+hdmd.yaml")
    request = tmp_path / "a.yaml"
    words = f"{{server: {server}, device: /dev/disk/by-id/scsi-abc}}"
    request.write_text(path.read_text().replace("filesystem:\n", f"filesystem:\n  descriptor: {words}\n"))
    shown = part((made(request, None, tmp_path / "out") / RUN_BOOK).read_text(), "Show the devices to GPFS")
    (box,) = [row for row in shown.splitlines() if "scsi-abc" in row]
    assert box.startswith(f"- [ ] **{server}**: ")
    assert f"{line}: " in box
    assert "32 lines: `mapper/NAME dmm` for 32 volumes" in next(r for r in shown.splitlines() if "**sm01n1**" in r)


def test_book_and_stanza_file_give_one_limit_of_inodes() -> None:
    path = next(p for p, _ in CASES if p.name == "large+hdmd.yaml")
    plan = planned(path, None)
    files = rendered(plan)
    text = run_book(plan, shipped(), list(files.values()), ["stanzas", "cluster", "multipath", "me4"], {}).text
    low = int(estimate(plan, shipped())[0]["files.max"].low)
    assert f"For fewer files than {low}, the low end" in part(text, "Make the file system mmfs1").replace("\n", " ")
    assert f"at most {low}, the low # end" in files["stanzas/nsd.stanza"].text.replace("\n", " ")


def test_a_check_names_nothing_that_is_not_there(tmp_path: Path) -> None:
    """Codes that `render all` does not print, rows that a plan does not have, links of steps without any."""
    for path, replies in CASES:
        text = (made(path, replies, tmp_path / (replies or path).name) / RUN_BOOK).read_text()
        assert "PX611" not in text
        assert "The linked page says" not in text
        if "Set the document's settings" in steps_in(text):
            settings = part(text, "Set the document's settings")
            assert ("of the other names" in settings) == ("`obdfilter.`" in settings)
            assert ("of the names that the script prints" in settings) != ("`obdfilter.`" in settings)


def test_drivers_of_clients_wait_for_the_clients() -> None:
    path = next(p for p, _ in CASES if p.name == "lustre-powerflex.yaml")
    steps = {s.title: s for s in STEPS["tuning"](planned(path, None), shipped())}
    assert steps["Set the options of the driver hfi1 on the clients"].needs == (CLIENTS,)
    assert steps["Set the options of the driver hfi1 on the servers"].needs == (PREPARED,)
