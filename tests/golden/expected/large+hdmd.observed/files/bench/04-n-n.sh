#!/bin/bash
# 04-n-n.sh: sequential reads and writes, each thread its own file, iozone 3.492
# Request scratch. Run it as root on client0001. It goes on where it was interrupted; README.md has more.

usage() {
    cat <<'END'
usage: 04-n-n.sh [--dry-run] [--threads N,N,...] [--data memory|document] [--busy]

Measures sequential reads and writes, each thread its own file.

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
1 8388608 445 419
2 4194304 445 419
4 2097152 445 391
8 1048576 437 390
16 524288 436 388
32 262144 434 383
64 131072 430 401
128 65536 437 401
256 32768 437 401
512 16384 437 401
END
}

# Threads, MiB of each, seconds that the plan expects of `write` and of `read`.
points_document() {
    cat <<'END'
1 8388608 445 419
2 4194304 445 419
4 2097152 445 391
8 1048576 437 390
16 524288 436 388
32 262144 434 383
64 131072 430 401
128 65536 437 401
256 32768 437 401
512 16384 437 401
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

# IOzone's list: a line for each thread, with its client, the directory and the program.
list_of() {
    is_dry || awk -v directory="$directory" -v program="$tool" '{ print $1, directory, program }' "$HERE/hosts/$threads.list" >"$list"
}

read_options "$@"
[ -n "$data" ] || data=memory
need_root
own_make
need_settings sequential 'Run 03-set-sequential.sh first.'
need_idle
tool=$(program iozone)
settings='page pool of 32 GiB on clients and 96 GiB on servers' directory="$OWN/n_n"
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
    stem=$(printf '%s.n_n.%s.t%04d.iozone-3.492' "$PLAN" "${each}MiB" "$threads")
    list="$STATE/n_n.list"
    list_of
    if [ -f "$RESULTS/$stem.write.txt" ] && [ -f "$RESULTS/$stem.read.txt" ] && ! is_dry; then
        say "Done already."
        continue
    fi
    # What a run wrote is read by the next phase: it is written again where it is not all there.
    if is_dry || [ ! -f "$RESULTS/$stem.write.txt" ] || [ "$(cat "$STATE/n_n.data" 2>/dev/null)" != "$stem" ]; then
        data_remove n_n
        prepare
        measure result "$stem.write" iozone 3.492 "$s_write" "$tool" -i 0 -c -e -w -r 16M -s "${each}m" -t "$threads" -+n -+m "$list"
        is_dry || printf '%s\n' "$stem" >"$STATE/n_n.data"
    fi
    drop_caches
    measure result "$stem.read" iozone 3.492 "$s_read" "$tool" -i 1 -c -e -w -r 16M -s "${each}m" -t "$threads" -+n -+m "$list"
    data_remove n_n
done 3<<<"$rows"
say "Done: the outputs are in $RESULTS."
