#!/bin/bash
# 04-settings.sh: sets what GPFS reads when it starts, by class
# Cluster scratch, request scratch: run it as root on mgmt1. It asks GPFS what is there, and does what is missing.

usage() {
    cat <<'END'
usage: 04-settings.sh [--check | --dry-run]

sets what GPFS reads when it starts, by class

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

# The state of the daemon on each node: name, tab, state.
states() {
    ask mmgetstate -a -L -s -Y
    case "$code $reply" in
    0\ * | *:HEADER:*) ;; # where nodes do not answer, the others stand in the reply all the same
    *) stop "mmgetstate failed with exit code $code." "$reply" ;;
    esac
    columns "" "nodeName state"
}

# Attribute, class or server (all: every node), and value.
settings() {
    cat <<'END'
ignorePrefetchLUNCount all yes
maxblocksize all 16M
maxMBpS storage_servers 50000
maxMBpS metadata_servers 50000
nsdBufSpace storage_servers 30
nsdBufSpace metadata_servers 30
numaMemoryInterleave all yes
pagepool storage_servers 96G
pagepool metadata_servers 96G
tscCmdPortRange all 60000-61000
verbsPorts storage_servers mlx5_0/1 mlx5_1/1
verbsPorts metadata_servers mlx5_0/1 mlx5_1/1
verbsPorts management_servers mlx5_0/1 mlx5_1/1
verbsRdma all enable
verbsRdmaSend all yes
workerThreads storage_servers 1024
workerThreads metadata_servers 1024
END
}

# A number of bytes where the value is one, with or without a unit; any other value as it is.
same_value() {
    [ "$(in_bytes "$1")" = "$(in_bytes "$2")" ]
}

in_bytes() {
    case $1 in
    *[!0-9KMGT]* | [KMGT]*) printf '%s\n' "$1" ;;
    *K) printf '%s\n' "$((${1%K} << 10))" ;;
    *M) printf '%s\n' "$((${1%M} << 20))" ;;
    *G) printf '%s\n' "$((${1%G} << 30))" ;;
    *T) printf '%s\n' "$((${1%T} << 40))" ;;
    *) printf '%s\n' "$1" ;;
    esac
}

# Whether $1 is $3 for $2. mmlsconfig shows an attribute as "name value", or "name value [classes and nodes]".
is_set() {
    local line where value
    ask_well mmlsconfig "$1"
    while read -r line; do
        case $line in "$1 "*) ;; *) continue ;; esac
        where=all value=${line#"$1 "}
        case $value in *" ["*"]") where=${value##*\[} where=${where%]} value=${value%" ["*} ;; esac
        case ",${where// /}," in *",$2,"* | *",$2."*) same_value "$value" "$3" && return 0 ;; esac
    done <<<"$reply"
    return 1
}

set_one() {
    local running
    if [ "$mode" != dry-run ] && is_set "$1" "$2" "$3"; then
        say "Done already: $1=$3 for $2."
        return
    fi
    # maxblocksize is taken while every daemon is down, and only then.
    if [ "$1" = maxblocksize ] && [ "$mode" != dry-run ]; then
        running=$(states)
        ! cut -f 2 <<<"$running" | grep -qE '^(active|arbitrating)$' || stop "GPFS runs on some node, and maxblocksize can be changed only while it is down everywhere." \
            "mmshutdown -a, then start this script again. Every file system of the cluster goes away until mmstartup -a."
    fi
    if [ "$2" = all ]; then
        run mmchconfig "$1=$3"
    else
        run mmchconfig "$1=$3" -N "$2"
    fi
    [ "$mode" != run ] || is_set "$1" "$2" "$3" || stop "$1 is not $3 for $2." "$reply"
}

# The adapters that verbsPorts names are there under these names.
need_ports() {
    local node port
    [ "$mode" != dry-run ] || return 0
    for port in ${2//\/1/}; do
        for node in $1; do
            ask /usr/bin/ssh "$node" test -d "/sys/class/infiniband/$port"
            [ "$code" = 0 ] || stop "$node has no adapter $port." \
                "ibdev2netdev shows its adapters. Correct verbsPorts here, and in a record of your own for the next time." "$reply"
        done
    done
}

need_ports "sm01n1 sm01n2" "mlx5_0/1 mlx5_1/1"
need_ports "hm01n1 hm01n2" "mlx5_0/1 mlx5_1/1"
need_ports "mgmt1 mgmt2" "mlx5_0/1 mlx5_1/1"

while read -r name where value; do
    set_one "$name" "$where" "$value"
done < <(settings)
say "Next: 05-start.sh"
