"""Requests: what completes them, and the code, the place and the words for everything that is wrong with one."""

import json

import pytest
import yaml

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design
from pixsize.load import find_request, load_catalog, load_request, names
from pixsize.load.request_loader import digest_of, shape_of
from pixsize.products.scale import completion as scale_names
from pixsize.products.scale.request import ScaleRequest

GOOD = """\
name: scratch
design: pixstor-6
storage_modules:
  - size: large
    data_drive: 12 TB
filesystem:
  name: mmfs1
"""
WITH_HDMD = GOOD + "hdmd:\n  drive: 960 GB\n"


@pytest.fixture(scope="module")
def catalog():
    return load_catalog()[0]


@pytest.fixture
def load(tmp_path, catalog):
    def load_text(text):
        path = tmp_path / "r.yaml"
        path.write_text(text, encoding="utf-8")
        return load_request(str(path), catalog)

    return load_text


def found(findings):
    return [(f.code, f.where, f.position.line, f.position.column) for f in findings]


def test_a_short_request_is_completed(load):
    loaded, findings = load(GOOD)
    assert findings == ()
    assert loaded.words == {
        "name": "scratch",
        "design": "pixstor-6",
        "storage_modules": [
            {
                "size": "large",
                "count": 1,
                "expansion": False,
                "data_drive": "12 TB",
                "metadata_drive": "960 GB",
                "chunk_size": "512 KiB",
                "hosts": ["sm01n1", "sm01n2"],
            }
        ],
        "filesystem": {
            "name": "mmfs1",
            "block_size": "8 MiB",
            "inode_size": "4 KiB",
            "metadata_replicas": 2,
            "failure_groups": "per_array",
        },
    }
    assert set(loaded.defaults) == {
        "storage_modules[0].count",
        "storage_modules[0].expansion",
        "storage_modules[0].metadata_drive",
        "storage_modules[0].chunk_size",
        "storage_modules[0].hosts",
        "filesystem.block_size",
        "filesystem.inode_size",
        "filesystem.metadata_replicas",
        "filesystem.failure_groups",
    }
    module = loaded.request.storage_modules[0]
    assert (module.data_drive, module.metadata_drive, module.chunk_bytes) == ("nl-sas-12tb", "ssd-960gb", 512 * 1024)
    assert loaded.request.filesystem.block_bytes == 8 * 2**20
    assert loaded.request.hdmd is None


def test_the_example_of_the_contract(catalog):
    loaded, findings = load_request("large+hdmd.yaml", catalog)
    assert findings == ()
    assert loaded.request.hdmd.drive == "ssd-960gb"
    assert loaded.request.storage_modules[0].metadata_drive is None
    assert "metadata_drive" not in loaded.words["storage_modules"][0]
    assert loaded.positions.value("hdmd.arrays").line == 11


def test_servers_are_numbered_over_all_modules(load):
    text = GOOD.replace(
        "    data_drive: 12 TB\n", "    data_drive: 12 TB\n    count: 2\n  - {size: small, data_drive: 8 TB}\n"
    )
    loaded, _ = load(text + "hdmd: {modules: 2, drive: 960 GB}\n")
    assert [m.hosts for m in loaded.request.storage_modules] == [
        ("sm01n1", "sm01n2", "sm02n1", "sm02n2"),
        ("sm03n1", "sm03n2"),
    ]
    assert loaded.request.hdmd.hosts == ("hm01n1", "hm01n2", "hm02n1", "hm02n2")


def test_given_names_keep_the_numbers_of_the_others(load):
    text = GOOD.replace(
        "    data_drive: 12 TB\n",
        "    data_drive: 12 TB\n    hosts: [Oss1.ib, oss-2.ib]\n  - {size: small, data_drive: 8 TB}\n",
    )
    loaded, findings = load(text)
    assert findings == ()
    assert [m.hosts for m in loaded.request.storage_modules] == [("Oss1.ib", "oss-2.ib"), ("sm02n1", "sm02n2")]
    assert "storage_modules[0].hosts" not in loaded.defaults
    assert "storage_modules[1].hosts" in loaded.defaults


FULL = """\
name: big-1.x
design: pixstor-6
accept:
  - {code: PX512, reason: the customer knows}
storage_modules:
  - {size: large, count: 3, expansion: true, data_drive: nl-sas-16tb, chunk_size: 256 KiB}
  - {size: small, data_drive: 16 TB, hosts: [a1, a2]}
hdmd: {modules: 1, arrays: 4, drive: ssd-3.84tb}
filesystem:
  name: fs_1
  block_size: 16 MiB
  inode_size: 1 KiB
  metadata_replicas: 3
  failure_groups: sides
  descriptor: {server: mgmt1, device: /dev/disk/by-id/scsi-3600508b1001c}
"""


@pytest.mark.parametrize("text", [GOOD, WITH_HDMD, FULL])
def test_completed_words_written_back_give_the_same_request(load, text):
    first, findings = load(text)
    assert findings == ()
    again, findings = load(yaml.safe_dump(json.loads(json.dumps(first.words)), sort_keys=False))
    assert findings == ()
    assert (again.request, again.words, again.digest) == (first.request, first.words, first.digest)
    assert again.defaults == ()


def test_the_order_of_words_changes_nothing(load):
    shuffled = yaml.safe_dump(dict(reversed(yaml.safe_load(FULL).items())), sort_keys=True)
    first, second = load(FULL)[0], load(shuffled)[0]
    assert (first.request, first.digest) == (second.request, second.digest)
    assert list(first.words) == list(second.words)


def test_the_digest_follows_the_words(load):
    assert load(GOOD)[0].digest == digest_of(load(GOOD)[0].words)
    assert load(GOOD)[0].digest != load(GOOD.replace("12 TB", "16 TB"))[0].digest
    assert len(load(GOOD)[0].digest) == 64


def module(line):
    return GOOD.replace("    data_drive: 12 TB\n", f"    data_drive: 12 TB\n    {line}\n")


def filesystem(line):
    return GOOD + f"  {line}\n"


def drive(text):
    return GOOD.replace("12 TB", text)


def fs_name(text):
    return GOOD.replace("mmfs1", text)


def system_name(text):
    return GOOD.replace("name: scratch", f"name: {text}")


DRIVE = ("storage_modules[0].data_drive", 5, 17)
MODULE = "storage_modules[0]"

BAD = [
    # words
    (GOOD + "contact: me\n", [("PX101", "contact", 8, 1)]),
    (module("cuont: 2"), [("PX101", f"{MODULE}.cuont", 6, 5)]),
    (module("chunk_bytes: 512 KiB"), [("PX101", f"{MODULE}.chunk_bytes", 6, 5)]),
    (filesystem("block_bytes: 8 MiB"), [("PX101", "filesystem.block_bytes", 8, 3)]),
    (WITH_HDMD + "  count: 1\n", [("PX101", "hdmd.count", 10, 3)]),
    (
        filesystem("descriptor: {host: x}"),
        [
            ("PX103", "filesystem.descriptor.server", 8, 3),
            ("PX103", "filesystem.descriptor.device", 8, 3),
            ("PX101", "filesystem.descriptor.host", 8, 16),
        ],
    ),
    (module("metadata_drive: 960 GB") + "hdmd:\n  drive: 960 GB\n", [("PX101", f"{MODULE}.metadata_drive", 6, 5)]),
    (GOOD + "'a b': 1\n", [("PX101", "['a b']", 8, 1)]),
    # words that are missing
    (GOOD.replace("name: scratch\n", ""), [("PX103", "name", 1, 1)]),
    (GOOD.replace("design: pixstor-6\n", ""), [("PX103", "design", 1, 1)]),
    (GOOD.replace("    data_drive: 12 TB\n", ""), [("PX103", f"{MODULE}.data_drive", 4, 5)]),
    (GOOD.replace("filesystem:\n  name: mmfs1\n", ""), [("PX103", "filesystem", 1, 1)]),
    (GOOD + "hdmd: {arrays: 2}\n", [("PX103", "hdmd.drive", 8, 1)]),
    (GOOD.replace("size: large", "sizes: large"), [("PX101", f"{MODULE}.sizes", 4, 5)]),
    (GOOD.replace("storage_modules:", "storage_module:"), [("PX101", "storage_module", 3, 1)]),
    # unknown values
    (GOOD.replace("pixstor-6", "pixstor-4"), [("PX102", "design", 2, 9)]),
    (GOOD.replace("size: large", "size: larg"), [("PX102", f"{MODULE}.size", 4, 11)]),
    (GOOD.replace("size: large", "size: Large"), [("PX102", f"{MODULE}.size", 4, 11)]),
    (filesystem("failure_groups: side"), [("PX102", "filesystem.failure_groups", 8, 19)]),
    (filesystem("inode_size: 2 KiB"), [("PX102", "filesystem.inode_size", 8, 15)]),
    (module("chunk_size: 1 MiB"), [("PX102", f"{MODULE}.chunk_size", 6, 17)]),
    # kinds of values
    (system_name("7"), [("PX104", "name", 1, 7)]),
    (system_name("2.5"), [("PX104", "name", 1, 7)]),
    (system_name("[x]"), [("PX104", "name", 1, 1)]),
    (GOOD.replace("pixstor-6", "6"), [("PX104", "design", 2, 9)]),
    (module("count: two"), [("PX104", f"{MODULE}.count", 6, 12)]),
    (module("count: '2'"), [("PX104", f"{MODULE}.count", 6, 12)]),
    (module("count: true"), [("PX104", f"{MODULE}.count", 6, 12)]),
    (module("expansion: 1"), [("PX104", f"{MODULE}.expansion", 6, 16)]),
    (module("expansion: 'true'"), [("PX104", f"{MODULE}.expansion", 6, 16)]),
    (module("hosts: a, b"), [("PX104", f"{MODULE}.hosts", 6, 12)]),
    (module("hosts: [1, b]"), [("PX104", f"{MODULE}.hosts[0]", 6, 13)]),
    (GOOD.replace("  - size: large\n    data_drive: 12 TB", "  size: large"), [("PX104", "storage_modules", 3, 1)]),
    ("name: x\ndesign: pixstor-6\nstorage_modules: [large]\nfilesystem: {name: f}\n", [("PX104", MODULE, 3, 19)]),
    (GOOD + "hdmd:\n", [("PX104", "hdmd", 8, 6)]),
    (GOOD + "hdmd: true\n", [("PX104", "hdmd", 8, 7)]),
    (module("count:"), [("PX104", f"{MODULE}.count", 6, 11)]),
    (GOOD + "accept: PX512\n", [("PX104", "accept", 8, 9)]),
    (GOOD + "accept: [{code: PX512, reason: ' '}]\n", [("PX104", "accept[0].reason", 8, 32)]),
    (GOOD + 'accept: [{code: PX512, reason: "a\\nb"}]\n', [("PX104", "accept[0].reason", 8, 32)]),
    # units
    (module("chunk_size: 512"), [("PX105", f"{MODULE}.chunk_size", 6, 17)]),
    (filesystem("block_size: 8"), [("PX105", "filesystem.block_size", 8, 15)]),
    (filesystem("block_size: 8 W"), [("PX106", "filesystem.block_size", 8, 15)]),
    (filesystem("block_size: 8 mib"), [("PX106", "filesystem.block_size", 8, 15)]),
    (filesystem("block_size: [8]"), [("PX104", "filesystem.block_size", 8, 3)]),
    (filesystem("inode_size: big"), [("PX104", "filesystem.inode_size", 8, 15)]),
    (drive("12"), [("PX105", *DRIVE)]),
    (drive("1.92"), [("PX105", *DRIVE)]),
    (drive("12 W"), [("PX106", *DRIVE)]),
    (drive("12 tb"), [("PX106", *DRIVE)]),
    (drive("12 Hz"), [("PX106", *DRIVE)]),
    (drive("12 GB/s"), [("PX106", *DRIVE)]),
    (drive("true"), [("PX104", *DRIVE)]),
    # block size
    *(
        (filesystem(f"block_size: {size}"), [("PX518", "filesystem.block_size", 8, 15)])
        for size in ("8 MB", "32 KiB", "32 MiB", "3 MiB", "0 B", "256 MiB")
    ),
    # counts
    (module("count: 0"), [("PX108", f"{MODULE}.count", 6, 12)]),
    (module("count: -1"), [("PX108", f"{MODULE}.count", 6, 12)]),
    (module("count: 1.5"), [("PX108", f"{MODULE}.count", 6, 12)]),
    (module("count: 2.0"), [("PX108", f"{MODULE}.count", 6, 12)]),
    (filesystem("metadata_replicas: 4"), [("PX108", "filesystem.metadata_replicas", 8, 22)]),
    (filesystem("metadata_replicas: 100000000000"), [("PX108", "filesystem.metadata_replicas", 8, 22)]),
    (filesystem("metadata_replicas: 0"), [("PX108", "filesystem.metadata_replicas", 8, 22)]),
    (WITH_HDMD + "  arrays: 5\n", [("PX108", "hdmd.arrays", 10, 11)]),
    (WITH_HDMD + "  arrays: 0\n", [("PX108", "hdmd.arrays", 10, 11)]),
    (WITH_HDMD + "  arrays: 1000000000000\n", [("PX108", "hdmd.arrays", 10, 11)]),
    (WITH_HDMD + "  modules: 0\n", [("PX108", "hdmd.modules", 10, 12)]),
    ("name: x\ndesign: pixstor-6\nstorage_modules: []\nfilesystem: {name: f}\n", [("PX108", "storage_modules", 3, 1)]),
    (module("count: 1025"), [("PX114", f"{MODULE}.count", 6, 12)]),
    (module("count: 1000000000000000000"), [("PX114", f"{MODULE}.count", 6, 12)]),
    (WITH_HDMD + "  modules: 999999999\n", [("PX114", "hdmd.modules", 10, 12)]),
    (module("count: " + "9" * 41), [("PX108", f"{MODULE}.count", 6, 12)]),
    (
        module("count: 1000\n  - {size: small, count: 25, data_drive: 8 TB}"),
        [("PX114", "storage_modules[1].count", 7, 26)],
    ),
    # drives
    *(
        (drive(text), [("PX109", *DRIVE)])
        for text in (
            "12.1 TB",
            "12 TiB",
            "11 TB",
            "0 TB",
            "12.0001 TB",
            "nl-sas-12.1tb",
            "ssd-960gb",
            "960 GB",
            "me4084",
            "r750",
            "twelve TB",
            "12  TB",
            "'12,0 TB'",
            "12 TB SAS",
            "-12 TB",
            "''",
        )
    ),
    (WITH_HDMD.replace("960 GB", "12 TB"), [("PX109", "hdmd.drive", 9, 10)]),
    (WITH_HDMD.replace("960 GB", "nl-sas-12tb"), [("PX109", "hdmd.drive", 9, 10)]),
    (module("metadata_drive: 961 GB"), [("PX109", f"{MODULE}.metadata_drive", 6, 21)]),
    # the design's own rules
    (module("expansion: 2"), [("PX111", f"{MODULE}.expansion", 6, 16)]),
    (module("expansion: 3"), [("PX111", f"{MODULE}.expansion", 6, 16)]),
    (module("hosts: [a1]"), [("PX112", f"{MODULE}.hosts", 6, 5)]),
    (module("count: 2\n    hosts: [a1, a2, a3]"), [("PX112", f"{MODULE}.hosts", 7, 5)]),
    (module("hosts: []"), [("PX112", f"{MODULE}.hosts", 6, 5)]),
    (WITH_HDMD + "  hosts: [a1, a2, a3]\n", [("PX112", "hdmd.hosts", 10, 3)]),
    (module("hosts: [n1, n1]"), [("PX110", f"{MODULE}.hosts[1]", 6, 17)]),
    (module("hosts: [n1, N1]"), [("PX110", f"{MODULE}.hosts[1]", 6, 17)]),
    (module("hosts: [n1, MGMT2]"), [("PX110", f"{MODULE}.hosts[1]", 6, 17)]),
    (module("hosts: [n1, n2]") + "hdmd: {drive: 960 GB, hosts: [h1, N2]}\n", [("PX110", "hdmd.hosts[1]", 9, 35)]),
    (module("hosts: [hm01n1, n2]") + "hdmd: {drive: 960 GB}\n", [("PX110", f"{MODULE}.hosts[0]", 6, 13)]),
    (GOOD + "accept: [{code: PX999, reason: x}]\n", [("PX113", "accept[0].code", 8, 17)]),
    (GOOD + "accept: [{code: PX107, reason: x}]\n", [("PX113", "accept[0].code", 8, 17)]),
    (GOOD + "accept: [{code: PX404, reason: x}]\n", [("PX113", "accept[0].code", 8, 17)]),
    (GOOD + "accept: [{code: px512, reason: x}]\n", [("PX113", "accept[0].code", 8, 17)]),
    (GOOD + "accept: [{code: PX512}]\n", [("PX103", "accept[0].reason", 8, 10)]),
    (
        GOOD + "accept:\n- {code: PX512, reason: a}\n- {code: PX402, reason: b}\n- {code: PX512, reason: c}\n",
        [("PX113", "accept[2].code", 11, 10)],
    ),
]


@pytest.mark.parametrize(("text", "expected"), BAD, ids=range(len(BAD)))
def test_what_is_refused_and_where(load, text, expected):
    loaded, findings = load(text)
    shifted = [(c, w, line, col) for c, w, line, col in expected]
    assert found(findings) == shifted
    assert loaded is None


SYSTEM_NAMES = [
    ("''", "empty"),
    ("'my scratch'", "a blank at character 3"),
    ('"it\'s"', "a single quote"),
    ("'a\"b'", "a double quote"),
    ("a$b", "a dollar sign"),
    ('"a\\nb"', "a line break at character 2"),
    ('"a\\tb"', "a tab"),
    ('"a\\0b"', "a NUL"),
    ("-x", "begins with a dash"),
    ("a..b", "two points"),
    ("'..'", "begins with a point"),
    ("a–b", "U+2013 EN DASH at character 2"),
    ("größe", "U+00F6"),
    ("a/b", "a slash"),
    ("a\\b", "a backslash"),
    ("a;b", "the character ;"),
    ("a`b", "a backquote"),
    ("9a", "begins with"),
    ("CON", "device"),
    ("nul.x", "device"),
    ("com1", "device"),
    ("all", "reserved"),
    ("None", "reserved"),
    ("default", "reserved"),
    ("A", "the arrays call their pools A and B"),
    ("b", "the arrays call their pools A and B"),
    ("a" * 32, "longer than 31"),
    ("a-", "ends with a dash"),
    ("a.", "ends with a point"),
    ('"\\e[31m"', "CONTROL CHARACTER"),
]


@pytest.mark.parametrize(("name", "why"), SYSTEM_NAMES)
def test_names_of_systems(load, name, why):
    if name in ("None",):
        name = f"'{name}'"
    loaded, findings = load(system_name(name))
    assert (loaded, [(f.code, f.where) for f in findings]) == (None, [("PX107", "name")])
    assert why in findings[0].message
    assert findings[0].message.isprintable()


@pytest.mark.parametrize("name", ["scratch", "a-b_c.d", "Scratch2", "a" * 31, "gpfs1", "system"])
def test_names_that_systems_may_have(load, name):
    assert load(system_name(name))[0].request.name == name


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("mm-fs", "a dash at character 3"),
        ("mm.fs", "a point"),
        ("mm fs", "a blank"),
        ("1fs", "begins with the character 1"),
        ("_fs", "begins with an underscore"),
        ("GPFS", "GPFS reserves this name"),
        ("system", "GPFS reserves this name"),
        ("home", "/home"),
        ("etc", "/etc"),
        ("Usr", "/usr"),
        ("null", "empty"),
        ("sda1", "/dev/sda1"),
        ("dm", ""),
        ("gpfs0", ""),
        ("nvme0n1", "/dev/nvme0n1"),
        ("tty1", "/dev/tty1"),
        ("shm", "/dev/shm"),
        ("aux", "device"),
        ("all", "reserved"),
        ("a", "pools"),
        ("x" * 32, "31"),
        ("fs\u2010x", "HYPHEN"),
    ],
)
def test_names_of_file_systems(load, name, why):
    loaded, findings = load(fs_name(f"'{name}'"))
    if name in ("dm", "gpfs0"):
        assert loaded is not None
    elif name == "null":
        assert [f.code for f in findings] == ["PX107"]
    else:
        assert (loaded, [(f.code, f.where) for f in findings]) == (None, [("PX107", "filesystem.name")])
        assert why in findings[0].message


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("n_1", "an underscore at character 2"),
        ("n 1", "a blank"),
        ("-n1", "dash"),
        ("n1-", "dash"),
        ("n1.", "a point"),
        (".n1", "a point"),
        ("a..b", "a point"),
        ("123", "a number"),
        ("10.0.0.1", "an address"),
        ("localhost", "itself"),
        ("LocalHost.localdomain", "itself"),
        ("all", "class of nodes"),
        ("NSDnodes", "class of nodes"),
        ("n$1", "a dollar sign"),
        ("nö1", "U+00F6"),
        ("a" * 64, "63"),
        (".".join(["a" * 60] * 5), "253"),
        ("", "empty"),
        ("n1,n2", "a comma"),
        ("n1:x", "a colon"),
        ("n1\u2013x", "EN DASH"),
        ("con", "device"),
    ],
)
def test_names_of_servers(load, name, why):
    loaded, findings = load(module(f"hosts: ['{name}', n2]"))
    assert (loaded, [(f.code, f.where) for f in findings]) == (None, [("PX107", f"{MODULE}.hosts[0]")])
    assert why in findings[0].message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("storage_modules: []\nfilesystem: {name: f}\n", "storage_modules is empty; at least one entry is needed"),
        (
            "storage_modules: [{size: large, data_drive: 12 TB}]\nfilesystem: {name: gpfs}\n",
            "'gpfs' cannot name a file system: GPFS reserves this name",
        ),
        (
            "storage_modules: [{size: large, data_drive: 12 TB}]\n"
            "filesystem: {name: f, descriptor: {server: mgmt1, device: /dev/sda}}\n",
            "'/dev/sda' can change its name at a restart; use a path below /dev/disk/by-id or /dev/mapper",
        ),
    ],
)
def test_messages_say_what_to_write(load, text, message):
    _, findings = load(f"name: x\ndesign: pixstor-6\n{text}")
    assert [f.message for f in findings] == [message]


DESCRIPTOR = "descriptor: {{server: {}, device: {}}}"


@pytest.mark.parametrize(
    ("device", "why"),
    [
        ("/dev/sda", "restart"),
        ("/dev/sdaa1", "restart"),
        ("/dev/dm-3", "restart"),
        ("/dev/nvme0n1p2", "restart"),
        ("/dev/loop7", "restart"),
        *(
            (f"/dev/{name}", "restart")
            for name in (
                "null",
                "zero",
                "mem",
                "tty",
                "ttyS0",
                "mapper",
                "disk/by-id",
                "disk",
                "mapper/control",
                "md0",
                "sr0",
                "fd0",
                "mmcblk0",
                "nbd0",
                "rbd0",
                "SDB",
                "disk/x/y",
                "block/8:0",
                "shm/x",
                "mapper/a/b",
                "vg/lv/x",
            )
        ),
        ("sda", "/dev/"),
        ("/etc/passwd", "/dev/"),
        ("/dev/", "empty"),
        ("/dev/../etc/x", "`..`"),
        ("/dev/mapper//x", "empty"),
        ("/dev/./x", "`.`"),
        ("/dev/mapper/x y", "a blank"),
        ("/dev/mapper/x$y", "dollar"),
        ("/dev/x;y", "character ;"),
        ("/dev/x=y", "equals"),
        ("/dev/-x", "dash"),
        ("/dev/" + "x" * 200, "200"),
    ],
)
def test_devices_of_descriptors(load, device, why):
    loaded, findings = load(filesystem(DESCRIPTOR.format("mgmt1", f"'{device}'")))
    assert (loaded, [(f.code, f.where) for f in findings]) == (None, [("PX107", "filesystem.descriptor.device")])
    assert why in findings[0].message


@pytest.mark.parametrize(
    "device",
    ["/dev/disk/by-id/wwn-0x5000c500a:1", "/dev/mapper/desc01", "/dev/vg0/desc", "/dev/disk/by-path/pci-0000:00-part1"],
)
def test_devices_that_keep_their_names(load, device):
    loaded, findings = load(filesystem(DESCRIPTOR.format("quorum-1.site", device)))
    assert findings == ()
    assert loaded.request.filesystem.descriptor.device == device


def test_a_descriptor_needs_a_server(load):
    _, findings = load(filesystem(DESCRIPTOR.format("a_b", "/dev/vg/lv")))
    assert [(f.code, f.where) for f in findings] == [("PX107", "filesystem.descriptor.server")]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (module("cuont: 2"), "Did you mean count?"),
        (GOOD.replace("pixstor-6", "pixstor6"), "Did you mean pixstor-6?"),
        (GOOD.replace("size: large", "size: lage"), "Did you mean large?"),
        (drive("nl-sas-12.1tb"), "Did you mean nl-sas-"),
        (drive("12.1 TB"), "The nearest is 12 TB."),
        (drive("12"), "Did you mean 12 TB?"),
        (filesystem("failure_groups: per_arrays"), "Did you mean per_array?"),
        (system_name("7"), "quotes"),
        (module("expansion: 2"), "performance and reliability"),
        (GOOD + "accept: [{code: PX521x, reason: y}]\n", "Did you mean PX5"),
    ],
)
def test_hints_name_what_was_probably_meant(load, text, hint):
    assert hint in load(text)[1][0].hint


@pytest.mark.parametrize("size", ["8", "'8'", "8 W", "big"])
def test_the_example_of_a_block_is_a_block(load, size):
    (finding,) = load(filesystem(f"block_size: {size}"))[1]
    assert "MiB" in finding.message
    assert "TB" not in finding.message


def test_the_first_of_two_acceptances_is_named(load):
    text = GOOD + "accept: [{code: PX512, reason: x}, {code: PX512, reason: x}]\n"
    assert "PX512 is accepted twice, first in accept[0].code" in load(text)[1][0].message


@pytest.mark.parametrize(
    ("least", "most", "size", "hint"),
    [
        ("3 MiB", "3 MiB", "8 MiB", ""),
        ("3 MiB", "5 MiB", "2 MiB", "The nearest is 4 MiB."),
        ("64 KiB", "16 MiB", "3 MiB", "The nearest is 2 MiB."),
        ("64 KiB", "16 MiB", "64 MiB", "The nearest is 16 MiB."),
        ("64 KiB", "16 MiB", "1 KiB", "The nearest is 64 KiB."),
        ("32 MiB", "16 MiB", "8 MiB", ""),
    ],
)
def test_the_nearest_block_is_one_that_the_limits_allow(tmp_path, catalog, least, most, size, hint):
    raw = dict(catalog.raw)
    raw["scale.block_min"] = raw["scale.block_min"] | {"value": least}
    raw["scale.block_max"] = raw["scale.block_max"] | {"value": most}
    path = tmp_path / "r.yaml"
    path.write_text(filesystem(f"block_size: {size}"))
    (finding,) = load_request(str(path), Catalog(raw))[1]
    assert (finding.code, finding.hint) == ("PX518", hint)


def test_a_wrong_drive_names_all_that_fit(load, catalog):
    message = load(drive("12.1 TB"))[1][0].message
    sold = {r["capacity"] for r in catalog.raw.values() if r["kind"] == "drive" and r["media"] == "nl-sas"}
    assert set(message.rpartition(" takes ")[2].split(", ")) == sold
    assert "960 GB" not in message
    assert "13.194 TB" in load(drive("12 TiB"))[1][0].message


def test_all_findings_at_once_in_the_order_of_the_file(load):
    text = """\
name: -x
design: pixstor-6
colour: red
storage_modules:
  - size: huge
    count: 010
    data_drive: 12
    hosts: [a_b, c]
filesystem:
  name: home
  block_size: 3 MiB
  size: 1
"""
    assert [(f.code, f.position.line) for f in load(text)[1]] == [
        ("PX107", 1),
        ("PX101", 3),
        ("PX102", 5),
        ("PX009", 6),
        ("PX105", 7),
        ("PX107", 8),
        ("PX107", 10),
        ("PX518", 11),
        ("PX101", 12),
    ]


def test_a_second_document_does_not_hide_the_rest(load):
    assert [f.code for f in load(GOOD + "colour: red\n---\na: 1\n")[1]] == ["PX101", "PX006"]


def test_a_request_without_a_shape_is_named_whole(load, catalog, monkeypatch):
    monkeypatch.setattr("pixsize.load.request_loader.nearest", lambda *_: "")
    monkeypatch.setattr(type(catalog), "ids", lambda self, kind=None: ("one", "two") if kind == "design" else ())
    assert [f.code for f in load(GOOD.replace("pixstor-6", "other"))[1]] == ["PX102"]
    assert [f.code for f in load(GOOD.replace("design: pixstor-6\n", ""))[1]] == ["PX103"]
    assert [f.code for f in load(GOOD.replace("pixstor-6", "6"))[1]] == ["PX104"]


def test_every_file_system_has_its_shape(catalog):
    assert all(shape_of(design) is not None for design in catalog.all(Design))
    assert issubclass(shape_of(catalog.get(Design, "pixstor-6")).model, ScaleRequest)


def test_a_path_wins_over_an_example(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert find_request("large+hdmd.yaml")[1] is True
    assert find_request("large+hdmd")[0].name == "large+hdmd.yaml"
    (tmp_path / "large+hdmd.yaml").write_text(GOOD)
    path, shipped = find_request("large+hdmd.yaml")
    assert (str(path), shipped) == ("large+hdmd.yaml", False)
    for given in ("./large+hdmd", "nothing.yaml", "", "../large+hdmd.yaml", "a\0b"):
        assert find_request(given)[1] is False


def test_a_missing_file_names_the_nearest_example(catalog, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    loaded, findings = load_request("large+hdm.yaml", catalog)
    assert (loaded, [f.code for f in findings]) == (None, ["PX001"])
    assert "Did you mean large+hdmd?" in findings[0].hint
    assert findings[0].position.file == "large+hdm.yaml"


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    [
        GOOD + "".join(f"w{n}: 1\n" for n in range(60_000)),
        GOOD + "accept:\n" + "".join("- {code: PX999, reason: x}\n" for _ in range(30_000)),
        GOOD.replace(
            "filesystem:", "".join("  - {size: larg, data_drive: 13 TB}\n" for _ in range(20_000)) + "filesystem:"
        ),
        GOOD.replace(
            "filesystem:", "".join("  - {size: large, data_drive: 12 TB}\n" for _ in range(20_000)) + "filesystem:"
        ),
        GOOD + "hdmd: {drive: 960 GB, hosts: [" + ", ".join(f"n_{n}" for n in range(80_000)) + "]}\n",
        GOOD + "hdmd: {drive: 960 GB, hosts: [" + ", ".join(f"n{n}" for n in range(80_000)) + "]}\n",
    ],
    ids=["words", "codes", "bad modules", "good modules", "bad hosts", "good hosts"],
)
def test_a_flood_is_answered_at_once_and_briefly(load, text):
    loaded, findings = load(text)
    assert loaded is None
    assert 1 <= len(findings) <= 100


def test_a_thousand_modules_are_completed(load):
    loaded, findings = load(module("count: 1000") + "hdmd: {drive: 960 GB, arrays: 4, modules: 2}\n")
    assert findings == ()
    assert len(loaded.request.storage_modules[0].hosts) == 2000
    assert loaded.request.storage_modules[0].hosts[-1] == "sm1000n2"


@pytest.mark.parametrize("given", ["x" * 300, "x" * 300 + "/y", "a\0b", "\ud800"])
def test_paths_that_the_system_refuses(given, catalog):
    loaded, findings = load_request(given, catalog)
    assert (loaded, [f.code for f in findings]) == (None, ["PX001"])


def test_too_many_entries_are_refused_at_once(load):
    loaded, findings = load("name: x\ndesign: pixstor-6\nfilesystem: {name: f}\nstorage_modules:\n" + "- {}\n" * 1025)
    assert (loaded, [f.code for f in findings]) == (None, ["PX114"])
    assert "1,025 entries" in findings[0].message


@pytest.mark.parametrize(
    "name",
    ["ttyS0", "ttys0", "infiniband", "watchdog0", "nvidia1", "mmcblk0", "mmcblk", "nbd", "nbd3", "drbd0", "rbd", "md"],
)
def test_names_of_devices_name_no_file_system(name):
    assert "servers have a /dev/" in scale_names.filesystem_trouble(name, 31)


@pytest.mark.parametrize("name", ["0x1f", "0X7F000001", "a.0x1"])
def test_hexadecimal_hosts_are_numbers(name):
    assert "number" in names.host_trouble(name)


@pytest.mark.parametrize(
    ("word", "hint"), [("chunk_size: 512", "512 KiB"), ("chunk_size: 500 KiB", "nearest is 512 KiB")]
)
def test_hints_of_sizes_name_legal_ones(load, word, hint):
    text = f"name: x\ndesign: pixstor-6\nfilesystem: {{name: f}}\nstorage_modules: [{{size: large, data_drive: 12 TB, {word}}}]\n"
    _, findings = load(text)
    assert [hint in f.hint for f in findings] == [True]


def test_a_code_far_from_every_other_gets_no_hint(load):
    text = "name: x\ndesign: pixstor-6\nfilesystem: {name: f}\nstorage_modules: [{size: large, data_drive: 12 TB}]\n"
    _, findings = load(text + "accept: [{code: known, reason: known}]\n")
    assert [(f.code, f.hint) for f in findings] == [("PX113", "")]
