package io.bloomgate.blocklists.fleet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.blocklists.file.Keying;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/**
 * Describes the filter that a key of Redis holds, in one of two forms that never share a key.
 * Written by {@code filter push}, read by {@code filter query} and other programs of the site.
 * Immutable.
 */
public sealed interface StoredFilter {

  /** Distinct keys that were put in. */
  long entries();

  /** Ratio of false positives that was asked for. */
  double rate();

  /** The word of the form in commands and answers. */
  String word();

  /**
   * A string: a line of text of {@link #HEADER_OCTETS}, then the bits, the first one in the highest
   * bit of the first octet, as SETBIT and GETBIT count them.
   *
   * @param bits of the filter
   * @param hashes bits tested for a key
   * @param keying how keys become hashes
   * @param setBits of all bits, to notice a damaged value
   */
  record Bits(
      long bits, int hashes, Keying keying, long setBits, long entries, long capacity, double rate)
      implements StoredFilter {

    /** Octets in front of the bits. */
    public static final int HEADER_OCTETS = 256;

    /** The most that a string of Redis holds, 512 MiB. */
    public static final long MOST_BITS = ((512L << 20) - HEADER_OCTETS) * Byte.SIZE;

    private static final String MARK = "bloomgate-bits-1";
    private static final int MOST_HASHES = 64;
    private static final int FIELDS = 10;

    /** Octets of the whole value: whole words of 64 bits. */
    public long octets() {
      return HEADER_OCTETS + Math.ceilDiv(bits, Long.SIZE) * Long.BYTES;
    }

    @Override
    public String word() {
      return "bits";
    }

    byte[] header() {
      String line =
          String.format(
              Locale.ROOT,
              "%s %d %d %016x%016x %d %d %d %d %d ",
              MARK,
              bits,
              hashes,
              keying.seedHigh(),
              keying.seedLow(),
              keying.hashVersion(),
              keying.normalisationVersion(),
              setBits,
              entries,
              capacity);
      return String.format(Locale.ROOT, "%-255s\n", line + rate).getBytes(US_ASCII);
    }

    /** Reads a header; empty when it is none, or describes no filter. */
    static Optional<Bits> read(byte[] octets) {
      String[] fields = new String(octets, US_ASCII).strip().split(" ", -1);
      if (octets.length != HEADER_OCTETS || fields.length != FIELDS || !fields[0].equals(MARK)) {
        return Optional.empty();
      }
      try {
        Bits found =
            new Bits(
                Long.parseLong(fields[1]),
                Integer.parseInt(fields[2]),
                new Keying(
                    Integer.parseInt(fields[4]),
                    Integer.parseInt(fields[5]),
                    HexFormat.fromHexDigitsToLong(fields[3], 0, 16),
                    HexFormat.fromHexDigitsToLong(fields[3], 16, 32)),
                Long.parseLong(fields[6]),
                Long.parseLong(fields[7]),
                Long.parseLong(fields[8]),
                Double.parseDouble(fields[9]));
        return found.isSound() ? Optional.of(found) : Optional.empty();
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        return Optional.empty();
      }
    }

    private boolean isSound() {
      return bits >= 1
          && bits <= MOST_BITS
          && hashes >= 1
          && hashes <= MOST_HASHES
          && setBits >= 0
          && setBits <= bits
          && entries >= 0
          && capacity >= 0
          && rate > 0
          && rate < 1;
    }
  }

  /** A filter of the Bloom module; its measures are in a key beside it. */
  record Module(long entries, double rate) implements StoredFilter {

    private static final String MARK = "bloomgate-module-1";

    @Override
    public String word() {
      return "module";
    }

    String text() {
      return MARK + " " + entries + " " + rate;
    }

    /** Reads what {@link #text} made; empty when it is something else. */
    static Optional<Module> read(String text) {
      String[] fields = text.split(" ", -1);
      if (fields.length != 3 || !fields[0].equals(MARK)) {
        return Optional.empty();
      }
      try {
        return Optional.of(new Module(Long.parseLong(fields[1]), Double.parseDouble(fields[2])));
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }
  }
}
