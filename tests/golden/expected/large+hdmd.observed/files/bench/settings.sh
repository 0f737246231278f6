# settings.sh: the page pool of GPFS, noted, set and taken back. The scripts of settings read it; nobody runs it.
# shellcheck shell=bash

settings_note() {
    on "$ADMIN" /usr/lpp/mmfs/bin/mmlsconfig pagepool
}

settings_make_sequential() {
    do_on "$ADMIN" /usr/lpp/mmfs/bin/mmchconfig pagepool=32768M -i -N "$(joined "${CLIENTS[@]}")"
    do_on "$ADMIN" /usr/lpp/mmfs/bin/mmchconfig pagepool=98304M -i -N "$(joined "${SERVERS[@]}")"
}

settings_make_random() {
    do_on "$ADMIN" /usr/lpp/mmfs/bin/mmchconfig pagepool=16384M -i -N "$(joined "${CLIENTS[@]}")"
    do_on "$ADMIN" /usr/lpp/mmfs/bin/mmchconfig pagepool=32768M -i -N "$(joined "${SERVERS[@]}")"
}

# mmlsconfig printed "pagepool VALUE" for all nodes, and "pagepool VALUE [NODES]" for some.
settings_undo() {
    local attribute value nodes
    do_on "$ADMIN" /usr/lpp/mmfs/bin/mmchconfig pagepool=DEFAULT -i -N "$(joined "${CLIENTS[@]}" "${SERVERS[@]}")"
    is_dry && return
    while read -r attribute value nodes; do
        nodes=${nodes//[][ ]/}
        [[ $attribute == pagepool && $value =~ ^[0-9]+[KMGTkmgt%]?$ && $nodes =~ ^[A-Za-z0-9.,_-]*$ ]] || continue
        if [ -n "$nodes" ]; then
            do_on "$ADMIN" /usr/lpp/mmfs/bin/mmchconfig "pagepool=$value" -i -N "$nodes"
        fi
    done <"$STATE/settings.before"
}
