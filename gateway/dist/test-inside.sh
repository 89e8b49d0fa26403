#!/bin/bash
# The part of test.sh that runs inside the clean Debian, as a unit of its systemd: what an administrator does with the deb.
set -u
export DEBIAN_FRONTEND=noninteractive
settings=/etc/bloomgate/bloomgate.yaml
. /packages/test-mail.sh

step() { # TEXT COMMAND..
  local text=$1
  shift
  if "$@" >/packages/step 2>&1; then
    echo "inside: ok: $text"
  else
    echo "inside: FAILED: $text"
    cat /packages/step
    journalctl -q -u bloomgate -n 30 --no-pager
    exit 1
  fi
}
not() { ! "$@"; }
output_has() { grep -q -- "$1" /packages/output.dpkg; }
install_deb() { dpkg -i "$1" >/packages/output.dpkg 2>&1 || { cat /packages/output.dpkg; return 1; }; }
running() { systemctl is-active --quiet bloomgate; }
process() { systemctl show -P MainPID bloomgate; }
ready() {
  local tries=0
  until bloomgate health; do
    tries=$((tries + 1))
    [ $tries -lt 30 ] || return 1
    sleep 1
  done
}
owned() { [ "$(stat -c %U:%G:%a "$1")" = "$2" ]; }

# The caches of Java are made once, at the upgrade, because they take time.
export BLOOMGATE_TRAIN=no
step 'install the older package' install_deb /packages/older.deb
step 'it names the next command' output_has 'bloomgate init'
step 'nothing runs with the sample settings' not running
step 'nothing is enabled' not systemctl is-enabled --quiet bloomgate
step 'settings are for the service only' owned "$settings" root:bloomgate:640
step 'state is for the service only' owned /var/lib/bloomgate bloomgate:bloomgate:750
step 'version' bloomgate version
step 'demo' bloomgate demo --once
step 'unit file' systemd-analyze verify /usr/lib/systemd/system/bloomgate.service
step 'logrotate file' logrotate -d /etc/logrotate.d/bloomgate

step 'init' bloomgate init --downstream 127.0.0.1:2600 --domains example.com --force
echo listed@spammer.example >/srv/list.txt
cat >"$settings" <<YAML
mode: enforce
hostname: mx.example.com
domains: [example.com]
downstream: {host: 127.0.0.1, port: 2600, client_address: none}
feeds:
  sources:
    local: {file: /srv/list.txt, format: lines, checks: [sender], action: reject}
YAML
step 'start' systemctl enable --now bloomgate
step 'ready' ready
step 'a listed sender is refused' mail listed@spammer.example 554
step 'an operator entry' bloomgate allow add partner.example
if [ "$SINK" = yes ]; then
  step 'mail passes' mail friend@sender.example 250
fi

# A message is on its way while the upgrade restarts the service: its content begins before the upgrade, and ends when the
# service is being drained.
before=$(process)
if [ "$SINK" = yes ]; then
  (mail slow@sender.example 250 /packages/finish >/packages/slow 2>&1 && touch /packages/delivered) &
  slow=$!
  until [ -e /packages/finish.begun ] || ! kill -0 $slow; do sleep 0.2; done
  step 'a message is on its way' test -e /packages/finish.begun
  (until bloomgate status -o json | grep -q '"draining":true'; do sleep 1; done; touch /packages/finish) &
fi
export BLOOMGATE_TRAIN=yes
step 'upgrade' install_deb /packages/new.deb
export BLOOMGATE_TRAIN=no
if grep -q -e '--train' /usr/bin/bloomgate; then
  step 'the caches of Java were made' test -s /usr/lib/bloomgate/gateway.aot -a -s /usr/lib/bloomgate/cli.aot
fi
step 'the service was restarted and is ready' output_has 'restarted and is ready'
step 'another process runs' [ "$before" != "$(process)" ]
wait
if [ "$SINK" = yes ]; then
  delivered() { cat /packages/slow && [ -e /packages/delivered ]; }
  step 'the message on its way was delivered' delivered
  step 'mail passes after the upgrade' mail friend@sender.example 250
fi
step 'settings were kept' grep -q /srv/list.txt "$settings"
step 'operator entries were kept' bash -c 'bloomgate allow list | grep -q partner.example'

before=$(process)
cp -p "$settings" /srv/settings
echo 'nonsense: 1' >>"$settings"
step 'upgrade with bad settings' install_deb /packages/new.deb
step 'it says what is wrong' output_has nonsense
step 'the old process goes on' [ "$before" = "$(process)" ]
cp -p /srv/settings "$settings"

step 'remove' dpkg -r bloomgate
step 'nothing runs' not running
step 'state, settings and user are kept' test -e /var/lib/bloomgate/operator.db -a -e "$settings"
step 'nothing else of the program is left' not test -e /usr/lib/bloomgate
step 'install again' install_deb /packages/new.deb
step 'it runs again' ready
step 'purge' dpkg -P bloomgate
left() { find / -xdev -iname '*bloomgate*' ! -path '/proc/*' ! -path '/packages/*' ! -path '/sys/*' ! -path '/run/*' | grep .; }
step 'nothing is left' not left
step 'no user is left' not getent passwd bloomgate
echo 'inside: all passed'
