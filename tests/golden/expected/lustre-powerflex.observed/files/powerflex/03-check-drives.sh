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
usage: 03-check-drives.sh [--not-zero DRIVE|all]...

Checks the 8 NVMe drives of one of oss01, oss02, oss03 and oss04.
It changes nothing, and ends with an error where a drive is missing, used, of another size, not all zeros, or one too many.

  --not-zero DRIVE|all  this drive, such as /dev/nvme0n1, or all of them, need not be all zeros; signatures, mounts
                        and whatever else holds a drive still stop the script; may be repeated
  --help                this text
END
}

not_zero="" # drives that need not be all zeros; or "all"

say() {
    printf '%s\n' "$@"
}

# Ends the script: what is wrong, then what to do. A label on a drive may hold what a terminal would obey.
stop() {
    printf '\nSTOP: %s\n' "$1" | tr -c '[:print:]\n' '?' >&2
    shift
    printf '%s\n' "$@" | tr -c '[:print:]\n' '?' | sed 's/^/      /' >&2
    exit 1
}

misused() {
    printf '%s: %s\n' "$0" "$1" >&2
    usage >&2
    exit 2
}

take_options() {
    while [ "$#" -gt 0 ]; do
        case "$1" in
        --not-zero)
            [ "$#" -ge 2 ] || misused "--not-zero needs a drive, or the word all"
            shift
            case " all $DRIVES " in *" $1 "*) ;; *) misused "no drive $1 here" ;; esac
            not_zero="$not_zero $1"
            ;;
        --help)
            usage
            exit 0
            ;;
        *) misused "no option $1" ;;
        esac
        shift
    done
}

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
    say "no signature, not in use, of the planned size: $device $(lsblk -d -n -o SERIAL,MODEL "$device" 2>/dev/null || true)"
}

# Samples of $1, a device of $2 bytes: 256 direct reads of 64 KiB at most, so that no cache answers. The first and the last
# MiB are among them, the other 224 samples lie evenly between these; up to 16 MiB a device is read whole.
samples_of() {
    local size=$2 sample=65536 edge=1048576 step turn
    if [ "$size" -le 16777216 ]; then
        dd if="$1" iflag=direct bs="$sample" count=256 2>/dev/null
        return
    fi
    step=$(((size - 2 * edge) / 224))
    dd if="$1" iflag=direct bs="$sample" count=16 2>/dev/null || return 1
    for ((turn = 0; turn < 224; turn++)); do
        dd if="$1" iflag=direct bs="$sample" count=1 skip="$(((edge + step * turn) / sample))" 2>/dev/null || return 1
    done
    dd if="$1" iflag=direct,skip_bytes bs="$sample" count=16 skip="$((size - edge))" 2>/dev/null
}

# Looks into $1, a device of $2 bytes. Prints how many samples it has read, how many of them are not all zeros, and the place
# of the first byte that is not zero, or "none". Fails where the device cannot be read.
look_into() {
    local size=$2 sample=65536 edge=1048576 seen total filled first step turn
    # od shows a line of zeros once, and "*" for those that follow; the last line is the number of bytes.
    seen=$(samples_of "$1" "$size" | od -A d -t x1 -w4096 | awk -v sample="$sample" '
        function mark(from, to,    s) {
            for (s = int(from / sample); s <= int((to - 1) / sample); s++)
                if (!(s in marked)) { marked[s] = 1; filled++ }
        }
        $1 == "*" { repeated = 1; next }
        {
            if (repeated && dirty) mark(last, $1 + 0)
            repeated = 0
            last = $1 + 0
            dirty = $0 !~ /^[0-9]+( 00)*$/
            if (!dirty) next
            mark(last, last + 1)
            for (i = 2; first == "" && i <= NF; i++)
                if ($i != "00") first = last + i - 2
        }
        END { printf "%d %d %s\n", last, filled, first == "" ? "none" : sprintf("%d", first) }') || return 1
    read -r total filled first <<<"$seen"
    if [ "$size" -le 16777216 ]; then
        [ "$total" -eq "$size" ] || return 1
    else
        [ "$total" -eq 16777216 ] || return 1
        # From a place among the samples to the place on the device.
        if [ "$first" != none ]; then
            turn=$((first / sample))
            if [ "$turn" -ge 240 ]; then
                first=$((size - 16777216 + first))
            elif [ "$turn" -ge 16 ]; then
                step=$(((size - 2 * edge) / 224))
                first=$((first % sample + edge + step * (turn - 16) - (edge + step * (turn - 16)) % sample))
            fi
        fi
    fi
    printf '%s %s %s\n' "$(((total + sample - 1) / sample))" "$filled" "$first"
}

# Looks into every drive. Much that people store has no signature: an archive, an encrypted volume, a file system that begins
# further behind. What is not all zeros stops the script, once, and in one table.
look_into_drives() {
    local device seen samples filled first asked table="" refused=""
    say "Looking into the drives."
    for device in $DRIVES; do
        seen=$(look_into "$device" "$(blockdev --getsize64 "$device")") ||
            stop "$device cannot be read." "Look at dmesg: is the drive broken?"
        read -r samples filled first <<<"$seen"
        if [ "$filled" -eq 0 ]; then
            say "all zeros in $samples samples: $device"
            continue
        fi
        asked="stops this script"
        case " $not_zero " in
        *" all "* | *" $device "*) asked="--not-zero" ;;
        *) refused="$refused $device" ;;
        esac
        table="$table$(printf '%-16s %3s of %-5s %19s  %s' "$device" "$filled" "$samples" "$first" "$asked")"$'\n'
    done
    [ -n "$table" ] || return 0
    table=$(printf '%-16s %-12s %18s' drive "not zero" "first such byte")$'\n'${table%$'\n'}
    [ -z "$refused" ] || stop "not all zeros, though no signature shows on it:$refused" "$table" \
        "Is it certain that nobody needs what these drives hold? README.md, section 3, says how to decide." \
        "Then start again with --not-zero DRIVE, once for each, or with --not-zero all."
    say "Not all zeros, and accepted all the same, as --not-zero says:" "$table"
}

# An NVMe drive that is not planned could take the name of one that is. With the kernel's own multipath for NVMe each path of a
# drive has an entry of its own, such as nvme0c0n1, which is hidden and no drive.
need_no_more() {
    local block
    for block in /sys/block/nvme*; do
        [ -e "$block" ] || continue
        [ "$(cat "$block/hidden" 2>/dev/null || true)" != 1 ] || continue
        case " $DRIVES " in
        *" /dev/${block##*/} "*) ;;
        *) stop "$server has an NVMe drive that is not planned: /dev/${block##*/}." \
            "Its name may change with that of a planned one. Take it out, or say so to whoever made the request." ;;
        esac
    done
}

take_options "$@"
[ "$(id -u)" -eq 0 ] || stop "only root can look at drives." "Become root (sudo -i) and start again."
server=$(this_server) || stop "this server has no address of oss01, oss02, oss03 and oss04." "Run the script on those servers."
for drive in $DRIVES; do
    need_drive "$drive"
done
need_no_more
look_into_drives
say "All 8 drives of $server are as planned. Compare their serial numbers with the slots before you go on."
