"""The files of Ngenea, read by Python's configparser, and what else its requests change."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pixsize.plan.records import Plan
from pixsize.products.ngenea.plan import ColdTarget
from pixsize.products.ngenea.records import NgeneaDesign, NgeneaType
from pixsize.products.scale.render.cluster import view as cluster_view
from pixsize.render import RENDERERS, STEPS
from pixsize.render.run_book import run_book
from tests.ngenea.words import AZURE, DS3, EVERY_TYPE, POSIX, S3, own, planned, request
from tests.products.reading import rendered
from tests.readers.compare import ngenea_reaches_the_plans_targets
from tests.readers.ngenea import read_target
from tests.readers.stanza import read_mmcrfs
from tests.support.check_support import catalog_with
from tests.support.running import catalog


def files(plan: Plan) -> dict[str, str]:
    """The files of the target by their paths."""
    return {f.path: f.text for f in RENDERERS["ngenea"].files(plan, catalog())}


def test_a_target_of_s3_has_the_keys_of_the_public_page() -> None:
    made = files(planned(request(S3 | {"endpoint": "https://s3.example.org:9000"})).plan)
    assert list(made) == ["ngenea/cold.conf"]
    assert read_target(made["ngenea/cold.conf"]) == {
        "Endpoint": "s3.example.org",
        "Port": "9000",
        "Scheme": "HTTPS",
        "Bucket": "cold",
        "Region": "eu-west-1",
        "CredentialsFile": "/etc/pixsize/cold",
        "RemoteLocationXAttr": "cold:$1",
        "RetrieveObjectName": "$1",
        "StoreObjectName": "$1",
    }


PUBLIC = {
    "Endpoint", "Port", "Bucket", "Region", "Scheme", "CredentialsFile",
    "RemoteLocationXAttr", "RetrieveObjectName", "StoreObjectName",
}  # fmt: skip
"""Keys of a public page that hold no secret; DeleteOnRecall is left to the vendor's default."""


def test_no_key_is_invented() -> None:
    kinds = catalog().all(NgeneaType)
    assert {kind.type for kind in kinds} == {words["type"] for words in EVERY_TYPE}
    assert {kind.type for kind in kinds if kind.keys} == {"s3"}
    assert {key for kind in kinds for key in (*kind.keys.values(), *kind.names)} == PUBLIC


def test_a_region_that_lacks_is_said_in_the_file() -> None:
    text = files(planned(request({k: v for k, v in S3.items() if k != "region"})).plan)["ngenea/cold.conf"]
    assert "Region" not in read_target(text)
    assert "# Region is missing: Ngenea requires it for s3" in text


def test_a_type_without_public_keys_is_a_draft() -> None:
    made = files(planned(request(*EVERY_TYPE)).plan)
    drafts = {f"ngenea/{words['name']}.conf.draft" for words in EVERY_TYPE if words["type"] != "s3"}
    assert set(made) == drafts | {"ngenea/cold.conf"}
    for path in drafts:
        assert not read_target(made[path])
        assert "A DRAFT: no public page lists the keys" in made[path]
    assert "# endpoint: 10.1.2.3\n# port: 8443\n# scheme: HTTPS\n# bucket: tape\n" in made["ngenea/tape.conf.draft"]
    assert "# path: /archive/old\n" in made["ngenea/old.conf.draft"]


def test_a_record_with_keys_makes_a_whole_file() -> None:
    """Who knows the keys of a type lays a record over the catalog."""
    site = planned(request(AZURE))
    keys = {"bucket": "Container", "credentials_file": "CredentialsFile"}
    records = catalog_with("ngenea.azure", keys=keys, names={"RemoteLocationXAttr": "{name}:$1"})
    (made,) = RENDERERS["ngenea"].files(site.plan, records)
    assert made.path == "ngenea/blobs.conf"
    found = {"Container": "blobs", "CredentialsFile": "/root/.azure/keys", "RemoteLocationXAttr": "blobs:$1"}
    assert read_target(made.text) == found


@pytest.mark.parametrize(
    "target",
    [
        ColdTarget("a b", "s3"),
        ColdTarget("../a", "s3"),
        ColdTarget("a", "s3", host="x y", port=1, scheme="https"),
        ColdTarget("a", "s3", bucket="b\nSecretAccessKey=x"),
        ColdTarget("a", "s3", credentials_file="/etc/../x"),
        ColdTarget("a", "s3", credentials_file="/etc/x;y"),
        ColdTarget("a", "posix", path="x"),
    ],
)
def test_what_a_file_could_misread_is_never_written(target: ColdTarget) -> None:
    plan = planned(request(S3)).plan
    broken = plan._replace(additions=(plan.additions[0]._replace(own=own(plan)._replace(targets=(target,))),))
    with pytest.raises(ValueError, match="may not stand in a rendered file"):
        RENDERERS["ngenea"].files(broken, catalog())


def test_a_planted_mistake_is_read() -> None:
    """The reader that CI trusts sees a key that is wrong, missing or too many, and a secret."""
    plan = planned(request(S3)).plan
    text = files(plan)["ngenea/cold.conf"]
    ngenea_reaches_the_plans_targets({"cold.conf": text}, plan)
    for wrong in (
        text.replace("Port=443", "Port=80"),
        text.replace("Bucket=cold\n", ""),
        text + "SecretAccessKey=hunter2\n",
        text.replace("Region=", "# Region="),
    ):
        with pytest.raises(AssertionError):
            ngenea_reaches_the_plans_targets({"cold.conf": wrong}, plan)
    for unreadable in (text.replace("[General]", "[General"), text + "Port=443\n", text + "[More]\n"):
        with pytest.raises(ValueError, match=r"(?i)section|option|header"):
            ngenea_reaches_the_plans_targets({"cold.conf": unreadable}, plan)


def test_the_file_system_is_made_for_programs_that_move_files() -> None:
    """`-z yes` for requests with Ngenea, with targets or without; no file of others has a word of it."""
    with_nodes, without = planned(request(S3)).plan, request()
    del without["ngenea"]
    (made,) = RENDERERS["stanzas"].files(with_nodes, catalog())
    assert read_mmcrfs(made.text)["-z"] == "yes"
    (made,) = RENDERERS["stanzas"].files(planned(request()).plan, catalog())
    assert read_mmcrfs(made.text)["-z"] == "yes"
    (made,) = RENDERERS["stanzas"].files(planned(without).plan, catalog())
    assert "-z" not in read_mmcrfs(made.text)
    assert "DMAPI" not in made.text


def test_the_run_book_has_the_order_that_ngenea_needs() -> None:
    """Its program runs before the mount, its targets come after, the policy before the first file that moves."""
    plan = planned(request(S3, DS3, POSIX)).plan
    of_target = rendered(plan)
    names, made = list(of_target), [f for files in of_target.values() for f in files]
    book = run_book(plan, catalog(), made, names, {}).text
    titles = re.findall(r"^## \d+\. (.*)$", book, re.M)
    first = titles.index("Make the file system mmfs1")
    assert titles[first : titles.index("Accept the file system mmfs1")] == [
        "Make the file system mmfs1",
        "Make the Ngenea nodes' interface towards the targets",
        "Install Ngenea on its nodes",
        "Set GPFS up for Ngenea, and start it",
        "Mount mmfs1",
        "Give mmfs1 its policy",
        "Write the first file to mmfs1",
        "Give Ngenea its targets",
        "Put the rules of the policy into the order of Ngenea",
        "Move a file to each target and back",
    ]
    assert titles.index("Stop Ngenea") < titles.index("Stop GPFS everywhere")
    for said in (
        "mstconfig -y -d PCI set LINK_TYPE_P1=2",
        "- [ ] **ng1**: to Ethernet: slots 2 and 7",
        "- [ ] **ng1**: the adapters in slots 2 and 7: `bond1`, with an address of the site and a route to each target",
        "| `dev bond1` |",
        "`mmchconfig policySystemEvalLimit=64`",
        "`mmchconfig dmapiWorkerThreads=64`",
        "`mmchconfig workerThreads=128 -N ng1,ng2`",
        "chmod 600 /etc/pixsize/cold",
        "curl --silent --show-error --head https://s3.example.org:443/",
        "findmnt --target /archive/old",
        "recall rules of the vendor first, the default placement rule last",
        "every target listed in `/opt/arcapix/etc/ngenea.conf`",
    ):
        assert said in book, said


def test_settings_of_the_vendor_are_data() -> None:
    (section,) = catalog().of_design(NgeneaDesign, "pixstor-6")
    found = {s.parameter: (s.value, s.above) for s in section.settings}
    assert found == {
        "policySystemEvalLimit": (64, None),
        "dmapiWorkerThreads": (64, None),
        "workerThreads": (128, 64),
    }


def test_the_nodes_are_the_hardware_of_the_gateways() -> None:
    """Known answers: R750, four ConnectX-6, two links to the file system; the steps are on every node."""
    plan = planned(request(S3, count=3)).plan
    nodes = [s for s in plan.servers if s.role == "ngenea"]
    assert [(s.id, s.model, [tuple(a) for a in s.adapters]) for s in nodes] == [
        (f"ng{n}", "r750", [("connectx-6-hdr", 4)]) for n in (1, 2, 3)
    ]
    assert own(plan).targets == (
        ColdTarget("cold", "s3", "s3.example.org", 443, "https", "cold", "eu-west-1", "", "/etc/pixsize/cold"),
    )
    boxes = {box.where for step in STEPS["ngenea"](plan, catalog()) for box in step.boxes}
    assert boxes == {"ng1", "ng2", "ng3"}


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (
            "pixstor-6.ngenea",
            {"servers": {"model": "r750", "count": 1, "adapters": {"connectx-6-hdr": 1, "hba355e": 1}}},
        ),
        ("pixstor-6.ngenea", {"servers": {"model": "r750", "count": 1, "adapters": {}}}),
        ("pixstor-6.ngenea", {"folder": "/opt/../etc"}),
        ("pixstor-6.ngenea", {"folder": "opt"}),
        ("pixstor-6.ngenea", {"settings": [{"parameter": "a; reboot", "value": 1}]}),
        ("ngenea.azure", {"keys": {"bucket": "Bad Key"}}),
        ("ngenea.azure", {"keys": {"secret": "SecretAccessKey"}}),
        ("ngenea.azure", {"names": {"StoreObjectName": "{other}"}}),
        ("ngenea.azure", {"names": {"StoreObjectName": "$1\nSecretAccessKey=x"}}),
        ("ngenea.azure", {"needs": ["password"]}),
    ],
)
def test_a_record_that_no_file_could_hold_is_refused(record: str, words: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"links|adapters|cannot stand here|Input should be|keys|names|needs"):
        catalog_with(record, **words).record(record)


def test_gpfs_starts_anew_once_and_each_check_can_be_met() -> None:
    """One start of all nodes for all settings; management servers keep fewer threads, and no check asks them."""
    plan = planned(request(S3)).plan
    (step,) = (s for s in STEPS["ngenea"](plan, catalog()) if s.title == "Set GPFS up for Ngenea, and start it")
    assert sum("mmshutdown -a" in box.do for box in step.boxes) == 1
    assert [box.where for box in step.boxes if "Ngenea started" in box.do] == ["ng1", "ng2"]
    threads = next(look.shows for look in step.looks if "workerThreads" in look.run)
    assert threads == "more than 64 for ng1,ng2"
    values = {(s["name"], s["where"]): s["value"] for s in cluster_view(plan, catalog())["settings"]}
    assert int(values["workerThreads", "ngenea_servers"]) > 64
    assert ("workerThreads", "management_servers") not in values


OUTWARD = "Make the Ngenea nodes' interface towards the targets"


def test_the_interface_towards_the_targets_is_that_of_the_request() -> None:
    for words, addresses, command in (
        ({}, ["an address of the site"] * 2, "ADDRESS/LENGTH ipv4.routes 'NETWORK/LENGTH ROUTER'"),
        (
            {"subnet": "10.50.0.0/22", "router": "10.50.0.1"},
            ["10.50.0.2/22", "10.50.0.3/22"],
            "ADDRESS/22 ipv4.routes 'NETWORK/LENGTH 10.50.0.1'",
        ),
    ):
        (step,) = (s for s in STEPS["ngenea"](planned(request(S3, **words)).plan, catalog()) if s.title == OUTWARD)
        assert [a in box.do for a, box in zip(addresses, step.boxes, strict=True)] == [True, True]
        assert step.commands[0].endswith(f"ipv4.addresses {command}")
