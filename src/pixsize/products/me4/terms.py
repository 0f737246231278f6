"""What others have to know of the volumes of ME4 arrays."""

from __future__ import annotations

from pixsize.figures import Source
from pixsize.terms import Contents, VolumeTerms

VOLUME_TERMS = VolumeTerms(
    name="ME4",
    page="me4/{array}/README.md#5.",
    missing="Look at multipath -ll: is the volume mapped to this server, and the rendered multipath.conf installed?",
    compare=(
        "the loop of the page of {array}",
        "each line of the loop",
        "it ends in `ok`; the page says what to do about an older size",
    ),
    drives_of="arrays",
    drive_list="the ME4 support matrix",
    # The names of the virtual pools of an ME4: no disk group or volume may take them.
    reserved_names=dict.fromkeys(("a", "b"), "the arrays call their pools A and B"),
    reported={
        "group": Source("dell-me4-cli", "show disk-groups: size-numeric, in blocks of 512 bytes"),
        "volume": Source("dell-me4-cli", "show volumes: size-numeric or blocks, in blocks of 512 bytes"),
    },
    # multipath.conf gives a volume its name as alias.
    device=lambda volume: f"/dev/mapper/{volume.id}",
    collect="",
    exist=(
        "- The volumes of every array exist and are mapped (folder `me4`), and the servers know them by name: `multipath -ll` shows",
        "  every device below (folder `multipath`).",
    ),
    services=(),
    unit_of="",
    contents=Contents(
        zeroed="",
        identity=" and `multipath -ll`: is it the volume that the plan names, of this array and this WWID?",
        old_data=(
            "3. Were the drives used before? Then a new volume may show what they held: no document says that the array fills it with",
            "   zeros. New drives read as zeros.",
            "4. Did this volume exist before the files of folder `me4` were run? Then somebody may use it: ask, and stop for today.",
        ),
        maps="`show maps` on the array",
    ),
    sharing=None,
    commands={
        "disks": "show disks",
        "groups": "show disk-groups",
        "volumes": "show volumes",
        "enclosures": "show enclosures",
        "spares": "add spares",
    },
    labels={
        "free": "AVAIL",
        "in_group": "LINEAR POOL or VDISK",
        "spare": "GLOBAL SP",
        "online": "FTOL",
        "kind": "linear",
    },
    multipath="Dell EMC PowerVault ME4 Series and Linux",
)
