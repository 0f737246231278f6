"""The steps on servers that see volumes of arrays: names by WWID, rescan, sizes, and what the file system adds."""

from __future__ import annotations

from collections import Counter

from pixsize.arrays.render.multipath import Pair, largest_stripe, pairs
from pixsize.catalog.catalog import Catalog
from pixsize.catalog.designs import Design
from pixsize.plan.records import Plan
from pixsize.product import filesystem_of, volume_terms
from pixsize.render.steps import ACCEPTED, BEFORE_TESTS, DEVICES, PREPARED, REPLIES, VOLUMES, Box, Look, Step, seconds
from pixsize.render.template import word
from pixsize.terms import VolumeTerms

NAMED = "volumes that have their names"
COMPARED = "volumes that have their sizes on every server"
"""What the steps provide, in the words that a run book shows after `needs`."""
# SAS hosts do not scan for new LUNs by themselves: a volume that was mapped after the start is not seen without this.
_RESCAN = 'for host in /sys/class/scsi_host/host*; do echo "- - -" > "$host/scan"; done'


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """What is done on both servers of each module, once its volumes are mapped."""
    server_pairs, terms = tuple(pairs(plan)), volume_terms(plan)
    named, compared = _names(server_pairs, terms.page, catalog), _compared(server_pairs, terms, catalog)
    added = filesystem_of(catalog.get(Design, plan.design)).adds_steps.get("multipath")
    accepted = _accepted(server_pairs, catalog)
    if added is None:
        return (named, compared._replace(provides=(DEVICES,)), accepted)
    return (named, compared, *added(plan, catalog), accepted)


def _names(server_pairs: tuple[Pair, ...], page: str, catalog: Catalog) -> Step:
    each = seconds(catalog, "script") + 2 * seconds(catalog, "look")
    boxes = tuple(
        Box(
            word(server),
            f"in the folder `multipath/{word(pair.module.id)}`: {len(pair.volumes)} volumes{_requests(pair)}",
            page.format(array=word(pair.module.arrays[0])),
            each,
        )
        for pair in server_pairs
        for server in pair.module.servers
    )
    return Step(
        "Name the volumes on the servers",
        boxes,
        (
            Look(
                "before: `lsblk -o NAME,TYPE,MOUNTPOINT`", "no `mpath` that this server itself uses: the file hides it"
            ),
            Look("`multipath -t > /dev/null`", "nothing on the screen; it returns 0 whatever it finds"),
            Look("`multipath -ll`", "every volume by its name, with two paths, one of them of the higher priority"),
            Look(
                'for a volume, `cat /sys/block/$(basename "$(readlink -f /dev/mapper/NAME)")/queue/max_sectors_kb`',
                "the number of the box, where it has one",
            ),
        ),
        needs=(PREPARED, VOLUMES),
        after=(REPLIES,),
        provides=(NAMED,),
        text=(
            "Go on behind `multipath -t`, and behind `multipath -ll`, only when their lines of the table are right.",
        ),
        commands=(
            "install -b -m 0644 multipath.conf /etc/multipath.conf",
            "multipath -t > /dev/null",
            "systemctl enable multipathd",
            "systemctl restart multipathd",
            _RESCAN,
            "multipath -r",
            "multipath -ll",
            "dracut -f",
        ),
    )


def _requests(pair: Pair) -> str:
    """The size of a request that holds a full stripe, in KiB; nothing where all groups are mirrors."""
    return "".join(f", max_sectors_kb {stripe.bytes // 1024}" for stripe in largest_stripe(pair.groups))


def _compared(server_pairs: tuple[Pair, ...], terms: VolumeTerms, catalog: Catalog) -> Step:
    run, look, shows = terms.compare
    return Step(
        "Compare the sizes of the volumes",
        tuple(
            Box(
                word(server),
                f"{run.format(array=word(array))}: {_sizes(pair, array)}",
                terms.page.format(array=word(array)),
                seconds(catalog, "look"),
            )
            for pair in server_pairs
            for server in pair.module.servers
            for array in pair.module.arrays
        ),
        (Look(look, shows),),
        needs=(NAMED,),
        provides=(COMPARED,),
    )


def _accepted(server_pairs: tuple[Pair, ...], catalog: Catalog) -> Step:
    """Every path is there, and a server goes on with half of them."""
    each = seconds(catalog, "look")
    boxes = [
        Box(word(server), f"{2 * len(pair.volumes)} paths to {len(pair.volumes)} volumes", "", each)
        for pair in server_pairs
        for server in pair.module.servers
    ]
    boxes += [
        Box(
            word(pair.module.id),
            f"the SAS cable from {word(pair.module.servers[0])} to controller A of {word(pair.module.arrays[0])} pulled while"
            " files are read and written, and plugged in again",
            "",
            2 * each,
        )
        for pair in server_pairs
    ]
    return Step(
        "Accept the paths to the volumes",
        tuple(boxes),
        (
            Look("`multipath -ll | grep -c 'active ready running'`, on each server", "the number of paths of its box"),
            Look("the same, while the cable is out", "fewer by the volumes of that array; no reader or writer stops"),
            Look("the same, a minute after it is back", "the number of the box again"),
            Look("`lsscsi | grep -c disk`, after a restart of the server", "the paths, and its own disks"),
        ),
        needs=(NAMED,),
        after=BEFORE_TESTS,
        provides=(ACCEPTED,),
        text=("One cable at a time. Look at `multipath -ll` before each: a volume with one path left would be lost.",),
    )


def _sizes(pair: Pair, array: str) -> str:
    """The volumes of an array in a module, as `8 of 93885460119552 bytes`."""
    own = Counter(v.bytes for v in pair.volumes if v.array == array)
    return ", ".join(f"{n} of {size} bytes" for size, n in own.items())
