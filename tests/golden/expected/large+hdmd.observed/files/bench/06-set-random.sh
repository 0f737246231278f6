#!/bin/bash
# 06-set-random.sh: page pool of 16 GiB on clients and 32 GiB on servers, for the tests that follow
# Request scratch. Run it as root on client0001. What is there is noted first, and the script that undoes it takes it back.

usage() {
    cat <<'END'
usage: 06-set-random.sh [--dry-run]

Sets page pool of 16 GiB on clients and 32 GiB on servers.

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
is_dry || printf 'partly %s\n' "random" >"$STATE/settings"
settings_make_random
is_dry || printf '%s\n' "random" >"$STATE/settings"
say "Done: page pool of 16 GiB on clients and 32 GiB on servers."
