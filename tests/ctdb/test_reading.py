"""The readers of the files of gateways catch a planted mistake in each kind of file."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pixsize.products.ctdb.render.ctdb import RENDERER
from tests.ctdb.gateway_plans import ADS, planned, request
from tests.readers.compare import gateways_are_the_plan
from tests.readers.gateways import read_assignments, read_exports, read_ganesha, read_sections, read_zone
from tests.support.running import catalog

KERNEL: dict[str, Any] = {"exports": ["/mmfs1/a", "/mmfs1/b"], "smb": ADS}
GANESHA = KERNEL | {"nfs_server": "ganesha"}
FSID = r"fsid=\d+"


def check(words: dict[str, Any], path: str, pattern: str, by: str) -> None:
    """Reads the files of a request back, one of them with another text in the first place of a pattern."""
    plan = planned(request(**words))
    files = {f.path.removeprefix("ctdb/"): f.text for f in RENDERER.files(plan, catalog())}
    text = re.sub(pattern, by, files[path], count=1)
    assert (text == files[path]) is (pattern == by)
    gateways_are_the_plan(files | {path: text}, plan)


@pytest.mark.parametrize("words", [KERNEL, GANESHA])
def test_without_a_mistake_nothing_is_caught(words: dict[str, Any]) -> None:
    check(words, "nodes", "10", "10")


@pytest.mark.parametrize(
    ("words", "path", "pattern", "by"),
    [
        (KERNEL, "nodes", r"10\.10\.0\.7\n", ""),
        (KERNEL, "nodes", r"10\.10\.0\.7\n10\.10\.0\.8", "10.10.0.8\n10.10.0.7"),
        (KERNEL, "nodes", r"10\.10\.0\.7", "10.40.0.1"),
        (KERNEL, "public_addresses", "/24", "/16"),
        (KERNEL, "public_addresses", "bond1", "bond0"),
        (KERNEL, "gw2/ctdb.conf", r"10\.10\.0\.8", "10.10.0.7"),
        (KERNEL, "gw2/ctdb.conf", "recovery lock", "cluster lock"),
        (KERNEL, "gw1/ctdb.conf", "/mmfs1/", "/var/lib/"),
        (KERNEL, "script.options", "nfs-linux-kernel-callout", "nfs-ganesha-callout"),
        (GANESHA, "script.options", "STATE_MNT=/mmfs1", "STATE_MNT=/mnt"),
        (KERNEL, "script.options", "CTDB_SAMBA_CHECK_PORTS=445\nCTDB_SAMBA_SKIP_SHARE_CHECK=no\n", ""),
        (KERNEL, "smb.conf", "clustering = yes", "clustering = no"),
        (KERNEL, "smb.conf", "netbios name = FILES", "netbios name = GW1"),
        (KERNEL, "smb.conf", "fileid gpfs", "gpfs"),
        (KERNEL, "smb.conf", "path = /mmfs1/a", "path = /mmfs1/b"),
        (KERNEL, "smb.conf", r"realm = AD\.EXAMPLE", "realm = EXAMPLE"),
        (KERNEL, "smb.conf", "backend = autorid", "backed = autorid"),
        (KERNEL, "exports", FSID, "fsid=1"),
        (KERNEL, "exports", f",{FSID}", ""),
        (KERNEL, "exports", "/mmfs1/a ", "/mmfs1 "),
        (KERNEL, "nfs.conf", "vers4 = n", "vers4 = y"),
        (KERNEL, "nfs.conf", r"name = files\.", "name = gw1."),
        (KERNEL, "98-nfs-static-ports.conf", "32768", "32769"),
        (KERNEL, "rpc-rquotad", "RPCRQUOTADOPTS", "RQUOTADOPTS"),
        (GANESHA, "ganesha.conf", r"Export_Id = \d+", "Export_Id = 0"),
        (GANESHA, "ganesha.conf", 'Pseudo = "/mmfs1/a"', 'Pseudo = "/mmfs1/b"'),
        (GANESHA, "ganesha.conf", "GPFS", "VFS"),
        (KERNEL, "dns/gateways.zone", r"10\.40\.0\.1\n", "10.10.0.7\n"),
        (KERNEL, "dns/gateways.zone", "60 IN A", "86400 IN A"),
        (KERNEL, "dns/gateways.zone", r"@ IN NS localhost\.\n", ""),
        (KERNEL, "dns/named.conf", r"example\.org", "example.com"),
        (KERNEL, "dns/named.conf", "order cyclic", "order fixed"),
    ],
)
def test_a_mistake_in_a_file_is_caught(words: dict[str, Any], path: str, pattern: str, by: str) -> None:
    with pytest.raises((AssertionError, KeyError, ValueError)):
        check(words, path, pattern, by)


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_sections, "[a]\nx = 1\n[a]\n"),
        (read_sections, "[a\n"),
        (read_sections, "x = 1\n"),
        (read_sections, "[a]\nx = 1\nx = 2\n"),
        (read_sections, "[a]\nx\n"),
        (read_assignments, "A=1 B=2\n"),
        (read_assignments, "export A=1\n"),
        (read_assignments, "A = 1\n"),
        (read_exports, "/a * (rw,fsid=1)\n"),
        (read_exports, "/a *(rw,no_root_squahs,fsid=1)\n"),
        (read_exports, "/a\n"),
        (read_ganesha, "EXPORT { A = 1; "),
        (read_ganesha, "EXPORT { A = 1 }"),
        (read_ganesha, "EXPORT { A = 1; A = 2; }"),
        (read_ganesha, "EXPORT { A = ; }"),
        (read_ganesha, 'EXPORT { A = "x; }'),
        (read_ganesha, "A = 1;"),
        (read_zone, "$ORIGIN a.\n@ IN A 10.0.0.1\n"),
        (read_zone, "$ORIGIN a.\n$TTL 60\n@ A 10.0.0.1\n"),
    ],
)
def test_what_no_program_takes_is_not_read(read: Any, text: str) -> None:
    with pytest.raises(ValueError, match=r"^(no|twice|a block|characters)"):
        read(text)
