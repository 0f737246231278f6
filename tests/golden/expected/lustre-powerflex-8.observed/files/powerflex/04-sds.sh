#!/bin/bash
# 04-sds.sh: Adds each SDS to the protection domain, with its first drive.
# IT DESTROYS WHAT THESE DRIVES HOLD. Request fast8. Run it on oss01, after 03-check-drives.sh has passed on
# every server below.

set -euo pipefail
export LC_ALL=C
PATH="$PATH:/usr/sbin:/sbin"

readonly STEPS=8
readonly MASTER=oss01
readonly MASTER_IP=10.30.0.3

usage() {
    cat <<'END'
usage: 04-sds.sh [--dry-run] [--from STEP] --drives-checked

Adds each SDS to the protection domain, with its first drive.

  --dry-run        prints the commands; runs nothing
  --from STEP      begins with this step, those before it being done
  --drives-checked  03-check-drives.sh has passed on every server: destroy what the drives hold
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

drives_checked=no
while [ "$#" -gt 0 ]; do
    case "$1" in
    --dry-run) mode=dry-run ;;
    --from)
        begin_with "${2-}"
        shift
        ;;
    --drives-checked) drives_checked=yes ;;
    --help)
        usage
        exit 0
        ;;
    *) misused "no option $1" ;;
    esac
    shift
done

if [ "$mode" = run ]; then
    [ "$drives_checked" = yes ] || stop "this destroys what the drives hold, and nobody said that they were checked." \
        "Run 03-check-drives.sh on each of the 8 servers from oss01 to oss08; when all have passed, start again with --drives-checked."
    need_master
    : "${POWERFLEX_PASSWORD:?is not set: the password of the PowerFlex user admin. See --help}"
fi

login
step scli --add_sds --sds_ip 10.30.0.3 --sds_ip_role all --protection_domain_name pd1 --storage_pool_name sp1 --sds_name oss01 --device_path /dev/nvme0n1
step scli --add_sds --sds_ip 10.30.0.4 --sds_ip_role all --protection_domain_name pd1 --storage_pool_name sp1 --sds_name oss02 --device_path /dev/nvme0n1
step scli --add_sds --sds_ip 10.30.0.5 --sds_ip_role all --protection_domain_name pd1 --storage_pool_name sp1 --sds_name oss03 --device_path /dev/nvme0n1
step scli --add_sds --sds_ip 10.30.0.6 --sds_ip_role all --protection_domain_name pd1 --storage_pool_name sp1 --sds_name oss04 --device_path /dev/nvme0n1
step scli --add_sds --sds_ip 10.30.0.7 --sds_ip_role all --protection_domain_name pd1 --storage_pool_name sp1 --sds_name oss05 --device_path /dev/nvme0n1
step scli --add_sds --sds_ip 10.30.0.8 --sds_ip_role all --protection_domain_name pd1 --storage_pool_name sp1 --sds_name oss06 --device_path /dev/nvme0n1
step scli --add_sds --sds_ip 10.30.0.9 --sds_ip_role all --protection_domain_name pd1 --storage_pool_name sp1 --sds_name oss07 --device_path /dev/nvme0n1
step scli --add_sds --sds_ip 10.30.0.10 --sds_ip_role all --protection_domain_name pd1 --storage_pool_name sp1 --sds_name oss08 --device_path /dev/nvme0n1
say "Done. Next: 05-drives.sh, here."
