#!/bin/sh
# history.sh [DELTAS]: what the history of the lists costs: a list of 36,000 addresses of which 750 come and 750 go with every
# version (each stays for half a day when it is refreshed each 15 minutes), DELTAS times (default: 3000, a month). Prints the
# octets on disk, the time to write one delta down, and the time of `explain --at` through all of them.
#
# Builds what it needs; two minutes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin/java
(cd "$top" && mvn -q -B -P bench -pl integration-tests/bench -am -Dmaven.test.skip=true package)
"$java" --enable-native-access=ALL-UNNAMED -Xmx512m -cp "$here/target/classes:$here/target/lib/*" \
  io.bloomgate.bench.HistoryRun "${1:-3000}"
