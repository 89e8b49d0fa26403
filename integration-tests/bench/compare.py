"""compare.py FIGURES SVG: the table and the drawing of compare.sh. Called by it; needs nothing but Python.

Prints the table of the largest size in Markdown, and writes two panels: memory an entry by size, and at the largest size the
time of a lookup that misses by memory.
"""

import math
import sys

NAMES = {
    "hash-set": "hash set",
    "sorted-array": "sorted array",
    "md5-set": "MD5 set",
    "bitmap": "bitmap, IPv4",
    "roaring": "Roaring, IPv4",
}
GROWS = {
    "hash-set": "yes",
    "sorted-array": "by a copy",
    "md5-set": "yes",
    "bitmap": "not needed",
    "roaring": "yes",
    "scalable": "yes, by slices",
}
EXACT = ("hash-set", "sorted-array", "md5-set", "bitmap", "roaring")
HEIGHT, WIDTH, LEFT, TOP = 330, 330, 60, 30
STEP = 13  # between the lines of two labels


def read(path):
    figures = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            name, value = line.split()
            _, size, way, figure = name.split("/")
            figures[int(size), way, figure] = float(value)
    return figures


def digits(value):
    return "" if value is None else f"{value:.0f}" if value >= 20 else f"{value:.1f}"


def table(figures, size, ways):
    yield f"| {size:,} entries | bits an entry | build, ns | hit, ns | miss, ns | false positives | delete, ns | grows |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for way in ways:
        row = [figures.get((size, way, name)) for name in ("bits", "build", "hit", "miss", "rate", "delete")]
        rate = row[4] or 0
        cells = [digits(value) for value in row[:4]]
        cells += ["none" if way in EXACT else f"{rate * 100:.2g} %", digits(row[5]) or "no", GROWS.get(way, "no")]
        yield f"| {NAMES.get(way, way)} | " + " | ".join(cells) + " |"


def short(value):
    return f"{value // 10**6}M" if value >= 10**6 else f"{value:,}"


class Panel:
    """A square with logarithmic axes."""

    def __init__(self, x, xs, ys):
        self.x, self.xs, self.ys = x, xs, ys

    def place(self, x, y):
        def share(value, ends):
            low, high = (math.log10(end) for end in ends)
            return (math.log10(value) - low) / (high - low)

        return self.x + share(x, self.xs) * WIDTH, TOP + HEIGHT - share(y, self.ys) * HEIGHT

    def axes(self, title, below):
        yield f'<rect x="{self.x}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>'
        yield f'<text x="{self.x}" y="{TOP - 10}" font-weight="bold">{title}</text>'
        yield f'<text x="{self.x + WIDTH / 2}" y="{TOP + HEIGHT + 34}" text-anchor="middle">{below}</text>'
        for power in range(0, 9):
            value = 10**power
            if self.xs[0] <= value <= self.xs[1]:
                x, _ = self.place(value, self.ys[0])
                yield f'<text x="{x:.0f}" y="{TOP + HEIGHT + 16}" text-anchor="middle">{short(value)}</text>'
            if self.ys[0] <= value <= self.ys[1]:
                _, y = self.place(self.xs[0], value)
                yield f'<text x="{self.x - 6}" y="{y + 4:.0f}" text-anchor="end">{value:,}</text>'
                yield f'<line x1="{self.x}" x2="{self.x + WIDTH}" y1="{y:.0f}" y2="{y:.0f}" stroke="#ddd"/>'


def apart(labels):
    """Moves labels until none covers another, as little as that needs, and none out of its panel."""
    placed = []
    for y, rest in sorted(labels):
        placed.append([max(y, placed[-1][0] + STEP) if placed else y, rest])
    below = TOP + HEIGHT
    for label in reversed(placed):
        label[0] = min(label[0], below)
        below = label[0] - STEP
    yield from placed


def drawing(figures, sizes, ways):
    # Neighbours among the hues differ in lightness too.
    colours = {way: f"hsl({i * 360 // len(ways)},75%,{(32, 46)[i % 2]}%)" for i, way in enumerate(ways)}
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH + 360} {HEIGHT + 80}" '
        'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="#fff"/>'
    )
    memory = Panel(LEFT, (sizes[0] / 1.2, sizes[-1] * 1.2), (5, 600_000))
    yield from memory.axes("bits an entry", "entries")
    labels = []
    for way in ways:
        points = [memory.place(n, figures[n, way, "bits"]) for n in sizes if (n, way, "bits") in figures]
        if not points:
            continue
        line = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
        yield f'<polyline points="{line}" fill="none" stroke="{colours[way]}" stroke-width="2"/>'
        labels.append((points[-1][1] + 4, (points[-1], way)))
    for y, ((x, end), way) in apart(labels):
        name, edge = NAMES.get(way, way), LEFT + WIDTH
        yield f'<line x1="{x:.0f}" y1="{end:.0f}" x2="{edge + 14}" y2="{y - 4:.0f}" stroke="{colours[way]}" stroke-width="0.7"/>'
        yield f'<text x="{edge + 18}" y="{y:.0f}" fill="{colours[way]}">{name}</text>'
    time = Panel(LEFT + WIDTH + 160, (2, 5_000), (1, 2_000))
    yield from time.axes(f"nanoseconds of a miss, {sizes[-1]:,} entries", "bits an entry")
    taken = []
    for way in sorted(ways, key=lambda one: -figures.get((sizes[-1], one, "miss"), 0)):
        bits, miss = (figures.get((sizes[-1], way, name)) for name in ("bits", "miss"))
        if bits and miss:
            x, y = time.place(bits, miss)
            yield f'<circle cx="{x:.0f}" cy="{y:.0f}" r="4" fill="{colours[way]}"/>'
            # The smallest ones have neighbours to their right.
            shift, anchor = (-7, "end") if bits < 10 else (7, "start")
            y += 4
            while any(side == anchor and abs(x - at) < 90 and abs(y - line) < STEP for at, line, side in taken):
                y += 1
            taken.append((x, y, anchor))
            name = NAMES.get(way, way)
            yield f'<text x="{x + shift:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{colours[way]}">{name}</text>'
    yield "</svg>"


def main():
    figures = read(sys.argv[1])
    sizes = sorted({size for size, _, _ in figures})
    ways = list(dict.fromkeys(way for _, way, _ in figures))
    print("\n".join(table(figures, sizes[-1], ways)))
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        out.write("\n".join(drawing(figures, sizes, ways)) + "\n")


main()
