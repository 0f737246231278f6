#!/bin/bash
# 05-undo.sh: takes back what was set for benchmarks
# Request scratch. Run it as root on client0001, also after a campaign that was given up.

usage() {
    cat <<'END'
usage: 05-undo.sh [--dry-run]

Takes back what the scripts of settings have set: every value is again what it was before the first of them.

  --dry-run  prints the commands; runs nothing, and any host will do
  --help     this text
END
}

# shellcheck source=lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=settings.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/settings.sh"

read_options "$@"
need_root
if ! is_dry && [ ! -f "$STATE/settings.before" ]; then
    say "Done already: nothing is set."
    exit 0
fi
settings_undo
is_dry || rm -f -- "$STATE/settings" "$STATE/settings.before"
say "Done: the settings are as they were."
