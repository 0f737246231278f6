#!/bin/bash
# 01-mdm-cluster.sh: Makes the MDM cluster: its managers and tie breakers.
# Request fast8. Run it on oss01, first of all, once the packages are on every server (README.md).

set -euo pipefail
export LC_ALL=C
PATH="$PATH:/usr/sbin:/sbin"

readonly STEPS=8
readonly MASTER=oss01
readonly MASTER_IP=10.30.0.3

usage() {
    cat <<'END'
usage: 01-mdm-cluster.sh [--dry-run] [--from STEP]

Makes the MDM cluster: its managers and tie breakers.

  --dry-run        prints the commands; runs nothing
  --from STEP      begins with this step, those before it being done
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
    need_master
    : "${POWERFLEX_PASSWORD:?is not set: the password of the PowerFlex user admin. See --help}"
fi

# The MDM takes a moment before it lets anybody in.
first_login() {
    local try
    for try in 1 2 3 4 5 6 7 8 9 10 11 12; do
        if scli --login --username admin --password admin; then
            return 0
        fi
        say "no login yet, try $try of 12"
        sleep 5
    done
    return 1
}

set_password() {
    first_login && scli --set_password --old_password admin --new_password "$POWERFLEX_PASSWORD"
}

step scli --create_mdm_cluster --master_mdm_ip 10.30.0.3 --master_mdm_management_ip 10.30.0.3 --master_mdm_name oss01 --accept_license --approve_certificate
step_shown_as "scli --set_password --old_password admin --new_password ..." set_password
login
step scli --add_standby_mdm --new_mdm_ip 10.30.0.5 --mdm_role manager --new_mdm_name oss03 --new_mdm_management_ip 10.30.0.5
step scli --add_standby_mdm --new_mdm_ip 10.30.0.7 --mdm_role manager --new_mdm_name oss05 --new_mdm_management_ip 10.30.0.7
step scli --add_standby_mdm --new_mdm_ip 10.30.0.9 --mdm_role tb --new_mdm_name oss07
step scli --add_standby_mdm --new_mdm_ip 10.30.0.1 --mdm_role tb --new_mdm_name mds01
step scli --switch_cluster_mode --cluster_mode 5_node --add_slave_mdm_name oss03,oss05 --add_tb_name oss07,mds01
step scli --query_cluster
say "Done. The cluster above has 5 nodes: oss01, oss03 and oss05 as managers, oss07 and mds01 as tie breakers. Next: 02-pool.sh, here."
