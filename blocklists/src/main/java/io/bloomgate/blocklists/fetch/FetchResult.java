package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.format.FeedContent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a fetch ended. Immutable. */
public sealed interface FetchResult {

  /** How long a server asked us to stay away: also of a version that a mirror gave in its stead. */
  Optional<Duration> retryAfter();

  /**
   * There is a version; its digest shows whether it is new.
   *
   * @param accepted who let it through where this gateway does not decide alone; {@code null} where
   *     only the guard of this gateway decides
   */
  record Fetched(
      FeedContent content,
      Validators validators,
      Optional<Duration> retryAfter,
      @Nullable Acceptance accepted)
      implements FetchResult {

    /** A version that the publisher gave. */
    public Fetched(FeedContent content, Validators validators, Optional<Duration> retryAfter) {
      this(content, validators, retryAfter, null);
    }

    /** A version without a wish of the publisher. */
    public Fetched(FeedContent content, Validators validators) {
      this(content, validators, Optional.empty());
    }
  }

  /**
   * An operator of another gateway of the fleet let a version through.
   *
   * @param by name, printable ASCII
   * @param entries with the entries too that are held back one by one
   */
  record Acceptance(String by, Instant at, boolean entries) {}

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
   * @param unasked no publisher has seen a visit: no name of a server could be looked up, or the
   *     leader of the fleet was asked
   */
  record Failed(String message, String log, Optional<Duration> retryAfter, boolean unasked)
      implements FetchResult {

    /** A failure without a wish of the server. */
    public static Failed of(String message, String log) {
      return new Failed(message, log, Optional.empty(), false);
    }
  }
}
