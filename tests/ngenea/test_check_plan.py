"""Rules about Ngenea: each breaks a good plan in one place and must be found alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pixsize.findings import has_errors
from tests.ngenea.words import AZURE, DS3, GOOGLE, POSIX, S3, good, own, planned, request
from tests.support.changing import replace
from tests.support.check_support import Break, Site, changed

RATES = frozenset({"PX582"})
FIRST, SECOND = "ngenea.targets[0]", "ngenea.targets[1]"


def with_own(**fields: Any) -> Site:
    """The good plan with other fields in what Ngenea has of it."""
    plan = good().plan
    return good().with_plan(additions=(replace(plan.additions[0], own=replace(own(plan), **fields)),))


def target(which: int, **fields: Any) -> Callable[[], Site]:
    """The good plan with other fields in a target."""
    return lambda: with_own(targets=changed(own(good().plan).targets, which, **fields))


def asked(*targets: dict[str, Any], **ngenea: Any) -> Callable[[], Site]:
    """What another request comes to."""
    return lambda: planned(request(*targets, **ngenea))


def outward(**fields: Any) -> Callable[[], Site]:
    """A good plan with a network towards the targets, with other fields."""

    def broken() -> Site:
        site = planned(request(subnet="10.50.0.0/24", router="10.50.0.1"))
        return site.with_plan(additions=(replace(site.plan.additions[0], own=replace(own(site.plan), **fields)),))

    return broken


def http() -> Site:
    return planned(request(S3 | {"endpoint": "http://store.example.org", "scheme": "http"}))


def without_dmapi() -> Site:
    return good().with_plan(filesystem=replace(good().plan.filesystem, dmapi=False))


def dmapi_for_nobody() -> Site:
    words = request()
    del words["ngenea"]
    base = planned(words)
    return base.with_plan(filesystem=replace(base.plan.filesystem, dmapi=True))


BREAKS = (
    Break(
        "PX525", "nodes", lambda: with_own(nodes=("ng1",)), "ngenea", ("('ng1',)", "('ng1', 'ng2')"), RATES | {"PX583"}
    ),
    Break(
        "PX525",
        "a target less",
        lambda: with_own(targets=own(good().plan).targets[:1]),
        "ngenea.targets",
        ("1 targets, where 2",),
        RATES,
    ),
    Break("PX525", "bucket", target(1, bucket="cold"), SECOND, ("bucket of target lab is 'cold'", "'lab'"), RATES),
    Break("PX525", "host", target(0, host="s4.example.org"), FIRST, ("'s4.example.org'", "'s3.example.org'"), RATES),
    Break("PX525", "port", target(0, port=80), FIRST, ("port of target cold is 80", "443"), RATES),
    Break("PX525", "type", target(0, type="s4"), FIRST, ("type of target cold is 's4'",), RATES),
    Break("PX525", "credentials", target(0, credentials_file="/etc/x"), FIRST, ("'/etc/pixsize/cold'",), RATES),
    Break("PX525", "subnet", outward(subnet="10.51.0.0/24"), "ngenea.subnet", ("10.51.0.0/24", "10.50.0.0/24"), RATES),
    Break("PX525", "router", outward(router=""), "ngenea.router", ("is none, where 10.50.0.1",), RATES | {"PX570"}),
    Break("PX525", "address", outward(addresses=("10.50.0.2",)), "ngenea.addresses", ("10.50.0.3",), RATES),
    Break("PX525", "unasked", lambda: with_own(addresses=("10.50.0.2",)), "ngenea.addresses", ("none",), RATES),
    Break("PX570", "first", asked(subnet="10.50.0.0/24"), "ngenea.subnet", ("ng1 has 10.50.0.1",), RATES),
    Break("PX525", "no DMAPI", without_dmapi, "ngenea", ("is made without -z yes",), RATES),
    Break("PX525", "DMAPI for nobody", dmapi_for_nobody, "filesystem", ("is made with -z yes", "adds nothing")),
    Break("PX582", "rates", good, "ngenea", ("2 links of a node", "50 GB/s", "those of 2 together 100 GB/s")),
    Break("PX583", "alone", asked(S3, count=1), "ngenea.count", ("one Ngenea node alone",), RATES),
    Break(
        "PX584",
        "no region",
        asked({k: v for k, v in S3.items() if k != "region"}),
        FIRST,
        ("target cold has no region", "requires for s3"),
        RATES,
    ),
    Break("PX585", "a folder", target(0, name="../cold"), f"{FIRST}.name", ("'../cold'",), RATES),
    Break("PX585", "empty", target(0, name=""), f"{FIRST}.name", ("''",), RATES),
    Break("PX585", "a section", target(0, name="Default"), f"{FIRST}.name", ("'Default'",), RATES),
    Break("PX585", "the master", target(1, name="ngenea"), f"{SECOND}.name", ("'ngenea'",), RATES),
    Break("PX585", "long", target(0, name="x" * 32), f"{FIRST}.name", ("x" * 32,), RATES),
    Break("PX585", "twice", target(1, name="COLD"), f"{SECOND}.name", ("'COLD' is the name of two",), RATES),
    Break(
        "PX586", "a password", target(0, host="me:pw@s3.org"), f"{FIRST}.endpoint", ("no name and no address",), RATES
    ),
    Break("PX586", "no host", target(0, host=""), f"{FIRST}.endpoint", ("no name and no address",), RATES),
    Break("PX586", "no port", target(0, port=None), f"{FIRST}.endpoint", ("the port None",), RATES),
    Break("PX586", "port", target(0, port=65536), f"{FIRST}.endpoint", ("65536",), RATES),
    Break("PX586", "scheme", target(0, scheme="ftp"), f"{FIRST}.endpoint", ("'ftp'",), RATES),
    Break(
        "PX587",
        "inside",
        target(0, credentials_file="/mmfs1/keys"),
        f"{FIRST}.credentials_file",
        ("lies in the file system: /mmfs1/keys", "/mmfs1"),
        RATES,
    ),
    Break(
        "PX587", "relative", target(0, credentials_file="keys"), f"{FIRST}.credentials_file", ("no absolute",), RATES
    ),
    Break("PX587", "climbs", target(1, path="/x/../mmfs1"), f"{SECOND}.path", ("path of lab is no absolute",), RATES),
    Break("PX588", "http", http, f"{FIRST}.scheme", ("in clear", "http to store.example.org"), RATES),
    *(
        Break("PX589", words["type"], asked(words), f"{FIRST}.type", (words["type"], f"{words['name']}.conf"), RATES)
        for words in (DS3, AZURE, GOOGLE, POSIX)
    ),
)


@pytest.mark.parametrize("broken", BREAKS, ids=lambda b: f"{b.code} {b.name}")
def test_a_broken_plan_is_found(broken: Break) -> None:
    broken.prove()


def test_a_password_in_an_endpoint_is_not_repeated() -> None:
    told = " ".join(f.message for f in target(0, host="me:hunter2@s3.org")().findings())
    assert "hunter2" not in told


def test_the_good_plan_has_nothing_but_notes() -> None:
    assert {f.severity for f in good().findings()} == {"note"}


def test_nodes_alone_are_no_error() -> None:
    found = asked()().findings()
    assert not has_errors(found)
    assert "PX582" in {f.code for f in found}


def test_a_folder_beside_the_file_system_is_none_in_it() -> None:
    found = asked(S3 | {"credentials_file": "/mmfs1keys/cold"})().findings()
    assert not has_errors(found)
