"""Words below `gateways`: what is refused, and that whatever is legal gives files that the readers accept."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pixsize.check import check
from pixsize.findings import has_errors
from pixsize.observed import Observed
from pixsize.plan.make import make_plan
from pixsize.products.ctdb.render.ctdb import RENDERER
from pixsize.products.ctdb.render.ctdb_steps import steps
from pixsize.products.ctdb.terms import about
from tests.ctdb.gateway_plans import ADS, cluster, request
from tests.readers.compare import gateways_are_the_plan
from tests.support.running import catalog, load_words, make

Words = dict[str, Any]
SHELL = ["$(reboot)", "`reboot`", "a;reboot", "a b", "a\nb", "a'b", 'a"b', "a\\b", "%h", "a|b", "a&b", "*", "-rf"]
FOREIGN = ["é", "ａ", "a\u0301", "\u202eb", "\u0661"]


def codes(**gateways: Any) -> list[tuple[str, str]]:
    """The codes and places of what load says of a request with other words below `gateways`."""
    return [(f.code, f.where) for f in load_words(request(**gateways))[1]]


@pytest.mark.parametrize(
    "domain",
    [
        *(f"{word}.example.org" for word in (*SHELL, *FOREIGN)),
        "files",
        "",
        "files.",
        ".example.org",
        "files..org",
        "FILES.example.org",
        "fi_les.example.org",
        "-files.example.org",
        "files-.example.org",
        "x" * 64 + ".example.org",
        ".".join(["x" * 62] * 4) + ".org",
        "files.localhost",
        "10.40.0.1",
    ],
)
def test_what_is_no_host_name_with_a_domain(domain: str) -> None:
    assert codes(domain=domain) == [("PX107", "gateways.domain")]


@pytest.mark.parametrize("name", [*SHELL, *FOREIGN, "", "P1P1", "1p", "x" * 16, "eth0/1"])
def test_what_is_no_interface(name: str) -> None:
    assert codes(interface=name) == [("PX107", "gateways.interface")]


@pytest.mark.parametrize(
    "folder",
    [
        *(f"/mmfs1/{word}" for word in (*SHELL, *FOREIGN)),
        "",
        "/",
        "mmfs1/a",
        "/mmfs1/",
        "/mmfs1//a",
        "/mmfs1/../etc",
        "/mmfs1/.ctdb",
        "/mmfs10",
        "/etc",
        "/mmfs1/" + "x" * 129,
        "/mmfs1" + "/abcdefgh" * 120,
    ],
)
def test_what_is_no_folder_to_export(folder: str) -> None:
    assert codes(exports=["/mmfs1/a", folder]) == [("PX107", "gateways.exports[1]")]


@pytest.mark.parametrize("word", ["realm", "workgroup"])
@pytest.mark.parametrize("value", [*SHELL, *FOREIGN, "", "example.org", "-X", "X_", "X" * 64])
def test_what_is_no_realm_and_no_workgroup(word: str, value: str) -> None:
    assert codes(smb=ADS | {word: value}) == [("PX107", f"gateways.smb.{word}")]


@pytest.mark.parametrize(
    ("words", "code", "where"),
    [
        ({"smb": {"security": "ads", "workgroup": "X"}}, "PX103", "gateways.smb"),
        ({"smb": {"security": "ads", "realm": "X.ORG"}}, "PX103", "gateways.smb"),
        ({"exports": ["/mmfs1/a", "/mmfs1/a"]}, "PX110", "gateways.exports[1]"),
        ({"addresses": ["10.40.0.1", "10.40.0.1"]}, "PX110", "gateways.addresses[1]"),
        ({"subnet": "10.10.0.0/24", "addresses": ["10.10.0.1", "10.10.0.77"]}, "PX110", "gateways.addresses[0]"),
        ({"addresses": ["10.41.0.1", "10.40.0.1"]}, "PX116", "gateways.addresses[0]"),
        ({"addresses": ["10.40.0.0", "10.40.0.1"]}, "PX116", "gateways.addresses[0]"),
        ({"addresses": ["10.40.0.1"]}, "PX116", "gateways.addresses"),
        ({"addresses": ["x", "10.40.0.1"]}, "PX115", "gateways.addresses[0]"),
        ({"subnet": "10.40.0.0/31"}, "PX116", "gateways.subnet"),
        ({"subnet": "10.40.0.0/30", "count": 3}, "PX116", "gateways.subnet"),
        ({"subnet": "10.40.0.1/24"}, "PX115", "gateways.subnet"),
        ({"subnet": "10.40.0.0"}, "PX115", "gateways.subnet"),
        ({"subnet": "fd00::/64"}, "PX115", "gateways.subnet"),
        ({"router": "10.41.0.1"}, "PX116", "gateways.router"),
        ({"router": "10.40.0"}, "PX115", "gateways.router"),
        ({"router": "10.40.0.1", "addresses": ["10.40.0.1", "10.40.0.2"]}, "PX110", "gateways.addresses[0]"),
        ({"subnet": "10.40.0.0/30", "router": "10.40.0.1"}, "PX116", "gateways.subnet"),
        ({"domain": "ntp1.example.org"}, "PX110", "gateways.domain"),
        ({"domain": "gw1.example.org"}, "PX110", "gateways.domain"),
        ({"domain": "MGMT1-bmc.example.org".lower()}, "PX110", "gateways.domain"),
        ({"subnet": None, "addresses": ["10.40.0.1", "10.40.0.2"]}, "PX103", "gateways"),
    ],
)
def test_what_does_not_go_together(words: Words, code: str, where: str) -> None:
    asked = request(**words)
    asked["network"] |= {"domain": "example.org", "ntp": ["ntp1.example.org"]}
    assert (code, where) in {(f.code, f.where) for f in load_words(asked)[1]}


def test_the_routers_address_is_never_a_gateways() -> None:
    own = cluster(subnet="10.40.0.0/29", router="10.40.0.2", count=4)
    assert [a.address for a in own.public_addresses] == [f"10.40.0.{n}/29" for n in (1, 3, 4, 5)]


def test_ipv6_is_named_as_what_it_is() -> None:
    (found,) = load_words(request(subnet="fd00::/64"))[1]
    assert "pixsize plans IPv4 only" in found.message


def test_public_addresses_that_the_servers_have_are_named_one_by_one() -> None:
    found = codes(subnet="10.10.0.0/24")
    assert {code for code, _ in found} == {"PX110"}
    assert {where for _, where in found} == {"gateways.addresses[0]", "gateways.addresses[1]"}


def test_exports_left_out_are_the_root() -> None:
    assert make(request()).loaded.words["gateways"]["exports"] == ["/mmfs1"]


@pytest.mark.parametrize(
    ("words", "where"),
    [
        ({"filesystem": {}}, {"filesystem.name"}),
        ({"gateways": {"exports": "/mmfs1"}}, {"gateways.exports"}),
        ({"gateways": {"exports": [7]}}, {"gateways.exports[0]"}),
        ({"gateways": {"addresses": "10.40.0.1", "subnet": "10.40.0.0/24"}}, {"gateways.addresses"}),
        ({"gateways": {"count": 0}}, {"gateways.count"}),
        ({"gateways": {"count": 10**6}}, {"gateways.count"}),
        ({"gateways": {"protocols": []}}, {"gateways.protocols"}),
        ({"gateways": {"protocols": ["ftp"]}}, {"gateways.protocols[0]"}),
        ({"gateways": []}, {"gateways"}),
    ],
)
def test_what_has_another_shape_is_named_once(words: Words, where: set[str]) -> None:
    assert {f.where for f in load_words(request() | words)[1] if f.severity == "error"} == where


def test_the_report_says_how_clients_are_served() -> None:
    made = make(request(count=1, protocols=["smb"]))
    (addition,) = made.plan.additions
    assert dict(about(addition.own, catalog())) == {
        "gateways": "1 gateway in a CTDB cluster, files.example.org: SMB (Samba)"
    }


def test_no_exports_at_all_are_refused() -> None:
    assert {where for _, where in codes(exports=[])} == {"gateways.exports"}


def plain(text: str) -> bool:
    """Whether YAML takes a word without quotes for text, whatever reads it."""
    return text.lower() not in {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}


_LABEL = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?", fullmatch=True)
_PART = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,90}", fullmatch=True)
_FOLDERS = st.lists(
    st.lists(_PART, max_size=3).map(lambda parts: "/".join(["/mmfs1", *parts])), min_size=1, max_size=6, unique=True
)
_UPPER = st.from_regex(r"[A-Z]([A-Z0-9-]{0,9}[A-Z0-9])?", fullmatch=True).filter(plain)


@st.composite
def legal(draw: st.DrawFn) -> Words:
    """Legal words below `gateways`, with all that files are made of."""
    count = draw(st.integers(1, 9))
    words: Words = {
        "count": count,
        "protocols": draw(st.lists(st.sampled_from(["smb", "nfs"]), min_size=1, max_size=2, unique=True)),
        "nfs_server": draw(st.sampled_from(["kernel", "ganesha"])),
        "domain": ".".join(
            [*draw(st.lists(_LABEL, min_size=1, max_size=4)), draw(st.from_regex(r"[a-z]{2,9}", fullmatch=True))]
        ),
        "subnet": f"10.40.0.0/{draw(st.integers(20, 28))}",
        "interface": draw(st.from_regex(r"[a-z][a-z0-9_.-]{0,14}", fullmatch=True).filter(plain)),
        "exports": draw(_FOLDERS),
    }
    if draw(st.booleans()):
        more = draw(st.integers(0, 4))
        words["addresses"] = [f"10.40.0.{n}" for n in random.Random(more).sample(range(1, 15), count + more)]
    if draw(st.booleans()):
        words["smb"] = {
            "security": "ads",
            "realm": ".".join(draw(st.lists(_UPPER, min_size=1, max_size=3))),
            "workgroup": draw(_UPPER),
        }
    return words


def judge(words: Words) -> None:
    """Fails unless these words are legal, and their files and steps hold the plan."""
    loaded, found = load_words(request(**words))
    assert loaded is not None, found
    plan, refusals = make_plan(loaded.request, catalog(), Observed())
    assert plan is not None, refusals
    judged = check(loaded.request, plan, catalog(), Observed())
    assert {f.code for f in judged if f.severity == "error"} <= {"PX596"}
    assert not has_errors(RENDERER.findings(plan, catalog()))
    files = {f.path.removeprefix("ctdb/"): f.text for f in RENDERER.files(plan, catalog())}
    assert all(text.isascii() and text.endswith("\n") for text in files.values())
    gateways_are_the_plan(files, plan)
    assert all(step.boxes and step.looks for step in steps(plan, catalog()))


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(legal())
def test_whatever_is_legal_gives_files_that_are_the_plan(words: Words) -> None:
    judge(words)


@settings(max_examples=5, deadline=None)
@given(legal())
def test_some_of_what_is_legal(words: Words) -> None:
    judge(words)
