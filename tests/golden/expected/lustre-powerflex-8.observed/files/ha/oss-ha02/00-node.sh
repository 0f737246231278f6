#!/bin/bash
# Makes this server ready for the cluster fast8-oss-ha02 (oss03, oss04): run it as root on each of them.
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

if is_host oss03; then
    devices=(
        /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f31e0000000b
        /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f31f0000000c
        /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f3200000000d
        /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f3210000000e
        /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f3220000000f
        /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32300000010
        /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32400000011
        /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32500000012
    )
    folders=(
        /lustre/fast8-OST0008
        /lustre/fast8-OST0009
        /lustre/fast8-OST000a
        /lustre/fast8-OST000b
        /lustre/fast8-OST000c
        /lustre/fast8-OST000d
        /lustre/fast8-OST000e
        /lustre/fast8-OST000f
    )
elif is_host oss04; then
    devices=(
        /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f31e0000000b
        /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f31f0000000c
        /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f3200000000d
        /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f3210000000e
        /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f3220000000f
        /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32300000010
        /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32400000011
        /dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32500000012
    )
    folders=(
        /lustre/fast8-OST0008
        /lustre/fast8-OST0009
        /lustre/fast8-OST000a
        /lustre/fast8-OST000b
        /lustre/fast8-OST000c
        /lustre/fast8-OST000d
        /lustre/fast8-OST000e
        /lustre/fast8-OST000f
    )
else
    stop "this is $(hostname), which is no node of fast8-oss-ha02." "Run it on oss03 and on oss04."
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

for node in oss03 oss04; do
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
