#!/bin/sh
# impact.sh: how long the impact of a candidate, of mode enforce and of another action takes over synthetic sessions, on one core.
# Builds what it needs; about a minute.
#
# Knobs: SESSIONS (1000000), ENTRIES of the live lists (2000000), CORE, the core to run on (default: the last one).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin/java
(cd "$top" && mvn -q -B -P bench -pl integration-tests/bench -am -Dmaven.test.skip=true package)
core=${CORE:-$(($(nproc) - 1))}
pin() {
  if command -v taskset >/dev/null; then taskset -c "$core" "$@"; else "$@"; fi
}
# As the launcher starts the command line.
pin "$java" -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED -cp "$here/target/classes:$here/target/lib/*" \
  io.bloomgate.bench.ImpactRun "${SESSIONS:-1000000}" "${ENTRIES:-2000000}"
