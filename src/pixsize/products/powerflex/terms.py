"""What others have to know of the volumes of PowerFlex, and of the servers that hold their drives."""

from __future__ import annotations

from pixsize.plan.records import Pool, Volume
from pixsize.products.powerflex.observed import LOGIN, VOLUMES
from pixsize.terms import Contents, SharedDrives, VolumeTerms


def _device(volume: Volume) -> str:
    """What udev makes of the ids of system and volume, which only their replies tell."""
    return f"/dev/disk/by-id/{volume.wwid}" if volume.wwid else ""


def _protected(pool: Pool) -> str:
    return f"mirrored, {pool.spare_percent} % spare"


VOLUME_TERMS = VolumeTerms(
    name="PowerFlex",
    page="",
    missing="Is the volume mapped to this server (scli --query_all_volumes), and does its SDC run (drv_cfg)?",
    compare=("", "", ""),
    drives_of="servers",
    drive_list="the vendor's list",
    reserved_names={},
    reported={},
    device=_device,
    collect=(
        "collect what `scli --login` and `scli --query_all_volumes` print into the folder of --observed, as "
        f"{LOGIN} and {VOLUMES}"
    ),
    exist=(
        "- The volumes of the pool exist and are mapped (folder `powerflex`), and `ls -l /dev/disk/by-id/` shows the devices below on",
        "  their servers.",
    ),
    services=("scini.service",),
    unit_of="to PowerFlex (scini), ",
    contents=Contents(
        zeroed="Volumes of this pool read as zeros where nothing was written (zero padding, `powerflex/02-pool.sh`).",
        identity=": is it the volume that `scli --query_all_volumes` shows under this id?",
        old_data=(
            "3. A volume of this pool reads as zeros until it is written to. What is there was written by somebody who had the volume mapped,",
            "   or `powerflex/02-pool.sh` did not enable zero padding before the first drive: then every new volume shows such data.",
        ),
        maps="`scli --query_all_volumes`",
    ),
    sharing=SharedDrives(
        protected=_protected,
        fenced=(
            "It serves {targets}, and its drives hold a part of the PowerFlex pool. Fencing an {server} stops its SDS too: the pool then rebuilds",
            "onto the others. **Until that rebuild has ended, no second server of the pool may be switched off or fenced**: what both held",
            "copies of would be gone until one of them is back, and the volumes with it. Look at the rebuild before any planned stop.",
        ),
        rebuilt=(
            (
                "`scli --query_all`, on the manager that is master then",
                "no failed, degraded or rebuilding capacity is left",
            ),
        ),
        ports="powerflex.ports",
        mtu="powerflex.mtu",
    ),
    commands={},
    labels={},
    multipath="",
)
