"""The steps on site around the cluster: racks, power, operating system, network, the tests at the end, off and on."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from functools import cache
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from pixsize.cli import main
from pixsize.figures import Figure
from pixsize.plan.networks import devices_of
from pixsize.plan.records import Plan
from pixsize.products.scale.plan import scale, server_of
from pixsize.products.scale.render.acceptance_steps import steps as acceptance
from pixsize.products.scale.render.cluster import view
from pixsize.products.scale.render.prepare import steps as before
from pixsize.products.scale.render.rest_steps import steps as rest
from pixsize.products.scale.render.site_steps import steps as on_site
from pixsize.products.scale.request import ScaleRequest
from pixsize.render import STEPS
from pixsize.render.run_book import Placed, ordered
from pixsize.render.steps import Step
from pixsize.resources import folder
from tests.products import reading
from tests.products.test_examples import plan_of
from tests.scale.host_plans import planned, request
from tests.support.programs import tool
from tests.support.running import catalog, make

WHOLE = "full-pixstor.yaml"


@cache
def book(name: str = WHOLE, without: str = "bench") -> dict[str, Step]:
    """Every step of an example by its title, in the order of its run book: those of all targets but one."""
    plan = plan_of(name)
    placed = [Placed("all", s) for s in on_site(plan, catalog())]
    placed += [Placed(t, s) for t in reading.rendered(plan) if t != without for s in STEPS[t](plan, catalog())]
    return {p.step.title: p.step for p in ordered(placed)}


def shows(step: Step, run: str) -> str:
    """What the first check must show whose command begins so."""
    return next(look.shows for look in step.looks if look.run.startswith(f"`{run}"))


def titles(*wanted: str) -> list[str]:
    return [title for title in book() if title in wanted]


def test_from_the_pallet_to_the_last_test() -> None:
    """Expansions and controllers, addresses, then switches and servers; no server starts before its array."""
    order = [
        "Put the arrays into the racks",
        "Put the servers and the switches into the racks",
        "Label the cables and plug them in",
        "Switch the arrays on",
        "Give the arrays their users, addresses and firmware",
        "Switch on the switches, then the servers",
        "Give the management controllers their addresses, and the servers their firmware",
        "Install the operating system",
        "Give the servers their names and the time",
        "Bring up the network of the file system",
        "Form the GPFS cluster campus",
        "Write the first file to mmfs1",
        "Publish the name of the gateways",
        "Move a file to each target and back",
        "Accept the file system mmfs1",
        "Take a server of each pair away, and give it back",
    ]
    assert titles(*order) == order


def test_tests_come_after_all_that_is_built_and_before_the_way_down() -> None:
    steps = list(book())
    tests = [n for n, title in enumerate(steps) if title.startswith(("Accept ", "Take "))]
    assert len(tests) == 7
    assert tests == list(range(tests[0], tests[-1] + 1))
    down = ["Stop the services of the gateways", "Stop Ngenea", "Stop GPFS everywhere", "Stop the NVMe tier"]
    off = ["Switch the servers off, then the arrays", "Switch everything on again"]
    back = ["See the NVMe tier again", "Start Ngenea again", "Look at the file system that is on again"]
    assert steps[tests[-1] + 1 :] == [*down, *off, *back]


def test_benchmarks_come_after_all_tests_and_the_way_up_again() -> None:
    steps = list(book(without=""))
    assert steps[:-3] == list(book())
    assert steps[-3:] == [
        "Look for a slow client, server or target",
        "Measure what the plan promises",
        "Judge the results",
    ]


def test_on_again_begins_with_what_the_file_system_lies_on() -> None:
    """The servers with volumes of their own before all others; disks that came late are seen and started before a mount."""
    on, tier, last = (book()[t] for t in list(book())[-4:] if t != "Start Ngenea again")
    assert [box.where for box in on.boxes] == ["the arrays", "the switches", "nvme1, nvme2", "the other servers"]
    assert "mmnsddiscover -a -N nvme1,nvme2" in tier.looks[1].shows
    asked = [look.run.split()[0] for look in last.looks]
    assert asked.index("`mmlsdisk") < asked.index("`mmlsmount")
    assert "detached" not in str(book()["Stop the NVMe tier"].boxes)


def test_a_system_of_arrays_alone_is_switched_on_in_one_step() -> None:
    assert list(book("large+hdmd.yaml"))[-1] == "Switch everything on again, and look"


def test_the_devices_in_the_racks_are_those_of_the_plan() -> None:
    made = plan_of(WHOLE)
    enclosures = sum(len(a.enclosures) for a in made.arrays)
    devices = enclosures + len(made.servers) + len(made.switches)
    racked = book()["Put the servers and the switches into the racks"]
    assert sum(int(box.where.partition(" ")[0]) for box in racked.boxes) == devices - enclosures
    units: Figure = make_figures()["hardware.rack_units"]
    assert f"{devices} in {units.value} rack units" in " ".join(look.shows for look in racked.looks)
    boxes = {box.where: box.do for box in book()["Put the arrays into the racks"].boxes}
    assert boxes["sm01a1"] == "the PowerVault ME4084, 5 rack units and the PowerVault ME484, 5 rack units; its drives"
    assert boxes["hm01a1"] == "the PowerVault ME4024, 2 rack units; its drives"
    assert len(boxes) == len(made.arrays)


@cache
def make_figures() -> dict[str, Figure]:
    from pixsize.estimate.make import estimate

    return dict(estimate(plan_of(WHOLE), catalog(), by_threads=False)[0])


def test_expansions_get_power_before_the_controllers() -> None:
    (box, *_) = book()["Switch the arrays on"].boxes
    assert re.search("ME484 first, .*ME4084 with the controllers", box.do)


def test_arrays_have_addresses_before_the_servers_and_nobody_has_the_factory_s() -> None:
    """Every factory array has 10.0.0.2 and 10.0.0.3, which lie in the subnet of the management."""
    made = plan_of(WHOLE)
    given = {server_of(s).management for s in made.servers} | {address for _, address in devices_of(made)}
    assert "10.0.0.4" in given
    assert not given & {"10.0.0.2", "10.0.0.3"}
    step = book()["Give the arrays their users, addresses and firmware"]
    assert "One array at a time" in step.text[0]
    assert titles(step.title, "Install the operating system")[0] == step.title


def test_versions_are_those_of_the_document() -> None:
    """Table 1 of document dell-pixstor-6."""
    installed, networked = book()["Install the operating system"], book()["Bring up the network of the file system"]
    assert "Red Hat Enterprise Linux 8.4" in installed.text[0]
    assert shows(installed, "uname -r").startswith("`4.18.0-305.12.1.el8_4.x86_64`")
    assert "3 x 480 GB SSD" in installed.boxes[0].do
    assert "PERC H345" in installed.boxes[0].do
    assert installed.destroys
    assert "5.4-1.0.3.0" in networked.text[0]
    controllers = book()["Give the management controllers their addresses, and the servers their firmware"]
    assert "OpenManage 10.0.1-4517" in " ".join(controllers.text)


def test_controllers_and_servers_have_the_addresses_of_the_plan() -> None:
    made = plan_of(WHOLE)
    controllers = book()["Give the management controllers their addresses, and the servers their firmware"]
    installed, networked = book()["Install the operating system"], book()["Bring up the network of the file system"]
    for step, address_of in (
        (controllers, lambda s: server_of(s).bmc),
        (installed, lambda s: server_of(s).management),
        (networked, lambda s: s.address),
    ):
        found = {box.where: re.findall(r"address ([0-9.]+)", box.do) for box in step.boxes}
        found = {where: address for where, address in found.items() if where not in {s.id for s in made.switches}}
        assert found == {s.id: [address_of(s)] for s in made.servers}, step.title


@pytest.mark.parametrize(
    ("fabric", "link", "run", "shown"),
    [
        ("infiniband-hdr", "hdr", "ibstat", "Rate: 200,"),
        ("infiniband-hdr", "hdr100", "ibstat", "Rate: 100,"),
        ("ethernet-200", "200gbe", "ethtool", "Speed: 200000Mb/s"),
        ("ethernet-100", "100gbe", "ethtool", "Speed: 100000Mb/s"),
    ],
)
def test_links_have_the_rate_of_the_network(fabric: str, link: str, run: str, shown: str) -> None:
    steps = {s.title: s for s in on_site(planned(fabric=fabric, link=link), catalog())}
    assert shown in shows(steps["Bring up the network of the file system"], run)
    switched = steps["Switch on the switches, then the servers"]
    assert any("subnet manager" in look.shows for look in switched.looks) == (run == "ibstat")


@pytest.mark.parametrize(
    ("fabric", "kind", "bond"),
    [
        ("infiniband-hdr", "infiniband", "mode=active-backup,miimon=100,fail_over_mac=active"),
        ("ethernet-100", "ethernet", "mode=802.3ad,miimon=100,xmit_hash_policy=layer3+4"),
    ],
)
def test_the_interface_to_the_file_system_is_made_of_both_adapters(fabric: str, kind: str, bond: str) -> None:
    network = planned(fabric=fabric, subnet="10.10.0.0/22")
    step = next(s for s in on_site(network, catalog()) if s.title == "Bring up the network of the file system")
    assert f"ifname bond0 bond.options {bond} ipv4.method manual ipv4.addresses ADDRESS/22" in step.commands[0]
    assert [c.split()[4] for c in step.commands[1:3]] == [kind, kind]
    assert "10.10.0.0/22 (netmask 255.255.252.0)" in " ".join(step.text)


def test_each_step_that_gives_addresses_tells_mask_and_router() -> None:
    """Those of full-pixstor: 10.0.0.1 and 10.0.1.1 are the routers of its networks."""
    management, bmc = "10.0.0.0/24 (netmask 255.255.255.0), its router 10.0.0.1", "10.0.1.0/24 (netmask 255.255.255.0)"
    for title, told in (
        ("Switch on the switches, then the servers", management),
        (
            "Give the management controllers their addresses, and the servers their firmware",
            f"{bmc}, its router 10.0.1.1",
        ),
        ("Install the operating system", management),
        ("Bring up the network of the file system", "10.10.0.0/24 (netmask 255.255.255.0)"),
    ):
        assert told in " ".join(book()[title].text), title
    arrays = book()["Give the arrays their users, addresses and firmware"].commands
    assert arrays[-1].endswith("controller a ip ADDRESS netmask 255.255.255.0 gateway 10.0.0.1")


def test_without_the_target_hosts_the_book_says_how_servers_get_their_names() -> None:
    for name, told in ((WHOLE, False), ("gateways.yaml", True), ("ethernet.yaml", True), ("nvme-tier.yaml", True)):
        step = book(name)["Bring up the network of the file system"]
        assert any("The target `hosts` is left out" in text for text in step.text) is told, name
        assert any(look.run.startswith("`getent ahostsv4") for look in step.looks) is told, name


def test_a_bond_that_is_entered_again_is_told_about() -> None:
    """nmcli adds a second connection of the same name without a word."""
    for step in book().values():
        if any(command.startswith("nmcli connection add") for command in step.commands):
            assert "nmcli connection delete" in " ".join(step.text), step.title


def test_a_bond_is_not_called_like_the_one_that_leads_outwards() -> None:
    data = book()["Bring up the network of the file system"].commands[0]
    for title in (
        "Make the gateways' interface towards the clients",
        "Make the Ngenea nodes' interface towards the targets",
    ):
        assert data.split()[6] != book()[title].commands[0].split()[6]


# Numbers of the plan in the tests


def test_what_must_be_seen_is_the_plan() -> None:
    """Known answers of full-pixstor: 8 arrays of 16 groups, 2 of 12, 8 volumes of the tier; 14 servers, 32 clients."""
    step = book()["Accept the file system mmfs1"]
    assert shows(step, "mmgetstate -a") == "46 nodes `active`"
    assert shows(step, "mmlsnsd -m").startswith("160 NSDs")
    assert shows(step, "mmlscluster") == "quorum nodes: sm01n1, sm01n2, sm02n1, hm01n1, mgmt1; no other"
    firsts = dict(re.findall(r"(\w+) (\d+)", shows(step, "mmlsdisk mmfs1 -m").partition(": ")[2]))
    assert firsts == dict.fromkeys(("sm01n1", "sm01n2", "sm02n1", "sm02n2"), "32") | dict.fromkeys(
        ("hm01n1", "hm01n2"), "12"
    ) | dict.fromkeys(("nvme1", "nvme2"), "4")
    assert shows(step, "mmlsdisk mmfs1 -L") == (
        "128 dataOnly in data, 24 metadataOnly in system, 8 dataOnly in nvme; failure groups of metadata: 1, 2"
    )
    assert "15.98 TB (nvme)" in shows(step, "mmdf")
    assert shows(step, "mmlspool") == "data, system, nvme, each with blocks of 8M"
    assert shows(step, "mmlsfs").endswith("-B 8M -i 4096 -j scatter -m 2 -M 2 -r 1 -R 2 -z yes")
    assert "management_servers" in shows_run(step, "mmfsadm")


def shows_run(step: Step, run: str) -> str:
    return next(look.run for look in step.looks if look.run.startswith(f"`{run}"))


@pytest.mark.parametrize("name", ["large+hdmd.yaml", "nvme-tier.yaml", "mix.yaml"])
def test_counts_add_up(name: str) -> None:
    made = plan_of(name)
    step = book(name)[f"Accept the file system {scale(made).name}"]
    firsts = re.findall(r"\w+ (\d+)", shows(step, f"mmlsdisk {scale(made).name} -m").partition(": ")[2])
    assert sum(map(int, firsts)) == len(made.targets)
    uses = re.findall(r"(\d+) \w+Only in", shows(step, f"mmlsdisk {scale(made).name} -L"))
    assert sum(map(int, uses)) == len(made.targets)


def test_every_pair_that_serves_loses_a_server_once() -> None:
    made = plan_of(WHOLE)
    step = book()["Take a server of each pair away, and give it back"]
    taken = [box.where for box in step.boxes]
    for servers in {t.servers for t in made.targets}:
        assert len(set(servers) & set(taken)) == 1, servers
    pools = {box.where: re.findall("pool `([a-z]+)`", box.do) for box in step.boxes}
    assert pools == {"sm01n1": ["data"], "sm02n1": ["data"], "hm01n1": [], "nvme1": ["nvme"]}


def accepted_of(plan: Plan) -> dict[str, Step]:
    return {s.title: s for s in acceptance(plan, view(plan, catalog()), catalog())}


PAIR = "Take the management servers away together, and give them back"


def test_a_pair_is_taken_away_where_the_votes_allow_it() -> None:
    assert PAIR in accepted_of(planned())
    told = " ".join(accepted_of(planned())[PAIR].text)
    assert "any one of these pairs: management. It stops with sm01." in told
    told = " ".join(book()[PAIR].text)
    assert "sm01, sm02, hm01, management." in told
    assert "It stops" not in told


def test_a_pair_that_serves_the_descriptor_stays() -> None:
    for server in ("mgmt1", "mgmt2.example.org"):
        words: Any = {"server": server, "device": "/dev/disk/by-id/scsi-desc"}
        assert PAIR not in accepted_of(planned(descriptor=words)), server


def test_a_pair_whose_loss_leaves_no_majority_stays() -> None:
    made = planned()
    voting = tuple(
        s._replace(own=server_of(s)._replace(quorum=s.role == "management" or s.id == "sm01n1")) for s in made.servers
    )
    assert PAIR not in accepted_of(made._replace(servers=voting))


def test_paths_are_two_a_volume_and_server() -> None:
    made = plan_of(WHOLE)
    step = book()["Accept the paths to the volumes"]
    found = {box.where: int(box.do.partition(" ")[0]) for box in step.boxes if "paths" in box.do}
    on_arrays = [t for t in made.targets if t.volume and any(v.id == t.volume and v.array for v in made.volumes)]
    assert found == {s: 2 * n for s, n in Counter(s for t in on_arrays for s in t.servers).items()}
    assert all(" | grep" in look.run for look in step.looks if "grep" in look.run)


def test_arrays_are_accepted_with_their_own_numbers() -> None:
    boxes = {box.where: box.do for box in book()["Accept the arrays"].boxes}
    assert boxes["sm01a1"] == ("16 groups of RAID 6; 16 volumes: 8 of controller A and 8 of controller B; 8 spares")
    assert boxes["hm01a1"].endswith("; no spare")


def test_mirrors_without_a_third_target_may_go_offline() -> None:
    pixstor = {"name": "lab", "design": "pixstor-6", "storage_modules": [{"size": "small", "data_drive": "8 TB"}]}
    for arbiter, warned in (({}, True), ({"arbiter": {"server": "mgmt2", "drive": "1.6 TB"}}, False)):
        words = pixstor | {"filesystem": {"name": "fs1"}, "nvme": {"pairs": 1, "drive": "1.6 TB"} | arbiter}
        steps = {s.title: s for s in STEPS["nvmesh"](make(words).plan, catalog())}
        looks = steps["Accept the mirrors of the NVMe tier"].looks
        assert any("PX623" in look.shows for look in looks) == warned


def test_gateways_are_tried_by_each_protocol() -> None:
    step = book()["Accept the gateways: SMB and NFS"]
    runs = " ".join(look.run for look in step.looks)
    assert r"`\\files.example.org\mmfs1`" in runs
    assert "`mount -t nfs -o vers=3 files.example.org:/mmfs1 /mnt`" in runs
    assert "ctdb ip" in runs


# Off and on


def test_every_server_and_array_goes_off_servers_first() -> None:
    made = plan_of(WHOLE)
    off = book()["Switch the servers off, then the arrays"]
    places = [box.where for box in off.boxes]
    servers, arrays = [s.id for s in made.servers], [a.id for a in made.arrays]
    assert sorted(places[: len(servers)]) == sorted(servers)
    assert places[len(servers) : -1] == arrays
    stopped = next(s for s in rest(made, view(made, catalog()), catalog()) if s.title == "Stop GPFS everywhere")
    assert stopped.commands == ("mmumount mmfs1 -a", "mmshutdown -a")


def test_no_step_of_the_tests_destroys() -> None:
    steps = list(book().values())
    first = next(n for n, step in enumerate(steps) if step.title.startswith("Accept "))
    assert not any(step.destroys for step in steps[first:])


def test_a_site_without_addresses_reads_that_they_are_its_own() -> None:
    steps = {s.title: s for s in on_site(make(request() | {"network": {"fabric": "ethernet-200"}}).plan, catalog())}
    controllers = steps["Give the management controllers their addresses, and the servers their firmware"]
    assert "an address of the site" in controllers.boxes[0].do
    assert "network: {bmc:" in controllers.text[0]


def test_the_first_server_of_each_nsd_is_counted() -> None:
    made = planned()
    first, *others = made.targets
    turned = made._replace(targets=(first._replace(servers=first.servers[::-1]), *others))
    (step,) = (s for title, s in accepted_of(turned).items() if title.startswith("Accept"))
    counts = Counter(t.servers[0] for t in turned.targets)
    assert len(set(counts.values())) > 1
    found = re.findall(r"(sm\w+) (\d+)", shows(step, "mmlsdisk labfs -m"))
    assert {server: int(count) for server, count in found} == counts


@pytest.mark.parametrize(("name", "twice"), [(WHOLE, True), ("pixstor-5-medium.yaml", False)])
def test_a_server_with_one_adapter_has_no_second_cable(name: str, twice: bool) -> None:
    step = book(name)["Bring up the network of the file system"]
    assert ("outlives the loss of one of its two adapters" in step.text[0]) == twice
    assert ("Servers with one adapter" in step.text[0]) != twice
    assert any("either cable" in look.run for look in step.looks) == twice


def test_controllers_of_arrays_and_switches_have_the_addresses_of_the_plan() -> None:
    made = plan_of(WHOLE)
    boxes = {box.where: box.do for box in book()["Give the arrays their users, addresses and firmware"].boxes}
    for array in made.arrays:
        a, b = array.addresses
        assert f"{a} for controller A and {b} for controller B" in boxes[array.id]
    switched = {box.where: box.do for box in book()["Switch on the switches, then the servers"].boxes}
    assert all(f"address {switch.address}," in switched[switch.id] for switch in made.switches)
    bare = {s.title: s for s in STEPS["me4"](planned(management=None), catalog())}
    assert "addresses of the site" in bare["Give the arrays their users, addresses and firmware"].boxes[0].do


def test_a_firewall_between_the_nodes_lets_the_commands_through() -> None:
    """The range that the settings give to commands is the one that the step opens."""
    for name in (WHOLE, "large.yaml"):
        (step,) = (s for s in before(plan_of(name), catalog()) if s.title == "Prepare the servers")
        text = " ".join(step.text)
        assert "TCP 1191 (GPFS daemons), 22 (ssh) and 60000-61000 (commands" in text


def test_rdma_is_looked_at_on_every_node_that_has_it() -> None:
    looks = [look.run for look in book()["Accept the file system mmfs1"].looks]
    (verbs,) = (run for run in looks if "verbs status" in run)
    assert verbs.endswith("nvme_servers, management_servers and on gw1, gw2, ng1, ng2")


def test_switches_that_show_themselves_as_hosts_are_not_counted() -> None:
    """A switch with SHARP lists its aggregation node among the hosts, or does not: the number is that of cables in both."""
    (run,) = (look.run for look in book()["Bring up the network of the file system"].looks if "ibhosts" in look.run)
    command = run.partition("`")[2].rpartition("`")[0].removeprefix("ibhosts | ")
    hosts = [f'Ca : 0x00 ports 1 "sm0{n} mlx5_0"' for n in range(28)]
    switches = ['Ca : 0x01 ports 1 "Mellanox Technologies Aggregation Node"'] * 2
    for listed in (hosts, hosts + switches):
        done = subprocess.run(
            [tool("bash"), "-c", command], input="\n".join(listed), capture_output=True, text=True, check=True
        )
        assert done.stdout == "28\n"


def test_the_whole_system_has_every_part_that_can_be_asked_for() -> None:
    """Each word of a request that adds a part is in the example, and its report names the part."""
    made = plan_of(WHOLE)
    given = yaml.safe_load((folder("examples") / WHOLE).read_text())
    optional = {name for name, field in ScaleRequest.model_fields.items() if not field.is_required()}
    assert optional - set(given) <= {"accept", "description"}
    assert given["cluster"]["clients"]
    assert given["management"] == {"search": True, "monitoring": True}
    said = CliRunner().invoke(main, ["plan", "--long", "--config", str(folder("examples") / WHOLE)]).stdout
    assert "search on mgmt1, mgmt2; monitoring and analytics on" in said
    assert f"{len(scale(made).clients)} clients" in " ".join(said.split())
    assert {"Install the search, by the vendor's guide", "Prepare the clients"} <= {
        step.title
        for name in ("cluster", "all")
        for step in (before(made, catalog()) if name == "all" else STEPS[name](made, catalog()))
    }


def test_clients_that_stayed_on_are_started_by_hand() -> None:
    """mmshutdown -a stops GPFS on them too, and it starts by itself with the node alone."""
    last = {name: list(book(name).values())[-1] for name in ("clients.yaml", WHOLE, "large.yaml")}
    asked = {name: "`mmstartup -N clients` first" in shows(step, "mmgetstate -a") for name, step in last.items()}
    assert asked == {"clients.yaml": True, WHOLE: True, "large.yaml": False}
