package io.bloomgate.config.settings;

import io.bloomgate.config.name.Check;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A list that is asked by DNS, one subject at a time (RFC 5782). Immutable.
 *
 * @param zone without the key
 * @param keyFile its content is the label in front of the zone; {@code null} for none
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
    List<Codes> codes,
    Duration timeout,
    Action action,
    String family,
    String infoUrl,
    String testName) {

  /**
   * Answers of the form {@code 127.0.0.2-11}: a number, or a range of numbers, for each octet.
   *
   * @param low the first number of each octet, first octet in the highest bits
   * @param high the last number of each octet
   */
  public record Codes(int low, int high) {

    /** True when each octet of this IPv4 address is in its range. */
    public boolean contains(int address) {
      for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
        int octet = address >>> shift & 0xff;
        if (octet < (low >>> shift & 0xff) || octet > (high >>> shift & 0xff)) {
          return false;
        }
      }
      return true;
    }

    /** The answers that both have; empty for none. */
    public Optional<Codes> shared(Codes other) {
      int sharedLow = 0;
      int sharedHigh = 0;
      for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
        int from = Math.max(low >>> shift & 0xff, other.low >>> shift & 0xff);
        int to = Math.min(high >>> shift & 0xff, other.high >>> shift & 0xff);
        if (from > to) {
          return Optional.empty();
        }
        sharedLow |= from << shift;
        sharedHigh |= to << shift;
      }
      return Optional.of(new Codes(sharedLow, sharedHigh));
    }

    /** The range as the settings write it. */
    public String text() {
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
