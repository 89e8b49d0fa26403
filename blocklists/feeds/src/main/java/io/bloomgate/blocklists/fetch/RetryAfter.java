package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.format.FeedLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.hc.client5.http.utils.DateUtils;

/** The header Retry-After (RFC 9110 section 10.2.3). Pure. */
final class RetryAfter {

  private static final int MOST_DIGITS = 9;

  private RetryAfter() {}

  /**
   * The time to stay away, at most {@link FeedLimits#RETRY_AFTER}; empty when the header gives
   * none.
   *
   * @param header seconds, or a date
   * @param date the header Date of the same answer, from which a date is counted: the server's
   *     clock is asked rather than ours
   * @param now by our clock, for servers that send no Date
   */
  static Optional<Duration> of(String header, String date, Instant now) {
    String text = header.strip();
    if (!text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return Optional.of(
          text.length() > MOST_DIGITS
              ? FeedLimits.RETRY_AFTER
              : clamped(Duration.ofSeconds(Long.parseLong(text))));
    }
    return instant(text)
        .map(time -> Duration.between(instant(date).orElse(now), time))
        .filter(Duration::isPositive)
        .map(RetryAfter::clamped);
  }

  private static Duration clamped(Duration wait) {
    return wait.compareTo(FeedLimits.RETRY_AFTER) < 0 ? wait : FeedLimits.RETRY_AFTER;
  }

  /** A date of HTTP, RFC 9110 section 5.6.7. */
  static Optional<Instant> instant(String date) {
    return Optional.ofNullable(DateUtils.parseStandardDate(date.strip()));
  }
}
