#!/usr/bin/env python3
"""operator.py SOCKET: how long `allow add` and `allow remove` take on the control socket of a gateway; used by operator.sh."""
import json
import socket
import sys
import time

ROUNDS = 200


def ask(connection, request):
    connection.sendall((json.dumps(request) + "\n").encode())
    while True:
        reply = json.loads(connection.readline())
        if "failed" in reply:
            sys.exit(str(reply))
        if "done" in reply:
            return reply["done"]


class Connection:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")

    def sendall(self, octets):
        self.socket.sendall(octets)

    def readline(self):
        return self.lines.readline()


def main():
    connection = Connection(sys.argv[1])
    times = {"add": [], "remove": []}
    for number in range(ROUNDS):
        subject = f"198.18.{number}.7" if number % 2 else f"added{number}.example"
        for verb in ("add", "remove"):
            began = time.perf_counter()
            ask(connection, {"command": "allow." + verb, "subjects": [subject]})
            times[verb].append((time.perf_counter() - began) * 1000)
            there = ask(connection, {"command": "allow.check", "subject": subject}) == 0
            if there != (verb == "add"):
                sys.exit(f"{subject} is not in force after {verb}")
    for verb, taken in times.items():
        taken.sort()
        print(f"{'allow ' + verb + ', ms: median, p99, most (goal 50)':<58} "
              f"{taken[ROUNDS // 2]:.1f} {taken[ROUNDS * 99 // 100]:.1f} {taken[-1]:.1f}")


main()
