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

# Prints the jars of the folder $1 as a class path inside the image; links of the CLI lead to the gateway's jars.
class_path() {
  for jar in "$tree$inside/$1"/*.jar; do
    if [ -L "$jar" ]; then folder=gateway; else folder=$1; fi
    printf '%s/%s/%s:' "$inside" "$folder" "$(basename -- "$jar")"
  done
}

# As in gateway/bin/bloomgate. The heap is an argument of the image, so that another one can be given.
arguments() {
  gateway='-XX:+UseZGC -XX:+ExitOnOutOfMemoryError -XX:-UsePerfData --enable-native-access=ALL-UNNAMED'
  main="-cp $(class_path gateway) io.bloomgate.gateway.Main"
  printf '%s\n' "$gateway --add-modules=jdk.incubator.vector" "$main run" >"$lib/run"
  printf '%s\n' "$gateway" "$main demo" >"$lib/demo"
  printf '%s\n' '-Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData --enable-native-access=ALL-UNNAMED' \
    "-Dslf4j.internal.verbosity=ERROR -cp $(class_path cli) io.bloomgate.cli.BloomgateCli" >"$lib/bloomgate"
}

# Libraries that the files of the runtime and of SQLite name, and those with which the C library looks up names.
c_library() {
  unpacked=$target/sqlite
  rm -rf "$unpacked"
  mkdir -p "$unpacked"
  (cd "$unpacked" && "$jdk/bin/jar" xf "$tree$inside"/gateway/sqlite-jdbc-*.jar org/sqlite/native/Linux/x86_64)
  named=$(ldd "$lib/runtime/bin/java" "$lib"/runtime/lib/*.so "$lib/runtime/lib/server/libjvm.so" "$unpacked"/org/sqlite/native/Linux/*/*.so |
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
cp -R "$tree$inside/gateway" "$tree$inside/runtime" "$lib/"
find "$tree$inside/cli" -type f -exec cp {} "$lib/cli/" \;
cp -R "$tree/usr/share/doc/bloomgate" "$image/usr/share/doc/"
arguments
c_library
printf '%s\n' 'root:x:0:0::/:/' 'bloomgate:x:65532:65532::/var/lib/bloomgate:/' >"$image/etc/passwd"
printf '%s\n' 'root:x:0:' 'bloomgate:x:65532:' >"$image/etc/group"
echo 'hosts: files dns' >"$image/etc/nsswitch.conf"
cat >"$image/etc/bloomgate/bloomgate.yaml" <<'YAML'
# Nothing is set here: give the container a file of yours in this place, or the variables BLOOMGATE_DOMAINS and
# BLOOMGATE_DOWNSTREAM__HOST. config/bloomgate.yaml of the sources explains every setting.
YAML
