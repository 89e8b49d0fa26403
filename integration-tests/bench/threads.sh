#!/bin/sh
# threads.sh PID COMMAND..: CPU time that each group of threads of the process PID took while COMMAND ran, the most first. Threads
# that differ in a number at the end of their names are one group. Linux only. Example, with a gateway that runs:
#
#   threads.sh "$(pgrep -f io.bloomgate.gateway.Main)" smtp-source -4 -d -s 8 -m 30000 -l 4096 -f a@clean.example -t u@dest.example 127.0.0.1:2525
set -eu
[ $# -ge 2 ] || { echo "usage: threads.sh PID COMMAND.." >&2; exit 2; }
pid=$1
shift
tick=$(getconf CLK_TCK)
ticks() { # NAME TICKS of each thread
  for stat in "/proc/$pid/task"/*/stat; do
    sed -n 's/^[0-9]* (\(.*\)) \(.*\)$/\1|\2/p' "$stat" 2>/dev/null || true
  done | awk -F'|' '{ split($2, f, " "); name = $1; sub(/[#-]?[0-9]+$/, "", name); gsub(/ /, "_", name); sum[name] += f[12] + f[13] }
    END { for (name in sum) print name, sum[name] }' | sort
}
before=$(mktemp)
trap 'rm -f "$before"' EXIT
ticks >"$before"
"$@"
ticks | join -a 1 - "$before" | awk -v tick="$tick" '{ used = ($2 - $3) / tick; if (used > 0.005) printf "%-24s %8.2f s\n", $1, used }' | sort -k2 -rn
