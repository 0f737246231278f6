#!/bin/bash
# 03-check-drives.sh: are the drives of this server the planned ones, and blank? It changes nothing.
# Request fast. Run it as root on each of oss01, oss02, oss03 and oss04, before 04-sds.sh and 05-drives.sh.
#
# /dev/nvme0n1 and its like are names that Linux gives in the order in which it finds the drives; they need not stay the
# same. So each server has to have the planned drives and no other NVMe drive: then it does not matter which is which.

set -euo pipefail
export LC_ALL=C
PATH="$PATH:/usr/sbin:/sbin"

readonly DRIVES="/dev/nvme0n1 /dev/nvme1n1 /dev/nvme2n1 /dev/nvme3n1 /dev/nvme4n1 /dev/nvme5n1 /dev/nvme6n1 /dev/nvme7n1"
readonly BYTES=2000000000000 # as sold; a drive may have a hundredth more or less

usage() {
    cat <<'END'
usage: 03-check-drives.sh

Checks the 8 NVMe drives of one of oss01, oss02, oss03 and oss04.
It changes nothing, and ends with an error where a drive is missing, used, of another size, or one too many.
END
}

say() {
    printf '%s\n' "$*"
}

# Ends the script: what is wrong, then what to do.
stop() {
    printf '\nSTOP: %s\n' "$1" >&2
    shift
    printf '      %s\n' "$@" >&2
    exit 1
}

case "${1-}" in
"") ;;
--help)
    usage
    exit 0
    ;;
*)
    printf '%s: no option %s\n' "$0" "$1" >&2
    usage >&2
    exit 2
    ;;
esac

# Which of the planned servers this is, by its address on the network of PowerFlex.
this_server() {
    local shown
    shown=$(ip -o -4 addr show)
    case "$shown" in
    *"inet 10.30.0.3/"*) say oss01 ;;
    *"inet 10.30.0.4/"*) say oss02 ;;
    *"inet 10.30.0.5/"*) say oss03 ;;
    *"inet 10.30.0.6/"*) say oss04 ;;
    *) return 1 ;;
    esac
}

need_unused() {
    local device=$1 pair number held
    pair=$(stat -L -c '%t:%T' -- "$device")
    number=$((16#${pair%:*})):$((16#${pair#*:}))
    for held in "/sys/dev/block/$number/holders/"* "/sys/dev/block/$number/"*/partition; do
        [ ! -e "$held" ] || stop "$device is in use, or has partitions: $held" "Look at lsblk: whose is it?"
    done
    held=$(awk -v number="$number" '$3 == number { print $5; exit }' /proc/self/mountinfo)
    [ -z "$held" ] || stop "$device is mounted on $held." "Find out whose data it holds."
}

need_drive() {
    local device=$1 size found code=0
    [ -b "$device" ] || stop "$server has no drive $device." "Look at lsblk: 8 NVMe drives are planned."
    size=$(blockdev --getsize64 "$device")
    if [ "$size" -lt $((BYTES - BYTES / 100)) ] || [ "$size" -gt $((BYTES + BYTES / 100)) ]; then
        stop "$device has $size bytes; planned are $BYTES." "Another drive is in that place: find out what is on it."
    fi
    found=$(blkid -p "$device" 2>&1) || code=$?
    [ "$code$found" = 2 ] || stop "$device is not blank: ${found:-several signatures}." "Find out whose data it holds."
    found=$(wipefs -n "$device" 2>&1) || stop "wipefs cannot look at $device: $found" "Is this root?"
    [ -z "$found" ] || stop "$device is not blank." "$found" "Find out whose data it holds."
    need_unused "$device"
    say "blank, not in use, of the planned size: $device $(lsblk -d -n -o SERIAL,MODEL "$device" 2>/dev/null || true)"
}

# An NVMe drive that is not planned could take the name of one that is.
need_no_more() {
    local block
    for block in /sys/block/nvme*; do
        [ -e "$block" ] || continue
        case " $DRIVES " in
        *" /dev/${block##*/} "*) ;;
        *) stop "$server has an NVMe drive that is not planned: /dev/${block##*/}." \
            "Its name may change with that of a planned one. Take it out, or say so to whoever made the request." ;;
        esac
    done
}

[ "$(id -u)" -eq 0 ] || stop "only root can look at drives." "Become root (sudo -i) and start again."
server=$(this_server) || stop "this server has no address of oss01, oss02, oss03 and oss04." "Run the script on those servers."
for drive in $DRIVES; do
    need_drive "$drive"
done
need_no_more
say "All 8 drives of $server are as planned. Compare their serial numbers with the slots before you go on."
