"""Reads rows of an array's replies. Numeric sizes count blocks of 512 bytes, whatever unit the array displays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pixsize.load.positions import quoted
from pixsize.load.replies import FieldError
from pixsize.observed import (
    Condition,
    Media,
    ObservedDisk,
    ObservedEnclosure,
    ObservedGroup,
    ObservedVolume,
    Reported,
    Use,
)
from pixsize.products.me4.reply_text import Row

# What the numeric sizes of replies count (python-me4storage, models; OpenStack Cinder, stx client): it is the form of a
# reply, and no limit that another array could lift.
_BLOCK = 512
_MOST_BYTES = 1 << 60
"""An exbibyte, far above any array: a larger size in a reply is a wrong field or an attack on the arithmetic."""
_LONGEST_TEXT = 200
"""Characters of a field that is shown or compared: far more than arrays print, and not enough to flood a message."""
_DIGITS = re.compile(r"[0-9]{1,20}")
"""A count as text: 64 bits have no more digits."""
# A WWN of type 6 (NAA), with the maker's number 00c0ff, which every array of the family has.
_WWN = re.compile(r"600c0ff[0-9a-f]{25}")
# 00c0ff, the array's six digits, 0000, the volume's eight, its two, 000000: fixed positions, not a search for zeros,
# which a volume's own digits may hold (ME4 replies read by public code; see the source record of the arrays' CLI).
_SERIAL = re.compile(r"00c0ff([0-9a-f]{6})0000([0-9a-f]{16})")
_CHUNK = re.compile(r"([1-9][0-9]{0,5})\s?(?:k|kb|kib)?", re.IGNORECASE)
_KIB = 1024
"""Bytes in the unit of the field `chunksize`."""
_LOCATION = re.compile(r"([0-9]{1,2})\.([0-9]{1,3})")
_USES: tuple[tuple[str, Use], ...] = (
    ("AVAIL", "free"),
    ("LINEAR POOL", "in_group"),
    ("GLOBAL SP", "spare"),
    ("VDISK SP", "other"),
    ("VDISK", "in_group"),
    ("FAILED", "lost"),
    ("LEFTOVR", "lost"),
    ("UNUSABLE", "lost"),
)
"""How `show disks` words the use of a drive; a running job may be written behind it (`LINEAR POOLVRSC`). A dedicated
spare, `VDISK SP`, is none of a plan's."""
_WELL = ("ok", "n/a")
_ONLINE = ("ftol", "up", "n/a")
"""Fault-tolerant and online, or online without redundancy to lose (Dell PowerVault ME4 CLI Guide, disk-groups)."""


def group_of(row: Row) -> ObservedGroup:
    """A disk group. FieldError without a name and a size."""
    size = _size(row)
    free = _whole(row, "freespace-numeric")
    if free is not None and free * _BLOCK > size:
        raise FieldError("freespace-numeric is more than the group's size")
    name = _name(row, "name")
    return ObservedGroup(
        name,
        size,
        None if free is None else free * _BLOCK,
        unplanned=tuple(_unplanned(row, name)),
        raid=_word(row, "raidtype"),
        disks=_count(row, "diskcount"),
        chunk_bytes=_chunk(row),
        owner=_controller(row, "owner"),
        preferred_owner=_controller(row, "preferred-owner"),
        status=_condition(row, "status", _ONLINE),
        health=_condition(row, "health", _WELL),
    )


def _unplanned(row: Row, name: str) -> Iterator[str]:
    """Why the group is not linear; nothing where it is."""
    kind, pool = _word(row, "storage-type"), _word(row, "pool")
    if kind and kind.lower() != "linear":
        yield f"is of storage type {kind}, planned is Linear"
    if pool and pool != name:
        yield f"belongs to pool {pool}, where a linear group is a pool of its own name"


def volume_of(row: Row) -> ObservedVolume:
    """A volume. FieldError without a name and something to make the WWID of; the size may be missing.

    Its write policy is well where writes go to the cache first: `write-back`, and not `write-through`.
    """
    policy = _word(row, "write-policy")
    sized = any(row.fields.get(key) not in (None, "") for key in ("size-numeric", "blocks"))
    return ObservedVolume(
        _name(row, "volume-name", "name"),
        _wwid(row),
        _size(row) if sized else None,
        _controller(row, "owner"),
        health=_condition(row, "health", _WELL),
        write_policy=Reported("ill" if "through" in policy.lower() else "well", policy) if policy else None,
        group=_holder(row),
    )


def disk_of(row: Row) -> ObservedDisk:
    """A drive. FieldError without a place and a usage."""
    match = _LOCATION.fullmatch(_text(row, "location"))
    enclosure = int(match[1]) if match else _whole(row, "enclosure-id")
    slot = int(match[2]) if match else _whole(row, "slot")
    if enclosure is None or slot is None:
        raise FieldError("neither location nor enclosure-id and slot say where the drive is")
    usage = _text(row, "usage")
    if not usage:
        raise FieldError("the field usage is missing")
    sized = any(row.fields.get(key) not in (None, "") for key in ("size-numeric", "blocks"))
    return ObservedDisk(
        enclosure,
        slot,
        use_of(usage),
        _size(row) if sized else None,
        media_of(_text(row, "description", "type")),
        health=_condition(row, "health", _WELL),
        sector_format=_word(row, "sector-format"),
    )


def enclosure_of(row: Row) -> tuple[int, ObservedEnclosure]:
    """An enclosure's number, every word of the reply that says what it is, and its health."""
    number = _whole(row, "enclosure-id")
    if number is None:
        raise FieldError("the field enclosure-id is missing")
    words = (_text(row, key) for key in ("model", "product-id", "board-model", "description"))
    model = " ".join(dict.fromkeys(w for w in words if w))
    return number, ObservedEnclosure(model, _condition(row, "health", _WELL))


def failure_of(row: Row) -> str:
    """What a status object says went wrong; empty when it reports success."""
    code = str(row.fields.get("return-code", 0)).strip() or "0"
    kind = str(row.fields.get("response-type", "")).strip()
    is_error = kind.lower() == "error" or str(row.fields.get("response-type-numeric", "")).strip() == "1"
    if code == "0" and not is_error:
        return ""
    return f"return-code {quoted(code)}: {quoted(row.fields.get('response', kind))}"


def use_of(usage: str) -> Reported[Use]:
    """What a drive is used for, by the first words of the field `usage`."""
    text = usage.strip().upper()
    return Reported(next((use for word, use in _USES if text.startswith(word)), "other"), usage)


def media_of(description: str) -> Reported[Media] | None:
    """What a drive is, by the field `description`: `SSD SAS`, `SAS`, `SAS MDL` for nearline; None where it is empty."""
    text = description.strip().upper()
    media: Media = "ssd" if "SSD" in text else "fast" if text == "SAS" else "slow"
    return Reported(media, description) if text else None


def condition_of(word: str, well: tuple[str, ...]) -> Reported[Condition]:
    """Whether a word is one of those that are `well`."""
    return Reported("well" if word.lower() in well else "ill", word)


def _condition(row: Row, key: str, well: tuple[str, ...]) -> Reported[Condition] | None:
    word = _word(row, key)
    return condition_of(word, well) if word else None


def _text(row: Row, *keys: str) -> str:
    """The first of the fields that holds text; empty when none does. Control characters are refused, not shown."""
    for key in keys:
        value = row.fields.get(key)
        if value in (None, ""):
            continue
        if not isinstance(value, str):
            raise FieldError(f"the field {key} holds no text")
        text = value.strip()
        if not text.isprintable() or len(text) > _LONGEST_TEXT:
            raise FieldError(f"the field {key} holds {quoted(text)}")
        if text:
            return text
    return ""


def _word(row: Row, key: str) -> str | None:
    """A field that is only compared with the plan; None where it is missing or is not a short printable text."""
    value = row.fields.get(key)
    text = value.strip() if isinstance(value, str) else ""
    return text if text and text.isprintable() and len(text) <= _LONGEST_TEXT else None


def _controller(row: Row, key: str) -> str | None:
    word = (_word(row, key) or "").lower()
    return word if word in ("a", "b") else None


def _holder(row: Row) -> str | None:
    """The disk group that a volume lies in, in the words of the ME4 and its siblings. FieldError where they differ."""
    keys = ("storage-pool-name", "virtual-disk-name", "container-name")
    names = {name: key for key in keys if (name := _word(row, key)) and name.upper() != "N/A"}
    if len(names) > 1:
        raise FieldError(" and ".join(f"{key} holds {quoted(name)}" for name, key in names.items()))
    return next(iter(names), None)


def _count(row: Row, key: str) -> int | None:
    """A count that is compared where it is there."""
    try:
        return _whole(row, key)
    except FieldError:
        return None


def _chunk(row: Row) -> int | None:
    """The chunk size, which arrays write as `512k` or, older ones, without the unit; mirrors say `N/A`."""
    match = _CHUNK.fullmatch(_word(row, "chunksize") or str(_count(row, "chunksize") or ""))
    return int(match[1]) * _KIB if match else None


def _name(row: Row, *keys: str) -> str:
    name = _text(row, *keys)
    if not name:
        raise FieldError(f"the field {keys[0]} is missing")
    return name


def _whole(row: Row, key: str) -> int | None:
    """A count as a number or as its digits; None where the field is missing or empty."""
    value: Any = row.fields.get(key)
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, str) and _DIGITS.fullmatch(value.strip()):
        value = int(value)
    if type(value) is not int or value < 0:
        raise FieldError(f"the field {key} holds {quoted(value)}, no count")
    return value


def _size(row: Row) -> int:
    """Bytes, from blocks of 512 B or of `blocksize`. FieldError where the two that a reply may give disagree.

    `blocks` of 0 beside a size is ignored.
    """
    numeric, blocks = _whole(row, "size-numeric"), _whole(row, "blocks")
    counted = (
        blocks * (_count(row, "blocksize") or _BLOCK) // _BLOCK if blocks or (blocks == 0 and not numeric) else None
    )
    if None not in (numeric, counted) and numeric != counted:
        raise FieldError(f"size-numeric holds {quoted(numeric)}, and blocks {quoted(blocks)}, which is another size")
    numeric = counted if numeric is None else numeric
    if numeric is None:
        raise FieldError("neither size-numeric nor blocks is in the reply")
    if not 0 < numeric * _BLOCK <= _MOST_BYTES:
        raise FieldError(f"a size of {quoted(numeric)} blocks")
    return numeric * _BLOCK


def _wwid(row: Row) -> str:
    """The WWID as multipath sees it: `3` and the WWN, or what the serial number gives at fixed positions.

    FieldError where the two disagree: nobody can say which of them is the volume's.
    """
    wwn, serial = _text(row, "wwn").lower().removeprefix("0x"), _text(row, "serial-number", "volume-serial")
    if not wwn:
        return wwid_of_serial(serial)
    if not _WWN.fullmatch(wwn):
        raise FieldError(f"the field wwn holds {quoted(wwn)}, no 32 hexadecimal digits that begin with 600c0ff")
    if _SERIAL.fullmatch(serial.lower()) and wwid_of_serial(serial) != f"3{wwn}":
        raise FieldError(f"wwn holds {quoted(wwn)}, and serial-number {quoted(serial)}, which is another volume's")
    return f"3{wwn}"


def wwid_of_serial(serial: str) -> str:
    """The WWID of the volume with this serial number. FieldError where it has another form."""
    match = _SERIAL.fullmatch(serial.lower())
    if match is None:
        what = f"serial-number holds {quoted(serial)}" if serial else "serial-number is missing"
        raise FieldError(f"the field wwn is missing, and {what}")
    return f"3600c0ff000{match[1]}{match[2]}"
