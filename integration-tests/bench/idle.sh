#!/bin/sh
# idle.sh [SESSIONS]: what an idle session costs. Starts a gateway without lists on config/bench.yaml before smtp-sink, opens SESSIONS
# sessions (default 9900) that say EHLO and nothing more, and prints live octets of the heap after a full collection, thread stacks
# included, since those of virtual threads lie in the heap; and the process's resident memory.
#
# Builds what it needs. Needs smtp-sink (Debian: postfix) and `ulimit -n` above the sessions. Knobs: PORT (default 12611, and the
# one above it), HEAP (default 1g), WORK for files (default: a temporary folder), RUN, the command that starts the gateway.
set -eu
sessions=${1:-9900}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
port=${PORT:-12611}
work=${WORK:-$(mktemp -d)}
mkdir -p "$work"
run=${RUN:-$top/gateway/bin/bloomgate}
[ -n "${RUN:-}" ] || "$top/gateway/bin/bloomgate" version >/dev/null # builds what is missing or old; `run` takes the jars as they are
java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin
ulimit -n "$(ulimit -H -n)"
if [ "$(ulimit -n)" != unlimited ] && [ "$(ulimit -n)" -lt $((sessions + 100)) ]; then
  echo "idle.sh: $(ulimit -n) open files are too few for $sessions sessions" >&2
  exit 2
fi

command -v smtp-sink >/dev/null || { echo "idle.sh: smtp-sink is missing (Debian: postfix)" >&2; exit 2; }

cleanup() {
  [ -z "${client_pid:-}" ] || kill "$client_pid" 2>/dev/null || true
  [ -z "${gate_pid:-}" ] || { kill "$gate_pid" 2>/dev/null && wait "$gate_pid" 2>/dev/null; } || true
  [ -z "${sink_pid:-}" ] || kill "$sink_pid" 2>/dev/null || true
  [ -n "${WORK:-}" ] || rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

: >"$work/none.txt"
user=""
[ "$(id -u)" -ne 0 ] || user="-u nobody"
# shellcheck disable=SC2086
smtp-sink $user -c "127.0.0.1:$((port + 1))" 500 >"$work/sink.out" 2>&1 & sink_pid=$!
export BLOOMGATE_DOWNSTREAM__PORT="$((port + 1))"
export BLOOMGATE_STATE_DIR="$work/state" BLOOMGATE_LISTENERS__MX__ADDRESS="127.0.0.1:$port"
export BLOOMGATE_FEEDS__SOURCES__IPS__FILE="$work/none.txt" BLOOMGATE_FEEDS__SOURCES__DOMAINS__FILE="$work/none.txt"
export BLOOMGATE_LOG__TARGET="file:$work/gateway.log"
BLOOMGATE_JAVA_OPTS="-Xmx${HEAP:-1g}" "$run" -c "$top/config/bench.yaml" run >"$work/gateway.out" 2>&1 & gate_pid=$!
until grep -q 'listener mx on' "$work/gateway.out"; do
  kill -0 "$gate_pid" || { cat "$work/gateway.out" >&2; exit 1; }
  sleep 0.1
done

live() { "$java/jcmd" "$gate_pid" GC.class_histogram | awk '$1 == "Total" { print $3 }'; }
resident() { awk '$1 == "VmRSS:" { print $2 * 1024 }' "/proc/$gate_pid/status"; }
hold() { # SESSIONS
  mkfifo "$work/hold"
  "$java/java" "$here/src/main/java/io/bloomgate/bench/IdleSessions.java" "$port" "$1" <"$work/hold" >"$work/held" & client_pid=$!
  exec 3>"$work/hold"
  until grep -q held "$work/held"; do
    kill -0 "$client_pid" || exit 1
    sleep 0.1
  done
}
release() {
  exec 3>&-
  wait "$client_pid" || true
  client_pid=
  rm "$work/hold"
}

hold 500 # loads classes and grows tables that do not belong to the sessions counted
release
sleep 2
before=$(live)
before_resident=$(resident)
hold "$sessions"
after=$(live)
after_resident=$(resident)
"$java/jcmd" "$gate_pid" GC.class_histogram >"$work/histogram"
release
sleep 2
end=$(live)
echo "sessions held                      $sessions"
echo "live heap a session, octets        $(((after - before) / sessions))"
echo "resident memory a session, octets  $(((after_resident - before_resident) / sessions))"
echo "live heap left after they went     $(((end - before) / sessions)) a session"
echo "classes: $work/histogram"
