#!/bin/bash
# 05-n-1.sh: sequential reads and writes, all threads one file, ior 3.3.0
# Request scratch. Run it as root on client0001. It goes on where it was interrupted; README.md has more.

usage() {
    cat <<'END'
usage: 05-n-1.sh [--dry-run] [--threads N,N,...] [--data memory|document] [--busy]

Measures sequential reads and writes, all threads one file.

  --dry-run        prints the commands; runs nothing, and any host will do
  --threads N,...  these points alone
  --data memory    8 TiB a run: twice the memory of clients and servers, or what the document used where that is more (so it is unless told)
  --data document  8 TiB a run, as the document
  --busy           measures though other work is going on
  --help           this text
END
}

# shellcheck source=lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

# Threads, MiB of each, seconds that the plan expects of `write` and of `read`.
points_memory() {
    cat <<'END'
1 8388608 489 419
2 4194304 489 419
4 2097152 489 419
8 1048576 489 419
16 524288 489 419
32 262144 489 419
64 131072 489 419
128 65536 489 419
256 32768 489 419
512 16384 489 419
END
}

# Threads, MiB of each, seconds that the plan expects of `write` and of `read`.
points_document() {
    cat <<'END'
1 8388608 489 419
2 4194304 489 419
4 2097152 489 419
8 1048576 489 419
16 524288 489 419
32 262144 489 419
64 131072 489 419
128 65536 489 419
256 32768 489 419
512 16384 489 419
END
}

# The directory of the test, laid out for so many threads.
prepare() {
    if is_dry; then
        entered mkdir -- "$directory"
    else
        own_check
    fi
    is_dry || mkdir -- "$directory"
}

read_options "$@"
[ -n "$data" ] || data=memory
need_root
own_make
need_settings sequential 'Run 03-set-sequential.sh first.'
need_idle
tool=$(program ior)
mpirun=$(program mpirun)
settings='page pool of 32 GiB on clients and 96 GiB on servers' directory="$OWN/n_1"
is_dry || mkdir -p -- "$STATE"

rows=$("points_$data")
left=0 count=0
while read -r threads _ rest; do
    is_wanted "$threads" || continue
    count=$((count + 1))
    for seconds in $rest; do left=$((left + seconds)); done
done <<<"$rows"
[ "$count" -gt 0 ] || misused "no point has so many threads"

number=0
while read -r threads each s_write s_read <&3; do
    is_wanted "$threads" || continue
    number=$((number + 1))
    say "Point $number of $count: threads $threads; about $(lasting "$left") to go"
    left=$((left - s_write - s_read))
    stem=$(printf '%s.n_1.%s.t%04d.ior-3.3.0' "$PLAN" "${each}MiB" "$threads")
    if [ -f "$RESULTS/$stem.write.txt" ] && [ -f "$RESULTS/$stem.read.txt" ] && ! is_dry; then
        say "Done already."
        continue
    fi
    # What a run wrote is read by the next phase: it is written again where it is not all there.
    if is_dry || [ ! -f "$RESULTS/$stem.write.txt" ] || [ "$(cat "$STATE/n_1.data" 2>/dev/null)" != "$stem" ]; then
        data_remove n_1
        prepare
        measure result "$stem.write" ior 3.3.0 "$s_write" "$mpirun" --allow-run-as-root --map-by node --hostfile "$HERE/hosts/$threads.openmpi" -np "$threads" "$tool" -a POSIX -v -d 3 -e -i 1 -k -o "$directory/file" -w -s 1 -t 16m -b "${each}m"
        is_dry || printf '%s\n' "$stem" >"$STATE/n_1.data"
    fi
    drop_caches
    measure result "$stem.read" ior 3.3.0 "$s_read" "$mpirun" --allow-run-as-root --map-by node --hostfile "$HERE/hosts/$threads.openmpi" -np "$threads" "$tool" -a POSIX -v -d 3 -e -i 1 -k -o "$directory/file" -r -s 1 -t 16m -b "${each}m"
    data_remove n_1
done 3<<<"$rows"
say "Done: the outputs are in $RESULTS."
