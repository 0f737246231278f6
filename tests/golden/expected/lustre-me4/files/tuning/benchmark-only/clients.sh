#!/bin/bash
# FOR A BENCHMARK ONLY, AND NEVER FOR ANYBODY'S DATA: clients.sh changes settings of a client until they are taken back.
# Request scratch. Run it as root on each client for the time of the benchmark, and --undo it there afterwards.
#
# at_max: The default is 600 already; given so that it holds beside the other two.
#
# at_min: Printed for clients alone, but it must be the same on servers and clients. The manual's ideal is the default, 0: with 250, nobody waits for less than 250 s before a lost server is taken for lost, and failover takes longer.
#
# osc.scratch-OST*-osc-[^M]*.checksums: Data that changes between client and OSS is no longer noticed. Never leave it so for anybody's data.
#
# osc.scratch-OST*-osc-[^M]*.max_rpcs_in_flight: The document raised it on the clients of its benchmark, for that benchmark. The default is 8. 256 is the most that the manual allows; with many clients it keeps long queues at each OSS, and one client can hold up all others.
#
# timeout: Printed for clients alone, but it must be the same on servers and clients. It holds for every file system of the node, and a lost server is noticed later.

set -euo pipefail
export LC_ALL=C
PATH="$PATH:/usr/sbin:/sbin"

readonly STEPS=5

usage() {
    cat <<'END'
usage: clients.sh --set | --undo [--dry-run] [--from STEP]

For a benchmark only: changes settings of a client for a while.

  --set            sets them
  --undo           sets them back to what Lustre has by itself
  --dry-run        prints the commands; runs nothing
  --from STEP      begins with this step, those before it being done
  --help           this text
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

# Anywhere else these settings would be those of other file systems.
need_here() {
    command -v lctl >/dev/null || stop "lctl is not installed here, or not on the PATH." "Run the script on each client."
    [ "$(id -u)" -eq 0 ] || stop "only root may do this." "Become root (sudo -i) and start again."
    # What is taken back is a setting of the node, and stays when nothing is mounted.
    [ "$wanted" = --undo ] || lctl dl | awk '$3 == "lov" && index($4, "scratch-clilov-") == 1 { found = 1 } END { exit !found }' ||
        stop "scratch is not mounted here." "Run the script on each client, after the mount."
}

wanted=""
while [ "$#" -gt 0 ]; do
    case "$1" in
    --set | --undo) wanted=$1 ;;
    --dry-run) mode=dry-run ;;
    --from)
        begin_with "${2-}"
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

[ -z "$wanted" ] || [ "$mode" = dry-run ] || need_here
case "$wanted" in
--set)
    step lctl set_param 'at_max=600'
    step lctl set_param 'at_min=250'
    step lctl set_param 'osc.scratch-OST*-osc-[^M]*.checksums=0'
    step lctl set_param 'osc.scratch-OST*-osc-[^M]*.max_rpcs_in_flight=256'
    step lctl set_param 'timeout=600'
    ;;
--undo)
    step lctl set_param 'at_max=600'
    step lctl set_param 'at_min=0'
    step lctl set_param 'osc.scratch-OST*-osc-[^M]*.checksums=1'
    step lctl set_param 'osc.scratch-OST*-osc-[^M]*.max_rpcs_in_flight=8'
    step lctl set_param 'timeout=100'
    ;;
*) misused "--set or --undo?" ;;
esac
