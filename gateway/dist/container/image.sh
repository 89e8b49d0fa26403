#!/bin/sh
# Makes target/image, the whole root of the container image, from target/tree: no shell and no other program than Java is in
# it. Java needs the C library; the build machine's is taken, at the paths that ldd names. Called by Maven (pom.xml of this
# folder's parent) after tree.sh.
set -eu
umask 022
export LC_ALL=C

here=$(CDPATH='' cd -P -- "$(dirname -- "$0")" && pwd -P)
target=$here/../target
tree=$target/tree
image=$target/image
inside=/usr/lib/bloomgate
lib=$image$inside
jdk=$(sh "$here/../../bin/bloomgate" --find-jdk)

# Makes a jar whose name is that of this build, and sets build to it. Java decides by names, times and sizes of jars whether a
# cache fits, and all files of an image have the same time: without that name a cache of another image could fit by its sizes.
name_the_build() {
  digest=$(cat "$tree$inside"/gateway/*.jar "$tree$inside"/cli/*.jar "$tree$inside/runtime/lib/modules" | sha256sum)
  build=$inside/build/$(printf '%.16s' "$digest").jar
  mkdir -p "$lib/build" "$target/build"
  printf '%.64s\n' "$digest" >"$target/build/BUILD"
  "$jdk/bin/jar" --create --no-manifest --date=2000-01-01T00:00:00Z --file "$image$build" -C "$target/build" BUILD
}

# Prints the jars of the folder $1 as a class path inside the image; links of the CLI lead to the gateway's jars.
class_path() {
  printf '%s' "$build"
  for jar in "$tree$inside/$1"/*.jar; do
    if [ -L "$jar" ]; then folder=gateway; else folder=$1; fi
    printf ':%s/%s/%s' "$inside" "$folder" "$(basename -- "$jar")"
  done
}

# As in gateway/bin/bloomgate. The heap is an argument of the image, so that another one can be given. Caches lie in the volume,
# where @train makes them; Java links no classes from a cache beside an incubating module, so the one for vectors is left out.
arguments() {
  volume=/var/lib/bloomgate
  native="--enable-native-access=ALL-UNNAMED -Dorg.sqlite.lib.path=$inside/native"
  gateway="-XX:+UseZGC -XX:+ExitOnOutOfMemoryError -XX:-UsePerfData $native"
  main="-cp $(class_path gateway) io.bloomgate.gateway.Main"
  cli="-Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData $native
    -Dslf4j.internal.verbosity=ERROR -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions
    -XX:ArchiveRelocationMode=0 -XX:-AOTRecordTraining -XX:-AOTReplayTraining"
  cli_path=$(class_path cli)
  warm_up=-Dbloomgate.warm_up_mails=1000
  quietly='-Xlog:aot*=off -Xlog:cds*=off' # a cache that does not fit is nobody's trouble
  printf '%s\n' "$gateway $warm_up $quietly -XX:AOTCache=$volume/gateway.aot" \
    "-Dbloomgate.start_cache=$volume/gateway.aot $main run" >"$lib/run"
  printf '%s\n' "$gateway" "$main demo" >"$lib/demo"
  printf '%s\n' "$cli $quietly -XX:AOTCache=$volume/cli.aot" "-cp $cli_path io.bloomgate.cli.BloomgateCli" >"$lib/bloomgate"
  printf '%s\n' "$gateway -Djava.io.tmpdir=$volume -XX:AOTCacheOutput=$volume/gateway.aot" "$main train" \
    "$inside/runtime/bin/java $cli -XX:AOTCacheOutput=$volume/cli.aot -cp $cli_path io.bloomgate.cli.Training" >"$lib/train"
}

# Libraries that the files of the runtime, of SQLite and of BoringSSL name, and those with which the C library looks up names.
c_library() {
  unpacked=$target/natives
  rm -rf "$unpacked"
  mkdir -p "$unpacked"
  (cd "$unpacked" && "$jdk/bin/jar" xf "$tree$inside"/gateway/netty-tcnative-boringssl-static-*.jar META-INF/native)
  named=$(ldd "$lib/runtime/bin/java" "$lib"/runtime/lib/*.so "$lib/runtime/lib/server/libjvm.so" "$lib"/native/*.so "$unpacked"/META-INF/native/*.so |
    sed -n 's|^[^/]*\(/\(usr/\)\{0,1\}lib[^ ]*\) (0x.*|\1|p' | sort -u)
  c=$(printf '%s\n' "$named" | grep '/libc\.so')
  for file in $named "$(dirname -- "$c")"/libnss_dns.so.2 "$(dirname -- "$c")"/libnss_files.so.2 \
    "$(dirname -- "$c")"/libresolv.so.2; do
    [ -e "$file" ] || continue
    mkdir -p "$image$(dirname -- "$file")"
    cp -L -- "$file" "$image$file"
  done
  [ ! -r /usr/share/doc/libc6/copyright ] ||
    cp /usr/share/doc/libc6/copyright "$image/usr/share/doc/bloomgate/licenses/glibc"
}

mkdir -p "$target/classes" # jib looks for it
rm -rf "$image"
mkdir -p "$lib/cli" "$image/etc/bloomgate" "$image/var/lib/bloomgate" "$image/tmp" "$image/usr/share/doc"
cp -R "$tree$inside/gateway" "$tree$inside/native" "$tree$inside/runtime" "$lib/"
find "$tree$inside/cli" -type f -exec cp {} "$lib/cli/" \;
cp -R "$tree/usr/share/doc/bloomgate" "$image/usr/share/doc/"
name_the_build
arguments
c_library
printf '%s\n' 'root:x:0:0::/:/' 'bloomgate:x:65532:65532::/var/lib/bloomgate:/' >"$image/etc/passwd"
printf '%s\n' 'root:x:0:' 'bloomgate:x:65532:' >"$image/etc/group"
echo 'hosts: files dns' >"$image/etc/nsswitch.conf"
cat >"$image/etc/bloomgate/bloomgate.yaml" <<'YAML'
# Nothing is set here: give the container a file of yours in this place, or the variables BLOOMGATE_DOMAINS and
# BLOOMGATE_DOWNSTREAM__HOST. config/bloomgate.yaml of the sources explains every setting.
YAML
