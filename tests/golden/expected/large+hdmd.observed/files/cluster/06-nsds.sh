#!/bin/bash
# 06-nsds.sh: makes the NSDs of the stanza file
# Cluster scratch, request scratch: run it as root on mgmt1. It asks GPFS what is there, and does what is missing.
# IT DESTROYS WHAT THE DEVICES OF THE STANZA FILE HOLD, once its checks have passed.

usage() {
    cat <<'END'
usage: 06-nsds.sh [--check | --dry-run]

makes the NSDs of the stanza file

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

# The folder of this script, and what lies beside it.
FOLDER=$(cd -- "$(dirname -- "$0")" && pwd)
readonly FOLDER
STANZAS=$(dirname -- "$FOLDER")/stanzas/nsd.stanza
readonly STANZAS

# The NSDs of the plan.
planned() {
    cat <<'END'
sm01a1_data01
sm01a1_data02
sm01a1_data03
sm01a1_data04
sm01a1_data05
sm01a1_data06
sm01a1_data07
sm01a1_data08
sm01a2_data01
sm01a2_data02
sm01a2_data03
sm01a2_data04
sm01a2_data05
sm01a2_data06
sm01a2_data07
sm01a2_data08
sm01a3_data01
sm01a3_data02
sm01a3_data03
sm01a3_data04
sm01a3_data05
sm01a3_data06
sm01a3_data07
sm01a3_data08
sm01a4_data01
sm01a4_data02
sm01a4_data03
sm01a4_data04
sm01a4_data05
sm01a4_data06
sm01a4_data07
sm01a4_data08
hm01a1_meta01
hm01a1_meta02
hm01a1_meta03
hm01a1_meta04
hm01a1_meta05
hm01a1_meta06
hm01a1_meta07
hm01a1_meta08
hm01a1_meta09
hm01a1_meta10
hm01a1_meta11
hm01a1_meta12
END
}

# The stanza file is there, and has the NSDs of the plan.
need_stanzas() {
    [ -r "$STANZAS" ] || stop "$STANZAS is missing." "Copy the whole folder here, with what 'pixsize render stanzas' makes."
    [ "$(sed -n 's/^ *nsd=//p' "$STANZAS")" = "$(planned)" ] ||
        stop "$STANZAS does not have the NSDs of this script." "Render stanzas and cluster again, from one request."
}

# The NSDs that GPFS has: file system, tab, name.
there() {
    ask mmlsnsd -a -Y
    case "$code $reply" in
    *"No disks were found"*) return 0 ;;
    0\ *) columns nsd "fileSystem diskName" ;;
    *) stop "mmlsnsd failed with exit code $code." "$reply" ;;
    esac
}

# The NSDs of the plan that GPFS does not have, in the file `missing`.
missing_nsds() {
    there >"$work/there"
    comm -23 <(planned | sort) <(cut -f 2 "$work/there" | sort) >"$work/missing"
}

# The stanzas of the NSDs on stdin, and no others: mmcrnsd refuses a file with an NSD that is there already.
stanzas_of() {
    awk '
        NR == FNR { wanted[$1] = 1; next }
        /^%nsd:/ { if (name in wanted) printf "%s", text; text = ""; name = "" }
        /^#/ { next }
        { text = text $0 "\n" }
        /^ *nsd=/ { name = $1; sub(/^nsd=/, "", name) }
        END { if (name in wanted) printf "%s", text }' - "$STANZAS"
}

# Every device is there on each server of its NSD, and holds nothing: wipefs shows a signature of anything else.
need_empty() {
    local server devices holds
    awk '
        { sub(/^ +/, "") }
        /^device=/ { device = substr($0, 8) }
        /^servers=/ { count = split(substr($0, 9), names, ","); for (i = 1; i <= count; i++) on[names[i]] = on[names[i]] " " device }
        END { for (name in on) print name on[name] }' "$1" | sort >"$work/devices"
    while read -r server devices; do
        # shellcheck disable=SC2086  # a word for each device
        holds=$(timeout 120 /usr/bin/ssh "$server" wipefs --no-act $devices </dev/null 2>"$work/trouble") ||
            stop "$server does not have every device of its NSDs." "$(cat "$work/trouble")" \
                "Look at multipath -ll there, and at nsddevices."
        [ -z "$holds" ] || stop "a device of $server holds something." "$holds" \
            "Find out whose it is. What nobody needs is taken away by hand, with wipefs on that device."
    done <"$work/devices"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
need_stanzas
if [ "$mode" = dry-run ]; then
    run mmcrnsd -F "$STANZAS" -v yes
    say "Next: 07-filesystem.sh"
    exit 0
fi
missing_nsds
if [ ! -s "$work/missing" ]; then
    say "Done already: GPFS has every NSD of the plan."
else
    file=$STANZAS
    if [ "$(wc -l <"$work/missing")" -lt "$(planned | wc -l)" ]; then
        file=$work/missing.stanza
        stanzas_of <"$work/missing" >"$file"
        say "Some NSDs are there already. Missing: $(paste -sd ' ' "$work/missing")"
    fi
    need_empty "$file"
    run mmcrnsd -F "$file" -v yes
    if [ "$mode" = run ]; then
        missing_nsds
        [ ! -s "$work/missing" ] || stop "mmcrnsd is done, and GPFS lacks $(paste -sd ' ' "$work/missing")." \
            "Look at mmlsnsd, and start this script again: it makes the missing ones."
        mmlsnsd -X </dev/null
    fi
fi
say "Next: 07-filesystem.sh"
