# lib.sh: what the scripts of this folder share. They read it; nobody runs it.
# Request scratch. Every value below is of its plan: render bench again rather than change one.
# shellcheck shell=bash

set -euo pipefail
export LC_ALL=C
PATH="$PATH:/usr/sbin:/sbin"
export USER="${USER:-root}" # IOR 3.1 crashes without it
export RSH=ssh              # IOzone starts its clients with it
HERE=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
readonly HERE

readonly PLAN=scratch
readonly DIRECTORY=/mnt/scratch # below it lies the folder of the benchmarks, and nothing else is touched
readonly FSTYPE=lustre
readonly OWN="$DIRECTORY/pixsize-bench-$PLAN"
readonly MARKER=.pixsize-bench
readonly MPI=intel
readonly RESULTS="$HERE/results" LOGS="$HERE/logs" STATE="$HERE/state"
readonly CLIENTS=(client0001 client0002 client0003 client0004 client0005 client0006 client0007 client0008 client0009 client0010 client0011 client0012 client0013 client0014 client0015 client0016 client0017 client0018 client0019 client0020 client0021 client0022 client0023 client0024 client0025 client0026 client0027 client0028 client0029 client0030 client0031 client0032)
readonly SERVERS=(mds01 mds02 oss01 oss02)

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
        [[ $word =~ ^[A-Za-z0-9_./:=,%+@-]+$ ]] || word=$(printf '%q' "$word") # bash 4.2 of EL7 has no @Q
        line="$line $word"
    done
    say "+${line}"
}

is_dry() {
    [ "$mode" = dry-run ]
}

# A command on another node, word by word. What it says comes back; a node that is silent counts as a failure.
on() {
    local host=$1
    shift
    ssh -n -o BatchMode=yes -o ConnectTimeout=10 "$host" "$(printf '%q ' "$@")"
}

# The same, shown, and not done in a dry run. It has to succeed.
do_on() {
    local host=$1
    shift
    entered ssh "$host" "$@"
    is_dry || on "$host" "$@" || stop "$1 failed on $host with exit code $?." "Mend the cause, and start again."
}

# The same, shown in a dry run alone: what is done on every node again and again.
silently_on() {
    local host=$1
    shift
    if is_dry; then
        entered ssh "$host" "$@"
    else
        on "$host" "$@" >/dev/null || stop "$1 failed on $host with exit code $?." "Mend the cause, and start again."
    fi
}

do_here() {
    entered "$@"
    is_dry || "$@" </dev/null || stop "$1 failed with exit code $?." "Mend the cause, and start again."
}

joined() {
    local IFS=,
    printf '%s' "$*"
}

# The folder of the benchmarks: this plan's, on the file system of this plan, made by these scripts.
own_check() {
    local real
    if [ ! -d "$OWN" ] || [ -L "$OWN" ]; then
        stop "$OWN is no folder of its own." "Nothing is written or removed."
    fi
    real=$(cd -- "$OWN" && pwd -P)
    [ "$real" = "$(cd -- "$DIRECTORY" && pwd -P)/pixsize-bench-$PLAN" ] || stop "$OWN leads to $real." "Nothing is written or removed."
    if [ ! -f "$OWN/$MARKER" ] || [ -L "$OWN/$MARKER" ] || [ "$(cat -- "$OWN/$MARKER")" != "pixsize bench $PLAN" ]; then
        stop "$OWN has no file $MARKER of these scripts." "Somebody else made the folder: nothing is written or removed."
    fi
}

own_make() {
    is_dry && return
    [ -d "$DIRECTORY" ] || stop "$DIRECTORY is not there." "Mount the file system, and make the folder."
    [ "$(findmnt -n -o FSTYPE --target "$DIRECTORY")" = "$FSTYPE" ] ||
        stop "$DIRECTORY is not on a file system of type $FSTYPE." "Mount it; otherwise the system disk would be measured."
    [ "$(findmnt -n -o TARGET --target "$HERE")" != "$(findmnt -n -o TARGET --target "$DIRECTORY")" ] ||
        stop "these scripts lie on the file system that they measure." "Copy the folder to a disk of this node."
    if [ ! -e "$OWN" ] && [ ! -L "$OWN" ]; then
        mkdir -- "$OWN"
        printf 'pixsize bench %s\n' "$PLAN" >"$OWN/$MARKER"
    fi
    own_check
}

# The name of a test, which becomes a folder: never empty, and without a slash.
test_name() {
    [[ ${1-} =~ ^[a-z0-9_]{1,20}$ ]] || stop "'${1-}' is no name of a test."
}

# The data of a test go, and nothing else does. rm follows no link.
data_remove() {
    test_name "${1-}"
    is_dry && { entered rm -rf --one-file-system -- "$OWN/$1" && return; }
    own_check
    [ ! -L "$OWN/$1" ] || stop "$OWN/$1 is a link." "Nothing is removed."
    rm -f -- "${STATE:?}/${1:?}.data" # first, so that data which are there in part never count as written
    rm -rf --one-file-system -- "${OWN:?}/${1:?}"
}

# Caches of clients and of servers, so that what was written comes from the drives.
drop_caches() {
    local host
    say "Dropping the caches of ${#CLIENTS[@]} clients and ${#SERVERS[@]} servers."
    for host in "${CLIENTS[@]}" "${SERVERS[@]}"; do
        silently_on "$host" sh -c 'sync; echo 3 >/proc/sys/vm/drop_caches'
    done
    for host in "${CLIENTS[@]}"; do
        silently_on "$host" lctl set_param -n 'ldlm.namespaces.scratch-*.lru_size=clear'
    done
}

# Nothing else may run: no other benchmark, and hardly any load. The load of the run before fades within some minutes.
need_idle() {
    local host said code minutes
    is_dry || [ "$busy" = yes ] && return
    for host in "${CLIENTS[@]}" "${SERVERS[@]}"; do
        for minutes in 10 9 8 7 6 5 4 3 2 1 0; do
            said=$(on "$host" sh -c 'cut -d " " -f 1 /proc/loadavg; nproc; pgrep -lx "ior|mdtest|iozone" || true') ||
                stop "$host does not answer." "ssh $host has to work from here, as root and without a password."
            code=0
            awk -v host="$host" '
                NR == 1 { load = $1 } NR == 2 { cores = $1 } NR > 2 { running = running " " $2 "(" $1 ")" }
                END {
                    if (NR < 2) { print host " does not tell its load"; exit 1 }
                    if (running != "") { print host " runs" running; exit 1 }
                    if (load > 1 + cores / 20) { print host " has a load of " load; exit 3 }
                }' <<<"$said" >&2 || code=$?
            [ "$code" != 0 ] || break
            if [ "$code" != 3 ] || [ "$minutes" -eq 0 ]; then
                stop "$host is not idle." "An interrupted run may have left a program there: end it by its number." \
                    "Otherwise wait, or start again with --busy: what is measured then is not the system alone."
            fi
            say "Waiting for the load to fade, for $minutes minutes at most."
            sleep 60
        done
    done
}

# The settings that a test needs, by their name, or none.
need_settings() {
    local now=none
    is_dry && return
    [ ! -f "$STATE/settings" ] || now=$(cat "$STATE/settings")
    [ "$now" = "$1" ] || stop "the settings are '$now', and this test needs '$1'." "$2"
}

# A text within a JSON string.
json() {
    local text=${1//[^ -~]/?}
    text=${text//\\/\\\\}
    printf '"%s"' "${text//\"/\\\"}"
}

json_list() {
    local item line=""
    for item in "$@"; do
        line="$line, $(json "$item")"
    done
    printf '[%s]' "${line#, }"
}

# Whether an output is whole, by the last line that its tool writes.
is_whole() {
    case $1 in
    ior) grep -qE '^Finished *:' "$2" ;;
    mdtest) grep -qE '^-- finished at' "$2" ;;
    iozone) grep -qE '^iozone test complete\.' "$2" ;;
    *) false ;;
    esac
}

# The version that an output names.
version_in() {
    case $1 in
    ior) sed -nE 's/^IOR-([0-9][^: ]*).*/\1/p' "$2" ;;
    mdtest) sed -nE 's/^mdtest-([0-9][^ ]*) was launched.*/\1/p' "$2" ;;
    iozone) sed -nE 's/.*Version .Revision: ([0-9.]+) .*/\1/p' "$2" ;;
    esac | head -n 1
}

# What `measure` writes of a point: scripts set it.
threads=0 each=0 settings=none
child=""
interrupted() {
    trap - INT TERM
    [ -z "$child" ] || { kill -TERM "$child" 2>/dev/null && wait "$child" 2>/dev/null; } || true
    printf '\nInterrupted. What is done stays done: start the script again, and it goes on.\n' >&2
    exit 130
}
trap interrupted INT TERM

# How long $1 seconds are, in words.
lasting() {
    if [ "$1" -lt 60 ]; then
        printf '%d s' "$1"
    elif [ "$1" -lt 7200 ]; then
        printf '%d min' "$((($1 + 59) / 60))"
    else
        printf '%d h %02d min' "$(($1 / 3600))" "$(($1 % 3600 / 60))"
    fi
}

# One output, unless it is there already: its name, tool and version, the seconds that the plan expects, then the command.
# The variables of the point (threads, each, settings, ...) go into the JSON beside it. What measures no figure is kept in
# the folder of the logs: $1 is `result` or `log`.
measure() {
    local kind=$1 name=$2 tool=$3 version=$4 expected=$5 folder=$RESULTS code=0 began seen hosts
    shift 5
    [ "$kind" = result ] || folder=$LOGS
    if is_dry; then
        entered "$@"
        return
    fi
    mkdir -p -- "$RESULTS" "$LOGS" "$STATE"
    say "$(date +%H:%M:%S) $name: about $(lasting "$expected") at the plan's rates"
    began=$SECONDS
    # IOzone waits for ever where a file is missing or a client is silent.
    timeout --kill-after=60 "$((expected * 20 + 3600))" "$@" </dev/null >"$LOGS/$name.part" 2>"$LOGS/$name.err" &
    child=$!
    wait "$child" || code=$?
    child=""
    if [ "$code" != 0 ] || ! is_whole "$tool" "$LOGS/$name.part"; then
        mv -f -- "$LOGS/$name.part" "$LOGS/$name.failed"
        tail -n 5 "$LOGS/$name.failed" "$LOGS/$name.err" >&2 || true
        stop "$tool ended with exit code $code, and its output is not whole." "It is $LOGS/$name.failed, what it complained of $LOGS/$name.err."
    fi
    seen=$(version_in "$tool" "$LOGS/$name.part")
    if [ "${seen,,}" != "${version,,}" ]; then
        mv -f -- "$LOGS/$name.part" "$LOGS/$name.failed"
        stop "this is $tool $seen, and the options are those of $version." "Say tools: {$tool: $seen} in the request, and render bench again."
    fi
    mapfile -t hosts < <(sort -u "$HERE/hosts/$threads.list")
    {
        printf '{"schema": "pixsize.bench/1", "output": %s, "plan": %s, ' "$(json "$name.txt")" "$(json "$PLAN")"
        printf '"tool": %s, "version": %s, "mpi": %s, ' "$(json "$tool")" "$(json "$seen")" "$(json "$MPI")"
        printf '"threads": %d, "bytes_each": %d, "seconds": %d, ' "$threads" "$((each * 1048576))" "$((SECONDS - began))"
        printf '"settings": %s, "hosts": %s, ' "$(json "$settings")" "$(json_list ${hosts[@]+"${hosts[@]}"})"
        printf '"command": %s}\n' "$(json_list "$@")"
    } >"$folder/$name.json"
    mv -f -- "$LOGS/$name.part" "$folder/$name.txt"
}

# The path of a program of this node, which has to be the same on every client.
program() {
    is_dry && printf '%s' "$1" && return
    command -v "$1" || stop "$1 is not installed here, or not on the PATH." "Install it on every client, in the same folder."
}

mode=run busy=no only=""
data="" # the size of data, which scripts that measure it look at
# The options of a script.
read_options() {
    while [ "$#" -gt 0 ]; do
        case "$1" in
        --dry-run) mode=dry-run ;;
        --busy) busy=yes ;;
        --threads)
            [[ "${2-}" =~ ^[1-9][0-9]{0,5}(,[1-9][0-9]{0,5})*$ ]] || misused "--threads takes numbers with commas between them"
            only=$2
            shift
            ;;
        --data)
            [[ "${2-}" =~ ^(memory|document)$ ]] || misused "--data takes memory or document"
            # shellcheck disable=SC2034  # scripts read it
            data=$2
            shift
            ;;
        --help)
            usage
            exit 0
            ;;
        *) misused "no option $1" ;;
        esac
        shift
    done
}

# Whether a point is among those that were asked for.
is_wanted() {
    [ -z "$only" ] || [[ ",$only," == *",$1,"* ]]
}

need_root() {
    is_dry || [ "$(id -u)" = 0 ] || stop "only root can do this." "Become root (sudo -i) and start again."
}
