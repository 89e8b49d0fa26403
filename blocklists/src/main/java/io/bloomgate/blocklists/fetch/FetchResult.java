package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.format.FeedContent;
import java.time.Duration;
import java.util.Optional;

/** How a fetch ended. Immutable. */
public sealed interface FetchResult {

  /** How long a server asked us to stay away: also of a version that a mirror gave in its stead. */
  Optional<Duration> retryAfter();

  /** There is a version; its digest shows whether it is new. */
  record Fetched(FeedContent content, Validators validators, Optional<Duration> retryAfter)
      implements FetchResult {

    /** A version without a wish of the publisher. */
    public Fetched(FeedContent content, Validators validators) {
      this(content, validators, Optional.empty());
    }
  }

  /** The source says that nothing changed since the version whose validators it was shown. */
  record NotModified(Optional<Duration> retryAfter) implements FetchResult {

    /** Nothing changed, and the publisher has no wish. */
    public NotModified() {
      this(Optional.empty());
    }
  }

  /**
   * There is no version.
   *
   * @param message for the operator: what, where, how to fix it; nothing in it needs escaping
   * @param log the cause for the log, without credentials
   * @param unasked no server was reached, because no name of one could be looked up: no publisher
   *     has seen a visit
   */
  record Failed(String message, String log, Optional<Duration> retryAfter, boolean unasked)
      implements FetchResult {

    /** A failure without a wish of the server. */
    public static Failed of(String message, String log) {
      return new Failed(message, log, Optional.empty(), false);
    }
  }
}
