#!/bin/bash
# Makes this server ready for the cluster scratch-sm01 (oss01, oss02): run it as root on each of them.
# README.md has the order of the steps.

usage() {
    cat <<'END'
usage: HACLUSTER_PASSWORD=... 00-node.sh
       00-node.sh --check | --dry-run

Makes the mount points of the targets that this server may serve, gives the user hacluster its password, and starts pcsd.

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

# Does a command, or prints it.
run() {
    if [ "$mode" = dry-run ]; then
        printf '%q ' "$@"
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

need_program() {
    command -v "$1" >/dev/null || stop "$1 is not installed here." \
        "Install pacemaker, pcs, the resource agents and the fence agents on every node, and start again."
}

need_program pcs # its version decides the words of the commands, so that --dry-run needs it, too
if [ "$mode" != dry-run ]; then
    need_program fence_idrac
    [ -x /usr/lib/ocf/resource.d/lustre/Lustre ] || stop "the resource agent ocf:lustre:Lustre is not installed here." \
        "Install lustre-resource-agents on every node, and start again."
fi

for node in oss01 oss02; do
    [ "$mode" = dry-run ] || getent ahosts "$node" >/dev/null || stop "the name $node is unknown here." \
        "Add it to DNS, or to /etc/hosts of every node, with its address in the management network."
done
for device in "${devices[@]}"; do
    [ "$mode" = dry-run ] || [ -b "$device" ] || stop "$device is not there, or no block device." \
        "Every target must be seen by each server that may serve it. Look at the maps of its volume, and start again."
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
run chpasswd < <(printf 'hacluster:%s\n' "${HACLUSTER_PASSWORD-}")
run systemctl enable pcsd
run systemctl start pcsd
