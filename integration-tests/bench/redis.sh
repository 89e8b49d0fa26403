#!/bin/sh
# redis.sh [KEYS]: puts a list of that number of hosts (1000000) into Redis as a filter and takes it out again, by the commands; prints what
# each took, start of the program included, and how many GETBIT questions a second a client gets answered.
#
# Needs redis-server and redis-benchmark (Debian: redis-server redis-tools). Its own server on a free port of loopback, nothing on disk.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bloomgate=$here/../../gateway/bin/bloomgate
keys=${1:-1000000}
for tool in redis-server redis-cli redis-benchmark python3; do
  command -v $tool >/dev/null || { echo "redis.sh: $tool is missing (Debian: redis-server python3)" >&2; exit 2; }
done
work=$(mktemp -d)
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
redis-server --port "$port" --bind 127.0.0.1 --save '' --dir "$work" >"$work/log" &
server=$!
trap 'kill $server; wait $server || true; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
until redis-cli -p "$port" ping >/dev/null 2>&1; do kill -0 $server; done
python3 - "$keys" >"$work/list" <<'END'
import sys
for i in range(int(sys.argv[1])):
    print("%d.%d.%d.%d" % (11 + (i >> 24), i >> 16 & 255, i >> 8 & 255, i & 255))
END
"$bloomgate" version >/dev/null
seconds() {
  start=$(date +%s%N)
  "$@" >"$work/out"
  echo "$(($(date +%s%N) - start))" | awk '{ printf "%.2f s\n", $1 / 1e9 }'
}
echo "push $keys keys: $(seconds "$bloomgate" filter push "$work/list" "redis://127.0.0.1:$port/list" --as bits)"
cat "$work/out"
head -n 10000 "$work/list" >"$work/some"
echo "query 10000 keys, one round trip each: $(seconds "$bloomgate" filter query "redis://127.0.0.1:$port/list" - <"$work/some")"
echo "no: $(grep -c '^no' "$work/out" || true) of $(wc -l <"$work/out")"
redis-benchmark -p "$port" -q -n 100000 -P 10 getbit list 4711
