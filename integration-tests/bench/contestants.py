"""Who takes part in cold.py and tls.py: gateways and Postfix, started and stopped; their CPU, and the table of what was measured."""
import os, signal, socket, statistics, subprocess, sys, time

TICK = os.sysconf("SC_CLK_TCK")
quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def tree(root):
    """Each process from this one downwards, with its fields of /proc/PID/stat behind the name."""
    children, fields = {}, {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as file:
                fields[int(pid)] = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        children.setdefault(int(fields[int(pid)][1]), []).append(int(pid))
    left = [root]
    while left:
        pid = left.pop()
        if pid in fields:
            yield pid, fields[pid]
        left += children.get(pid, [])


def cpu(root):
    """Seconds of CPU of a process and all below it, those that have ended and were waited for too."""
    return sum(sum(map(int, fields[11:15])) for _, fields in tree(root)) / TICK


def await_port(port):
    for _ in range(3000):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.02)
    sys.exit(f"nothing on port {port}")


class Gateway:
    """A gateway on config/bench.yaml with the lists in WORK/lists, its state in WORK/NAME."""

    def __init__(self, name, port, sink, checkout, work, options="", settings=None, run=None):
        """run: the command that starts it in place of the checkout's launcher; settings: of BLOOMGATE_ variables, without that prefix"""
        self.name, self.port, self.sink, self.checkout, self.options = name, port, sink, checkout, options
        self.work, self.settings, self.run = work, settings or {}, run or [f"{checkout}/gateway/bin/bloomgate"]
        self.dir = f"{work}/{name}"
        os.makedirs(self.dir, exist_ok=True)

    def environment(self):
        return dict(
            os.environ,
            BLOOMGATE_STATE_DIR=f"{self.dir}/state",
            BLOOMGATE_ADMIN__SOCKET=f"{self.dir}/socket",
            BLOOMGATE_LISTENERS__MX__ADDRESS=f"127.0.0.1:{self.port}",
            BLOOMGATE_DOWNSTREAM__PORT=str(self.sink),
            BLOOMGATE_FEEDS__SOURCES__IPS__FILE=f"{self.work}/lists/ips.txt",
            BLOOMGATE_FEEDS__SOURCES__DOMAINS__FILE=f"{self.work}/lists/domains.txt",
            BLOOMGATE_LOG__TARGET=f"file:{self.dir}/decisions.log",
            BLOOMGATE_JAVA_OPTS=self.options,
            BLOOMGATE_CLI_JAVA_OPTS=self.options,
            **{f"BLOOMGATE_{key}": value for key, value in self.settings.items()},
        )

    def command(self, *words):
        return [*self.run, *words]

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
    """Postfix as the harness sets it up (KIND of its postfix.sh), with more lines for main.cf."""

    def __init__(self, port, sink, harness, work, kind="proxy", more=None):
        self.name, self.port, self.sink, self.harness, self.kind, self.more = "postfix", port, sink, harness, kind, more or {}
        self.work, self.dir = work, f"{work}/postfix"

    def start(self):
        """Seconds until it listens, and its CPU until then."""
        began = time.monotonic()
        subprocess.run(
            [f"{self.harness}/peers/postfix.sh", self.dir, f"{self.work}/lists", str(self.sink), str(self.port), self.kind], check=True, **quiet)
        if self.more:
            words = [f"{key}={value}" for key, value in self.more.items()]
            subprocess.run(["postconf", "-c", f"{self.dir}/etc", "-e", *words], check=True, **quiet)
            service = "tlsproxy/unix=tlsproxy unix - - n - 0 tlsproxy"  # its client keeps connections under TLS by it
            subprocess.run(["postconf", "-c", f"{self.dir}/etc", "-M", service], check=True, **quiet)
            self.stop()
            subprocess.run(["postfix", "-c", f"{self.dir}/etc", "start"], check=True, **quiet)
        await_port(self.port)
        self.pid = int(open(f"{self.dir}/q/pid/master.pid").read())
        return time.monotonic() - began, cpu(self.pid)

    def stop(self):
        subprocess.run(["postfix", "-c", f"{self.dir}/etc", "stop"], **quiet)


class Figures:
    """Values by figure and contestant, in the order in which they came."""

    def __init__(self):
        self.by, self.names = {}, []

    def note(self, figure, who, value):
        self.by.setdefault(figure, {}).setdefault(who, []).append(value)
        if who not in self.names:
            self.names.append(who)

    def table(self, width=28):
        """Prints medians; in brackets the share of each other contestant that Bloomgate has."""
        print(f"{'figure':{width}}" + "".join(f"{name:>20}" for name in self.names) + "   (in brackets: the share of it that Bloomgate has)")
        for figure, by in self.by.items():
            ours = statistics.median(by["bloomgate"]) if "bloomgate" in by else None
            row = f"{figure:{width}}"
            for name in self.names:
                value = statistics.median(by[name]) if name in by else None
                share = "" if not value or ours is None or name == "bloomgate" else f" ({ours / value:.2f})"
                row += f"{'-' if value is None else f'{value:.4g}{share}':>20}"
            print(row)
