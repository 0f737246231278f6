#!/bin/bash
# 10-4k.sh: operations on files of 4 KiB, mdtest 3.3.0
# Request scratch. Run it as root on client0001. It goes on where it was interrupted; README.md has more.

usage() {
    cat <<'END'
usage: 10-4k.sh [--dry-run] [--threads N,N,...] [--busy]

Measures operations on files of 4 KiB.

  --dry-run        prints the commands; runs nothing, and any host will do
  --threads N,...  these points alone
  --busy           measures though other work is going on
  --help           this text
END
}

# shellcheck source=lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

# Threads, directories and files of each, iterations, seconds that the plan expects.
points_memory() {
    cat <<'END'
1 2048 2097152 1 2597
2 1024 1048576 1 1304
4 512 524288 1 657
8 256 262144 1 334
16 128 131072 1 172
32 64 65536 1 94
64 32 32768 2 122
128 16 16384 2 100
256 8 8192 2 76
512 4 4096 2 82
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
[ -z "$data" ] || misused "--data is for tests that move data"
[ -n "$data" ] || data=memory
need_root
own_make
need_settings none 'Run 08-undo.sh first.'
need_idle
tool=$(program mdtest)
mpirun=$(program mpirun)
settings=none directory="$OWN/4k"
is_dry || mkdir -p -- "$STATE"

rows=$("points_$data")
left=0 count=0
while read -r threads _ _ _ rest; do
    is_wanted "$threads" || continue
    count=$((count + 1))
    for seconds in $rest; do left=$((left + seconds)); done
done <<<"$rows"
[ "$count" -gt 0 ] || misused "no point has so many threads"

number=0
while read -r threads directories files iterations s_files <&3; do
    is_wanted "$threads" || continue
    number=$((number + 1))
    say "Point $number of $count: threads $threads; about $(lasting "$left") to go"
    left=$((left - s_files))
    each=0
    shift=()
    [ "$threads" -eq 1 ] || shift=(-N 1) # each thread looks at the files of the next node, which are in no cache of its own
    stem=$(printf '%s.4k.%s.t%04d.mdtest-3.3.0' "$PLAN" "${files}files" "$threads")
    if [ -f "$RESULTS/$stem.files.txt" ] && ! is_dry; then
        say "Done already."
        continue
    fi
    data_remove 4k
    prepare
    drop_caches
    measure result "$stem.files" mdtest 3.3.0 "$s_files" "$mpirun" --allow-run-as-root --map-by node --hostfile "$HERE/hosts/$threads.openmpi" -np "$threads" "$tool" -v -d "$directory" -i "$iterations" -b "$directories" -z 1 -I 1024 -L -u -t -F -w 4096 -e 4096 ${shift[@]+"${shift[@]}"}
    data_remove 4k
done 3<<<"$rows"
say "Done: the outputs are in $RESULTS."
