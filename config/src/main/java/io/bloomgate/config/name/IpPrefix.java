package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * A network: an address whose host bits are zero, and a length in bits (0 to 32, or 0 to 128).
 * Immutable.
 */
public record IpPrefix(IpAddress network, int length) implements Subject {

  /** The warning of {@link #parse} for an address that is not the first of its network. */
  public static final String HOST_BITS_MASKED = "host bits masked";

  private static final int V4_BITS = 32;
  private static final int V6_BITS = 128;

  /** The first of the 128 bits that belongs to an IPv4 address. */
  private static final int V4_OFFSET = V6_BITS - V4_BITS;

  /**
   * Refuses what is no network.
   *
   * @throws IllegalArgumentException for a length beyond the family, or host bits that are set
   */
  public IpPrefix {
    if (length < 0 || length > bits(network)) {
      throw new IllegalArgumentException("prefix length " + length + " of " + network);
    }
    if (!mask(network, length).equals(network)) {
      throw new IllegalArgumentException("host bits set in " + network + "/" + length);
    }
  }

  /** The network of that length around an address; host bits are masked. */
  public static IpPrefix around(IpAddress address, int length) {
    return new IpPrefix(mask(address, length), length);
  }

  /** The address itself as a network (/32 or /128). */
  public static IpPrefix host(IpAddress address) {
    return new IpPrefix(address, bits(address));
  }

  /**
   * Reads {@code ADDRESS} or {@code ADDRESS/LENGTH}. Host bits are masked and reported as the
   * warning. {@code ::ffff:a.b.c.d/96+n} becomes IPv4 /n; a mapped network wider than /96 is
   * refused.
   */
  public static Parsed<IpPrefix> parse(String text) {
    byte[] octets = text.getBytes(ISO_8859_1);
    return parse(octets, 0, octets.length);
  }

  /** The same for the octets {@code from} to {@code to} (exclusive) of a line. */
  public static Parsed<IpPrefix> parse(byte[] text, int from, int to) {
    long v4 = IpAddress.v4(text, from, to);
    if (v4 != IpAddress.NOT_V4) {
      // What most lines of most lists are; the way below would give the same.
      return Parsed.ok(host(IpAddress.ofV4((int) v4)));
    }
    int slash = from;
    boolean colon = false;
    while (slash < to && text[slash] != '/') {
      colon |= text[slash++] == ':';
    }
    Parsed<IpAddress> read = IpAddress.parse(text, from, slash);
    // Commands start with this: Java makes a class at run time for a switch over patterns.
    return slash != to && read instanceof Parsed.Ok<IpAddress>(IpAddress address, var ignored)
        ? withLength(address, colon, length(text, slash + 1, to))
        : read.map(IpPrefix::host);
  }

  private static Parsed<IpPrefix> withLength(IpAddress address, boolean colon, int written) {
    if (written < 0) {
      return Parsed.bad("prefix length is not a number");
    }
    boolean mapped = colon && address.isV4();
    if (mapped && written < V4_OFFSET) {
      return Parsed.bad("IPv4-mapped network wider than /96");
    }
    int length = mapped ? written - V4_OFFSET : written;
    if (length > bits(address)) {
      return Parsed.bad("prefix length too long: at most " + bits(address));
    }
    IpPrefix prefix = around(address, length);
    return prefix.network.equals(address)
        ? Parsed.ok(prefix)
        : new Parsed.Ok<>(prefix, HOST_BITS_MASKED);
  }

  /** One to three digits without a leading zero, or -1. */
  private static int length(byte[] text, int from, int to) {
    int digits = to - from;
    if (digits < 1 || digits > 3 || (digits > 1 && text[from] == '0')) {
      return -1;
    }
    int value = 0;
    for (int i = from; i < to; i++) {
      if (text[i] < '0' || text[i] > '9') {
        return -1;
      }
      value = value * 10 + text[i] - '0';
    }
    return value;
  }

  private static int bits(IpAddress address) {
    return address.isV4() ? V4_BITS : V6_BITS;
  }

  private static IpAddress mask(IpAddress address, int length) {
    int kept = address.isV4() ? length + V4_OFFSET : length;
    return new IpAddress(address.high() & leading(kept), address.low() & leading(kept - Long.SIZE));
  }

  /** A word whose first {@code count} bits are set; fewer than 0 count as 0, more than 64 as 64. */
  public static long leading(int count) {
    return count <= 0 ? 0 : count >= Long.SIZE ? -1L : -1L << (Long.SIZE - count);
  }

  /** True when a single address is inside. */
  public boolean isHost() {
    return length == bits(network);
  }

  /** True for a network of IPv4. */
  public boolean isV4() {
    return network.isV4();
  }

  /** True when the address lies inside; families never mix. */
  public boolean contains(IpAddress address) {
    if (address.isV4() != isV4()) {
      return false;
    }
    int kept = isV4() ? length + V4_OFFSET : length;
    return (address.high() & leading(kept)) == network.high()
        && (address.low() & leading(kept - Long.SIZE)) == network.low();
  }

  /** True when one of the two lies inside the other, or both are equal. */
  public boolean overlaps(IpPrefix other) {
    return length <= other.length ? contains(other.network) : other.contains(network);
  }

  /** The last address inside. */
  public IpAddress last() {
    int kept = isV4() ? length + V4_OFFSET : length;
    return new IpAddress(
        network.high() | ~leading(kept), network.low() | ~leading(kept - Long.SIZE));
  }

  /** Canonical text: a single address without its length, else {@code NETWORK/LENGTH}. */
  @Override
  public String toString() {
    return isHost() ? network.toString() : network + "/" + length;
  }
}
