#!/usr/bin/env python3
"""fleet.py prepare|measure LISTS WORK PORT: settings of two gateways, and what one takes from the other; used by fleet.sh."""
import gzip
import http.server
import json
import os
import pathlib
import socket
import sys
import threading
import time
import zlib

PATIENCE = 300


def versions(lists):
    """The texts of each list by its name, oldest first."""
    found = {}
    for path in sorted(pathlib.Path(lists).iterdir()):
        if "@" in path.name:
            text = path.read_bytes()
            text = gzip.decompress(text) if path.suffix == ".gz" else text
            name = path.name.split("@")[0].split(".")[0].replace("_", "-")
            found.setdefault(name, []).append(text)
    return {name: texts for name, texts in found.items() if len(texts) > 1}


def prepare(lists, work, port):
    sources = {}
    for node, offset, fleet in (
        ("mx1", 0, f"role: leader, publish: published, private_key: key"),
        ("mx2", 1, f"role: follower, generations: 'http://127.0.0.1:{port + 2}/', public_key: key.pub"),
    ):
        feeds = "".join(
            f"    {name}: {{file: {node}-{name}.txt, checks: [client_ip, sender_domain], action: reject, allow_bogons: true}}\n"
            for name in versions(lists)
        )
        (work / f"{node}.yaml").write_text(
            f"domains: [example.com]\ndownstream: {{host: 127.0.0.1, port: 9}}\nstate_dir: {node}\n"
            f"listeners:\n  mx: {{address: '127.0.0.1:{port + offset}'}}\n"
            f"feeds:\n  guard: {{max_turnover: none, max_shrink: 100%, max_growth: 100000%, max_coverage: 100%}}\n  sources:\n{feeds}"
            f"fleet: {{node: {node}, every: 1s, secret_file: key.secret, {fleet}}}\n"
        )
    for name, texts in versions(lists).items():
        put(work, name, texts[0])


def put(work, name, text):
    aside = work / f"{name}.aside"
    aside.write_bytes(text)
    os.replace(aside, work / f"mx1-{name}.txt")


def ask(work, node, command):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(work / node / "control.sock"))
        connection.sendall((json.dumps({"command": command}) + "\n").encode())
        item = {}
        for line in connection.makefile("rb"):
            reply = json.loads(line)
            if "failed" in reply:
                sys.exit(str(reply))
            if "done" in reply:
                return item
            item = reply.get("item", item)


def identity(work, node):
    try:
        return ask(work, node, "status").get("generation_id") or ""
    except OSError:
        return ""


def wait(what, condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"fleet.py: waited in vain: {what}")
        time.sleep(0.02)


def published(work):
    """The file of each list by its name, as the leader's SHA256SUMS has it."""
    lines = (work / "published/SHA256SUMS").read_text().splitlines()
    files = [line.split("  ")[1] for line in lines if not line.startswith("#")]
    return {file.rsplit(".", 2)[0]: file for file in files}


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


def serve(work, port):
    handler = lambda *args: Quiet(*args, directory=str(work / "published"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port + 2), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()


def step(work, name, text):
    before = published(work)[name]
    old = identity(work, "mx2")
    put(work, name, text)
    wait("published", lambda: published(work).get(name) != before)
    began = time.monotonic()
    wait("live on the follower", lambda: identity(work, "mx2") != old)
    seconds = time.monotonic() - began
    packed = (work / "published" / published(work)[name]).stat().st_size
    equal = identity(work, "mx1") == identity(work, "mx2")
    print(
        f"{name:<28} {len(text):>10} {packed:>9} {seconds:>6.2f} s  "
        + ("equal" if equal else "DIFFERENT"),
        flush=True,
    )


def filters(work):
    snapshots = work / "mx2/snapshots"
    current = snapshots / (snapshots / "CURRENT").read_text().strip()
    for path in sorted(current.iterdir()):
        octets = path.read_bytes()
        print(f"{path.name:<28} {len(octets):>10} {len(zlib.compress(octets, 9)):>9}")


def measure(lists, work, port):
    wait("the leader publishes", lambda: (work / "published/SHA256SUMS").exists())
    serve(work, port)
    wait("equal lists", lambda: len(published(work)) == len(versions(lists))
         and identity(work, "mx1") == identity(work, "mx2") != "")
    print(f"{'list':<28} {'octets':>10} {'packed':>9} follower live")
    for name, texts in versions(lists).items():
        for text in texts[1:]:
            step(work, name, text)
    print(f"\n{'file of the generation':<28} {'octets':>10} {'deflated':>9}")
    filters(work)


if __name__ == "__main__":
    {"prepare": prepare, "measure": measure}[sys.argv[1]](sys.argv[2], pathlib.Path(sys.argv[3]).resolve(), int(sys.argv[4]))
