#!/bin/sh
# campaign.sh: what fingerprints of a mail of 4 kB and the count of its copies cost a session, in microseconds of CPU and
# octets that become garbage. Builds what it needs; about two minutes.
#
# Knobs: CORE, the core to run on (default: the last one).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin/java
(cd "$top" && mvn -q -B -P bench -pl integration-tests/bench -am -Dmaven.test.skip=true package)
core=${CORE:-$(($(nproc) - 1))}
pin() {
  if command -v taskset >/dev/null; then taskset -c "$core" "$@"; else "$@"; fi
}
pin "$java" -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp "$here/target/classes:$here/target/lib/*" \
  io.bloomgate.bench.CampaignRun
