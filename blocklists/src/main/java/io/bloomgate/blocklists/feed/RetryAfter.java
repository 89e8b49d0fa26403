package io.bloomgate.blocklists.feed;

import java.time.Duration;
import java.util.Optional;

/** The header Retry-After in its form of seconds (RFC 9110 section 10.2.3). Pure. */
final class RetryAfter {

  private static final int MOST_DIGITS = 9;

  private RetryAfter() {}

  /** The time, bounded by {@link FeedLimits#RETRY_AFTER}; a date is left to our own back-off. */
  static Optional<Duration> of(String header) {
    String text = header.strip();
    boolean seconds =
        !text.isEmpty()
            && text.length() <= MOST_DIGITS
            && text.chars().allMatch(c -> c >= '0' && c <= '9');
    return seconds
        ? Optional.of(
            Duration.ofSeconds(Math.min(Long.parseLong(text), FeedLimits.RETRY_AFTER.toSeconds())))
        : Optional.empty();
  }
}
