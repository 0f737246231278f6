#!/bin/bash
# 01-cluster.sh: forms the cluster out of nodes.list
# Cluster scratch, request scratch: run it as root on mgmt1. It asks GPFS what is there, and does what is missing.

usage() {
    cat <<'END'
usage: 01-cluster.sh [--check | --dry-run]

forms the cluster out of nodes.list

  --check    looks at everything, and changes nothing
  --dry-run  prints the commands as if nothing were done; asks nobody, and any host will do
  --help     this text
END
}

set -euo pipefail
export LC_ALL=C
PATH="$PATH:/usr/sbin:/sbin:/usr/lpp/mmfs/bin"

readonly ADMIN=mgmt1

# The nodes of the plan: daemon name, designations, admin name, licence.
nodes() {
    cat <<'END'
sm01n1 quorum-manager sm01n1 server
sm01n2 quorum-manager sm01n2 server
hm01n1 quorum-manager hm01n1 server
hm01n2 quorum-manager hm01n2 server
mgmt1 quorum-manager mgmt1 server
mgmt2 nonquorum-manager mgmt2 server
END
}

# Ends the script: what is wrong, then what to do.
stop() {
    printf '\nSTOP: %s\n' "$1" >&2
    shift
    [ "$#" -eq 0 ] || printf '      %s\n' "$@" >&2
    exit 1
}

misused() {
    printf '%s: %s\n' "$0" "$1" >&2
    usage >&2
    exit 2
}

say() {
    printf '%s\n' "$*"
}

# Whether this host has that name. Either may stand without its domain.
is_host() {
    local here wanted=${1,,}
    here=$(hostname)
    here=${here,,}
    [ "$here" = "$wanted" ] || [ "${here%%.*}" = "$wanted" ] || [ "$here" = "${wanted%%.*}" ]
}
# Whether two names mean one host. Either may stand without its domain.
same_host() {
    local one=${1,,} other=${2,,}
    [ "$one" = "$other" ] || [ "${one%%.*}" = "$other" ] || [ "$one" = "${other%%.*}" ]
}

# Does a command that changes something, or shows it where nothing is changed.
run() {
    local word line="+"
    for word in "$@"; do
        [[ $word =~ ^[A-Za-z0-9_./:=,-]+$ ]] || word=${word@Q}
        line="$line $word"
    done
    say "$line"
    [ "$mode" = run ] || return 0
    "$@" </dev/null || stop "$1 failed with exit code $?." "Read its reply above, and mend the cause." \
        "Then start this script again: it leaves out what is done already."
}

# What a command says, in `reply`, and its exit code, in `code`; it changes nothing. A dry run asks nobody.
ask() {
    reply="" code=0
    [ "$mode" = dry-run ] || reply=$(timeout 120 "$@" </dev/null 2>&1) || code=$?
}

# The same, where the command has to succeed.
ask_well() {
    ask "$@"
    [ "$code" = 0 ] || stop "$* failed with exit code $code." "$reply"
}

# Columns $2 of the records $1 in `reply`, which a command has printed with -Y: colons between fields, names in the header.
columns() {
    awk -F: -v kind="$1" -v wanted="$2" '
        function plain(text) {
            gsub(/%20/, " ", text); gsub(/%28/, "(", text); gsub(/%29/, ")", text); gsub(/%2C/, ",", text)
            gsub(/%2F/, "/", text); gsub(/%3A/, ":", text); gsub(/%25/, "%", text)
            return text == "" ? "-" : text
        }
        BEGIN { count = split(wanted, names, " ") }
        $2 == kind && $3 == "HEADER" { for (i = 1; i <= NF; i++) at[$i] = i; seen = 1; next }
        $2 == kind && seen {
            line = ""
            for (i = 1; i <= count; i++) {
                if (!(names[i] in at)) { missing = names[i]; exit }
                line = line (i > 1 ? "\t" : "") plain($at[names[i]])
            }
            print line
        }
        END { if (missing != "") { print "no column " missing > "/dev/stderr"; exit 3 } }' <<<"$reply" ||
        stop "the reply has no columns $2." "Is this a release of GPFS that the script does not know?" "$reply"
}

mode=run
while [ "$#" -gt 0 ]; do
    case "$1" in
    --check | --dry-run) mode=${1#--} ;;
    --help)
        usage
        exit 0
        ;;
    *) misused "no option $1" ;;
    esac
    shift
done

if [ "$mode" != dry-run ]; then
    [ "$(id -u)" = 0 ] || stop "only root can do this." "Become root (sudo -i) and start again."
    is_host "$ADMIN" || stop "this is $(hostname), and the script is for $ADMIN." "Run it there."
    command -v mmlscluster >/dev/null || stop "GPFS is not installed here." "Install its packages on every node, and start again."
fi

# The folder of this script, with the node file.
FOLDER=$(cd -- "$(dirname -- "$0")" && pwd)
readonly FOLDER

# The cluster as GPFS has it: nothing where this host is in none.
cluster_there() {
    ask mmlscluster -Y
    case "$code $reply" in
    0\ *) [ "$mode" != dry-run ] ;;
    *"does not belong to"*) return 1 ;;
    *) stop "mmlscluster failed with exit code $code." "$reply" ;;
    esac
}

# Name, nodes and designations are those of the plan.
need_planned() {
    local name table node designation shown has found
    name=$(columns clusterSummary clusterName)
    same_host "$name" scratch || stop "this host is in the cluster $name, and the plan's is scratch." \
        "Find out whose that is, before anything else."
    table=$(columns clusterNode "daemonNodeName designation")
    while read -r node designation _; do
        found=absent
        while IFS=$'\t' read -r shown has; do
            if same_host "$node" "$shown"; then found=$(tr -d - <<<"${has,,}"); fi
        done <<<"$table"
        case $found:$designation in
        quorummanager:quorum-manager | quorum:quorum-client | manager:nonquorum-manager | :nonquorum-client | client:nonquorum-client) ;;
        absent:*) stop "$node is no node of the cluster." "Add it: mmaddnode -N $node:$designation:$node" ;;
        *) stop "$node is ${found:-neither quorum nor manager node} in the cluster, and $designation in the plan." \
            "Change it with mmchnode (--quorum, --nonquorum, --manager, --client)." ;;
        esac
    done < <(nodes)
}

# Every node answers without a password, and has GPFS.
need_nodes() {
    local node
    while read -r node _; do
        ask /usr/bin/ssh "$node" test -x /usr/lpp/mmfs/bin/mmlscluster
        [ "$code" = 0 ] || stop "$node does not answer to /usr/bin/ssh as root, or GPFS is not installed there." \
            "$reply" "It asks for no password, from every node to every node: mmcrcluster needs that."
    done < <(nodes)
}

[ -r "$FOLDER/nodes.list" ] || stop "$FOLDER/nodes.list is missing." "Copy the whole folder here."
if cluster_there; then
    need_planned
    say "Done already: the cluster is there, as planned."
else
    need_nodes
    run mmcrcluster -N "$FOLDER/nodes.list" -C scratch -r /usr/bin/ssh -R /usr/bin/scp -A
    if [ "$mode" = run ]; then
        cluster_there || stop "mmcrcluster is done, and this host is in no cluster." "Look at mmlscluster."
        need_planned
    fi
fi
say "Next: 02-licences.sh"
