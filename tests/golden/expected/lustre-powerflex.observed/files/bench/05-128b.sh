#!/bin/bash
# 05-128b.sh: operations on files of 128 bytes, mdtest 1.9.4-rc1
# Request fast. Run it as root on client0001. It goes on where it was interrupted; README.md has more.

usage() {
    cat <<'END'
usage: 05-128b.sh [--dry-run] [--threads N,N,...] [--busy]

Measures operations on files of 128 bytes.

  --dry-run        prints the commands; runs nothing, and any host will do
  --threads N,...  these points alone
  --busy           measures though other work is going on
  --help           this text
END
}

# shellcheck source=lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

# Threads, files of each, iterations, seconds that the plan expects.
points_memory() {
    cat <<'END'
64 131072 5 1245
128 131072 5 2490
256 131072 5 4980
432 131072 5 8400
END
}

# The directory of the test, laid out for so many threads.
prepare() {
    if is_dry; then
        entered mkdir -- "$directory"
    else
        own_check
    fi
    do_here lfs mkdir --count 2 --index 0 "$directory"
    do_here lfs setdirstripe -D --count 2 "$directory"
}

read_options "$@"
[ -z "$data" ] || misused "--data is for tests that move data"
[ -n "$data" ] || data=memory
need_root
own_make
need_settings none 'The script that undoes them takes them back.'
need_idle
tool=$(program mdtest)
mpirun=$(program mpirun)
settings=none directory="$OWN/128b"
is_dry || mkdir -p -- "$STATE"

rows=$("points_$data")
left=0 count=0
while read -r threads _ _ rest; do
    is_wanted "$threads" || continue
    count=$((count + 1))
    for seconds in $rest; do left=$((left + seconds)); done
done <<<"$rows"
[ "$count" -gt 0 ] || misused "no point has so many threads"

number=0
while read -r threads files iterations s_files <&3; do
    is_wanted "$threads" || continue
    number=$((number + 1))
    say "Point $number of $count: threads $threads; about $(lasting "$left") to go"
    left=$((left - s_files))
    each=0
    shift=()
    [ "$threads" -eq 1 ] || shift=(-N 1) # each thread looks at the files of the next node, which are in no cache of its own
    stem=$(printf '%s.128b.%s.t%04d.mdtest-1.9.4-rc1' "$PLAN" "${files}files" "$threads")
    if [ -f "$RESULTS/$stem.files.txt" ] && ! is_dry; then
        say "Done already."
        continue
    fi
    data_remove 128b
    prepare
    drop_caches
    measure result "$stem.files" mdtest 1.9.4-rc1 "$s_files" "$mpirun" -np "$threads" -f "$HERE/hosts/$threads.mvapich2" "$tool" -v -d "$directory" -i "$iterations" -n "$files" -L -u -t -F -w 128 -e 128 ${shift[@]+"${shift[@]}"}
    data_remove 128b
done 3<<<"$rows"
say "Done: the outputs are in $RESULTS."
