#!/bin/sh
# Called by the build before the stories: JAVA is run once as the gateway and once as a command, at
# the same time, to write archives of the classes that they load. The gateways and commands that tests
# start as processes then start in two thirds of the time. The class paths are those of the launcher,
# because an archive is good for one class path only. Whether demo and commands do what they say is for
# the tests; a Java that writes no archive costs time and nothing else.
#
# Arguments: the folder of the checkout, the folder of the archives.
set -eu
top=$1
archives=$2
java=$(cat "$top/target/jdk-home")/bin/java

# archive NAME MODULE MAIN WORD..: writes NAME.jsa, and in NAME.options what starts a Java from it.
archive() {
  name=$1
  path=$top/$2/target/bloomgate-$2.jar
  main=$3
  for jar in "$top/$2"/target/lib/*.jar; do
    path=$path:$jar
  done
  shift 3
  rm -f "$archives/$name.jsa" "$archives/$name.options"
  "$java" "-XX:ArchiveClassesAtExit=$archives/$name.jsa" '-Xlog:cds*=off' '-Xlog:aot*=off' \
    -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED \
    -cp "$path" "$main" "$@" >"$archives/$name.log" 2>&1 </dev/null || :
  [ ! -s "$archives/$name.jsa" ] ||
    printf '%s\n' "\"-XX:SharedArchiveFile=$archives/$name.jsa\"" '-Xlog:cds*=off' '-Xlog:aot*=off' \
      "-cp" "\"$path\"" >"$archives/$name.options"
}

archive gateway gateway io.bloomgate.gateway.Main demo --once &
archive command admin-cli io.bloomgate.cli.BloomgateCli feeds list --help
wait
