#!/bin/sh
# relay.sh [ROUNDS]: clean 4 kB mails relayed by Bloomgate and by Postfix's before-queue proxy, side by side.
#
# Both stand in front of the same smtp-sink and take turns (A B A B ..), so that a machine whose speed drifts disturbs both
# alike; the figure that counts is the ratio of the medians. Bloomgate runs on config/bench.yaml with 1M listed addresses and
# 1M listed names; Postfix as smtpd_proxy_filter without lists.
#
# Needs root, cc, python3, ss, Postfix with smtp-source and smtp-sink, and the load harness: HARNESS=DIR (default: the shared
# harness beside the checkout). Knobs: SIZES, PARS, SECS as the harness has them; WORK for files (default: a temporary folder).
set -eu
rounds=${1:-5}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
harness=${HARNESS:-$top/../shared/bench/smtp}
[ -x "$harness/run.sh" ] || { echo "relay.sh: no load harness in $harness; name it with HARNESS=DIR" >&2; exit 2; }
for tool in postfix smtp-source smtp-sink python3 cc ss; do
  command -v $tool >/dev/null || { echo "relay.sh: $tool is missing (Debian: postfix python3 gcc iproute2)" >&2; exit 2; }
done

work=${WORK:-$(mktemp -d)}
mkdir -p "$work"
sink=${SINK_PORT:-12600}
gate=${GATE_PORT:-12601}
pfix=${POSTFIX_PORT:-12602}
[ -s "$work/lists/ips.txt" ] || python3 "$harness/mklists.py" 1000000 "$work/lists"

cleanup() {
  [ -z "${gate_pid:-}" ] || kill "$gate_pid" 2>/dev/null || true
  [ -z "${sink_pid:-}" ] || kill "$sink_pid" 2>/dev/null || true
  postfix -c "$work/pf/etc" stop >/dev/null 2>&1 || true
}
trap cleanup EXIT INT TERM
listening() { ss -ltnH "sport = :$1" | grep -q .; }
await() { n=0; until listening "$1"; do n=$((n + 1)); [ $n -lt 600 ] || { echo "relay.sh: nothing on port $1" >&2; exit 1; }; sleep 0.1; done; }

user=""
[ "$(id -u)" -ne 0 ] || user="-u nobody"
# shellcheck disable=SC2086
smtp-sink $user -m 12000 "127.0.0.1:$sink" 4000 & sink_pid=$!
"$harness/peers/postfix.sh" "$work/pf" "$work/lists" "$sink" "$pfix" proxy >/dev/null 2>&1

export BLOOMGATE_STATE_DIR="$work/state"
export BLOOMGATE_LISTENERS__MX__ADDRESS="127.0.0.1:$gate"
export BLOOMGATE_DOWNSTREAM__PORT="$sink"
export BLOOMGATE_FEEDS__SOURCES__IPS__FILE="$work/lists/ips.txt"
export BLOOMGATE_FEEDS__SOURCES__DOMAINS__FILE="$work/lists/domains.txt"
export BLOOMGATE_LOG__TARGET="file:$work/gateway.log"
start_gateway() {
  : >"$work/gateway.out" # the line awaited below must be of this start
  began=$(date +%s%N)
  "$top/gateway/bin/bloomgate" -c "$top/config/bench.yaml" run >"$work/gateway.out" 2>&1 & gate_pid=$!
  until grep -q 'ready: mode' "$work/gateway.out"; do
    kill -0 "$gate_pid" || { cat "$work/gateway.out" >&2; exit 1; }
    sleep 0.01
  done
  ready_ms=$((($(date +%s%N) - began) / 1000000))
}
start_gateway # builds jars and lists where they are missing
kill "$gate_pid"
wait "$gate_pid" || true
start_gateway
echo "process start to ready, 1M + 1M entries on disk: $ready_ms ms"
await "$gate"; await "$sink"; await "$pfix"

# The JVM compiles its hot paths while it works; both contestants carry the same mails before anything is counted.
warm() { # PORT
  for reuse in "" -d; do
    # shellcheck disable=SC2086
    smtp-source -4 -s 20 -m "${WARM_MAILS:-15000}" -l 4096 -f clean@clean.example -t user@dest.example \
      -M client.example $reuse "127.0.0.1:$1"
  done
}
warm "$gate"
warm "$pfix"

run() { # NAME PORT
  ONLY=${ONLY:-relay} SIZES=${SIZES:-4096} PARS=${PARS:-20} REPS=1 SECS=${SECS:-1} WARMUP=${WARMUP:-1} \
    "$harness/run.sh" 127.0.0.1 "$2" "$sink" | sed "s/^/$1 /" >>"$work/figures"
}
: >"$work/figures"
i=0
while [ $i -lt "$rounds" ]; do
  run bloomgate "$gate"
  run postfix "$pfix"
  i=$((i + 1))
done

python3 - "$work/figures" <<'P'
import statistics, sys
figures = {}
for line in open(sys.argv[1]):
    who, name, value = line.split()
    figures.setdefault(name, {}).setdefault(who, []).append(float(value))
print(f"{'figure':44} {'bloomgate':>10} {'postfix':>10} {'ratio':>7}")
for name, by in figures.items():
    if len(by) == 2 and name.startswith(("relay.", "reject.", "latency.")):
        a, b = (statistics.median(by[w]) for w in ("bloomgate", "postfix"))
        print(f"{name:44} {a:10.4g} {b:10.4g} {a / b if b else float('nan'):7.2f}")
P
echo "all runs: $work/figures"
