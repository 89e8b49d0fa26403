#!/bin/sh
# Makes target/tree: the files of the deb, the tar.gz and the image, as they lie below /. Called by Maven (pom.xml of this
# folder) when the jars of gateway and admin-cli are built. BUILD_TIME is the time that all files get, so that two builds of
# one commit give equal packages.
set -eu
umask 022
export LC_ALL=C TZ=UTC

here=$(CDPATH='' cd -P -- "$(dirname -- "$0")" && pwd -P)
root=$(CDPATH='' cd -P -- "$here/../.." && pwd -P)
tree=$here/target/tree
lib=$tree/usr/lib/bloomgate
doc=$tree/usr/share/doc/bloomgate
jdk=$(sh "$root/gateway/bin/bloomgate" --find-jdk)

# Modules that jdeps names but no code of ours reaches: drawing and beans for desktops (icu4j, commons-lang3, micrometer), and a
# doclet inside icu4j.
unused='java.desktop jdk.javadoc'
# Modules that are found by name at run time only: character sets of mail in other scripts.
found_at_run_time='jdk.charsets'

put() { # MODE FILE TARGET
  mkdir -p "$(dirname -- "$3")"
  cp -- "$2" "$3"
  chmod "$1" "$3"
}

jars() {
  mkdir -p "$lib/gateway" "$lib/cli"
  cp -- "$root"/gateway/target/lib/*.jar "$root/gateway/target/bloomgate-gateway.jar" "$lib/gateway/"
  # The CLI's libraries are the gateway's for the most part: a link saves 39 MB.
  for jar in "$root"/admin-cli/target/lib/*.jar "$root/admin-cli/target/bloomgate-admin-cli.jar"; do
    name=$(basename -- "$jar")
    if cmp -s "$jar" "$lib/gateway/$name"; then
      ln -s "../gateway/$name" "$lib/cli/$name"
    else
      cp -- "$jar" "$lib/cli/$name"
    fi
  done
  chmod 644 "$lib"/gateway/*.jar
  find "$lib/cli" -type f -exec chmod 644 {} +
}

# The library of SQLite, so that no start unpacks it.
native() {
  put 644 "$root/gateway/target/native/org/sqlite/native/Linux/$(uname -m)/libsqlitejdbc.so" "$lib/native/libsqlitejdbc.so"
}

modules() {
  named=$("$jdk/bin/jdeps" --multi-release 25 --ignore-missing-deps --print-module-deps \
    --class-path "$lib/gateway/*:$lib/cli/*" "$lib"/gateway/*.jar "$lib/cli/bloomgate-admin-cli.jar" \
    "$lib"/cli/bloomgate-workbench-*.jar "$lib"/cli/picocli-*.jar |
    tail -n 1)
  list=$found_at_run_time
  for module in $(printf '%s' "$named" | tr , ' '); do
    case " $unused " in *" $module "*) ;; *) list="$list,$module" ;; esac
  done
  printf '%s' "$list"
}

runtime() {
  # Making it takes half a minute: an equal one is kept.
  list=$(modules)
  options='--strip-java-debug-attributes --no-man-pages --no-header-files --compress zip-6 --generate-cds-archive'
  wanted="$(cat "$jdk/release") $list $options"
  if [ "$(cat "$here/target/runtime.of" 2>/dev/null)" != "$wanted" ]; then
    rm -rf "$here/target/runtime" "$here/target/runtime.of"
    # shellcheck disable=SC2086 # the options are words
    "$jdk/bin/jlink" --add-modules "$list" --output "$here/target/runtime" $options >&2
    printf '%s' "$wanted" >"$here/target/runtime.of"
  fi
  cp -R "$here/target/runtime" "$lib/runtime"
  chmod -R u+w "$lib/runtime"
}

completion() { # SHELL TARGET
  mkdir -p "$(dirname -- "$2")"
  "$tree/usr/bin/bloomgate" completion "$1" >"$2"
}

manuals() {
  for page in "$root"/admin-cli/target/man/*.[15]; do
    [ -f "$page" ] || continue
    section=${page##*.}
    put 644 "$page" "$tree/usr/share/man/man$section/$(basename -- "$page")"
    gzip -9n "$tree/usr/share/man/man$section/$(basename -- "$page")"
  done
}

# A file of the sources, and every file to which it links, at the same places below the folder of documents.
document() { # FILE
  [ ! -e "$doc/$1" ] || return 0
  put 644 "$root/$1" "$doc/$1"
  case $1 in *.md) ;; *) return 0 ;; esac
  grep -oE '\]\([^)#]+' "$root/$1" | sed 's/^](//; /^https*:/d' | while read -r link; do
    document "$(realpath --relative-to="$root" "$root/$(dirname -- "$1")/$link")"
  done
}

# Who made what under which licence, made by Maven before: the bill of materials, the list, the texts that lie in the jars.
licences() {
  put 644 "$here/target/bom.json" "$doc/bom.json"
  put 644 "$here/target/THIRD-PARTY.txt" "$doc/THIRD-PARTY.txt"
  (cd "$here/target/licences" && find . -type f ! -name '*.class' | sort) | while read -r text; do
    name=$(printf '%s' "$text" | sed 's,^\./\([^/]*\)-jar/,\1/,; s,/META-INF/,/,; s,/maven/.*/,/,')
    put 644 "$here/target/licences/$text" "$doc/licenses/$name"
  done
}

rm -rf "$tree"
mkdir -p "$tree"
put 755 "$root/gateway/bin/bloomgate" "$tree/usr/bin/bloomgate"
jars
native
runtime
put 644 "$root/config/bloomgate.yaml" "$tree/usr/share/bloomgate/bloomgate.yaml"
put 644 "$root/config/systemd/bloomgate.service" "$tree/usr/lib/systemd/system/bloomgate.service"
put 644 "$root/config/logrotate/bloomgate" "$tree/etc/logrotate.d/bloomgate"
put 644 "$here/deb/lintian-overrides" "$tree/usr/share/lintian/overrides/bloomgate"
put 644 "$here/deb/copyright" "$doc/copyright"
put 644 "$here/LICENSE" "$doc/LICENSE"
document README.md
document config/prometheus/alerts.yml
licences
put 644 "$here/deb/changelog" "$doc/changelog"
gzip -9n "$doc/changelog"
manuals
completion bash "$tree/usr/share/bash-completion/completions/bloomgate"
completion zsh "$tree/usr/share/zsh/vendor-completions/_bloomgate"
completion fish "$tree/usr/share/fish/vendor_completions.d/bloomgate.fish"
find "$tree" -exec touch -h -d "$BUILD_TIME" {} +
