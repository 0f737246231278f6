#!/bin/bash
# 06-sdc.sh: tells the SDC of this server, the client of PowerFlex, where the MDMs are.
# Request fast8. Run it as root on each of the 10 servers from mds01 to oss08, after 05-drives.sh.

set -euo pipefail
export LC_ALL=C
PATH="$PATH:/usr/sbin:/sbin"

readonly MDMS=10.30.0.3,10.30.0.5,10.30.0.7
readonly DRV_CFG="${DRV_CFG:-/opt/emc/scaleio/sdc/bin/drv_cfg}"
readonly STEPS=2

usage() {
    cat <<'END'
usage: 06-sdc.sh [--dry-run] [--from STEP]

Tells the SDC of one of the 10 servers from mds01 to oss08 where the MDMs are.

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

need_client() {
    [ "$(id -u)" -eq 0 ] || stop "only root can set up an SDC." "Become root (sudo -i) and start again."
    [ -x "$DRV_CFG" ] || stop "there is no $DRV_CFG." "Install the package of the SDC (README.md, section 1)."
    case "$(ip -o -4 addr show)" in
    *"inet 10.30.0.1/"*) say "This is mds01." ;;
    *"inet 10.30.0.2/"*) say "This is mds02." ;;
    *"inet 10.30.0.3/"*) say "This is oss01." ;;
    *"inet 10.30.0.4/"*) say "This is oss02." ;;
    *"inet 10.30.0.5/"*) say "This is oss03." ;;
    *"inet 10.30.0.6/"*) say "This is oss04." ;;
    *"inet 10.30.0.7/"*) say "This is oss05." ;;
    *"inet 10.30.0.8/"*) say "This is oss06." ;;
    *"inet 10.30.0.9/"*) say "This is oss07." ;;
    *"inet 10.30.0.10/"*) say "This is oss08." ;;
    *) stop "this server has no address of the 10 servers from mds01 to oss08." "Run the script on those servers." ;;
    esac
}

# The package may have been told already, when it was installed with MDM_IP: every address of the MDMs, and no other like it.
already_told() {
    local shown address
    shown=$("$DRV_CFG" --query_mdms 2>/dev/null) || return 1
    shown=" ${shown//[!0-9.]/ } "
    for address in ${MDMS//,/ }; do
        case "$shown" in *" $address "*) ;; *) return 1 ;; esac
    done
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

if [ "$mode" = run ]; then
    need_client
    if [ "$first" -eq 1 ] && already_told; then
        say "The SDC knows $MDMS already."
        first=2
    fi
fi
step "$DRV_CFG" --add_mdm --ip "$MDMS" --file /bin/emc/scaleio/drv_cfg.txt
step systemctl restart scini
[ "$mode" = dry-run ] || "$DRV_CFG" --query_mdms
say "Done. Next: 07-sdc-names.sh, on oss01, when all servers have passed."
