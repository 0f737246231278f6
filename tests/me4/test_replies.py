"""Replies of arrays: what is read from them, and what becomes of broken, contradicting and hostile ones."""

import json
import os
from pathlib import Path
from types import SimpleNamespace
from xml.sax.saxutils import escape, quoteattr

import pytest

from pixsize import resources
from pixsize.findings import Finding
from pixsize.load import load_observed
from pixsize.load.replies import FieldError, ReadBudget
from pixsize.observed import (
    Observed,
    ObservedArray,
    ObservedDisk,
    ObservedEnclosure,
    ObservedGroup,
    ObservedVolume,
    Reported,
)
from pixsize.product import PRODUCTS
from pixsize.products.me4.reply_rows import wwid_of_serial
from pixsize.products.me4.reply_text import rows_of

OK = [
    {
        "object-name": "status",
        "response-type": "Success",
        "response-type-numeric": 0,
        "response": "done",
        "return-code": 0,
        "time-stamp": "x",
    }
]
GROUP = {
    "object-name": "disk-group",
    "name": "dg1",
    "blocksize": 512,
    "size": "85.4TiB",
    "size-numeric": 1000,
    "freespace-numeric": 200,
}
VOLUME = {
    "volume-name": "v1",
    "wwn": "600C0FF000D81E2CCA8CBD4C01000000",
    "serial-number": "00c0ffd81e2c0000ca8cbd4c01000000",
    "size-numeric": 900,
    "owner": "A",
}
DISK = {"location": "0.81", "usage": "AVAIL", "size-numeric": 23437770752, "description": "SAS MDL"}
ENCLOSURE = {"enclosure-id": 1, "model": "ME484", "vendor": "DELL"}


def reply(**lists):
    return json.dumps({k.replace("_", "-"): v for k, v in lists.items()} | {"status": OK}, indent=1)


def xml(basetype, *objects, status=OK):
    def one(base, number, fields):
        inner = "".join(
            f'<PROPERTY name={quoteattr(str(k))} type="string">{escape(str(v))}</PROPERTY>\n' for k, v in fields.items()
        )
        return f'<OBJECT basetype="{base}" name="x" oid="{number}" format="rows">\n{inner}</OBJECT>\n'

    rows = "".join(one(basetype, n, o) for n, o in enumerate(objects)) + "".join(one("status", 99, s) for s in status)
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<RESPONSE VERSION="L100" REQUEST="show x">\n{rows}</RESPONSE>\n'


@pytest.fixture
def load(tmp_path):
    def write(**files):
        for name, content in files.items():
            data = content if isinstance(content, bytes) else content.encode()
            (tmp_path / name.replace("__", ".")).write_bytes(data)
        return load_observed(tmp_path)

    return write


def found(findings):
    return [(f.code, f.position.file.rpartition("/")[2], f.position.line) for f in findings]


EXPECTED = ObservedArray(
    groups={"dg1": ObservedGroup("dg1", 512_000, 102_400)},
    volumes={"v1": ObservedVolume("v1", "3600c0ff000d81e2cca8cbd4c01000000", 460_800, "a")},
    disks={(0, 81): ObservedDisk(0, 81, Reported("free", "AVAIL"), 12_000_138_625_024, Reported("slow", "SAS MDL"))},
    enclosures={1: ObservedEnclosure("ME484")},
    replies=("sm01a1.all.json",),
    places={
        ("group", "dg1"): "sm01a1.all.json:5",
        ("volume", "v1"): "sm01a1.all.json:14",
        ("disk", (0, 81)): "sm01a1.all.json:23",
        ("enclosure", 1): "sm01a1.all.json:29",
    },
)


def test_json(load):
    observed, findings = load(
        sm01a1__all__json=reply(disk_groups=[GROUP], volumes=[VOLUME], disks=[DISK], enclosures=[ENCLOSURE])
    )
    assert findings == ()
    assert observed.arrays == {"sm01a1": EXPECTED}


def test_xml_says_the_same(load):
    files = {
        "groups": ("disk-groups", GROUP),
        "volumes": ("volumes", VOLUME),
        "disks": ("drives", DISK),
        "enclosures": ("enclosures", ENCLOSURE),
    }
    observed, findings = load(**{f"sm01a1__{name}__xml": xml(base, fields) for name, (base, fields) in files.items()})
    assert findings == ()
    array = observed.arrays["sm01a1"]
    assert (array.groups, array.volumes, array.disks, array.enclosures) == (
        EXPECTED.groups,
        EXPECTED.volumes,
        EXPECTED.disks,
        EXPECTED.enclosures,
    )
    assert array.replies == tuple(f"sm01a1.{n}.xml" for n in sorted(files))


def test_the_content_counts_and_not_the_ending(load):
    observed, findings = load(a__x__json=xml("volumes", VOLUME), b__x__XML=reply(volumes=[VOLUME]))
    assert findings == ()
    assert observed.arrays["a"].volumes == observed.arrays["b"].volumes == EXPECTED.volumes


def test_how_parts_are_built_and_feel(load):
    group = GROUP | {
        "storage-type": "Linear", "raidtype": "RAID6", "diskcount": 10, "chunksize": "512k", "owner": "A",
        "preferred-owner": "B", "status": "FTOL", "health": "OK", "pool": "dg1",
    }  # fmt: skip
    volume = VOLUME | {"health": "Degraded", "write-policy": "write-through", "virtual-disk-name": "dg1"}
    disk = DISK | {"health": "Fault", "sector-format": "512e", "type": "SSD SAS"}
    del disk["description"]
    box = ENCLOSURE | {"health": "Degraded", "product-id": "ME484"}
    for observed, findings in (
        load(a__x__json=reply(disk_groups=[group], volumes=[volume], disks=[disk], enclosures=[box])),
        load(
            a__x__json="# next\n".join(
                (xml("disk-groups", group), xml("volumes", volume), xml("disks", disk), xml("enclosures", box))
            )
        ),
    ):
        assert findings == ()
        array = observed.arrays["a"]
        seen = array.groups["dg1"]
        well = (Reported("well", "FTOL"), Reported("well", "OK"))
        assert seen[3:] == ((), "RAID6", 10, 512 * 1024, "a", "b", *well)
        ill = (Reported("ill", "Degraded"), Reported("ill", "write-through"))
        assert array.volumes["v1"][3:] == ("a", *ill, "dg1")
        assert array.disks[0, 81][4:] == (Reported("ssd", "SSD SAS"), Reported("ill", "Fault"), "512e")
        assert array.enclosures == {1: ObservedEnclosure("ME484", Reported("ill", "Degraded"))}


@pytest.mark.parametrize(
    ("word", "use"),
    [
        ("AVAIL", "free"),
        ("LINEAR POOL", "in_group"),
        ("LINEAR POOLVRSC", "in_group"),
        ("linear pool", "in_group"),
        ("VDISK", "in_group"),
        ("VDISK SP", "other"),
        ("GLOBAL SP", "spare"),
        ("FAILED", "lost"),
        ("LEFTOVR", "lost"),
        ("UNUSABLE", "lost"),
        ("VIRTUAL POOL", "other"),
    ],
)
def test_what_a_drive_is_used_for(load, word, use):
    observed, _ = load(a__x__json=reply(disks=[DISK | {"usage": word}]))
    assert observed.arrays["a"].disks[0, 81].usage == Reported(use, word)


@pytest.mark.parametrize(
    ("word", "media"), [("SSD SAS", "ssd"), ("SAS", "fast"), ("SAS MDL", "slow"), ("sMLC SSD", "ssd")]
)
def test_what_a_drive_is(load, word, media):
    observed, _ = load(a__x__json=reply(disks=[DISK | {"description": word}]))
    assert observed.arrays["a"].disks[0, 81].media == Reported(media, word)


@pytest.mark.parametrize(
    ("status", "means"),
    [("FTOL", "well"), ("UP", "well"), ("N/A", "well"), ("CRIT", "ill"), ("FTDN", "ill"), ("OFFL", "ill")],
)
def test_the_status_of_a_group(load, status, means):
    observed, _ = load(a__x__json=reply(disk_groups=[GROUP | {"status": status}]))
    assert observed.arrays["a"].groups["dg1"].status == Reported(means, status)


def test_a_group_that_is_not_linear_says_why(load):
    observed, _ = load(a__x__json=reply(disk_groups=[GROUP | {"storage-type": "Virtual", "pool": "A"}]))
    assert observed.arrays["a"].groups["dg1"].unplanned == (
        "is of storage type Virtual, planned is Linear",
        "belongs to pool A, where a linear group is a pool of its own name",
    )
    observed, _ = load(a__x__json=reply(disk_groups=[GROUP | {"storage-type": "linear", "pool": "dg1"}]))
    assert observed.arrays["a"].groups["dg1"].unplanned == ()


def test_a_volume_that_is_written_back(load):
    observed, _ = load(a__x__json=reply(volumes=[VOLUME | {"write-policy": "write-back"}]))
    assert observed.arrays["a"].volumes["v1"].write_policy == Reported("well", "write-back")


@pytest.mark.parametrize("key", ["virtual-disk-name", "storage-pool-name", "container-name"])
def test_the_group_of_a_volume_in_the_words_of_each_sibling(load, key):
    observed, findings = load(a__x__json=reply(volumes=[VOLUME | {key: "dg1"}]))
    assert (observed.arrays["a"].volumes["v1"].group, findings) == ("dg1", ())
    both = VOLUME | {"virtual-disk-name": "dg1", "storage-pool-name": "dg1", "container-name": "N/A"}
    assert load(a__x__json=reply(volumes=[both]))[0].arrays["a"].volumes["v1"].group == "dg1"


@pytest.mark.parametrize(
    ("chunk", "size"),
    [("512k", 524288), ("64KB", 65536), ("128", 131072), (128, 131072), ("N/A", None), ("", None), ("-1", None)],
)
def test_chunk_sizes(load, chunk, size):
    observed, findings = load(a__x__json=reply(disk_groups=[GROUP | {"chunksize": chunk}]))
    assert (observed.arrays["a"].groups["dg1"].chunk_bytes, findings) == (size, ())


@pytest.mark.parametrize("value", [None, "", 7, [], {"a": 1}, "a\nb", "x" * 999])
def test_what_is_only_compared_is_no_trouble_when_it_means_nothing(load, value):
    keys = ("storage-type", "raidtype", "chunksize", "owner", "preferred-owner", "status", "health")
    observed, findings = load(a__x__json=reply(disk_groups=[GROUP | dict.fromkeys(keys, value) | {"diskcount": "?"}]))
    assert findings == ()
    seen = observed.arrays["a"].groups["dg1"]
    assert set(seen[3:]) <= {None, (), 7 * 1024}


def test_spellings_of_siblings(load):
    drive = {"enclosure-id": 0, "slot": 3, "usage": "GLOBAL SP", "blocks": 100, "blocksize": 4096}
    volume = {"name": "v1", "serial-number": VOLUME["serial-number"].upper(), "blocks": "900"}
    observed, findings = load(a__x__json=reply(drives=[drive], volumes=[volume]))
    assert findings == ()
    assert observed.arrays["a"].disks == {(0, 3): ObservedDisk(0, 3, Reported("spare", "GLOBAL SP"), 409_600)}
    assert observed.arrays["a"].volumes == {
        "v1": ObservedVolume("v1", "3600c0ff000d81e2cca8cbd4c01000000", 460_800, None)
    }


def test_unknown_fields_and_other_replies_are_left_alone(load):
    body = {
        "system": [{"health": "OK", "x": {"y": [1, 2.5, None]}}],
        "volume-view": [{"volume-name": "v"}],
        "status": OK,
        "new": "word",
    }
    observed, findings = load(a__system__json=json.dumps(body), a__note__txt="not json", notes="x", README__md="y")
    assert (findings, observed.arrays["a"].volumes) == ((), {})


def test_nothing_found_is_an_answer(load):
    assert load(a__x__json=json.dumps({"status": OK}), a__y__json=reply(volumes=[]))[1] == ()


@pytest.mark.parametrize("separator", ["\n", "\r\n"])
def test_echoed_prompts_and_several_replies_in_a_file(load, separator):
    text = separator.join(
        [
            "# set cli-parameters json",
            json.dumps({"status": OK}),
            "# show disk-groups ",
            reply(disk_groups=[GROUP]),
            "# show volumes",
            reply(volumes=[VOLUME]),
            "# ",
            "",
        ]
    )
    both = separator.join(
        ["# show disk-groups", xml("disk-groups", GROUP), "# show volumes", xml("volumes", VOLUME), "#"]
    )
    observed, findings = load(a__x__json=text, b__x__xml=both)
    assert findings == ()
    for array in ("a", "b"):
        assert (observed.arrays[array].groups, observed.arrays[array].volumes) == (EXPECTED.groups, EXPECTED.volumes)


@pytest.mark.parametrize(
    ("serial", "wwid"),
    [
        ("00c0ffd81e2c0000ca8cbd4c01000000", "3600c0ff000d81e2cca8cbd4c01000000"),
        ("00c0ff0000000000000000000a000000", "3600c0ff000000000000000000a000000"),
        ("00C0FF3C589F00001E4B6B5B01000000", "3600c0ff0003c589f1e4b6b5b01000000"),
    ],
)
def test_a_wwid_from_a_serial_number(serial, wwid):
    assert wwid_of_serial(serial) == wwid
    assert len(wwid) == 33


@pytest.mark.parametrize(
    "serial", ["", "00c0ffd81e2c0001ca8cbd4c01000000", "10c0ffd81e2c0000ca8cbd4c01000000", "00c0ff", "zz" * 16]
)
def test_other_serial_numbers_give_none(serial):
    with pytest.raises(FieldError):
        wwid_of_serial(serial)


def without(row, *keys, **more):
    return {k: v for k, v in row.items() if k not in keys} | {k.replace("_", "-"): v for k, v in more.items()}


FIELDS = [
    ("disk_groups", without(GROUP, "name"), "name is missing"),
    ("disk_groups", without(GROUP, "size-numeric"), "neither size-numeric nor blocks"),
    ("disk_groups", without(GROUP, blocks=999), "size-numeric holds '1000', and blocks '999'"),
    ("disk_groups", without(GROUP, blocks=-1), "no count"),
    ("volumes", without(VOLUME, blocks=1), "which is another size"),
    ("disk_groups", without(GROUP, name=5), "holds no text"),
    ("disk_groups", without(GROUP, name="a\x1b[31m"), "holds"),
    ("disk_groups", without(GROUP, name="x" * 201), "holds"),
    ("disk_groups", without(GROUP, size_numeric=0), "size of '0'"),
    ("disk_groups", without(GROUP, size_numeric=-5), "no count"),
    ("disk_groups", without(GROUP, size_numeric="85.4TiB"), "no count"),
    ("disk_groups", without(GROUP, size_numeric=1.5), "no count"),
    ("disk_groups", without(GROUP, size_numeric=True), "no count"),
    ("disk_groups", without(GROUP, size_numeric=[1]), "no count"),
    ("disk_groups", without(GROUP, size_numeric=10**19), "size of"),
    ("disk_groups", without(GROUP, size_numeric="9" * 40), "no count"),
    ("disk_groups", without(GROUP, freespace_numeric=1001), "more than"),
    ("volumes", without(VOLUME, "volume-name"), "volume-name is missing"),
    ("volumes", without(VOLUME, wwn="6" * 31), "no 32 hexadecimal"),
    ("volumes", without(VOLUME, wwn="1" * 32), "no 32 hexadecimal"),
    ("volumes", without(VOLUME, wwn="6" + "0" * 31), "begin with 600c0ff"),
    ("volumes", without(VOLUME, "serial-number", wwn="600c0fe" + "0" * 25), "begin with 600c0ff"),
    ("volumes", without(VOLUME, wwn="600C0FF000D81E2CCA8CBD4C02000000"), "which is another volume's"),
    ("volumes", without(VOLUME, serial_number="00c0ffd81e2d0000ca8cbd4c01000000"), "which is another volume's"),
    (
        "volumes",
        VOLUME | {"virtual-disk-name": "dg1", "storage-pool-name": "dg2"},
        "storage-pool-name holds 'dg2' and virtual-disk-name holds 'dg1'",
    ),
    ("volumes", without(VOLUME, "wwn", "serial-number"), "serial-number is missing"),
    ("volumes", without(VOLUME, "wwn", serial_number="x"), "serial-number holds"),
    ("volumes", without(VOLUME, wwn=7), "holds no text"),
    ("disks", without(DISK, "location"), "say where"),
    ("disks", without(DISK, location="0-81"), "say where"),
    ("disks", without(DISK, "usage"), "usage is missing"),
    ("disks", without(DISK, size_numeric=0), "size of"),
    ("enclosures", without(ENCLOSURE, "enclosure-id"), "enclosure-id is missing"),
    ("enclosures", without(ENCLOSURE, enclosure_id="one"), "no count"),
    ("enclosures", without(ENCLOSURE, model="a\nb"), "holds"),
]


@pytest.mark.parametrize(("base", "row", "why"), FIELDS, ids=range(len(FIELDS)))
def test_a_field_that_is_missing_or_means_nothing(load, base, row, why):
    observed, findings = load(a__x__json=reply(**{base: [row]}))
    assert [f.code for f in findings] == ["PX303"]
    assert why in findings[0].message
    assert findings[0].message.isprintable()
    array = observed.arrays["a"]
    assert (array.groups, array.volumes, array.disks, array.enclosures) == ({}, {}, {}, {})


def test_one_bad_row_does_not_hide_the_others(load):
    rows = [dict(GROUP, name=f"dg{n}") for n in range(4)]
    del rows[2]["size-numeric"]
    observed, findings = load(a__x__json=reply(disk_groups=rows))
    assert list(observed.arrays["a"].groups) == ["dg0", "dg1", "dg3"]
    assert [f.position.text.strip() for f in findings] == ['"name": "dg2",']


def test_a_bad_row_of_xml_names_its_line(load):
    _, findings = load(a__x__xml=xml("disk-groups", GROUP, without(GROUP, "size-numeric")))
    assert found(findings) == [("PX303", "a.x.xml", 11)]


BROKEN = [
    ("", "empty"),
    ("# show volumes\n", "empty"),
    ("hello", "neither"),
    ("[1]", "neither"),
    ("{", "no JSON"),
    ('{"a": 1} trailing', "no JSON"),
    ('{"status": [}', "no JSON"),
    ('{"a": NaN}', "NaN"),
    ('{"a": -Infinity}', "Infinity"),
    ('{"a": 1e999}', "bounds"),
    ('{"a": ' + "9" * 5000 + "}", "5000 digits"),
    ('{"a": 1, "a": 2}', "twice"),
    ('{"volumes": [{"wwn": "x", "wwn": "y"}]}', "twice"),
    ('{"a": ' + "[" * 200_000, "nested"),
    ('{"volumes": [1]}', "something else"),
    ('{"volumes": "x"}', "something else"),
    ('{"status": null}', "something else"),
    ('{"volumes": [{"volume-name": "a\x01"}]}', "no JSON"),
    (b"\xff\xfe{", "UTF-8"),
    (b'{"a": "\xe4"}', "UTF-8"),
    ("<a/>", "no RESPONSE"),
    ("<RESPONSE>", "no XML"),
    ("<RESPONSE><OBJECT></RESPONSE>", "no XML"),
    ('<!DOCTYPE r [<!ENTITY a "b">]><RESPONSE>&a;</RESPONSE>', "DTD"),
    ('<!DOCTYPE RESPONSE SYSTEM "file:///etc/passwd"><RESPONSE/>', "DTD"),
    ("<RESPONSE>&nothing;</RESPONSE>", "no XML"),
    ("<RESPONSE>" + "<OBJECT>" * 100_000, "nested"),
    (
        '<RESPONSE><OBJECT basetype="volumes"><PROPERTY name="a">1</PROPERTY><PROPERTY name="a">2</PROPERTY></OBJECT></RESPONSE>',
        "twice",
    ),
    ("<RESPONSE></RESPONSE>rest", "no XML"),
    ("<RESPONSE>\x00</RESPONSE>", "no XML"),
    ('<?xml version="1.0" encoding="nonsense"?><RESPONSE/>', None),
]


@pytest.mark.parametrize(("text", "why"), BROKEN, ids=range(len(BROKEN)))
def test_what_is_no_reply_or_an_unsafe_one(load, text, why):
    observed, findings = load(a__x__json=text)
    if why is None:
        assert [f.code for f in findings] in ([], ["PX301"])
        return
    assert [f.code for f in findings] == ["PX301"]
    assert why in findings[0].message
    assert observed.arrays == {}


def test_a_billion_laughs_are_refused_at_the_door(load):
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    _, findings = load(
        a__x__xml=f'<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY l0 "ha">{entities}]>\n<RESPONSE>&l9;</RESPONSE>'
    )
    assert found(findings) == [("PX301", "a.x.xml", 2)]


def test_places_in_broken_replies(load):
    _, findings = load(
        a__x__json='# show volumes\n{"volumes": [\n {"volume-name": }\n]}\n',
        b__x__xml="# show volumes\n<RESPONSE>\n<OBJECT>\n</RESPONSE>\n",
        c__x__json='{"x": 1,\n "x": 2}\n',
    )
    assert found(findings) == [("PX301", "a.x.json", 3), ("PX301", "b.x.xml", 4), ("PX301", "c.x.json", 1)]
    assert findings[0].position.column == 18


@pytest.mark.parametrize(
    ("status", "why"),
    [
        ({"response-type": "Error", "return-code": -10058, "response": "Bad parameter"}, "-10058"),
        ({"response-type": "Error", "return-code": 0, "response": "No"}, "'No'"),
        ({"response-type-numeric": 1, "return-code": 0, "response": "No"}, "'No'"),
        ({"return-code": "2", "response": "Session"}, "'2'"),
        ({"response-type": "Success", "return-code": 1}, "'1'"),
        ({"response-type": "error", "response": "\x1b[2J" + "x" * 999}, "x1b"),
    ],
)
def test_a_command_that_had_failed(load, status, why):
    _, findings = load(
        a__x__json=json.dumps({"volumes": [], "status": [*OK, status]}),
        b__x__xml=xml(
            "volumes",
            status=[OK[0], {k: v.replace("\x1b", "?") if isinstance(v, str) else v for k, v in status.items()}],
        ),
    )
    assert [f.code for f in findings] == ["PX305", "PX305"]
    assert why in findings[0].message
    assert findings[0].message.isprintable()
    assert len(findings[0].message) < 200


def test_replies_that_contradict_each_other(load):
    observed, findings = load(
        a__1__json=reply(volumes=[VOLUME]),
        a__2__json=reply(volumes=[dict(VOLUME, owner="B")]),
        a__3__json=reply(disk_groups=[GROUP]),
    )
    assert found(findings) == [("PX307", "a.2.json", 4)]
    assert findings[0].severity == "warning"
    assert "a.1.json" in findings[0].message
    assert observed.arrays["a"].volumes["v1"].owner == "b"


@pytest.mark.parametrize("key", ["wwn", "serial-number"])
def test_two_wwids_for_one_volume_are_an_error(load, key):
    """Whichever held would be written into a finished multipath.conf."""
    others = {"wwn": "600C0FF000D81E2CCA8CBD4C02000000", "serial-number": "00c0ffd81e2c0000ca8cbd4c02000000"}
    other = without(VOLUME, "wwn", "serial-number") | {key: others[key]}
    _, findings = load(a__1__json=reply(volumes=[VOLUME]), a__2__json=reply(volumes=[other]))
    assert found(findings) == [("PX309", "a.2.json", 4)]
    assert findings[0].severity == "error"
    assert "3600c0ff000d81e2cca8cbd4c02000000, and in a.1.json 3600c0ff000d81e2cca8cbd4c01000000" in findings[0].message


def test_two_wwids_are_an_error_behind_any_number_of_warnings(load):
    volumes = [without(VOLUME, "wwn", "serial-number", volume_name=f"v{n}") for n in range(30)]
    for n, row in enumerate(volumes):
        row["serial-number"] = f"00c0ffd81e2c0000{n:08x}01000000"
    later = [dict(row, owner="B") for row in volumes]
    later[-1]["serial-number"] = "00c0ffd81e2c0000ffffffff01000000"
    _, findings = load(a__1__json=reply(volumes=volumes), a__2__json=reply(volumes=later))
    assert [f.code for f in findings] == ["PX309"] + ["PX307"] * 19


@pytest.mark.parametrize(
    ("name", "text", "codes"),
    [
        ("a.volumes.json", reply(disk_groups=[GROUP]), ["PX310"]),
        ("a.Disk-Groups.xml", xml("volumes", VOLUME), ["PX310"]),
        ("a.disks.2.json", reply(enclosures=[ENCLOSURE], volumes=[VOLUME]), ["PX310"]),
        ("a.volumes.json", reply(disk_groups=[GROUP], volumes=[VOLUME]), []),
        ("a.disks.json", reply(drives=[DISK]), []),
        ("a.volumes.json", reply(), []),
        ("a.status.json", reply(volumes=[VOLUME]), []),
        ("a.all.json", reply(volumes=[VOLUME]), []),
        ("a.json", reply(volumes=[VOLUME]), []),
    ],
)
def test_a_reply_under_the_name_of_another(load, name, text, codes):
    _, findings = load(**{name.replace(".", "__"): text})
    assert [f.code for f in findings] == codes
    assert all(f.severity == "warning" and f.position.line > 1 for f in findings)


def test_the_manifest_of_rendered_files_is_no_reply(load, tmp_path):
    assert load(MANIFEST__json="{}", a__x__json=reply(volumes=[VOLUME]))[1] == ()
    digest = load_observed(tmp_path)[0].digest
    (tmp_path / "MANIFEST.json").write_text("changed")
    observed, _ = load_observed(tmp_path)
    assert (list(observed.arrays), observed.digest) == (["a"], digest)


def test_the_same_said_twice_is_no_contradiction(load):
    assert load(a__1__json=reply(volumes=[VOLUME, VOLUME]), a__2__xml=xml("volumes", VOLUME))[1] == ()


def test_arrays_do_not_mix(load):
    observed, findings = load(
        a__1__json=reply(disk_groups=[GROUP]), b__1__json=reply(disk_groups=[dict(GROUP, **{"size-numeric": 7000})])
    )
    assert findings == ()
    assert {a: seen.groups["dg1"].bytes for a, seen in observed.arrays.items()} == {"a": 512_000, "b": 3_584_000}


def test_the_digest_follows_names_and_bytes(load, tmp_path):
    first = load(a__1__json=reply(disk_groups=[GROUP]))[0].digest
    assert first == load_observed(tmp_path)[0].digest
    assert first != load(b__1__json=reply())[0].digest
    assert first != load(a__1__json=reply(disk_groups=[]))[0].digest
    (tmp_path / "a.1.json").unlink()
    (tmp_path / "b.1.json").unlink()
    assert load_observed(tmp_path)[0].digest == ""


def test_the_order_of_files_in_the_folder_changes_nothing(load, tmp_path, monkeypatch):
    load(a__1__json=reply(volumes=[VOLUME]), a__2__json=reply(volumes=[dict(VOLUME, owner="B")]), b__1__json=reply())
    real = os.listdir
    results = []
    for order in (sorted, lambda names: sorted(names, reverse=True)):
        monkeypatch.setattr(os, "listdir", lambda path, order=order: order(real(path)))
        results.append(load_observed(tmp_path))
    monkeypatch.undo()
    assert results[0] == results[1]


def test_files_whose_names_name_no_array(load, tmp_path):
    (tmp_path / "a b.x.json").write_text("{}")
    (tmp_path / "..x.json").write_text("{}")
    (tmp_path / "-rf.json").write_text("{}")
    (tmp_path / "a\x1b[31m.json").write_text("{}")
    (tmp_path / os.fsdecode(b"b\xff.json")).write_text("{}")
    observed, findings = load(sm01a1__json=reply())
    assert sorted(f.code for f in findings) == ["PX302"] * 4
    assert all(f.message.isprintable() and f.position.file.isprintable() for f in findings)
    assert list(observed.arrays) == ["sm01a1"]


def test_what_is_no_folder_or_no_file(tmp_path):
    for path in (tmp_path / "gone", tmp_path / "file", Path("a\0b")):
        (tmp_path / "file").write_text("x")
        assert [f.code for f in load_observed(path)[1]] == ["PX001"]
    os.mkfifo(tmp_path / "a.pipe.json")
    (tmp_path / "a.folder.json").mkdir()
    (tmp_path / "a.zero.json").symlink_to("/dev/zero")
    assert [f.code for f in load_observed(tmp_path)[1]] == ["PX001"] * 3


def test_a_reply_too_large_to_be_one(tmp_path):
    with (tmp_path / "a.x.json").open("wb") as stream:
        stream.truncate((4 << 20) + 1)
    assert [f.code for f in load_observed(tmp_path)[1]] == ["PX002"]


def test_replies_too_large_together(load, monkeypatch):
    monkeypatch.setattr("pixsize.load.observed_loader.ReadBudget", lambda: ReadBudget(bytes=300))
    assert [f.code for f in load(a__1__json=reply(), a__2__json=reply(volumes=[VOLUME]))[1]] == ["PX311"]


def test_too_many_files(load, monkeypatch):
    monkeypatch.setattr("pixsize.load.observed_loader._MOST_FILES", 1)
    assert [f.code for f in load(a__1__json=reply(), a__2__json=reply())[1]] == ["PX311"]


def test_findings_of_one_file_are_bounded(load):
    assert len(load(a__x__json=reply(disk_groups=[{}] * 500))[1]) == 20


def test_the_shipped_replies_are_read_without_a_finding():
    observed, findings = load_observed(resources.folder("examples") / "large+hdmd.observed")
    assert findings == ()
    assert sorted(observed.arrays) == ["hm01a1", "sm01a1", "sm01a2", "sm01a3", "sm01a4"]
    assert {len(a.volumes) for a in observed.arrays.values()} == {8, 12}


def test_rows_know_their_lines():
    rows = rows_of(reply(volumes=[VOLUME, dict(VOLUME, **{"volume-name": "v2"})]))
    assert [(r.basetype, r.line) for r in rows] == [("volumes", 4), ("volumes", 11), ("status", 21)]


def test_a_folder_without_replies_is_no_answer(load, tmp_path):
    (tmp_path / "sm01a1.volumes.txt").write_text(reply(volumes=[VOLUME]))
    observed, findings = load_observed(tmp_path)
    assert observed.arrays == {}
    assert [(f.code, f.severity, f.position.file) for f in findings] == [("PX302", "error", str(tmp_path))]
    assert "sm01a1.volumes.json" in findings[0].message


LARGE = {
    "rows": '{"volumes": [' + ",".join(f'{{"volume-name": "v{n}"}}' for n in range(100_000)) + "]}",
    "escaped rows": '{"volumes": [' + ",".join(['{"volume-name": "\\u0076"}'] * 100_000) + "]}",
    "lines": '{"volumes": [' + ",\n".join(['{"volume-name": "v"}'] * 100_000) + "]}",
    "xml rows": "<RESPONSE>" + '<OBJECT basetype="volumes"/>\n' * 100_000 + "</RESPONSE>",
    "xml replies": "<RESPONSE></RESPONSE>\n" * 180_000,
    "json replies": '{"\\u0073tatus": []}\n' * 180_000,
}


@pytest.mark.parametrize("name", LARGE)
def test_large_replies_are_refused(load, name):
    _, findings = load(a__x__json=LARGE[name])
    assert [f.code for f in findings] == ["PX301"]
    assert "more than" in findings[0].message


@pytest.mark.long
def test_many_words_that_are_no_rows_are_passed_over(load):
    assert load(a__x__json=json.dumps({f"key{n}": [{}] for n in range(200_000)}))[1] == ()


def test_as_many_rows_as_are_taken_are_read(load):
    from pixsize.products.me4.reply_text import MOST_ROWS

    volumes = [dict(VOLUME, **{"volume-name": f"v{n}"}) for n in range(MOST_ROWS - 1)]
    observed, findings = load(a__x__json=reply(volumes=volumes))
    assert findings == ()
    assert len(observed.arrays["a"].volumes) == MOST_ROWS - 1


def test_places_behind_the_first_reply_of_a_line(load):
    _, findings = load(a__x__xml="<RESPONSE></RESPONSE>rest\n", b__x__xml="<RESPONSE></RESPONSE><RESPONSE>\n <a></b>")
    assert [(f.position.line, f.position.column) for f in findings] == [(1, 22), (2, 7)]


class OtherReader:
    """Reads the replies of a second family of arrays."""

    def take(self, reply, _left):
        return [Finding("PX305", f"read by me99: {reply.name}")]

    def finish(self, observed, unread):
        return observed._replace(own={"me99": unread}), []


@pytest.fixture
def add_family(monkeypatch):
    """Adds a second family of arrays to the table: its replies end with `ending`; None: it reads none."""
    from pixsize.load import observed_loader
    from pixsize.product import PRODUCTS

    def add(ending):
        claims = (lambda name: name.endswith(ending)) if ending else None
        replies = SimpleNamespace(names="of ME99", claims=claims, reader=OtherReader, system="an ME99")
        volumes = SimpleNamespace(terms=PRODUCTS["me4"].volumes.terms._replace(name="ME99"))
        added = PRODUCTS["me4"]._replace(name="me99", volumes=volumes, replies=replies if ending else None)
        monkeypatch.setattr(observed_loader, "PRODUCTS", {**PRODUCTS, "me99": added})

    return add


def test_the_products_of_the_design_are_asked_first(tmp_path, add_family):
    """A second family of arrays may collect its replies under the names that the first one claims."""
    add_family(".json")
    (tmp_path / "a.volumes.json").write_text(reply(volumes=[VOLUME]))
    read, findings = load_observed(tmp_path, ("me99", "scale"))
    assert (read.own, dict(read.arrays), [f.message for f in findings]) == (
        {"me99": False},
        {},
        ["read by me99: a.volumes.json"],
    )
    read, findings = load_observed(tmp_path)
    assert (sorted(read.arrays), findings) == (["a"], ())


def test_a_family_does_not_read_the_replies_of_another(tmp_path, add_family):
    """An ME4's reply in a folder for a family with files of other names: read, it would set sizes of that family."""
    add_family(".txt")
    (tmp_path / "a.volumes.json").write_text(reply(volumes=[VOLUME]))
    (tmp_path / "a.volumes.txt").write_text("")
    read, (finding,) = load_observed(tmp_path, ("me99", "scale"))
    assert (dict(read.arrays), read.digest) == ({}, "")
    assert (finding.code, finding.severity, finding.position.file) == ("PX302", "error", str(tmp_path))
    assert finding.message == "'a.volumes.json': replies of other storage than that of the design"
    (tmp_path / "a.volumes.json").unlink()
    assert [f.message for f in load_observed(tmp_path, ("me99", "scale"))[1]] == ["read by me99: a.volumes.txt"]


@pytest.mark.parametrize("names", [(), ("a.volumes.json",), ("powerflex.login.txt",)])
def test_a_family_without_a_reader_has_no_replies(tmp_path, add_family, names):
    add_family(None)
    for name in names:
        (tmp_path / name).write_text(reply(volumes=[VOLUME]))
    read, (finding,) = load_observed(tmp_path, ("me99", "scale"))
    assert read == Observed()
    assert (finding.code, finding.severity, finding.message) == ("PX302", "error", "pixsize reads no replies of ME99")
    assert finding.position.file == str(tmp_path)


def test_names_of_replies_of_every_product_are_told(tmp_path):
    (finding,) = load_observed(tmp_path)[1]
    assert finding.code == "PX302"
    names = [product.replies.names for product in PRODUCTS.values() if product.replies]
    assert {"ARRAY.WHAT.json or .xml, such as sm01a1.volumes.json"} < set(names)
    assert finding.message == f"no replies lie in the folder: their names are {'; '.join(names)}"
