"""The measuring half of cold.sh, which says what and how: cold.py TOP HARNESS WORK ROUNDS PEERS CELLS."""
import os, resource, subprocess, sys, time

from contestants import Figures, Gateway, Postfix, await_port, cpu, quiet

top, harness, work, rounds, peers, cells = sys.argv[1:]
rounds, peers, cells = int(rounds), peers.split(), cells.split()
SINK = int(os.environ.get("SINK_PORT", "12700"))
FIRST, ALL = 1000, 5000
OFF = "-XX:AOTMode=off"
figures = Figures()
note = figures.note


def send(mails, port, kept):
    began = time.monotonic()
    subprocess.run(
        ["smtp-source", "-4", "-s", "20", "-m", str(mails), "-l", "4096", "-f", "clean@clean.example", "-t", "user@dest.example",
         "-M", "client.example", *(["-d"] if kept else []), f"127.0.0.1:{port}"], check=True, **quiet)
    return time.monotonic() - began


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


gateways = [Gateway("bloomgate", SINK + 1, SINK, top, work)]
if "nocache" in peers:
    gateways.append(Gateway("nocache", SINK + 2, SINK, top, work, OFF))
if "before" in peers:
    gateways.append(Gateway("before", SINK + 3, SINK, os.environ["BEFORE"], work))
everybody = gateways + ([Postfix(SINK + 9, SINK, harness, work)] if "postfix" in peers else [])
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

figures.table()
print(f"medians of {rounds} rounds; load average at the end {os.getloadavg()[0]:.1f}")
