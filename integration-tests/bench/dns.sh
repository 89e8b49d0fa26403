#!/bin/sh
# dns.sh [SESSIONS]: what lists that are asked by DNS cost: the time from the final dot of a mail with four links to its answer, with
# lists about links and without; a session whose answers are all kept; and a clean mail while no name
# server answers and SESSIONS (default 9900) idle sessions are open. Builds what it needs; about two minutes.
#
# Needs `ulimit -n` above the sessions.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin/java
ulimit -n "$(ulimit -H -n)"
(cd "$top" && mvn -q -B -pl integration-tests -am -DskipTests package dependency:build-classpath \
  -Dmdep.outputFile=target/class-path.txt)
"$java" -Xmx1g --enable-native-access=ALL-UNNAMED \
  -cp "$top/integration-tests/target/test-classes:$(cat "$top/integration-tests/target/class-path.txt")" \
  io.bloomgate.it.DnsListRun "${1:-9900}"
