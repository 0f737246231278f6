#!/bin/bash
# powerflex-network.sh: packets of 9000 bytes on the network of PowerFlex, now and after a restart.
# Request fast8. Run it as root on each of the 10 servers from mds01 to oss08; then with --check. The switch has to pass them, too.

set -euo pipefail
export LC_ALL=C
PATH="$PATH:/usr/sbin:/sbin"

readonly INTERFACE=p2p1
readonly MTU=9000
readonly ADDRESSES="10.30.0.1 10.30.0.2 10.30.0.3 10.30.0.4 10.30.0.5 10.30.0.6 10.30.0.7 10.30.0.8 10.30.0.9 10.30.0.10"
readonly HEADERS=28 # of IPv4 and ICMP, in a packet of ping
readonly STEPS=2

usage() {
    cat <<'END'
usage: powerflex-network.sh [--check | --dry-run] [--from STEP]

Sets an MTU of 9000 on p2p1, now and for NetworkManager.

  --check          sends packets of that size to each server, and sets nothing
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

check=no
while [ "$#" -gt 0 ]; do
    case "$1" in
    --check) check=yes ;;
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

need_interface() {
    local shown address
    shown=$(ip -o -4 addr show dev "$INTERFACE" 2>/dev/null) || stop "this server has no interface $INTERFACE."
    for address in $ADDRESSES; do
        case "$shown" in *"inet $address/"*) return 0 ;; esac
    done
    stop "$INTERFACE has none of the planned addresses." "Is this one of the 10 servers from mds01 to oss08?"
}

if [ "$check" = yes ]; then
    need_interface
    for address in $ADDRESSES; do
        ping -q -c 3 -M "do" -s $((MTU - HEADERS)) "$address" >/dev/null ||
            stop "$address does not answer a packet of $MTU bytes." \
                "Look at the MTU of both interfaces (ip link) and of the switch between them."
        say "$address answers packets of $MTU bytes."
    done
    exit 0
fi

connection="of $INTERFACE"
if [ "$mode" = run ]; then
    need_interface
    connection=$(nmcli --get-values GENERAL.CONNECTION device show "$INTERFACE")
    [ -n "$connection" ] || stop "NetworkManager has no connection on $INTERFACE." \
        "Set the MTU where the interface is configured, such as MTU=$MTU in its ifcfg file, and go on with --check."
fi
step ip link set dev "$INTERFACE" mtu "$MTU"
step nmcli connection modify "$connection" 802-3-ethernet.mtu "$MTU"
say "Done. When every server is, and the switch: powerflex-network.sh --check"
