#!/bin/bash
# 07-sdc-names.sh: Gives each SDC the name of its server, and sees whether it is connected.
# Request fast8. Run it on oss01, after 06-sdc.sh has passed on every server below.
# It asks first which SDCs there are: one that has registered itself is given its name, one that has its name is left alone.
# At the end it asks whether all of them are connected.

set -euo pipefail
export LC_ALL=C
PATH="$PATH:/usr/sbin:/sbin"

readonly STEPS=10
readonly MASTER=oss01
readonly MASTER_IP=10.30.0.3

usage() {
    cat <<'END'
usage: 07-sdc-names.sh [--dry-run] [--from STEP] [--restricted]

Gives each SDC the name of its server, and sees whether it is connected.

  --dry-run        prints the commands; runs nothing
  --from STEP      begins with this step, those before it being done
  --restricted     lets in each SDC that is not there yet: PowerFlex is in restricted mode
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

restricted=no
while [ "$#" -gt 0 ]; do
    case "$1" in
    --dry-run) mode=dry-run ;;
    --from)
        begin_with "${2-}"
        shift
        ;;
    --restricted) restricted=yes ;;
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

declare -A name_of=() ip_of=() state_of=() # what the MDM says of its SDCs

# Asks for the SDCs that there are. The form of the reply is from memory:
#   MDM restricted SDC mode: Disabled
#   Query all SDC returned 2 SDC nodes.
#   SDC ID: 7b2c9d1e00000000 Name: N/A IP: 10.30.0.1 State: Connected GUID: 3C5D...
# A reply that cannot be read ends the script.
query_sdcs() {
    local line ip known=no
    local row='SDC ID:? +[0-9a-fA-F]+,? +Name:? +([^ ,]+),? +IP:? +([0-9.]+)'
    local state='State:? +([A-Za-z_-]+),?( |$)'
    ask scli --query_all_sdc
    [ "$mode" = run ] || return 0
    name_of=() ip_of=() state_of=()
    while IFS= read -r line; do
        case "$line" in
        *"SDC ID"*)
            [[ "$line" =~ $row ]] || unread "$line"
            name_of["${BASH_REMATCH[2]}"]=${BASH_REMATCH[1]}
            ip_of["${BASH_REMATCH[1]}"]=${BASH_REMATCH[2]}
            ip=${BASH_REMATCH[2]}
            state_of["$ip"]="state not shown"
            [[ ! "$line" =~ $state ]] || state_of["$ip"]=${BASH_REMATCH[1]}
            known=yes
            ;;
        *estricted*ode*nabled*) restricted=yes ;;
        *uery*SDC*returned*) known=yes ;;
        esac
    done <<<"$reply"
    [ "$known" = yes ] || unread "${reply%%$'\n'*}"
}

unread() {
    stop "the reply to scli --query_all_sdc cannot be read: $1" \
        "$so_far Read it yourself, name each SDC as README.md, section 6, has it, and go on with 08-volumes.sh."
}

# Sees to it that the SDC with this address has this name. An SDC that has another name keeps it.
name_sdc() {
    local ip=$1 name=$2 other
    if ! is_next; then
        step scli --rename_sdc --sdc_ip "$ip" --new_name "$name"
        return
    fi
    other=${ip_of["$name"]-$ip}
    [ "$other" = "$ip" ] || stop "$name is the name of the SDC with the address $other, and planned for $ip." "Which server is it?"
    case "${name_of["$ip"]-}" in
    "$name") done_already "the SDC with the address $ip is $name" ;;
    N/A) step scli --rename_sdc --sdc_ip "$ip" --new_name "$name" ;;
    "") let_in "$ip" "$name" ;;
    *)
        stop "the SDC with the address $ip is ${name_of["$ip"]}, and planned as $name." \
            "Where nothing uses it under that name: scli --rename_sdc --sdc_ip $ip --new_name $name. Then start again."
        ;;
    esac
}

# In restricted mode an SDC has to be let in, which also names it; otherwise it registers itself, or was never set up.
let_in() {
    [ "$restricted" = yes ] ||
        stop "no SDC with the address $1 ($2) has registered itself." \
            "Run 06-sdc.sh on $2, and look there at drv_cfg --query_mdms and at the network to the MDMs." \
            "Where this PowerFlex is in restricted mode, start again with --restricted: the SDC is then let in."
    step scli --add_sdc --sdc_ip "$1" --sdc_name "$2"
}

# Calls $1 with the address of each SDC and its name.
each_sdc() {
    "$1" 10.30.0.1 mds01
    "$1" 10.30.0.2 mds02
    "$1" 10.30.0.3 oss01
    "$1" 10.30.0.4 oss02
    "$1" 10.30.0.5 oss03
    "$1" 10.30.0.6 oss04
    "$1" 10.30.0.7 oss05
    "$1" 10.30.0.8 oss06
    "$1" 10.30.0.9 oss07
    "$1" 10.30.0.10 oss08
}

# Adds an SDC to `missing` that is not connected, with what is said of it.
look_at() {
    local state=${state_of["$1"]-not there}
    [ "$state" = Connected ] || missing="$missing${missing:+, }$2 ($1: $state)"
}

# A name connects nobody: asks once more, and again for a while, as an SDC that was just let in takes a moment.
need_connected() {
    local try
    for try in 1 2 3 4 5 6; do
        query_sdcs
        [ "$mode" = run ] || return 0
        missing=""
        each_sdc look_at
        [ -n "$missing" ] || return 0
        [ "$try" -lt 6 ] || break
        say "not connected yet: $missing; look $try of 6"
        sleep 5
    done
    stop "every SDC has its name, but these are not connected: $missing." \
        "A volume that is mapped to such an SDC appears on no server. Look there at systemctl status scini, at" \
        "drv_cfg --query_mdms, and at the network to the MDMs. Then start this script again: names that are right stay." \
        "Go on with 08-volumes.sh when scli --query_all_sdc shows all of them as connected."
}

login
query_sdcs
each_sdc name_sdc
so_far="The names are given."
need_connected
say "Done: every SDC has its name, and is connected. Next: 08-volumes.sh, here."
