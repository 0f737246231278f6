# settings.sh: settings of Lustre for benchmarks alone, noted, made and taken back. Nobody runs it.
# shellcheck shell=bash

clients_settings() {
    cat <<'END'
at_max 600
at_min 250
osc.scratch-OST*-osc-[^M]*.checksums 0
osc.scratch-OST*-osc-[^M]*.max_rpcs_in_flight 256
timeout 600
END
}

servers_settings() {
    cat <<'END'
at_max 600
at_min 250
timeout 600
END
}

# Every value of every node, as `NODE NAME=VALUE`.
settings_note() {
    local host name value
    for host in "${CLIENTS[@]}"; do
        while read -r name value; do
            on "$host" lctl get_param "$name" | sed "s/^/$host /"
        done < <(clients_settings)
    done
    for host in "${SERVERS[@]}"; do
        while read -r name value; do
            on "$host" lctl get_param "$name" | sed "s/^/$host /"
        done < <(servers_settings)
    done
}

settings_make_tuned() {
    local host name value
    for host in "${CLIENTS[@]}"; do
        while read -r name value; do
            do_on "$host" lctl set_param "$name=$value"
        done < <(clients_settings)
    done
    for host in "${SERVERS[@]}"; do
        while read -r name value; do
            do_on "$host" lctl set_param "$name=$value"
        done < <(servers_settings)
    done
}

settings_undo() {
    local host setting
    if is_dry; then
        say "lctl set_param NODE by NODE, with the values that were noted in state/settings.before"
        return
    fi
    while read -r host setting; do
        [[ $host =~ ^[A-Za-z0-9.-]+$ && $setting =~ ^[A-Za-z0-9_.@:-]+=[A-Za-z0-9_.-]+$ ]] || continue
        entered ssh "$host" lctl set_param "$setting"
        on "$host" lctl set_param "$setting" && continue
        # A client that was mounted anew has other names, and the values of its mount.
        if ! on "$host" true || on "$host" lctl get_param -n "${setting%%=*}" >/dev/null 2>&1; then
            stop "lctl failed on $host." "Mend the cause, and start again."
        fi
        say "$host was mounted anew, and has the values of its mount."
    done <"$STATE/settings.before"
}
