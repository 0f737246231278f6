"""The steps at the consoles of the ME4 arrays: check, disk groups, volumes, hosts, maps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Drive, Limit, Record
from pixsize.plan.records import DiskGroup, Plan, Spares, Volume
from pixsize.product import terms_of
from pixsize.products.me4.render.me4 import GROUPS, VOLUMES
from pixsize.products.me4.render.parts import BLOCK, Parts, parts_of
from pixsize.products.me4.render.run_book import oldest_firmware, smaller
from pixsize.products.me4.render.site_steps import accepted, racked, set_up, switched_on
from pixsize.render.steps import ARRAYS_ON, CABLED, PREPARED, REPLIES, Box, Look, Step, seconds
from pixsize.render.steps import VOLUMES as MAPPED
from pixsize.render.template import name, prose, word
from pixsize.units import binary_bytes, decimal_bytes

_CHECKED = "arrays that were compared with the plan"
_GROUPS = "disk groups"
_SIZES = "volumes of the exact size"
_MADE = "volumes that are made"
_GROWN = "volumes that were expanded"
_KNOWN = "hosts that were compared"
_JSON = "set cli-parameters json pager off"
"""With the pager on, the array stops after a screen, and the prompt for the next stands in the saved reply."""
_STILL_FREE = Look("before: `show disks`", "every drive that the command names is `AVAIL`, health OK")
_AGAIN = (
    "With the replies of **every** array in one folder, run"
    " `pixsize render all --config REQUEST --observed FOLDER -o DIR`. Then go on in the new RUNBOOK.md."
)


class _Array(NamedTuple):
    """An array with its groups and volumes that no reply shows."""

    parts: Parts
    no_groups: tuple[str, ...]
    no_volumes: tuple[str, ...]

    @property
    def id(self) -> str:
        return word(self.parts.array.id)

    @property
    def used(self) -> bool:
        """Whether replies show a group that was made for this plan."""
        return len(self.no_groups) < len(self.parts.groups)

    @property
    def grouped(self) -> bool:
        return not self.no_groups

    @property
    def made(self) -> bool:
        return not self.no_volumes

    def about(self, *kinds: str) -> tuple[tuple[str, str], ...]:
        """What findings about these kinds of parts name."""
        return tuple((self.id, kind) for kind in kinds)

    def page(self, section: str) -> str:
        """The place of a section in the array's own page."""
        return f"me4/{self.id}/README.md#{section}"


def steps(plan: Plan, catalog: Catalog) -> tuple[Step, ...]:
    """What is done at each array, in its order; a step for all arrays. Replies say which boxes are ticked."""
    arrays = []
    for parts in parts_of(plan):
        exist = {v.backing for v in parts.volumes if v.wwid is not None}  # a group exists where a volume on it does
        no_groups = tuple(name(g.id) for g in parts.groups if g.reported_bytes is None and g.id not in exist)
        arrays.append(_Array(parts, no_groups, tuple(name(v.id) for v in parts.volumes if v.wwid is None)))
    every = [a.parts for a in arrays]
    return (
        racked(every, catalog),
        switched_on(every, catalog),
        set_up(every, catalog),
        _check(arrays, catalog),
        _groups(arrays, catalog),
        *_spared(arrays, catalog),
        *_exact(arrays, catalog),
        _volumes(arrays, catalog),
        *_expanded(arrays, catalog),
        _hosts(arrays, catalog),
        _maps(arrays, catalog),
        *_names(arrays, catalog),
        accepted(every, catalog),
    )


def _enter(array: _Array, command: str, file: str, missing: tuple[str, ...], names: list[str]) -> str:
    """The commands of a file that are entered: all, or those for the parts that replies do not show."""
    place = f"`me4/{array.id}/{file}`"
    if not missing or len(missing) == len(names):
        return f"enter the {len(names)} commands `{command}` of {place} one by one"
    shown = f"replies show {len(names) - len(missing)} of {len(names)}: of {place}, enter `{command}` **only** for"
    return f"{shown} {', '.join(missing)}"


def _hardware(parts: Parts, catalog: Catalog) -> str:
    """The enclosures and drives of an array, as `PowerVault ME4084, 84 drives of 12 TB`."""
    counts: Counter[str] = Counter()
    holders: tuple[DiskGroup | Spares, ...] = (*parts.groups, *parts.spares)
    for holder in holders:
        counts[holder.drive] += len(holder.slots)
    model = " + ".join(prose(catalog.get(Record, e.model).title) for e in parts.array.enclosures)
    drives = (f"{n} drives of {decimal_bytes(catalog.get(Drive, d).capacity_bytes)}" for d, n in counts.items())
    return f"{model}, {', '.join(drives)}"


def _check(arrays: list[_Array], catalog: Catalog) -> Step:
    look, new = seconds(catalog, "look"), [a for a in arrays if not a.used]
    which = "" if len(new) == len(arrays) else " on arrays of which no reply shows groups"
    usage = f"usage `AVAIL`{which}, " if new else ""
    nothing = f"nothing{which}: a group or a volume that exists is somebody's data"
    oldest = {oldest_firmware(a.parts.array.model, catalog) for a in arrays}
    firmware = oldest.pop() if len(oldest) == 1 else ", as its page says"
    rows = (
        Look("`show system`", "the model named at the box, health OK"),
        Look("`show versions`", f"the same bundle on both controllers{firmware}"),
        Look("`show redundancy-mode`", "Active-Active ULP, both controllers operational"),
        Look("`show ntp-status`", "the time server of the site, and a time of contact"),
        Look("`show advanced-settings`", "`auto-write-back` Enabled; write down what `dynamic-spares` says"),
        Look("`show enclosures`; save it as `ARRAY.enclosures.json`", "the enclosures named at the box, and no others"),
        Look("`show disks`; save it as `ARRAY.disks.json`", f"the drives named at the box, {usage}health OK"),
        *([Look("`show disk-groups`, `show volumes`", nothing)] if new else []),
        Look("`help add disk-group`, `help create volume`, `help map volume`", "the words of the page"),
    )
    return Step(
        "Compare each array with the plan",
        tuple(
            Box(
                a.id,
                f"{_hardware(a.parts, catalog)}: the commands of the table, at its console",
                a.page("1."),
                look * len(rows),
                a.used,
                a.about("enclosure", "disk"),
            )
            for a in arrays
        ),
        rows,
        needs=(ARRAYS_ON,),
        after=(CABLED,),
        provides=(_CHECKED,),
        text=(
            f"To save a reply, enter `{_JSON}` first, and `set cli-parameters console pager off` afterwards for tables. With"
            " the replies of all arrays in one folder, `pixsize check --config REQUEST --observed FOLDER` compares them with"
            " the plan.",
        ),
    )


def _groups(arrays: list[_Array], catalog: Catalog) -> Step:
    each = seconds(catalog, "array_command")
    return Step(
        "Make the disk groups",
        tuple(
            Box(
                a.id,
                _enter(a, "add disk-group", GROUPS, a.no_groups, [name(g.id) for g in a.parts.groups]) + _span(a),
                a.page("2."),
                each * (len(a.no_groups) or len(a.parts.groups)),
                a.grouped,
                a.about("group"),
            )
            for a in arrays
        ),
        (
            *([_STILL_FREE] if any(a.used and a.no_groups for a in arrays) else []),
            Look("each reply", "`Success`; stop at any other reply, and never send a whole file"),
            Look(
                "`show disk-groups`", "the groups of the box, storage type Linear, health OK; a job INIT may still run"
            ),
            Look("`show disks`", "`AVAIL` only for the drives of the next step, where that names spares"),
        ),
        needs=(_CHECKED,),
        provides=(_GROUPS,),
        destroys="all data on every drive that the commands of the open boxes name",
        takes="the array initialises the groups for hours afterwards; until then they work, and are slower",
    )


def _span(array: _Array) -> str:
    """The first and the last group, where all are to be made."""
    groups = array.parts.groups
    return "" if array.used and array.no_groups else f": {name(groups[0].id)} to {name(groups[-1].id)}"


def _spared(arrays: list[_Array], catalog: Catalog) -> Iterator[Step]:
    """The spares, which stand in no reply about groups or volumes, but in `show disks`."""
    each = seconds(catalog, "array_command")
    boxes = tuple(
        Box(
            a.id,
            f"enter each command `add spares` of `me4/{a.id}/{GROUPS}` whose drives `show disks` does not list as"
            f" `GLOBAL SP`: {sum(len(s.slots) for s in a.parts.spares)} spares in all",
            a.page("2."),
            each * len(a.parts.spares),
            all(s.added for s in a.parts.spares),
            a.about("spare"),
        )
        for a in arrays
        if a.parts.spares
    )
    if boxes:
        yield Step(
            "Add the spares",
            boxes,
            (Look("`show disks`", "as many as the box says are `GLOBAL SP`, and no drive is `AVAIL` any more"),),
            needs=(_GROUPS,),
            destroys="what these drives hold, at the latest when a group takes one",
        )


def _exact(arrays: list[_Array], catalog: Catalog) -> Iterator[Step]:
    """The replies about the groups, where a volume was planned without them: its size is a guess until then."""
    unknown = [a for a in arrays if not a.made and any(g.reported_bytes is None for g in a.parts.groups)]
    if unknown:
        yield Step(
            "Collect the sizes of the disk groups, and render again",
            tuple(
                Box(
                    a.id,
                    f"save the reply to `show disk-groups` as `{a.id}.disk-groups.json`",
                    a.page("3."),
                    seconds(catalog, "look"),
                )
                for a in unknown
            ),
            (
                Look(
                    "the new RUNBOOK.md",
                    "the disk groups as done, and `Go on with step` a step behind them",
                ),
            ),
            needs=(_GROUPS,),
            provides=(_SIZES,),
            text=(
                _AGAIN,
                "Without this step the volumes of this folder would leave some per cent of each group unused.",
            ),
            commands=(_JSON,),
        )


def _volumes(arrays: list[_Array], catalog: Catalog) -> Step:
    each = seconds(catalog, "array_command")
    return Step(
        "Make the volumes",
        tuple(
            Box(
                a.id,
                _enter(a, "create volume", VOLUMES, a.no_volumes, [name(v.id) for v in a.parts.volumes])
                + f", and stop before the first `map volume`: {_sizes(a.parts.volumes)}",
                a.page("4."),
                each * (len(a.no_volumes) or len(a.parts.volumes)),
                a.made,
                a.about("volume"),
            )
            for a in arrays
        ),
        (
            Look("each reply", "`Success`"),
            Look("`show volumes`", "the volumes of the box, each with its number of blocks"),
            Look("the same", "`write-policy` is `write-back` for every volume"),
        ),
        needs=(_GROUPS,),
        after=(_SIZES,),
        provides=(_MADE,),
    )


def _sizes(volumes: list[Volume]) -> str:
    """The volumes of an array, as `8 of 183370039296 blocks`."""
    return ", ".join(f"{n} of {size // BLOCK} blocks" for size, n in Counter(v.bytes for v in volumes).items())


def _expanded(arrays: list[_Array], catalog: Catalog) -> Iterator[Step]:
    """Volumes that exist and leave a part of their groups unused: they grow before a server has seen them, or never."""
    small = {a.id: smaller(a.parts, catalog) for a in arrays if terms_of(a.parts.plan, catalog).expands}
    boxes = tuple(
        Box(
            a.id,
            f"`expand volume size max NAME` for {', '.join(name(v.id) for v in small[a.id])}",
            a.page("3."),
            seconds(catalog, "array_command") * len(small[a.id]),
        )
        for a in arrays
        if small.get(a.id)
    )
    if boxes:
        align = binary_bytes(catalog.get(Limit, "me4.volume_alignment").value)
        yield Step(
            "Expand the volumes that are smaller than their groups",
            boxes,
            (
                Look("`show volumes`", "every one of them has grown"),
                Look("`show disk-groups`", f"none of their groups has more than {align} free"),
            ),
            needs=(_MADE,),
            provides=(_GROWN,),
            text=(
                "Before they are mapped, and before they become targets: a server that has seen a volume keeps its old"
                " size until it rescans. Save `show volumes` and `show disk-groups` again, over the old replies.",
                _AGAIN,
            ),
        )


def _hosts(arrays: list[_Array], catalog: Catalog) -> Step:
    look = seconds(catalog, "look")
    return Step(
        "See which hosts are cabled to each array",
        tuple(
            Box(
                a.id,
                f"compare `show initiators` with `lsscsi -t -H` of {' and '.join(map(word, a.parts.module.servers))}",
                a.page("4."),
                3 * look,
            )
            for a in arrays
        ),
        (
            Look("`lsscsi -t -H` on each of the two servers", "the SAS addresses (WWPNs) of its adapters"),
            Look("`show initiators`", "`discovered` Yes for addresses of these two servers, and for no other"),
            Look("the same", "each server on one port of controller A and on one of controller B"),
        ),
        needs=(PREPARED, _GROUPS),
        provides=(_KNOWN,),
        text=("A mapped volume can be written by every host that has a cable to its array.",),
    )


def _maps(arrays: list[_Array], catalog: Catalog) -> Step:
    each = seconds(catalog, "array_command")
    luns = {a.id: [v.lun for v in a.parts.volumes if v.lun is not None] for a in arrays}
    return Step(
        "Map the volumes",
        tuple(
            Box(
                a.id,
                f"enter the {len(a.parts.volumes)} commands `map volume` of `me4/{a.id}/{VOLUMES}` one by one, but for"
                f" volumes that `show maps` lists already; LUNs {min(luns[a.id])} to {max(luns[a.id])}",
                a.page("4."),
                each * len(a.parts.volumes),
            )
            for a in arrays
        ),
        (
            Look("each reply", "`Success`"),
            Look("`show maps`", "each volume once, read-write, all other initiators, all ports, the LUN of the page"),
        ),
        needs=(_KNOWN, _MADE),
        after=(_GROWN,),
        provides=(MAPPED,),
    )


def _names(arrays: list[_Array], catalog: Catalog) -> Iterator[Step]:
    """The replies about the volumes, where a WWID is unknown: servers cannot name their devices without it."""
    unknown = [a for a in arrays if not a.made]
    if unknown:
        yield Step(
            "Collect the WWIDs of the volumes, and render again",
            tuple(
                Box(
                    a.id,
                    f"save the reply to `show volumes` as `{a.id}.volumes.json`",
                    a.page("4."),
                    seconds(catalog, "look"),
                )
                for a in unknown
            ),
            (Look("`find DIR -name '*.incomplete'`", "nothing"),),
            needs=(MAPPED,),
            provides=(REPLIES,),
            text=(_AGAIN,),
            commands=(_JSON,),
        )
