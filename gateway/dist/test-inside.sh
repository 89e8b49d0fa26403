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
says() { # TEXT COMMAND..: what the command prints, however it ends.
  local text=$1
  shift
  "$@" 2>&1 | tee /dev/stderr | grep -q -- "$text"
}
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
step 'it writes no settings' not test -e "$settings"
step 'nothing runs' not running
step 'nothing is enabled' not systemctl is-enabled --quiet bloomgate
step 'a start without settings does not fail' systemctl start bloomgate
step 'it starts nothing' bash -c '! systemctl is-active bloomgate && ! systemctl is-failed bloomgate'
step 'systemctl says why' says "ConditionPathExists=$settings" systemctl status bloomgate
step 'state is for the service only' owned /var/lib/bloomgate bloomgate:bloomgate:750
step 'version' bloomgate version
step 'demo' bloomgate demo --once
step 'unit file' systemd-analyze verify /usr/lib/systemd/system/bloomgate.service
step 'logrotate file' logrotate -d /etc/logrotate.d/bloomgate

# Some administrators let root make files for nobody else.
umask 077
step 'init names the service' says 'systemctl enable --now bloomgate' bloomgate init --downstream 127.0.0.1:2600 \
  --domains example.com
step 'the settings are for the service only' owned "$settings" root:bloomgate:640
step 'the service can read them' runuser -u bloomgate -- cat "$settings"
step 'init in a folder that it makes' bloomgate init --downstream 127.0.0.1:2600 --domains example.com -c /srv/new/a.yaml
step 'the service can read that too' runuser -u bloomgate -- cat /srv/new/a.yaml
step 'a command without a gateway names the service' says 'systemctl start bloomgate' bloomgate status
umask 022
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
step 'systemctl shows a process and no class path' bash -c 'systemctl status bloomgate | grep -q gateway.Main &&
  ! systemctl status --full bloomgate | grep "\.jar"'
step 'doctor names the missing start cache' says 'Java uses no start cache' bloomgate doctor
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
export BLOOMGATE_TRAIN=1500
step 'upgrade' install_deb /packages/new.deb
export BLOOMGATE_TRAIN=no
uses_cache() { bloomgate doctor 2>&1 | tee /dev/stderr >/packages/doctor
  grep -q 'it takes mail' /packages/doctor && ! grep 'no start cache' /packages/doctor; }
caches() { test -s /usr/lib/bloomgate/gateway.aot -a -s /usr/lib/bloomgate/cli.aot; }
step 'the caches of Java were made' caches
step 'the service was restarted and is ready' output_has 'restarted and is ready'
step 'the service uses its cache' uses_cache
boringssl() { [ "$(uname -m)" != x86_64 ] || ! grep 'Java does TLS' /packages/doctor; }
step 'BoringSSL is loaded inside the sandbox of the unit' boringssl
step 'another process runs' [ "$before" != "$(process)" ]
wait
if [ "$SINK" = yes ]; then
  delivered() { cat /packages/slow && [ -e /packages/delivered ]; }
  step 'the message on its way was delivered' delivered
  step 'mail passes after the upgrade' mail friend@sender.example 250
fi
step 'the log is silent about priorities' bash -c '! journalctl -q -u bloomgate --no-pager | grep -i priority'

# By hand, and with options of the service that ask for another collector.
echo 'BLOOMGATE_JAVA_OPTS="-XX:+UseSerialGC -Xmx600m"' >/etc/default/bloomgate
step 'restart with other options' systemctl restart bloomgate
step 'ready with other options' ready
step 'doctor says that the cache does not fit' says 'Java uses no start cache' bloomgate doctor
step 'a training by hand' bloomgate --train
step 'restart after it' systemctl restart bloomgate
step 'ready after it' ready
step 'the service uses that cache' uses_cache
step 'a training that gets no time' not timeout -k 300 5 bloomgate --train
step 'it leaves nothing' bash -c '! ls -d /usr/lib/bloomgate/*.new* /tmp/bloomgate-*'
step 'and the caches that were there' caches
rm /etc/default/bloomgate
step 'settings were kept' grep -q /srv/list.txt "$settings"
step 'operator entries were kept' bash -c 'bloomgate allow list | grep -q partner.example'

groupadd helpdesk
useradd -G helpdesk carol
echo 'admin: {socket: /run/bloomgate/control.sock, read_group: helpdesk}' >>"$settings"
step 'restart with a group of readers' systemctl restart bloomgate
step 'ready for it' ready
step 'a member of it asks' runuser -u carol -- bloomgate allow list
step 'and changes nothing' not runuser -u carol -- bloomgate allow add other.example

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
