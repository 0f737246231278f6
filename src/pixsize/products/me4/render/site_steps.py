"""The steps at the ME4 arrays before the first command of a plan, and the test of them when the system is finished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pixsize.catalog.catalog import Catalog
from pixsize.catalog.records import Enclosure, Record
from pixsize.products.me4.render.parts import Parts
from pixsize.products.me4.render.run_book import network_words, oldest_firmware
from pixsize.render.steps import (
    ACCEPTED,
    ARRAYS_ON,
    ARRAYS_RACKED,
    BEFORE_TESTS,
    CABLED,
    RACKED,
    VOLUMES,
    Box,
    Look,
    Step,
    seconds,
)
from pixsize.render.template import prose, word
from pixsize.texts import plural

_LIT = "arrays that have power"
_AWAY = "`set network-parameters` ends the session of that controller: enter it last, and log in at the new address."


def racked(every: Sequence[Parts], catalog: Catalog) -> Step:
    """Enclosures and their drives (Dell PowerVault ME4 Deployment Guide: the cable between enclosures)."""
    each = seconds(catalog, "restart")
    return Step(
        "Put the arrays into the racks",
        tuple(
            Box(
                word(p.array.id),
                _units(p, catalog),
                f"me4/{word(p.array.id)}/README.md#1.",
                each * len(p.array.enclosures),
            )
            for p in every
        ),
        (
            Look("each enclosure", "its name and its number on a label, front and back"),
            Look(
                "the slots of each enclosure",
                "the drives of the table in section 1 of the page, every slot of it filled",
            ),
            Look("the rails and the floor", "they carry the weight of the vendor's manual, drives in place"),
        ),
        provides=(ARRAYS_RACKED, RACKED),
        text=(
            "The arrays first, and at the bottom of their racks: they are the heaviest. Enclosures with 84 drives are lifted"
            " empty or with a lift, as the vendor's manual says, and one drawer is open at a time. An expansion stands directly"
            " above or below its array: the cable between enclosures has 2 m at the most.",
        ),
    )


def _units(parts: Parts, catalog: Catalog) -> str:
    racks = [catalog.get(Enclosure, e.model) for e in parts.array.enclosures]
    return " and ".join(f"the {prose(r.title)}, {plural(r.rack_units, 'rack unit')}" for r in racks) + "; its drives"


def switched_on(every: Sequence[Parts], catalog: Catalog) -> Step:
    """Expansions, then controllers (Dell PowerVault ME4 Deployment Guide)."""
    look = seconds(catalog, "look")
    return Step(
        "Switch the arrays on",
        tuple(
            Box(word(p.array.id), _order(p, catalog), f"me4/{word(p.array.id)}/README.md#1.", 2 * look) for p in every
        ),
        (
            Look(
                "the lights of each enclosure, after some minutes",
                "none that says fault, on power supplies, controllers and drives",
            ),
            Look(
                "both power supplies of each enclosure",
                "each on a feed of its own; an enclosure of 5 U takes 200 to 240 V alone",
            ),
        ),
        after=(RACKED, CABLED),
        provides=(_LIT,),
        text=(
            "The arrays before the servers: a server that starts before its array is ready starts without its volumes."
            " Switched off is in the reverse order.",
        ),
        takes="the controllers answer some minutes later",
    )


def _order(parts: Parts, catalog: Catalog) -> str:
    titles = [prose(catalog.get(Record, e.model).title) for e in reversed(parts.array.enclosures)]
    *behind, own = titles
    return ", ".join([*(f"the {title} first" for title in behind), f"the {own} with the controllers"])


def set_up(every: Sequence[Parts], catalog: Catalog) -> Step:
    """User, name, time and addresses of the controllers, and one firmware.

    The words are those that public code sends to such arrays (python-me4storage, Omnia).
    """
    oldest = {oldest_firmware(p.array.model, catalog) for p in every}
    firmware = oldest.pop() if len(oldest) == 1 else ", as each page says"
    network = network_words(every[0].plan)
    rest = f"netmask {network['netmask']} gateway {network['gateway']}"
    return Step(
        "Give the arrays their users, addresses and firmware",
        tuple(
            Box(
                word(p.array.id),
                f"a user, its name, the time, {_addresses(p)}, and firmware; its management cables plugged in",
                "",
                seconds(catalog, "prepare"),
            )
            for p in every
        ),
        (
            Look("`show versions`", f"the same bundle on both controllers of every array of a model{firmware}"),
            Look("`show disks`, the firmware of each drive", "the same for all drives of a model"),
            Look("`check firmware-upgrade-health`, before each upgrade", "no reason against it"),
            Look("each controller, by `ssh NAME@ADDRESS` at its new address", "the prompt `#`"),
        ),
        needs=(_LIT,),
        provides=(ARRAYS_ON,),
        text=(
            "**One array at a time**: every factory unit has 10.0.0.2 at controller A, and often 10.0.0.3 at B. Use a laptop at"
            " the controller's own port, or the switch for the management, switched on before, with the cables of all other"
            " arrays still out. No server may have one of these two by then. The management cables of both controllers are"
            " plugged in, and stay in, once the array has its addresses.",
            "With firmware GT280 nobody has a password yet: log in as `setup`; the first command makes a user, who logs in for the others."
            " With GT275 the user is `manage`. Where `create user` asks for no password, add `password PASSWORD`. Write passwords"
            " where the site keeps them, and in no file of this folder.",
            f"The addresses are those of the boxes, on the network for the management{network['of_the_site']}. {_AWAY}"
            " TIMESERVER is the address of a time server, not its name. A word that is not understood: `help` and the command.",
            "Firmware is the vendor's newest bundle for the model, by the vendor's guide, before there is any disk group. With"
            " `set advanced-settings partner-firmware-upgrade enabled` the second controller follows the first.",
        ),
        commands=(
            "create user NAME interfaces cli,wbi roles manage,monitor",
            "set system name ARRAY",
            "set ntp-parameters ntp enabled ntpaddress TIMESERVER",
            f"set network-parameters controller b ip ADDRESS {rest}",
            f"set network-parameters controller a ip ADDRESS {rest}",
        ),
    )


def _addresses(parts: Parts) -> str:
    """The addresses of both controllers, where the plan has them."""
    named = zip("AB", parts.array.addresses, strict=False)
    told = " and ".join(f"{word(address)} for controller {controller}" for controller, address in named)
    return told or "addresses of the site for both controllers"


def accepted(every: Sequence[Parts], catalog: Catalog) -> Step:
    """What each array says when nothing is left to do at it."""
    rows = (
        Look("`show system`", "health OK"),
        Look("`show redundancy-mode`", "Active-Active ULP, both controllers operational"),
        Look("`show disk-groups`", "the number of the box: status `FTOL`, health OK, no job that runs any more"),
        Look("`show volumes`", "the number of the box, each with the owner of its page; `write-policy` write-back"),
        Look("`show maps`", "each volume once"),
        Look("`show disks`", "health OK for all; the number of spares of the box is `GLOBAL SP`"),
    )
    return Step(
        "Accept the arrays",
        tuple(
            Box(
                word(p.array.id),
                _counts(p),
                f"me4/{word(p.array.id)}/README.md#4.",
                seconds(catalog, "look") * len(rows),
            )
            for p in every
        ),
        rows,
        needs=(VOLUMES,),
        after=BEFORE_TESTS,
        provides=(ACCEPTED,),
        text=(
            "While a group is initialised, rates are lower than planned: measure when no job runs. To switch an array off at"
            " any time: its servers first, then `shutdown both` at its console, the controllers' enclosure, the expansions.",
        ),
    )


def _counts(parts: Parts) -> str:
    levels = Counter(group.level for group in parts.groups)
    groups = ", ".join(f"{plural(count, 'group')} of RAID {level[1:]}" for level, count in levels.items())
    owners = Counter(volume.owner for volume in parts.volumes)
    owned = " and ".join(f"{count} of controller {owner.upper()}" for owner, count in sorted(owners.items()))
    spares = sum(len(spare.slots) for spare in parts.spares)
    return f"{groups}; {plural(len(parts.volumes), 'volume')}: {owned}; {plural(spares, 'spare') if spares else 'no spare'}"
