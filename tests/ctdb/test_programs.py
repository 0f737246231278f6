"""The files of gateways as the programs that they are for read them. Each program catches a planted mistake as well.

What a program prints is read, beside what it returns: several of these return 0 on files that they cannot use.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import assume, given, settings

from pixsize.products.ctdb.render.ctdb_steps import steps
from tests.ctdb.gateway_plans import ADS, files, planned, request
from tests.ctdb.test_words import legal
from tests.support.programs import tool
from tests.support.running import catalog

pytestmark = pytest.mark.real

Words = dict[str, Any]
EXPORTS = ["/mmfs1", "/mmfs1/a/data", "/mmfs1/b/Data", "/mmfs1/homes"]
EVERY: Mapping[str, Words] = {
    "kernel": {"exports": EXPORTS},
    "ganesha": {"nfs_server": "ganesha", "exports": EXPORTS},
    "ads": {"smb": ADS, "exports": EXPORTS, "count": 5},
}


def ran(*command: str, **env: str) -> subprocess.CompletedProcess[str]:
    """A program, what it returns and what it prints."""
    return subprocess.run(command, env={**os.environ, **env}, text=True, capture_output=True, check=False, timeout=60)


def written(folder: Path, texts: Mapping[str, str]) -> Path:
    """The files in a folder."""
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def ctdb_config(folder: Path, text: str, *command: str) -> subprocess.CompletedProcess[str]:
    """CTDB's own reader of its configuration."""
    base = written(folder, {"ctdb.conf": text})
    return ran(tool("ctdb-config"), *command, CTDB_TEST_MODE="yes", CTDB_BASE=str(base))


def test_ctdb_reads_its_configuration(tmp_path: Path) -> None:
    text = files()["gw2/ctdb.conf"]
    good = ctdb_config(tmp_path, text, "validate")
    assert (good.returncode, good.stdout, good.stderr) == (0, "", "")
    assert ctdb_config(tmp_path, text, "get", "cluster", "recovery lock").stdout == "/mmfs1/.ctdb/lock\n"
    assert ctdb_config(tmp_path, text, "get", "cluster", "node address").stdout == "10.10.0.8\n"


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("recovery lock", "recovery look", "recovery look"),
        ("[cluster]", "[clusters]", "clusters"),
        ("10.10.0.8", "10.10.0.800", "node address"),
        ("NOTICE", "LOUD", "log level"),
    ],
)
def test_ctdb_refuses_a_mistake(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    done = ctdb_config(tmp_path, files()["gw2/ctdb.conf"].replace(right, wrong), "validate")
    assert done.returncode != 0
    assert said in done.stderr


def test_bash_reads_the_options_of_the_event_scripts(tmp_path: Path) -> None:
    path = written(tmp_path, files(nfs_server="ganesha")) / "script.options"
    shown = ran(tool("bash"), "-euc", '. "$1"; echo "$CTDB_NFS_CALLOUT $CTDB_NFS_STATE_MNT"', "bash", str(path))
    assert (shown.stdout, shown.stderr) == ("/etc/ctdb/nfs-ganesha-callout /mmfs1\n", "")


def test_ctdb_has_the_event_scripts_that_the_steps_enable() -> None:
    tool("ctdb-config")
    plan = planned(request(smb=ADS))
    enabled = [c.rpartition(" ")[2] for s in steps(plan, catalog()) for c in s.commands if "script enable" in c]
    assert enabled == ["10.interface", "49.winbind", "50.samba", "60.nfs"]
    assert all(Path(f"/usr/share/ctdb/events/legacy/{script}.script").is_file() for script in enabled)


def samba(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Samba's own reader. It returns 0 for a word that it does not know, and says so on stderr only."""
    folder.chmod(0o755)
    private = [f"--option={name} directory={folder}" for name in ("state", "cache", "lock", "pid", "private")]
    return ran(tool("testparm"), "-s", *private, str(written(folder, {"smb.conf": text}) / "smb.conf"))


def complaints(done: subprocess.CompletedProcess[str]) -> list[str]:
    usual = ("Load smb config", "Loaded services file OK", "Weak crypto", "Server role", "registered MSG_REQ")
    return [line for line in done.stderr.splitlines() if line and not line.startswith(usual)]


@pytest.mark.parametrize("kind", ["kernel", "ads"])
def test_samba_reads_its_configuration(tmp_path: Path, kind: str) -> None:
    done = samba(tmp_path, files(**EVERY[kind])["smb.conf"])
    assert (done.returncode, complaints(done)) == (0, [])
    shown = re.findall(r"^\[(.*)\]\n\tpath = (.*)$", done.stdout, re.M)
    names = ["mmfs1", "mmfs1~a~data", "mmfs1~b~Data", "mmfs1~homes"]
    assert shown == list(zip(names, EXPORTS, strict=True))
    assert "clustering = Yes" in done.stdout
    assert "vfs objects = fileid gpfs" in done.stdout
    assert ("security = ADS" in done.stdout) is (kind == "ads")


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("read only = no", "read onyl = no", "Unknown parameter"),
        ("clustering = yes", "clustering = sometimes", "value is not boolean"),
        ("security = ads", "security = adds", "security"),
        ("netbios name = FILES", "netbios name = EXAMPLE", "must differ"),
    ],
)
def test_samba_complains_of_a_mistake(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    done = samba(tmp_path, files(**EVERY["ads"])["smb.conf"].replace(right, wrong))
    assert said in done.stderr + done.stdout


def exported(folder: Path, text: str) -> None:
    """Makes each exported folder of a file below a folder of the test."""
    for path in re.findall(r"/mmfs1[\w./-]*", text):
        (folder / path.removeprefix("/")).mkdir(parents=True, exist_ok=True)


_EXPORTFS = """
mount --bind "$1" /etc/exports && mount -t tmpfs none /var/lib/nfs || exit 9
if [ -d /etc/exports.d ]; then mount -t tmpfs none /etc/exports.d || exit 9; fi
touch /var/lib/nfs/etab /var/lib/nfs/rmtab
exportfs -ra && cat /var/lib/nfs/etab
"""


def exportfs(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """What exportfs makes of a file, where the exported folders exist; they lie in a folder of the test."""
    tool("exportfs", root=True)
    here = text.replace("/mmfs1", f"{folder}/mmfs1")
    exported(folder, text)
    path = written(folder, {"exports": here}) / "exports"
    return ran(tool("unshare", root=True), "-m", "bash", "-c", _EXPORTFS, "bash", str(path))


def test_exportfs_exports_each_folder_under_its_number(tmp_path: Path) -> None:
    text = files(**EVERY["kernel"])["exports"]
    done = exportfs(tmp_path, text)
    assert (done.returncode, done.stderr.strip()) == (0, "")
    made = dict(re.findall(r"^(\S+)\t\*\(.*?fsid=(\d+)", done.stdout, re.M))
    assert made == {f"{tmp_path}{path}": number for path, number in re.findall(r"^(\S+) .*fsid=(\d+)", text, re.M)}
    assert len(made) == len(EXPORTS)


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [("no_subtree_check", "no_subtree_chek", "unknown keyword"), ("fsid=", "fsid=x", "fsid")],
)
def test_exportfs_complains_of_a_mistake(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    assert said in exportfs(tmp_path, files(**EVERY["kernel"])["exports"].replace(right, wrong)).stderr


def test_nfs_reads_its_ports(tmp_path: Path) -> None:
    path = str(written(tmp_path, files()) / "nfs.conf")
    asked = (("statd", "name"), ("statd", "port"), ("mountd", "port"), ("lockd", "port"), ("nfsd", "vers4"))
    shown = [ran(tool("nfsconf"), "--file", path, "--get", *words).stdout.strip() for words in asked]
    assert shown == ["files.example.org", "32765", "32767", "32768", "n"]


_GANESHA = """
mount -t tmpfs none /var/lib/nfs && mount -t tmpfs none /run && mkdir -p /var/lib/nfs/ganesha /run/ganesha || exit 9
exec "$1" -F -f "$2" -L "$3" -p /run/ganesha.pid -N EVENT
"""
"""In a network of its own: the program finds no rpcbind there and ends, once it has read its file."""


def ganesha(folder: Path, text: str) -> list[str]:
    """What NFS-Ganesha complains of in a file. Its log tells, and not what it returns.

    The module for GPFS is not in Debian, and without a module an EXPORT is not read: VFS stands in its place.
    """
    exported(folder, text)
    here = text.replace("Name = GPFS;", "Name = VFS;").replace('Path = "', f'Path = "{folder}')
    conf, log = written(folder, {"ganesha.conf": here}) / "ganesha.conf", folder / "ganesha.log"
    program = tool("ganesha.nfsd", root=True)
    ran(tool("unshare", root=True), "-m", "-n", "bash", "-c", _GANESHA, "bash", program, str(conf), str(log))
    lines = log.read_text().splitlines()
    assert any("init_logging" in line for line in lines), lines
    said = [line.partition("[main] ")[2] for line in lines]
    return [line for line in said if re.search(r"config_errs|yyerror|export", line)]


def test_ganesha_reads_its_configuration(tmp_path: Path) -> None:
    assert ganesha(tmp_path, files(**EVERY["ganesha"])["ganesha.conf"]) == []


def first(pattern: str, by: str) -> Callable[[str], str]:
    """A file with another text in the first place of a pattern."""
    return lambda text: re.sub(pattern, by, text, count=1)


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        (first("Access_Type = RW", "Access_Type = Write"), "Unknown token (Write)"),
        (first("Squash =", "Sqash ="), "Unknown parameter (Sqash)"),
        (first("MNT_Port", "Mount_Port"), "Unknown parameter (Mount_Port)"),
        (first("SecType = sys;", "SecType = sys"), "syntax error"),
        (first(r"Export_Id = \d+", "Export_Id = 65536"), "65536"),
        (lambda text: re.sub(r"Export_Id = \d+", "Export_Id = 7", text), "validation errors in block EXPORT"),
        (lambda text: re.sub(r"Pseudo = .*;", 'Pseudo = "/a";', text), "duplicate"),
    ],
)
def test_ganesha_complains_of_a_mistake(tmp_path: Path, mistake: Callable[[str], str], said: str) -> None:
    heard = ganesha(tmp_path, mistake(files(**EVERY["ganesha"])["ganesha.conf"]))
    assert any(said in line for line in heard), heard


def named(folder: Path, made: Mapping[str, str]) -> tuple[subprocess.CompletedProcess[str], ...]:
    """What BIND says of the zone, and of its own configuration with the zone loaded."""
    dns = written(folder, made) / "dns"
    zone = ran(tool("named-checkzone"), "example.org", str(dns / "gateways.zone"))
    command = [tool("named-checkconf"), "-z", "named.conf"]
    return zone, subprocess.run(command, cwd=dns, text=True, capture_output=True, check=False, timeout=60)


def test_bind_reads_the_zone_and_its_configuration(tmp_path: Path) -> None:
    zone, conf = named(tmp_path, files(count=5))
    assert (zone.returncode, zone.stdout, zone.stderr) == (0, "zone example.org/IN: loaded serial 1\nOK\n", "")
    assert (conf.returncode, conf.stdout, conf.stderr) == (0, "zone example.org/IN: loaded serial 1\n", "")


@pytest.mark.parametrize(
    ("path", "right", "wrong", "said"),
    [
        ("dns/gateways.zone", "A 10.40.0.1", "A 10.40.0.256", "bad dotted quad"),
        ("dns/gateways.zone", "@ IN NS localhost.\n", "", "no NS records"),
        ("dns/gateways.zone", "NS localhost.", "NS ns1", "has no address records"),
        ("dns/named.conf", "order cyclic", "order cycle", "cycle"),
        ("dns/named.conf", "rrset-order", "rrset-oder", "unknown option"),
        ("dns/named.conf", '"gateways.zone"', '"gateway.zone"', "file not found"),
    ],
)
def test_bind_refuses_a_mistake(tmp_path: Path, path: str, right: str, wrong: str, said: str) -> None:
    made = files()
    assert right in made[path]
    done = named(tmp_path, made | {path: made[path].replace(right, wrong)})[path.endswith(".conf")]
    assert done.returncode != 0
    assert said in done.stdout + done.stderr


@pytest.mark.long
@settings(max_examples=15, deadline=None)
@given(legal())
def test_the_programs_read_whatever_is_legal(words: Words) -> None:
    assume(words.get("smb", {}).get("workgroup", "WORKGROUP") != netbios_name(words["domain"]))
    made = files(**words)
    with TemporaryDirectory() as name:
        folder = Path(name)
        zone = ran(
            tool("named-checkzone"), words["domain"].partition(".")[2], str(written(folder, made) / "dns/gateways.zone")
        )
        assert (zone.returncode, zone.stderr) == (0, ""), zone.stdout
        conf = next(text for path, text in made.items() if path.endswith("ctdb.conf"))
        assert ctdb_config(folder, conf, "validate").returncode == 0
        if "smb.conf" in made:
            read = samba(folder, made["smb.conf"])
            assert (read.returncode, complaints(read)) == (0, [])
            assert set(re.findall(r"^\tpath = (.*)$", read.stdout, re.M)) == set(words["exports"])
        if "exports" in made:
            assert exportfs(folder, made["exports"]).stderr.strip() == ""
        if "ganesha.conf" in made:
            assert ganesha(folder, made["ganesha.conf"]) == []


def netbios_name(domain: str) -> str:
    return domain.partition(".")[0].upper()[:15].rstrip("-")
