"""The arrays' files: the commands to the letter, and what the run book must say."""

from __future__ import annotations

import re

import pytest

from pixsize.plan.records import Plan
from pixsize.render import RENDERERS
from tests.changing import replace
from tests.readers.compare import arrays_hold_the_plan
from tests.unit.render_plan import catalog, plan, renamed

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
    arrays_hold_the_plan(files_of(chunked), chunked)


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
    assert "add spares" not in book
    assert "GLOBAL SP" not in book


def test_hostile_titles_stay_within_their_cell() -> None:
    made = ME4.files(plan(), catalog(me4={"title": "x | y\n## 9. `rm`"}))
    book = next(f.text for f in made if f.path.endswith("README.md"))
    assert "| 0 | x / y ## 9. 'rm' |" in book
    assert len(re.findall(r"(?m)^## ", book)) == 5


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
    assert mapping.index("before that first `map volume`") < seen < mapping.index("Enter the commands")
    assert "are WWPNs of sm01n1 and sm01n2, and of nobody else" in mapping
    assert "`lsscsi -t -H`" in mapping


def test_replies_are_collected_again_behind_an_expansion_of_volumes() -> None:
    sizes = section(book_of(plan()), "3. ")
    after = sizes[sizes.rindex("expand volume size max") :]
    assert "`sm01a1.volumes.json` and `sm01a1.disk-groups.json` **again**" in after
    assert "only then render\nmultipath" in after
    assert "**again**" not in book_of(plan(reported=True))


def test_an_enclosure_with_another_number_stops() -> None:
    checks = " ".join(section(book_of(plan()), "1. ").split())
    assert "Where the PowerVault ME484 is not enclosure 1, or is not shown, stop" in checks
    assert "Change no number by hand" in checks
    given = plan()
    alone = given.arrays[0]._replace(enclosures=given.arrays[0].enclosures[:1])
    assert "rescan" not in book_of(given._replace(arrays=(alone,)))


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
