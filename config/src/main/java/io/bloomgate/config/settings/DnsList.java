package io.bloomgate.config.settings;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Keyed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A list that is asked by DNS, one subject at a time (RFC 5782). Immutable.
 *
 * @param zone without the key
 * @param keyFile its content is the label in front of the zone; {@code null} for none
 * @param hosts what it knows of the hosts that mails carry
 * @param codes answers that are listings; any other answer is none
 * @param timeout how long a decision waits for the answer, counted from the question
 * @param family as of feeds
 * @param infoUrl empty when none
 * @param testName a name that the list always lists, to see whether it works
 */
public record DnsList(
    String name,
    String zone,
    @Nullable Path keyFile,
    Set<Check> checks,
    Set<Hosts> hosts,
    List<Codes> codes,
    Duration timeout,
    Action action,
    String family,
    String infoUrl,
    String testName)
    implements AnyList {

  /** True when its answers are sums of bits. */
  public boolean hasBits() {
    return codes.stream().anyMatch(range -> range.bits() != 0);
  }

  /** Something that a list knows of the hosts of links, From and Reply-To. */
  public enum Hosts implements Keyed {
    /** Whole names; the list has what is below its entries too. */
    NAMES,
    /** Names that somebody registered: what is directly below a public suffix or a shared host. */
    REGISTERED,
    /** Hosts that are addresses. */
    ADDRESSES,
    /** Hosts that serve the pages of strangers, and redirectors. */
    SHARED
  }

  /**
   * Answers of the form {@code 127.0.0.2-11}: a number, or a range of numbers, for each octet; or
   * answers whose last octet is a sum that has one of these bits.
   *
   * @param low the first number of each octet, first octet in the highest bits
   * @param high the last number of each octet
   * @param bits 0 where the whole last octet counts
   */
  public record Codes(int low, int high, int bits) {

    /** The bit by which such lists say that they refuse to answer. */
    public static final int REFUSED_BIT = 1;

    /** A range for each octet. */
    public Codes(int low, int high) {
      this(low, high, 0);
    }

    /** Answers 127.0.0.N whose N has this bit. */
    static Codes ofBit(int bit) {
      return new Codes(0x7f000000, 0x7f0000ff, bit);
    }

    /** True when each octet of this IPv4 address is in its range. */
    public boolean contains(int address) {
      if (bits != 0 && ((address & bits) == 0 || (address & REFUSED_BIT) != 0)) {
        return false;
      }
      for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
        int octet = address >>> shift & 0xff;
        if (octet < (low >>> shift & 0xff) || octet > (high >>> shift & 0xff)) {
          return false;
        }
      }
      return true;
    }

    /** The range as the settings write it, or the bit. */
    public String text() {
      if (bits != 0) {
        return "bit " + bits;
      }
      StringBuilder text = new StringBuilder();
      for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
        int from = low >>> shift & 0xff;
        int to = high >>> shift & 0xff;
        text.append(text.isEmpty() ? "" : ".").append(from).append(from == to ? "" : "-" + to);
      }
      return text.toString();
    }
  }
}
