"""LNet: what lnetctl or modprobe would read, and that never both do."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from pixsize.plan.records import Plan, SwitchSet
from pixsize.products.lustre.plan import Network
from pixsize.products.lustre.render.lnet import RENDERER
from tests.lustre.render_lustre import me4, powerflex, shipped
from tests.support.changing import replace

SERVERS = ("mds01", "mds02", "oss01", "oss02", "oss03", "oss04")


def files_of(given: Plan) -> dict[str, str]:
    made = RENDERER.files(given, shipped())
    assert not any(f.executable for f in made)
    return {f.path.removeprefix("lnet/"): f.text for f in made}


def nets_of(text: str) -> list[dict[str, Any]]:
    """The networks of an lnet.conf in block style: lnetctl's own reader knows no other, and hangs on a tab."""
    assert text.isascii()
    assert not set("\t{}[]&*!|>'\"") & set(re.sub(r"(?m)^#.*\n", "", text).replace("local NI(s)", ""))
    nets: list[dict[str, Any]] = yaml.safe_load(text)["net"]
    return nets


def test_a_file_a_server_and_one_for_the_clients() -> None:
    assert list(files_of(powerflex())) == [*(f"{s}/lnet.conf" for s in SERVERS), "clients/lnet.conf", "README.md"]


def test_each_server_has_its_own_address_and_interface() -> None:
    files = files_of(powerflex())
    for turn, server in enumerate(SERVERS, 1):
        assert nets_of(files[f"{server}/lnet.conf"]) == [
            {"net type": "o2ib", "local NI(s)": [{"nid": f"10.10.0.{turn}@o2ib", "interfaces": {0: "ib0"}}]}
        ]
        assert files[f"{server}/lnet.conf"].startswith(f"# /etc/lnet.conf of {server}: ")


def test_a_client_has_the_network_and_no_address() -> None:
    text = files_of(powerflex())["clients/lnet.conf"]
    assert nets_of(text) == [{"net type": "o2ib", "local NI(s)": [{"interfaces": {0: "ib0"}}]}]


def test_another_network() -> None:
    given = powerflex(network=Network("tcp1", "em1.20"))
    (net,) = nets_of(files_of(given)["oss02/lnet.conf"])
    assert net == {"net type": "tcp1", "local NI(s)": [{"nid": "10.10.0.4@tcp1", "interfaces": {0: "em1.20"}}]}


def options_of(text: str) -> dict[str, dict[str, str]]:
    """The options of modules in a file of modprobe.d."""
    found: dict[str, dict[str, str]] = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        match = re.fullmatch(r'options (\w+) (\w+)="([^"]*)"', line)
        assert match, line
        assert match[1] not in found
        found[match[1]] = {match[2]: match[3]}
    return found


def test_modprobe_owns_lnet_only_where_asked_and_then_alone() -> None:
    files = files_of(powerflex(network=Network("o2ib", "ib0", owner="modprobe")))
    assert not any(name.endswith("lnet.conf") for name in files)
    for node in (*SERVERS, "clients"):
        assert options_of(files[f"{node}/lustre.conf"]) == {"lnet": {"networks": "o2ib(ib0)"}}
    book = files["README.md"]
    assert "systemctl disable lnet" in book
    assert "systemctl enable lnet" not in book
    assert "After a restart nobody has to: the first mount" in book
    assert not any(
        "options" in text for text in files_of(powerflex()).values() if "README" not in text and "net:" in text
    )


@pytest.mark.parametrize("owner", ["lnet_conf", "modprobe"])
def test_nothing_is_written_by_hand_for_omni_path(owner: Any) -> None:
    files = files_of(powerflex(network=Network("o2ib", "ib0", owner=owner)))
    for name, text in files.items():
        said = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))
        if name != "README.md":
            assert "ko2iblnd" not in said
            assert "peer_credits" not in said
            assert "lnetctl net show -v" in text
    assert "On Omni-Path" in files["README.md"]


def test_another_fabric_hears_nothing_of_omni_path() -> None:
    files = files_of(me4()._replace(switches=(SwitchSet("sw1", "lustre", "sb7800"),)))
    assert not any("Omni-Path" in text or "ko2iblnd" in text for text in files.values())


@pytest.mark.parametrize("owner", ["lnet_conf", "modprobe"])
def test_nor_does_tcp_over_omni_path(owner: Any) -> None:
    files = files_of(powerflex(network=Network("tcp", "em1", owner=owner)))
    assert not any("Omni-Path" in text or "ko2iblnd" in text for text in files.values())


def test_the_run_book_names_every_address_and_the_other_owner() -> None:
    book = files_of(powerflex(management="iml_monitored"))["README.md"]
    for turn, server in enumerate(SERVERS, 1):
        assert f"| `{server}/lnet.conf` | `/etc/lnet.conf` | {server}, 10.10.0.{turn}@o2ib |" in book
        assert f"    lctl ping 10.10.0.{turn}@o2ib\n" in book
    assert "grep -rs 'options lnet' /etc/modprobe.d/" in book
    assert "Monitored Server Profile" in book
    assert "## IML" not in files_of(powerflex())["README.md"]


def test_lnet_that_is_loaded_already_is_taken_down_first() -> None:
    """The service is skipped then on 2.10 (ConditionPathExists), and nothing would read the file."""
    book = files_of(powerflex())["README.md"]
    steps = re.findall(r"(?m)^(\d)\. (.*)", book)
    assert [n for n, _ in steps] == list("123456")
    assert steps[2][1].startswith("**Is LNet loaded already?** `ls -d /sys/module/lnet`")
    assert book.index("lustre_rmmod") < book.index("`systemctl enable lnet`")
    assert "lnetctl lnet unconfigure" in book
    other = files_of(powerflex(network=Network("o2ib", "ib0", owner="modprobe")))["README.md"]
    assert [n for n, _ in re.findall(r"(?m)^(\d)\. (.*)", other)] == list("12345")
    assert other.index("lustre_rmmod") < other.index("`modprobe lustre`")


def test_the_codes_of_lnetctl_stand_in_a_table() -> None:
    """254 has two causes, and a missing interface has other words in each release."""
    rows = dict(re.findall(r"(?m)^   \| (\d+) \| (.*) \|$", files_of(powerflex())["README.md"]))
    assert set(rows) == {"0", "124", "254", "255"}
    assert "modules are not loaded" in rows["254"]
    assert all(word in rows["255"] for word in ("bad parameter", "couldn't query intf"))


def test_a_network_of_tcp_names_its_port() -> None:
    assert "TCP 988" in files_of(powerflex(network=Network("tcp", "em1")))["README.md"]
    assert "988" not in files_of(powerflex())["README.md"]


def test_the_clients_never_share_a_folder_with_a_server() -> None:
    given = powerflex()
    first, *others = given.servers
    files = files_of(given._replace(servers=(replace(first, id="Clients"), *others)))
    assert {"Clients/lnet.conf", "clients_/lnet.conf"} <= set(files)
    assert len({name.lower() for name in files}) == len(files)


def test_nor_does_a_server_take_the_place_of_the_run_book() -> None:
    given = powerflex()
    first, *others = given.servers
    files = files_of(given._replace(servers=(replace(first, id="README.md"), *others)))
    assert "| `README.md_/lnet.conf` | `/etc/lnet.conf` | README.md, 10.10.0.1@o2ib |" in files["README.md"]
    assert files["README.md_/lnet.conf"].startswith("# /etc/lnet.conf of README.md: ")


def test_without_a_network_it_is_refused() -> None:
    bare = powerflex(network=None)
    assert not RENDERER.applies(bare)
    (finding,) = RENDERER.findings(bare, shipped())
    assert (finding.code, finding.severity) == ("PX610", "error")
    assert RENDERER.findings(powerflex(), shipped()) == ()
    assert RENDERER.applies(powerflex())


@pytest.mark.parametrize(
    "nids",
    [
        ("10.10.0.1",),
        ("10.10.0.1@tcp",),
        ("10.10.0.1@o2ib\n- x: y",),
        ("10.10.0.1@o2ib ",),
        ("$(id)@o2ib",),
        ("10.10.0.1@o2ib", "10.10.1.1@o2ib"),
    ],
)
def test_addresses_that_are_none_never_reach_a_file(nids: tuple[str, ...]) -> None:
    given = powerflex()
    first, *others = given.servers
    with pytest.raises(ValueError, match="address"):
        files_of(given._replace(servers=(replace(first, nids=nids), *others)))


@pytest.mark.parametrize(
    "network",
    [Network("o2ib", 'ib0"'), Network("o2ib", "ib0\tx"), Network("o2ib(ib0),tcp", "ib0"), Network("opa", "ib0")],
)
def test_words_that_modprobe_or_lnetctl_could_misread_never_reach_them(network: Network) -> None:
    given = powerflex(network=network)
    with pytest.raises(ValueError, match=r"may not stand|no network|no address"):
        files_of(given)
