package io.bloomgate.blocklists.refresh;

import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.settings.Location;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The age of a feed, by the time since its last successful check (rules of decision in
 * gateway/README.md).
 */
public enum FeedAge implements Keyed {
  /** The feed's action holds. */
  CURRENT,
  /** Older than {@code stale_after}: reject and tempfail have become tag. */
  STALE,
  /** Older than {@code expire_after}: listings are only noted. */
  EXPIRED;

  /** The words of a notice about a feed that has expired. */
  public static final String IGNORED = "expired, its listings are ignored";

  /** The age of a feed; files do not age, and a feed that was never checked does not age either. */
  static FeedAge of(Source source, FeedRecord record, Instant now) {
    Instant success = record.times().success();
    if (source.location() instanceof Location.Files || record.live() == 0 || success == null) {
      return CURRENT;
    }
    Duration age = Duration.between(success, now);
    if (age.compareTo(source.expireAfter()) > 0) {
      return EXPIRED;
    }
    return age.compareTo(source.staleAfter()) > 0 ? STALE : CURRENT;
  }

  /** The change of the feed's age, in words. */
  String notice(Source source, FeedRecord record) {
    Instant success = record.times().success();
    String since =
        "not checked successfully since "
            + (success == null ? "the start" : success.truncatedTo(ChronoUnit.SECONDS));
    return switch (this) {
      case CURRENT -> "is current again; its action holds";
      case STALE ->
          since
              + (source.action().refuses()
                  ? ": stale, its refusals have become tags"
                  : ": stale, it can refuse no mail");
      case EXPIRED -> since + ": " + IGNORED;
    };
  }
}
