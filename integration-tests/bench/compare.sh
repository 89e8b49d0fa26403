#!/bin/sh
# compare.sh [LARGEST]: ways to keep a set, side by side: exact sets and filters at 1 %, from 10,000 entries to LARGEST.
#
# Each way and size has a process of its own, whose figures are CPU time, so that other work on the machine disturbs the
# ratios little. Ends with the table and the drawing of blocklists/README.md, in target/ beside this file. LARGEST is
# 10000000 (8 GiB of memory, about ten minutes) unless given; 100000000 needs 24 GiB and an hour. Builds what it needs.
#
# Knobs: HEAP, for Java (default: 8g, with 100000000 20g); WAYS, names of those that take part.
set -eu
largest=${1:-10000000}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin/java
(cd "$top" && mvn -q -B -P bench -pl integration-tests/bench -am -Dmaven.test.skip=true package)
results=$here/target/results
mkdir -p "$results"
: >"$results/comparison"
heap=8g
[ "$largest" -lt 100000000 ] || heap=20g
ways="hash-set sorted-array md5-set bitmap roaring classic split-block counting scalable cuckoo fuse8 fuse16"
n=10000
while [ "$n" -le "$largest" ]; do
  for way in ${WAYS:-$ways}; do
    "$java" "-Xmx${HEAP:-$heap}" -XX:+UseSerialGC -XX:MarkSweepAlwaysCompactCount=1 --enable-native-access=ALL-UNNAMED \
      --add-modules jdk.incubator.vector "-Dbench.figures=$results/comparison" -cp "$here/target/classes:$here/target/lib/*" \
      io.bloomgate.bench.ComparisonRun "$way" "$n" 2>>"$results/errors" ||
      echo "compare.sh: $way of $n failed; see $results/errors" >&2
  done
  n=$((n * 10))
done
python3 "$here/compare.py" "$results/comparison" "$results/comparison.svg"
