"""The measuring half of cold.sh, which says what and how: cold.py TOP HARNESS WORK ROUNDS PEERS CELLS."""
import os, resource, signal, socket, statistics, subprocess, sys, time

top, harness, work, rounds, peers, cells = sys.argv[1:]
rounds, peers, cells = int(rounds), peers.split(), cells.split()
SINK = int(os.environ.get("SINK_PORT", "12700"))
FIRST, ALL = 1000, 5000
TICK = os.sysconf("SC_CLK_TCK")
OFF = "-XX:AOTMode=off"
quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def cpu(root):
    """Seconds of CPU of a process and all below it, those that have ended and were waited for too."""
    children, times = {}, {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(pid))
        times[int(pid)] = sum(map(int, fields[11:15])) / TICK
    total, left = 0, [root]
    while left:
        pid = left.pop()
        total += times.get(pid, 0)
        left += children.get(pid, [])
    return total


def await_port(port):
    for _ in range(3000):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.02)
    sys.exit(f"cold.py: nothing on port {port}")


class Gateway:
    def __init__(self, name, port, checkout, options):
        self.name, self.port, self.checkout, self.options = name, port, checkout, options
        self.dir = f"{work}/{name}"
        os.makedirs(self.dir, exist_ok=True)

    def environment(self):
        return dict(
            os.environ,
            BLOOMGATE_STATE_DIR=f"{self.dir}/state",
            BLOOMGATE_ADMIN__SOCKET=f"{self.dir}/socket",
            BLOOMGATE_LISTENERS__MX__ADDRESS=f"127.0.0.1:{self.port}",
            BLOOMGATE_DOWNSTREAM__PORT=str(SINK),
            BLOOMGATE_FEEDS__SOURCES__IPS__FILE=f"{work}/lists/ips.txt",
            BLOOMGATE_FEEDS__SOURCES__DOMAINS__FILE=f"{work}/lists/domains.txt",
            BLOOMGATE_LOG__TARGET=f"file:{self.dir}/decisions.log",
            BLOOMGATE_JAVA_OPTS=self.options,
            BLOOMGATE_CLI_JAVA_OPTS=self.options,
        )

    def command(self, *words):
        return [f"{self.checkout}/gateway/bin/bloomgate", *words]

    def start(self):
        """Seconds until it says that it is ready, and its CPU until then."""
        began = time.monotonic()
        out = open(f"{self.dir}/out", "wb")
        self.process = subprocess.Popen(
            self.command("-c", f"{self.checkout}/config/bench.yaml", "run"),
            env=self.environment(), stdout=out, stderr=out)
        self.pid = self.process.pid
        while b"ready: mode" not in open(f"{self.dir}/out", "rb").read():
            if self.process.poll() is not None:
                sys.exit(open(f"{self.dir}/out").read())
            time.sleep(0.005)
        return time.monotonic() - began, cpu(self.pid)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


class Postfix:
    name, port = "postfix", SINK + 9

    def start(self):
        began = time.monotonic()
        subprocess.run([f"{harness}/peers/postfix.sh", f"{work}/postfix", f"{work}/lists", str(SINK), str(self.port), "proxy"], check=True, **quiet)
        await_port(self.port)
        self.pid = int(open(f"{work}/postfix/q/pid/master.pid").read())
        return time.monotonic() - began, cpu(self.pid)

    def stop(self):
        subprocess.run(["postfix", "-c", f"{work}/postfix/etc", "stop"], **quiet)


def send(mails, port, kept):
    began = time.monotonic()
    subprocess.run(
        ["smtp-source", "-4", "-s", "20", "-m", str(mails), "-l", "4096", "-f", "clean@clean.example", "-t", "user@dest.example",
         "-M", "client.example", *(["-d"] if kept else []), f"127.0.0.1:{port}"], check=True, **quiet)
    return time.monotonic() - began


figures, order = {}, []


def note(figure, who, value):
    if figure not in figures:
        order.append(figure)
    figures.setdefault(figure, {}).setdefault(who, []).append(value)


def mails(contestants):
    for round in range(rounds):
        for kept in (False, True):
            mode = "kept" if kept else "one"
            for who in contestants[round % len(contestants):] + contestants[:round % len(contestants)]:
                seconds, used = who.start()
                if isinstance(who, Gateway):
                    note("ready.seconds", who.name, seconds)
                    note("ready.cpu_s", who.name, used)
                first = send(FIRST, who.port, kept)
                middle = cpu(who.pid)
                rest = send(ALL - FIRST, who.port, kept)
                end = cpu(who.pid)
                who.stop()
                note(f"first{FIRST}.{mode}.mails_per_s", who.name, FIRST / first)
                note(f"first{FIRST}.{mode}.cpu_ms", who.name, (middle - used) * 1000 / FIRST)
                note(f"first{ALL}.{mode}.mails_per_s", who.name, ALL / (first + rest))
                note(f"first{ALL}.{mode}.cpu_ms", who.name, (end - used) * 1000 / ALL)


def cli(gateways):
    served = gateways[0]
    served.start()
    commands = {
        "version": ["version"],
        "status": ["status"],
        "explain": ["explain", "192.0.2.7"],
        "allow_add": ["allow", "add", "192.0.2.8"],
    }
    for round in range(max(rounds, 5)):
        for figure, words in commands.items():
            for who in gateways:
                environment = dict(who.environment(), BLOOMGATE_ADMIN__SOCKET=f"{served.dir}/socket")
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.run(who.command(*words), env=environment, check=True, **quiet)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                note(f"cli.{figure}.cpu_ms", who.name, (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000)
    served.stop()


gateways = [Gateway("bloomgate", SINK + 1, top, "")]
if "nocache" in peers:
    gateways.append(Gateway("nocache", SINK + 2, top, OFF))
if "before" in peers:
    gateways.append(Gateway("before", SINK + 3, os.environ["BEFORE"], ""))
everybody = gateways + ([Postfix()] if "postfix" in peers else [])
sink = subprocess.Popen(["smtp-sink", *(["-u", "nobody"] if os.getuid() == 0 else []), "-m", "12000", f"127.0.0.1:{SINK}", "4000"])
try:
    await_port(SINK)
    for gateway in gateways:  # the lists are built once, and lie on disk from then on
        gateway.start()
        gateway.stop()
    if "mails" in cells:
        mails(everybody)
    if "cli" in cells:
        cli(gateways)
finally:
    sink.kill()
    for who in everybody:
        try:
            who.stop()
        except (AttributeError, OSError):
            pass

names = [who.name for who in everybody]
print(f"{'figure':28}" + "".join(f"{name:>20}" for name in names) + "   (in brackets: the share of it that Bloomgate has)")
for figure in order:
    by = figures[figure]
    ours = statistics.median(by["bloomgate"])
    row = f"{figure:28}"
    for name in names:
        value = statistics.median(by[name]) if name in by else None
        share = "" if value is None or not value or name == "bloomgate" else f" ({ours / value:.2f})"
        row += f"{'-' if value is None else f'{value:.4g}{share}':>20}"
    print(row)
print(f"medians of {rounds} rounds; load average at the end {os.getloadavg()[0]:.1f}")
