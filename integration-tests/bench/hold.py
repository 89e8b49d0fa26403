#!/usr/bin/env python3
"""The clients behind hold.sh: thousands of sessions that are held open, and a clean mail every second beside them."""
import ipaddress, os, select, ssl, struct, sys, threading, time

from abusers import Gone, Peer

HELD, HOLDERS, SESSIONS_PER_CLIENT = int(os.environ.get("SESSIONS", "9950")), 40, 45
NETWORKS, NOOP_SECONDS, MOST_SECONDS = 5, 30, 5
LONG_NAME = b".".join([b"x" * 60] * 4) + b".example"
LONG = b"x" * 480

over = threading.Event()
tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE


def proxied(client, port, patience):
    """A connection of which a PROXY v2 header names the client."""
    peer = Peer("127.0.%d.%d" % (1 + threading.get_ident() // 7 % 200, 1 + int(time.monotonic() * 1e4) % 250), port, patience)
    end = ipaddress.ip_address("2001:db8:ffff::25")
    ports = struct.pack("!HH", 40000, 25)
    peer.send(b"\r\n\r\n\0\r\nQUIT\n\x21\x21" + struct.pack("!H", 36) + client.packed + end.packed + ports)
    return peer


class Holder(threading.Thread):
    """Holds its part of the sessions, as clients of one of the networks."""

    def __init__(self, shape, port, number):
        super().__init__(daemon=True)
        self.shape, self.port, self.base = shape, port, int(ipaddress.ip_address("2a00::")) + (number % NETWORKS << 84) + (number << 74)
        self.held, self.opened, self.closed, self.refused, self.reason = {}, 0, 0, 0, ""

    def run(self):
        poll, noops = select.poll(), time.monotonic() + NOOP_SECONDS
        while not over.is_set():
            try:
                if len(self.held) < HELD // HOLDERS:
                    peer = self.open()
                    self.held[peer.socket.fileno()] = peer
                    poll.register(peer.socket, select.POLLIN)
                else:
                    time.sleep(0.05)
            except (OSError, Gone) as e:
                self.refused, self.reason = self.refused + 1, f"{type(e).__name__} {e}"
                time.sleep(0.01)
            for number, _ in poll.poll(0):
                self.look(poll, number)
            if self.shape == "idle" and time.monotonic() > noops:
                noops += NOOP_SECONDS
                for peer in self.held.values():
                    try:
                        peer.send(b"NOOP\r\n")
                    except OSError:
                        pass

    def look(self, poll, number):
        try:
            peer = self.held[number]
            said = peer.socket.recv(4096)
        except ssl.SSLWantReadError:
            return
        except OSError:
            said = b""
        if not said or said.startswith(b"421"):
            poll.unregister(number)
            del self.held[number]
            peer.socket.close()
            self.closed += 1

    def open(self):
        self.opened += 1
        # As many sessions as one /64 may have, and then the next.
        peer = proxied(ipaddress.ip_address(self.base + (self.opened // SESSIONS_PER_CLIENT % 1024 << 64) + 7), self.port, 20)
        try:
            peer.reply()
            if self.shape == "idle":
                peer.ask(b"EHLO idle.example")
                return peer
            peer.ask(b"EHLO first.example")
            Clean.want(b"220", peer.ask(b"STARTTLS"))
            peer.socket = tls.wrap_socket(peer.socket)
            lines = [b"EHLO " + LONG_NAME, b"MAIL FROM:<forged@junk7.example>"]
            lines += [b"RCPT TO:<%s@dest.example> ORCPT=rfc822;" % name + LONG for name in (b"postmaster", b"abuse")]
            peer.send(b"\r\n".join([*lines, b"DATA\r\n"]))
            replies = [peer.reply() for _ in range(5)]
            Clean.want(b"354", replies[-1])
            peer.send(b"Subject: x\r\nContent-Type: text/html\r\n\r\n<a href=\"" + LONG)
            return peer
        except BaseException:
            peer.socket.close()
            raise


class Clean(threading.Thread):
    """A sender of one mail a second."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.seconds, self.failures, self.steps = port, [], [], []

    def run(self):
        while not over.is_set():
            began = time.monotonic()
            try:
                self.mail()
                self.seconds.append(time.monotonic() - began)
            except (OSError, Gone) as e:
                self.failures.append(f"{type(e).__name__} {e}")
            over.wait(max(0.0, 1 - (time.monotonic() - began)))

    def mail(self):
        with proxied(ipaddress.ip_address("2001:db8::7"), self.port, 30) as peer:
            self.step("connect", b"220", peer.reply)
            self.step("EHLO", b"250", lambda: peer.ask(b"EHLO client.example"))
            self.step("MAIL", b"250", lambda: peer.ask(b"MAIL FROM:<a@clean.test>"))
            self.step("RCPT", b"250", lambda: peer.ask(b"RCPT TO:<user@dest.example>"))
            self.step("DATA", b"354", lambda: peer.ask(b"DATA"))
            self.step("content", b"250", lambda: peer.ask(b"Subject: clean\r\n\r\nhello\r\n."))
            peer.ask(b"QUIT")

    def step(self, name, code, ask):
        began = time.monotonic()
        self.want(code, ask())
        self.steps.append((time.monotonic() - began, name))

    @staticmethod
    def want(code, reply):
        if not reply.startswith(code):
            raise Gone(reply.decode("ascii", "replace").strip())


def resident(pid):
    """Octets, and -1 when the process has ended."""
    try:
        with open(f"/proc/{pid}/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS:"))
    except (OSError, StopIteration):
        return -1


def main(shape, seconds, port, pid):
    holders = [Holder(shape, port, i) for i in range(HOLDERS)]
    clean = Clean(port)
    for thread in [clean, *holders]:
        thread.start()
    began = time.monotonic()
    ended = False
    while time.monotonic() - began < seconds and not ended:
        time.sleep(5)
        memory = resident(pid)
        ended = memory < 0
        sums = [sum(getattr(h, name) for h in holders) for name in ("opened", "closed", "refused")]
        print(
            f"{time.monotonic() - began:5.0f} s: held {sum(len(h.held) for h in holders)}, opened %d, closed %d, not opened %d,"
            f" resident {memory >> 20} MiB; clean {len(clean.seconds)}, failed {len(clean.failures)},"
            f" slowest {max(clean.seconds, default=0):.2f} s" % tuple(sums),
            flush=True,
        )
    over.set()
    clean.join(40)
    print("last session that was not opened:", holders[0].reason)
    for failure in clean.failures[:5]:
        print("clean mail failed:", failure)
    slowest = max(clean.seconds, default=0)
    print("slowest steps of clean mails:", ", ".join("%s %.2f s" % (name, took) for took, name in sorted(clean.steps)[:-6:-1]))
    print(f"gateway {'ENDED' if ended else 'stays'}; clean mails {len(clean.seconds)}, failed {len(clean.failures)}, slowest {slowest:.2f} s")
    os._exit(1 if ended or clean.failures or slowest > MOST_SECONDS else 0)


main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
