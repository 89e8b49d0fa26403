#!/bin/sh
# operator.sh [ENTRIES]: what allow entries cost, for ENTRIES (default 1,000,000) names, addresses and hosts in equal parts, in
# a gateway of 512 MiB with 2,000,000 listed entries beside them. Prints a figure a line and, where the project has a goal, the goal:
#
#   import, time to ready (without entries, with them, after a kill), live heap with and without, `allow add` and `remove` on
#   the control socket, `allow list` and `export` through the command line in a heap of 64 MiB, a list file of as many lines
#   that gets one more, point queries of the store, and decisions beside 1,000 patterns
#
# Builds what it needs. Needs python3. Knobs: HEAP (default 512m), LISTED (default 1000000, of addresses and of domains each),
# PORT (default 12641), WORK for files (default: a temporary folder), RUN, the command that starts the gateway and the command line.
set -eu
entries=${1:-1000000}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
port=${PORT:-12641}
listed=${LISTED:-1000000}
work=${WORK:-$(mktemp -d)}
mkdir -p "$work"
run=${RUN:-$top/gateway/bin/bloomgate}
[ -n "${RUN:-}" ] || "$top/gateway/bin/bloomgate" version >/dev/null # builds what is missing or old; `run` takes the jars as they are
java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin
heap=-Xmx${HEAP:-512m}

cleanup() {
  [ -z "${gate_pid:-}" ] || { kill "$gate_pid" 2>/dev/null && wait "$gate_pid" 2>/dev/null; } || true
  [ -n "${WORK:-}" ] || rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

awk -v n="$listed" 'BEGIN { for (i = 0; i < n; i++) printf "100.%d.%d.%d\n", 64 + i / 65536, i / 256 % 256, i % 256 }' >"$work/ips.txt"
awk -v n="$listed" 'BEGIN { for (i = 0; i < n; i++) printf "listed-%d.example\n", i }' >"$work/domains.txt"
awk -v n="$entries" 'BEGIN { for (i = 0; i < n; i++) {
  if (i % 3 == 0) printf "partner%d.example # customer %d\n", i, i
  else if (i % 3 == 1) printf "user%d@shop%d.example\n", i, i % 1000
  else printf "%d.%d.%d.%d\n", 11 + i / 16777216, i / 65536 % 256, i / 256 % 256, i % 256 } }' >"$work/entries.list"
: >"$work/watched.list"

export BLOOMGATE_STATE_DIR="$work/state" BLOOMGATE_ADMIN__SOCKET="$work/control.sock"
export BLOOMGATE_FEEDS__SOURCES__IPS__FILE="$work/ips.txt" BLOOMGATE_FEEDS__SOURCES__DOMAINS__FILE="$work/domains.txt"
export BLOOMGATE_LISTENERS__MX__ADDRESS="127.0.0.1:$port" BLOOMGATE_LOG__TARGET="file:$work/gateway.log"
export BLOOMGATE_ALLOW__FILES="[$work/watched.list]"

now() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.2f", b - a }'; }
figure() { printf '%-58s %s\n' "$1" "$2"; }
start() { # sets `ready`, the seconds until the gateway is ready with its lists
  began=$(now)
  BLOOMGATE_JAVA_OPTS="$heap" "$run" -c "$top/config/bench.yaml" run >"$work/gateway.out" 2>&1 & gate_pid=$!
  until grep -q 'ready: mode' "$work/gateway.out" && grep -q 'listener mx on' "$work/gateway.out"; do
    kill -0 "$gate_pid" || { cat "$work/gateway.out" >&2; exit 1; }
    sleep 0.02
  done
  ready=$(since "$began")
}
stop() {
  kill "-${1:-TERM}" "$gate_pid"
  wait "$gate_pid" 2>/dev/null || true
  gate_pid=
}
live() { "$java/jcmd" "$gate_pid" GC.class_histogram | awk '$1 == "Total" { print $3 }'; }
cli() { BLOOMGATE_CLI_JAVA_OPTS=-Xmx64m "$run" -c "$top/config/bench.yaml" "$@"; }

start
for _ in 1 2 3; do
  stop TERM
  start
  echo "$ready" >>"$work/ready"
done
figure "start to ready without entries, s" "$(sort -n "$work/ready" | sed -n 2p)"
sleep 2
before=$(live)

cpu() { awk '{ print ($14 + $15) / 100 }' "/proc/$gate_pid/stat"; }
cpu_before=$(cpu)
began=$(now)
cli allow import "$work/entries.list" >"$work/import.out" 2>"$work/import.err"
figure "import of $entries entries, s (goal 60 a million)" "$(since "$began")"
figure "CPU of the gateway for it, s" "$(awk -v a="$cpu_before" -v b="$(cpu)" 'BEGIN { printf "%.1f", b - a }')"
figure "signs of progress" "$(wc -l <"$work/import.err")"
sed 's/^/  /' "$work/import.out" | tail -1
after=$(live)
figure "live heap more, MB (goal 10 a million)" "$(awk -v a="$before" -v b="$after" 'BEGIN { printf "%.1f", (b - a) / 1e6 }')"
figure "store on disk, MB" "$(awk -v s="$(stat -c %s "$work/state/operator.db")" 'BEGIN { printf "%.0f", s / 1e6 }')"
python3 -B "$here/operator.py" "$work/control.sock"

began=$(now)
cli allow list --limit 20 >"$work/list.out"
figure "allow list --limit 20, s, JVM included" "$(since "$began")"
began=$(now)
cli allow list --match "partner33333*" >"$work/list.out"
figure "allow list --match, s, rows" "$(since "$began") $(wc -l <"$work/list.out")"
began=$(now)
cli allow export >"$work/export.list"
figure "allow export, s, lines, command line in 64 MiB" "$(since "$began") $(wc -l <"$work/export.list")"
figure "live heap more after it, MB" "$(awk -v a="$before" -v b="$(live)" 'BEGIN { printf "%.1f", (b - a) / 1e6 }')"

: >"$work/ready"
for _ in 1 2 3; do
  stop TERM
  start
  echo "$ready" >>"$work/ready"
done
figure "start to ready with them, s (goal 1 more)" "$(sort -n "$work/ready" | sed -n 2p)"
stop KILL
start
figure "start to ready after a kill, s" "$ready"

watched() { # waits until the log says that this number of entries was read
  until grep -q "watched.list: $1 entries read" "$work/gateway.out"; do
    kill -0 "$gate_pid" || { cat "$work/gateway.out" >&2; exit 1; }
    sleep 0.1
  done
}
sed 's/^partner/watched/; s/^user/watched/' "$work/entries.list" >"$work/watched.list"
began=$(now)
watched "$entries"
figure "list file of as many lines stored, s" "$(since "$began")"
sleep 3
echo "appended.example" >>"$work/watched.list"
began=$(now)
watched $((entries + 1))
figure "one line appended, s until in force" "$(since "$began")"
cli allow check appended.example >/dev/null
sleep 3
figure "live heap more with both, MB" "$(awk -v a="$before" -v b="$(live)" 'BEGIN { printf "%.1f", (b - a) / 1e6 }')"
stop TERM
if [ -n "${CLASSES:-}" ]; then reads=$CLASSES; else
  (cd "$top" && mvn -q -B -P bench -pl integration-tests/bench -am -Dmaven.test.skip=true package)
  reads="$here/target/classes:$here/target/lib/*"
fi
"$java/java" "$heap" --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector -cp "$reads" io.bloomgate.bench.OperatorReadRun \
  "$work/state/operator.db" 20000
"$java/java" "$heap" --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector -cp "$reads" io.bloomgate.bench.OperatorPatternRun \
  "$work/patterns"
