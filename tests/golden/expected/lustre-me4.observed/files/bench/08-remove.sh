#!/bin/bash
# 08-remove.sh: removes the folder of the benchmarks from the file system
# Request scratch. Run it as root on client0001, when all is measured. The outputs stay where they are, beside this script.

usage() {
    cat <<'END'
usage: 08-remove.sh [--dry-run]

Removes the data of the benchmarks, and the folder that these scripts have made for them.

  --dry-run  prints the commands; runs nothing, and any host will do
  --help     this text
END
}

# shellcheck source=lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

read_options "$@"
need_root
if ! is_dry && [ ! -e "$OWN" ] && [ ! -L "$OWN" ]; then
    say "Done already: $OWN is not there."
    exit 0
fi
[ ! -f "$STATE/settings" ] || stop "settings for benchmarks are still made." "05-undo.sh takes them back."
data_remove n_n
data_remove random
data_remove empty
data_remove check
data_remove smoke
entered rm -f -- "$OWN/$MARKER"
entered rmdir -- "$OWN"
if ! is_dry; then
    own_check
    rm -f -- "$OWN/$MARKER"
    if ! rmdir -- "$OWN"; then
        printf 'pixsize bench %s\n' "$PLAN" >"$OWN/$MARKER"
        stop "$OWN holds something that these scripts did not write." "Look at it: it stays."
    fi
fi
say "Done: nothing of the benchmarks is left on the file system."
