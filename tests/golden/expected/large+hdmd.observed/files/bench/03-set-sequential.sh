#!/bin/bash
# 03-set-sequential.sh: page pool of 32 GiB on clients and 96 GiB on servers, for the tests that follow
# Request scratch. Run it as root on client0001. What is there is noted first, and the script that undoes it takes it back.

usage() {
    cat <<'END'
usage: 03-set-sequential.sh [--dry-run]

Sets page pool of 32 GiB on clients and 96 GiB on servers.

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
is_dry || mkdir -p -- "$STATE"
# What was there before the first script of settings is what counts.
if ! is_dry && [ ! -f "$STATE/settings.before" ]; then
    settings_note >"$STATE/settings.part"
    mv -f -- "$STATE/settings.part" "$STATE/settings.before"
fi
is_dry || printf 'partly %s\n' "sequential" >"$STATE/settings"
settings_make_sequential
is_dry || printf '%s\n' "sequential" >"$STATE/settings"
say "Done: page pool of 32 GiB on clients and 96 GiB on servers."
