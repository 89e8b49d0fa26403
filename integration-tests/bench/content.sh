#!/bin/sh
# content.sh: what it costs to look into a mail: CPU time and octets allocated for a mail of 4 kB, for one MiB of base64, and for
# mails that are made to cost much. Builds what it needs; about five minutes.
#
# Knobs: CORE, the core to run on (default: the last one).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin/java
(cd "$top" && mvn -q -B -P bench -pl integration-tests/bench -am -Dmaven.test.skip=true package)
pin() {
  if command -v taskset >/dev/null; then taskset -c "${CORE:-$(($(nproc) - 1))}" "$@"; else "$@"; fi
}
pin "$java" -Xmx128m -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED \
  -cp "$here/target/classes:$here/target/lib/*" io.bloomgate.bench.ContentRun
