#!/bin/sh
# tls.sh [ROUNDS|quick]: what encrypted mail costs: sessions a second, CPU a session of all processes, memory of idle sessions; beside
# Postfix as before-queue proxy, haproxy and another build, in turns (A B C B C A ..). Where other work shares the machine, trust CPU more
# than sessions a second. "cores of others" is the CPU that other work took meanwhile.
#
#   CELLS  what is measured (default: in out cold idle)
#            in    clients use STARTTLS, the mail server gets plain text. A mail of 4 kB a session, 20 sessions at a time. IN names the
#                  ways (default: plain full resumed kept): plain has no TLS, full a whole handshake, resumed a ticket of the session
#                  before, kept 20 mails a session, and its figures are of a mail; full12 and resumed12 are TLS 1.2; kept_plain
#            out   clients use plain text, the mail server gets STARTTLS. OUT names the ways (default: plain full resumed plain_pooled
#                  pooled): pooled keeps connections. Postfix is its queue and its client here, and what TLS adds to plain can be
#                  compared. A run ends when the mail server has all mails
#            cold  each contestant starts again each time: time until it is ready with its lists, then the first COLD sessions, full
#            idle  memory of IDLE sessions that did STARTTLS and EHLO: live heap and what the process has outside of it
#   KEYS   the server's certificate (default: rsa ecdsa; RSA of 2,048 bits, ECDSA P-256); out and idle use the first
#   PEERS  beside whom (default: postfix haproxy). What is not installed is skipped, and said. before is Bloomgate from another checkout
#          BEFORE=DIR with its jars built, or with BEFORE_OPTIONS for its Java; nocache (cold) is the gateway without its AOT cache
#
# Knobs: ROUNDS, SESSIONS of a run (default 2000), WARM sessions of all ways together before anything is counted (default 16000), IDLE
# (default 5000), COLD (default 1000), ENTRIES of each list (default 1000000), HEAP of the idle cell (default 1g), OPTIONS for the gateway's
# Java, RUN and BEFORE_RUN, commands that start the gateways, SINK_PORT (default 12800, and the nine above), WORK for files (default: a
# temporary folder). `quick` takes one round, one key and few sessions: a look of two minutes, in which Java is not warm.
#
# Needs cc, OpenSSL with its headers, python3 and git; root, Postfix with its lmdb and the load harness HARNESS=DIR (default: the shared
# harness beside the checkout) for Postfix, haproxy for that.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
harness=${HARNESS:-$top/../shared/bench/smtp}
if [ "${1:-}" = quick ]; then
  export ROUNDS=1 SESSIONS="${SESSIONS:-400}" WARM="${WARM:-1600}" IDLE="${IDLE:-1000}" ENTRIES="${ENTRIES:-10000}" KEYS="${KEYS:-ecdsa}"
  export OUT="${OUT:-plain full}"
fi
export ROUNDS="${ROUNDS:-${1:-3}}" SESSIONS="${SESSIONS:-2000}" WARM="${WARM:-16000}" IDLE="${IDLE:-5000}" COLD="${COLD:-1000}" HEAP="${HEAP:-1g}"
export CELLS="${CELLS:-in out cold idle}" PEERS="${PEERS:-postfix haproxy}" KEYS="${KEYS:-rsa ecdsa}"
export IN="${IN:-plain full resumed kept}" OUT="${OUT:-plain full resumed plain_pooled pooled}"
for tool in cc openssl python3 git; do
  command -v $tool >/dev/null || { echo "tls.sh: $tool is missing (Debian: gcc openssl python3 git)" >&2; exit 2; }
done
work=${WORK:-$(mktemp -d)}
mkdir -p "$work/lists"
chmod go+x "$work" # for the user of Postfix
trap '[ -n "${WORK:-}" ] || rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cc -O2 -o "$work/tlsload" "$here/tlsload.c" -lssl -lcrypto -lpthread ||
  { echo "tls.sh: tlsload.c needs OpenSSL's headers (Debian: libssl-dev)" >&2; exit 2; }
certificate() { # NAME OPTIONS..
  name=$1
  shift
  [ ! -s "$work/$name.pem" ] || return 0
  openssl req -x509 -nodes -days 30 -subj /CN=bench.example -addext subjectAltName=DNS:bench.example \
    -keyout "$work/$name.key" -out "$work/$name.crt" "$@" 2>/dev/null
  cat "$work/$name.key" "$work/$name.crt" >"$work/$name.pem"
}
certificate rsa -newkey rsa:2048
certificate ecdsa -newkey ec -pkeyopt ec_paramgen_curve:P-256
if [ ! -s "$work/lists/ips.txt" ]; then
  entries=${ENTRIES:-1000000}
  python3 -c "for i in range($entries): print('%d.%d.%d.%d' % (11 + i // 16777216, i // 65536 % 256, i // 256 % 256, i % 256))" >"$work/lists/ips.txt"
  python3 -c "for i in range($entries): print('junk%d.example' % i)" >"$work/lists/domains.txt"
fi
if [ -z "${RUN:-}" ]; then
  "$top/gateway/bin/bloomgate" version >/dev/null # builds what is missing or old; `run` takes the jars as they are
  case $CELLS in *cold*) "$top/gateway/bin/bloomgate" --train >/dev/null ;; esac
fi
ulimit -n "$(ulimit -Hn)"
python3 -B "$here/tls.py" "$top" "$harness" "$work"
