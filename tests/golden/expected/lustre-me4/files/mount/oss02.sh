#!/bin/bash
# oss02.sh mounts and unmounts the targets of scratch on oss02, while no Pacemaker does.
# README.md has the order of the servers.

usage() {
    cat <<'END'
usage: oss02.sh start|stop [mgt|mdt|ost|LABEL]
       oss02.sh status

  start   mounts the targets that prefer oss02: all of them, or those of one kind
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
ost scratch-OST0000 /dev/mapper/sm01a1_data01 /lustre/scratch-OST0000 max_sectors_kb=1024 other
ost scratch-OST0001 /dev/mapper/sm01a1_data02 /lustre/scratch-OST0001 max_sectors_kb=1024 own
ost scratch-OST0002 /dev/mapper/sm01a1_data03 /lustre/scratch-OST0002 max_sectors_kb=1024 own
ost scratch-OST0003 /dev/mapper/sm01a1_data04 /lustre/scratch-OST0003 max_sectors_kb=1024 other
ost scratch-OST0004 /dev/mapper/sm01a1_data05 /lustre/scratch-OST0004 max_sectors_kb=1024 other
ost scratch-OST0005 /dev/mapper/sm01a1_data06 /lustre/scratch-OST0005 max_sectors_kb=1024 own
ost scratch-OST0006 /dev/mapper/sm01a1_data07 /lustre/scratch-OST0006 max_sectors_kb=1024 own
ost scratch-OST0007 /dev/mapper/sm01a1_data08 /lustre/scratch-OST0007 max_sectors_kb=1024 other
ost scratch-OST0008 /dev/mapper/sm01a2_data01 /lustre/scratch-OST0008 max_sectors_kb=1024 other
ost scratch-OST0009 /dev/mapper/sm01a2_data02 /lustre/scratch-OST0009 max_sectors_kb=1024 own
ost scratch-OST000a /dev/mapper/sm01a2_data03 /lustre/scratch-OST000a max_sectors_kb=1024 own
ost scratch-OST000b /dev/mapper/sm01a2_data04 /lustre/scratch-OST000b max_sectors_kb=1024 other
ost scratch-OST000c /dev/mapper/sm01a2_data05 /lustre/scratch-OST000c max_sectors_kb=1024 other
ost scratch-OST000d /dev/mapper/sm01a2_data06 /lustre/scratch-OST000d max_sectors_kb=1024 own
ost scratch-OST000e /dev/mapper/sm01a2_data07 /lustre/scratch-OST000e max_sectors_kb=1024 own
ost scratch-OST000f /dev/mapper/sm01a2_data08 /lustre/scratch-OST000f max_sectors_kb=1024 other
ost scratch-OST0010 /dev/mapper/sm01a3_data01 /lustre/scratch-OST0010 max_sectors_kb=1024 other
ost scratch-OST0011 /dev/mapper/sm01a3_data02 /lustre/scratch-OST0011 max_sectors_kb=1024 own
ost scratch-OST0012 /dev/mapper/sm01a3_data03 /lustre/scratch-OST0012 max_sectors_kb=1024 own
ost scratch-OST0013 /dev/mapper/sm01a3_data04 /lustre/scratch-OST0013 max_sectors_kb=1024 other
ost scratch-OST0014 /dev/mapper/sm01a3_data05 /lustre/scratch-OST0014 max_sectors_kb=1024 other
ost scratch-OST0015 /dev/mapper/sm01a3_data06 /lustre/scratch-OST0015 max_sectors_kb=1024 own
ost scratch-OST0016 /dev/mapper/sm01a3_data07 /lustre/scratch-OST0016 max_sectors_kb=1024 own
ost scratch-OST0017 /dev/mapper/sm01a3_data08 /lustre/scratch-OST0017 max_sectors_kb=1024 other
ost scratch-OST0018 /dev/mapper/sm01a4_data01 /lustre/scratch-OST0018 max_sectors_kb=1024 other
ost scratch-OST0019 /dev/mapper/sm01a4_data02 /lustre/scratch-OST0019 max_sectors_kb=1024 own
ost scratch-OST001a /dev/mapper/sm01a4_data03 /lustre/scratch-OST001a max_sectors_kb=1024 own
ost scratch-OST001b /dev/mapper/sm01a4_data04 /lustre/scratch-OST001b max_sectors_kb=1024 other
ost scratch-OST001c /dev/mapper/sm01a4_data05 /lustre/scratch-OST001c max_sectors_kb=1024 other
ost scratch-OST001d /dev/mapper/sm01a4_data06 /lustre/scratch-OST001d max_sectors_kb=1024 own
ost scratch-OST001e /dev/mapper/sm01a4_data07 /lustre/scratch-OST001e max_sectors_kb=1024 own
ost scratch-OST001f /dev/mapper/sm01a4_data08 /lustre/scratch-OST001f max_sectors_kb=1024 other
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
is_host oss02 ||
    stop "this is $(hostname), and the script is for oss02." "Leave this server alone, and run the script on oss02."
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
