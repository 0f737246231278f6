"""Requests for Lustre: what is refused, where, and what a mistake does not drag along."""

from __future__ import annotations

from typing import Any

import pytest

from pixsize.findings import Finding
from tests.support.running import load_words

LUSTRE = {"design": "lustre-me4", "storage_modules": [{"size": "small", "data_drive": "8 TB"}]}
POOL = {"design": "lustre-powerflex", "servers": 4, "drive": "2 TB"}
NETWORK = {"lnet": "o2ib", "interface": "ib0", "subnet": "10.10.0.0/24"}
FENCING = {"agent": "fence_idrac", "subnet": "10.20.0.0/24"}


def found(base: dict[str, Any], **words: Any) -> list[Finding]:
    return list(load_words({"name": "s", "filesystem": {"name": "fast"}, **base, **words})[1])


def codes(base: dict[str, Any], **words: Any) -> list[tuple[str, str]]:
    return [(f.code, f.where) for f in found(base, **words)]


def completed(base: dict[str, Any], **words: Any) -> dict[str, Any]:
    loaded, findings = load_words({"name": "s", "filesystem": {"name": "fast"}, **base, **words})
    assert loaded is not None, findings
    return loaded.words


@pytest.mark.parametrize(
    ("base", "words", "code", "where"),
    [
        (LUSTRE, {"filesystem": {"name": "ninechars"}}, "PX107", "filesystem.name"),
        (LUSTRE, {"filesystem": {"name": "a b"}}, "PX107", "filesystem.name"),
        (LUSTRE, {"filesystem": {"name": "-x"}}, "PX107", "filesystem.name"),
        (LUSTRE, {"filesystem": {"name": "1data"}}, "PX107", "filesystem.name"),
        (LUSTRE, {"filesystem": {"name": "data-"}}, "PX107", "filesystem.name"),
        (LUSTRE, {"filesystem": {"name": "f", "stripe_size": "100 KiB"}}, "PX119", "filesystem.stripe_size"),
        (LUSTRE, {"filesystem": {"name": "f", "stripe_size": "4 GB"}}, "PX119", "filesystem.stripe_size"),
        (LUSTRE, {"filesystem": {"name": "f", "stripe_count": 0}}, "PX108", "filesystem.stripe_count"),
        (LUSTRE, {"lustre_version": "2.10.9"}, "PX118", "lustre_version"),
        (LUSTRE, {"lustre_version": "2.14.0"}, "PX118", "lustre_version"),
        (LUSTRE, {"lustre_version": "latest"}, "PX118", "lustre_version"),
        (LUSTRE, {"management": "iml"}, "PX102", "management"),
        (LUSTRE, {"metadata": {"mgt": "none"}}, "PX102", "metadata.mgt"),
        (LUSTRE, {"metadata": {"pairs": 0}}, "PX108", "metadata.pairs"),
        (LUSTRE, {"metadata": {"drive": "12 TB"}}, "PX109", "metadata.drive"),
        (LUSTRE, {"metadata": {"chunk_size": "48 KiB"}}, "PX102", "metadata.chunk_size"),
        (LUSTRE, {"hdmd": {"drive": "960 GB"}}, "PX101", "hdmd"),
        (LUSTRE, {"failover": True}, "PX101", "failover"),
        (LUSTRE, {"network": {**NETWORK, "lnet": "o2ib01"}}, "PX107", "network.lnet"),
        (LUSTRE, {"network": {**NETWORK, "lnet": "opa"}}, "PX107", "network.lnet"),
        (LUSTRE, {"network": {**NETWORK, "interface": "ib0; reboot"}}, "PX107", "network.interface"),
        (LUSTRE, {"network": {**NETWORK, "interface": "lo"}}, "PX107", "network.interface"),
        (POOL, {"network": {**NETWORK, "interface": "lo"}}, "PX107", "network.interface"),
        (POOL, {"powerflex": {"network": {"interface": "lo", "subnet": "10.30.0.0/24"}}}, "PX107", "powerflex.network.interface"),
        (LUSTRE, {"network": {**NETWORK, "configured_by": "hand"}}, "PX102", "network.configured_by"),
        (LUSTRE, {"fencing": {**FENCING, "agent": "fence_x; reboot"}}, "PX107", "fencing.agent"),
        (LUSTRE, {"fencing": {**FENCING, "password": "x"}}, "PX101", "fencing.password"),
        (POOL, {"servers": 2}, "PX108", "servers"),
        (POOL, {"drive": "12 TB"}, "PX109", "drive"),
        (POOL, {"powerflex": {"spare": 95}}, "PX108", "powerflex.spare"),
        (LUSTRE, {"filesystem": {"name": "fast", "stripe_size": "4 GiB"}}, "PX119", "filesystem.stripe_size"),
        (POOL, {"powerflex": {"ost": "1001 GiB"}}, "PX117", "powerflex.ost"),
        (POOL, {"powerflex": {"ost": "1.6 TiB"}}, "PX117", "powerflex.ost"),
        (POOL, {"powerflex": {"ost": "100000 TiB"}}, "PX117", "powerflex.ost"),
        (POOL, {"powerflex": {"mdt": "0 GiB"}}, "PX117", "powerflex.mdt"),
        (POOL, {"metadata": {"mgt": "with_mdt0"}, "powerflex": {"mgt": "8 GiB"}}, "PX101", "powerflex.mgt"),
        (POOL, {"storage_modules": []}, "PX101", "storage_modules"),
    ],
)  # fmt: skip
def test_one_mistake_is_one_finding(base: dict[str, Any], words: dict[str, Any], code: str, where: str) -> None:
    assert codes(base, **words) == [(code, where)]


@pytest.mark.parametrize(
    "subnet",
    [
        "10.10.0.0", "10.10.0.0/255.255.255.0", "10.10.0.1/24", "10.10.0.0/33", "10.10.0/24", "::/64", "x/24",
        "127.0.0.0/24", "224.0.0.0/24", "0.0.0.0/0", "169.254.0.0/16", "240.0.0.0/8",
    ],
)  # fmt: skip
@pytest.mark.parametrize("parent", ["network", "fencing"])
def test_what_is_no_subnet_of_servers_is_refused(subnet: str, parent: str) -> None:
    base = {"network": NETWORK, "fencing": FENCING}[parent]
    assert codes(LUSTRE, **{parent: {**base, "subnet": subnet}}) == [("PX115", f"{parent}.subnet")]


def test_a_subnet_has_room_for_every_server() -> None:
    assert codes(LUSTRE, network={**NETWORK, "subnet": "10.10.0.0/30"}) == [("PX116", "network.subnet")]
    addresses = completed(LUSTRE, network={**NETWORK, "subnet": "10.10.0.0/29"})["network"]["addresses"]
    assert addresses == {"mds01": "10.10.0.1", "mds02": "10.10.0.2", "oss01": "10.10.0.3", "oss02": "10.10.0.4"}


GIVEN = {"mds01": "10.1.0.1", "mds02": "10.1.0.2", "oss01": "10.1.0.3", "oss02": "10.1.0.4"}


@pytest.mark.parametrize(
    ("change", "code", "where"),
    [
        ({"oss02": "10.1.0.3"}, "PX110", "network.addresses.oss02"),
        ({"oss02": "10.1.0.300"}, "PX115", "network.addresses.oss02"),
        ({"oss02": "127.0.0.1"}, "PX115", "network.addresses.oss02"),
        ({"oss02": "255.255.255.255"}, "PX115", "network.addresses.oss02"),
        ({"oss02": "0.0.0.0"}, "PX115", "network.addresses.oss02"),
        ({"oss03": "10.1.0.5"}, "PX116", "network.addresses.oss03"),
        ({"oss02": None}, "PX116", "network.addresses"),
    ],
)
def test_addresses_given_one_by_one(change: dict[str, str | None], code: str, where: str) -> None:
    given = {s: a for s, a in {**GIVEN, **change}.items() if a is not None}
    network = {"lnet": "o2ib", "interface": "ib0", "addresses": given}
    assert codes(LUSTRE, network=network) == [(code, where)]


def test_addresses_lie_in_the_subnet_that_stands_beside_them() -> None:
    network = {"lnet": "o2ib", "interface": "ib0", "addresses": GIVEN, "subnet": "10.1.0.0/24"}
    assert codes(LUSTRE, network=network) == []
    outside = {**GIVEN, "oss02": "10.2.0.4"}
    assert codes(LUSTRE, network={**network, "addresses": outside}) == [("PX116", "network.addresses.oss02")]
    broadcast = {**GIVEN, "oss02": "10.1.0.255"}
    assert codes(LUSTRE, network={**network, "addresses": broadcast}) == [("PX116", "network.addresses.oss02")]
    assert codes(LUSTRE, network={"lnet": "o2ib", "interface": "ib0"}) == [("PX103", "network")]


@pytest.mark.parametrize(
    ("base", "words", "code"),
    [
        (LUSTRE, {"metadata": {"hosts": ["a"]}}, "PX112"),
        (LUSTRE, {"metadata": {"pairs": 10**9}}, "PX114"),
        (POOL, {"hosts": ["a", "b", "c"]}, "PX112"),
        (POOL, {"servers": 0}, "PX108"),
        (POOL, {"servers": 1}, "PX108"),
        (POOL, {"servers": 10**9}, "PX114"),
        (POOL, {"drive": "3.3 TB"}, "PX109"),
        (POOL, {"powerflex": {"spare": "10 %"}}, "PX104"),
        (POOL, {"powerflex": {"spare": 10.5}}, "PX108"),
    ],
)
def test_a_mistake_drags_no_words_along_that_nobody_has_to_write(
    base: dict[str, Any], words: dict[str, Any], code: str
) -> None:
    """Addresses, the spare share and the size of the OSTs have defaults: they are not asked for."""
    assert [c for c, _ in codes(base, network=NETWORK, fencing=FENCING, **words)] == [code]


def test_the_defaults_of_the_releases() -> None:
    assert completed(LUSTRE)["lustre_version"] == "2.10.4"
    assert completed(POOL)["lustre_version"] == "2.10.8"
    assert completed(LUSTRE)["management"] == completed(POOL)["management"] == "iml_monitored"
    assert completed(LUSTRE, lustre_version="2.15.8")["management"] == "none"
    assert completed(POOL)["powerflex"] == {"spare": 25, "ost": "1304 GiB", "mdt": "552 GiB", "mgt": "8 GiB"}
    assert completed(LUSTRE)["metadata"]["chunk_size"] == "64 KiB"
    assert completed(LUSTRE)["storage_modules"][0]["chunk_size"] == "128 KiB"


@pytest.mark.parametrize("name", ["a", "B"])
def test_names_of_pools_are_taken_on_arrays_alone(name: str) -> None:
    (told,) = found(LUSTRE, name=name)
    assert (told.code, told.where) == ("PX107", "name")
    assert told.message.endswith("the arrays call their pools A and B")
    assert completed(POOL, name=name)["name"] == name


@pytest.mark.parametrize("name", ["a", "B", "com1", "nul", "all", "x_1-y"])
def test_names_that_lustre_takes_are_taken(name: str) -> None:
    """What arrays, GPFS or other systems reserve is no matter of Lustre's."""
    assert codes(LUSTRE, filesystem={"name": name}) == []


def test_a_name_that_resources_cannot_have_says_so() -> None:
    (finding,) = found(LUSTRE, filesystem={"name": "1data"})
    assert "resources of Pacemaker" in finding.message


OSS = "storage_modules[0].hosts"


@pytest.mark.parametrize(
    ("base", "words", "where"),
    [
        (LUSTRE, {"storage_modules": [{"size": "small", "data_drive": "8 TB", "hosts": ["oss1.a", "oss1.b"]}]}, f"{OSS}[1]"),
        (LUSTRE, {"storage_modules": [{"size": "small", "data_drive": "8 TB", "hosts": ["oss1", "OSS1.b"]}]}, f"{OSS}[1]"),
        (LUSTRE, {"storage_modules": [{"size": "small", "data_drive": "8 TB", "hosts": ["o1", "mds02.b"]}]}, f"{OSS}[1]"),
        (LUSTRE, {"metadata": {"hosts": ["m1", "oss02.a"]}}, "metadata.hosts[1]"),
        (LUSTRE, {"metadata": {"hosts": ["m1", "mgmt1.a"]}}, "metadata.hosts[1]"),
        (POOL, {"metadata": {"hosts": ["m.a", "m.b"]}}, "metadata.hosts[1]"),
        (POOL, {"hosts": ["o1", "o2", "o3", "o1.a"]}, "hosts[3]"),
        (POOL, {"metadata": {"hosts": ["m1", "m2"]}, "hosts": ["o1", "o2", "o3", "m2.site"]}, "hosts[3]"),
    ],
)  # fmt: skip
def test_hosts_differ_before_the_first_point(base: dict[str, Any], words: dict[str, Any], where: str) -> None:
    """Scripts know their server by what `hostname` prints, with its domain or without."""
    (finding,) = found(base, **words)
    assert (finding.code, finding.where) == ("PX110", where)
    assert "up to the first point" in finding.message


def test_hosts_may_have_domains() -> None:
    words = {"metadata": {"hosts": ["m1.a", "m2.a"]}, "hosts": ["o1.b", "o2.b", "o3.b", "o4.a"]}
    assert codes(POOL, **words) == []


def test_a_server_may_be_called_what_only_gpfs_reserves() -> None:
    assert codes(LUSTRE, metadata={"hosts": ["all", "mount"]}) == []


def test_without_a_volume_for_the_mgt_no_size_of_one_is_completed() -> None:
    """So that a completed request can be given again."""
    assert "mgt" not in completed(POOL, metadata={"mgt": "with_mdt0"})["powerflex"]
    assert completed(POOL)["powerflex"]["mgt"] == "8 GiB"
    assert codes(LUSTRE, filesystem={"name": "fast", "stripe_size": "4194240 KiB"}) == []


OUTLETS = {
    "mds01": ["10.31.0.1/1"],
    "mds02": ["10.31.0.1/2"],
    "oss01": ["10.31.0.1/3", "10.31.0.2/3"],
    "oss02": ["10.31.0.1/A:4"],
}
APC: dict[str, Any] = {"agent": "fence_apc_snmp", "outlets": OUTLETS}
SECOND = "fencing.second"


def second(**words: Any) -> dict[str, Any]:
    return {**FENCING, "second": words}


def test_a_second_level_and_a_second_link_are_completed() -> None:
    words = completed(LUSTRE, fencing={**FENCING, "second": APC, "ring": {"subnet": "10.40.0.0/24"}})["fencing"]
    assert words["second"] == APC
    assert words["ring"]["addresses"] == {
        s: f"10.40.0.{n}" for n, s in enumerate(("mds01", "mds02", "oss01", "oss02"), 1)
    }
    given = completed(LUSTRE, fencing={**FENCING, "ring": {"addresses": GIVEN}})["fencing"]
    assert given["ring"] == {"addresses": GIVEN}
    assert "second" not in given
    sbd = completed(POOL, fencing=second(agent="fence_sbd", devices=["/dev/disk/by-id/emc-vol-1-2"]))["fencing"]
    assert sbd["second"] == {"agent": "fence_sbd", "devices": ["/dev/disk/by-id/emc-vol-1-2"]}
    assert codes(LUSTRE, fencing=second(agent="fence_nosuch")) == []


@pytest.mark.parametrize(
    ("words", "code", "where"),
    [
        ({}, "PX103", f"{SECOND}.agent"),
        ({"agent": "fence_x; reboot"}, "PX107", f"{SECOND}.agent"),
        ({"agent": "fence_idrac"}, "PX102", f"{SECOND}.agent"),
        ({"agent": 7}, "PX104", f"{SECOND}.agent"),
        ({"agent": "fence_apc_snmp"}, "PX103", SECOND),
        ({"agent": "fence_sbd"}, "PX103", SECOND),
        ({**APC, "devices": ["/dev/mapper/sbd1"]}, "PX101", f"{SECOND}.devices"),
        ({"agent": "fence_sbd", "devices": ["/dev/mapper/sbd1"], "outlets": OUTLETS}, "PX101", f"{SECOND}.outlets"),
        ({**APC, "community": "x"}, "PX101", f"{SECOND}.community"),
        ({**APC, "outlets": {**OUTLETS, "oss03": ["10.31.0.1/9"]}}, "PX116", f"{SECOND}.outlets.oss03"),
        ({**APC, "outlets": {s: o for s, o in OUTLETS.items() if s != "oss02"}}, "PX116", f"{SECOND}.outlets"),
        ({**APC, "outlets": {**OUTLETS, "oss02": []}}, "PX116", f"{SECOND}.outlets.oss02"),
        ({**APC, "outlets": {**OUTLETS, "oss02": "10.31.0.1/4"}}, "PX104", f"{SECOND}.outlets.oss02"),
        ({**APC, "outlets": {**OUTLETS, "oss02": [4]}}, "PX104", f"{SECOND}.outlets.oss02[0]"),
        ({**APC, "outlets": {**OUTLETS, "oss02": ["10.31.0.1"]}}, "PX115", f"{SECOND}.outlets.oss02[0]"),
        ({**APC, "outlets": {**OUTLETS, "oss02": ["pdu1/4"]}}, "PX115", f"{SECOND}.outlets.oss02[0]"),
        ({**APC, "outlets": {**OUTLETS, "oss02": ["10.31.0.1/$(id)"]}}, "PX115", f"{SECOND}.outlets.oss02[0]"),
        ({**APC, "outlets": {**OUTLETS, "oss02": ["10.31.0.1/4 "]}}, "PX115", f"{SECOND}.outlets.oss02[0]"),
        ({**APC, "outlets": {**OUTLETS, "oss02": ["127.0.0.1/4"]}}, "PX115", f"{SECOND}.outlets.oss02[0]"),
        ({**APC, "outlets": {**OUTLETS, "oss02": ["10.31.0.1/5", "10.31.0.1/3"]}}, "PX110", f"{SECOND}.outlets.oss02[1]"),
        ({**APC, "outlets": ["10.31.0.1/5"]}, "PX104", f"{SECOND}.outlets"),
        ({"agent": "fence_sbd", "devices": []}, "PX108", f"{SECOND}.devices"),
        ({"agent": "fence_sbd", "devices": [f"/dev/mapper/s{n}" for n in range(4)]}, "PX108", f"{SECOND}.devices"),
        ({"agent": "fence_sbd", "devices": ["/dev/sdb"]}, "PX107", f"{SECOND}.devices[0]"),
        ({"agent": "fence_sbd", "devices": ["/dev/mapper/a;b"]}, "PX107", f"{SECOND}.devices[0]"),
        ({"agent": "fence_sbd", "devices": ["/dev/mapper/a", "/dev/mapper/a"]}, "PX110", f"{SECOND}.devices[1]"),
        ({"agent": "fence_sbd", "devices": "/dev/mapper/a"}, "PX104", f"{SECOND}.devices"),
    ],
)  # fmt: skip
def test_one_mistake_in_a_second_level_is_one_finding_at_its_line(words: dict[str, Any], code: str, where: str) -> None:
    (finding,) = found(LUSTRE, fencing=second(**words))
    assert (finding.code, finding.where) == (code, where)
    assert finding.position is not None


@pytest.mark.parametrize(
    ("ring", "code", "where"),
    [
        ({}, "PX103", "fencing.ring"),
        ({"subnet": "10.40.0.0/30"}, "PX116", "fencing.ring.subnet"),
        ({"subnet": "fe80::/64"}, "PX115", "fencing.ring.subnet"),
        ({"addresses": {**GIVEN, "oss02": "10.1.0.3"}}, "PX110", "fencing.ring.addresses.oss02"),
        ({"interface": "eth1", "subnet": "10.40.0.0/24"}, "PX101", "fencing.ring.interface"),
    ],
)
def test_one_mistake_in_a_second_link_is_one_finding(ring: dict[str, Any], code: str, where: str) -> None:
    assert codes(LUSTRE, fencing={**FENCING, "ring": ring}) == [(code, where)]


def test_the_first_level_is_of_controllers() -> None:
    (finding,) = found(LUSTRE, fencing={**FENCING, "agent": "fence_apc_snmp"})
    assert (finding.code, finding.where) == ("PX102", "fencing.agent")
    assert "fence_apc_snmp in fencing.second" in finding.hint


def test_a_mistake_elsewhere_asks_for_no_addresses_of_the_second_link() -> None:
    words = {"metadata": {"hosts": ["a"]}, "fencing": {**FENCING, "second": APC, "ring": {"subnet": "10.40.0.0/24"}}}
    assert [c for c, _ in codes(LUSTRE, **words)] == ["PX112"]
