#!/bin/sh
# fleet.sh FOLDER: what followers of a fleet take, and how fast, for the successive versions of lists in FOLDER: files NAME@VERSION,
# of which each NAME has two or more (.gz or not). Two gateways on this machine, the follower over HTTP with `every: 1s`. A line a step:
#
#   list, octets of the new version, packed, seconds from the leader's SHA256SUMS to live on the follower, equal generation ids
#
# and at the end the filters of the last generation as they are on disk and deflated, to compare with the lists.
#
# Builds what it needs. Needs python3. Knobs: PORT (default 12651, and the next two), WORK for files (default: a temporary folder).
set -eu
[ $# -eq 1 ] || { sed -n '2,3p' "$0" >&2; exit 2; }
lists=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
work=${WORK:-$(mktemp -d)}
mkdir -p "$work"
pids=""

cleanup() {
  for pid in $pids; do kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null || true; done
  [ -n "${WORK:-}" ] || rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

"$top/gateway/bin/bloomgate" fleet key "$work/key" >"$work/key.out"
python3 "$here/fleet.py" prepare "$lists" "$work" "${PORT:-12651}"
for node in mx1 mx2; do
  "$top/gateway/bin/bloomgate" run -c "$work/$node.yaml" >"$work/$node.out" 2>&1 &
  pids="$pids $!"
done
python3 "$here/fleet.py" measure "$lists" "$work" "${PORT:-12651}"
