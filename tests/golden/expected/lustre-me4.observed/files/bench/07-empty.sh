#!/bin/bash
# 07-empty.sh: operations on empty files, mdtest 1.9.3
# Request scratch. Run it as root on client0001. It goes on where it was interrupted; README.md has more.

usage() {
    cat <<'END'
usage: 07-empty.sh [--dry-run] [--threads N,N,...] [--busy]

Measures operations on empty files.

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
1 2048 2097152 3 87
2 1024 1048576 3 87
4 512 524288 3 87
8 256 262144 3 87
16 128 131072 3 87
32 64 65536 3 87
64 32 32768 3 87
128 16 16384 3 87
256 8 8192 3 87
512 4 4096 3 87
1024 2 2048 3 87
END
}

# The directory of the test, laid out for so many threads.
prepare() {
    if is_dry; then
        entered mkdir -- "$directory"
    else
        own_check
    fi
    do_here lfs mkdir --mdt-count 2 --mdt-index 0 "$directory"
    do_here lfs setdirstripe -D --mdt-count 2 "$directory"
}

read_options "$@"
[ -z "$data" ] || misused "--data is for tests that move data"
[ -n "$data" ] || data=memory
need_root
own_make
need_settings none 'Run 05-undo.sh first.'
need_idle
tool=$(program mdtest)
mpirun=$(program mpirun)
settings=none directory="$OWN/empty"
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
    stem=$(printf '%s.empty.%s.t%04d.mdtest-1.9.3' "$PLAN" "${files}files" "$threads")
    if [ -f "$RESULTS/$stem.files.txt" ] && ! is_dry; then
        say "Done already."
        continue
    fi
    data_remove empty
    prepare
    drop_caches
    measure result "$stem.files" mdtest 1.9.3 "$s_files" "$mpirun" -np "$threads" -rr --hostfile "$HERE/hosts/$threads.intel" "$tool" -v -y -d "$directory" -i "$iterations" -b "$directories" -z 1 -n "$files" -L -u -t -F ${shift[@]+"${shift[@]}"}
    data_remove empty
done 3<<<"$rows"
say "Done: the outputs are in $RESULTS."
