#!/bin/bash
# 02-smoke.sh: each server, target and client by itself, so that a slow one is found before the long runs
# Request fast. Run it as root on client0001. Targets are only read; clients write in the folder of the benchmarks.

usage() {
    cat <<'END'
usage: 02-smoke.sh [--dry-run] [--busy]

Reads 4096 MiB of every target on its first server, one after the other; then all targets of a server together, one
server after the other; then every client writes and reads 4096 MiB with one thread. Whatever reaches less than
80 % of the median of its kind is named.

  --dry-run  prints the commands; runs nothing, and any host will do
  --busy     measures though other work is going on
  --help     this text
END
}

# shellcheck source=lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

# Server, device, target and what it holds.
targets() {
    cat <<'END'
mds02 /dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f31300000000 MGS metadata
mds01 /dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f31400000001 fast-MDT0000 metadata
mds02 /dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f31500000002 fast-MDT0001 metadata
oss01 /dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f31600000003 fast-OST0000 data
oss01 /dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f31700000004 fast-OST0001 data
oss01 /dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f31800000005 fast-OST0002 data
oss01 /dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f31900000006 fast-OST0003 data
oss02 /dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f31a00000007 fast-OST0004 data
oss02 /dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f31b00000008 fast-OST0005 data
oss02 /dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f31c00000009 fast-OST0006 data
oss02 /dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f31d0000000a fast-OST0007 data
oss03 /dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f31e0000000b fast-OST0008 data
oss03 /dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f31f0000000c fast-OST0009 data
oss03 /dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f3200000000d fast-OST000a data
oss03 /dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f3210000000e fast-OST000b data
oss04 /dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f3220000000f fast-OST000c data
oss04 /dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f32300000010 fast-OST000d data
oss04 /dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f32400000011 fast-OST000e data
oss04 /dev/disk/by-id/emc-vol-2ea35ba11ef02a05-9c57f32500000012 fast-OST000f data
END
}

# Bytes a second from what dd says at its end: a row of the table, `KIND NAME RATE`.
row() {
    local rate
    rate=$(awk '/ copied, / { for (i = 2; i <= NF; i++) if ($i ~ /^s,$/) { bytes += $1; if ($(i - 1) > most) most = $(i - 1) } }
        END { if (most > 0) printf "%d", bytes / most }' <<<"$3")
    [ -n "$rate" ] || stop "dd on $2 said nothing of its rate." "$3"
    printf '%s %s %s\n' "$1" "$2" "$rate" >>"$table"
    say "$1 $2: $((rate / 1000000)) MB/s"
}

# A command with dd on a node; its words on the rate come on standard error.
timed() {
    local kind=$1 name=$2 host=$3 said
    shift 3
    if is_dry; then
        entered ssh "$host" "$@"
        return
    fi
    said=$(on "$host" "$@" 2>&1) || stop "$name failed on $host." "$said"
    row "$kind" "$name" "$said"
}

read_options "$@"
need_root
own_make
need_idle
table="$LOGS/smoke.table"
is_dry || { mkdir -p -- "$LOGS" && : >"$table"; }

while read -r server device target purpose <&3; do
    [ -n "$server" ] || continue
    timed "target-of-$purpose" "$target" "$server" dd "if=$device" of=/dev/null bs=8M count=512 iflag=direct
done 3< <(targets)
for server in "${SERVERS[@]}"; do
    mapfile -t devices < <(targets | awk -v server="$server" '$1 == server { print $2 }')
    [ "${#devices[@]}" -gt 0 ] || continue
    # shellcheck disable=SC2016  # the other shell reads it
    timed "server-with-${#devices[@]}-targets" "$server" "$server" bash -c \
        'for d in "$@"; do dd if="$d" of=/dev/null bs=8M count=512 iflag=direct & done; wait' smoke "${devices[@]}"
done

directory="$OWN/smoke"
data_remove smoke
if is_dry; then
    entered mkdir -- "$directory"
else
    mkdir -- "$directory"
fi
do_here lfs setstripe -c 16 -S 4M "$directory"
for client in "${CLIENTS[@]}"; do
    timed client-writes "$client" "$client" dd if=/dev/zero "of=$directory/$client" bs=8M count=512 conv=fsync
done
drop_caches
for client in "${CLIENTS[@]}"; do
    timed client-reads "$client" "$client" dd "if=$directory/$client" of=/dev/null bs=8M
done
data_remove smoke
is_dry && exit 0

# What is slower than the rest of its kind. Two of a kind have no median to speak of: the slower is held against the faster.
sort -k 1,1 -k 3,3n "$table" | awk -v share=80 '
    function judge(    i, median) {
        median = value[int(n / 2) + 1]
        for (i = 1; i <= n; i++) if (value[i] * 100 < median * share) {
            printf "SLOW: %s %s: %d MB/s, and the median is %d MB/s\n", kind, name[i], value[i] / 1000000, median / 1000000
            slow = 1
        }
        n = 0
    }
    $1 != kind { judge(); kind = $1 }
    { n++; name[n] = $2; value[n] = $3 }
    END { judge(); exit slow }' ||
    stop "something is slower than the rest of its kind." "Look at its links, paths and drives before the long runs: they wait for the slowest."
say "Done: nothing is slower than the rest of its kind. The table is $table."
