#!/bin/sh
# abuse.sh [MINUTES]: whether an hour (default 60) of mixed abuse leaves anything behind. A gateway on config/bench.yaml stands
# before smtp-sink; some 130 abusers from hundreds of loopback networks are slow at every stage, send too much of everything,
# garbage, resets, half sessions, relay and smuggling attempts, and hold connections to the mail server, while two senders of
# clean mail must stay undisturbed. Each minute prints live heap after a full collection, resident memory, threads, open files
# and sessions.
#
# Exit code 1 when the live heap grew by more than a tenth and 4 MiB between minute 2 and the end, when threads, files or
# sessions do not go back to where they were, or when a clean mail was refused, cut off or lost.
#
# Builds what it needs. Needs smtp-sink (Debian: postfix), python3, Linux. Knobs: PORT (default 12631, and the two ports above
# it), HEAP (default 256m), SEED (default: of the day; printed), WORK for files (default: a temporary folder), RUN, the command
# that starts the gateway.
set -eu
minutes=${1:-60}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
port=${PORT:-12631}
seed=${SEED:-$(date +%Y%m%d)}
work=${WORK:-$(mktemp -d)}
run=${RUN:-$top/gateway/bin/bloomgate}
[ -n "${RUN:-}" ] || "$top/gateway/bin/bloomgate" version >/dev/null # builds what is missing or old; `run` takes the jars as they are
[ "$minutes" -ge 3 ] || { echo "abuse.sh: figures count from minute 2 on, so 3 minutes at least" >&2; exit 2; }
for tool in smtp-sink python3; do
  command -v $tool >/dev/null || { echo "abuse.sh: $tool is missing (Debian: postfix python3)" >&2; exit 2; }
done
java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin
ulimit -n "$(ulimit -H -n)"

cleanup() {
  [ -z "${gate_pid:-}" ] || kill "$gate_pid" 2>/dev/null || true
  [ -z "${sink_pid:-}" ] || kill "$sink_pid" 2>/dev/null || true
  [ -n "${WORK:-}" ] || rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

mkdir -p "$work/mails"
user=""
if [ "$(id -u)" -eq 0 ]; then
  user="-u nobody"
  chmod 711 "$work"
  chown nobody "$work/mails"
fi
# shellcheck disable=SC2086
smtp-sink $user -m 500 -D "$work/mails/clean" "127.0.0.1:$((port + 1))" 500 & sink_pid=$!

printf '127.66.0.0/24\n' >"$work/ips.txt"
printf 'spam.example\n' >"$work/domains.txt"
export BLOOMGATE_STATE_DIR="$work/state" BLOOMGATE_ADMIN__SOCKET="$work/control.sock"
export BLOOMGATE_FEEDS__SOURCES__IPS__FILE="$work/ips.txt" BLOOMGATE_FEEDS__SOURCES__DOMAINS__FILE="$work/domains.txt"
export BLOOMGATE_LOG__TARGET="file:$work/gateway.log"
export BLOOMGATE_LISTENERS__MX__ADDRESS="127.0.0.1:$port" BLOOMGATE_LISTENERS__MX__TLS=starttls
export BLOOMGATE_LISTENERS__MX__MAX_SESSIONS=2000 BLOOMGATE_LISTENERS__MX__MAX_SESSIONS_PER_IP=50
export BLOOMGATE_LISTENERS__PROXIED__ADDRESS="127.0.0.1:$((port + 2))" BLOOMGATE_LISTENERS__PROXIED__PROXY_PROTOCOL=both
export BLOOMGATE_LISTENERS__PROXIED__TRUSTED_PROXIES='[127.0.0.0/8]'
export BLOOMGATE_DOWNSTREAM__PORT=$((port + 1)) BLOOMGATE_DOWNSTREAM__MAX_CONNECTIONS=40
# Short enough that each timeout is met many times in an hour.
export BLOOMGATE_LIMITS__COMMAND_TIMEOUT=20s BLOOMGATE_LIMITS__DATA_TIMEOUT=45s BLOOMGATE_LIMITS__SESSION_TIMEOUT=3m
export BLOOMGATE_LIMITS__MESSAGE_SIZE=4MiB BLOOMGATE_LIMITS__ERRORS=20 BLOOMGATE_LIMITS__COMMANDS=1000
BLOOMGATE_JAVA_OPTS="-Xmx${HEAP:-256m}" "$run" -c "$top/config/bench.yaml" run >"$work/gateway.out" 2>&1 & gate_pid=$!
until grep -q 'ready: mode' "$work/gateway.out" && grep -q 'listener mx on' "$work/gateway.out"; do
  kill -0 "$gate_pid" || { cat "$work/gateway.out" >&2; exit 1; }
  sleep 0.1
done

echo "abuse.sh: $minutes minutes, seed $seed"
python3 -B "$here/abuse.py" "$minutes" "$port" "$((port + 2))" "$gate_pid" "$work/control.sock" "$java/jcmd" "$work/mails" "$seed" || failed=1
if grep -q ' ERROR ' "$work/gateway.out"; then
  grep -m 5 ' ERROR ' "$work/gateway.out"
  echo "FAILED: the gateway's log tells errors"
  failed=1
fi
exit "${failed:-0}"
