"""What Pacemaker is told of a plan: clusters, agents, addresses and run books, and what forbids them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pixsize.load import load_request
from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.plan.records import Plan
from pixsize.products.lustre.ha_records import HaPolicy
from pixsize.products.lustre.plan import Network, server_of
from pixsize.products.lustre.render.ha import POLICY, clusters
from pixsize.render import RENDERERS
from pixsize.resources import folder
from tests.lustre.ha_support import SCRIPTS, text_of
from tests.lustre.lustre_plan import (
    NEW,
    catalog,
    me4_plan,
    of_scale,
    powerflex_plan,
    settings,
    with_outlets,
    with_ring,
    with_sbd,
    without,
)
from tests.lustre.render_lustre import clean_script
from tests.support.changing import replace

HA = RENDERERS["ha"]
PLANS = {
    "me4": me4_plan(),
    "new": me4_plan(release=NEW),
    "combined": me4_plan(combined=True, pairs=2),
    "ring": powerflex_plan(3),
    "five": powerflex_plan(5, release=NEW),
    "outlets": with_ring(with_outlets(me4_plan(release=NEW))),
    "sbd": with_sbd(powerflex_plan(3)),
    "one disk": settings(with_sbd(me4_plan()), sbd_devices=("/dev/disk/by-id/wwn-0x600c0ff000sbd1",)),
    "modprobe": settings(me4_plan(), network=Network("o2ib", "ib0", owner="modprobe")),
}


@pytest.mark.real
@pytest.mark.parametrize("given", PLANS.values(), ids=PLANS)
def test_scripts_are_clean_and_texts_plain(given: Plan, tmp_path: Path) -> None:
    files = HA.files(given, catalog())
    assert [f.path for f in files] == [f"ha/{c.id}/{name}" for c in clusters(given) for name in (*SCRIPTS, "README.md")]
    for file in files:
        assert file.text.isascii()
        assert file.executable == file.path.endswith(".sh")
        if file.executable:
            clean_script(file.text, tmp_path)


@pytest.mark.parametrize(
    "given, wanted",
    [
        ("me4", {"mm01": "mds01 mds02", "sm01": "oss01 oss02"}),
        ("combined", {"mm01": "mds01 mds02", "mm02": "mds03 mds04", "sm01": "oss01 oss02"}),
        ("ring", {"mds-ha01": "mds01 mds02", "oss-ha01": "oss01 oss02 oss03"}),
        ("five", {"mds-ha01": "mds01 mds02", "oss-ha01": "oss01 oss02", "oss-ha02": "oss03 oss04 oss05"}),
    ],
)
def test_servers_that_share_targets_are_a_cluster(given: str, wanted: dict[str, str]) -> None:
    found = clusters(PLANS[given])
    assert {c.id: " ".join(s.id for s in c.servers) for c in found} == wanted
    assert sorted(t.id for c in found for t in c.targets) == sorted(t.id for t in PLANS[given].targets)
    assert all(set(t.servers) <= {s.id for s in c.servers} for c in found for t in c.targets)


def test_no_file_holds_a_secret() -> None:
    """Words of pcs, and variables; no value."""
    words = {"password=passwd", "password=password", 'password=${FENCE_PASSWORD}"'}
    for file in HA.files(PLANS["new"], catalog()):
        assert set(re.findall(r"(?i)\b(?:passwd|password)=\S+", file.text)) <= words | {
            "HACLUSTER_PASSWORD=...",
            "FENCE_PASSWORD=...",
        }


def test_the_agent_is_that_of_the_release() -> None:
    """Lustre's own came with 2.12, and takes a set of mount options for one target only."""
    old, new = (text_of(PLANS[p], "ha/sm01/02-resources.sh") for p in ("me4", "new"))
    first = "device=/dev/mapper/sm01a1_data01 directory=/lustre/scratch-OST0000 fstype=lustre fast_stop=no"
    assert f' resource create scratch-OST0000 ocf:heartbeat:Filesystem {first} options=max_sectors_kb=1024 "$' in old
    first = "target=/dev/mapper/sm01a1_data01 mountpoint=/lustre/scratch-OST0000"
    assert f' resource create scratch-OST0000 ocf:lustre:Lustre {first} "$' in new


def test_each_address_is_the_planned_one() -> None:
    text = text_of(PLANS["five"], "ha/oss-ha02/02-resources.sh")
    found = re.findall(r'fence-(\S+) fence_idrac \\\s+"\$address=(\S+)"', text)
    assert found == [("oss03", "10.30.0.5"), ("oss04", "10.30.0.6"), ("oss05", "10.30.0.7")]


def book(given: Plan, cluster: str) -> str:
    return text_of(given, f"ha/{cluster}/README.md")


def test_the_run_book_says_who_comes_first() -> None:
    assert "it comes before all others" in book(PLANS["me4"], "mm01")
    assert "it comes before all others" in book(PLANS["combined"], "mm01")
    for given, cluster in (("combined", "mm02"), ("me4", "sm01"), ("ring", "oss-ha01")):
        assert "Only when the MGS and MDT0000 have started" in book(PLANS[given], cluster)


def test_lnet_comes_up_as_its_owner_has_it() -> None:
    """With options of modprobe the service lnet is off, and a unit of our own loads the modules."""
    by_service, by_modules = "`systemctl start lnet`, then", "`modprobe lustre`, then"
    for owner, said, unsaid in (("lnet_conf", by_service, by_modules), ("modprobe", by_modules, by_service)):
        text = book(settings(PLANS["me4"], network=Network("o2ib", "ib0", owner=owner)), "sm01")
        assert said in text
        assert unsaid not in text


def test_the_run_book_says_who_notices_a_lost_storage() -> None:
    """Two agents from 2.12 on; before, somebody has to watch."""
    new, old = book(PLANS["new"], "sm01"), book(PLANS["me4"], "sm01")
    for text in (new, old):
        assert "**Loss of storage alone does not move a target.**" in text
    assert "none of 10.10.0.1@o2ib, 10.10.0.2@o2ib answers `lctl ping`" in new
    assert "`lctl get_param health_check` does not say `healthy`" in new
    assert "This release of Lustre ships no agents that notice" not in new
    assert "This release of Lustre ships no agents that notice" in old
    assert "pingd" not in old


@pytest.mark.parametrize(
    "given, cluster", [("new", "mm01"), ("new", "sm01"), ("five", "oss-ha02"), ("five", "mds-ha01")]
)
def test_lnet_is_tried_with_servers_outside_of_the_cluster(given: str, cluster: str) -> None:
    """Several, so that one that is off decides nothing; each server of the cluster would reach itself."""
    text = text_of(PLANS[given], f"ha/{cluster}/02-resources.sh")
    (hosts,) = re.findall(r'"host_list=([^"]*)"', text)
    own = {n for c in clusters(PLANS[given]) if c.id == cluster for s in c.servers for n in server_of(s).nids}
    others = {n for s in PLANS[given].servers for n in server_of(s).nids} - own
    assert set(hosts.split()) <= others
    assert 2 <= len(hosts.split()) == len(set(hosts.split())) <= 4


def test_the_hosts_that_are_tried_are_of_several_groups() -> None:
    plan = me4_plan(release=NEW, pairs=3)
    text = text_of(plan, "ha/mm01/02-resources.sh")
    (hosts,) = re.findall(r'"host_list=([^"]*)"', text)
    names = {n: s.id for s in plan.servers for n in server_of(s).nids}
    assert [names[h] for h in hosts.split()] == ["mds03", "mds05", "oss01", "mds04"]


def test_the_run_book_names_levels_links_and_ports() -> None:
    plain, two = book(PLANS["me4"], "sm01"), book(PLANS["outlets"], "sm01")
    assert "**which loses power with the server**" in plain
    assert "**which loses power with the server**" not in two
    assert "| fence2-oss01.2 | `fence_apc_snmp` | outlet 3 of 10.31.0.2 | oss01 |" in two
    assert "read -rsp 'FENCE2_COMMUNITY: ' FENCE2_COMMUNITY" in two
    assert "oss01 10.40.0.3, oss02 10.40.0.4" in two
    assert "corosync-cfgtool -s" in two
    assert "corosync-cfgtool -s" not in plain
    sbd = book(PLANS["sbd"], "oss-ha01")
    assert "**destroys what is on it**: `sbd -d DEVICE -1 60 -4 120 create`" in sbd
    assert "several clusters may share a device" in sbd
    assert "**No file here makes the devices of SBD**" in sbd
    assert "sbd -d" not in two
    assert (
        "wwn-0x600c0ff000sbd1,/dev/disk/by-id/wwn-0x600c0ff000sbd2,/dev/disk/by-id/wwn-0x600c0ff000sbd3 | oss01 |"
        in sbd
    )
    for text in (plain, two, sbd):
        assert "UDP 5404 to 5412" in text
        assert "TCP 2224 (pcsd)" in text


def test_outlets_and_addresses_that_a_shell_could_misread_never_reach_it() -> None:
    given = PLANS["outlets"]
    for bad in ("10.31.0.1", "10.31.0.1/$(id)", "10.31.0.1/1 2", "x/1", '10.31.0.1/1"'):
        servers = tuple(replace(s, outlets=(bad,)) for s in given.servers)
        with pytest.raises(ValueError, match="outlet"):
            HA.files(given._replace(servers=servers), catalog())
    for hostile in (
        given._replace(servers=tuple(replace(s, ring="10.40.0.1;id") for s in given.servers)),
        settings(PLANS["sbd"], sbd_devices=("/dev/mapper/$(id)",)),
    ):
        with pytest.raises(ValueError, match="may not stand"):
            HA.files(hostile, catalog())


def test_a_second_agent_that_nobody_looked_up_is_refused() -> None:
    (finding,) = HA.findings(settings(PLANS["outlets"], second_fence_agent="fence_x"), catalog())
    assert (finding.code, finding.where) == ("PX621", "fencing.second.agent")


def test_iml_is_said_to_watch_where_it_does() -> None:
    watched = settings(PLANS["me4"], management="iml_monitored")
    assert "IML only watches" in book(watched, "sm01")
    assert "IML" not in book(PLANS["me4"], "sm01")


def test_fencing_a_server_of_the_pool_is_said_to_stop_its_drives() -> None:
    assert "Fencing an OSS stops its SDS too" in book(PLANS["ring"], "oss-ha01")
    assert "SDS" not in book(PLANS["ring"], "mds-ha01")
    assert "SDS" not in book(PLANS["me4"], "sm01")


@pytest.mark.parametrize(
    "given, codes",
    [
        (without(me4_plan(), "fencing"), ["PX620"]),
        (settings(me4_plan(), fence_agent=""), ["PX620"]),
        (without(me4_plan(), "network"), ["PX610"]),
        (powerflex_plan(3, observed=False), ["PX611"]),
        (powerflex_plan(4, failover=False), ["PX608"]),
        (of_scale(me4_plan()), []),
    ],
)
def test_what_it_needs(given: Plan, codes: list[str]) -> None:
    assert not HA.applies(given)
    assert [f.code for f in HA.findings(given, catalog())] == codes


def test_what_has_it_all_has_its_files() -> None:
    for given in PLANS.values():
        assert HA.applies(given)
        assert HA.findings(given, catalog()) == ()


def test_one_server_that_nobody_can_fence_is_named() -> None:
    given = PLANS["me4"]
    servers = tuple(replace(s, bmc="") if s.id == "oss02" else s for s in given.servers)
    (finding,) = HA.findings(given._replace(servers=servers), catalog())
    assert (finding.code, finding.where, finding.message) == ("PX620", "fencing", "nobody can fence oss02")


def test_an_agent_that_nobody_looked_up_is_refused() -> None:
    (finding,) = HA.findings(settings(PLANS["me4"], fence_agent="fence_apc"), catalog())
    assert (finding.code, finding.severity) == ("PX621", "error")
    assert "fence_idrac, fence_ipmilan, fence_redfish" in finding.hint


@pytest.mark.parametrize("example", sorted(folder("examples").glob("lustre-*.yaml")), ids=lambda p: p.stem)
def test_every_target_of_an_example_is_in_one_script_with_its_servers(example: Path) -> None:
    loaded, _ = load_request(str(example), catalog())
    assert loaded is not None
    given, _ = make_plan(loaded.request, catalog(), Observed())
    assert given is not None
    named = tuple(t._replace(device=t.device or f"/dev/disk/by-id/{t.volume}") for t in given.targets)
    given = given._replace(targets=named)
    assert HA.applies(given)
    scripts = [f.text for f in HA.files(given, catalog()) if f.path.endswith("02-resources.sh")]
    prefers = [m for text in scripts for m in re.findall(r"location (\S+) prefers (\S+)=1000 (\S+)=950\n", text)]
    made = [m for text in scripts for m in re.findall(r"resource create (\S+) \S+ (?:device|target)=(\S+) ", text)]
    assert sorted(prefers) == sorted((t.id, *t.servers) for t in given.targets)
    assert sorted(made) == sorted((t.id, t.device) for t in given.targets)
    fenced = [m for text in scripts for m in re.findall(r"pcmk_host_list=(\S+)", text)]
    assert sorted(fenced) == sorted({s for t in given.targets for s in t.servers})


@pytest.mark.parametrize("name", ["a b", "$(id)", "a;b", "../a", "-a", "a'b"])
def test_names_that_a_shell_could_misread_never_reach_it(name: str) -> None:
    given = PLANS["me4"]
    first, *others = given.targets
    for hostile in (
        settings(given, name=name),
        given._replace(targets=(first._replace(id=name), *others)),
        given._replace(targets=(first._replace(device=f"/dev/mapper/{name}"), *others)),
        given._replace(servers=tuple(replace(s, bmc=name) for s in given.servers)),
    ):
        with pytest.raises(ValueError):
            HA.files(hostile, catalog())


# --- the scores and times of the policy -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words, sentence",
    [
        ({"health_dampen_s": 40}, "two servers notice one outage up to 40 s apart"),
        ({"ping_hosts": 8}, "two servers notice one outage up to 60 s apart"),
        ({"second_score": 1000}, "first_score does not exceed"),
        ({"stickiness": 50}, "moves back by itself"),
        ({"sick_first_score": 250}, "stays on a first server that is sick"),
        ({"sick_second_score": 50}, "leaves for a second server as sick"),
        ({"sick_second_score": 150}, "goes to and fro"),
        ({"first_score": 300, "second_score": 250}, "has no points left"),
        ({"health_score": 550}, "health_score does not exceed"),
        ({"sbd_watchdog_s": 61}, "below two sbd_watchdog_s"),
        ({"sbd_power_s": 120}, "sbd_power_s does not exceed"),
        ({"sbd_stonith_s": 150}, "sbd_stonith_s does not exceed"),
    ],
)
def test_a_policy_that_contradicts_itself_is_refused(words: dict[str, int], sentence: str) -> None:
    """One step beyond the last value that works; the shipped one works."""
    shipped = catalog().get(HaPolicy, POLICY).model_dump()
    assert HaPolicy.model_validate(shipped)
    with pytest.raises(ValueError, match=sentence):
        HaPolicy.model_validate(shipped | words)


def test_the_run_book_says_what_health_does_and_does_not() -> None:
    """What the simulations show; and nothing of agents that are not there."""
    text = book(PLANS["new"], "sm01")
    for said in (
        "takes a\n  change in 60 s late (`dampen`)",
        "**That is a delay, and no more**",
        "**These 60 s are enough only for one ping a host**, of 5 s where none is answered: 20 s to the next look, and 2 x 5 s.",
        "`OCF_ROOT=/usr/lib/ocf /usr/lib/ocf/resource.d/lustre/healthLNET meta-data`. Where 20 s and 2 x attempts x timeout",
        "`pcs resource disable LABEL` of the sick one",
        "**A target that is not at home does not leave**",
        "loses 300 points for the targets that are at home there, and 100 for those",
    ):
        assert said in text, said
    assert "dampen" not in book(PLANS["me4"], "sm01")


@pytest.mark.parametrize(
    "given, said, unsaid",
    [
        ("me4", "Nothing here is new for it but", "`stonith create`"),
        ("new", "`resource create` of lnet-health and lustre-health", "`stonith create`"),
        ("outlets", "`stonith create` of each `fence2-`", "Nothing here is new"),
        ("sbd", "`pcs stonith sbd enable` as", "`resource create` of"),
    ],
)
def test_the_run_book_says_how_a_cluster_that_runs_gets_what_is_new(given: str, said: str, unsaid: str) -> None:
    text = book(PLANS[given], "oss-ha01" if given == "sbd" else "sm01")
    part = text.partition("## A cluster that runs already")[2].partition("\n## ")[0]
    assert said in part
    assert unsaid not in part


def test_one_unit_is_one() -> None:
    """With options of modprobe there is one unit on arrays; with the service and health there are several."""
    alone = settings(PLANS["me4"], network=Network("o2ib", "ib0", owner="modprobe"))
    assert "Both name lustre-modules.service. When it fails at boot" in book(alone, "sm01")
    assert "Both name each of lnet.service, lustre-modules.service. When one of them fails" in book(
        PLANS["new"], "sm01"
    )
