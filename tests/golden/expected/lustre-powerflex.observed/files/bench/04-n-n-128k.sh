#!/bin/bash
# 04-n-n-128k.sh: sequential reads and writes with transfers of 128 KiB, each thread its own file, ior 3.1.0
# Request fast. Run it as root on client0001. It goes on where it was interrupted; README.md has more.

usage() {
    cat <<'END'
usage: 04-n-n-128k.sh [--dry-run] [--threads N,N,...] [--data memory|document] [--busy]

Measures sequential reads and writes with transfers of 128 KiB, each thread its own file.

  --dry-run        prints the commands; runs nothing, and any host will do
  --threads N,...  these points alone
  --data memory    6 TiB to 6.75 TiB a run: twice the memory of clients and servers, or what the document used where that is more (so it is unless told)
  --data document  1 TiB to 6.75 TiB a run, as the document
  --busy           measures though other work is going on
  --help           this text
END
}

# shellcheck source=lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

# Threads, MiB of each, seconds that the plan expects of `write` and of `read`.
points_memory() {
    cat <<'END'
64 98304 4460 1805
128 49152 4460 1805
256 24576 4460 1805
432 16384 5015 2030
END
}

# Threads, MiB of each, seconds that the plan expects of `write` and of `read`.
points_document() {
    cat <<'END'
64 16384 745 305
128 16384 1490 605
256 16384 2975 1205
432 16384 5015 2030
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
    if [ "$threads" -ge 1 ] && [ "$threads" -le 15 ]; then
        do_here lfs setstripe -c 16 -S 4M "$directory"
    fi
    if [ "$threads" -ge 16 ]; then
        do_here lfs setstripe -c 1 -S 4M "$directory"
    fi
}

read_options "$@"
[ -n "$data" ] || data=memory
need_root
own_make
need_settings none 'The script that undoes them takes them back.'
need_idle
tool=$(program ior)
mpirun=$(program mpirun)
settings=none directory="$OWN/n_n_128k"
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
    stem=$(printf '%s.n_n_128k.%s.t%04d.ior-3.1.0' "$PLAN" "${each}MiB" "$threads")
    if [ -f "$RESULTS/$stem.write.txt" ] && [ -f "$RESULTS/$stem.read.txt" ] && ! is_dry; then
        say "Done already."
        continue
    fi
    # What a run wrote is read by the next phase: it is written again where it is not all there.
    if is_dry || [ ! -f "$RESULTS/$stem.write.txt" ] || [ "$(cat "$STATE/n_n_128k.data" 2>/dev/null)" != "$stem" ]; then
        data_remove n_n_128k
        prepare
        measure result "$stem.write" ior 3.1.0 "$s_write" "$mpirun" -np "$threads" -f "$HERE/hosts/$threads.mvapich2" "$tool" -a POSIX -i 5 -k -F -B -o "$directory/file" -w -s 1 -t 128k -b "${each}m"
        is_dry || printf '%s\n' "$stem" >"$STATE/n_n_128k.data"
    fi
    drop_caches
    measure result "$stem.read" ior 3.1.0 "$s_read" "$mpirun" -np "$threads" -f "$HERE/hosts/$threads.mvapich2" "$tool" -a POSIX -i 5 -k -F -B -o "$directory/file" -r -s 1 -t 128k -b "${each}m"
    data_remove n_n_128k
done 3<<<"$rows"
say "Done: the outputs are in $RESULTS."
