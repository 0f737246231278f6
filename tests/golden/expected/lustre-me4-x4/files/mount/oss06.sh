#!/bin/bash
# oss06.sh mounts and unmounts the targets of project on oss06, while no Pacemaker does.
# README.md has the order of the servers.

usage() {
    cat <<'END'
usage: oss06.sh start|stop [mgt|mdt|ost|LABEL]
       oss06.sh status

  start   mounts the targets that prefer oss06: all of them, or those of one kind
  stop    unmounts every target that is mounted here, or those of one kind
  status  shows which target is mounted here

With a LABEL, that target alone, even one that prefers another server: only while that server is off, or has it unmounted.
END
}

set -euo pipefail
export LC_ALL=C
PATH="$PATH:/usr/sbin:/sbin"

# Ends the script: what is wrong, then what to do.
stop() {
    printf '\nSTOP: %s\n' "$1" >&2
    shift
    printf '      %s\n' "$@" >&2
    exit 1
}

misused() {
    printf '%s: %s\n' "$0" "$1" >&2
    usage >&2
    exit 2
}

need_root() {
    [ "$(id -u)" = 0 ] || stop "only root can do this." "Become root (sudo -i) and start again."
}

# Whether this host has that name. Either may stand without its domain.
is_host() {
    local here wanted=${1,,}
    here=$(hostname)
    here=${here,,}
    [ "$here" = "$wanted" ] || [ "${here%%.*}" = "$wanted" ] || [ "$here" = "${wanted%%.*}" ]
}

# Kind, label, device, folder and options of each target in the order of start, and whether it prefers this server.
targets() {
    cat <<'END'
ost project-OST0040 /dev/mapper/sm03a1_data01 /lustre/project-OST0040 max_sectors_kb=1024 other
ost project-OST0041 /dev/mapper/sm03a1_data02 /lustre/project-OST0041 max_sectors_kb=1024 own
ost project-OST0042 /dev/mapper/sm03a1_data03 /lustre/project-OST0042 max_sectors_kb=1024 own
ost project-OST0043 /dev/mapper/sm03a1_data04 /lustre/project-OST0043 max_sectors_kb=1024 other
ost project-OST0044 /dev/mapper/sm03a1_data05 /lustre/project-OST0044 max_sectors_kb=1024 other
ost project-OST0045 /dev/mapper/sm03a1_data06 /lustre/project-OST0045 max_sectors_kb=1024 own
ost project-OST0046 /dev/mapper/sm03a1_data07 /lustre/project-OST0046 max_sectors_kb=1024 own
ost project-OST0047 /dev/mapper/sm03a1_data08 /lustre/project-OST0047 max_sectors_kb=1024 other
ost project-OST0048 /dev/mapper/sm03a2_data01 /lustre/project-OST0048 max_sectors_kb=1024 other
ost project-OST0049 /dev/mapper/sm03a2_data02 /lustre/project-OST0049 max_sectors_kb=1024 own
ost project-OST004a /dev/mapper/sm03a2_data03 /lustre/project-OST004a max_sectors_kb=1024 own
ost project-OST004b /dev/mapper/sm03a2_data04 /lustre/project-OST004b max_sectors_kb=1024 other
ost project-OST004c /dev/mapper/sm03a2_data05 /lustre/project-OST004c max_sectors_kb=1024 other
ost project-OST004d /dev/mapper/sm03a2_data06 /lustre/project-OST004d max_sectors_kb=1024 own
ost project-OST004e /dev/mapper/sm03a2_data07 /lustre/project-OST004e max_sectors_kb=1024 own
ost project-OST004f /dev/mapper/sm03a2_data08 /lustre/project-OST004f max_sectors_kb=1024 other
ost project-OST0050 /dev/mapper/sm03a3_data01 /lustre/project-OST0050 max_sectors_kb=1024 other
ost project-OST0051 /dev/mapper/sm03a3_data02 /lustre/project-OST0051 max_sectors_kb=1024 own
ost project-OST0052 /dev/mapper/sm03a3_data03 /lustre/project-OST0052 max_sectors_kb=1024 own
ost project-OST0053 /dev/mapper/sm03a3_data04 /lustre/project-OST0053 max_sectors_kb=1024 other
ost project-OST0054 /dev/mapper/sm03a3_data05 /lustre/project-OST0054 max_sectors_kb=1024 other
ost project-OST0055 /dev/mapper/sm03a3_data06 /lustre/project-OST0055 max_sectors_kb=1024 own
ost project-OST0056 /dev/mapper/sm03a3_data07 /lustre/project-OST0056 max_sectors_kb=1024 own
ost project-OST0057 /dev/mapper/sm03a3_data08 /lustre/project-OST0057 max_sectors_kb=1024 other
ost project-OST0058 /dev/mapper/sm03a4_data01 /lustre/project-OST0058 max_sectors_kb=1024 other
ost project-OST0059 /dev/mapper/sm03a4_data02 /lustre/project-OST0059 max_sectors_kb=1024 own
ost project-OST005a /dev/mapper/sm03a4_data03 /lustre/project-OST005a max_sectors_kb=1024 own
ost project-OST005b /dev/mapper/sm03a4_data04 /lustre/project-OST005b max_sectors_kb=1024 other
ost project-OST005c /dev/mapper/sm03a4_data05 /lustre/project-OST005c max_sectors_kb=1024 other
ost project-OST005d /dev/mapper/sm03a4_data06 /lustre/project-OST005d max_sectors_kb=1024 own
ost project-OST005e /dev/mapper/sm03a4_data07 /lustre/project-OST005e max_sectors_kb=1024 own
ost project-OST005f /dev/mapper/sm03a4_data08 /lustre/project-OST005f max_sectors_kb=1024 other
END
}

# Whether Pacemaker, or its remote part, runs here. In a chroot systemctl answers 0 to everything, so that its word counts.
pacemaker_runs() {
    local unit state code
    for unit in pacemaker pacemaker_remote; do
        code=0
        state=$(systemctl is-active "$unit" 2>&1) || code=$?
        case "$code $state" in
        "0 "*chroot*) ;;
        "0 "* | *activating*) return 0 ;;
        esac
    done
    ! pgrep -x 'pacemakerd|pacemaker.remot.*' >/dev/null 2>&1 || return 0
    command -v crm_mon >/dev/null && timeout 30 crm_mon -1 >/dev/null 2>&1
}

# Two that mount one target destroy it.
need_no_pacemaker() {
    ! pacemaker_runs || stop "Pacemaker runs here, and it alone mounts and unmounts targets." \
        "Look at them with: pcs status" \
        "To do it by hand, stop Pacemaker on every server of this cluster: pcs cluster stop --all"
}

# What is mounted on top at the target's folder, as "SOURCE TYPE"; nothing where nothing is.
on_folder() {
    awk -v folder="$folder" '$2 == folder { found = $1 " " $3 } END { if (found != "") print found }' /proc/mounts
}

# Whether two paths are one block device: by their names, or by the kernel's number.
same_device() {
    [ "$1" != "$2" ] || return 0
    [ -b "$1" ] && [ -b "$2" ] || return 1
    [ "$(stat -L -c %t:%T -- "$1")" = "$(stat -L -c %t:%T -- "$2")" ]
}

# Sets `found` to what is mounted at the target's folder, and `state` to: none, target or stranger.
look() {
    local type
    found=$(on_folder)
    type=${found##* }
    state=stranger
    if [ -z "$found" ]; then
        state=none
    elif [ "$type" = lustre ] || [ "$type" = lustre_tgt ]; then
        ! same_device "${found% *}" "$device" || state=target
    fi
}

no_stranger() {
    [ "$state" != stranger ] || stop "$label: something else is mounted on $folder: ${found% *} (${found##* })." \
        "The plan has $device there. Nothing was mounted or unmounted now." \
        "Find out whose it is: grep ' $folder ' /proc/mounts; ls -lL ${found% *} $device"
}

# Places where this server has the device mounted already, as whatever type: ldiskfs and ext4 show its number, Lustre its path.
elsewhere() {
    local number mounted place source type rest
    number=$(stat -L -c '%t %T' -- "$device")
    number=$((16#${number% *})):$((16#${number#* }))
    while read -r _ _ mounted _ place rest; do
        read -r type source _ <<<"${rest#*- }"
        if [ "$mounted" = "$number" ] || same_device "$source" "$device"; then
            printf '%s (%s)\n' "$place" "$type"
        fi
    done </proc/self/mountinfo
}

# Looks at all that was asked for, before the first is touched.
judge_target() {
    look
    no_stranger
}

start_target() {
    local place
    judge_target
    if [ "$state" = target ]; then
        echo "is mounted already: $label"
        return
    fi
    [ -b "$device" ] || stop "$label: $device is not there, or no block device." \
        "Look at multipath -ll, or at the maps of the volume, and start again."
    place=$(elsewhere)
    [ -z "$place" ] || stop "$label: $device is mounted on ${place//$'\n'/ and on }, and not on $folder." \
        "Find out who mounted it there. Then unmount it, and start again."
    mkdir -p "$folder"
    echo "mounting $label"
    mount -t lustre -o "$options" "$device" "$folder" || stop "$label: $device could not be mounted." \
        "Read what mount says above, and the end of dmesg. Does the MGS run, and does lctl ping reach it?"
}

stop_target() {
    judge_target
    [ "$state" = target ] || return 0
    echo "unmounting $label"
    umount "$folder" || stop "$label: $folder could not be unmounted." "Read what umount says above, and the end of dmesg."
}

# The targets in the order of the action: the MGT is the first to start and the last to stop.
in_order() {
    if [ "$action" = stop ]; then targets | tac; else targets; fi
}

# Calls a function for each target that was asked for.
each() {
    local known=no found state kind label device folder options whose
    while read -r kind label device folder options whose <&3; do
        case "$what" in
        "$label") ;;
        all | "$kind") [ "$action $whose" != "start other" ] || continue ;;
        *) continue ;;
        esac
        known=yes
        "$1"
    done 3< <(in_order)
    [ "$known" = yes ] || [ "$1" = judge_target ] || echo "nothing to $action here: $what"
}

show_target() {
    look
    case $state in
    target) echo "mounted: $label" ;;
    none) echo "not mounted: $label" ;;
    *) echo "SOMETHING ELSE is on $folder: ${found% *} (${found##* }); not mounted: $label" ;;
    esac
}

action=${1-}
what=${2-all}
case "$what" in
all | mgt | mdt | ost) ;;
*) targets | awk -v label="$what" '$2 == label { found = 1 } END { exit !found }' || misused "no target $what here" ;;
esac
[ "$#" -le 2 ] || misused "too many words"
is_host oss06 ||
    stop "this is $(hostname), and the script is for oss06." "Leave this server alone, and run the script on oss06."
case "$action" in
status) each show_target ;;
start | stop)
    need_root
    need_no_pacemaker
    each judge_target
    each "${action}_target"
    ;;
*) misused "start, stop or status" ;;
esac
