#!/bin/bash
# 03-node-classes.sh: makes a class of nodes for each role
# Cluster scratch, request scratch: run it as root on mgmt1. It asks GPFS what is there, and does what is missing.

usage() {
    cat <<'END'
usage: 03-node-classes.sh [--check | --dry-run]

makes a class of nodes for each role

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

# The members of the class $1; nothing where there is no such class.
members() {
    ask mmlsnodeclass --user
    awk -v class="$1" '$1 == class { print $2 }' <<<"$reply"
}

# Whether the members, in the order of their names and without domains, are those of the plan.
as_planned() {
    [ "$(tr ',' '\n' <<<"${1,,}" | sed 's/\..*//' | sort)" = "$(tr ',' '\n' <<<"${2,,}" | sed 's/\..*//' | sort)" ]
}

class() {
    local found
    found=$(members "$1")
    if [ -z "$found" ]; then
        run mmcrnodeclass "$1" -N "$2"
        [ "$mode" = run ] || return 0
        found=$(members "$1")
        as_planned "$found" "$2" || stop "the class $1 has the members ${found:-none}, and not $2." "Look at mmlsnodeclass $1."
    elif as_planned "$found" "$2"; then
        say "Done already: $1 has its members."
    else
        stop "the class $1 is there, with $found, where the plan has $2." \
            "mmchnodeclass $1 replace -N $2 makes it so, if nobody else needs it as it is."
    fi
}

class storage_servers sm01n1,sm01n2
class metadata_servers hm01n1,hm01n2
class management_servers mgmt1,mgmt2
say "Next: 04-settings.sh"
