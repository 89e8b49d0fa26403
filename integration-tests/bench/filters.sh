#!/bin/sh
# filters.sh smoke | full | snapshot ENTRIES: figures of filters, indexes and snapshots beside their peers.
#
#   smoke     1 million entries, about 3 minutes
#   full      10 and 100 million entries, about half an hour, 8 GiB of memory
#   snapshot  one generation of ENTRIES entries, half addresses and half names, without peers
#
# Builds what it needs (Maven loads the peers the first time), takes contestants in turns on one core, and ends with a table:
# the figures, then each goal with its ratio, computed side by side from this run. Everything is left in target/ beside this file.
#
# Knobs: CORE, the core to run on (default: the last one); ROUNDS of turns; ONLY, prefixes of lookups, such as hash/miss;
# SIZES of full; PARTS, of "lookup build rate index snapshot member"; JVM, more options for every Java, such as -XX:+UseTransparentHugePages.
set -eu
mode=${1:-}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
case $mode in
  smoke) sizes=1000000 rounds=${ROUNDS:-1} checks=10000000 ;;
  full) sizes=${SIZES:-10000000 100000000} rounds=${ROUNDS:-3} checks=100000000 ;;
  snapshot) sizes='' entries=${2:-1000000} ;;
  *)
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
command -v mvn >/dev/null || { echo "filters.sh: Maven is missing" >&2; exit 2; }

java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin/java
(cd "$top" && mvn -q -B -P bench -pl integration-tests/bench -am -Dmaven.test.skip=true package)

results=$here/target/results
mkdir -p "$results"
figures=$results/figures
kinds="split-block classic counting scalable scalable-counting fuse8 fuse16 cuckoo cascade"
peers="guava fastfilter-blocked-bloom fastfilter-xor-8"
: >"$figures"
: >"$results/errors" # what JVMs say of incubating modules, and why one failed
core=${CORE:-$(($(nproc) - 1))}
pin() {
  if command -v taskset >/dev/null; then taskset -c "$core" "$@"; else "$@"; fi
}

# run CLASS JVM-OPTIONS -- ARGUMENTS
run() {
  class=$1
  shift
  options=
  while [ "$1" != -- ]; do
    options="$options $1"
    shift
  done
  shift
  # shellcheck disable=SC2086 # the options are words
  pin "$java" -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector ${JVM:-} $options \
    "-Dbench.figures=$figures" "-Dbench.jvm=${JVM:-}" -cp "$here/target/classes:$here/target/lib/*" "io.bloomgate.bench.$class" "$@" \
    2>>"$results/errors" || echo "filters.sh: $class $* failed; see $results/errors" >&2
}

wanted() { # PART
  case " ${PARTS:-lookup build rate index snapshot member} " in *" $1 "*) ;; *) return 1 ;; esac
}

# Sets of hashes built within the memory that they may use: input, filter, scratch, and 64 MiB for the JVM's own.
build() { # ENTRIES REPETITIONS BITS-A-KEY SCRATCH-OCTETS-A-KEY KIND..
  n=$1 times=$2 octets=$((8 + $3 / 8 + 1 + $4))
  shift 4
  for kind in "$@"; do
    run BuildRun "-Xmx$((n * octets / 1048576 + 64))m" -Xmn16m -XX:MarkSweepAlwaysCompactCount=1 -- "$kind" "$n" "$times"
  done
}

snapshot() { # ENTRIES
  folder=$results/snapshot
  rm -rf "$folder"
  for step in build open; do
    run SnapshotRun -Xmx512m -- "$step" "$folder" "$1"
  done
  rm -rf "$folder"
}

largest=0
for n in $sizes; do
  largest=$n
  if wanted lookup; then
    # shellcheck disable=SC2086
    run LookupRun -Xmx64m -- "$n" "$rounds" ${ONLY:-}
  fi
  if wanted build; then
    build "$n" 3 10 12 split-block
    build "$n" 3 9 16 fuse8
    build "$n" 3 18 16 fuse16
    build "$n" 1 10 40 $peers
  fi
  [ "$n" -le 10000000 ] || continue
  if wanted index; then run IndexRun -Xmx1g -- "$n"; fi
  if wanted snapshot; then snapshot "$n"; fi
done
if wanted rate && [ "$largest" -gt 0 ]; then
  for kind in $kinds; do
    run RateRun -Xmx4g -- "$largest" "$kind"
  done
fi
if wanted member && [ "$largest" -gt 0 ]; then run MembershipRun -Xmx4g -- "$checks"; fi
if [ "$mode" = snapshot ]; then
  snapshot "$entries"
  sizes="snapshot $entries"
fi

# shellcheck disable=SC2086
run TableRun -Xmx64m -- $sizes | tee "$results/table"
