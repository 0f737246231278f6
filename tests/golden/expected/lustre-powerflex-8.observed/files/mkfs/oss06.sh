#!/bin/bash
# oss06.sh makes the Lustre targets that oss06 serves first: request fast8, Lustre 2.15.8.
#
# Run it as root on oss06, with Pacemaker stopped on every server. README.md has the order of the servers.
# WITHOUT AN OPTION IT DESTROYS WHAT THESE DEVICES HOLD, once every check of every one of them has passed:
#
#   fast8-OST0014  /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32a00000017  1,675,037,245,440 bytes = 1.52 TiB
#   fast8-OST0015  /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32b00000018  1,675,037,245,440 bytes = 1.52 TiB
#   fast8-OST0016  /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32c00000019  1,675,037,245,440 bytes = 1.52 TiB
#   fast8-OST0017  /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32d0000001a  1,675,037,245,440 bytes = 1.52 TiB

set -Eeuo pipefail
export LC_ALL=C
PATH="$PATH:/usr/sbin:/sbin"

readonly HOST=oss06
readonly INTERFACE=ib0
readonly NIDS="10.10.0.8@o2ib"
readonly TARGETS="
    fast8-OST0014
    fast8-OST0015
    fast8-OST0016
    fast8-OST0017
"

# What the plan says of a target; `make_target` is the one command here that destroys anything.
plan_of() {
    label=$1
    case "$label" in
    fast8-OST0014)
        device=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32a00000017
        bytes=1675037245440
        written=fast8:OST0014
        index=20
        flags=0x1062
        nodes="failover.node=10.10.0.8@o2ib:10.10.0.7@o2ib mgsnode=10.10.0.2@o2ib:10.10.0.1@o2ib"
        blocks=408944640
        inodes=6389760
        inode_bytes=512
        stride=0
        stripe_width=0
        mmp=yes
        reformat=no
        takes="writes 3.27 GB of inode tables and 1.07 GB of journal, at 400 MB/s less than a minute"
        make_target() {
            mkfs.lustre --ost \
                --fsname=fast8 --index=20 \
                --mgsnode=10.10.0.2@o2ib \
                --mgsnode=10.10.0.1@o2ib \
                --servicenode=10.10.0.8@o2ib \
                --servicenode=10.10.0.7@o2ib \
                /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32a00000017
        }
        ;;
    fast8-OST0015)
        device=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32b00000018
        bytes=1675037245440
        written=fast8:OST0015
        index=21
        flags=0x1062
        nodes="failover.node=10.10.0.8@o2ib:10.10.0.7@o2ib mgsnode=10.10.0.2@o2ib:10.10.0.1@o2ib"
        blocks=408944640
        inodes=6389760
        inode_bytes=512
        stride=0
        stripe_width=0
        mmp=yes
        reformat=no
        takes="writes 3.27 GB of inode tables and 1.07 GB of journal, at 400 MB/s less than a minute"
        make_target() {
            mkfs.lustre --ost \
                --fsname=fast8 --index=21 \
                --mgsnode=10.10.0.2@o2ib \
                --mgsnode=10.10.0.1@o2ib \
                --servicenode=10.10.0.8@o2ib \
                --servicenode=10.10.0.7@o2ib \
                /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32b00000018
        }
        ;;
    fast8-OST0016)
        device=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32c00000019
        bytes=1675037245440
        written=fast8:OST0016
        index=22
        flags=0x1062
        nodes="failover.node=10.10.0.8@o2ib:10.10.0.7@o2ib mgsnode=10.10.0.2@o2ib:10.10.0.1@o2ib"
        blocks=408944640
        inodes=6389760
        inode_bytes=512
        stride=0
        stripe_width=0
        mmp=yes
        reformat=no
        takes="writes 3.27 GB of inode tables and 1.07 GB of journal, at 400 MB/s less than a minute"
        make_target() {
            mkfs.lustre --ost \
                --fsname=fast8 --index=22 \
                --mgsnode=10.10.0.2@o2ib \
                --mgsnode=10.10.0.1@o2ib \
                --servicenode=10.10.0.8@o2ib \
                --servicenode=10.10.0.7@o2ib \
                /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32c00000019
        }
        ;;
    fast8-OST0017)
        device=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32d0000001a
        bytes=1675037245440
        written=fast8:OST0017
        index=23
        flags=0x1062
        nodes="failover.node=10.10.0.8@o2ib:10.10.0.7@o2ib mgsnode=10.10.0.2@o2ib:10.10.0.1@o2ib"
        blocks=408944640
        inodes=6389760
        inode_bytes=512
        stride=0
        stripe_width=0
        mmp=yes
        reformat=no
        takes="writes 3.27 GB of inode tables and 1.07 GB of journal, at 400 MB/s less than a minute"
        make_target() {
            mkfs.lustre --ost \
                --fsname=fast8 --index=23 \
                --mgsnode=10.10.0.2@o2ib \
                --mgsnode=10.10.0.1@o2ib \
                --servicenode=10.10.0.8@o2ib \
                --servicenode=10.10.0.7@o2ib \
                /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32d0000001a
        }
        ;;
    esac
}

usage() {
    cat <<'END'
usage: oss06.sh [--check | --dry-run] [--resume] [--only LABEL]... [--not-zero LABEL|all]...

Formats the Lustre targets that oss06 serves first. It DESTROYS what their devices hold.

  --check               every check, and nothing is formatted
  --dry-run             prints the commands; checks nothing, formats nothing
  --resume              after a stop: targets that are formatted exactly as planned and were never mounted stay as they
                        are
  --only LABEL          this target alone, such as fast8-OST0014; may be repeated
  --not-zero LABEL|all  the device of this target, or all of them, need not be all zeros; signatures, mounts and
                        whatever else holds a device still stop the script; may be repeated
  --help                this text
END
}

mode=format
resume=no
not_zero="" # labels whose devices need not be all zeros; or "all"
blank=""    # labels whose devices show no signature, and are to be looked into
only=""
formatted="" # labels, as they are done
kept=""
now="" # the target that is being formatted
stopped=no
failed_line=""

say() {
    printf '%s\n' "$@"
}

# Ends the script: what is wrong, then what to do. A label on a disk may hold what a terminal would obey.
stop() {
    stopped=yes
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

# Whatever ends the script early, its last lines say how far it came.
at_exit() {
    local code=$?
    [ "$code" -ne 0 ] || return 0
    if [ "$stopped" = no ]; then
        printf '\nSTOP: interrupted, or a command failed that should not (exit code %s%s).\n' \
            "$code" "${failed_line:+, line $failed_line}" >&2
        printf '      Look at the lines above; README.md, "When a script stops", says how to go on.\n' >&2
    fi
    if [ -n "$now" ]; then
        printf '      %s: DO NOT MOUNT IT. It may be half formatted, or formatted otherwise than planned.\n' "$now" >&2
    fi
    if [ -n "$formatted" ]; then
        printf '      This run formatted, exactly as planned:%s\n' "$formatted" >&2
    elif [ -z "$now" ]; then
        printf '      This run has formatted nothing.\n' >&2
    fi
    exit "$code"
}

need_root() {
    [ "$(id -u)" -eq 0 ] || stop "only root can format." "Become root (sudo -i) and start again."
}

need_tools() {
    need_programs awk blkid blockdev dd dumpe2fs flock ip mkfs.lustre od sed stat tunefs.lustre wipefs
    [ -r /proc/self/mountinfo ] || stop "/proc is not there, so that nobody knows what is mounted." "Mount /proc."
}

need_programs() {
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null ||
            stop "$tool is not installed here, or not on the PATH." \
                "Install Lustre's server packages with its own e2fsprogs, util-linux and iproute, and start again."
    done
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

# Pacemaker could mount a target here while its partner is formatting.
need_pacemaker_down() {
    ! pacemaker_runs || stop "Pacemaker runs here, and could mount what is formatted." \
        "Stop it on all servers (pcs cluster stop --all), see that nothing is mounted, and start again."
}

# Two runs at once would both find a device blank, and both format it. The lock ends with the last program that this run
# has started; runs with --check share it. It lies where nobody but root can put a file, or a link to one.
need_to_be_alone() {
    local folder lock share=-x
    for folder in /run /var/run /var/lock none; do
        case "$(stat -L -c '%u %A' "$folder" 2>/dev/null)" in "0 d"????-??-?) break ;; esac
    done
    [ "$folder" != none ] || stop "neither /run nor /var/lock is a folder that root alone can write to." \
        "Set its owner and its rights (chown root /run; chmod 755 /run), and start again."
    lock=$folder/pixsize-mkfs.lock
    { exec 9>>"$lock"; } 2>/dev/null || stop "$lock cannot be opened." "Is it a file, and $folder not read-only?"
    [ "$mode" != check ] || share=-s
    flock "$share" -n 9 || stop "another run of such a script is at work on this server, and holds $lock." \
        "Wait until it has ended (fuser -v $lock shows it), read what it says last, and start again."
}

need_host() {
    local name host=${HOST,,}
    name=$(hostname 2>/dev/null || uname -n)
    name=${name,,}
    # Either may stand without its domain.
    case "$host" in "$name" | "${name%%.*}") return 0 ;; esac
    [ "${host%%.*}" = "$name" ] ||
        stop "this is $name, and the script is for $HOST." "Leave this server alone, and run the script on $HOST."
}

need_addresses() {
    local shown nid
    need_programs ip
    shown=$(ip -o -4 addr show dev "$INTERFACE" 2>/dev/null) ||
        stop "this server has no interface $INTERFACE." "Set up the network of Lustre, or correct network.interface."
    for nid in $NIDS; do
        case "$shown " in
        *"inet ${nid%@*}/"* | *"inet ${nid%@*} "*) ;;
        *) stop "$INTERFACE does not have the address ${nid%@*}, which the targets would be told." \
            "Is this $HOST? Correct the address here, or network.addresses in the request, and render again." ;;
        esac
    done
    need_nids
}

# Where LNet is up already, it has to have the planned NIDs; where it is down, or not set up, nothing can be compared.
need_nids() {
    local shown up nid
    command -v lnetctl >/dev/null || return 0
    need_programs awk
    shown=$(timeout 30 lnetctl net show 2>/dev/null) || return 0
    up=$(awk '$1 == "nid:" || $2 == "nid:" { if ($NF !~ /@lo$/) print $NF }' <<<"$shown")
    [ -n "$up" ] || return 0
    for nid in $NIDS; do
        grep -qxF -- "$nid" <<<"$up" ||
            stop "LNet is up without $nid; it has $(tr '\n' ' ' <<<"$up")" \
                "Correct LNet (lnetctl net show), or the network of the request, and render again."
    done
}

# The kernel's number of a device, MAJOR:MINOR, by whatever path.
number_of() {
    local pair
    pair=$(stat -L -c '%t:%T' -- "$1")
    printf '%d:%d' "0x${pair%:*}" "0x${pair#*:}"
}

need_device() {
    local size
    [ -e "$device" ] || stop "$label: this server has no $device." \
        "Is the volume mapped to this server (scli --query_all_volumes), and does its SDC run (drv_cfg)?"
    [ -b "$device" ] || stop "$label: $device is no block device." "Something else made this file; find out what."
    size=$(blockdev --getsize64 "$device")
    [ "$size" = "$bytes" ] || stop "$label: $device has $size bytes; planned are $bytes." \
        "Is it the right volume? If it is, collect the replies anew, render again with --observed, and start again."
    [ "$(blockdev --getro "$device")" = 0 ] || stop "$label: $device is read-only." \
        "Look at how the volume is mapped to this server."
}

need_unused() {
    local number=$1 held use
    [ -d "/sys/dev/block/$number" ] || stop "$label: the kernel does not show $device in /sys." "Is /sys mounted?"
    for held in "/sys/dev/block/$number/holders/"* "/sys/dev/block/$number/"*/partition; do
        [ ! -e "$held" ] || stop "$label: $device is in use, or has partitions: ${held#/sys/dev/block/"$number"/}" \
            "Is it the right volume? Look at lsblk $device, and find out whose it is."
    done
    use=$(uses_of "$number")
    [ -z "$use" ] || stop "$label: $device is in use: ${use//$'\n'/, }." \
        "Is it the right volume? Do not unmount it before you know whose data it is."
}

# Mount points, swap and Lustre's own word, for a device by its number.
uses_of() {
    local mounted point rest source
    while read -r _ _ mounted _ point rest; do
        rest=${rest#* - }
        read -r _ source _ <<<"$rest"
        if [ "$mounted" = "$1" ] || is_number "$source" "$1"; then
            printf 'mounted on %s\n' "$point"
        fi
    done </proc/self/mountinfo
    if [ -r /proc/swaps ]; then
        while read -r source _; do
            ! is_number "$source" "$1" || printf 'swap\n'
        done </proc/swaps
    fi
    command -v lctl >/dev/null || return 0
    for source in $(lctl get_param -n 'osd-*.*.mntdev' 2>/dev/null || true); do
        ! is_number "$source" "$1" || printf 'a target that Lustre serves\n'
    done
}

is_number() {
    [ -b "$1" ] && [ "$(number_of "$1")" = "$2" ]
}

# What stands on $device, nothing for a blank one. blkid returns 2 for no signature, 0 for one and 8 for several.
signatures() {
    local found code=0
    found=$(blkid -p "$device" 2>&1) || code=$?
    [ "$code$found" = 2 ] || printf 'blkid -p (exit code %s) finds: %s\n' "$code" "${found:-several signatures}"
    code=0
    found=$(wipefs -n "$device" 2>&1) || code=$?
    [ -z "$found" ] || printf 'wipefs -n finds:\n%s\n' "$found"
    [ "$code" -eq 0 ] || printf 'wipefs -n fails with exit code %s\n' "$code"
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

# Looks into every device that is to be blank. Much that people store has no signature: an archive, an encrypted volume, a
# file system that begins further behind. What is not all zeros stops the script, once, and in one table.
look_into_blank() {
    local seen samples filled first asked table="" refused=""
    for label in $blank; do
        plan_of "$label"
        seen=$(look_into "$device" "$bytes") || stop "$label: $device cannot be read." \
            "Look at dmesg, and at the paths to the volume. Mend that, and start again."
        read -r samples filled first <<<"$seen"
        if [ "$filled" -eq 0 ]; then
            say "all zeros in $samples samples: $label on $device"
            continue
        fi
        asked="stops this script"
        case " $not_zero " in
        *" all "* | *" $label "*) asked="--not-zero" ;;
        *) refused="$refused $label" ;;
        esac
        table="$table$(printf '%-16s %3s of %-5s %19s  %-17s  %s' "$label" "$filled" "$samples" "$first" "$asked" "$device")"$'\n'
    done
    [ -n "$table" ] || return 0
    table=$(printf '%-16s %-12s %18s  %-17s  %s' target "not zero" "first such byte" "" device)$'\n'${table%$'\n'}
    [ -z "$refused" ] || stop "not all zeros, though no signature shows on it:$refused" "$table" \
        "Is each the right volume, and does nobody need what it holds? README.md, \"A device is not all zeros\", says how to" \
        "decide. Then start again with --not-zero LABEL, once for each, or with --not-zero all."
    say "Not all zeros, and formatted all the same, as --not-zero says:" "$table"
}

# The value behind the first line of $2 that begins with $1.
value() {
    awk -v key="$1" '
        { sub(/^[ \t]+/, ""); sub(/[ \t\r]+$/, "") }
        index($0, key) == 1 { sub(/^[^:]*:[ \t]*/, ""); print; exit }' <<<"$2"
}

# What $device holds, as tunefs.lustre shows it; nothing where that is no Lustre target. Of its two blocks only the second
# shows the label as it is on the disk: with a colon before the first mount, and with a dash after it.
disk_data() {
    local shown
    shown=$(tunefs.lustre --dryrun "$device" 2>/dev/null) || return 0
    awk '/^[ \t]*Permanent disk data:/ { found = 1 } found' <<<"$shown"
}

# The nodes among a target's parameters, in one order; a parameter that stands twice is one list.
nodes_in() {
    awk '
        {
            for (i = 1; i <= NF; i++) {
                at = index($i, "=")
                key = substr($i, 1, at - 1)
                held[key] = held[key] (held[key] == "" ? "" : ":") substr($i, at + 1)
            }
        }
        END {
            count = split("failover.mode failover.node mgsnode", keys, " ")
            for (i = 1; i <= count; i++)
                if (held[keys[i]] != "") line = line (line == "" ? "" : " ") keys[i] "=" held[keys[i]]
            print line
        }' <<<"$1"
}

differs() {
    [ "$2" = "$3" ] || printf '%s: planned %s, found %s\n' "$1" "${3:-none}" "${2:-none}"
}

# Every difference between the plan and what stands on $device, one a line.
differences() {
    local data super found
    data=$(disk_data)
    if [ -z "$data" ]; then
        printf 'tunefs.lustre finds no Lustre target\n'
        return
    fi
    differs "label" "$(value Target: "$data")" "$written"
    [ "$index" = none ] || differs "index" "$(value Index: "$data")" "$index"
    differs "flags" "$(value Flags: "$data" | awk '{ print $1 }')" "$flags"
    differs "nodes" "$(nodes_in "$(value Parameters: "$data")")" "$nodes"
    if ! super=$(dumpe2fs -h "$device" 2>/dev/null); then
        printf 'dumpe2fs cannot read it\n'
        return
    fi
    differs "size of a block" "$(value 'Block size:' "$super")" 4096
    differs "number of blocks" "$(value 'Block count:' "$super")" "$blocks"
    differs "number of inodes" "$(value 'Inode count:' "$super")" "$inodes"
    differs "size of an inode" "$(value 'Inode size:' "$super")" "$inode_bytes"
    # Where the plan gives none, mke2fs may take what the device tells of itself.
    [ "$stride" -eq 0 ] || differs "stride" "$(value 'RAID stride:' "$super")" "$stride"
    [ "$stripe_width" -eq 0 ] || differs "stripe width" "$(value 'RAID stripe width:' "$super")" "$stripe_width"
    case " $(value 'Filesystem features:' "$super") " in
    *" mmp "*) found=yes ;;
    *) found=no ;;
    esac
    differs "multiple mount protection (mmp)" "$found" "$mmp"
}

# A device has to be blank, but for what --resume leaves alone and what the script was rendered to destroy.
need_content() {
    local found data
    found=$(signatures)
    if [ -z "$found" ]; then
        [ "$reformat" = no ] || stop "$label: $device shows no signature: there is nothing to reformat." \
            "Is it the right volume? Then this is the wrong script: render again, without naming $label as one to destroy."
        blank="$blank $label"
        return 0
    fi
    data=$(disk_data)
    if [ "$resume" = yes ] && [ -z "$(differences)" ]; then
        case "$kept " in *" $label "*) ;; *) kept="$kept $label" ;; esac
        return 0
    fi
    if [ "$reformat" = yes ]; then
        need_old_target "$found" "$data"
        return 0
    fi
    stop_for_content "$found" "$data"
}

# What is to be destroyed has one signature, is the target of this file system and index, and mounted nowhere.
need_old_target() {
    local held super sequence
    held=$(value Target: "$2")
    case "$(blkid -p -o value -s TYPE "$device" 2>/dev/null) ${held/[:=]/-}" in
    ext[234]" $label") ;;
    *) stop "$label: $device does not hold this target, but ${held:-no Lustre target}." "$1" \
        "Is it the right volume? This script destroys $label and no other." ;;
    esac
    super=$(dumpe2fs -h "$device" 2>/dev/null) || stop "$label: dumpe2fs cannot read $device." "$1"
    case " $(value 'Filesystem features:' "$super") " in
    *" mmp "*) ;;
    *) return 0 ;;
    esac
    # Multiple mount protection (ext4, MMP): this value says that nobody has it mounted.
    sequence=$(value mmp_sequence: "$super")
    [ "$sequence" = 0xff4d4d50 ] ||
        stop "$label: a server has it mounted, or died while it had: $(value mmp_node_name: "$super")." \
            "Unmount it there. Only if that server is off, and stays off: tune2fs -f -E clear_mmp $device"
}

# What a target as planned proves. A fresh MGS has neither the colon nor the flag first_time of the others: nothing tells.
unmounted() {
    [ "$index" = none ] || printf ' and never mounted'
}

stop_for_content() {
    local held
    held=$(value Target: "$2")
    if [ -z "$held" ]; then
        stop "$label: $device is not blank." "$1" \
            "Is it the right volume? Find out whose data this is. README.md, \"A device is not blank\", says how to go on."
    elif [ -z "$(differences)" ]; then
        stop "$label: $device holds it already, exactly as planned$(unmounted)." \
            "Start again with --resume: what is as planned stays as it is, and the rest is formatted."
    fi
    stop "$label: $device holds the Lustre target $held." "$(differences)" \
        "Is it the right volume? Find out who uses it. README.md, \"A device is not blank\", says how to go on."
}

# Every check of every target, before any is formatted.
check_all() {
    local number rest numbers=" "
    for label in $chosen; do
        plan_of "$label"
        check_target
        number=$(number_of "$device")
        rest=${numbers#*" $number="}
        [ "$rest" = "$numbers" ] || stop "$label: $device is the device of ${rest%% *}, under another name." \
            "Look at lsblk and ls -l $device: two targets can never share a device."
        numbers="$numbers$number=$label "
        case "$kept " in
        *" $label "*) say "as planned already$(unmounted), stays: $label on $device" ;;
        *) say "checked: $label on $device" ;;
        esac
    done
    [ -z "$blank" ] || say "Looking into the devices that are to be blank."
    look_into_blank
}

check_target() {
    need_device
    need_unused "$(number_of "$device")"
    need_content
}

format_target() {
    blank=""
    check_target
    case "$kept " in *" $label "*) return 0 ;; esac
    look_into_blank >/dev/null # what it says was said before; where it stops, that is no output
    say "formatting $label on $device, begun at $(date +%H:%M): $takes." \
        "mkfs.lustre shows its command, and then nothing until that is written."
    now=$label
    make_target </dev/null || stop "$label: mkfs.lustre failed on $device with exit code $?." \
        "Read what it says above, and mend the cause. README.md, \"When a script stops\", says how to go on."
    read_back
    now=""
    formatted="$formatted $label"
    say "read back, as planned: $label"
}

# An exit code of 0 proves little: what counts is what stands on the device.
read_back() {
    local found
    found=$(differences)
    [ -z "$found" ] || stop "$label: mkfs.lustre made something else than planned on $device." "$found" \
        "Keep these lines: is the installed Lustre 2.15.8, and its e2fsprogs Lustre's own (mke2fs -V)?" \
        "README.md, \"A target is not as planned\", says how to go on when the cause is mended."
}

need_label() {
    local known
    for known in $2; do
        [ "$known" != "$1" ] || return 0
    done
    misused "no target $1 $3"
}

# Adds a label to those asked for, once.
choose() {
    need_label "$1" "$TARGETS" here
    case "$only " in *" $1 "*) ;; *) only="$only $1" ;; esac
}

take_options() {
    while [ "$#" -gt 0 ]; do
        case "$1" in
        --check) mode=check ;;
        --dry-run) mode=dry-run ;;
        --resume) resume=yes ;;
        --only)
            [ "$#" -ge 2 ] || misused "--only needs a label"
            shift
            choose "$1"
            ;;
        --not-zero)
            [ "$#" -ge 2 ] || misused "--not-zero needs a label, or the word all"
            shift
            [ "$1" = all ] || need_label "$1" "$TARGETS" here
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
    chosen=${only:-$TARGETS}
}

print_all() {
    for label in $chosen; do
        plan_of "$label"
        declare -f make_target | sed -e '1,2d' -e '$d' -e 's/^ *//'
    done
}

main() {
    take_options "$@"
    if [ "$mode" = dry-run ]; then
        print_all
        return
    fi
    trap at_exit EXIT
    trap 'failed_line=$LINENO' ERR
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    need_root
    # Before anything that asks for a change of this server, which may be the wrong one.
    need_host
    need_addresses
    need_tools
    need_pacemaker_down
    need_to_be_alone
    check_all
    if [ "$mode" = check ]; then
        say "Every check has passed. Nothing was formatted."
        return
    fi
    for label in $chosen; do
        plan_of "$label"
        format_target
    done
    say "Done.${formatted:+ Formatted, and read back as planned:$formatted.}${kept:+ Left alone, as planned before:$kept.}"
    say "Mount nothing yet: README.md says which server is next."
}

# On the last line, so that a script that was copied in part does nothing.
main "$@"
