"""The measuring half of tls.sh, which says what and how: tls.py TOP HARNESS WORK."""
import os, re, shlex, shutil, signal, socket, subprocess, sys, time

from contestants import TICK, Figures, Gateway, Postfix, await_port, cpu, quiet, tree

top, harness, work = sys.argv[1:]
E = os.environ
ROUNDS, SESSIONS, WARM, IDLE, COLD = (int(E[name]) for name in ("ROUNDS", "SESSIONS", "WARM", "IDLE", "COLD"))
CELLS, PEERS, KEYS, IN, OUT = (E[name].split() for name in ("CELLS", "PEERS", "KEYS", "IN", "OUT"))
HEAP, OPTIONS, BEFORE_OPTIONS = E["HEAP"], E.get("OPTIONS", ""), E.get("BEFORE_OPTIONS", "")
BEFORE = E.get("BEFORE") or top
SINK = int(E.get("SINK_PORT", "12800"))
SINK_ONCE = SINK + 1  # a mail server where no session can be resumed
load = f"{work}/tlsload"
figures, others = Figures(), Figures()
KEPT_MAILS = 20
PROCESSES_OF_POSTFIX = 200  # one a session, and 250 are its limit

# What clients do, and whether a figure is for a session or for a mail.
WAYS = {
    "plain": ["-t", "none"],
    "full": [],
    "full12": ["-2"],
    "resumed": ["-r"],
    "resumed12": ["-r", "-2"],
    "kept": ["-k", str(KEPT_MAILS)],
    "kept_plain": ["-t", "none", "-k", str(KEPT_MAILS)],
}

# The mail server's port and settings of the gateway and of Postfix, for each way to it.
SECURE = {"DOWNSTREAM__TLS": "required"}
EACH = {"DOWNSTREAM__POOL__MAX_IDLE": "0"}
PF_SECURE = {"smtp_tls_security_level": "encrypt"}
PF_EACH = {"smtp_connection_cache_on_demand": "no"}
PF_POOLED = {"smtp_connection_cache_destinations": "static:all", "smtp_connection_reuse_count_limit": "0"}
PF_RESUMED = {"smtp_tls_session_cache_database": "lmdb:$data_directory/sessions"}
ROUTES = {
    "plain": (SINK, EACH, PF_EACH),
    "plain_pooled": (SINK, {}, PF_POOLED),
    "full": (SINK_ONCE, EACH | SECURE, PF_EACH | PF_SECURE),
    "resumed": (SINK, EACH | SECURE, PF_EACH | PF_SECURE | PF_RESUMED),
    "pooled": (SINK_ONCE, SECURE, PF_POOLED | PF_SECURE | {"smtp_tls_connection_reuse": "yes"}),
}


class Haproxy:
    """Ends TLS as on port 465, because it knows no STARTTLS; its other port passes octets on."""

    name, port, plain_port = "haproxy", SINK + 8, SINK + 9

    def __init__(self, pem):
        self.pem = pem

    def start(self):
        with open(f"{work}/haproxy.cfg", "w") as file:
            file.write(
                "global\n  maxconn 9000\n  nbthread 2\n  tune.ssl.default-dh-param 2048\n"
                "defaults\n  mode tcp\n  timeout connect 5s\n  timeout client 5m\n  timeout server 5m\n"
                f"frontend mx\n  bind 127.0.0.1:{self.port} backlog 4000 ssl crt {self.pem}\n  bind 127.0.0.1:{self.plain_port} backlog 4000\n"
                f"  default_backend sink\nbackend sink\n  server s 127.0.0.1:{SINK}\n")
        subprocess.run(["haproxy", "-c", "-q", "-f", f"{work}/haproxy.cfg"], check=True)
        self.process = subprocess.Popen(["haproxy", "-db", "-f", f"{work}/haproxy.cfg"], **quiet)
        self.pid = self.process.pid
        await_port(self.port)

    def stop(self):
        self.process.kill()
        self.process.wait()


def gateways(settings, sink=SINK, options=""):
    run, before_run = (shlex.split(E[name]) if E.get(name) else None for name in ("RUN", "BEFORE_RUN"))
    found = [Gateway("bloomgate", SINK + 3, sink, top, work, f"{OPTIONS} {options}", settings, run)]
    if "before" in PEERS:
        found.append(Gateway("before", SINK + 4, sink, BEFORE, work, f"{BEFORE_OPTIONS} {options}", settings, before_run))
    return found


def tls_in(key):
    pem = f"{work}/{key}.pem"
    return {"LISTENERS__MX__TLS": "starttls", "TLS__CERTIFICATE": pem, "TLS__KEY": pem}


def postfix(key, more=None, kind="proxy", sink=SINK):
    server = {"smtpd_tls_security_level": "may", "smtpd_tls_chain_files": f"{work}/{key}.pem", "in_flow_delay": "0", "smtpd_tls_loglevel": "0"}
    return [Postfix(SINK + 6, sink, harness, work, kind, server | (more or {}))] if "postfix" in PEERS else []


def haproxy(key):
    return [Haproxy(f"{work}/{key}.pem")] if "haproxy" in PEERS else []


class Sending:
    """One run of clients: its seconds, the CPU of the contestant, and the cores that others used meanwhile."""

    def __init__(self, who, way, sessions, until=lambda: None):
        words, port = list(WAYS[way]), who.port
        if isinstance(who, Haproxy):
            if "none" in words:
                port = who.plain_port
            else:
                words += ["-t", "implicit"]
        used, busy, own, began = cpu(who.pid), all_busy(), own_cpu(), time.monotonic()
        run = subprocess.run([load, "send", "-n", str(sessions), *words, str(port)], capture_output=True, text=True)
        self.found = {name: float(value) for name, value in re.findall(r"(\w+)=([-\d.]+)", run.stdout)}
        if run.returncode:
            sys.exit(f"tls.sh: {who.name}, {way}: {run.stdout or run.stderr}")
        until()
        self.seconds = time.monotonic() - began
        self.cpu = cpu(who.pid) - used
        others = all_busy() - busy - (own_cpu() - own) - (self.cpu if isinstance(who, Postfix) else 0)
        self.others = max(0.0, others / self.seconds)
        self.count = self.found["mails"] if way.startswith("kept") else sessions


def all_busy():
    with open("/proc/stat") as file:
        fields = [int(word) for word in file.readline().split()[1:]]
    return (sum(fields[:8]) - fields[3] - fields[4]) / TICK


def own_cpu():
    return cpu(os.getpid())  # gateways, haproxy, clients and mail servers are below it, Postfix is not


def note(figure, who, run):
    unit = "mail" if run.count != run.found["sessions"] else "session"
    figures.note(f"{figure}.{unit}s_per_s", who.name, run.count / run.seconds)
    figures.note(f"{figure}.cpu_ms_a_{unit}", who.name, run.cpu * 1000 / run.count)
    others.note("cores of others", who.name, run.others)


def in_turns(contestants):
    for round in range(ROUNDS):
        yield from contestants[round % len(contestants):] + contestants[:round % len(contestants)]


class Running:
    """The contestants of a cell while they run."""

    def __init__(self, contestants):
        self.contestants = contestants

    def __enter__(self):
        try:
            for who in self.contestants:
                who.start()
        except BaseException:
            self.__exit__()
            raise
        return self.contestants

    def __exit__(self, *_):
        for who in self.contestants:
            try:
                who.stop()
            except (AttributeError, OSError):
                pass


def cell_in(key):
    with Running(gateways(tls_in(key)) + postfix(key) + haproxy(key)) as contestants:
        for who in contestants:
            sessions = WARM if isinstance(who, Gateway) else min(WARM, 1000)
            for way in IN:
                Sending(who, way, max(1, sessions // len(IN) // (KEPT_MAILS if way.startswith("kept") else 1)))
        for way in IN:
            sessions = max(1, SESSIONS // 5) if way.startswith("kept") else SESSIONS
            for who in in_turns(contestants):
                run = Sending(who, way, sessions)
                note(f"in.{key}.{way}", who, run)
                if way.startswith("resumed"):
                    figures.note(f"in.{key}.{way}.share_resumed", who.name, run.found["resumed"] / sessions)


def taken(sink):
    """What the mail server has counted: mails and handshakes."""
    with socket.create_connection(("127.0.0.1", sink), 5) as peer, peer.makefile("rwb") as file:
        file.readline()
        file.write(b"NOOP\r\n")
        file.flush()
        return {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", file.readline().decode())}


def cell_out(route):
    sink, settings, lines = ROUTES[route]
    key = KEYS[0]
    with Running(gateways(settings, sink) + postfix(key, lines, "queue", sink)) as contestants:
        def send(who, sessions):
            before = taken(sink)

            def delivered():
                end = time.monotonic() + 300
                while taken(sink)["mails"] < before["mails"] + sessions:
                    if time.monotonic() > end:
                        sys.exit(f"tls.sh: {who.name}, out, {route}: {before} before, {taken(sink)} after {sessions} mails")
                    time.sleep(0.02)

            run = Sending(who, "plain", sessions, delivered)
            after = taken(sink)
            run.handshakes = {name: (after[name] - before[name]) / sessions for name in ("full", "resumed")}
            return run

        for who in contestants:
            send(who, WARM if isinstance(who, Gateway) else min(WARM, 1000))
        for who in in_turns(contestants):
            run = send(who, SESSIONS)
            note(f"out.{route}", who, run)
            if "plain" not in route:
                for name, share in run.handshakes.items():
                    figures.note(f"out.{route}.{name}_a_mail", who.name, share)


def cell_cold(key):
    contestants = gateways(tls_in(key)) + postfix(key)
    if "nocache" in PEERS:
        contestants.insert(1, Gateway("nocache", SINK + 5, SINK, top, work, f"{OPTIONS} -XX:AOTMode=off", tls_in(key)))
    for who in contestants:  # lists are built once, and lie on disk from then on
        who.start()
        who.stop()
    for who in in_turns(contestants):
        with Running([]):
            seconds, used = who.start()
            try:
                if isinstance(who, Gateway):
                    figures.note(f"cold.{key}.ready_s", who.name, seconds)
                    figures.note(f"cold.{key}.ready_cpu_s", who.name, used)
                note(f"cold.{key}.first{COLD}", who, Sending(who, "full", COLD))
            finally:
                who.stop()


def cell_idle(key):
    """Memory of sessions. The heap has its whole size before, so that resident memory grows by what is outside of it."""
    os.makedirs(f"{work}/idle/lists", exist_ok=True)
    for name, entry in (("ips", "11.0.0.1"), ("domains", "junk.example")):
        with open(f"{work}/idle/lists/{name}.txt", "w") as file:
            file.write(entry + "\n")
    options = f"-Xms{HEAP} -Xmx{HEAP} -XX:+AlwaysPreTouch -XX:NativeMemoryTracking=summary"
    contestants = gateways(tls_in(key), options=options) + postfix(key) + haproxy(key)
    for who in contestants:
        if isinstance(who, Gateway):
            who.work = f"{work}/idle"
            who.dir = f"{work}/idle/{who.name}"
            os.makedirs(who.dir, exist_ok=True)
        with Running([who]):
            most = min(IDLE, PROCESSES_OF_POSTFIX) if isinstance(who, Postfix) else IDLE
            few = hold(who, most // 10)  # loads classes and grows pools that do not belong to the sessions counted
            before = memory(who)
            held = hold(who, most - most // 10)
            after = memory(who)
            few.release()
            held.release()
            figures.note("idle.sessions", who.name, few.opened + held.opened)
            figures.note("idle.sessions_still_open", who.name, few.still_open + held.still_open)
            grown = {name: (after[name] - before[name]) / held.opened for name in after}
            for name, octets in grown.items():
                figures.note(f"idle.{name}_a_session", who.name, octets)
            figures.note("idle.octets_a_session", who.name, grown.get("heap_octets", 0) + grown["resident_octets"])


class hold:
    def __init__(self, who, sessions):
        words = ["-t", "implicit"] if isinstance(who, Haproxy) else []
        self.process = subprocess.Popen([load, "hold", "-n", str(sessions), *words, str(who.port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.opened = int(self.process.stdout.readline().split()[1])
        time.sleep(1)

    def release(self):
        said, _ = self.process.communicate()
        self.still_open = int(said.split()[1])


def memory(who):
    """Octets: resident (of shared pages a share), and of a gateway the live heap and what the JVM itself counts outside of it."""
    found = {}
    if isinstance(who, Gateway):
        java = next(pid for pid, _ in tree(who.pid) if os.path.basename(os.readlink(f"/proc/{pid}/exe")) == "java")
        home = os.path.dirname(os.readlink(f"/proc/{java}/exe"))

        def jcmd(*words):
            return subprocess.run([f"{home}/jcmd", str(java), *words], capture_output=True, text=True, check=True).stdout

        found["heap_octets"] = int(re.search(r"^Total +\d+ +(\d+)", jcmd("GC.class_histogram"), re.M)[1])
        native = jcmd("VM.native_memory", "summary", "scale=b")
        total, heap = (int(re.search(pattern, native)[1]) for pattern in (r"Total: .*committed=(\d+)", r"Java Heap \(.*committed=(\d+)"))
        found["jvm_outside_heap_octets"] = total - heap
    found["resident_octets"] = 0
    for pid, _ in tree(who.pid):
        try:
            with open(f"/proc/{pid}/smaps_rollup") as file:
                found["resident_octets"] += int(re.search(r"^Pss:\s+(\d+)", file.read(), re.M)[1]) * 1024
        except (OSError, TypeError):
            pass  # it has ended
    return found


def commit(checkout):
    said = subprocess.run(["git", "-C", f"{checkout}/gateway", "describe", "--always", "--dirty", "--abbrev=8"], capture_output=True, text=True).stdout.strip()
    return said or "no commit"


for tool, what in (("postfix", "postfix"), ("haproxy", "haproxy")):
    if tool in PEERS and not shutil.which(tool):
        print(f"skipped: {what}, which is not installed")
        PEERS.remove(tool)
if "postfix" in PEERS and os.getuid() != 0:
    print("skipped: postfix, which needs root")
    PEERS.remove("postfix")
if "postfix" in PEERS and not os.access(f"{harness}/peers/postfix.sh", os.X_OK):
    print(f"skipped: postfix, because there is no harness in {harness}")
    PEERS.remove("postfix")
print(f"bloomgate at {commit(top)}" + (f", before at {commit(BEFORE)}" if "before" in PEERS else "") + f", {time.strftime('%Y-%m-%d %H:%M', time.gmtime())} UTC,"
      f" load average {os.getloadavg()[0]:.1f}; rounds {ROUNDS}, sessions {SESSIONS} a run, after {WARM} to warm up", flush=True)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
sinks = [subprocess.Popen([load, "serve", "-c", f"{work}/{KEYS[0]}.pem", *words, str(port)]) for port, words in ((SINK, []), (SINK_ONCE, ["-o"]))]
try:
    for port in (SINK, SINK_ONCE):
        await_port(port)
    for cell, part, choices in (("in", cell_in, KEYS), ("out", cell_out, OUT), ("cold", cell_cold, KEYS), ("idle", cell_idle, KEYS[:1])):
        for choice in choices if cell in CELLS else []:
            part(choice)
finally:
    for sink in sinks:
        sink.kill()
    figures.by |= others.by
    figures.table(38)  # also of what was measured before an end by force
print(f"medians of {ROUNDS} runs in turns; load average at the end {os.getloadavg()[0]:.1f}")
if "haproxy" in figures.names:
    print("haproxy ends TLS as on port 465: it knows no STARTTLS and no SMTP; out: Postfix's queue and its client")
