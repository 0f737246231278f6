#!/bin/bash
# directories.sh: makes directories on one MDT after the other, so that each of the 2 has its share of the files.
# Request fast8. Run it as root on a client that has fast8 mounted.
# Lustre 2.15.8 spreads directories by itself: this is for who wants to say which lies where.

usage() {
    cat <<'END'
usage: directories.sh [--dry-run] [--mount DIR] [--from STEP] [--first INDEX] NAME...

Makes each directory right below the mount point of fast8, in turn on MDT 0 to 1.
What is made below a directory may lie on another MDT.

  --dry-run        prints the commands; runs nothing
  --mount DIR      where fast8 is mounted; /mnt/fast8 where nothing is said
  --first INDEX    the MDT of the first directory; 0 where nothing is said
  --from STEP      begins with this step, those before it being done
  --help           this text
END
}

set -euo pipefail
export LC_ALL=C
PATH="$PATH:/usr/sbin:/sbin"

readonly FSNAME=fast8
mount=/mnt/fast8
from=1

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

# The options that all of these scripts know; 1 for any other, which is left in $1.
common_option() {
    case "$1" in
    --dry-run) mode=dry-run ;;
    --mount)
        [[ "${2-}" == /* ]] || misused "--mount takes the folder where $FSNAME is mounted"
        mount=${2%/}
        ;;
    --from)
        [ "$#" -ge 2 ] || misused "--from takes the number of a step"
        from=$2
        ;;
    --help)
        usage
        exit 0
        ;;
    *) return 1 ;;
    esac
}

# Before the first step, when all options are known.
begin() {
    begin_with "$from"
    [ "$mode" = dry-run ] || need_mount
}

need_mount() {
    local source
    command -v lfs >/dev/null || stop "lfs is not installed here, or not on the PATH." "Run the script on a client."
    [ "$(id -u)" -eq 0 ] || stop "only root may do this." "Become root (sudo -i) and start again."
    source=$(awk -v point="$mount" '$2 == point && $3 == "lustre" { print $1; exit }' /proc/mounts)
    case "$source" in
    *":/$FSNAME") ;;
    "") stop "no Lustre file system is mounted on $mount." "Mount $FSNAME there, or name its folder: --mount DIR" ;;
    *) stop "$mount is another file system: $source" "Name the folder of $FSNAME: --mount DIR" ;;
    esac
}

readonly MDTS=2
turn=0
names=()
count=0
while [ "$#" -gt 0 ]; do
    case "$1" in
    --first)
        if ! [[ "${2-}" =~ ^[0-9]{1,4}$ ]] || [ "$((10#$2))" -ge "$MDTS" ]; then
            misused "--first takes the index of an MDT, 0 to 1"
        fi
        turn=$((10#$2))
        shift
        ;;
    -*)
        common_option "$@" || misused "no option $1"
        case "$1" in --mount | --from) shift ;; esac
        ;;
    *)
        [[ "$1" =~ ^[A-Za-z0-9_][A-Za-z0-9._-]{0,254}$ ]] || misused "no name for a directory: $1"
        names+=("$1")
        count=$((count + 1))
        ;;
    esac
    shift
done
readonly STEPS=$count
[ "$STEPS" -gt 0 ] || misused "which directories?"

begin
for name in "${names[@]}"; do
    step lfs mkdir --mdt-index "$turn" "$mount/$name"
    turn=$(((turn + 1) % MDTS))
done
