#!/usr/bin/env bash
# Tests what `mvn -P dist package` made in target: licences, lintian, the deb in a clean Debian under a real systemd, the
# image without a daemon. Called by .ci/run and by developers, as root; needs debootstrap, lintian, systemd-nspawn and
# smtp-sink (package postfix), and says which parts it skips without them. Everything runs in separate namespaces, so that
# no mount, process or port stays behind. The clean Debian is kept in target/root.
#
#   test.sh           tests the packages
#   test.sh --twice   tests that a second run of the packaging makes equal files
set -euo pipefail
here=$(CDPATH='' cd -P -- "$(dirname -- "$0")" && pwd -P)
target=$here/target
root=$(CDPATH='' cd -P -- "$here/../.." && pwd -P)
deb=$(find "$target" -maxdepth 1 -name 'bloomgate_*_amd64.deb' | head -n 1)
image=$(find "$target" -maxdepth 1 -name 'bloomgate-*-image-amd64.tar' | head -n 1)
passed=0 skipped=0

say() { echo "dist: $*"; }
skip() { skipped=$((skipped + 1)) && say "skipped: $*"; }
fail() { say "FAILED: $*" && exit 1; }
pass() { passed=$((passed + 1)) && say "ok: $*"; }
have() { command -v "$1" >/dev/null 2>&1; }

[ -n "$deb" ] && [ -n "$image" ] || fail 'no packages; make them with: mvn -P dist package'

# Every jar has its line with a licence, and its component in the bill of materials.
licences() {
  local doc=$target/tree/usr/share/doc/bloomgate jar name
  for jar in "$target"/tree/usr/lib/bloomgate/{gateway,cli}/*.jar; do
    name=$(basename "$jar" .jar | sed 's/-[0-9].*//')
    case $name in bloomgate-*) ;; *)
      grep -q "^ *(.*) .*:$name:" "$doc/THIRD-PARTY.txt" || fail "no licence is named for $name" ;;
    esac
    grep -q "\"name\" : \"$name\"" "$doc/bom.json" || fail "the bill of materials lacks $name"
  done
  pass 'every jar has a licence and is in the bill of materials'
}

lint() {
  have lintian || { skip 'lintian is not installed'; return; }
  local found
  found=$(lintian --allow-root --fail-on none --tag-display-limit 0 "$deb" 2>&1 || true)
  ! grep '^E:' <<<"$found" || fail 'lintian finds errors'
  pass "lintian finds no error ($(grep -c '^W:' <<<"$found" || true) warnings)"
}

# Every relative link of a packaged document leads to a file of the package.
links() {
  local doc=$target/tree/usr/share/doc/bloomgate page link found=0
  while read -r page; do
    while read -r link; do
      found=$((found + 1))
      case $(realpath -e "$(dirname "$page")/$link" 2>/dev/null) in "$doc"/*) ;; *)
        fail "the link $link of ${page#"$doc"/} leads to no file of the package" ;;
      esac
    done < <(grep -oE '\]\([^)#]+' "$page" | sed 's/^](//; /^https*:/d')
  done < <(find "$doc" -name '*.md' ! -path '*/licenses/*')
  [ "$found" -gt 20 ] || fail "only $found links are found in the packaged documents"
  pass "the $found links of the packaged documents lead to files of the package"
}

same_twice() {
  local sums=$target/sums
  (cd "$target" && sha256sum bloomgate*.deb bloomgate*.tar.gz bloomgate*.tar) >"$sums"
  rm -rf "$target/runtime" "$target/runtime.of" "$deb" "$image" "$target"/bloomgate*.tar.gz
  (cd "$root" && mvn -o -B -q -P dist -pl gateway/dist -am -Dmaven.test.skip=true package)
  (cd "$target" && sha256sum --quiet -c "$sums") || fail 'two builds of one commit differ'
  pass 'a second build makes the same deb, tar.gz and image, bit for bit'
}

clean_debian() {
  [ ! -e "$target/root/usr/bin/dpkg" ] || return 0
  have debootstrap || return 1
  rm -rf "$target/root" "$target/root.new"
  debootstrap --variant=minbase --include=adduser,logrotate,systemd,systemd-sysv,dbus bookworm "$target/root.new" \
    >"$target/debootstrap.log" 2>&1 || return 1
  mv "$target/root.new" "$target/root"
}

# A package that says it is older. There is no release yet, so the files are the same, but for the sample of the settings,
# which each release changes, wherever the package has it.
older_package() {
  local unpacked=$1/unpacked
  dpkg-deb -R "$deb" "$unpacked"
  sed -i 's/^Version: .*/Version: 0.0.1/' "$unpacked/DEBIAN/control"
  find "$unpacked" -path "$unpacked/usr/share/doc" -prune -o -name bloomgate.yaml -exec sed -i '1i # older' {} +
  dpkg-deb --root-owner-group -Znone -b "$unpacked" "$1/older.deb" >/dev/null
  rm -rf "$unpacked"
}

# Below runs in separate namespaces, where only this script's processes, mounts and ports are.
in_namespaces() {
  local work=$target/work
  mkdir -p "$work"
  mount -t tmpfs tmpfs "$work"
  ip link set lo up
  sysctl -q -w net.ipv4.ip_unprivileged_port_start=0 # as container engines do
  local sink=no
  if have smtp-sink; then
    smtp-sink -u nobody 127.0.0.1:2600 100 &
    sink=yes
  fi
  if [ "$2" = yes ]; then
    under_systemd "$work" "$sink"
  fi
  image_runs "$work" "$sink"
  say "$passed passed, $skipped skipped"
}

under_systemd() {
  local work=$1 machine=$1/machine
  mkdir -p "$work/upper" "$work/overlay" "$machine"
  mount -t overlay overlay -o "lowerdir=$target/root,upperdir=$work/upper,workdir=$work/overlay" "$machine"
  mkdir "$machine/packages"
  cp "$here/test-inside.sh" "$here/test-mail.sh" "$machine/packages/"
  older_package "$machine/packages"
  cp "$deb" "$machine/packages/new.deb"
  cat >"$machine/etc/systemd/system/inside.service" <<UNIT
[Unit]
After=multi-user.target
[Service]
Type=oneshot
StandardOutput=file:/packages/output
StandardError=inherit
Environment=SINK=$2
ExecStart=/bin/bash /packages/test-inside.sh
ExecStopPost=/bin/systemctl --no-block poweroff
UNIT
  mkdir -p "$machine/etc/systemd/system/default.target.wants"
  ln -s /etc/systemd/system/inside.service "$machine/etc/systemd/system/default.target.wants/"
  timeout 3600 systemd-nspawn -q -D "$machine" --boot --register=no --keep-unit --console=pipe -M bloomgate-test \
    >"$target/systemd.log" 2>&1 </dev/null || true
  sed 's/^/dist:   /' "$machine/packages/output" || fail "systemd did not start; $target/systemd.log has its output"
  grep -q '^inside: all passed$' "$machine/packages/output" || fail 'the deb in a clean Debian'
  pass 'install, start, mail, upgrade, remove and purge in a clean Debian under systemd'
}

# The image as an engine would run it: its layers, its user, its environment, read-only but for the volume.
image_runs() {
  local work=$1 sink=$2 folder=$1/image layer
  mkdir -p "$folder/layers" "$folder/root"
  tar xf "$image" -C "$folder/layers"
  for layer in "$folder"/layers/*.tar.gz; do
    tar xzf "$layer" -C "$folder/root" 2>/dev/null
  done
  grep -q '"User":"65532:65532"' "$folder/layers/config.json" || fail 'the image runs as root'
  ! find "$folder/root" -perm /6000 | grep . || fail 'the image has set-user-id files'
  mkdir "$folder/root/proc" "$folder/root/dev"
  mount --bind "$folder/root" "$folder/root"
  mount -o remount,ro,bind "$folder/root"
  mount -t proc proc "$folder/root/proc"
  mount --bind /dev "$folder/root/dev"
  mount -t tmpfs -o mode=0777 tmpfs "$folder/root/var/lib/bloomgate"
  java() {
    env -i PATH=/usr/lib/bloomgate/runtime/bin LANG=C.UTF-8 BLOOMGATE_STATE_DIR=/var/lib/bloomgate/state \
      BLOOMGATE_DOMAINS=example.com BLOOMGATE_HOSTNAME=mx.example.com BLOOMGATE_DOWNSTREAM__HOST=127.0.0.1 \
      BLOOMGATE_DOWNSTREAM__PORT=2600 \
      /usr/sbin/chroot --userspec=65532:65532 --groups= "$folder/root" /usr/lib/bloomgate/runtime/bin/java "$@"
  }
  # The working directory of the image is not the chroot's, so the path is written out.
  local at=@/usr/lib/bloomgate volume=$folder/root/var/lib/bloomgate
  java "$at/bloomgate" version | grep -q '^bloomgate ' || fail 'version in the image'
  java -Xmx512m "$at/train" >"$target/train.log" 2>&1 || fail "the training in the image; $target/train.log says why"
  java -Xlog:class+load:file=/var/lib/bloomgate/loaded.cli "$at/bloomgate" version >/dev/null
  java -Xmx512m -Xlog:class+load:file=/var/lib/bloomgate/loaded.gateway "$at/run" >"$target/image.log" 2>&1 &
  local gateway=$! tries=0
  until exec 5<>/dev/tcp/127.0.0.1/25; do
    tries=$((tries + 1))
    [ $tries -lt 60 ] && kill -0 $gateway || fail "the image does not listen; $target/image.log says why"
    sleep 1
  done 2>/dev/null
  exec 5>&-
  java "$at/bloomgate" status >/dev/null || fail 'status in the image'
  if [ "$sink" = yes ]; then
    mail_passes || fail 'mail through the image'
  fi
  kill $gateway
  wait $gateway || [ $? -eq 143 ] || fail 'the image does not end at SIGTERM'
  grep -q 'BloomgateCli source: shared objects file' "$volume/loaded.cli" || fail "the CLI starts without its cache"
  grep -q 'gateway.Main source: shared objects file' "$volume/loaded.gateway" || fail 'the gateway starts without its cache'
  pass 'the image makes start caches in its volume, and starts from them'
  pass 'the image runs as 65532 on a read-only root, passes a mail and ends at SIGTERM'
}

# One mail with a scripted dialog to port 25.
mail_passes() {
  # shellcheck source=test-mail.sh
  . "$here/test-mail.sh"
  mail friend@sender.example 250
}

if [ "${1:-}" = --in-namespaces ]; then
  passed=$3 skipped=$4
  in_namespaces "$@"
  exit 0
fi
if [ "${1:-}" = --twice ]; then
  same_twice
  exit 0
fi
licences
links
lint
# From here on debootstrap may take a minute, the first time.
systemd=yes
if [ "$(id -u)" -ne 0 ] || ! have unshare || ! have ip; then
  skip 'the deb and the image are not run: that needs root, unshare and ip'
  say "$passed passed, $skipped skipped"
  exit 0
fi
if ! have systemd-nspawn || ! clean_debian; then
  systemd=no
  skip 'the deb is not installed: systemd-nspawn or debootstrap is missing, or the Debian mirror cannot be reached'
fi
have smtp-sink || skip 'no mail is sent: smtp-sink of Postfix is missing'
exec unshare --mount --net --pid --fork --kill-child --mount-proc \
  bash "$here/test.sh" --in-namespaces "$systemd" "$passed" "$skipped"
