package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.generation.KnownGoodHits;
import io.bloomgate.blocklists.guard.HeldEntry;
import io.bloomgate.blocklists.senders.FeedHits;
import io.bloomgate.config.json.JsonRecords.Inline;
import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.settings.Action;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of one feed, as {@code feeds list} shows it. Made by {@link FeedReports} on any
 * thread; the control server writes it as JSON. Immutable.
 *
 * @param feed name
 * @param entries that are live, exceptions included
 * @param invalid lines of the live version that are no entries
 * @param changed when new content last went live, {@code null} for never; so are the other times
 * @param success last successful check
 * @param attempt last try
 * @param next when the feed is due
 * @param lastCheck what the last check of the source saw; the sentence is {@code problem}
 * @param hitsLastDay listings of the feed in the last 24 hours
 * @param problem sentences for the operator, {@code null} for none
 * @param disabledUntil of a disabled feed, {@code null} for no end
 */
public record FeedStatus(
    String feed,
    FeedState state,
    long entries,
    long invalid,
    @Nullable Instant changed,
    @Nullable Instant success,
    @Nullable Instant attempt,
    @Nullable Instant next,
    @Named("hits_24h") long hitsLastDay,
    Action action,
    @Nullable String problem,
    FeedAge age,
    Health health,
    LastCheck lastCheck,
    @Rare @Nullable Instant disabledUntil) {

  public FeedStatus {
    disabledUntil = state == FeedState.DISABLED ? disabledUntil : null;
  }

  /**
   * The health of a feed: the one judgement that status, {@code feeds list}, doctor, page, report,
   * metrics and promotion use. The sentence is {@code problem}.
   */
  public enum Health implements Keyed {
    /** The feed is as it should be, or somebody switched it off. */
    GOOD,
    /** Worth a sentence; time or nobody has to do something about it. */
    NOTE,
    /** The list is not what its publisher gives, or may be wrong: the operator must look. */
    ALARM;
  }

  /** True when the operator must look at it. */
  public boolean alarms() {
    return health == Health.ALARM;
  }

  /**
   * The addition of {@code feeds show}.
   *
   * @param source where the feed comes from, without secrets
   * @param servedBy the mirror that served the live version, {@code null} when it was no mirror
   * @param heldEntries entries that are held back, all of them
   * @param reasons why a version or entries are held
   * @param held the first held entries
   * @param breaker which good networks new entries hit, {@code null} for none
   * @param knownGood what the live version lists of the known-good set
   * @param heldKnownGood what the held version or the held entries would list of it
   * @param versions the kept ones, newest first
   */
  public record Details(
      @Inline FeedStatus status,
      String source,
      @Nullable String servedBy,
      long heldEntries,
      List<String> reasons,
      List<HeldEntry> held,
      @Nullable FeedHits breaker,
      KnownGoodHits knownGood,
      KnownGoodHits heldKnownGood,
      List<Version> versions) {

    public Details {
      reasons = List.copyOf(reasons);
      held = List.copyOf(held);
      versions = List.copyOf(versions);
    }
  }

  /**
   * A kept version.
   *
   * @param status live, held, rolled-back or kept
   * @param sha256 of its octets, hexadecimal
   * @param acceptedBy Unix user who accepted it, {@code null} when nobody had to
   * @param acceptedAt when that was
   * @param acceptedEntries true when the held entries were accepted, too
   */
  public record Version(
      @Named("version") long number,
      String status,
      Instant fetched,
      String format,
      long entries,
      long invalid,
      long heldEntries,
      String sha256,
      @Nullable String acceptedBy,
      @Nullable Instant acceptedAt,
      boolean acceptedEntries) {}
}
