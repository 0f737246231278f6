#!/bin/bash
# 01-policy.sh: gives the file system its policy
# Cluster scratch, request scratch: run it as root on mgmt1. It asks GPFS what is there, and does what is missing.

usage() {
    cat <<'END'
usage: 01-policy.sh [--check | --dry-run]

gives the file system its policy

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

FOLDER=$(cd -- "$(dirname -- "$0")" && pwd)
POLICY=$FOLDER/mmfs1.policy
readonly FOLDER POLICY

# A text in one line, without what stands between /* and */.
rules_of() {
    tr -s '[:space:]' ' ' | sed -e 's|/\*[^*]*\*/||g' -e 's/  */ /g' -e 's/^ //' -e 's/ $//'
}

# The rules of a text, one a line.
each_rule() {
    rules_of | sed 's/ \(RULE \)/\n\1/g'
}

[ -r "$POLICY" ] || stop "$POLICY is missing." "Copy the whole folder here."
wanted=$(rules_of <"$POLICY")
case "$wanted" in
*"RULE 'default' SET POOL 'data'") ;;
*) stop "the last rule of $POLICY is not RULE 'default' SET POOL 'data'." "A file that no rule fits cannot be created: put that rule last." ;;
esac

# The policy that GPFS has, empty for none, and for the one that every new file system has.
installed() {
    ask mmlspolicy mmfs1 -L
    case "$code $reply" in
    *"No policy file was installed"*) return 0 ;;
    0\ *) rules_of <<<"$reply" ;;
    *) stop "mmlspolicy failed with exit code $code." "$reply" ;;
    esac
}

found=$(installed)
if [ "$mode" != dry-run ] && [ "$found" = "$wanted" ]; then
    say "Done already: mmfs1 has this policy."
else
    while read -r rule; do
        [ -z "$rule" ] || each_rule <"$POLICY" | grep -Fxq -- "$rule" ||
            stop "mmfs1 has a rule that $POLICY has not: $rule" \
                "Whose is it? Write it into the file, before the last rule, and start again."
    done < <(each_rule <<<"$found")
    run mmchpolicy mmfs1 "$POLICY" -I test
    run mmchpolicy mmfs1 "$POLICY"
    if [ "$mode" = run ]; then
        found=$(installed)
        [ "$found" = "$wanted" ] || stop "mmfs1 has another policy than $POLICY." "mmlspolicy mmfs1 -L: $found"
    fi
fi
say "Done: mmfs1 has its policy."
