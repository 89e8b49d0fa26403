#!/bin/sh
# types.sh: how many types of the product one clean mail passes. Starts a gateway on config/bench.yaml before smtp-sink, with an agent that
# marks each type whose code runs on a session's thread, and sends mails of 4 kB: on a kept connection, and each on its own connection.
# Prints the types that at least nine of ten mails passed, by package, and their number.
#
# Builds what it needs. Needs smtp-sink (Debian: postfix). Knobs: PORT (default 12621, and the two ports above it), WORK for files
# (default: a temporary folder), RUN, the command that starts the gateway; it must heed BLOOMGATE_JAVA_OPTS.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
port=${PORT:-12621}
work=${WORK:-$(mktemp -d)}
run=${RUN:-$top/gateway/bin/bloomgate}
[ -n "${RUN:-}" ] || "$top/gateway/bin/bloomgate" version >/dev/null # builds what is missing or old; `run` takes the jars as they are
java=$("$top/gateway/bin/bloomgate" --find-jdk)/bin
command -v smtp-sink >/dev/null || { echo "types.sh: smtp-sink is missing (Debian: postfix)" >&2; exit 2; }

cleanup() {
  [ -z "${gate_pid:-}" ] || { kill "$gate_pid" 2>/dev/null && wait "$gate_pid" 2>/dev/null; } || true
  [ -z "${sink_pid:-}" ] || kill "$sink_pid" 2>/dev/null || true
  [ -n "${WORK:-}" ] || rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

mkdir -p "$work/agent/org/jspecify/annotations"
# The one annotation is written here, so that nothing but the JDK is needed.
printf 'package org.jspecify.annotations;\n@java.lang.annotation.Target(java.lang.annotation.ElementType.TYPE_USE)\npublic @interface Nullable {}\n' \
  >"$work/agent/org/jspecify/annotations/Nullable.java"
"$java/javac" -d "$work/agent" "$work/agent/org/jspecify/annotations/Nullable.java" "$here/src/main/java/io/bloomgate/bench/PassedTypes.java"
printf 'Premain-Class: io.bloomgate.bench.PassedTypes\n' >"$work/manifest"
"$java/jar" -c -f "$work/agent.jar" -m "$work/manifest" -C "$work/agent" io

user=""
[ "$(id -u)" -ne 0 ] || user="-u nobody"
# shellcheck disable=SC2086
smtp-sink $user "127.0.0.1:$((port + 1))" 500 >"$work/sink.out" 2>&1 & sink_pid=$!
printf '127.66.0.0/24\n' >"$work/ips.txt"
printf 'spam.example\n' >"$work/domains.txt"
export BLOOMGATE_DOWNSTREAM__PORT="$((port + 1))"
export BLOOMGATE_STATE_DIR="$work/state" BLOOMGATE_LISTENERS__MX__ADDRESS="127.0.0.1:$port" BLOOMGATE_ADMIN__SOCKET="$work/control.sock"
export BLOOMGATE_FEEDS__SOURCES__IPS__FILE="$work/ips.txt" BLOOMGATE_FEEDS__SOURCES__DOMAINS__FILE="$work/domains.txt"
export BLOOMGATE_LOG__TARGET="file:$work/gateway.log"
BLOOMGATE_JAVA_OPTS="-javaagent:$work/agent.jar=$((port + 2))" "$run" -c "$top/config/bench.yaml" run >"$work/gateway.out" 2>&1 & gate_pid=$!
until grep -q 'ready: mode' "$work/gateway.out"; do
  kill -0 "$gate_pid" || { cat "$work/gateway.out" >&2; exit 1; }
  sleep 0.1
done
for way in kept own; do
  echo "$way connection:"
  "$java/java" -cp "$work/agent" io.bloomgate.bench.PassedTypes "$port" "$((port + 2))" $way
done
