#!/bin/sh
# impact.sh: how long the impact of a candidate, of mode enforce and of another action takes over synthetic sessions, on one core; then
# the whole command with a candidate over a day of kept sessions, three times. Builds what it needs; about three minutes.
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

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
"$java" -Xmx512m --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector -cp "$here/target/classes:$here/target/lib/*" \
  io.bloomgate.bench.SessionRun "$work" 1 "${SESSIONS:-1000000}" >/dev/null
awk 'BEGIN { srand(1); for (i = 0; i < 100000; i++) printf "11.%d.%d.%d\n", rand() * 256, rand() * 256, rand() * 256 }' >"$work/candidate.txt"
printf 'domains: [dest.example]\ndownstream: {host: 127.0.0.1, port: 2526}\nstate_dir: %s\nsessions: {retain: 3650d}\n' "$work" >"$work/settings.yaml"
for _ in 1 2 3; do
  pin env TIMEFORMAT="bloomgate impact --candidate: %R s, %U + %S s of CPU" bash -c 'time "$@" >/dev/null' sh \
    "$top/gateway/bin/bloomgate" -c "$work/settings.yaml" impact --since 2026-01-01 --candidate "$work/candidate.txt" ||
    true # 4: good senders are hit
done
