#!/bin/sh
# asn.sh [RANGES]: a table of AS numbers of RANGES (default 500,000) ranges of whole /24 that fill IPv4: CPU time to build, octets on
# disk and in the heap, CPU time of a look-up. Builds what it needs; a minute.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin/java
(cd "$top" && mvn -q -B -P bench -pl integration-tests/bench -am -Dmaven.test.skip=true package)
"$java" -Xmx512m -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector \
  -cp "$here/target/classes:$here/target/lib/*" io.bloomgate.bench.AsnRun "${1:-500000}"
