package io.bloomgate.blocklists.feed;

import java.time.Duration;
import java.util.Optional;

/** How a fetch ended. Immutable. */
public sealed interface FetchResult {

  /** There is a version; whether it is new, its digest tells. */
  record Fetched(FeedContent content, Validators validators) implements FetchResult {}

  /** The source says that nothing changed since the version whose validators it was shown. */
  record NotModified() implements FetchResult {}

  /**
   * There is no version.
   *
   * @param message for the operator: what, where, how to mend; nothing in it needs escaping
   * @param log the cause for the log, without credentials
   * @param retryAfter how long the server asked us to stay away
   */
  record Failed(String message, String log, Optional<Duration> retryAfter) implements FetchResult {

    /** A failure without a wish of the server. */
    public static Failed of(String message, String log) {
      return new Failed(message, log, Optional.empty());
    }
  }
}
