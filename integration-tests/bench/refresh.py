#!/usr/bin/env python3
"""The client behind refresh.sh: writes the lists, sends messages at a pace, asks for refreshes, prints the figure."""
import array, gc, json, os, random, shutil, socket, statistics, sys, threading, time

MAIL = b"Subject: clean\r\nFrom: <a@clean.example>\r\n\r\n" + b"x" * 70 + b"\r\n"
CHANGED = 10_000  # entries that differ between the two versions


def lists(count, folder):
    """Two versions of one list of addresses, below 127.0.0.0/8 so that the sender is clean."""
    random.seed(20261121)
    step = (126 << 24) // count
    with open(f"{folder}/a.txt", "w") as a, open(f"{folder}/b.txt", "w") as b:
        for i in range(count):
            ip = (1 << 24) + i * step + random.randrange(step - 1)
            for out, bits in ((a, ip), (b, ip + 1 if i % (count // CHANGED or 1) == 0 else ip)):
                out.write(f"{bits >> 24}.{bits >> 16 & 255}.{bits >> 8 & 255}.{bits & 255}\n")


class Refresh(threading.Thread):
    """One refresh, asked for on the control socket."""

    def __init__(self, control):
        super().__init__()
        self.control, self.seconds, self.exit_code = control, 0.0, None

    def run(self):
        began = time.monotonic()
        with socket.socket(socket.AF_UNIX) as s:
            s.connect(self.control)
            s.sendall(b'{"command":"feeds.refresh","names":["ips"],"all":false,"force":true}\n')
            for line in s.makefile("rb"):
                reply = json.loads(line)
                if "done" in reply or "failed" in reply:
                    self.exit_code = reply.get("done", reply.get("failed"))
                    break
        self.seconds = time.monotonic() - began


def message(port):
    """One session with one message; everything is awaited, nothing pipelined."""
    with socket.create_connection(("127.0.0.1", port)) as s:
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def say(line, want):
            s.sendall(line)
            reply = b""
            while not (reply.endswith(b"\n") and reply.splitlines()[-1][3:4] == b" "):
                got = s.recv(4096)
                if not got:
                    raise SystemExit(f"refresh.py: the gateway hung up after {line[:20]!r}: {reply!r}")
                reply += got
            if not reply.startswith(want):
                raise SystemExit(f"refresh.py: {line[:20]!r} was answered {reply!r}")

        say(b"", b"220")
        say(b"EHLO client.example\r\n", b"250")
        say(b"MAIL FROM:<a@clean.example>\r\n", b"250")
        say(b"RCPT TO:<user@dest.example>\r\n", b"250")
        say(b"DATA\r\n", b"354")
        say(MAIL + b".\r\n", b"250")
        s.sendall(b"QUIT\r\n")


def send(port, count, pace):
    """Times of messages in ms, each from the moment it was due."""
    times = array.array("d", bytes(8 * count))
    begin = time.monotonic()
    for i in range(count):
        due = begin + i * pace
        wait = due - time.monotonic()
        if wait > 0:
            time.sleep(wait)
        message(port)
        times[i] = (time.monotonic() - due) * 1000
    return times


def figures(times):
    ordered = sorted(times)
    return ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100], ordered[-1]


def ended(refresh):
    refresh.join()
    if refresh.exit_code != 0:
        raise SystemExit(f"refresh.py: the refresh ended with {refresh.exit_code}")


def measure(pairs, count, pace, port, control, folder):
    gc.disable()
    version = ["b", "a"]

    def refresh():
        next_version = version.pop(0)
        version.append(next_version)
        shutil.copyfile(f"{folder}/{next_version}.txt", f"{folder}/next.txt")
        fd = os.open(f"{folder}/next.txt", os.O_RDONLY)
        os.fsync(fd)  # the copy of this script must not be what the disk is busy with
        os.close(fd)
        os.replace(f"{folder}/next.txt", f"{folder}/live.txt")
        thread = Refresh(control)
        thread.start()
        return thread

    send(port, 15000, 0)  # the JVM compiles its hot paths while it works
    first = refresh()
    ended(first)
    print(f"the first refresh takes {first.seconds:.1f} s; {count} messages a run, one every {pace * 1000:.1f} ms")
    print(f"{'':8}{'median':>9}{'99 %':>9}{'slowest ms':>12}")
    differences = []
    for _ in range(pairs):
        quiet = figures(send(port, count, pace))
        running = refresh()
        busy = figures(send(port, count, pace))
        spanned = not running.is_alive()
        ended(running)
        if not spanned:  # the moment of its publish would have been missed
            raise SystemExit(f"refresh.py: the refresh took {running.seconds:.1f} s, longer than its messages; raise MESSAGES or PACE_MS")
        for name, f in (("without", quiet), ("with", busy)):
            print(f"{name:8}{f[0]:9.2f}{f[1]:9.2f}{f[2]:12.2f}   refresh {running.seconds:.1f} s" if name == "with"
                  else f"{name:8}{f[0]:9.2f}{f[1]:9.2f}{f[2]:12.2f}")
        differences.append(busy[2] - quiet[2])
    print(f"slowest with minus slowest without, median of {pairs}: {statistics.median(differences):.2f} ms"
          f" (all: {', '.join(f'{d:.2f}' for d in differences)}); asked: at most 15")


if __name__ == "__main__":
    if sys.argv[1] == "lists":
        lists(int(sys.argv[2]), sys.argv[3])
    else:
        measure(int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]) / 1000, int(sys.argv[5]), *sys.argv[6:8])
