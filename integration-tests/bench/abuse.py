#!/usr/bin/env python3
"""The clients behind abuse.sh: most of them abuse the gateway in every way they know, a few send clean mail; and its memory is
watched. Everything comes from and goes to 127.0.0.0/8."""
import json, os, random, re, socket, ssl, statistics, struct, subprocess, sys, threading, time

WARM_UP = 2  # minutes before the first figure that counts
CLEAN_PAUSE = 0.25  # seconds between two clean mails of one sender
SETTLE = 120  # seconds that sessions, files and threads get to go when the abuse is over
HEAP_SHARE, HEAP_OCTETS = 0.10, 4 << 20  # growth of the live heap that is noise
SLACK = {"threads": 8, "files": 8}  # the JVM's own come and go
NETWORKS_WITH_RECIPIENTS = 3  # of which each may hold a quarter of the upstream's connections; the last is left to clean mail
DRIP_SECONDS = 75  # above every timeout that abuse.sh sets

over = threading.Event()


class Gone(Exception):
    """The gateway has had enough of this client."""


class Peer:
    """One connection from a loopback address."""

    def __init__(self, source, port, patience=30.0):
        self.socket = socket.socket()
        self.socket.settimeout(patience)
        try:
            self.socket.bind((source, 0))
            self.socket.connect(("127.0.0.1", port))
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError:
            self.socket.close()
            raise
        self.unread = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, octets):
        self.socket.sendall(octets)

    def reply(self):
        """The next reply, all its lines."""
        lines = b""
        while True:
            while b"\n" not in self.unread:
                got = self.socket.recv(65536)
                if not got:
                    raise Gone
                self.unread += got
            line, _, self.unread = self.unread.partition(b"\n")
            lines += line + b"\n"
            if line[3:4] != b"-":
                return lines

    def ask(self, line):
        self.send(line + b"\r\n")
        return self.reply()

    def until_closed(self):
        """Hears out the gateway, and says nothing."""
        end = time.monotonic() + DRIP_SECONDS
        while not over.is_set() and time.monotonic() < end:
            self.socket.settimeout(1)
            try:
                if not self.socket.recv(65536):
                    return
            except TimeoutError:
                pass

    def drip(self, octets, gap):
        """An octet now and then, from the beginning again at the end, until the gateway hangs up."""
        end, i = time.monotonic() + DRIP_SECONDS, 0
        while time.monotonic() < end and not over.wait(gap):
            self.send(octets[i % len(octets) : i % len(octets) + 1])
            i += 1

    def reset(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def start_tls(self):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self.socket = context.wrap_socket(self.socket)

    def to_ehlo(self):
        self.reply()
        self.ask(b"EHLO abuse.example")
        return self

    def to_rcpt(self):
        self.to_ehlo()
        self.ask(b"MAIL FROM:<abuse@abuse.example>")
        self.ask(b"RCPT TO:<user@dest.example>")
        return self

    def to_data(self):
        self.to_rcpt()
        if not self.ask(b"DATA").startswith(b"354"):
            raise Gone
        return self


class Abuse:
    """Ways to be a burden. Each method is one round of one; names that begin with slow have more workers."""

    def __init__(self, port, proxied_port, seed):
        self.port, self.proxied_port, self.random = port, proxied_port, random.Random(seed)

    def anywhere(self, port=None):
        """From any of 500 networks; never gets as far as the upstream."""
        r = self.random
        return Peer(f"127.{r.randint(20, 21)}.{r.randint(0, 249)}.{r.randint(1, 250)}", port or self.port)

    def sender(self):
        """From one of the few networks that get as far as the upstream."""
        return Peer(f"127.10.{self.random.randrange(NETWORKS_WITH_RECIPIENTS)}.{self.random.randint(1, 250)}", self.port)

    # ---- slow at each stage

    def slow_half_open(self):
        with self.anywhere() as peer:
            peer.until_closed()

    def slow_greeting(self):
        with self.anywhere() as peer:
            peer.reply()
            peer.until_closed()

    def slow_command(self):
        with self.anywhere() as peer:
            peer.reply()
            peer.drip(b"EHLO a-name-that-takes-its-time.example", 0.5)

    def slow_header(self):
        with self.sender() as peer:
            peer.to_data().drip(b"X-Endless: yes\r\n", 0.5)

    def slow_body(self):
        with self.sender() as peer:
            peer.to_data().send(b"Subject: x\r\n\r\n")
            peer.drip(b"word \r\n.. ", 0.5)

    def slow_handshake(self):
        with self.anywhere() as peer:
            peer.to_ehlo().ask(b"STARTTLS")
            peer.drip(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + self.random.randbytes(500), 0.5)

    def slow_proxy_header(self):
        with self.anywhere(self.proxied_port) as peer:
            peer.drip(self.random.choice([b"PROXY TCP4 192.0.2.1 192.0.2.2 1 25", b"\r\n\r\n\0\r\nQUIT\n\x21\x11\x00\x0c"]), 0.5)

    def slow_upstream_holder(self):
        with self.sender() as peer:
            peer.to_rcpt()
            for _ in range(10):
                if over.wait(5):
                    return
                peer.ask(b"NOOP")

    # ---- too much

    def ten_thousand_recipients(self):
        with self.sender() as peer:
            peer.to_rcpt()
            for batch in range(100):
                peer.send(b"".join(b"RCPT TO:<user%d@dest.example>\r\n" % (batch * 100 + i) for i in range(100)))
                for _ in range(100):
                    peer.reply()
            peer.ask(b"DATA")
            peer.ask(b"Subject: many\r\n\r\nx\r\n.")

    def endless_header(self):
        with self.sender() as peer:
            peer.to_data()
            for i in range(300):
                peer.send(b"X-%d: %s\r\n" % (i, b"y" * 10_000))
            peer.ask(b"\r\n.")

    def endless_content(self):
        with self.sender() as peer:
            peer.to_data().send(b"Subject: x\r\n\r\n")
            for _ in range(100):
                peer.send((b"z" * 78 + b"\r\n") * 1000)
            peer.ask(b".")

    def long_command_line(self):
        with self.anywhere() as peer:
            peer.to_ehlo()
            for _ in range(20):
                peer.send(b"MAIL FROM:<" + b"a" * 60_000)
            peer.ask(b">")

    def long_content_line(self):
        with self.sender() as peer:
            peer.to_data().ask(b"Subject: x\r\n\r\n" + b"l" * 1_000_000 + b"\r\n.")

    def many_sessions_of_one(self):
        peers, source = [], f"127.22.0.{self.random.randint(1, 250)}"
        try:
            for _ in range(80):
                peers.append(Peer(source, self.port))
            over.wait(1)
        finally:
            for peer in peers:
                peer.socket.close()

    # ---- nonsense

    def reset_storm(self):
        for _ in range(50):
            peer = self.sender() if self.random.random() < 0.1 else self.anywhere()
            try:
                step = self.random.choice([None, peer.reply, peer.to_ehlo, peer.to_ehlo])
                if step:
                    step()
                if step and peer.socket.getsockname()[0].startswith("127.10."):
                    peer.send(b"MAIL FROM:<a@abuse.example>\r\nRCPT TO:<user@dest.example>\r\nDATA\r\nSubject: x\r\n\r\ncut off here")
            finally:
                peer.reset()

    def early_talker(self):
        with self.sender() as peer:
            peer.send(b"EHLO early.example\r\nMAIL FROM:<a@abuse.example>\r\nRCPT TO:<user@dest.example>\r\nQUIT\r\n")
            peer.until_closed()

    def starttls_and_drop(self):
        with self.anywhere() as peer:
            peer.to_ehlo().ask(b"STARTTLS")
            if self.random.random() < 0.5:
                peer.start_tls()
                peer.send(b"EHLO again.example\r\nNO")
            peer.reset()

    def starttls_injection(self):
        with self.anywhere() as peer:
            peer.to_ehlo().ask(b"STARTTLS\r\nMAIL FROM:<injected@abuse.example>")
            peer.until_closed()

    def garbage(self):
        with self.anywhere(self.random.choice([self.port, self.proxied_port])) as peer:
            for _ in range(20):
                peer.send(self.random.randbytes(self.random.randint(1, 5000)))
            peer.until_closed()

    def http(self):
        with self.anywhere() as peer:
            peer.send(b"POST / HTTP/1.1\r\nHost: mx\r\nContent-Length: 40\r\n\r\nEHLO x\r\nMAIL FROM:<a@abuse.example>\r\n")
            peer.until_closed()

    def past_data(self):
        with self.sender() as peer:
            peer.to_rcpt().send(b"DATA\r\nSubject: x\r\n\r\nx\r\n.\r\nMAIL FROM:<b@abuse.example>\r\nRCPT TO:<user@dest.example>\r\nDATA\r\n")
            for _ in range(5):
                peer.reply()
            peer.reset()

    def smuggling(self):
        with self.sender() as peer:
            end = self.random.choice([b"\n.\n", b"\r\n.\n", b"\n.\r\n", b"\r.\r", b"\0\r\n"])
            peer.to_data().ask(b"Subject: x\r\n\r\nx" + end + b"MAIL FROM:<b@abuse.example>\r\n.")
            peer.reset()

    def many_errors(self):
        with self.anywhere() as peer:
            peer.to_ehlo()
            for _ in range(200):
                peer.ask(self.random.choice([b"AUTH PLAIN x", b"BDAT 0 LAST", b"VRFY root", b"\0\xff", b"RCPT TO:<x>", b"DATA"]))

    def relay_attempts(self):
        with self.anywhere() as peer:
            peer.to_ehlo().ask(b"MAIL FROM:<a@abuse.example>")
            for to in (b"a@b.example", b"a%b.example@dest.example", b"b.example!a@dest.example", b"@dest.example:a@b.example"):
                peer.ask(b"RCPT TO:<" + to + b">")

    def listed(self):
        with Peer(f"127.66.0.{self.random.randint(1, 250)}", self.port) as peer:
            while peer.reply():
                peer.ask(b"MAIL FROM:<a@abuse.example>")

    def vanish_behind_dot(self):
        with self.sender() as peer:
            peer.to_data().send(b"Subject: x\r\n\r\nx\r\n.\r\n")
            peer.reset()


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
        raise SystemExit("abuse.py: status told no sessions")


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
