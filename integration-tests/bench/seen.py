"""The measuring half of seen.sh, which says what and how: seen.py TOP WORK ROUNDS PEERS."""
import os, random, signal, socket, statistics, subprocess, sys, time

top, work, rounds, peers = sys.argv[1:]
rounds, peers = int(rounds), ["off", *peers.split()]
SINK = int(os.environ.get("SINK_PORT", "12800"))
MAILS, WARM = int(os.environ.get("MAILS", "40000")), int(os.environ.get("WARM_MAILS", "60000"))
TICK = os.sysconf("SC_CLK_TCK")
LISTED = 200_000
CHECKS = {
    "off": "", "before": "",
    "links": "[url, url_host]",
    "all": "[from, from_domain, reply_to_domain, url, url_host, subject, body, attachment]",
}
CHECKS["bulk"] = CHECKS["memory"] = CHECKS["all"]


def write_lists():
    draw = random.Random(7)
    name = lambda: "%x.%s.example" % (draw.getrandbits(40), draw.choice(["net", "shop", "pay"]))
    with open(f"{work}/ips.txt", "w") as file:
        file.writelines(f"127.66.{i >> 8 & 255}.{i & 255}\n" for i in range(1, 60_000))
    with open(f"{work}/domains.txt", "w") as file:
        file.writelines(name() + "\n" for _ in range(LISTED))
    with open(f"{work}/urls.txt", "w") as file:
        file.writelines(f"https://{name()}/{draw.getrandbits(40):x}\n" for _ in range(LISTED))
        file.write("https://bad.partner-parcel.example/pay/now\n")
    with open(f"{work}/settings.yaml", "w") as file:
        file.write(open(f"{top}/config/bench.yaml").read())


class Gateway:
    def __init__(self, name, port):
        self.name, self.port, self.dir = name, port, f"{work}/{name}"
        os.makedirs(self.dir, exist_ok=True)
        checkout = os.environ["BEFORE"] if name == "before" else top
        settings = open(f"{checkout}/config/bench.yaml").read()
        if CHECKS[name]:
            # sender_domain stays: all lists are asked in the session too
            urls = f"    urls:\n      file: {work}/urls.txt\n      format: urls\n      checks: [url, url_host]\n      action: reject\n"
            settings = settings.replace("\nallow:", urls + "\nallow:", 1)
            mixed = [c for c in CHECKS[name].strip("[]").split(", ") if c in ("from_domain", "reply_to_domain", "url_host")]
            settings = settings.replace("checks: [sender_domain]", f"checks: [sender_domain, {', '.join(mixed)}]")
        if name in ("all", "bulk", "memory"):
            with open(f"{self.dir}/hashes.txt", "w") as file:
                draw = random.Random(8)
                file.writelines("%064x\n" % draw.getrandbits(256) for _ in range(LISTED))
            hashes = f"    hashes:\n      file: {self.dir}/hashes.txt\n      format: sha256\n      checks: [attachment]\n      action: reject\n"
            settings = settings.replace("\nallow:", hashes + "\nallow:", 1)
        if name == "bulk":
            settings += "\ncontent: {bulk: {networks: 50}}\n"
        if name == "memory":
            settings += "\ntraps: {addresses: [trap@dest.example], keep: 30d}\n"
        self.settings = f"{self.dir}/settings.yaml"
        with open(self.settings, "w") as file:
            file.write(settings)
        environment = dict(
            os.environ, BLOOMGATE_STATE_DIR=f"{self.dir}/state", BLOOMGATE_ADMIN__SOCKET=f"{self.dir}/socket",
            BLOOMGATE_LISTENERS__MX__ADDRESS=f"127.0.0.1:{port}", BLOOMGATE_DOWNSTREAM__PORT=str(SINK),
            BLOOMGATE_FEEDS__SOURCES__IPS__FILE=f"{work}/ips.txt", BLOOMGATE_FEEDS__SOURCES__DOMAINS__FILE=f"{work}/domains.txt",
            BLOOMGATE_LOG__TARGET=f"file:{self.dir}/decisions.log")
        self.command = f"{checkout}/gateway/bin/bloomgate"
        self.environment = environment
        out = open(f"{self.dir}/out", "wb")
        self.process = subprocess.Popen([self.command, "-c", self.settings, "run"], env=environment, stdout=out, stderr=out)
        while b"ready: mode" not in open(f"{self.dir}/out", "rb").read():
            if self.process.poll() is not None:
                sys.exit(open(f"{self.dir}/out").read())
            time.sleep(0.02)
        if name in ("all", "bulk", "memory"):  # an entry of the operator's makes the gateway look at subjects and bodies
            for words in (["--subject", "a subject that nobody has sent yet"], ["--from-header", "nobody@nowhere.example"]):
                subprocess.run([self.command, "-c", self.settings, "block", "add", *words], env=environment, check=True,
                               stdout=subprocess.DEVNULL)

    def cpu(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13])) / TICK


def send(gateway, mails):
    """Mails a second, and microseconds of CPU a mail."""
    used, began = gateway.cpu(), time.monotonic()
    subprocess.run(["smtp-source", "-4", "-d", "-s", "20", "-m", str(mails), "-F", f"{work}/mail", "-f", "clean@clean.example",
                    "-t", "user@dest.example", "-M", "client.example", f"127.0.0.1:{gateway.port}"], check=True,
                   stdout=subprocess.DEVNULL)
    return mails / (time.monotonic() - began), (gateway.cpu() - used) / mails * 1e6


def refusals(gateway, count):
    """Milliseconds from the dot to the 554, and from a NOOP to its 250 in the same sessions: what the machine itself takes."""
    mail = open(f"{work}/mail", "rb").read().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    mail = mail.replace(b"https://track.partner.example/parcel/10?a", b"https://bad.partner-parcel.example/pay/now?a")
    times, idle = [], []
    smtp = socket.create_connection(("127.0.0.1", gateway.port))
    smtp.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    lines = smtp.makefile("rb")

    def talk(octets, code):
        smtp.sendall(octets)
        reply = lines.readline()
        while reply[3:4] == b"-":
            reply = lines.readline()
        if not reply.startswith(code):
            sys.exit(f"seen.py: {octets[:40]!r} got {reply!r}")

    def timed(octets, code):
        began = time.perf_counter()
        talk(octets, code)
        return (time.perf_counter() - began) * 1e3

    talk(b"", b"220")
    talk(b"EHLO client.example\r\n", b"250")
    for _ in range(count):
        talk(b"MAIL FROM:<clean@clean.example>\r\n", b"250")
        talk(b"RCPT TO:<user@dest.example>\r\n", b"250")
        talk(b"DATA\r\n", b"354")
        smtp.sendall(mail)
        time.sleep(0.001)  # the mail is there before its dot
        times.append(timed(b".\r\n", b"554"))
        time.sleep(0.001)
        idle.append(timed(b"NOOP\r\n", b"250"))
    smtp.close()
    return sorted(times), sorted(idle)


write_lists()
sink = subprocess.Popen(["smtp-sink", "-u", "nobody", "-m", "12000", f"127.0.0.1:{SINK}", "4000"])
gateways = []
try:
    time.sleep(0.5)
    gateways = [Gateway(name, SINK + 1 + i) for i, name in enumerate(peers)]
    for gateway in gateways:
        send(gateway, WARM)
    figures = {gateway.name: [] for gateway in gateways}
    for turn in range(rounds):
        shift = turn % len(gateways)
        for gateway in gateways[shift:] + gateways[:shift]:
            figures[gateway.name].append(send(gateway, MAILS))
    off = [statistics.median(column) for column in zip(*figures["off"])]
    print(f"{'':10}{'mails/s':>12}{'of off':>8}{'us CPU a mail':>16}{'more than off':>16}")
    for name, runs in figures.items():
        speed, used = (statistics.median(column) for column in zip(*runs))
        print(f"{name:10}{speed:12.0f}{speed / off[0]:8.2f}{used:16.1f}{used - off[1]:16.1f}")
    print(f"medians of {rounds} runs of {MAILS} mails of {os.path.getsize(f'{work}/mail')} octets, in turns")
    for gateway in gateways:
        if CHECKS[gateway.name]:
            refusals(gateway, 500)
            for what, times in zip(("from the dot to 554", "from NOOP to 250"), refusals(gateway, 2000)):
                print(f"{gateway.name}: {what}: median {times[1000]:.2f} ms, 99 % {times[1980]:.2f} ms, most {times[-1]:.2f} ms")
finally:
    for gateway in gateways:
        gateway.process.send_signal(signal.SIGTERM)
        gateway.process.wait()
    sink.kill()
