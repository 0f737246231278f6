#!/bin/bash
# directory-layout.sh: Shows how new directories are spread over the MDTs, and sets nothing.
# Request fast8. Run it as root on a client that has fast8 mounted.

readonly STEPS=1

usage() {
    cat <<'END'
usage: directory-layout.sh [--dry-run] [--mount DIR] [--from STEP]

Shows how new directories are spread over the MDTs, and sets nothing.

  --dry-run        prints the commands; runs nothing
  --mount DIR      where fast8 is mounted; /mnt/fast8 where nothing is said
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

while [ "$#" -gt 0 ]; do
    common_option "$@" || misused "no option $1"
    case "$1" in --mount | --from) shift ;; esac
    shift
done

begin
step lfs getdirstripe -D "$mount"
