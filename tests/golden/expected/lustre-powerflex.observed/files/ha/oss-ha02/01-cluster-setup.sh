#!/bin/bash
# Sets up and starts the cluster fast-oss-ha02 (oss03, oss04): run it as root, once, on oss03.
# README.md has the order of the steps.

usage() {
    cat <<'END'
usage: HACLUSTER_PASSWORD=... 01-cluster-setup.sh
       01-cluster-setup.sh --check | --dry-run

  --check    looks at the host, the programs and the version of pcs, and changes nothing
  --dry-run  prints the commands, in the words of the pcs that is installed; any host will do
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

[ "$mode" = dry-run ] || is_host oss03 || stop "this is $(hostname), and the script is for oss03." "Run it there, once."

need_program() {
    command -v "$1" >/dev/null || stop "$1 is not installed here." \
        "Install pacemaker, pcs, the resource agents and the fence agents on every node, and start again."
}

need_program pcs # its version decides the words of the commands, so that --dry-run needs it, too
if [ "$mode" != dry-run ]; then
    need_program fence_idrac
    [ -x /usr/lib/ocf/resource.d/heartbeat/Filesystem ] || stop "the resource agent ocf:heartbeat:Filesystem is not installed here." \
        "Install resource-agents on every node, and start again."
fi

# The words of pcs have changed with its versions.
version=$(pcs --version)
case $version in
0.9.*)
    oldest=0.9.160
    auth=(cluster auth)
    setup=(cluster setup --name)
    options=(--token=17000 --wait_for_all=1)
    nodes=(oss03 oss04)
    ;;
0.10.*)
    oldest=0.10.7
    auth=(host auth)
    setup=(cluster setup)
    options=(totem token=17000 quorum wait_for_all=1)
    nodes=(oss03 oss04)
    ;;
0.11.*)
    oldest=0.11.1
    auth=(host auth)
    setup=(cluster setup)
    options=(totem token=17000 quorum wait_for_all=1)
    nodes=(oss03 oss04)
    ;;
*) stop "pcs $version is none that these commands are known for: 0.9, 0.10, 0.11." "Render with a catalog that knows it." ;;
esac
# Compares as versions, so that 0.10.10 is later than 0.10.7.
[ "$(printf '%s\n' "$oldest" "$version" | sort -V | head -n 1)" = "$oldest" ] ||
    stop "pcs $version is too old for these commands, which need $oldest." "Update pcs on every node, and start again."

if [ "$mode" = check ]; then
    echo "Everything is here. Nothing was changed."
    exit 0
fi

if [ "$mode" = run ]; then
    need_root
    : "${HACLUSTER_PASSWORD:?must be set: the password of the user hacluster, the same on every node}"
fi
# pcs asks for the password, and reads it from here: it appears in no list of processes.
run pcs "${auth[@]}" oss03 oss04 -u hacluster < <(printf '%s\n' "${HACLUSTER_PASSWORD-}")
run pcs "${setup[@]}" fast-oss-ha02 "${nodes[@]}" "${options[@]}"
run pcs cluster start --all --wait=120
run pcs cluster enable --all

# With two nodes corosync itself lets one go on alone, and makes both wait for each other at the start.
if [ "$mode" = run ]; then
    flags=$(corosync-quorumtool -s) || true
    case $flags in
    *2Node*) ;;
    *) stop "corosync does not know that fast-oss-ha02 has two nodes, and one alone would stop." \
        "Look at corosync-quorumtool -s, and at two_node in /etc/corosync/corosync.conf, before you go on." ;;
    esac
fi
