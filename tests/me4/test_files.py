"""The arrays' files: the commands to the letter, and what the run book must say."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from pixsize.plan.records import Plan
from pixsize.render import RENDERERS
from tests.readers.compare import arrays_hold_the_plan
from tests.scale.render_plan import catalog, plan, renamed
from tests.support.changing import replace
from tests.support.cli_support import run
from tests.support.programs import tool

ME4 = RENDERERS["me4"]
GROUPS = """\
add disk-group type linear disks 0.0,0.2,0.4,0.6 level r6 assigned-to a chunk-size 1024k dg_sm01a1_data01
add disk-group type linear disks 1.0,1.2,1.4,1.6 level r6 assigned-to b chunk-size 1024k dg_sm01a1_data02
add disk-group type linear disks 0.1,0.7 level r1 assigned-to a dg_sm01a1_meta01
add spares 0.3,0.5
add spares 1.1,1.3,1.5,1.7
"""
VOLUMES = """\
create volume pool dg_sm01a1_data01 size 45468745728 sm01a1_data01
create volume pool dg_sm01a1_data02 size 45468745728 sm01a1_data02
create volume pool dg_sm01a1_meta01 size 1818746880 sm01a1_meta01
map volume access read-write lun 2 sm01a1_data01
map volume access read-write lun 3 sm01a1_data02
map volume access read-write lun 4 sm01a1_meta01
"""


def files_of(given: Plan) -> dict[str, str]:
    made = ME4.files(given, catalog())
    assert not any(f.executable for f in made)
    return {f.path: f.text for f in made}


def book_of(given: Plan) -> str:
    return files_of(given)["me4/sm01a1/README.md"]


def section(book: str, heading: str) -> str:
    """The text from a heading that begins so to the next of its rank."""
    return next(part for part in re.split(r"(?m)^## ", book) if part.startswith(heading))


def test_the_commands_to_the_letter() -> None:
    files = files_of(plan())
    assert files["me4/sm01a1/01-disk-groups.cli"] == GROUPS
    assert files["me4/sm01a1/02-volumes.cli"] == VOLUMES
    assert sorted(files) == [f"me4/sm01a1/{n}" for n in ("01-disk-groups.cli", "02-volumes.cli", "README.md")]


def test_the_commands_build_the_plan() -> None:
    given = plan()
    in_range = tuple(replace(g, chunk_bytes=g.chunk_bytes and 2**19) for g in given.disk_groups)
    chunked = replace(given, disk_groups=in_range)
    files = {path.removeprefix("me4/"): text for path, text in files_of(chunked).items()}
    arrays_hold_the_plan(files, chunked)


def test_a_reported_size_is_asked_for_to_the_last_four_mib() -> None:
    text = files_of(plan(reported=True))["me4/sm01a1/02-volumes.cli"]
    asked = 23_520_000_000_000 // 2**22 * 2**22 // 512
    assert f"create volume pool dg_sm01a1_data01 size {asked} sm01a1_data01\n" in text


def test_mirrors_of_a_raid_10_are_parted_by_colons() -> None:
    given = plan()
    first, *others = given.disk_groups
    text = files_of(replace(given, disk_groups=(replace(first, level="r10"), *others)))["me4/sm01a1/01-disk-groups.cli"]
    assert "disks 0.0,0.2:0.4,0.6 level r10 assigned-to a chunk-size 1024k " in text


@pytest.mark.parametrize("name", ["a b", "a;b", "-rf", "a\nb", 'a"b', "a<b", "a.b", "", "ü", "#a", "x" * 33])
def test_names_that_an_array_could_misread_never_reach_it(name: str) -> None:
    with pytest.raises(ValueError, match="may not stand"):
        files_of(renamed(plan(), name))


def test_a_size_that_is_no_number_of_blocks_is_a_bug() -> None:
    given = plan()
    first, *others = given.volumes
    with pytest.raises(ValueError, match="no whole number of blocks"):
        files_of(replace(given, volumes=(replace(first, bytes=first.bytes + 1), *others)))


def test_the_book_begins_with_what_stops() -> None:
    checks = section(book_of(plan()), "1. Checks that stop")
    for row in (
        "| 0 | PowerVault ME4084 |",
        "| 1 | PowerVault ME484 |",
        "| 0.0,0.2-6 | 6 | SAS MDL | 12 TB = 10.91 TiB |",
        "| 0.1,0.7 | 2 | SSD SAS | 960 GB = 894.07 GiB |",
        "| 1.0-7 | 8 | SAS MDL | 12 TB = 10.91 TiB |",
    ):
        assert f"  {row}\n" in checks
    for command in (
        "show disk-groups",
        "show volumes",
        "help add spares",
        "help add disk-group",
        "show redundancy-mode",
    ):
        assert f"`{command}`" in checks
    assert "somebody's data" in checks


def test_the_book_says_what_each_step_destroys_before_it() -> None:
    book = book_of(plan())
    assert (
        "| `01-disk-groups.cli` | 3 disk groups, 6 global spares | **all data on every drive that it names** |" in book
    )
    assert book.index("## 1. Checks that stop") < book.index("destroys all data on the drives") < book.index("## 4. ")
    assert "It destroys nothing." in section(book, "4. `02-volumes.cli`")


def test_the_book_says_how_to_see_that_a_step_worked() -> None:
    book = book_of(plan())
    groups, volumes = section(book, "2. "), section(book, "4. ")
    assert "| dg_sm01a1_data02 | 1.0,1.2,1.4,1.6 | RAID6 | 4 | B | 1024k |" in groups
    assert "| dg_sm01a1_meta01 | 0.1,0.7 | RAID1 | 2 | A | none given |" in groups
    assert "10 drives `LINEAR POOL`, 6 drives `GLOBAL SP`, none `AVAIL`" in groups
    assert "| sm01a1_data02 | dg_sm01a1_data02 | 45468745728 | 23.28 TB = 21.17 TiB | B | 3 |" in volumes
    assert "`show maps`" in volumes
    assert "return-code" in section(book, "When a command fails")


def test_the_book_names_the_replies_as_observed_reads_them() -> None:
    collected = re.findall(r"collect as `([^`]+)`", book_of(plan()))
    assert collected == [f"sm01a1.{n}.json" for n in ("enclosures", "disks", "disk-groups", "volumes")]


def test_the_book_explains_the_chunk() -> None:
    explained = " ".join(section(book_of(plan()), "2. ").split())
    assert "a chunk of 1 MiB: on 2 data drives it makes a stripe of 2 MiB" in explained
    assert "A file-system block of 8 MiB is 4 stripes" in explained
    given = plan()
    small = replace(given, filesystem=replace(given.filesystem, block_bytes=2**20))
    assert "A file-system block of 1 MiB is no whole number of stripes" in " ".join(book_of(small).split())


def test_what_is_left_of_planned_sizes_and_that_it_goes_before_mmcrnsd() -> None:
    sizes = section(book_of(plan()), "3. ")
    left = 24 * 10**12 - 45468745728 * 512
    meta = 960 * 10**9 - 1818746880 * 512
    assert f"| data | 2 | 24,000,000,000,000 | 23,279,997,812,736 | {left:,} | {left / 2**30:,.1f} GiB |" in sizes
    assert f"Together {2 * left + meta:,} bytes" in sizes
    assert "before mmcrnsd: an NSD does not grow afterwards" in sizes
    commands = [line for line in sizes.splitlines() if line.startswith("    ")]
    assert commands == [f"    expand volume size max {v.id}" for v in plan().volumes]
    assert "`help expand volume`" in section(book_of(plan()), "1. ")


def test_nothing_is_to_be_expanded_once_the_array_was_asked() -> None:
    book = book_of(plan(reported=True))
    assert "expand volume" not in book
    assert "3 volumes have the size that the array reported" in section(book, "3. ")


def test_only_the_volumes_that_were_not_reported_are_to_be_expanded() -> None:
    given = plan(reported=True)
    first, *others = given.disk_groups
    sizes = section(book_of(replace(given, disk_groups=(replace(first, reported_bytes=None), *others))), "3. ")
    assert "2 volumes have the size" in sizes
    assert [line for line in sizes.splitlines() if line.startswith("    ")] == [
        "    expand volume size max sm01a1_data01"
    ]


def there(given: Plan, **smaller: int) -> Plan:
    """The plan, with volumes that exist: of the planned size, or smaller by so many bytes."""
    volumes = (v._replace(reported_bytes=v.bytes - smaller.get(v.id, 0)) for v in given.volumes)
    return given._replace(volumes=tuple(volumes))


def test_volumes_that_are_smaller_than_their_groups_are_to_be_expanded() -> None:
    book = book_of(there(plan(reported=True), sm01a1_data01=2**22, sm01a1_meta01=10**9))
    sizes = section(book, "3. ")
    commands = [f"    expand volume size max {n}" for n in ("sm01a1_data01", "sm01a1_meta01")]
    assert [line for line in sizes.splitlines() if line.startswith("    ")] == commands
    assert "1 volumes have the size that the array reported" in sizes
    assert "**2 volumes exist, and are smaller than their groups.**" in sizes
    assert "before mmcrnsd: an NSD does not grow afterwards" in sizes
    assert "`sm01a1.volumes.json` and `sm01a1.disk-groups.json` **again**" in sizes
    assert "`help expand volume`" in section(book, "1. ")


def test_with_every_volume_smaller_the_book_never_says_that_nothing_is_to_be_expanded() -> None:
    given = plan(reported=True)
    sizes = section(book_of(there(given, **{v.id: 10**9 for v in given.volumes})), "3. ")
    assert sizes.count("    expand volume size max ") == 3
    assert "nothing is to be expanded" not in sizes
    one = section(book_of(there(given, sm01a1_data02=10**9)), "3. ")
    assert "**1 volume exists, and is smaller than its group.**" in one


def test_volumes_that_exist_in_full_are_not_to_be_expanded() -> None:
    """What the array rounds off is no reason; nor is a group that was not reported, which is listed for itself."""
    for less in (0, 2**22 - 512):
        book = book_of(there(plan(reported=True), sm01a1_data01=less))
        assert "expand volume" not in book
    assert " smaller than its group" not in book_of(there(plan(), sm01a1_data01=10**9))


def test_an_array_without_spares_says_nothing_of_them() -> None:
    book = book_of(replace(plan(), spares=()))
    assert "no spares" in book
    assert "help add spares" not in book
    assert "GLOBAL SP" not in book
    assert "Where a spare fits" not in book


def test_hostile_titles_stay_within_their_cell() -> None:
    made = ME4.files(plan(), catalog(me4={"title": "x | y\n## 9. `rm`"}))
    book = next(f.text for f in made if f.path.endswith("README.md"))
    assert "| 0 | x / y ## 9. 'rm' |" in book
    assert len(re.findall(r"(?m)^## ", book)) == 7


@pytest.mark.parametrize(("firmware", "said"), [("GT299", "bundle, GT299 or later."), ("", "bundle.")])
def test_the_oldest_firmware_is_that_of_the_record(firmware: str, said: str) -> None:
    made = ME4.files(plan(), catalog(me4={"firmware": firmware}))
    book = next(f.text for f in made if f.path.endswith("README.md"))
    assert f"- `show versions`: both controllers run the same {said}\n" in book


def test_no_text_ends_in_a_blank() -> None:
    for text in files_of(plan()).values():
        assert text.endswith("\n")
        assert all(line == line.rstrip() for line in text.splitlines())


def test_a_plan_without_arrays_has_nothing_for_it() -> None:
    assert ME4.applies(plan())
    assert not ME4.applies(replace(plan(), volumes=()))
    assert ME4.findings(plan(), catalog()) == ()


def test_no_less_than_nothing_is_left() -> None:
    greedy = catalog(**{"me4.array_overhead": {"value": "4 %", "high": "5 %"}})
    book = next(f.text for f in ME4.files(plan(), greedy) if f.path.endswith("README.md"))
    assert "0.0 GiB (between 0.0 GiB and 912.0 GiB)" in " ".join(book.split())


def test_the_tables_write_drives_as_the_commands_do() -> None:
    files = files_of(plan())
    commands = files["me4/sm01a1/01-disk-groups.cli"]
    groups = section(files["me4/sm01a1/README.md"], "2. ")
    for disks, name in re.findall(r" disks (\S+) level .* (\S+)\n", commands):
        assert f"| {name} | {disks} |" in groups
    first, *others = plan().disk_groups
    pairs = replace(plan(), disk_groups=(replace(first, level="r10"), *others))
    assert "| 0.0,0.2:0.4,0.6 | RAID10 |" in section(book_of(pairs), "2. ")


def test_who_is_connected_is_seen_before_anything_is_mapped() -> None:
    mapping = section(book_of(plan()), "4. ")
    seen = mapping.index("- `show initiators`")
    assert mapping.index("before that first `map volume`") < seen < mapping.index("Enter the `map volume` commands")
    assert "are WWPNs of sm01n1 and sm01n2, and of nobody else" in mapping
    assert "`lsscsi -t -H`" in mapping


def test_replies_are_collected_again_behind_an_expansion_of_volumes() -> None:
    sizes = section(book_of(plan()), "3. ")
    after = sizes[sizes.rindex("expand volume size max") :]
    assert "`sm01a1.volumes.json` and `sm01a1.disk-groups.json` **again**" in after
    assert "and only then\n`pixsize render all --config REQUEST --observed FOLDER -o DIR`." in after
    assert "**again**" not in book_of(plan(reported=True))


def test_an_enclosure_with_another_number_stops() -> None:
    checks = " ".join(section(book_of(plan()), "1. ").split())
    assert "Where the PowerVault ME484 is not enclosure 1, or is not shown, stop" in checks
    assert "Change no number by hand" in checks
    given = plan()
    alone = given.arrays[0]._replace(enclosures=given.arrays[0].enclosures[:1])
    assert "enter `rescan`" not in book_of(given._replace(arrays=(alone,)))


def in_order(text: str, *words: str) -> None:
    """Each of the words stands in the text, behind the one before."""
    places = [text.index(w) for w in words]
    assert places == sorted(places), dict(zip(words, places, strict=True))


def test_volumes_grow_before_anybody_has_seen_them() -> None:
    book = " ".join(book_of(plan()).split())
    assert "**Or expand** in section 4, between its last `create volume` and its first `map volume`" in book
    in_order(
        section(book_of(plan()), "4. "),
        "Enter the `create volume` commands, and\nstop before the first `map volume`",
        "The `expand volume` commands of section 3, if that is your way: now.",
        "`show initiators`",
        "Enter the `map volume` commands",
        "collect as `sm01a1.volumes.json`",
    )
    assert "expand volume" not in book_of(plan(reported=True))


def test_the_cache_and_spares_of_the_array_are_looked_at() -> None:
    book = book_of(plan())
    checks = " ".join(section(book, "1. ").split())
    assert "`show advanced-settings`: `auto-write-back` Enabled" in checks
    assert "`dynamic-spares`. Enabled, the array takes a new drive in the place of a failed one by itself" in checks
    written = " ".join(section(book, "4. ").split())
    assert "`write-policy` is `write-back` for every volume" in written
    assert "`help set volume-cache-parameters`" in written


def test_each_server_is_seen_by_both_controllers_before_anything_is_mapped() -> None:
    mapping = " ".join(section(book_of(plan()), "4. ").split())
    in_order(
        mapping,
        "Each of the two servers is discovered on one port of controller A and on one of controller B",
        "`host-port-bits-a` and `host-port-bits-b`, where 1, 2, 4 and 8 are the ports 0 to 3",
        "Enter the `map volume` commands",
    )


def blocks_of(book: str) -> list[str]:
    """The commands for the servers: what stands between fences in section 5."""
    return re.findall(r"(?ms)^```\n(.*?)^```$", section(book, "5. "))


def test_the_servers_look_name_and_measure_before_mmcrnsd() -> None:
    servers = section(book_of(plan()), "5. ")
    in_order(
        servers,
        "`lsblk -o NAME,TYPE,MOUNTPOINT`: **where it shows an `mpath` that the server\nitself uses",
        "```\ninstall -b -m 0644 multipath.conf /etc/multipath.conf\nmultipath -t > /dev/null\nsystemctl enable multipathd\n"
        "systemctl restart multipathd\n",
        'echo "- - -" > "$host/scan"',
        "\nmultipath -ll\ndracut -f\n",
        "multipathd runs before GPFS does",
        "blockdev --getsize64",
        "echo 1 > /sys/block/sdX/device/rescan",
        "multipathd resize map NAME",
        "install -b -m 0755 nsddevices /var/mmfs/etc/nsddevices",
        "`mapper/NAME dmm`",
        "`mmlsnsd -F` shows the NSDs that it made: give it the stanzas of the missing ones only",
    )
    assert "**before mmcrnsd: an NSD does not grow afterwards**. Every line ends in `ok`, on both servers" in servers
    assert "and on **every** other server of an NSD" in servers


def test_requests_are_seen_to_be_as_large_as_a_stripe() -> None:
    assert "`grep . /sys/block/dm-*/queue/max_sectors_kb` shows 2048 for every volume" in book_of(plan())
    given = plan()
    mirrors = tuple(g._replace(level="r10") for g in given.disk_groups)
    assert "max_sectors_kb" not in book_of(given._replace(disk_groups=mirrors))


BLOCKDEV = """\
#!/bin/bash
[ "$1" = --getsize64 ] || exit 2
case "$2" in
    /dev/mapper/sm01a1_data02) echo 4096 ;;
    /dev/mapper/sm01a1_meta01) exit 1 ;;
    *) echo SIZE ;;
esac
"""


def test_sizes_are_compared_on_the_server(tmp_path: Path) -> None:
    """The block as a shell runs it: a volume of the planned size, one of another, one that is not there."""
    (script,) = [b for b in blocks_of(book_of(plan())) if "blockdev" in b]
    data01 = plan().volumes[0].bytes
    stand_in = tmp_path / "blockdev"
    stand_in.write_text(BLOCKDEV.replace("SIZE", str(data01)))
    stand_in.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    command = ["bash", "-eu", "-c", script]
    shown = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    data02, meta01 = (v.bytes for v in plan().volumes[1:])
    assert shown.stdout.splitlines() == [
        "sm01a1_data01 ok",
        f"sm01a1_data02 has 4096, not {data02}",
        f"sm01a1_meta01 has nothing, not {meta01}",
    ]


@pytest.mark.real
@pytest.mark.parametrize("given", [plan(), plan(reported=True)], ids=["planned", "reported"])
def test_what_servers_run_is_clean_shell(given: Plan, tmp_path: Path) -> None:
    path = tmp_path / "section5.sh"
    path.write_text("#!/bin/bash\n" + "".join(b for b in blocks_of(book_of(given)) if "NAME" not in b))
    checked = subprocess.run([tool("shellcheck"), path], capture_output=True, text=True, check=False)
    assert (checked.stdout, checked.returncode) == ("", 0)


def listed(book: str) -> dict[str, int]:
    """The bytes that the servers must see, by volume."""
    (script,) = [b for b in blocks_of(book) if "blockdev" in b]
    lines = script.partition("<<'END'\n")[2].partition("\nEND")[0].splitlines()
    return {name: int(size) for name, size in map(str.split, lines)}


def test_the_bytes_are_those_that_the_array_made() -> None:
    """Blocks of the file times 512; of a volume that exists its own bytes, unless it is to be expanded first."""
    for given in (plan(), plan(reported=True)):
        text = files_of(given)["me4/sm01a1/02-volumes.cli"]
        asked = {n: int(b) * 512 for b, n in re.findall(r"(?m)^create volume pool \S+ size (\d+) (\S+)$", text)}
        assert listed(book_of(given)) == asked
    given = there(plan(reported=True), sm01a1_data01=2**22 - 512, sm01a1_meta01=10**9)
    first, second, third = given.volumes
    expected = {first.id: first.bytes - 2**22 + 512, second.id: second.bytes, third.id: third.bytes}
    assert listed(book_of(given)) == expected


def test_enclosures_are_switched_on_before_the_controllers_and_servers_last() -> None:
    checks = " ".join(section(book_of(plan()), "1. ").split())
    order = "the PowerVault ME484 that is enclosure 1, then the PowerVault ME4084 with the controllers, and sm01n1 and sm01n2 last"
    assert f"Switched on in this order, and off in the reverse: {order}" in checks
    given = plan()
    alone = given.arrays[0]._replace(enclosures=given.arrays[0].enclosures[:1])
    checks = " ".join(section(book_of(given._replace(arrays=(alone,))), "1. ").split())
    assert "off in the reverse: the PowerVault ME4084 with the controllers, and sm01n1 and sm01n2 last" in checks


def test_what_a_failed_drive_looks_like_with_spares_and_without() -> None:
    fails = section(book_of(plan()), "When a drive fails")
    assert "| 2: dg_sm01a1_data01 to dg_sm01a1_data02 | NL-SAS 12 TB | RAID6 | any two drives | 6 |\n" in fails
    assert "| dg_sm01a1_meta01 | SSD 960 GB | RAID1 | either drive | none |\n" in fails
    for words in ("`FTDN`", "`CRIT`", "`RCON`", "`FTOL`", "Where a spare fits", "nothing is rebuilt until"):
        assert words in fails
    standard = section(book_of(plan()._replace(spares=())), "When a drive fails")
    assert standard.count("| none |") == 2
    assert "Where a spare fits" not in standard
    assert "With `dynamic-spares` Enabled the array takes the new drive by itself" in " ".join(standard.split())


def test_a_spare_that_is_too_small_or_of_another_kind_is_none() -> None:
    given = plan()
    small = catalog(hdd={"capacity": "12 TB"}, ssd={"capacity": "960 GB", "media": "nl-sas"})
    spares = tuple(s._replace(drive="ssd") for s in given.spares)
    book = next(f.text for f in ME4.files(given._replace(spares=spares), small) if f.path.endswith("README.md"))
    assert "| NL-SAS 12 TB | RAID6 | any two drives | none |" in book
    assert "| SSD 960 GB | RAID1 | either drive | 6 |" in book
    every = replace(given, spares=tuple(s._replace(drive="hdd") for s in given.spares))
    groups = tuple(g._replace(drive="hdd") for g in every.disk_groups)
    assert "nothing is rebuilt" not in book_of(replace(every, disk_groups=groups))


def test_the_page_asks_whose_used_drives_were_before_anything_is_destroyed(tmp_path: Path) -> None:
    ask = "Where the drives may have been used before: ask now whose they were"
    scale = " ".join(section(book_of(plan()), "1. ").split())
    assert ask in scale
    assert "may show old data; mmcrnsd stops at an old NSD only, and writes over anything else." in scale
    assert run("render", "me4", "-c", "lustre-me4", "-o", str(tmp_path / "out"), "--quiet").exit_code == 0
    lustre = " ".join(section((tmp_path / "out/me4/sm01a1/README.md").read_text(), "1. ").split())
    assert ask in lustre
    assert "may show old data, and then the scripts of `mkfs` stop until somebody has decided about it." in lustre


@pytest.mark.parametrize("example", ["large+hdmd", "lustre-me4"])
def test_every_command_that_renders_again_renews_the_run_book(example: str, tmp_path: Path) -> None:
    assert run("render", "me4", "-c", example, "-o", str(tmp_path / "out"), "--quiet").exit_code == 0
    for page in (tmp_path / "out").rglob("README.md"):
        told = re.findall(r"`(pixsize render [^`]*)`", page.read_text())
        assert len(told) >= 2
        assert set(told) == {"pixsize render all --config REQUEST --observed FOLDER -o DIR"}


def test_everything_that_was_made_can_be_undone_in_its_order() -> None:
    undo = " ".join(section(book_of(plan()), "When a command fails").split())
    in_order(
        undo, "note the paths `sdX`", "`multipath -ll NAME`", "`multipath -f NAME`",
        "for each of these paths `echo 1 > /sys/block/sdX/device/delete`", "`unmap volume NAME`", "`delete volumes NAME`", "`remove disk-groups NAME`",
        "`remove spares DRIVES`",
    )  # fmt: skip
    assert undo.count("**destroys all data on it**") == 2


def test_the_book_of_lustre_speaks_of_lustre(tmp_path: Path) -> None:
    """The same page serves both file systems: nothing of GPFS in it, and where Lustre goes on."""
    assert run("render", "me4", "-c", "lustre-me4", "-o", str(tmp_path / "out"), "--quiet").exit_code == 0
    books = {p.parent.name: p.read_text() for p in (tmp_path / "out").rglob("README.md")}
    assert len(books) == 5
    for book in books.values():
        assert not re.search("GPFS|NSD|nsd|mmcr|mmls", book)
        servers = section(book, "5. ")
        assert "before mkfs.lustre" in servers
        assert "dracut -f" in servers
        assert servers.rstrip().endswith("the scripts of `mkfs` make the targets.")
        assert "while a target of Lustre uses the volume" in " ".join(book.split())
    assert "shows 1024 for every volume" in books["sm01a1"]
    assert "max_sectors_kb" not in books["mm01a1"]


TB_18 = 8 * 18 * 10**12


def test_volumes_that_may_be_refused_are_announced() -> None:
    given = plan()
    first, *others = given.disk_groups
    asked = TB_18 * 97 // 100 // 2**22 * 2**22
    assert asked < 128 * 2**40 < TB_18
    volumes = (given.volumes[0]._replace(bytes=asked), *given.volumes[1:])
    huge = given._replace(disk_groups=(first._replace(bytes=TB_18), *others), volumes=volumes)
    sizes = " ".join(section(book_of(huge), "3. ").split())
    assert "**One group can hold a volume of more than 128 TiB** (up to 130.97 TiB)" in sizes
    assert "documented for the ME5; no public source says whether" in sizes
    assert "ask the vendor's support. Do not split a group" in sizes
    sure = ME4.files(huge, catalog(**{"me4.volume_bytes": {"confirmed": True}}))
    assert "the largest that this array makes. `create" in " ".join(
        next(f.text for f in sure if "README" in f.path).split()
    )


def test_sizes_within_the_bound_say_nothing_of_it() -> None:
    assert "128 TiB" not in book_of(plan())
    given = plan(reported=True)
    first, *others = given.disk_groups
    small = given._replace(disk_groups=(first._replace(bytes=TB_18), *others))
    assert "128 TiB" not in book_of(small), "what the array reported counts, not what the drives were sold as"
