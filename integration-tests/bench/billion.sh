#!/bin/sh
# billion.sh [KEYS]: a split-block filter of KEYS (default: 1000000000) at 1 %, from a stream of generated hashes.
#
# Builds with one thread, in a heap of the filter and 2 octets a key, from unsorted and from sorted hashes, and with two from sorted ones;
# checks 10 million keys for false negatives and as many others for the rate; asks the file without loading it. A billion needs
# 4 GiB of memory, 1.3 GB of disk in TMPDIR, two cores that nothing else uses, and some ten minutes. Builds what it needs.
set -eu
keys=${1:-1000000000}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin/java
(cd "$top" && mvn -q -B -P bench -pl integration-tests/bench -am -Dmaven.test.skip=true package)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# 10.2 bits a key for the filter, 2 octets for the build, 64 MiB for the JVM's own.
heap=$((keys * 33 / 10 / 1048576 + 64))
for order in unsorted sorted; do
  "$java" "-Xmx${heap}m" -XX:+UseSerialGC -Xmn16m --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector \
    "-Dbench.figures=$folder/figures" -cp "$here/target/classes:$here/target/lib/*" io.bloomgate.bench.BillionRun "$keys" "$folder" "$order"
done
awk '$1 ~ /1-threads\/ns$/ { one = $2 } $1 ~ /2-threads\/ns$/ { print "two threads: " one / $2 " times one" }' "$folder/figures"
