#!/bin/sh
# cold.sh [ROUNDS]: what a start costs: the first 1,000 and the first 5,000 mails after it beside Postfix's before-queue proxy, the time
# until the gateway is ready with 1M + 1M entries, and the CPU time of short commands. With and without the AOT cache, in turns.
#
# Every round starts each contestant again, for mails of 4 kB with one mail a connection ("one") and over kept connections ("kept"), 20
# at a time, in front of the same smtp-sink. CPU is user and system time of all processes of the contestant. Where other work shares
# the machine, trust CPU more than mails a second.
#
#   PEERS  beside what (default: nocache postfix): nocache is the gateway without its cache, postfix is smtpd_proxy_filter, before is
#          Bloomgate from another checkout, BEFORE=DIR, with its jars built
#   CELLS  what is measured (default: mails cli)
#
# Needs root, python3, ss, Postfix with smtp-source and smtp-sink, and the load harness: HARNESS=DIR (default: the shared harness
# beside the checkout). WORK for files (default: a temporary folder).
set -eu
rounds=${1:-5}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
harness=${HARNESS:-$top/../shared/bench/smtp}
[ -x "$harness/run.sh" ] || { echo "cold.sh: no load harness in $harness; name it with HARNESS=DIR" >&2; exit 2; }
for tool in postfix smtp-source smtp-sink python3 ss; do
  command -v $tool >/dev/null || { echo "cold.sh: $tool is missing (Debian: postfix python3 iproute2)" >&2; exit 2; }
done
work=${WORK:-$(mktemp -d)}
mkdir -p "$work"
chmod go+x "$work" # for the user of Postfix
trap '[ -n "${WORK:-}" ] || rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
[ -s "$work/lists/ips.txt" ] || python3 "$harness/mklists.py" "${ENTRIES:-1000000}" "$work/lists"
"$top/gateway/bin/bloomgate" version >/dev/null     # builds what is missing
"$top/gateway/bin/bloomgate" --train >/dev/null # a build of the benchmarks makes the jars again, and the caches do not fit any more
python3 "$here/cold.py" "$top" "$harness" "$work" "$rounds" "${PEERS:-nocache postfix}" "${CELLS:-mails cli}"
