"""What abuse.py does to the gateway: a connection from a loopback address, and the ways to be a burden with it."""
import random, socket, ssl, struct, threading, time

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
