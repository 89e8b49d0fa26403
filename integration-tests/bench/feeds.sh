#!/bin/sh
# feeds.sh read [ROUNDS [LIST]] | refresh [LINES] | hostile: figures of reading and refreshing feeds.
#
#   read      plain lists from octets to entries on one core, MB/s
#   refresh   a feed of LINES lines (default: 10 million) fetched from a server on loopback, judged, built and live, heap 512 MiB
#   hostile   a line of 200 MB, millions of equal lines, bombs, exceptions by the million, random octets: time and memory until refused or read
#
# Builds what it needs. Knobs: CORE, the core for `read` (default: the last one); FEEDS, a folder with real feeds to read
# (default: the shared ones beside the checkout; where there are none, lists are made); JVM, more options for Java.
set -eu
mode=${1:-}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
case $mode in
  read | refresh | hostile) shift ;;
  *)
    sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
command -v mvn >/dev/null || { echo "feeds.sh: Maven is missing" >&2; exit 2; }

java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin/java
(cd "$top" && mvn -q -B -P bench -pl integration-tests/bench -am -Dmaven.test.skip=true package)

results=$here/target/results
mkdir -p "$results"
: >"$results/feeds"
run() { # CLASS ARGUMENTS, after the words of $pin
  class=$1
  shift
  # shellcheck disable=SC2086 # the options are words
  $pin "$java" --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector $options ${JVM:-} \
    "-Dbench.figures=$results/feeds" -cp "$here/target/classes:$here/target/lib/*" "io.bloomgate.bench.$class" "$@" 2>"$results/errors" \
    || { cat "$results/errors" >&2; exit 1; }
}

pin=
case $mode in
  read)
    if command -v taskset >/dev/null; then pin="taskset -c ${CORE:-$(($(nproc) - 1))}"; fi
    options="-Xmx1g -XX:+UseSerialGC"
    run FeedReadRun "${1:-5}" "${FEEDS:-$top/../shared/feeds}" ${2:+"$2"}
    ;;
  refresh)
    options=-Xmx512m # and the collector that the gateway has
    run FeedRefreshRun "${1:-10000000}"
    ;;
  hostile)
    options="-Xmx512m -XX:+UseSerialGC"
    run HostileFeedsRun
    ;;
esac

if [ "$mode" = read ]; then
  echo "medians:"
  sort "$results/feeds" | awk '
    function tell() { if (n) printf "%-36s %8.1f\n", name, (v[int((n + 1) / 2)] + v[int(n / 2) + 1]) / 2 }
    $1 != name { tell(); name = $1; n = 0 }
    { v[++n] = $2; for (i = n; i > 1 && v[i] < v[i - 1]; i--) { t = v[i]; v[i] = v[i - 1]; v[i - 1] = t } }
    END { tell() }'
fi
