#!/bin/sh
# memory.sh DIR: feeds a corpus, DIR/spam and DIR/good with a mail a file, in the order of its dates through the own memory. Each spam is
# looked up and then counts as a sighting, each good mail is looked up and then counts as accepted. Prints which share each list named,
# and which share would be refused, tagged or greylisted; good mails that a list named are on standard error. Builds what it needs; two minutes.
#
# Knobs: KEEP (30d), as traps.keep.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
corpus=${1:?a folder with the folders spam and good}
java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin/java
(cd "$top" && mvn -q -B -P bench -pl integration-tests/bench -am -Dmaven.test.skip=true package)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
"$java" -Xmx1g --enable-native-access=ALL-UNNAMED -Dkeep="${KEEP:-30d}" -cp "$here/target/classes:$here/target/lib/*" \
  io.bloomgate.bench.MemoryRun "$corpus/spam" "$corpus/good" "$work"
