#!/bin/bash
# 04-n-n.sh: sequential reads and writes, each thread its own file, iozone 3.465
# Request scratch. Run it as root on client0001. It goes on where it was interrupted; README.md has more.

usage() {
    cat <<'END'
usage: 04-n-n.sh [--dry-run] [--threads N,N,...] [--data memory|document] [--busy]

Measures sequential reads and writes, each thread its own file.

  --dry-run        prints the commands; runs nothing, and any host will do
  --threads N,...  these points alone
  --data memory    11 TiB a run: twice the memory of clients and servers, or what the document used where that is more (so it is unless told)
  --data document  1.82 TiB to 1.82 TiB a run, as the document
  --busy           measures though other work is going on
  --help           this text
END
}

# shellcheck source=lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

# Threads, MiB of each, seconds that the plan expects of `write` and of `read`.
points_memory() {
    cat <<'END'
1 11534336 19445 18810
2 5767168 9723 9405
4 2883584 4862 4703
8 1441792 2431 2352
16 720896 1216 1176
32 360448 569 537
64 180224 587 570
128 90112 587 570
256 45056 587 570
END
}

# Threads, MiB of each, seconds that the plan expects of `write` and of `read`.
points_document() {
    cat <<'END'
1 1907349 3216 3111
2 953675 1608 1556
4 476838 804 778
8 238419 402 389
16 119210 201 195
32 59605 95 89
64 29803 97 95
128 14902 97 95
256 7451 97 95
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
    if [ "$threads" -ge 1 ] && [ "$threads" -le 31 ]; then
        do_here lfs setstripe -c 32 -S 1M "$directory"
    fi
    if [ "$threads" -ge 32 ]; then
        do_here lfs setstripe -c 1 -S 1M "$directory"
    fi
}

# IOzone's list: a line for each thread, with its client, the directory and the program.
list_of() {
    is_dry || awk -v directory="$directory" -v program="$tool" '{ print $1, directory, program }' "$HERE/hosts/$threads.list" >"$list"
}

read_options "$@"
[ -n "$data" ] || data=memory
need_root
own_make
need_settings tuned 'Run 03-set-tuned.sh first.'
need_idle
tool=$(program iozone)
settings='8 settings of Lustre that the document made for benchmarks alone' directory="$OWN/n_n"
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
    stem=$(printf '%s.n_n.%s.t%04d.iozone-3.465' "$PLAN" "${each}MiB" "$threads")
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
        measure result "$stem.write" iozone 3.465 "$s_write" "$tool" -i 0 -c -e -w -r 1M -s "${each}m" -t "$threads" -+n -+m "$list"
        is_dry || printf '%s\n' "$stem" >"$STATE/n_n.data"
    fi
    drop_caches
    measure result "$stem.read" iozone 3.465 "$s_read" "$tool" -i 1 -c -e -w -r 1M -s "${each}m" -t "$threads" -+n -+m "$list"
    data_remove n_n
done 3<<<"$rows"
say "Done: the outputs are in $RESULTS."
