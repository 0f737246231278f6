"""The word `ngenea`: what it takes, what is completed, what is refused, and that no secret is shown."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from pixsize.load.request_loader import load_request
from pixsize.report.findings import text as shown
from tests.ngenea.words import AZURE, DS3, EVERY_TYPE, GOOGLE, POSIX, S3, request
from tests.products.drawing import refused_wherever_it_stands
from tests.support.running import catalog, load_words, make

HTTP = DS3 | {"name": "clear", "endpoint": "http://clear.example.org", "scheme": "http"}
REQUESTS = [request(*EVERY_TYPE, HTTP | {"port": 8080}, count=3)]
"""Requests with every word that there is."""
SECRET = "hunter2-hunter2"
WRONG: dict[str, list[Any]] = {
    "ngenea": [[], "two", 2, None],
    "count": [-1, 0, 1.5, True, "2", 10**9],
    "targets": ["cold", 5, [{}], ["cold"], [{"name": "cold"}], None, {"name": "cold"}],
    "name": ["", "a b", "a/b", "../a", "1st", "-a", "a]", "a\nb", "a;b", "$(x)", "default", "x" * 32, "é", 7],
    "type": ["S3", "tape", "", 3, None],
    "endpoint": [
        "s3.example.org",
        "ftp://s3.example.org",
        "https://",
        "https://s3 example.org",
        "https://s3.example.org/bucket",
        "https://s3.example.org:0",
        "https://s3.example.org:65536",
        "https://s3.example.org:99999",
        "https://user@s3.example.org",
        "https://user:pw@s3.example.org",
        "https://s3.example.org?X-Amz-Signature=1",
        "https://s3.example.org#x",
        "https://-s3.example.org",
        "https://s3..example.org",
        "https://s3.example.org\n",
        "https://999.1.1.1",
        "https://$(reboot)",
        "HTTPS://s3.example.org",
        443,
    ],
    "port": [0, -1, 65536, "443", 1.5, True],
    "scheme": ["HTTPS", "ftp", "", 1],
    "bucket": ["", "a", "a/b", "a b", ".ab", "ab-", "x" * 64, "$(x)", "a\nb", 'a"b', 7],
    "region": ["", "eu west", "eu/west", "-eu", "eu;", "e" * 64, 1],
    "path": ["", "archive", "/", "//", "/a/../b", "/a/./b", "/a b", "/a;b", "/$(x)", "/a\nb", "/mmfs1", "/mmfs1/a", "/a/", 1],
    "credentials_file": ["", "keys", "~/keys", "/etc/../keys", "/mmfs1/keys", "/etc/k y", "/etc/`x`", "/" + "k" * 300, 1],
}  # fmt: skip


@pytest.mark.parametrize(("word", "value"), [(word, value) for word, values in WRONG.items() for value in values])
def test_a_wrong_value_is_refused(word: str, value: Any) -> None:
    refused_wherever_it_stands(REQUESTS, word, value)


OUTWARD = {"subnet": "10.50.0.0/24", "router": "10.50.0.1"}
GATEWAYS = {"count": 2, "domain": "files.example.org", "subnet": "10.50.0.0/24", "router": "10.50.0.1"}


def test_nodes_have_the_addresses_behind_the_router_and_the_gateways() -> None:
    """Gateways and nodes may be on one network of the site: nobody has an address twice."""
    loaded, findings = load_words(request(**OUTWARD))
    assert loaded is not None, findings
    assert loaded.request.ngenea.addresses == ("10.50.0.2", "10.50.0.3")
    assert "ngenea.addresses" in loaded.defaults
    loaded, findings = load_words(request(**OUTWARD) | {"gateways": GATEWAYS})
    assert loaded is not None, findings
    assert loaded.request.gateways.addresses == ("10.50.0.2", "10.50.0.3")
    assert loaded.request.ngenea.addresses == ("10.50.0.4", "10.50.0.5")


NETWORK = {"subnet": "10.10.0.0/24", "management": {"subnet": "10.20.0.0/24"}}


@pytest.mark.parametrize(
    ("ngenea", "beside", "code", "where"),
    [
        ({"subnet": "10.50.0.0/24;reboot"}, {}, "PX115", "ngenea.subnet"),
        ({"subnet": "10.50.0.0/30"}, {}, None, ""),
        ({"subnet": "10.50.0.0/30", "router": "10.50.0.1"}, {}, "PX116", "ngenea.subnet"),
        ({"router": "10.50.0.1"}, {}, "PX103", "ngenea"),
        ({"addresses": ["10.50.0.2", "10.50.0.3"]}, {}, "PX103", "ngenea"),
        (OUTWARD | {"addresses": ["10.50.0.2"]}, {}, "PX116", "ngenea.addresses"),
        (OUTWARD | {"addresses": ["10.50.0.2", "10.50.0.2"]}, {}, "PX110", "ngenea.addresses[1]"),
        (OUTWARD | {"addresses": ["10.50.0.2", "10.50.0.1"]}, {}, "PX110", "ngenea.addresses[1]"),
        (OUTWARD | {"addresses": ["10.50.0.4", "10.51.0.4"]}, {}, "PX116", "ngenea.addresses[1]"),
        (OUTWARD | {"addresses": ["10.50.0.4", "$(reboot)"]}, {}, "PX115", "ngenea.addresses[1]"),
        (OUTWARD | {"addresses": ["10.50.0.4", "10.50.0.2"]}, {"gateways": GATEWAYS}, "PX110", "ngenea.addresses[1]"),
        ({"subnet": "10.10.0.128/25"}, {"network": NETWORK}, "PX116", "ngenea.subnet"),
        ({"subnet": "10.20.0.0/16"}, {"network": NETWORK}, "PX116", "ngenea.subnet"),
        (OUTWARD, {"network": NETWORK}, None, ""),
    ],
)  # fmt: skip
def test_the_network_towards_the_targets(
    ngenea: dict[str, Any], beside: dict[str, Any], code: str | None, where: str
) -> None:
    loaded, findings = load_words(request(**ngenea) | beside)
    assert (loaded is None) == (code is not None), findings
    assert code is None or (code, where) in {(f.code, f.where) for f in findings}, findings


@pytest.mark.parametrize("name", ["ngenea", "Ngenea", "general", "General", "DEFAULT"])
def test_a_target_is_not_called_like_another_file_or_section(name: str) -> None:
    loaded, findings = load_words(request(S3 | {"name": name}))
    assert loaded is None
    assert [(f.code, f.where) for f in findings] == [("PX107", "ngenea.targets[0].name")]


SECRETS = (
    "secret", "secret_key", "SecretAccessKey", "access_key", "AccessKeyId", "password", "passwd", "pass", "token", "key",
    "api-key", "AccountKey", "sas", "credentials", "private_key", "passphrase",
)  # fmt: skip


@pytest.mark.parametrize("word", SECRETS)
@pytest.mark.parametrize("flow", [True, False])
def test_a_secret_is_refused_and_never_shown(word: str, flow: bool, tmp_path: Any) -> None:
    """Not even the line that it stands on, for what else is wrong there."""
    path = tmp_path / "request.yaml"
    words = request(S3 | {word: SECRET, "bucket": "a b"})
    path.write_text(yaml.safe_dump(words, sort_keys=False, default_flow_style=flow, width=10**6))
    loaded, findings = load_request(str(path), catalog())
    assert loaded is None
    about = [f for f in findings if f.where == f"ngenea.targets[0].{word}"]
    assert [f.code for f in about] == ["PX101"]
    assert "credentials_file" in about[0].hint
    assert about[0].position is not None
    assert SECRET not in shown(findings)
    assert {f.code for f in findings} == {"PX101", "PX107"}


def test_a_secret_beside_the_targets_is_refused() -> None:
    loaded, findings = load_words(request(S3, password=SECRET))
    assert loaded is None
    assert [(f.code, f.where) for f in findings] == [("PX101", "ngenea.password")]
    assert SECRET not in shown(findings)


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("endpoint", f"https://me:{SECRET}@s3.example.org"),
        ("endpoint", f"https://s3.example.org/?sig={SECRET}"),
        ("credentials_file", SECRET),
    ],
)
def test_a_secret_in_the_wrong_place_is_not_shown(word: str, value: str) -> None:
    loaded, findings = load_words(request(S3 | {word: value}))
    assert loaded is None
    assert [(f.code, f.where) for f in findings] == [("PX107", f"ngenea.targets[0].{word}")]
    assert SECRET not in shown(findings)


def test_a_file_of_credentials_that_is_misspelt_is_no_secret() -> None:
    words = {k: v for k, v in S3.items() if k != "credentials_file"} | {"credential_file": "/etc/pixsize/cold"}
    _, findings = load_words(request(words))
    assert [(f.code, f.hint) for f in findings] == [("PX101", "Did you mean credentials_file?")]


NEEDED = {"s3": (S3, 3), "ds3": (DS3, 3), "azure": (AZURE, 2), "google": (GOOGLE, 2), "posix": (POSIX, 1)}


@pytest.mark.parametrize("kind", NEEDED)
def test_a_word_that_a_type_needs_is_asked_for(kind: str) -> None:
    words, count = NEEDED[kind]
    missing = []
    for word in words.keys() - {"name", "type", "region"}:
        loaded, findings = load_words(request({k: v for k, v in words.items() if k != word}))
        assert loaded is None
        assert [(f.code, f.where, f.hint) for f in findings] == [("PX103", f"ngenea.targets[0].{word}", f"Add {word}.")]
        missing.append(word)
    assert len(missing) == count


@pytest.mark.parametrize(
    ("target", "word", "value"),
    [
        (S3, "path", "/x"),
        (POSIX, "bucket", "cold"),
        (POSIX, "region", "eu-west-1"),
        (POSIX, "scheme", "https"),
        (AZURE, "region", "west"),
    ],
)
def test_a_word_that_a_type_does_not_have_is_refused(target: dict[str, Any], word: str, value: str) -> None:
    loaded, findings = load_words(request(target | {word: value}))
    assert loaded is None
    assert [(f.code, f.where) for f in findings] == [("PX101", f"ngenea.targets[0].{word}")]
    assert target["type"] in findings[0].message


def test_names_are_unique_in_any_case() -> None:
    loaded, findings = load_words(request(S3, S3 | {"name": "Cold"}))
    assert loaded is None
    assert [(f.code, f.where) for f in findings] == [("PX110", "ngenea.targets[1].name")]


@pytest.mark.parametrize(
    ("more", "scheme", "port", "defaults"),
    [
        ({}, "https", 443, {"scheme", "port"}),
        ({"endpoint": "https://s3.example.org:9000/"}, "https", 9000, {"scheme", "port"}),
        ({"port": 9000}, "https", 9000, {"scheme"}),
        ({"endpoint": "http://s3.example.org", "scheme": "http"}, "http", 80, {"port"}),
        ({"endpoint": "http://s3.example.org:81", "scheme": "http", "port": 81}, "http", 81, set()),
    ],
)
def test_scheme_and_port_are_completed(more: dict[str, Any], scheme: str, port: int, defaults: set[str]) -> None:
    loaded, findings = load_words(request(S3 | more))
    assert loaded is not None, findings
    (target,) = loaded.words["ngenea"]["targets"]
    assert (target["scheme"], target["port"]) == (scheme, port)
    paths = {path.removeprefix("ngenea.targets[0].") for path in loaded.defaults if path.startswith("ngenea.targets")}
    assert paths == defaults


@pytest.mark.parametrize(
    "more",
    [
        {"endpoint": "http://s3.example.org"},
        {"endpoint": "http://s3.example.org", "scheme": "https"},
        {"scheme": "http"},
        {"endpoint": "https://s3.example.org:9000", "port": 443},
    ],
)
def test_http_is_said_and_nothing_is_said_twice(more: dict[str, Any]) -> None:
    loaded, findings = load_words(request(S3 | more))
    assert loaded is None
    assert [(f.code, f.where) for f in findings] == [("PX107", "ngenea.targets[0].endpoint")]


def test_two_nodes_where_nobody_says_how_many() -> None:
    made = make(request(S3))
    assert [s.id for s in made.plan.servers if s.role == "ngenea"] == ["ng1", "ng2"]
    assert "ngenea.count" in made.loaded.defaults


def test_the_names_of_the_nodes_are_taken() -> None:
    words = request(S3)
    words["hdmd"] |= {"hosts": ["ng1", "hm2"]}
    _, findings = load_words(words)
    assert [(f.code, f.where) for f in findings] == [("PX110", "hdmd.hosts[0]")]


def test_the_nodes_have_addresses_after_all_others() -> None:
    made = make(request(S3) | {"gateways": {"count": 2}, "network": {"subnet": "10.10.0.0/24"}})
    addresses = [(s.id, s.address) for s in made.plan.servers][-4:]
    assert addresses == [("gw1", "10.10.0.7"), ("gw2", "10.10.0.8"), ("ng1", "10.10.0.9"), ("ng2", "10.10.0.10")]


def test_the_request_of_the_contract_is_planned() -> None:
    """A target as it is mostly written: its region is asked for, and nothing else."""
    made = make(request({k: v for k, v in S3.items() if k != "region"}, count=1))
    assert {f.code for f in made.findings if f.severity != "note"} == {"PX583", "PX584"}
