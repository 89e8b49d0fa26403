#!/bin/sh
# hold.sh [tls|idle] [SECONDS]: whether strangers who hold sessions open stop clean mail. A gateway with the default heap, 1,000,000
# addresses, 1,000,000 domains and a list of URLs is before smtp-sink. Clients of five IPv6 /44, named by PROXY v2, hold 9,950
# sessions for SECONDS (default 60) and open another for each that is closed, while a clean mail is sent and timed every second.
#   tls   STARTTLS, a long EHLO, a forged listed sender, two exempt recipients with long ORCPT, DATA with an open tag, silence
#   idle  EHLO, and a NOOP every 30 s
# Prints sessions and clean mails of every five seconds, and the alarms of `status` at the end. Exit code 1 when the gateway ended,
# or a clean mail took more than 5 s or got no 250.
#
# Builds what it needs. Needs smtp-sink (Debian: postfix), python3 and `ulimit -n` above the sessions. Knobs: PORT (default 12651,
# and the one above it), SESSIONS (default 9950), ENTRIES of each list (default 1000000), HEAP (default: the product's; all three
# can be made smaller in the same proportion), WORK for files (default: a temporary folder), RUN, the command that starts the gateway.
set -eu
shape=${1:-tls}
seconds=${2:-60}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
port=${PORT:-12651}
entries=${ENTRIES:-1000000}
work=${WORK:-$(mktemp -d)}
run=${RUN:-$top/gateway/bin/bloomgate}
[ -n "${RUN:-}" ] || "$top/gateway/bin/bloomgate" version >/dev/null # builds what is missing or old; `run` takes the jars as they are
for tool in smtp-sink python3; do
  command -v $tool >/dev/null || { echo "hold.sh: $tool is missing (Debian: postfix python3)" >&2; exit 2; }
done
ulimit -n "$(ulimit -H -n)"
cleanup() {
  [ -z "${gate_pid:-}" ] || kill -9 "$gate_pid" 2>/dev/null || true
  [ -z "${sink_pid:-}" ] || kill "$sink_pid" 2>/dev/null || true
  [ -n "${WORK:-}" ] || rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

mkdir -p "$work"
user=""
[ "$(id -u)" -ne 0 ] || user="-u nobody"
# shellcheck disable=SC2086
smtp-sink $user -c "127.0.0.1:$((port + 1))" 500 >"$work/sink.out" 2>&1 & sink_pid=$!
if [ ! -e "$work/urls.txt" ]; then
  python3 -c "for i in range($entries): print('%d.%d.%d.%d' % (11 + i // 65536 // 250, i // 65536 % 250, i // 256 % 256, i % 256))" >"$work/ips.txt"
  python3 -c "for i in range($entries): print('junk%d.example' % i)" >"$work/domains.txt"
  python3 -c 'for i in range(1000): print("https://phish%d.example/login" % i)' >"$work/urls.txt"
fi
cat >"$work/bloomgate.yaml" <<YAML
mode: enforce
hostname: hold.example
domains: [dest.example]
state_dir: $work/state
listeners: {mx: {address: "127.0.0.1:$port", tls: starttls, proxy_protocol: v2, trusted_proxies: [127.0.0.0/8]}}
downstream: {host: 127.0.0.1, port: $((port + 1)), client_address: none}
feeds:
  sources:
    ips: {file: $work/ips.txt, format: ips, checks: [client_ip], action: reject, allow_bogons: true}
    domains: {file: $work/domains.txt, format: domains, checks: [sender_domain], action: reject}
    urls: {file: $work/urls.txt, format: urls, checks: [url, url_host], action: reject}
log: {target: "file:$work/gateway.log"}
YAML
BLOOMGATE_JAVA_OPTS="${HEAP:+-Xmx$HEAP}" "$run" -c "$work/bloomgate.yaml" run >"$work/gateway.out" 2>&1 & gate_pid=$!
until grep -q 'with [1-9][0-9]* entries' "$work/gateway.out" && grep -q 'listener mx on' "$work/gateway.out"; do
  kill -0 "$gate_pid" || { cat "$work/gateway.out" >&2; exit 1; }
  sleep 0.2
done

failed=0
python3 -B "$here/hold.py" "$shape" "$seconds" "$port" "$gate_pid" || failed=1
if kill -0 "$gate_pid" 2>/dev/null; then
  "$run" -c "$work/bloomgate.yaml" status -o json | python3 -c 'import json, sys
for alarm in json.load(sys.stdin)["alarms"]: print("alarm:", alarm)'
fi
grep -E 'OutOfMemory| ERROR ' "$work/gateway.out" | head -n 5 || true
exit $failed
