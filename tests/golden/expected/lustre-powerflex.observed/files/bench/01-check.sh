#!/bin/bash
# 01-check.sh: looks whether the benchmarks can begin; it changes nothing but a few KiB in a folder of its own
# Request fast. Run it as root on client0001, from which ssh reaches every client and server without a password.

usage() {
    cat <<'END'
usage: 01-check.sh [--dry-run] [--busy]

Looks at every client and server: that it answers, is idle, has the file system mounted and the tools installed.
Then every client runs each tool for a moment, and space and versions are compared with the plan.

  --dry-run  prints the commands; runs nothing, and any host will do
  --busy     does not mind other work
  --help     this text
END
}

# shellcheck source=lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

read_options "$@"
need_root
own_make
for host in "${CLIENTS[@]}"; do
    is_dry && break
    [ "$(on "$host" findmnt -n -o FSTYPE --target "$DIRECTORY")" = "$FSTYPE" ] ||
        stop "$host has no $FSTYPE at $DIRECTORY." "Mount the file system there."
done
for host in "${CLIENTS[@]}"; do
    do_on "$host" lfs check all
done
need_idle

# Clients with more memory than the plan knows would hold more of the data.
memory=0
for host in "${CLIENTS[@]}" "${SERVERS[@]}"; do
    is_dry && break
    line=$(on "$host" grep ^MemTotal: /proc/meminfo)
    [[ $line =~ ^MemTotal:\ +([0-9]+)\ kB$ ]] || stop "$host does not tell its memory."
    memory=$((memory + BASH_REMATCH[1] * 1024))
done
say "Memory of clients and servers: $((memory >> 30)) GiB; the plan has 3072 GiB."
[ "$memory" -le 3364505580994 ] ||
    stop "clients and servers have more memory than the plan knows." "Say benchmark: {clients: {memory: ...}} in the request, and render bench again."

if ! is_dry; then
    free=$(df -k --output=avail "$OWN" | tail -n 1)
    [ "$free" -ge 7247757312 ] || stop "the largest run writes 7247757312 KiB, and $free are free." "Make room, or measure with fewer threads."
fi

# Each tool for a moment on every client: MPI, ssh, program and version are then known to work.
threads=${#CLIENTS[@]} each=1 settings=none directory="$OWN/check" list="$STATE/check.list"
is_dry || mkdir -p -- "$STATE"
mpirun=$(program mpirun)
tool=$(program ior)
if is_dry || [ ! -f "$LOGS/check.ior-3.1.0.txt" ]; then
    data_remove check
    is_dry || mkdir -- "$directory"
    is_dry || awk -v directory="$directory" -v program="$tool" '{ print $1, directory, program }' "$HERE/hosts/$threads.list" >"$list"
    measure log "check.ior-3.1.0" ior 3.1.0 30 "$mpirun" -np "$threads" -f "$HERE/hosts/$threads.mvapich2" "$tool" -a POSIX -F -w -k -i 1 -t 1m -b 1m -o "$directory/file"
    data_remove check
fi
tool=$(program mdtest)
if is_dry || [ ! -f "$LOGS/check.mdtest-1.9.4-rc1.txt" ]; then
    data_remove check
    is_dry || mkdir -- "$directory"
    is_dry || awk -v directory="$directory" -v program="$tool" '{ print $1, directory, program }' "$HERE/hosts/$threads.list" >"$list"
    measure log "check.mdtest-1.9.4-rc1" mdtest 1.9.4-rc1 30 "$mpirun" -np "$threads" -f "$HERE/hosts/$threads.mvapich2" "$tool" -d "$directory" -i 1 -n 1 -F -u
    data_remove check
fi
say "Done: the benchmarks can begin."
