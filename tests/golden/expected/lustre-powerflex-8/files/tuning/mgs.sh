#!/bin/bash
# mgs.sh: gives the MGS of fast8 the settings that last. Servers and clients take them from it, now and at each mount.
# Request fast8. Run it once, as root, on the server where the MGS runs: mds02 or mds01. README.md says what each is for.

set -euo pipefail
export LC_ALL=C
PATH="$PATH:/usr/sbin:/sbin"

readonly STEPS=4

usage() {
    cat <<'END'
usage: mgs.sh [--dry-run] [--from STEP]

Gives the MGS of fast8 the settings that last. It runs where the MGS runs: mds02 or mds01.

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

# Anywhere else lctl takes the command, and nobody learns of it.
need_mgs() {
    command -v lctl >/dev/null || stop "lctl is not installed here, or not on the PATH." "Run the script where the MGS runs."
    case "$(lctl dl)" in
    *" mgs MGS "*) ;;
    *) stop "the MGS does not run here." "Run the script where it does: mds02 or mds01." ;;
    esac
}

while [ "$#" -gt 0 ]; do
    case "$1" in
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

[ "$mode" = dry-run ] || need_mgs
step lctl set_param -P 'obdfilter.fast8-OST*.brw_size=16'
step lctl set_param -P 'osc.fast8-OST*-osc-[^M]*.max_pages_per_rpc=4096'
step lctl set_param -P 'llite.fast8-*.max_read_ahead_mb=1024'
step lctl set_param -P 'osc.fast8-OST*-osc-[^M]*.max_rpcs_in_flight=16'
say "Done. Clients that have fast8 mounted take all of it only when they mount it anew."
