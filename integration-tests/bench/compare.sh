#!/bin/sh
# compare.sh [LARGEST [SMALLEST]]: ways to keep a set, side by side: exact sets and filters at 1 %.
#
# From SMALLEST (default: 10000) entries to LARGEST, times ten at each step. Each way and size has a process of its own, whose
# figures are CPU time, so that other work on the machine disturbs the ratios little. Ends with the table and the drawing of
# blocklists/README.md, in target/ beside this file. LARGEST is 10000000 (4 GiB of memory, about ten minutes) unless given;
# 100000000 needs 16 GiB and 20 minutes to an hour. A way that does not fit in the heap is named, and has no figures. Builds what it
# needs.
#
# Knobs: HEAP, for Java (default: 3g, for 100000000 14g); WAYS, names of those that take part; ADD=1 keeps the figures of the runs
# before and builds nothing, so that a long run can be cut into several.
set -eu
largest=${1:-10000000}
smallest=${2:-10000}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin/java
[ -n "${ADD:-}" ] || (cd "$top" && mvn -q -B -P bench -pl integration-tests/bench -am -Dmaven.test.skip=true package)
results=$here/target/results
mkdir -p "$results"
[ -n "${ADD:-}" ] || : >"$results/comparison"
ways="hash-set sorted-array md5-set bitmap roaring classic split-block counting scalable cuckoo fuse8 fuse16"
n=$smallest
while [ "$n" -le "$largest" ]; do
  heap=3g
  [ "$n" -lt 100000000 ] || heap=14g
  heap=${HEAP:-$heap}
  for way in ${WAYS:-$ways}; do
    "$java" "-Xms$heap" "-Xmx$heap" -XX:+UseSerialGC -XX:MarkSweepAlwaysCompactCount=1 --enable-native-access=ALL-UNNAMED \
      --add-modules jdk.incubator.vector "-Dbench.figures=$results/comparison" -cp "$here/target/classes:$here/target/lib/*" \
      io.bloomgate.bench.ComparisonRun "$way" "$n" 2>"$results/errors" && continue
    if grep -q OutOfMemoryError "$results/errors"; then
      echo "compare.sh: $way of $n does not fit in a heap of $heap" >&2
    else
      sed "s/^/compare.sh: $way of $n: /" "$results/errors" >&2
    fi
  done
  n=$((n * 10))
done
python3 "$here/compare.py" "$results/comparison" "$results/comparison.svg"
