#!/bin/sh
# dedup.sh [LINES]: `bloomgate dedup` beside `sort -u`, in turns on one core: lines a second of CPU, memory, lines kept.
#
# Beside them "plain", a Java program that only reads, finds the ends of lines octet by octet, and hashes each line: how much
# faster it is says what the machine gives today. The start of Java counts in both.
#
# Makes LINES (default: 20 million) addresses of 23 octets of which half are repeats. Needs 60 octets of disk a line and
# GNU time (package time); sort gets half of the memory and its files in TMPDIR. About two minutes. Builds what it needs.
#
# Knobs: CORE, the core to run on (default: the last one); ROUNDS (default: 3).
set -eu
lines=${1:-20000000}
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
bloomgate=$top/gateway/bin/bloomgate
core=${CORE:-$(($(nproc) - 1))}
[ -x /usr/bin/time ] || { echo "dedup.sh: /usr/bin/time is missing (package time)" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$bloomgate" version >/dev/null
java=$("$bloomgate" --find-jdk)/bin/java
(cd "$top" && mvn -q -B -P bench -pl integration-tests/bench -am -Dmaven.test.skip=true package)

echo "making $lines lines" >&2
awk -v n="$lines" 'BEGIN {
  srand(1)
  for (i = 0; i < n; i++) printf "u%08d@mail.example\n", rand() * n * 0.6275
}' >"$folder/lines"

# once NAME COMMAND..: its answer has to come in NAME.out
once() {
  name=$1
  shift
  pinned=
  if command -v taskset >/dev/null; then pinned="taskset -c $core"; fi
  # shellcheck disable=SC2086 # the pin is words
  /usr/bin/time -f '%e %U %S %M' -o "$folder/time" $pinned "$@" "$folder/lines" >"$folder/$name.out"
  read -r elapsed user system memory <"$folder/time"
  kept=$(wc -l <"$folder/$name.out")
  awk -v name="$name" -v n="$lines" -v e="$elapsed" -v u="$user" -v s="$system" -v m="$memory" -v k="$kept" 'BEGIN {
    printf "%-8s %6.2f million lines/s of CPU, %6.2f elapsed; %5d MiB; %d lines kept\n", name, n / (u + s) / 1e6, n / e / 1e6, m / 1024, k
  }'
}

round=0
while [ "$round" -lt "${ROUNDS:-3}" ]; do
  once plain "$java" -Xmx512m -XX:+UseSerialGC -cp "$here/target/classes:$here/target/lib/*" io.bloomgate.bench.LinesRun
  once dedup "$bloomgate" dedup --entries "$lines"
  once sort env LC_ALL=C sort -u -S 50%
  round=$((round + 1))
done
exact=$(wc -l <"$folder/sort.out")
ours=$(wc -l <"$folder/dedup.out")
echo "new lines taken for repeats: $((exact - ours)) of $exact (asked: at most 0.001 of them)"
[ "$(LC_ALL=C sort -u "$folder/dedup.out" | wc -l)" -eq "$ours" ] || { echo "dedup.sh: a line came twice" >&2; exit 1; }
