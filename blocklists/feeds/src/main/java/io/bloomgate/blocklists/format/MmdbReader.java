package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the networks of an MMDB file with their AS numbers and countries: a binary tree by the bits
 * of the address, and a section of values that its leaves point to. Everything is bounded whatever
 * the file says: each node is visited once, a value is read to a depth and a number of parts, and
 * all of them together are, so that no tree or map that contains itself ends anything but the
 * reading. Used by {@link AsnTableParser} for one file.
 *
 * @see <a href="https://maxmind.github.io/MaxMind-DB/">MaxMind DB file format 2.0</a>
 */
final class MmdbReader {

  private static final byte[] METADATA = {
    (byte) 0xab, (byte) 0xcd, (byte) 0xef, 'M', 'a', 'x', 'M', 'i', 'n', 'd', '.', 'c', 'o', 'm'
  };

  /** Zero octets between the tree and the values. */
  private static final int SEPARATOR = 16;

  /** Maps inside maps that are read. */
  private static final int MOST_DEPTH = 16;

  /** Parts of all values that are read of a file; of one value a part of that. */
  private static final int MOST_PARTS = 100_000_000;

  private static final int MOST_PARTS_OF_ONE = 1_000;

  /** Octets of a text that may be a name or a code; longer ones are passed over. */
  private static final int MOST_TEXT = 100;

  /** Values that are remembered: most networks share one. */
  private static final int REMEMBERED = 100_000;

  private static final int V4_BITS = 32;
  private static final int V6_BITS = 128;

  /** The holder of a network. */
  private record Whose(@Nullable AsNumber number, String country) {}

  /** A node that is still to be visited. */
  private record Branch(int node, int depth, long high, long low) {}

  private final byte[] octets;
  private final ParseRun run;
  private final Map<Integer, Whose> remembered = new HashMap<>();

  private int parts;
  private int partsAtMost;
  private int at;
  private int base;

  private MmdbReader(byte[] octets, ParseRun run) {
    this.octets = octets;
    this.run = run;
  }

  /** Reads a file to its end. */
  static void read(InputStream text, ParseRun run) throws IOException {
    byte[] octets = text.readNBytes(FeedLimits.MMDB_OCTETS + 1);
    if (octets.length > FeedLimits.MMDB_OCTETS) {
      run.damage("an MMDB of more than " + (FeedLimits.MMDB_OCTETS >> 20) + " MiB");
      return;
    }
    try {
      new MmdbReader(octets, run).read();
    } catch (IndexOutOfBoundsException | DamagedException e) {
      run.damage("a binary file that is no whole MMDB: " + e.getMessage());
    }
  }

  /** The file is not what the format says. */
  private static final class DamagedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DamagedException(String message) {
      super(message, null, false, false);
    }
  }

  private void read() {
    base = metadata();
    Object facts = valueAt(base);
    int nodes = number(facts, "node_count");
    int bits = number(facts, "record_size");
    int version = number(facts, "ip_version");
    long tree = (long) nodes * bits / 4;
    if (bits < 24 || bits > 32 || bits % 4 != 0 || tree + SEPARATOR > base) {
      throw new DamagedException("its metadata has " + nodes + " nodes of 2 x " + bits + " bits");
    }
    base = (int) tree + SEPARATOR;
    walk(nodes, bits, version == 4 ? V4_BITS : V6_BITS);
  }

  /** The position behind the last marker. */
  private int metadata() {
    for (int from = octets.length - METADATA.length; from >= 0; from--) {
      int same = 0;
      while (same < METADATA.length && octets[from + same] == METADATA[same]) {
        same++;
      }
      if (same == METADATA.length) {
        return from + same;
      }
    }
    throw new DamagedException("it has no metadata at its end");
  }

  private static int number(Object facts, String name) {
    if (facts instanceof Map<?, ?> map
        && map.get(name) instanceof BigInteger value
        && value.bitLength() < Integer.SIZE) {
      return value.intValue();
    }
    throw new DamagedException("its metadata has no " + name);
  }

  // ---- the tree

  /** Visits each node once: tunnels of IPv6 lead to the nodes of IPv4 again. */
  private void walk(int nodes, int bits, int depth) {
    BitSet visited = new BitSet(nodes);
    Deque<Branch> open = new ArrayDeque<>();
    open.push(new Branch(0, 0, 0, 0));
    int networks = 0;
    while (!open.isEmpty()) {
      Branch branch = open.pop();
      if (branch.node == nodes) {
        continue;
      }
      if (branch.node > nodes) {
        network(branch, depth, base - SEPARATOR + branch.node - nodes);
        run.lines(++networks);
      } else if (branch.depth < depth && !visited.get(branch.node)) {
        visited.set(branch.node);
        // The left one is visited first: it leads to IPv4, before any tunnel does.
        open.push(next(branch, bits, true, depth));
        open.push(next(branch, bits, false, depth));
      }
    }
  }

  private Branch next(Branch from, int bits, boolean right, int depth) {
    int place = V6_BITS - depth + from.depth;
    long bit = right ? 1L << (Long.SIZE - 1 - (place & (Long.SIZE - 1))) : 0;
    return new Branch(
        record(from.node, bits, right),
        from.depth + 1,
        place < Long.SIZE ? from.high | bit : from.high,
        place < Long.SIZE ? from.low : from.low | bit);
  }

  private int record(int node, int bits, boolean right) {
    int from = node * (bits / 4);
    long value =
        switch (bits) {
          case 24 -> unsigned(right ? from + 3 : from, 3);
          case 28 ->
              right
                  ? (octets[from + 3] & 0x0fL) << 24 | unsigned(from + 4, 3)
                  : (octets[from + 3] & 0xf0L) << 20 | unsigned(from, 3);
          default -> unsigned(right ? from + 4 : from, 4);
        };
    if (value > octets.length) {
      throw new DamagedException("node " + node + " points behind the end");
    }
    return (int) value;
  }

  private long unsigned(int from, int count) {
    long value = 0;
    for (int i = from; i < from + count; i++) {
      value = value << Byte.SIZE | (octets[i] & 0xff);
    }
    return value;
  }

  /**
   * IPv4 is the part of the tree that begins with 96 zero bits; what is written below {@code
   * ::ffff:0:0/96} once more is passed over.
   */
  private void network(Branch leaf, int depth, int where) {
    Whose whose = remembered.get(where);
    if (whose == null) {
      if (remembered.size() == REMEMBERED) {
        remembered.clear();
      }
      whose = whose(valueAt(where));
      remembered.put(where, whose);
    }
    IpAddress address = new IpAddress(leaf.high, leaf.low);
    boolean v4 = leaf.high == 0 && leaf.low >>> V4_BITS == 0;
    int length = leaf.depth - (v4 ? depth - V4_BITS : 0);
    if (length < 0 || address.isV4() || (whose.number == null && whose.country.isEmpty())) {
      run.skip();
    } else {
      IpAddress first = v4 ? IpAddress.ofV4((int) leaf.low) : address;
      run.asnRow(List.of(IpPrefix.around(first, length)), whose.number, whose.country);
    }
  }

  private static Whose whose(Object value) {
    @Nullable AsNumber number = null;
    String country = "";
    if (value instanceof Map<?, ?> map) {
      for (String name : List.of("autonomous_system_number", "asn", "as_number")) {
        Object said = map.get(name);
        number =
            number == null && said != null
                ? AsNumber.parse(said.toString()).toOptional().orElse(null)
                : number;
      }
      for (String name : List.of("country", "country_code", "registered_country")) {
        Object said =
            map.get(name) instanceof Map<?, ?> inner ? inner.get("iso_code") : map.get(name);
        country =
            country.isEmpty() && said instanceof String code && code.matches("[A-Za-z]{2}")
                ? code.toUpperCase(Locale.ROOT)
                : country;
      }
    }
    return new Whose(number, country);
  }

  // ---- the values

  private Object valueAt(int where) {
    partsAtMost = Math.min(MOST_PARTS, parts + MOST_PARTS_OF_ONE);
    at = where;
    return value(0);
  }

  /** Reads the value at {@link #at} and moves behind it; what is of no use here is empty. */
  private Object value(int depth) {
    if (depth > MOST_DEPTH || ++parts > partsAtMost) {
      throw new DamagedException("a value contains too much, or itself");
    }
    int control = octets[at++] & 0xff;
    int type = control >>> 5;
    if (type == 1) {
      int target = pointer(control);
      int behind = at;
      at = target;
      Object value = value(depth + 1);
      at = behind;
      return value;
    }
    if (type == 0) {
      type = 7 + octets[at++];
    }
    int size = size(control & 0x1f);
    return switch (type) {
      case 2 -> {
        String text = size > MOST_TEXT ? "" : new String(octets, at, size, UTF_8);
        at += size;
        yield text;
      }
      case 5, 6, 8, 9, 10 -> {
        BigInteger value = new BigInteger(1, octets, at, Math.min(size, 16));
        at += size;
        yield value;
      }
      case 7 -> {
        Map<Object, Object> map = new HashMap<>();
        for (int i = 0; i < size; i++) {
          Object name = value(depth + 1);
          map.put(name instanceof String ? name : "", value(depth + 1));
        }
        yield map;
      }
      case 11 -> {
        for (int i = 0; i < size; i++) {
          value(depth + 1);
        }
        yield "";
      }
      case 14 -> "";
      default -> {
        at += size;
        yield "";
      }
    };
  }

  private int pointer(int control) {
    int count = (control >>> 3 & 3) + 1;
    long high = count == 4 ? 0 : (long) (control & 7) << (Byte.SIZE * count);
    long offset = high | unsigned(at, count);
    at += count;
    offset += count == 2 ? 2048 : count == 3 ? 526_336 : 0;
    if (offset >= octets.length - base) {
      throw new DamagedException("a pointer leads behind the end");
    }
    return base + (int) offset;
  }

  private int size(int written) {
    int more = Math.max(0, written - 28);
    int size =
        switch (more) {
          case 0 -> written;
          case 1 -> 29 + (int) unsigned(at, 1);
          case 2 -> 285 + (int) unsigned(at, 2);
          default -> 65_821 + (int) unsigned(at, 3);
        };
    at += more;
    return size;
  }
}
