#!/bin/sh
# catch.sh FEEDS_DIR [TABLE]: what each profile of `bloomgate init` catches on copies of real lists in FEEDS_DIR, and which
# good senders it hits; prints tables. TABLE (default: catch.tsv beside this script) says which file is a copy of which feed,
# and from which day. Builds what it needs; about two minutes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
[ $# -ge 1 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
feeds=$(cd "$1" && pwd)
java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin/java
(cd "$top" && mvn -q -B -pl integration-tests -am -DskipTests package dependency:build-classpath \
  -Dmdep.outputFile=target/class-path.txt)
"$java" -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED \
  -cp "$top/integration-tests/target/test-classes:$(cat "$top/integration-tests/target/class-path.txt")" \
  io.bloomgate.catches.CatchRun "${2:-$here/catch.tsv}" "$feeds"
