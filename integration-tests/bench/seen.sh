#!/bin/sh
# seen.sh [ROUNDS]: what a look into the content costs mail on its way: mails of 4 kB with six links, relayed over kept connections,
# with content checks on and off, in turns, in front of the same smtp-sink; and the time between the sender's dot and the 554 for a
# mail with a listed URL.
#
#   PEERS  beside "off", which looks at nothing but the shape (default: links all bulk): links has a feed of URLs and hosts; all has
#          every content check; bulk counts copies as well; memory is "all" with the memory of spam; before is Bloomgate from another
#          checkout, BEFORE=DIR, with its jars built and no content checks: what the feature costs who does not use it
#
# Needs root, python3 and Postfix with smtp-source and smtp-sink. Knobs: MAILS a round (40000), WARM_MAILS (60000), WORK for files.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
for tool in smtp-source smtp-sink python3; do
  command -v $tool >/dev/null || { echo "seen.sh: $tool is missing (Debian: postfix python3)" >&2; exit 2; }
done
work=${WORK:-$(mktemp -d)}
mkdir -p "$work"
chmod go+x "$work"
trap '[ -n "${WORK:-}" ] || rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
(cd "$top" && mvn -q -B -P bench -pl integration-tests/bench -am -Dmaven.test.skip=true package)
"$("$top/gateway/bin/bloomgate" --find-jdk)/bin/java" -cp "$here/target/classes:$here/target/lib/*" \
  io.bloomgate.bench.ContentRun --mail | tr -d '\r' >"$work/mail" # smtp-source writes the CR
python3 "$here/seen.py" "$top" "$work" "${1:-5}" "${PEERS:-links all bulk}"
