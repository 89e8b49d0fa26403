#!/bin/sh
# sessions.sh [DAYS [SESSIONS]]: what kept sessions cost and how fast they are found: DAYS (default 1) days of SESSIONS
# (default 1,000,000) sessions each, and what the guard of feeds needs to compare a version with them. Prints a figure a line
# with the project's goal. Builds what it needs. A day of a million sessions takes about 20 s and 400 MB.
#
# Knobs: WORK for files (default: a temporary folder), HEAP (default 512m).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin/java
work=${WORK:-$(mktemp -d)}
mkdir -p "$work"
trap '[ -n "${WORK:-}" ] || rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
(cd "$top" && mvn -q -B -P bench -pl integration-tests/bench -am -Dmaven.test.skip=true package)
"$java" "-Xmx${HEAP:-512m}" --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector \
  -cp "$here/target/classes:$here/target/lib/*" io.bloomgate.bench.SessionRun "$work" "${1:-1}" "${2:-1000000}"
