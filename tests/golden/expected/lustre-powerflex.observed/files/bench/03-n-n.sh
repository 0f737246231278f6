#!/bin/bash
# 03-n-n.sh: sequential reads and writes, each thread its own file, ior 3.1.0
# Request fast. Run it as root on client0001. It goes on where it was interrupted; README.md has more.

usage() {
    cat <<'END'
usage: 03-n-n.sh [--dry-run] [--threads N,N,...] [--data memory|document] [--busy]

Measures sequential reads and writes, each thread its own file.

  --dry-run        prints the commands; runs nothing, and any host will do
  --threads N,...  these points alone
  --data memory    6 TiB to 6.75 TiB a run: twice the memory of clients and servers, or what the document used where that is more (so it is unless told)
  --data document  16 GiB to 6.75 TiB a run, as the document
  --busy           measures though other work is going on
  --help           this text
END
}

# shellcheck source=lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

# Threads, MiB of each, seconds that the plan expects of `write` and of `read`.
points_memory() {
    cat <<'END'
1 6291456 2870 1075
2 3145728 2870 1075
4 1572864 2870 1075
8 786432 2870 1075
16 393216 2870 1075
32 196608 2870 1075
64 98304 2870 1075
128 49152 2870 1075
256 24576 2870 1075
432 16384 3230 1205
END
}

# Threads, MiB of each, seconds that the plan expects of `write` and of `read`.
points_document() {
    cat <<'END'
1 16384 10 5
2 16384 15 10
4 16384 30 15
8 16384 60 25
16 16384 120 45
32 16384 240 90
64 16384 480 180
128 16384 960 360
256 16384 1915 715
432 16384 3230 1205
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
settings=none directory="$OWN/n_n"
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
    stem=$(printf '%s.n_n.%s.t%04d.ior-3.1.0' "$PLAN" "${each}MiB" "$threads")
    if [ -f "$RESULTS/$stem.write.txt" ] && [ -f "$RESULTS/$stem.read.txt" ] && ! is_dry; then
        say "Done already."
        continue
    fi
    # What a run wrote is read by the next phase: it is written again where it is not all there.
    if is_dry || [ ! -f "$RESULTS/$stem.write.txt" ] || [ "$(cat "$STATE/n_n.data" 2>/dev/null)" != "$stem" ]; then
        data_remove n_n
        prepare
        measure result "$stem.write" ior 3.1.0 "$s_write" "$mpirun" -np "$threads" -f "$HERE/hosts/$threads.mvapich2" "$tool" -a POSIX -i 5 -k -F -B -o "$directory/file" -w -s 1 -t 8m -b "${each}m"
        is_dry || printf '%s\n' "$stem" >"$STATE/n_n.data"
    fi
    drop_caches
    measure result "$stem.read" ior 3.1.0 "$s_read" "$mpirun" -np "$threads" -f "$HERE/hosts/$threads.mvapich2" "$tool" -a POSIX -i 5 -k -F -B -o "$directory/file" -r -s 1 -t 32m -b "${each}m"
    data_remove n_n
done 3<<<"$rows"
say "Done: the outputs are in $RESULTS."
