#!/bin/sh
# smtp.sh [ROUNDS]: what mail costs on its way through Bloomgate and through other programs in front of mail servers, side by side.
#
# All contestants are in front of the same smtp-sink and take turns (A B C A B C ..), so that a machine whose speed drifts
# disturbs all alike; the figures that count are the ratios of the medians. Bloomgate runs on config/bench.yaml with 1M listed
# addresses and 1M listed names.
#
#   CELLS  what is measured (default: all): relay (4 kB and 64 kB, one message per connection and many), reject (90 % listed
#          client addresses; 90 % listed senders), latency, idle (9,900 idle sessions, Bloomgate alone)
#   PEERS  beside whom (default: postfix haproxy mini pumpnio): postfix is smtpd_proxy_filter, in reject with 1M + 1M entries in
#          lmdb; haproxy an exact list of addresses; mini and pumpnio the harness's own proxies in Java; before is Bloomgate
#          from another checkout, BEFORE=DIR, with its jars built: what a change costs, measured in turns
#
# Needs root, cc, python3, ss, Postfix with smtp-source and smtp-sink, haproxy and postfix-lmdb for those, and the load harness:
# HARNESS=DIR (default: the shared harness beside the checkout). Knobs: SIZES, PARS, SECS as the harness has them; WORK for files
# (default: a temporary folder).
set -eu
rounds=${1:-5}
cells=${CELLS:-relay reject latency idle}
peers=${PEERS:-postfix haproxy mini pumpnio}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
harness=${HARNESS:-$top/../shared/bench/smtp}
[ -x "$harness/run.sh" ] || { echo "smtp.sh: no load harness in $harness; name it with HARNESS=DIR" >&2; exit 2; }
for tool in postfix smtp-source smtp-sink python3 cc ss; do
  command -v $tool >/dev/null || { echo "smtp.sh: $tool is missing (Debian: postfix python3 gcc iproute2)" >&2; exit 2; }
done
case $peers in *haproxy*) command -v haproxy >/dev/null || { echo "smtp.sh: haproxy is missing; leave it out with PEERS" >&2; exit 2; } ;; esac

work=${WORK:-$(mktemp -d)}
mkdir -p "$work"
chmod go+x "$work" # for the user of Postfix
sink=${SINK_PORT:-12600}
[ -s "$work/lists/ips.txt" ] || python3 "$harness/mklists.py" 1000000 "$work/lists"
ulimit -n "$(ulimit -Hn)"

has() { case " $1 " in *" $2 "*) return 0 ;; *) return 1 ;; esac; }
pids=""
cleanup() {
  # shellcheck disable=SC2086
  [ -z "$pids" ] || kill $pids 2>/dev/null || true
  for kind in proxy lmdb; do postfix -c "$work/pf-$kind/etc" stop >/dev/null 2>&1 || true; done
  [ -n "${WORK:-}" ] || rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM
listening() { ss -ltnH "sport = :$1" | grep -q .; }
await() { n=0; until listening "$1"; do n=$((n + 1)); [ $n -lt 600 ] || { echo "smtp.sh: nothing on port $1" >&2; exit 1; }; sleep 0.1; done; }

user=""
[ "$(id -u)" -ne 0 ] || user="-u nobody"
# shellcheck disable=SC2086
smtp-sink $user -m 12000 "127.0.0.1:$sink" 4000 & pids="$pids $!"
await "$sink"

port_of() { # CONTESTANT
  case $1 in
  bloomgate) echo $((sink + 1)) ;; postfix) echo $((sink + 2)) ;; postfix-lmdb) echo $((sink + 3)) ;;
  haproxy) echo $((sink + 4)) ;; mini) echo $((sink + 5)) ;; pumpnio) echo $((sink + 6)) ;; before) echo $((sink + 7)) ;;
  esac
}

export BLOOMGATE_STATE_DIR="$work/state"
export BLOOMGATE_LISTENERS__MX__ADDRESS="127.0.0.1:$(port_of bloomgate)"
export BLOOMGATE_DOWNSTREAM__PORT="$sink"
export BLOOMGATE_FEEDS__SOURCES__IPS__FILE="$work/lists/ips.txt"
export BLOOMGATE_FEEDS__SOURCES__DOMAINS__FILE="$work/lists/domains.txt"
export BLOOMGATE_LOG__TARGET="file:$work/gateway.log"
"$top/gateway/bin/bloomgate" version >/dev/null # builds what is missing or old; `run` takes the jars as they are
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
pids="$pids $gate_pid"
echo "process start to ready, 1M + 1M entries on disk: $ready_ms ms"
await "$(port_of bloomgate)"

start_peer() { # CONTESTANT
  port=$(port_of "$1")
  case $1 in
  before)
    BLOOMGATE_STATE_DIR="$work/state-before" BLOOMGATE_LISTENERS__MX__ADDRESS="127.0.0.1:$port" \
      BLOOMGATE_LOG__TARGET="file:$work/before.log" BLOOMGATE_ADMIN__SOCKET="$work/before.sock" \
      "${BEFORE:?names the other checkout}/gateway/bin/bloomgate" -c "$BEFORE/config/bench.yaml" run >"$work/before.out" 2>&1 & pids="$pids $!"
    n=0
    until grep -q 'ready: mode' "$work/before.out"; do
      n=$((n + 1)); [ $n -lt 600 ] || { cat "$work/before.out" >&2; exit 1; }
      sleep 0.1
    done
    ;;
  postfix) "$harness/peers/postfix.sh" "$work/pf-proxy" "$work/lists" "$sink" "$port" proxy >/dev/null 2>&1 ;;
  postfix-lmdb) "$harness/peers/postfix.sh" "$work/pf-lmdb" "$work/lists" "$sink" "$port" lmdb >/dev/null 2>&1 ;;
  haproxy) "$harness/peers/haproxy.sh" "$work/haproxy" "$work/lists" "$sink" "$port" >"$work/haproxy.out" 2>&1 & pids="$pids $!" ;;
  mini | pumpnio)
    JAVA_HOME=$("$top/gateway/bin/bloomgate" --find-jdk) "$harness/peers/java.sh" "$work/$1" "$work/lists" "$sink" "$port" "$1" >"$work/$1.out" 2>&1 &
    pids="$pids $!"
    ;;
  esac
  await "$port"
}

# The JVM compiles its hot paths while it works; all contestants carry the same mails before anything is counted.
warm() { # CONTESTANT
  for size in 4096 65536; do
    for reuse in "" -d; do
      # shellcheck disable=SC2086
      smtp-source -4 -s 20 -m "${WARM_MAILS:-15000}" -l $size -f clean@clean.example -t user@dest.example \
        -M client.example $reuse "127.0.0.1:$(port_of "$1")"
    done
  done
}

: >"$work/figures"
measure() { # CONTESTANT CELL [KNOB=VALUE..]
  who=$1 cell=$2
  shift 2
  env ONLY="$cell" REPS=1 SECS="${SECS:-2}" WARMUP="${WARMUP:-1}" "$@" \
    "$harness/run.sh" 127.0.0.1 "$(port_of "$who")" "$sink" >"$work/cell" # a run that fails ends the script, not its figure alone
  sed "s/^/$who /" "$work/cell" >>"$work/figures"
}

contestants() { # CELL
  echo bloomgate
  for peer in $peers; do
    case $1-$peer in
    reject-postfix) echo postfix-lmdb ;;
    reject-pumpnio | latency-pumpnio) ;; # knows no SMTP, so refuses nothing
    *) echo "$peer" ;;
    esac
  done
}

started=" bloomgate "
for cell in relay reject latency; do
  has "$cells" "$cell" || continue
  for who in $(contestants "$cell"); do
    has "$started" "$who" || { start_peer "$who"; started="$started$who "; warm "$who"; }
  done
done
warm bloomgate
i=0
while [ $i -lt "$rounds" ]; do
  for cell in relay reject latency; do
    has "$cells" "$cell" || continue
    for who in $(contestants "$cell"); do
      measure "$who" "$cell" SIZES="${SIZES:-4096 65536}" PARS="${PARS:-20}"
    done
  done
  i=$((i + 1))
done
! has "$cells" idle || measure bloomgate "idle latency" IDLE="${IDLE:-9900}"

python3 - "$work/figures" <<'P'
import statistics, sys
figures, order = {}, []
for line in open(sys.argv[1]):
    who, name, value = line.split()
    figures.setdefault(name, {}).setdefault(who, []).append(float(value))
    if who not in order:
        order.append(who)
print(f"{'figure':40}" + "".join(f"{who:>22}" for who in order) + "   (in brackets: Bloomgate's share of it)")
for name, by in figures.items():
    if not name.startswith(("relay.", "reject.", "latency.", "idle.")) or "bloomgate" not in by:
        continue
    middle = max if name.endswith(".wrong") else statistics.median  # one wrong answer in one run is one too many
    ours = middle(by["bloomgate"])
    row = f"{name:40}"
    for who in order:
        if who not in by:
            row += f"{'-':>22}"
            continue
        value = middle(by[who])
        share = "" if who == "bloomgate" or not value else f" ({ours / value:.2f})"
        row += f"{f'{value:.4g}{share}':>22}"
    print(row)
print(f"medians of {max(len(of) for by in figures.values() for of in by.values())} runs; of wrong answers the most")
P
[ -z "${WORK:-}" ] || echo "all runs: $work/figures"
