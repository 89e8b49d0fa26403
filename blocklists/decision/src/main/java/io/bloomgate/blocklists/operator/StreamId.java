package io.bloomgate.blocklists.operator;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in the stream of a fleet, as Redis writes it: {@code MILLISECONDS-NUMBER}. The version of
 * an entry is the place of its last change. Immutable.
 */
public record StreamId(long millis, long number) implements Comparable<StreamId> {

  /** The place before every record. */
  public static final StreamId START = new StreamId(0, 0);

  private static final Pattern TEXT = Pattern.compile("([0-9]{1,19})-([0-9]{1,19})");
  private static final Comparator<StreamId> ORDER =
      Comparator.comparingLong(StreamId::millis).thenComparingLong(StreamId::number);

  /** Reads one; empty when the text is none. */
  public static Optional<StreamId> parse(String text) {
    Matcher found = TEXT.matcher(text);
    try {
      return found.matches()
          ? Optional.of(
              new StreamId(Long.parseLong(found.group(1)), Long.parseLong(found.group(2))))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  @Override
  public int compareTo(StreamId other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return millis + "-" + number;
  }
}
