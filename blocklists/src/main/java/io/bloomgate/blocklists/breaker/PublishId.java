package io.bloomgate.blocklists.breaker;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which publish of a feed: a version that went live, or its held entries that the operator let
 * through later. Immutable; in order of time, as long as nobody rolls back.
 *
 * @param version number of the version
 * @param accepted true for its held entries
 */
record PublishId(long version, boolean accepted) implements Comparable<PublishId> {

  private static final Comparator<PublishId> ORDER =
      Comparator.comparingLong(PublishId::version).thenComparing(PublishId::accepted);

  private static final String ACCEPTED = "-accepted";

  private static final Pattern FORM = Pattern.compile("([1-9][0-9]{0,17})(" + ACCEPTED + ")?");

  /** What {@link #toString} wrote; empty for other texts. */
  static Optional<PublishId> parse(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? Optional.of(new PublishId(Long.parseLong(form.group(1)), form.group(2) != null))
        : Optional.empty();
  }

  @Override
  public int compareTo(PublishId other) {
    return ORDER.compare(this, other);
  }

  /** Name of its files: {@code 17} or {@code 17-accepted}. */
  @Override
  public String toString() {
    return accepted ? version + ACCEPTED : Long.toString(version);
  }
}
