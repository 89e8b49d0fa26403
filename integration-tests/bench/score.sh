#!/bin/sh
# score.sh [SESSIONS [FEEDS]]: what `feeds score` costs over SESSIONS (default 1,000,000) kept sessions and FEEDS (default 40)
# feeds: CPU time and memory. Of ten sessions seven are listed, by three feeds each; one in fifty of the listed was accepted.
# Builds what it needs; about two minutes.
#
# Knobs: WORK for files (default: a temporary folder), HEAP (default 128m).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin/java
work=${WORK:-$(mktemp -d)}
mkdir -p "$work"
trap '[ -n "${WORK:-}" ] || rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
(cd "$top" && mvn -q -B -P bench -pl integration-tests/bench -am -Dmaven.test.skip=true package)
"$java" "-Xmx${HEAP:-128m}" -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector \
  -cp "$here/target/classes:$here/target/lib/*" io.bloomgate.bench.ScoreRun "$work" "${1:-1000000}" "${2:-40}"
