"""The JSON Schema of `plan --format json`."""

from __future__ import annotations

from typing import Any, get_args

from pixsize.figures import BASES, Unit
from pixsize.report.plan_words import SCHEMA

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_Words = dict[str, Any]


def _text(about: str, *allowed: str) -> _Words:
    return {"type": "string", "description": about, **({"enum": list(allowed)} if allowed else {})}


def _count(about: str, least: int | None = 0) -> _Words:
    return {"type": "integer", "description": about, **({} if least is None else {"minimum": least})}


def _flag(about: str) -> _Words:
    return {"type": "boolean", "description": about}


def _list(items: _Words, about: str) -> _Words:
    return {"type": "array", "items": items, "description": about}


def _map(about: str, optional: tuple[str, ...] = (), **properties: _Words) -> _Words:
    return {
        "type": "object",
        "description": about,
        "properties": properties,
        "additionalProperties": False,
        "required": [p for p in properties if p not in optional],
    }


_NAME = _text("a name")
_SLOTS = _list(_count("a slot, from zero"), "the slots that the drives sit in, from zero")
_PURPOSE = ("data", "metadata", "descriptor")
_SOURCE = _map(
    "a place in a document",
    document=_text("the document's title"),
    id=_text("its id in the catalog"),
    place=_text("section, table or figure"),
)
_READING = _map(
    "one of several values that the documents print for one quantity",
    value=_count("in the figure's unit", None),
    text=_text("as printed"),
    source=_SOURCE,
    used=_flag("whether the figure rests on it"),
    why=_text("why, or why not"),
)


def _figure() -> _Words:
    return _map(
        "a number and its origin",
        ("limited_by", "readings"),
        value=_count("the number", None),
        low=_count("the least that the evidence allows", None),
        high=_count("the most that the evidence allows", None),
        unit=_text("what it counts", *get_args(Unit)),
        basis=_text("how well it is founded, by the weakest of its rule and its inputs", *BASES),
        rule=_text("how it was made, in words"),
        sources=_list(_SOURCE, "where the rule stands"),
        inputs=_list(_NAME, "what it was made from: ids of figures or of catalog records"),
        limited_by=_text("the part that sets it"),
        readings=_list(_READING, "what the documents say, where they disagree"),
    )


def _finding() -> _Words:
    return _map(
        "a warning or a note",
        ("file", "line", "column", "accepted"),
        code=_text("a stable code, PX and three digits"),
        severity=_text("how bad it is", "error", "warning", "note"),
        message=_text("what was seen, and what is allowed"),
        where=_text("a path in the request; empty for the whole of it"),
        hint=_text("what to do"),
        file=_text("the file, as it was named"),
        line=_count("from 1", 1),
        column=_count("from 1", 1),
        accepted=_text("the user's reason for taking it on"),
    )


def _hardware() -> _Words:
    adapter = _map("equal cards", model=_text("what they are"), count=_count("how many", 1))
    enclosure = _map(
        "an enclosure",
        index=_count("0 is the controllers' own"),
        model=_text("what it is"),
        layout=_text("catalog id of the use of its slots"),
    )
    return {
        "servers": _list(
            _map(
                "a server",
                ("module", "adapters", "nids", "storage_ips", "bmc", "drives", "outlets", "ring"),
                id=_text("its name in the cluster"),
                role=_text("what it does", "storage", "metadata", "management"),
                model=_text("what it is"),
                module=_text("the module it belongs to"),
                adapters=_list(adapter, "the cards in it"),
                nids=_list(_NAME, "its LNet addresses"),
                storage_ips=_list(_NAME, "its addresses on the network of the storage pool"),
                bmc=_text("the address of the controller that powers it off"),
                drives=_map("its drives in the pool", drive=_text("catalog id"), count=_count("how many", 1)),
                outlets=_list(_NAME, "the outlets of PDUs that feed it, as ADDRESS/OUTLET"),
                ring=_text("its address on the second link of the cluster"),
            ),
            "every server",
        ),
        "arrays": _list(
            _map(
                "a pair of controllers and its enclosures",
                id=_text("its name"),
                role=_text("what it holds", "storage", "metadata"),
                model=_text("what it is"),
                module=_text("the module it belongs to"),
                enclosures=_list(enclosure, "the controllers' own first, then expansions"),
            ),
            "every array",
        ),
        "switches": _list(
            _map("a switch", id=_text("its name"), role=_text("the network it makes"), model=_text("what it is")),
            "every switch",
        ),
    }


def _storage() -> _Words:
    return {
        "disk_groups": _list(
            _map(
                "drives under one RAID",
                ("chunk_bytes", "reported_bytes"),
                id=_text("its name"),
                array=_NAME,
                enclosure=_count("0 is the controllers' own"),
                slots=_SLOTS,
                level=_text("RAID level", "r1", "r5", "r6", "r10"),
                owner=_text("controller", "a", "b"),
                purpose=_text("what it holds", *_PURPOSE),
                drive=_text("catalog id"),
                bytes=_count("data drives as sold, parity or mirror off"),
                chunk_bytes=_count("what one drive takes of a stripe"),
                reported_bytes=_count("its size as the array reports it"),
            ),
            "every RAID group",
        ),
        "spares": _list(
            _map(
                "hot spares of an enclosure",
                array=_NAME,
                enclosure=_count("0 is the controllers' own"),
                slots=_SLOTS,
                drive=_text("catalog id"),
            ),
            "every set of hot spares",
        ),
        "pools": _list(
            _map(
                "drives of servers under one mirror",
                id=_text("its name"),
                domain=_text("its protection domain"),
                servers=_list(_NAME, "the servers that share their drives"),
                mdms=_list(
                    _NAME, "the members of the MDM cluster: managers, the master first, then the tie breakers, one less"
                ),
                drive=_text("catalog id"),
                drives=_count("how many", 1),
                spare_percent=_count("what stays free for a rebuild"),
                bytes=_count("the drives as sold"),
            ),
            "every storage pool, where servers share their drives",
        ),
        "volumes": _volumes(),
    }


def _volumes() -> _Words:
    return _list(
        _map(
            "a volume over a group, or in a pool",
            ("wwid", "array", "lun", "owner", "reported_bytes"),
            id=_text("its name"),
            provider=_text("what makes it", "me4", "nvmesh", "powerflex"),
            backing=_text("id of the disk group, or of the pool"),
            array=_NAME,
            bytes=_count("what the rendered files ask for"),
            purpose=_text("what it holds", *_PURPOSE),
            lun=_count("its number on the array"),
            owner=_text("controller", "a", "b"),
            wwid=_text("its WWID, where it was observed"),
            reported_bytes=_count("its size as the array reports it, once it exists"),
        ),
        "every volume",
    )


def _targets() -> _Words:
    volume = {"type": ["string", "null"], "description": "the volume it stands on; null for a device of its own"}
    return _list(
        _map(
            "what the file system is made of",
            ("usage", "pool", "failure_group", "index", "mgs", "ldiskfs"),
            id=_text("its name in the rendered files"),
            kind=_text("what it is", "nsd", "mgt", "mdt", "ost"),
            volume=volume,
            device=_text("the path of its block device"),
            servers=_list(_NAME, "in the order in which clients prefer them"),
            purpose=_text("what it holds", *_PURPOSE),
            usage=_text("its use", "dataOnly", "metadataOnly", "descOnly"),
            pool=_text("its storage pool"),
            failure_group=_count("its failure group", -1),
            index=_count("its number among targets of its kind"),
            mgs=_flag("whether the management service lies on it"),
            ldiskfs=_ldiskfs(),
        ),
        "every target",
    )


def _ldiskfs() -> _Words:
    return _map(
        "the formatted target, as dumpe2fs shows it; blocks have 4 KiB",
        blocks=_count("all blocks"),
        inodes=_count("all inodes"),
        inode_bytes=_count("the size of an inode"),
        overhead_blocks=_count("what the file system keeps for itself"),
        reserved_blocks=_count("what is kept for root"),
        journal_blocks=_count("the journal, part of the overhead"),
        user_bytes=_count("what users can fill"),
        stride=_count("blocks on one drive of a stripe; 0: not given"),
        stripe_width=_count("blocks of a stripe; 0: not given"),
        mmp=_flag("whether mounting twice is prevented"),
        options=_text("the text of --mkfsoptions"),
        flags=_count("the target's flags before the first mount, as tunefs.lustre shows them"),
    )


def _filesystem() -> _Words:
    scale = _map(
        "the file system",
        name=_NAME,
        block_bytes=_count("its block size"),
        inode_bytes=_count("its inode size"),
        metadata_replicas=_count("copies of the metadata", 1),
        data_pool=_text("the pool of the data NSDs"),
        failure_groups=_text("how failure groups are numbered", "per_array", "sides"),
    )
    network = _map(
        "Lustre's own network",
        lnet=_text("the LNet network"),
        interface=_text("of every server on it"),
        owner=_text("the file that configures it", "lnet_conf", "modprobe"),
    )
    lustre = _map(
        "the file system",
        ("network", "storage_interface", "fence_agent", "second_fence_agent", "sbd_devices"),
        name=_NAME,
        version=_text("what was asked for"),
        release=_text("catalog id of the release whose sizes and words are used"),
        dne=_flag("whether each pair of metadata servers has two MDTs"),
        mgt_own=_flag("whether the MGT has a volume of its own"),
        failover=_flag("whether a second server takes each target over"),
        management=_text("whether IML watches", "iml_monitored", "none"),
        stripe_count=_count("OSTs a file by default, -1 for all", -1),
        stripe_bytes=_count("the stripe of the default layout"),
        network=network,
        storage_interface=_text("the interface on the network of the storage pool"),
        fence_agent=_text("the fence agent"),
        second_fence_agent=_text("the fence agent of the second level"),
        sbd_devices=_list(_NAME, "the shared devices of SBD"),
    )
    return {"description": "the file system", "anyOf": [scale, lustre]}


def _modules() -> _Words:
    return _list(
        _map(
            "a building block",
            ("metadata_drive",),
            id=_text("its name"),
            role=_text("what it holds", "storage", "metadata"),
            size=_text("its size in the design"),
            expansion=_flag("whether an enclosure stands behind each array"),
            drive=_text("catalog id"),
            metadata_drive=_text("catalog id of the SSDs of the standard variant"),
            servers=_list(_NAME, "its pair of servers"),
            arrays=_list(_NAME, "its arrays"),
            chunk_bytes=_count("what one drive takes of a RAID 6 stripe"),
        ),
        "every module",
    )


def schema() -> dict[str, Any]:
    """The schema: every key described, and nothing allowed beside them."""
    top = _map(
        "A plan, its figures, and what was found.",
        ("pools",),
        schema={"const": SCHEMA, "description": "what this is, and its version"},
        name=_text("the request's name"),
        design=_text("catalog id"),
        variant=_text("where metadata lies", "standard", "hdmd", "dne", "single"),
        request={"type": "object", "description": "the completed request, in the words of a request"},
        defaults=_list(_text("a path in the request"), "the words that were defaults"),
        choices=_list(
            _map(
                "something that was chosen",
                what=_text("what it is"),
                value=_text("the choice, in words"),
                why=_text("what follows from it"),
            ),
            "what was chosen about the layout, and why",
        ),
        figures={
            "type": "object",
            "description": "figures by id; one without evidence is absent",
            "additionalProperties": _figure(),
        },
        filesystem=_filesystem(),
        modules=_modules(),
        **_hardware(),
        **_storage(),
        targets=_targets(),
        findings=_list(_finding(), "warnings and notes"),
    )
    return {"$schema": _DIALECT, "$id": SCHEMA, "title": "pixsize plan", **top}
