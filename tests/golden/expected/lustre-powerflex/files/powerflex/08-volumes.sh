#!/bin/bash
# 08-volumes.sh: Makes the volumes, where the pool has room for all of them.
# Request fast. Run it on oss01, after 07-sdc-names.sh. Sizes are in GiB, whatever the option says.
# It asks first which volumes there are and how much room the pool has, and makes none where there is too little for all.

set -euo pipefail
export LC_ALL=C
PATH="$PATH:/usr/sbin:/sbin"

readonly STEPS=19
readonly MASTER=oss01
readonly MASTER_IP=10.30.0.3

usage() {
    cat <<'END'
usage: 08-volumes.sh [--dry-run] [--from STEP] [--free GIB] [--skip-list]

Makes the volumes, where the pool has room for all of them.

  --dry-run        prints the commands; runs nothing
  --from STEP      begins with this step, those before it being done
  --free GIB       the room for volumes, as you read it yourself: the script does not ask
  --skip-list      does not ask which volumes there are: those before --from, and no others
  --help           this text

It runs on oss01, the master MDM, and takes the password of PowerFlex's user admin from the environment:
  read -rsp 'Password of admin: ' POWERFLEX_PASSWORD && export POWERFLEX_PASSWORD
END
}

mode=run
first=1 # the step to begin with
number=0

say() {
    printf '%s\n' "$*"
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

# A command as it could be entered.
entered() {
    local word line=""
    for word in "$@"; do
        line="$line $(printf '%q' "$word")"
    done
    say "${line# }"
}

# One step: it is shown, and run unless --from leaves it out or --dry-run runs nothing.
step() {
    step_shown_as "$(entered "$@")" "$@"
}

# The same for a command that holds a secret: $1 is what is shown of it.
step_shown_as() {
    local line=$1
    shift
    number=$((number + 1))
    if [ "$number" -lt "$first" ]; then
        say "step $number of $STEPS, left out: $line"
        return 0
    fi
    say "step $number of $STEPS: $line"
    [ "$mode" = run ] || return 0
    "$@" </dev/null ||
        stop "step $number of $STEPS failed with exit code $?; those before it are done." \
            "Read the reply above and mend its cause. Then start again with --from $number," \
            "or with --from $((number + 1)) where the reply says that this step was done already."
}

# The option --from and its number; the one behind the last step is for when all are done.
begin_with() {
    if ! [[ "${1-}" =~ ^[1-9][0-9]{0,6}$ ]] || [ "$1" -gt "$((STEPS + 1))" ]; then
        misused "--from takes the number of a step, 1 to $STEPS, or $((STEPS + 1)) when all are done"
    fi
    first=$1
}

need_master() {
    command -v scli >/dev/null || stop "scli is not installed here, or not on the PATH." "Run the script on $MASTER."
    case "$(ip -o -4 addr show)" in
    *"inet $MASTER_IP/"*) ;;
    *) stop "this server does not have the address $MASTER_IP, and so is not $MASTER." "Run the script on $MASTER." ;;
    esac
}

login() {
    say "scli --login --username admin --password ..."
    [ "$mode" = run ] || return 0
    scli --login --username admin --password "$POWERFLEX_PASSWORD" </dev/null ||
        stop "the login failed." "Is POWERFLEX_PASSWORD the password of admin, and is this the master MDM (scli --query_cluster)?"
}

free=
skip_list=no
while [ "$#" -gt 0 ]; do
    case "$1" in
    --dry-run) mode=dry-run ;;
    --from)
        begin_with "${2-}"
        shift
        ;;
    --free)
        [[ "${2-}" =~ ^[0-9]{1,9}$ ]] || misused "--free takes a number of GIB"
        free=$((10#$2))
        shift
        ;;
    --skip-list) skip_list=yes ;;
    --help)
        usage
        exit 0
        ;;
    *) misused "no option $1" ;;
    esac
    shift
done

if [ "$mode" = run ]; then
    need_master
    : "${POWERFLEX_PASSWORD:?is not set: the password of the PowerFlex user admin. See --help}"
fi

so_far="Nothing was changed."

# What a query printed, in `reply`; nothing in a dry run.
ask() {
    entered "$@"
    reply=""
    [ "$mode" = run ] || return 0
    reply=$("$@" </dev/null) || stop "$* failed." "$so_far Read its reply, and mend the cause."
}

# A step that has nothing left to do.
done_already() {
    number=$((number + 1))
    say "step $number of $STEPS, done already: $1"
}

# Whether the next step is run, and not only shown or left out.
is_next() {
    [ "$mode" = run ] && [ "$((number + 1))" -ge "$first" ]
}

readonly SKIP="--skip-list: those before --from are there then, and no others."

readonly DOMAIN=pd1
readonly POOL=sp1

# Sizes as scli prints them, in KiB.
kib() {
    case "$2" in
    K) echo "$1" ;;
    M) echo "$(($1 * 1024))" ;;
    G) echo "$(($1 * 1024 * 1024))" ;;
    T) echo "$(($1 * 1024 * 1024 * 1024))" ;;
    esac
}

# The volumes that there are: their sizes in KiB, the domain and the pool of each, and what else its row says.
declare -A size_of=() domain_of=() pool_of=() rest_of=()

# Asks for the volumes that there are. The form of the reply is from memory; a volume lies in the pool above its row:
#   Query-all-volumes returned 1 volumes
#   Protection Domain 5c0c4e7a00000000 Name: pd1
#   Storage Pool 7d8c3b9e00000000 Name: sp1
#   Volume ID: 9c57f31300000000 Name: mgt Size: 8.0 GB (8192 MB) Mapped to 2 SDC Thick-provisioned
# A reply that cannot be read ends the script.
query_volumes() {
    local line domain="" pool="" known=no
    local heading='[[:space:]]+[^[:space:]]+[[:space:]]+Name:?[[:space:]]+([A-Za-z0-9][A-Za-z0-9_.-]{0,30})[[:space:]]*$'
    [ "$skip_list" = no ] || return 0
    ask scli --query_all_volumes
    [ "$mode" = run ] || return 0
    shopt -s nocasematch
    while IFS= read -r line; do
        case "${line#"${line%%[![:space:]]*}"}" in
        *"Volume ID"*)
            take_volume "$line" "$domain" "$pool"
            known=yes
            ;;
        "Protection Domain"*)
            domain="" pool=""
            [[ ! "$line" =~ Domain:?$heading ]] || domain=${BASH_REMATCH[1]}
            ;;
        "Storage Pool"*)
            pool=""
            [[ ! "$line" =~ Pool:?$heading ]] || pool=${BASH_REMATCH[1]}
            ;;
        *query-all-volumes*) known=yes ;;
        esac
    done <<<"$reply"
    shopt -u nocasematch
    [ "$known" = yes ] || unread "${reply%%$'\n'*}" "$SKIP"
}

# Notes the volume of a row: $2 and $3 are the domain and the pool above it.
take_volume() {
    local name row='^[[:space:]]*Volume ID:?[[:space:]]+[0-9a-f]+,?[[:space:]]+Name:?[[:space:]]+([^[:space:],]+),?[[:space:]]+'
    row+='Size:?[[:space:]]+([0-9.]+ ?[KMGT]B \()?([0-9]{1,12}) ?([KMGT])B\)?(.*)$'
    [[ "$1" =~ $row ]] || unread "$1" "$SKIP"
    name=${BASH_REMATCH[1]}
    [ "$name" != N/A ] || return 0
    [ -z "${size_of["$name"]-}" ] || unread "two rows for $name" "$SKIP"
    rest_of["$name"]=${BASH_REMATCH[5]//[^A-Za-z0-9 -]/}
    size_of["$name"]=$(kib "${BASH_REMATCH[3]}" "${BASH_REMATCH[4]}")
    domain_of["$name"]=$2
    pool_of["$name"]=$3
}

unread() {
    stop "a reply cannot be read: $1" "$so_far Read the reply yourself, and start again with" "$2"
}

# Calls $1 with the name of each planned volume and its GiB.
each_volume() {
    "$1" mgt 8
    "$1" mdt0000 552
    "$1" mdt0001 552
    "$1" ost0000 1304
    "$1" ost0001 1304
    "$1" ost0002 1304
    "$1" ost0003 1304
    "$1" ost0004 1304
    "$1" ost0005 1304
    "$1" ost0006 1304
    "$1" ost0007 1304
    "$1" ost0008 1304
    "$1" ost0009 1304
    "$1" ost000a 1304
    "$1" ost000b 1304
    "$1" ost000c 1304
    "$1" ost000d 1304
    "$1" ost000e 1304
    "$1" ost000f 1304
}

# Whether a planned volume is there. One that is has to lie in the planned pool, to have the planned size, and to be thick.
is_there() {
    local domain=${domain_of["$1"]-} pool=${pool_of["$1"]-}
    [ -n "${size_of["$1"]-}" ] || return 1
    if [ -z "$domain" ] || [ -z "$pool" ]; then
        unread "no line above the row of $1 says in which protection domain and storage pool it lies" "$SKIP"
    elif [ "$domain/$pool" != "$DOMAIN/$POOL" ]; then
        stop "the volume $1 is there, in pool $pool of domain $domain; planned is pool $POOL of domain $DOMAIN." \
            "$so_far It is not the planned one; its row says:${rest_of["$1"]:- nothing more}. Whose is it? scli --query_all_volumes" \
            "Its owner has to give it another name before this script can go on."
    elif [ "${size_of["$1"]}" -ne "$(($2 * 1024 * 1024))" ]; then
        stop "the volume $1 is there, with another size than $2 GiB." "$so_far Whose is it? scli --query_all_volumes"
    elif [[ "${rest_of["$1"],,}" == *thin* ]]; then
        stop "the volume $1 is there, and thin; the planned ones are thick." \
            "$so_far Its row says:${rest_of["$1"]}. A thin volume takes room as it is written, so that the pool may be full" \
            "before its targets are. Whose is it? Where nothing is on it, its owner removes it, and 08-volumes.sh makes it anew."
    fi
}

readonly MOST=22798 # GiB: what the drives give for volumes, and 2 % more

# The room for volumes, in GiB, in `free`. It is assumed to be what is left once spare share and second copies are off: no
# public source says so (README.md, section 7), and need_room looks whether it can be. The form is from memory:
#   Storage Pool sp1 (Id: 7d8c3b9e00000000) has 0 volumes and 21.8 TB (22350 GB) available for volume allocation
query_room() {
    local line size
    local row='Storage Pool:? +([^ ,]+) .*has [0-9]+ volumes? and ([0-9.]+ ?[KMGT]B \()?([0-9]{1,12}) ?([KMGT])B\)? available for volume allocation'
    local none='Storage Pool:? +([^ ,]+) .*has [0-9]+ volumes? and 0 Bytes? available for volume allocation'
    [ -z "$free" ] || return 0
    ask scli --query_storage_pool --protection_domain_name "$DOMAIN" --storage_pool_name "$POOL"
    [ "$mode" = run ] || return 0
    while IFS= read -r line; do
        if [[ "$line" =~ $row ]] && [ "${BASH_REMATCH[1]}" = "$POOL" ]; then
            size=$(kib "${BASH_REMATCH[3]}" "${BASH_REMATCH[4]}")
            free=$((size / 1024 / 1024))
        elif [[ "$line" =~ $none ]] && [ "${BASH_REMATCH[1]}" = "$POOL" ]; then
            free=0
        fi
    done <<<"$reply"
    read_here=yes
    [ -n "$free" ] ||
        unread "${reply%%$'\n'*}" "--free and the GiB that the pool has left for volumes, spare share and second copies off."
}

# Adds up what the volumes take that are still to be made, and counts those that are there.
count() {
    place=$((place + 1))
    if is_there "$1" "$2"; then
        kept=$((kept + 1))
        kept_gib=$((kept_gib + $2))
    elif [ "$place" -ge "$first" ]; then
        needed=$((needed + $2))
    fi
}

# On a first run nobody expects a volume to be there: all that are get shown.
show_kept() {
    [ "$first" -eq 1 ] && [ "$kept" -gt 0 ] || return 0
    say "$kept of the $STEPS planned volumes are there already, in pool $POOL of domain $DOMAIN. They are kept as they are:"
    each_volume show
    say "Are they not from an earlier run of this script? Then find out whose they are before you run 09-maps.sh."
}

show() {
    [ -z "${size_of["$1"]-}" ] || say "  kept: $1, $2 GiB,${rest_of["$1"]:- no more is said}"
}

need_room() {
    [ "$mode" = run ] || return 0
    [ "$needed" -le "$free" ] || stop "the volumes that are not there yet take $needed GiB, and $POOL has $free GiB left for volumes." \
        "No volume was made. Are all drives in the pool (05-drives.sh), is its spare share 25 %, are there volumes of others?" \
        "Otherwise plan smaller OSTs (powerflex: {ost: ...}), and render everything anew."
    [ "$read_here" = no ] || [ "$needed" -eq 0 ] || [ "$((free + kept_gib))" -le "$MOST" ] ||
        stop "$POOL says that $free GiB are left for volumes, beside $kept_gib GiB of planned ones: more than its drives can give, 22351 GiB." \
            "No volume was made. Are spare share and second copies still in it, or has the pool other drives than planned?" \
            "Take off yourself what is no room for volumes (scli --query_storage_pool), and start again with --free and the GiB left."
    say "The volumes that are not there yet take $needed GiB of the $free GiB that $POOL has left for volumes."
}

make() {
    if is_next && [ -n "${size_of["$1"]-}" ]; then
        done_already "$1 is there, of $2 GiB"
    else
        step scli --add_volume --protection_domain_name "$DOMAIN" --storage_pool_name "$POOL" --volume_name "$1" --size_gb "$2"
    fi
}

place=0
needed=0
kept=0
kept_gib=0
read_here=no # whether the script itself has read the room
login
query_volumes
query_room
each_volume count
show_kept
need_room
each_volume make
say "Done. Next: 09-maps.sh, here."
