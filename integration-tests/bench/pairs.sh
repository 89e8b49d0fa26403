#!/bin/sh
# pairs.sh [ENTRIES]: filters in pairs, asked in turns in one process: CPU of a lookup in each, and their ratio.
#
# fuse8 beside fastfilter's xor8, and fuse16 beside its xor8 and its xor16, by misses, hits, and either at random; ENTRIES is
# 1000000 unless given. Other work on the machine disturbs the ratios little. Two minutes. Builds what it needs.
#
# Knobs: PAIRS, such as "fuse8:fastfilter-xor-8"; ROUNDS (default: 300); CORE, the core to run on (default: the last one).
set -eu
entries=${1:-1000000}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin/java
(cd "$top" && mvn -q -B -P bench -pl integration-tests/bench -am -Dmaven.test.skip=true package)
mkdir -p "$here/target/results"
pinned=
if command -v taskset >/dev/null; then pinned="taskset -c ${CORE:-$(($(nproc) - 1))}"; fi
for pair in ${PAIRS:-fuse8:fastfilter-xor-8 fuse16:fastfilter-xor-8 fuse16:fastfilter-xor-16 fastfilter-xor-16:fastfilter-xor-8}; do
  # shellcheck disable=SC2086 # the pin is words
  $pinned "$java" -Xmx6g -XX:+UseSerialGC --add-modules jdk.incubator.vector "-Dbench.figures=$here/target/results/pairs" \
    -cp "$here/target/classes:$here/target/lib/*" io.bloomgate.bench.PairRun "${pair%:*}" "${pair#*:}" "$entries" "${ROUNDS:-300}" 2>/dev/null
done
