#!/bin/bash
# Makes this server ready for the cluster scratch-sm01 (oss01, oss02): run it as root on each of them.
# README.md has the order of the steps.

usage() {
    cat <<'END'
usage: HACLUSTER_PASSWORD=... 00-node.sh
       00-node.sh --check | --dry-run

Makes the mount points of the targets that this server may serve, makes systemd start
lnet.service, lustre-modules.service before Pacemaker,
gives the user hacluster its password, and starts pcsd.

  --check    looks at programs, names and devices, and changes nothing
  --dry-run  prints the commands; on a node, since each has its own
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

# Words as they could be entered. What is secret stands there as the variable that holds it.
shown() {
    printf '%q ' "$@" | sed 's/\\\$\(FENCE2\{0,1\}_[A-Z]*\)/"$\1"/g'
}

# Does a command, or prints it.
run() {
    if [ "$mode" = dry-run ]; then
        shown "$@"
        echo
    else
        "$@"
    fi
}

mode=run
case ${1-} in
"") ;;
--check | --dry-run) mode=${1#--} ;;
--help)
    usage
    exit 0
    ;;
*) misused "no option $1" ;;
esac
[ "$#" -le 1 ] || misused "too many words"

if is_host oss01; then
    devices=(
        /dev/mapper/sm01a1_data01
        /dev/mapper/sm01a1_data02
        /dev/mapper/sm01a1_data03
        /dev/mapper/sm01a1_data04
        /dev/mapper/sm01a1_data05
        /dev/mapper/sm01a1_data06
        /dev/mapper/sm01a1_data07
        /dev/mapper/sm01a1_data08
        /dev/mapper/sm01a2_data01
        /dev/mapper/sm01a2_data02
        /dev/mapper/sm01a2_data03
        /dev/mapper/sm01a2_data04
        /dev/mapper/sm01a2_data05
        /dev/mapper/sm01a2_data06
        /dev/mapper/sm01a2_data07
        /dev/mapper/sm01a2_data08
        /dev/mapper/sm01a3_data01
        /dev/mapper/sm01a3_data02
        /dev/mapper/sm01a3_data03
        /dev/mapper/sm01a3_data04
        /dev/mapper/sm01a3_data05
        /dev/mapper/sm01a3_data06
        /dev/mapper/sm01a3_data07
        /dev/mapper/sm01a3_data08
        /dev/mapper/sm01a4_data01
        /dev/mapper/sm01a4_data02
        /dev/mapper/sm01a4_data03
        /dev/mapper/sm01a4_data04
        /dev/mapper/sm01a4_data05
        /dev/mapper/sm01a4_data06
        /dev/mapper/sm01a4_data07
        /dev/mapper/sm01a4_data08
    )
    folders=(
        /lustre/scratch-OST0000
        /lustre/scratch-OST0001
        /lustre/scratch-OST0002
        /lustre/scratch-OST0003
        /lustre/scratch-OST0004
        /lustre/scratch-OST0005
        /lustre/scratch-OST0006
        /lustre/scratch-OST0007
        /lustre/scratch-OST0008
        /lustre/scratch-OST0009
        /lustre/scratch-OST000a
        /lustre/scratch-OST000b
        /lustre/scratch-OST000c
        /lustre/scratch-OST000d
        /lustre/scratch-OST000e
        /lustre/scratch-OST000f
        /lustre/scratch-OST0010
        /lustre/scratch-OST0011
        /lustre/scratch-OST0012
        /lustre/scratch-OST0013
        /lustre/scratch-OST0014
        /lustre/scratch-OST0015
        /lustre/scratch-OST0016
        /lustre/scratch-OST0017
        /lustre/scratch-OST0018
        /lustre/scratch-OST0019
        /lustre/scratch-OST001a
        /lustre/scratch-OST001b
        /lustre/scratch-OST001c
        /lustre/scratch-OST001d
        /lustre/scratch-OST001e
        /lustre/scratch-OST001f
    )
elif is_host oss02; then
    devices=(
        /dev/mapper/sm01a1_data01
        /dev/mapper/sm01a1_data02
        /dev/mapper/sm01a1_data03
        /dev/mapper/sm01a1_data04
        /dev/mapper/sm01a1_data05
        /dev/mapper/sm01a1_data06
        /dev/mapper/sm01a1_data07
        /dev/mapper/sm01a1_data08
        /dev/mapper/sm01a2_data01
        /dev/mapper/sm01a2_data02
        /dev/mapper/sm01a2_data03
        /dev/mapper/sm01a2_data04
        /dev/mapper/sm01a2_data05
        /dev/mapper/sm01a2_data06
        /dev/mapper/sm01a2_data07
        /dev/mapper/sm01a2_data08
        /dev/mapper/sm01a3_data01
        /dev/mapper/sm01a3_data02
        /dev/mapper/sm01a3_data03
        /dev/mapper/sm01a3_data04
        /dev/mapper/sm01a3_data05
        /dev/mapper/sm01a3_data06
        /dev/mapper/sm01a3_data07
        /dev/mapper/sm01a3_data08
        /dev/mapper/sm01a4_data01
        /dev/mapper/sm01a4_data02
        /dev/mapper/sm01a4_data03
        /dev/mapper/sm01a4_data04
        /dev/mapper/sm01a4_data05
        /dev/mapper/sm01a4_data06
        /dev/mapper/sm01a4_data07
        /dev/mapper/sm01a4_data08
    )
    folders=(
        /lustre/scratch-OST0000
        /lustre/scratch-OST0001
        /lustre/scratch-OST0002
        /lustre/scratch-OST0003
        /lustre/scratch-OST0004
        /lustre/scratch-OST0005
        /lustre/scratch-OST0006
        /lustre/scratch-OST0007
        /lustre/scratch-OST0008
        /lustre/scratch-OST0009
        /lustre/scratch-OST000a
        /lustre/scratch-OST000b
        /lustre/scratch-OST000c
        /lustre/scratch-OST000d
        /lustre/scratch-OST000e
        /lustre/scratch-OST000f
        /lustre/scratch-OST0010
        /lustre/scratch-OST0011
        /lustre/scratch-OST0012
        /lustre/scratch-OST0013
        /lustre/scratch-OST0014
        /lustre/scratch-OST0015
        /lustre/scratch-OST0016
        /lustre/scratch-OST0017
        /lustre/scratch-OST0018
        /lustre/scratch-OST0019
        /lustre/scratch-OST001a
        /lustre/scratch-OST001b
        /lustre/scratch-OST001c
        /lustre/scratch-OST001d
        /lustre/scratch-OST001e
        /lustre/scratch-OST001f
    )
else
    stop "this is $(hostname), which is no node of scratch-sm01." "Run it on oss01 and on oss02."
fi

units=(lnet.service lustre-modules.service) # what systemd starts before Pacemaker

need_program() {
    command -v "$1" >/dev/null || stop "$1 is not installed here." \
        "Install pacemaker, pcs, the resource agents and the fence agents on every node, and start again."
}

need_program pcs # its version decides the words of the commands, so that --dry-run needs it, too
if [ "$mode" != dry-run ]; then
    need_program fence_idrac
    [ -x /usr/lib/ocf/resource.d/lustre/Lustre ] || stop "the resource agent ocf:lustre:Lustre is not installed here." \
        "Install lustre-resource-agents on every node, and start again."
    [ -x /usr/lib/ocf/resource.d/lustre/healthLNET ] || stop "the resource agent ocf:lustre:healthLNET is not installed here." \
        "Install lustre-resource-agents on every node, and start again."
    [ -x /usr/lib/ocf/resource.d/lustre/healthLUSTRE ] || stop "the resource agent ocf:lustre:healthLUSTRE is not installed here." \
        "Install lustre-resource-agents on every node, and start again."
fi

# With --force pcs takes any option, so that the metadata are read for those that the agents of health get.
need_options() {
    local path=$1 option known
    shift
    known=$(OCF_ROOT=/usr/lib/ocf "$path" meta-data)
    for option in "$@"; do
        [[ $known == *" name=\"$option\""* ]] || stop "$path knows no option $option." \
            "It is that of another release of Lustre. Install the lustre-resource-agents of the plan's release."
    done
}
if [ "$mode" != dry-run ]; then
    need_options /usr/lib/ocf/resource.d/lustre/healthLNET name dampen lctl host_list
    need_options /usr/lib/ocf/resource.d/lustre/healthLUSTRE name dampen
fi

for node in oss01 oss02; do
    [ "$mode" = dry-run ] || getent ahosts "$node" >/dev/null || stop "the name $node is unknown here." \
        "Add it to DNS, or to /etc/hosts of every node, with its address in the management network."
done
for device in "${devices[@]}"; do
    [ "$mode" = dry-run ] || [ -b "$device" ] || stop "$device is not there, or no block device." \
        "Every target must be seen by each server that may serve it. Look at the maps of its volume, and start again."
done
known_units=(
    lnet.service
    resource-agents-deps.target
)
for unit in "${known_units[@]}"; do
    [ "$mode" = dry-run ] || systemctl cat "$unit" >/dev/null 2>&1 || stop "systemd knows no $unit here." \
        "It belongs to Lustre (lnet), or to resource-agents. Install what is missing, and start again."
done
if [ "$mode" = check ]; then
    echo "Everything is here. Nothing was changed."
    exit 0
fi

if [ "$mode" = run ]; then
    need_root
    : "${HACLUSTER_PASSWORD:?must be set: the password of the user hacluster, the same on every node}"
fi
run mkdir -p "${folders[@]}"

# Writes a file whole, or shows what it would hold.
write_file() {
    local text
    text=$(cat)
    run mkdir -p "${1%/*}"
    if [ "$mode" = dry-run ]; then
        printf 'cat >%q <<END\n%s\nEND\n' "$1" "$text"
    else
        printf '%s\n' "$text" >"$1.new"
        mv -f "$1.new" "$1"
    fi
}

# Whether a property of the target that Pacemaker waits for names a unit.
names_unit() {
    local shown
    shown=$(systemctl show resource-agents-deps.target -p "$1")
    case " ${shown#*=} " in
    *" $2 "*) ;;
    *) return 1 ;;
    esac
}

# A mount that comes before LNet is set up loads it by itself, as tcp. Pacemaker waits for resource-agents-deps.target, and
# that for these services. Where one of them fails, Pacemaker starts all the same: look at systemctl --failed.
write_file /etc/systemd/system/lustre-modules.service <<'END'
# The modules of Lustre are loaded before Pacemaker starts, with the networks that /etc/lnet.conf sets up.
[Unit]
Description=Modules of Lustre, before Pacemaker
Wants=network-online.target
After=network-online.target openibd.service rdma.service opa.service
Requires=lnet.service
After=lnet.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/sbin/modprobe lustre
END
write_file /etc/systemd/system/resource-agents-deps.target.d/lustre.conf <<'END'
# What the resource agents need before they mount a target of Lustre.
[Unit]
Requires=lnet.service lustre-modules.service
After=lnet.service lustre-modules.service
END
run systemctl daemon-reload
run systemctl enable lnet
if [ "$mode" = run ]; then
    for unit in "${units[@]}"; do
        if ! names_unit Requires "$unit" || ! names_unit After "$unit"; then
            stop "systemd does not start $unit before the resource agents." \
                "Look at: systemctl show resource-agents-deps.target -p Requires -p After" \
                "and at systemctl cat resource-agents-deps.target: does another file take the drop-in back?"
        fi
    done
    waits=$(systemctl show pacemaker.service -p After)
    case " ${waits#*=} " in
    *" resource-agents-deps.target "*) ;;
    *) stop "Pacemaker does not wait for resource-agents-deps.target here: its unit is too old, or was changed." \
        "Look at systemctl cat pacemaker.service, and update Pacemaker." ;;
    esac
fi

run chpasswd < <(printf 'hacluster:%s\n' "${HACLUSTER_PASSWORD-}")
run systemctl enable pcsd
run systemctl start pcsd
