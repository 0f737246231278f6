#!/bin/bash
# 06-random.sh: random reads and writes of 4 KiB, each thread its own file, iozone 3.465
# Request scratch. Run it as root on client0001. It goes on where it was interrupted; README.md has more.

usage() {
    cat <<'END'
usage: 06-random.sh [--dry-run] [--threads N,N,...] [--data memory|document] [--busy]

Measures random reads and writes of 4 KiB, each thread its own file.

  --dry-run        prints the commands; runs nothing, and any host will do
  --threads N,...  these points alone
  --data memory    11 TiB a run: twice the memory of clients and servers, or what the document used where that is more
  --data document  931.5 GiB to 932 GiB a run, as the document (so it is unless told)
  --busy           measures though other work is going on
  --help           this text
END
}

# shellcheck source=lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

# Threads, MiB of each, seconds that the plan expects of `files` and of `random`.
points_memory() {
    cat <<'END'
16 720896 1216 190192
32 360448 569 190192
64 180224 587 190192
128 90112 587 190192
256 45056 587 190192
END
}

# Threads, MiB of each, seconds that the plan expects of `files` and of `random`.
points_document() {
    cat <<'END'
16 59616 101 15729
32 29808 48 15729
64 14912 49 15738
128 7456 49 15738
256 3728 49 15738
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
    if [ "$threads" -ge 1 ]; then
        do_here lfs setstripe -c 1 -S 4M "$directory"
    fi
}

# IOzone's list: a line for each thread, with its client, the directory and the program.
list_of() {
    is_dry || awk -v directory="$directory" -v program="$tool" '{ print $1, directory, program }' "$HERE/hosts/$threads.list" >"$list"
}

read_options "$@"
[ -n "$data" ] || data=document
need_root
own_make
need_settings none 'Run 05-undo.sh first.'
need_idle
tool=$(program iozone)
settings=none directory="$OWN/random"
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
while read -r threads each s_files s_random <&3; do
    is_wanted "$threads" || continue
    number=$((number + 1))
    say "Point $number of $count: threads $threads; about $(lasting "$left") to go"
    left=$((left - s_files - s_random))
    stem=$(printf '%s.random.%s.t%04d.iozone-3.465' "$PLAN" "${each}MiB" "$threads")
    list="$STATE/random.list"
    list_of
    if [ -f "$RESULTS/$stem.random.txt" ] && ! is_dry; then
        say "Done already."
        continue
    fi
    # What a run wrote is read by the next phase: it is written again where it is not all there.
    if is_dry || [ ! -f "$LOGS/$stem.files.txt" ] || [ "$(cat "$STATE/random.data" 2>/dev/null)" != "$stem" ]; then
        data_remove random
        prepare
        measure log "$stem.files" iozone 3.465 "$s_files" "$tool" -i 0 -c -e -w -r 16M -s "${each}m" -t "$threads" -+n -+m "$list"
        is_dry || printf '%s\n' "$stem" >"$STATE/random.data"
    fi
    drop_caches
    measure result "$stem.random" iozone 3.465 "$s_random" "$tool" -i 2 -c -O -I -w -r 4K -s "${each}m" -t "$threads" -+n -+m "$list"
    data_remove random
done 3<<<"$rows"
say "Done: the outputs are in $RESULTS."
