package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.config.json.JsonRecords.Named;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The outcome of a fetch. Immutable. */
public sealed interface FetchResult {

  /**
   * The source has a version; its digest shows whether it is new.
   *
   * @param leader what the leader of the fleet decided about it; {@code null} where this gateway
   *     decides
   */
  record Fetched(FeedContent content, Validators validators, @Nullable OfLeader leader)
      implements FetchResult {

    /** A version that the publisher gave. */
    public Fetched(FeedContent content, Validators validators) {
      this(content, validators, null);
    }
  }

  /**
   * The leader of the fleet judged a version and has it live.
   *
   * @param accepted who let it through there, {@code null} where its guard did
   * @param held file of {@link io.bloomgate.blocklists.guard.EntryKeys} that it holds back, as they
   *     list good senders; empty for none
   */
  record OfLeader(@Nullable Acceptance accepted, Optional<Path> held) {}

  /**
   * An operator let a version through, here or on the leader.
   *
   * @param by name
   * @param entries with the entries too that are held back one by one
   */
  record Acceptance(
      @Named("accepted_by") String by,
      @Named("accepted_at") Instant at,
      @Named("accepted_entries") boolean entries) {}

  /** The source says that nothing changed since the version whose validators it was shown. */
  record NotModified() implements FetchResult {}

  /**
   * The source gave no version.
   *
   * @param message for the operator: what, where, how to fix it; nothing in it needs escaping
   * @param log the cause for the log, without credentials
   * @param retryAfter for how long a server asked us to stay away
   * @param kind what it says about the list
   */
  record Failed(String message, String log, Optional<Duration> retryAfter, Kind kind)
      implements FetchResult {
    /** A kind of failure. */
    public enum Kind {
      /** Time may cure it. */
      OTHER,
      /**
       * No publisher has seen a visit: no name of a server could be looked up, or the leader of the
       * fleet was asked.
       */
      UNASKED,
      /** This gateway may not have the list, or has asked too often: a mirror is no way around. */
      BARRED,
      /**
       * Every publisher answers that there is no such list (404 or 410): time alone does not bring
       * it back.
       */
      GONE
    }

    /** A failure with nothing more for the log. */
    public static Failed of(String message) {
      return of(message, message);
    }

    /** A failure without a wish of the server. */
    public static Failed of(String message, String log) {
      return new Failed(message, log, Optional.empty(), Kind.OTHER);
    }
  }
}
