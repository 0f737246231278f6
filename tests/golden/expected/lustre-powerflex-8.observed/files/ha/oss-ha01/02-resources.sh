#!/bin/bash
# Hands the targets of fast8-oss-ha01 (oss01, oss02) to Pacemaker: run it as root, once, on oss01.
# README.md has the order of the steps. Everything is written to a draft, verified, and takes effect at once in the end.

usage() {
    cat <<'END'
usage: FENCE_USER=... FENCE_PASSWORD=... 02-resources.sh
       02-resources.sh --check | --dry-run

FENCE_USER is the user of the management controllers of the servers.
FENCE_PASSWORD is the password of the management controllers of the servers.
Every fence device is asked for the state of its server before anything is changed. With OWN_FENCE=tried the script goes on where
oss01 does not reach its own, which has to have answered to another node (--check).

  --check    looks at the host, the programs, the version of pcs and the cluster, and changes nothing; where the variables
             above are set, it asks the fence devices, too; on any node, also of a cluster that has resources already
  --dry-run  prints the commands, in the words of the pcs that is installed, with the variables in the place of what they hold;
             any host will do
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

is_node() {
    local node
    for node in oss01 oss02; do
        ! is_host "$node" || return 0
    done
    return 1
}
if [ "$mode" = check ]; then
    is_node || stop "this is $(hostname), which is no node of fast8-oss-ha01." "Check on oss01 and on oss02."
elif [ "$mode" = run ]; then
    is_host oss01 || stop "this is $(hostname), and the script is for oss01." "Run it there, once."
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
    [ -x /usr/lib/ocf/resource.d/lustre/healthLNET ] || stop "the resource agent ocf:lustre:healthLNET is not installed here." \
        "Install lustre-resource-agents on every node, and start again."
    [ -x /usr/lib/ocf/resource.d/lustre/healthLUSTRE ] || stop "the resource agent ocf:lustre:healthLUSTRE is not installed here." \
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

# Whether pcs refuses an agent for the version of OCF in its metadata: Lustre's say 1.0.1 and 0.99, which are none. Only then
# are the checks of pcs turned off.
needs_force() {
    local said
    [ -n "$ocf" ] || return 1
    if [ "$mode" = dry-run ] && [ ! -x "$1" ]; then
        echo "$2 is not installed here: on a node the script asks it whether pcs $version wants --force." >&2
        return 1
    fi
    said=$(OCF_ROOT=/usr/lib/ocf "$1" meta-data | sed -n 's:.*<version>\(.*\)</version>.*:\1:p')
    case " $ocf " in
    *" $said "*) return 1 ;;
    esac
}

force=""
! needs_force /usr/lib/ocf/resource.d/lustre/Lustre ocf:lustre:Lustre || force=yes
force_1=""
! needs_force /usr/lib/ocf/resource.d/lustre/healthLNET ocf:lustre:healthLNET || force_1=yes
force_2=""
! needs_force /usr/lib/ocf/resource.d/lustre/healthLUSTRE ocf:lustre:healthLUSTRE || force_2=yes

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

if [ "$mode" = dry-run ]; then
    draft=draft.xml
    FENCE_USER=\$FENCE_USER
    FENCE_PASSWORD=\$FENCE_PASSWORD
else
    umask 077
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    draft=$work/draft.xml
fi
run pcs cluster cib "$draft" ||
    stop "the cluster does not tell its configuration." "Run 01-cluster-setup.sh first; then look at pcs status."
if [ "$mode" != dry-run ]; then
    for node in oss01 oss02; do
        ! grep -q '<node ' "$draft" || grep -q "<node .*uname=\"$node\"" "$draft" ||
            stop "$node is no node of this cluster." "Look at pcs status: does fast8-oss-ha01 run, with the names of the plan?"
    done
    if grep -q '<primitive ' "$draft"; then
        [ "$mode" = check ] || stop "this cluster has resources already, and they stay as they are." \
            "Look at pcs status. README.md says how it gets what is new: A cluster that runs already."
        echo "This cluster has resources already. They stay as they are."
    fi
fi

# Asks a fence device for the state of its server, as Pacemaker will. What it logs in with goes through a pipe, and into no
# list of processes. An agent obeys the last action that it is given: it stands last, so that nothing else is ever done.
try_fence() {
    local device=$1 node=$2 agent=$3 level=$4 code=0 said
    shift 4
    if [ "$mode" = dry-run ]; then
        shown printf '%s\n' "$@" action=status
        printf '| %q\n' "$agent"
        return 0
    fi
    said=$(printf '%s\n' "$@" action=status | timeout 60 "$agent" 2>&1) || code=$?
    # Its own controller may be out of a server's reach. An answer that it is off is one, and excused by nothing.
    if [ "$level" = 1 ] && [ "${OWN_FENCE-}" = tried ] && is_host "$node"; then
        case $code in
        1 | 124)
            echo "$device: not asked from $node itself, since OWN_FENCE=tried says that another server did"
            return 0
            ;;
        esac
    fi
    case $code in
    0) echo "$device: $agent sees that $node is on" ;;
    2) stop "$device: $agent says that $node is off, and it runs." \
        "The address or the outlet is that of something else, which would be switched off instead. Mend the request." ;;
    124) stop "$device: $agent had no answer for $node within 60 s." \
        "Is the address right, and reached from here? Nothing was changed." ;;
    *) stop "$device: $agent cannot ask for the state of $node, exit code $code. Nothing was changed." \
        "Is the address right, the login, and is the protocol allowed there? It said: $said" \
        "A controller that shares a port with its server is not reached from that server: try it with --check on another" \
        "node, and when it answers there, start here again with OWN_FENCE=tried." ;;
    esac
}

try_level_1() {
    try_fence fence-oss01 oss01 fence_idrac 1 \
        "$address=10.20.0.3" "$user=${FENCE_USER}" "$password=${FENCE_PASSWORD}" lanplus=1
    try_fence fence-oss02 oss02 fence_idrac 1 \
        "$address=10.20.0.4" "$user=${FENCE_USER}" "$password=${FENCE_PASSWORD}" lanplus=1
}

# Asks the devices of level $1 where the variables of its login, which follow, are set.
given=""
missing=""
ask_level() {
    local level=$1 name lacking=""
    shift
    for name in "$@"; do
        if [ -n "${!name-}" ]; then
            given="$given $name"
        else
            lacking="$lacking, $name"
        fi
    done
    missing=$missing$lacking
    [ -n "$lacking" ] || "try_level_$level"
}

if [ "$mode" = check ]; then
    ask_level 1 FENCE_USER FENCE_PASSWORD
    missing=${missing#, }
    if [ -z "$missing" ]; then
        echo "Everything is here. Nothing was changed."
        exit 0
    fi
    verb="is not"
    [[ $missing != *,* ]] || verb="are not"
    [ -z "$given" ] || stop "fence devices NOT asked: $missing $verb set." \
        "Set all of these variables, or none where no device is to be asked, and start again. Nothing was changed."
    echo "fence devices NOT asked: $missing $verb set"
    echo "Everything else is here. Nothing was changed."
    exit 0
fi

if [ "$mode" = run ]; then
    need_root
    : "${FENCE_USER:?must be set: the user of the management controllers}"
    : "${FENCE_PASSWORD:?must be set: the password of the management controllers}"
fi
try_level_1

operations=(op start timeout=600s op stop timeout=600s op monitor interval=120s timeout=600s)

run pcs -f "$draft" property set stonith-enabled=true
run pcs -f "$draft" "${defaults[@]}" resource-stickiness=200

# Each node is switched off by another one. oss01 wins a race: who wants to fence it waits.
run pcs -f "$draft" stonith create fence-oss01 fence_idrac \
    "$address=10.20.0.3" "$user=${FENCE_USER}" "$password=${FENCE_PASSWORD}" lanplus=1 pcmk_host_list=oss01 pcmk_delay_base=10s
run pcs -f "$draft" constraint location fence-oss01 avoids oss01=INFINITY
run pcs -f "$draft" stonith create fence-oss02 fence_idrac \
    "$address=10.20.0.4" "$user=${FENCE_USER}" "$password=${FENCE_PASSWORD}" lanplus=1 pcmk_host_list=oss02
run pcs -f "$draft" constraint location fence-oss02 avoids oss02=INFINITY

run pcs -f "$draft" resource create fast8-OST0000 ocf:lustre:Lustre target=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f31600000003 mountpoint=/lustre/fast8-OST0000 "${operations[@]}" ${force:+--force}
run pcs -f "$draft" resource create fast8-OST0001 ocf:lustre:Lustre target=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f31700000004 mountpoint=/lustre/fast8-OST0001 "${operations[@]}" ${force:+--force}
run pcs -f "$draft" resource create fast8-OST0002 ocf:lustre:Lustre target=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f31800000005 mountpoint=/lustre/fast8-OST0002 "${operations[@]}" ${force:+--force}
run pcs -f "$draft" resource create fast8-OST0003 ocf:lustre:Lustre target=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f31900000006 mountpoint=/lustre/fast8-OST0003 "${operations[@]}" ${force:+--force}
run pcs -f "$draft" resource create fast8-OST0004 ocf:lustre:Lustre target=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f31a00000007 mountpoint=/lustre/fast8-OST0004 "${operations[@]}" ${force:+--force}
run pcs -f "$draft" resource create fast8-OST0005 ocf:lustre:Lustre target=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f31b00000008 mountpoint=/lustre/fast8-OST0005 "${operations[@]}" ${force:+--force}
run pcs -f "$draft" resource create fast8-OST0006 ocf:lustre:Lustre target=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f31c00000009 mountpoint=/lustre/fast8-OST0006 "${operations[@]}" ${force:+--force}
run pcs -f "$draft" resource create fast8-OST0007 ocf:lustre:Lustre target=/dev/disk/by-id/emc-vol-71c0d9e4a35f1b08-9c57f31d0000000a mountpoint=/lustre/fast8-OST0007 "${operations[@]}" ${force:+--force}

health_operations=(op start timeout=300s op monitor interval=20s timeout=300s)
run pcs -f "$draft" resource create lnet-health ocf:lustre:healthLNET name=pingd dampen=60s lctl=true "host_list=10.10.0.1@o2ib 10.10.0.5@o2ib 10.10.0.2@o2ib 10.10.0.6@o2ib" \
    "${health_operations[@]}" clone ${force_1:+--force}
run pcs -f "$draft" resource create lustre-health ocf:lustre:healthLUSTRE name=lustred dampen=60s \
    "${health_operations[@]}" clone ${force_2:+--force}

run pcs -f "$draft" constraint location fast8-OST0000 prefers oss01=1000 oss02=950
run pcs -f "$draft" constraint location fast8-OST0001 prefers oss01=1000 oss02=950
run pcs -f "$draft" constraint location fast8-OST0002 prefers oss01=1000 oss02=950
run pcs -f "$draft" constraint location fast8-OST0003 prefers oss01=1000 oss02=950
run pcs -f "$draft" constraint location fast8-OST0004 prefers oss02=1000 oss01=950
run pcs -f "$draft" constraint location fast8-OST0005 prefers oss02=1000 oss01=950
run pcs -f "$draft" constraint location fast8-OST0006 prefers oss02=1000 oss01=950
run pcs -f "$draft" constraint location fast8-OST0007 prefers oss02=1000 oss01=950
# A target leaves a server without LNet for one that has it, and its first server for its second where Lustre says that the
# first is sick. Where both are, it stays. It does not go back by itself: README.md says why.
run pcs -f "$draft" constraint location fast8-OST0000 rule score=10000 not_defined pingd or pingd gt 0
run pcs -f "$draft" constraint location fast8-OST0000 rule score=-300 '#uname' eq oss01 and defined lustred and lustred lt 1
run pcs -f "$draft" constraint location fast8-OST0000 rule score=-100 '#uname' eq oss02 and defined lustred and lustred lt 1
run pcs -f "$draft" constraint location fast8-OST0001 rule score=10000 not_defined pingd or pingd gt 0
run pcs -f "$draft" constraint location fast8-OST0001 rule score=-300 '#uname' eq oss01 and defined lustred and lustred lt 1
run pcs -f "$draft" constraint location fast8-OST0001 rule score=-100 '#uname' eq oss02 and defined lustred and lustred lt 1
run pcs -f "$draft" constraint location fast8-OST0002 rule score=10000 not_defined pingd or pingd gt 0
run pcs -f "$draft" constraint location fast8-OST0002 rule score=-300 '#uname' eq oss01 and defined lustred and lustred lt 1
run pcs -f "$draft" constraint location fast8-OST0002 rule score=-100 '#uname' eq oss02 and defined lustred and lustred lt 1
run pcs -f "$draft" constraint location fast8-OST0003 rule score=10000 not_defined pingd or pingd gt 0
run pcs -f "$draft" constraint location fast8-OST0003 rule score=-300 '#uname' eq oss01 and defined lustred and lustred lt 1
run pcs -f "$draft" constraint location fast8-OST0003 rule score=-100 '#uname' eq oss02 and defined lustred and lustred lt 1
run pcs -f "$draft" constraint location fast8-OST0004 rule score=10000 not_defined pingd or pingd gt 0
run pcs -f "$draft" constraint location fast8-OST0004 rule score=-300 '#uname' eq oss02 and defined lustred and lustred lt 1
run pcs -f "$draft" constraint location fast8-OST0004 rule score=-100 '#uname' eq oss01 and defined lustred and lustred lt 1
run pcs -f "$draft" constraint location fast8-OST0005 rule score=10000 not_defined pingd or pingd gt 0
run pcs -f "$draft" constraint location fast8-OST0005 rule score=-300 '#uname' eq oss02 and defined lustred and lustred lt 1
run pcs -f "$draft" constraint location fast8-OST0005 rule score=-100 '#uname' eq oss01 and defined lustred and lustred lt 1
run pcs -f "$draft" constraint location fast8-OST0006 rule score=10000 not_defined pingd or pingd gt 0
run pcs -f "$draft" constraint location fast8-OST0006 rule score=-300 '#uname' eq oss02 and defined lustred and lustred lt 1
run pcs -f "$draft" constraint location fast8-OST0006 rule score=-100 '#uname' eq oss01 and defined lustred and lustred lt 1
run pcs -f "$draft" constraint location fast8-OST0007 rule score=10000 not_defined pingd or pingd gt 0
run pcs -f "$draft" constraint location fast8-OST0007 rule score=-300 '#uname' eq oss02 and defined lustred and lustred lt 1
run pcs -f "$draft" constraint location fast8-OST0007 rule score=-100 '#uname' eq oss01 and defined lustred and lustred lt 1

run crm_verify -V -x "$draft" || stop "Pacemaker would not take this configuration, and has not seen it." \
    "Read what crm_verify says above. Nothing was changed."
run pcs cluster cib-push "$draft" --config
if [ "$mode" = run ]; then
    echo "Done. Look at pcs status until every target has started, and then go on with README.md."
fi
