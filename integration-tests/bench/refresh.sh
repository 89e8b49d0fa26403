#!/bin/sh
# refresh.sh [PAIRS]: how much longer the slowest clean message takes while a feed of 10 million entries is refreshed.
#
# Each pair sends the same 5,000 messages twice at the same pace, a session each, without and with a refresh under way (read,
# guarded, built, checked, live); at one every 4 ms they span the refresh. The figure is the slowest with the refresh minus the
# slowest without, and of the pairs the median. A message's time counts from the moment it was due, so that a pause is not hidden
# by messages that it kept from being sent.
#
# The gateway runs on config/bench.yaml with its usual 512 MB of heap, before smtp-sink, on loopback. The refresh is asked for on the
# control socket, because a command line beside it would cost a core for a moment.
#
# Needs python3 and smtp-sink (Debian: postfix). Knobs: ENTRIES (10000000), MESSAGES (5000), PACE_MS (4), WORK for files
# (default: a temporary folder, 2 GB), GATE_PORT, SINK_PORT.
set -eu
pairs=${1:-5}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
for tool in smtp-sink python3; do
  command -v $tool >/dev/null || { echo "refresh.sh: $tool is missing (Debian: postfix python3)" >&2; exit 2; }
done
"$top/gateway/bin/bloomgate" version >/dev/null # builds what is missing or old; `run` takes the jars as they are
work=${WORK:-$(mktemp -d)}
mkdir -p "$work/lists"
sink=${SINK_PORT:-12610}
gate=${GATE_PORT:-12611}

cleanup() {
  [ -z "${gate_pid:-}" ] || { kill "$gate_pid" 2>/dev/null && wait "$gate_pid" 2>/dev/null; } || true
  [ -z "${sink_pid:-}" ] || kill "$sink_pid" 2>/dev/null || true
  [ -n "${WORK:-}" ] || rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

[ -s "$work/lists/b.txt" ] || python3 "$here/refresh.py" lists "${ENTRIES:-10000000}" "$work/lists"
cp "$work/lists/a.txt" "$work/lists/live.txt"
echo listed.example >"$work/lists/domains.txt"

user=""
[ "$(id -u)" -ne 0 ] || user="-u nobody"
# shellcheck disable=SC2086
smtp-sink $user "127.0.0.1:$sink" 400 & sink_pid=$!

export BLOOMGATE_STATE_DIR="$work/state"
export BLOOMGATE_LISTENERS__MX__ADDRESS="127.0.0.1:$gate"
export BLOOMGATE_DOWNSTREAM__PORT="$sink"
export BLOOMGATE_FEEDS__SOURCES__IPS__FILE="$work/lists/live.txt"
export BLOOMGATE_FEEDS__SOURCES__DOMAINS__FILE="$work/lists/domains.txt"
export BLOOMGATE_LOG__TARGET="file:$work/gateway.log"
"$top/gateway/bin/bloomgate" -c "$top/config/bench.yaml" run >"$work/gateway.out" 2>&1 & gate_pid=$!
until grep -q 'ready: mode' "$work/gateway.out"; do
  kill -0 "$gate_pid" || { cat "$work/gateway.out" >&2; exit 1; }
  sleep 0.1
done
python3 "$here/refresh.py" measure "$pairs" "${MESSAGES:-5000}" "${PACE_MS:-4}" "$gate" "$work/state/control.sock" "$work/lists"
