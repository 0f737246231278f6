#!/bin/bash
# Hands the targets of fast8-oss-ha04 (oss07, oss08) to Pacemaker: run it as root, once, on oss07.
# README.md has the order of the steps. Everything is written to a draft, verified, and takes effect at once in the end.

usage() {
    cat <<'END'
usage: FENCE_USER=... FENCE_PASSWORD=... 02-resources.sh
       02-resources.sh --check | --dry-run

FENCE_USER and FENCE_PASSWORD are those of the management controllers of the servers.

  --check    looks at the host, the programs, the version of pcs and the cluster, and changes nothing
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

[ "$mode" = dry-run ] || is_host oss07 || stop "this is $(hostname), and the script is for oss07." "Run it there, once."

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

# The words of pcs have changed with its versions. Where it takes agents of certain versions of OCF only, these are named.
version=$(pcs --version)
case $version in
0.9.*)
    oldest=0.9.160
    defaults=(resource defaults)
    address=ipaddr user=login password=passwd
    ocf=""
    ;;
0.10.*)
    oldest=0.10.7
    defaults=(resource defaults update)
    address=ip user=username password=password
    ocf=""
    ;;
0.11.*)
    oldest=0.11.1
    defaults=(resource defaults update)
    address=ip user=username password=password
    ocf="1.0 1.1"
    ;;
*) stop "pcs $version is none that these commands are known for: 0.9, 0.10, 0.11." "Render with a catalog that knows it." ;;
esac
# Compares as versions, so that 0.10.10 is later than 0.10.7.
[ "$(printf '%s\n' "$oldest" "$version" | sort -V | head -n 1)" = "$oldest" ] ||
    stop "pcs $version is too old for these commands, which need $oldest." "Update pcs on every node, and start again."

force=""
if [ -n "$ocf" ]; then
    # Lustre's agent says 1.0.1, which is no version of OCF. Only then are the checks of pcs turned off.
    if [ "$mode" = dry-run ] && [ ! -x /usr/lib/ocf/resource.d/lustre/Lustre ]; then
        echo "ocf:lustre:Lustre is not installed here: on a node the script asks it whether pcs $version wants --force." >&2
        said=${ocf##* }
    else
        said=$(OCF_ROOT=/usr/lib/ocf /usr/lib/ocf/resource.d/lustre/Lustre meta-data | sed -n 's:.*<version>\(.*\)</version>.*:\1:p')
    fi
    case " $ocf " in
    *" $said "*) ;;
    *) force=yes ;;
    esac
fi

if [ "$mode" = dry-run ]; then
    draft=draft.xml
    FENCE_USER=FENCE_USER FENCE_PASSWORD=FENCE_PASSWORD
else
    umask 077
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    draft=$work/draft.xml
fi
run pcs cluster cib "$draft" ||
    stop "the cluster does not tell its configuration." "Run 01-cluster-setup.sh first; then look at pcs status."
if [ "$mode" != dry-run ]; then
    for node in oss07 oss08; do
        ! grep -q '<node ' "$draft" || grep -q "<node .*uname=\"$node\"" "$draft" ||
            stop "$node is no node of this cluster." "Look at pcs status: does fast8-oss-ha04 run, with the names of the plan?"
    done
    ! grep -q '<primitive ' "$draft" ||
        stop "this cluster has resources already, and they stay as they are." "Look at pcs status."
fi
if [ "$mode" = check ]; then
    echo "Everything is here. Nothing was changed."
    exit 0
fi

if [ "$mode" = run ]; then
    need_root
    : "${FENCE_USER:?must be set: the user of the management controllers}"
    : "${FENCE_PASSWORD:?must be set: the password of the management controllers}"
fi

operations=(op start timeout=600s op stop timeout=600s op monitor interval=120s timeout=600s)

run pcs -f "$draft" property set stonith-enabled=true
run pcs -f "$draft" "${defaults[@]}" resource-stickiness=200

# Each node is switched off by another one. oss07 wins a race: who wants to fence it waits.
run pcs -f "$draft" stonith create fence-oss07 fence_idrac \
    "$address=10.20.0.9" "$user=$FENCE_USER" "$password=$FENCE_PASSWORD" lanplus=1 pcmk_host_list=oss07 pcmk_delay_base=10s
run pcs -f "$draft" constraint location fence-oss07 avoids oss07=INFINITY
run pcs -f "$draft" stonith create fence-oss08 fence_idrac \
    "$address=10.20.0.10" "$user=$FENCE_USER" "$password=$FENCE_PASSWORD" lanplus=1 pcmk_host_list=oss08
run pcs -f "$draft" constraint location fence-oss08 avoids oss08=INFINITY

run pcs -f "$draft" resource create fast8-OST0018 ocf:lustre:Lustre target=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32e0000001b mountpoint=/lustre/fast8-OST0018 "${operations[@]}" ${force:+--force}
run pcs -f "$draft" resource create fast8-OST0019 ocf:lustre:Lustre target=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f32f0000001c mountpoint=/lustre/fast8-OST0019 "${operations[@]}" ${force:+--force}
run pcs -f "$draft" resource create fast8-OST001a ocf:lustre:Lustre target=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f3300000001d mountpoint=/lustre/fast8-OST001a "${operations[@]}" ${force:+--force}
run pcs -f "$draft" resource create fast8-OST001b ocf:lustre:Lustre target=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f3310000001e mountpoint=/lustre/fast8-OST001b "${operations[@]}" ${force:+--force}
run pcs -f "$draft" resource create fast8-OST001c ocf:lustre:Lustre target=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f3320000001f mountpoint=/lustre/fast8-OST001c "${operations[@]}" ${force:+--force}
run pcs -f "$draft" resource create fast8-OST001d ocf:lustre:Lustre target=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f33300000020 mountpoint=/lustre/fast8-OST001d "${operations[@]}" ${force:+--force}
run pcs -f "$draft" resource create fast8-OST001e ocf:lustre:Lustre target=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f33400000021 mountpoint=/lustre/fast8-OST001e "${operations[@]}" ${force:+--force}
run pcs -f "$draft" resource create fast8-OST001f ocf:lustre:Lustre target=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f33500000022 mountpoint=/lustre/fast8-OST001f "${operations[@]}" ${force:+--force}

run pcs -f "$draft" constraint location fast8-OST0018 prefers oss07=100 oss08=50
run pcs -f "$draft" constraint location fast8-OST0019 prefers oss07=100 oss08=50
run pcs -f "$draft" constraint location fast8-OST001a prefers oss07=100 oss08=50
run pcs -f "$draft" constraint location fast8-OST001b prefers oss07=100 oss08=50
run pcs -f "$draft" constraint location fast8-OST001c prefers oss08=100 oss07=50
run pcs -f "$draft" constraint location fast8-OST001d prefers oss08=100 oss07=50
run pcs -f "$draft" constraint location fast8-OST001e prefers oss08=100 oss07=50
run pcs -f "$draft" constraint location fast8-OST001f prefers oss08=100 oss07=50

run crm_verify -V -x "$draft" || stop "Pacemaker would not take this configuration, and has not seen it." \
    "Read what crm_verify says above. Nothing was changed."
run pcs cluster cib-push "$draft" --config
if [ "$mode" = run ]; then
    echo "Done. Look at pcs status until every target has started, and then go on with README.md."
fi
