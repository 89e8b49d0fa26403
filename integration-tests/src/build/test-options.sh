#!/bin/sh
# Called by the build before all tests: prints the option of Java that puts the folders of tests into
# memory, where there is room. Tests wait for the disk tens of thousands of times (one class alone
# 11,800 times), and prove nothing about the disk: what they kill is a process, not the machine.
# Prints nothing where memory has little room or where programs cannot be started from it, as in
# containers; the folders are then where Java puts them.
memory=/dev/shm
needed_kib=2000000

[ -d "$memory" ] && [ -w "$memory" ] || exit 0
room=$(df -Pk "$memory" 2>/dev/null | awk 'NR == 2 { print $4 }')
[ "${room:-0}" -ge "$needed_kib" ] || exit 0

# One for each checkout, for all users as the usual one is. What builds that were killed have left goes.
folder=$memory/bg$(pwd -P | cksum | cut -d " " -f 1)
mkdir -m 1777 "$folder" 2>/dev/null || [ ! -L "$folder" ] && [ -O "$folder" ] || exit 0
find "$folder" -mindepth 1 -maxdepth 1 -mmin +120 -exec rm -rf {} + 2>/dev/null
probe=$folder/probe.$$
printf '#!/bin/sh\n' >"$probe" && chmod +x "$probe" && "$probe" 2>/dev/null || folder=
rm -f "$probe"
[ -z "$folder" ] || printf '%s\n' "-Djava.io.tmpdir=$folder"
