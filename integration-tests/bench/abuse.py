#!/usr/bin/env python3
"""The clients behind abuse.sh: most of them abuse the gateway in every way they know, a few send clean mail; and its memory is
watched. Everything comes from and goes to 127.0.0.0/8."""
import os, random, re, socket, statistics, subprocess, sys, threading, time

from abusers import Abuse, Gone, Peer, over

WARM_UP = 2  # minutes before the first figure that counts
CLEAN_PAUSE = 0.25  # seconds between two clean mails of one sender
SETTLE = 120  # seconds that sessions, files and threads get to go when the abuse is over
HEAP_SHARE, HEAP_OCTETS = 0.10, 4 << 20  # growth of the live heap that is noise
SLACK = {"threads": 8, "files": 8}  # the JVM's own come and go


class Clean(threading.Thread):
    """A sender that all of this must not disturb."""

    def __init__(self, port, number, seed, count=None):
        super().__init__(daemon=True)
        self.port, self.source, self.random, self.left = port, f"127.77.{number}.1", random.Random(seed), count
        self.id, self.accepted, self.failures, self.seconds = number * 10_000_000, 0, [], []

    def run(self):
        while not over.is_set() and self.left != 0:
            try:
                self.session(self.random.choice([1, 1, 10]), self.random.random() < 0.2)
            except (OSError, Gone) as e:
                self.failures.append(f"{type(e).__name__} {e}")

    def session(self, messages, encrypted):
        with Peer(self.source, self.port, 60) as peer:
            self.want(b"220", peer.reply())
            self.want(b"250", peer.ask(b"EHLO client.example"))
            if encrypted:
                self.want(b"220", peer.ask(b"STARTTLS"))
                peer.start_tls()
                self.want(b"250", peer.ask(b"EHLO client.example"))
            for _ in range(messages):
                began = time.monotonic()
                self.message(peer)
                self.seconds.append(time.monotonic() - began)
                if self.left is not None:
                    self.left -= 1
                elif not over.is_set():
                    time.sleep(CLEAN_PAUSE)
                if over.is_set() or self.left == 0:
                    break
            peer.ask(b"QUIT")

    def message(self, peer):
        self.id += 1
        self.want(b"250", peer.ask(b"MAIL FROM:<a@clean.example>"))
        self.want(b"250", peer.ask(b"RCPT TO:<user@dest.example>"))
        self.want(b"354", peer.ask(b"DATA"))
        self.want(b"250", peer.ask(b"X-Clean: %d\r\nSubject: clean\r\n\r\n" % self.id + b"mail \r\n" * 500 + b"."))
        self.accepted += 1

    @staticmethod
    def want(code, reply):
        if not reply.startswith(code):
            raise Gone(reply.decode("ascii", "replace").strip())


class Gateway:
    """Its process, from outside."""

    def __init__(self, pid, control, jcmd):
        self.pid, self.control, self.jcmd = pid, control, jcmd

    def figures(self):
        histogram = subprocess.run([self.jcmd, str(self.pid), "GC.class_histogram"], capture_output=True, text=True)
        if histogram.returncode != 0:
            sys.exit(f"abuse.py: FAILED: the gateway is gone or stuck: {histogram.stdout}{histogram.stderr}")
        live = int(re.search(r"^Total\s+\d+\s+(\d+)", histogram.stdout, re.M).group(1))
        status = open(f"/proc/{self.pid}/status").read()
        return {
            "live": live,
            "resident": int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) << 10,
            "threads": int(re.search(r"Threads:\s+(\d+)", status).group(1)),
            "files": len(os.listdir(f"/proc/{self.pid}/fd")),
            "sessions": self.sessions(),
        }

    def sessions(self):
        with socket.socket(socket.AF_UNIX) as s:
            s.settimeout(30)
            s.connect(self.control)
            s.sendall(b'{"command":"status"}\n')
            for line in s.makefile("rb"):
                found = re.search(rb'"sessions":\s*(\d+)', line)
                if found:
                    return int(found.group(1))
        raise SystemExit("abuse.py: status shows no sessions")


def show(when, f):
    print(f"{when:>12} {f['live'] / 1e6:11.2f} {f['resident'] / 1e6:11.1f} {f['threads']:8} {f['files']:6} {f['sessions']:9}", flush=True)


def work(way, seed, rounds, ports, surprises):
    """One abuser, until all is over."""
    abuse, pause = Abuse(*ports, seed), random.Random(seed)
    while not over.wait(pause.uniform(0.05, 1.0)):
        try:
            getattr(abuse, way)()
        except (OSError, Gone):
            pass  # what abuse is for
        except Exception as e:  # a mistake of this script must not pass for peace
            surprises.append(f"{way}: {e!r}")
            return
        rounds[way] += 1


def abusers(ports, seed, rounds, surprises):
    ways = [name for name in vars(Abuse) if not name.startswith("_") and name not in ("anywhere", "sender")]
    threads = []
    for w, way in enumerate(ways):
        rounds[way] = 0
        for i in range(12 if way.startswith("slow") else 2):
            threads.append(threading.Thread(target=work, args=(way, seed * 10_000 + w * 100 + i, rounds, ports, surprises), daemon=True))
    return threads


def settle(gateway, start):
    """Waits until all is as it was; what is not in the end."""
    end = time.monotonic() + SETTLE
    while True:
        now = gateway.figures()
        left = [name for name, slack in SLACK.items() if now[name] > start[name] + slack]
        if now["sessions"] > 0:
            left.append("sessions")
        if not left or time.monotonic() > end:
            return now, left
        time.sleep(2)


def mean(samples):
    return statistics.mean(s["live"] for s in samples)


def main(minutes, port, proxied_port, pid, control, jcmd, received, seed):
    gateway, ports = Gateway(pid, control, jcmd), (port, proxied_port)
    first = Clean(port, 1, seed, 60)  # loads classes and opens what stays open
    first.run()
    start = gateway.figures()
    print(f"{'minute':>12} {'live MB':>11} {'resident MB':>11} {'threads':>8} {'files':>6} {'sessions':>9}")
    show("at rest", start)

    rounds, surprises, samples = {}, [], []
    senders = [Clean(port, n, seed + n) for n in (2, 3)]
    everyone = senders + abusers(ports, seed, rounds, surprises)
    began = time.monotonic()
    for thread in everyone:
        thread.start()
    for minute in range(1, minutes + 1):
        time.sleep(max(0, began + 60 * minute - time.monotonic()))
        samples.append(gateway.figures())
        show(str(minute), samples[-1])
    over.set()
    for thread in everyone:
        thread.join(60)
    end, left = settle(gateway, start)
    show("at rest", end)

    counted = samples[WARM_UP - 1 :]
    few = 3 if len(counted) >= 6 else 1
    before, after = mean(counted[:few]), mean(counted[-few:])
    cleaners = [first, *senders]
    accepted, seconds = sum(c.accepted for c in cleaners), sorted(t for c in senders for t in c.seconds)
    failures = [f for c in cleaners for f in c.failures]
    held = received()
    print("rounds of abuse: " + ", ".join(f"{way} {n}" for way, n in rounds.items()))
    print(f"live heap under abuse: {before / 1e6:.2f} MB at first, {after / 1e6:.2f} MB at last")
    print(f"clean mail: {accepted} accepted, {held} at the mail server, {len(failures)} refused or cut off; "
          f"median {statistics.median(seconds) * 1e3:.1f} ms, slowest of a hundred {seconds[len(seconds) * 99 // 100] * 1e3:.0f} ms")

    wrong = [f"the abuser failed: {s}" for s in surprises]
    wrong += [f"no round of {way} came to its end" for way, n in rounds.items() if n == 0]
    wrong += [f"clean mail failed: {f}" for f in failures[:10]]
    bound = before + before * HEAP_SHARE + HEAP_OCTETS
    if after > bound or end["live"] > bound:
        wrong.append("the live heap grew")
    wrong += [f"{name} did not return to where they were" for name in left]
    if held != accepted:
        wrong.append("the mail server holds another number of clean mails than were accepted")
    for problem in wrong:
        print("FAILED: " + problem)
    print(f"seed {seed}: " + ("failed" if wrong else "memory stayed flat, nothing was left open, no clean mail was lost or refused"))
    return 1 if wrong else 0


def clean_mails_in(folder):
    count = 0
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as mails:
            count += sum(line.startswith(b"X-Clean: ") for line in mails)
    return count


if __name__ == "__main__":
    threading.stack_size(512 * 1024)
    minutes, port, proxied_port, pid, control, jcmd, folder, seed = sys.argv[1:]
    sys.exit(main(int(minutes), int(port), int(proxied_port), int(pid), control, jcmd, lambda: clean_mails_in(folder), int(seed)))
