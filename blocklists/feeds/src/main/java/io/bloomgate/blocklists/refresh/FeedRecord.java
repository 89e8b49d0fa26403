package io.bloomgate.blocklists.refresh;

import io.bloomgate.config.json.JsonRecords.Inline;
import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.json.JsonRecords.Rare;
import java.time.Instant;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The record of a feed that is kept between refreshes and across restarts. Immutable; replaced by
 * {@link FeedArchive}.
 *
 * @param live id of the version that is live, 0 for none; the manifest of the live generation says
 *     it, so it is not stored
 * @param last try
 * @param times when it was tried and when it is due
 * @param pause whether the operator switched it off
 * @param rollback which versions the operator rolled back from
 */
record FeedRecord(
    @Rare String name,
    @Rare long live,
    @Inline Try last,
    @Inline Times times,
    @Inline Pause pause,
    @Inline Rollback rollback) {

  /**
   * The last try.
   *
   * @param held id of the version that waits for the operator, 0 for none
   * @param problem in words, empty when there was none
   * @param asked digest of the location, empty when that is not known
   * @param trying id of the version that was being read or built when the process ended, 0 for none
   */
  record Try(
      long held, @Rare LastCheck outcome, @Rare String problem, @Rare String asked, long trying) {
    static final Try NONE = new Try(0, LastCheck.UNTRIED, "", "", 0);
  }

  /**
   * Points in time, {@code null} for never.
   *
   * @param attempt the last try began
   * @param success the last try at which the source had what is live, or a version that was held:
   *     the source lives
   * @param change new content went live
   * @param due the next try
   * @param notBefore the server asked to stay away until then
   * @param failures tries in a row without success
   * @param heldSince since when there is always a version that waits; means nothing while none does
   */
  record Times(
      @Nullable Instant attempt,
      @Nullable Instant success,
      @Nullable Instant change,
      @Nullable Instant due,
      @Nullable Instant notBefore,
      int failures,
      @Nullable Instant heldSince) {

    static final Times NEVER = new Times(null, null, null, null, null, 0, null);

    /** Makes the feed due as soon as possible; the time that the server wished stays. */
    Times dueAt(Instant now) {
      return new Times(attempt, success, change, now, notBefore, failures, heldSince);
    }

    /** Another server is asked: what the former one wished or did wrong is forgotten. */
    Times elsewhere(Instant now) {
      return new Times(null, success, change, now, null, 0, heldSince);
    }

    /**
     * The source was reached; what it has waits for the operator. Who has to decide is no fault of
     * the source: what is live does not age meanwhile.
     */
    Times waiting(Instant now, Instant next) {
      return new Times(attempt, now, change, next, null, 0, heldSince);
    }

    private Times heldSince(Instant since) {
      return new Times(attempt, success, change, due, notBefore, failures, since);
    }

    /**
     * A try begins. What lies ahead was written while the clock was wrong, and is taken for now.
     */
    Times attempted(Instant now) {
      return new Times(
          now,
          past(success, now),
          past(change, now),
          due,
          notBefore,
          failures,
          past(heldSince, now));
    }

    private static @Nullable Instant past(@Nullable Instant time, Instant now) {
      return time != null && time.isAfter(now) ? now : time;
    }

    /** True when the last try lies ahead: the clock was set back, and no wait of then counts. */
    boolean areAheadOf(Instant now) {
      return attempt != null && attempt.isAfter(now);
    }

    /** An operator's act put other content live. */
    Times changed(Instant now) {
      return new Times(attempt, success, now, due, notBefore, failures, heldSince);
    }

    /** An operator let through what the check at {@code checked} had found. */
    Times accepted(Instant checked, Instant now) {
      return new Times(attempt, checked, now, due, notBefore, 0, heldSince);
    }

    Times succeeded(Instant now, Instant next, boolean changed) {
      return new Times(attempt, now, changed ? now : change, next, null, 0, heldSince);
    }

    /** No server was reached: the last visit was the one that succeeded. */
    Times unasked(Instant next) {
      return new Times(success, success, change, next, notBefore, failures + 1, heldSince);
    }

    Times failed(Instant next, @Nullable Instant wished) {
      return new Times(attempt, success, change, next, wished, failures + 1, heldSince);
    }
  }

  /**
   * Switched off or not.
   *
   * @param until {@code null} until it is switched on again
   */
  record Pause(boolean disabled, @Named("disabled_until") @Nullable Instant until) {
    static final Pause NONE = new Pause(false, null);

    boolean holdsAt(Instant now) {
      return disabled && (until == null || now.isBefore(until));
    }
  }

  /**
   * Versions that the operator rolled back from. Those newer than the live one must not come back
   * by themselves; older ones are no aim of another rollback.
   *
   * @param to the version that was chosen, or the newest that the source published since
   * @param by Unix user of the last rollback, empty for none
   * @param at time of the last rollback, {@code null} for never
   */
  record Rollback(
      @Named("rolled_back_from") Set<Long> from,
      @Named("rolled_back_to") long to,
      @Named("rolled_back_by") @Rare String by,
      @Named("rolled_back_at") @Nullable Instant at) {
    static final Rollback NONE = new Rollback(Set.of(), 0, "", null);

    Rollback {
      from = Collections.unmodifiableSet(new TreeSet<>(from));
    }

    private Rollback followedBy(long version) {
      return from.isEmpty() ? this : new Rollback(from, version, by, at);
    }
  }

  static FeedRecord unknown(String name) {
    return new FeedRecord(name, 0, Try.NONE, Times.NEVER, Pause.NONE, Rollback.NONE);
  }

  long held() {
    return last.held;
  }

  LastCheck outcome() {
    return last.outcome;
  }

  String problem() {
    return last.problem;
  }

  /** True for a version that must not become live again by a refresh. */
  boolean isRolledBack(long version) {
    return version > rollback.to && rollback.from.contains(version);
  }

  /** True while the live version is older than one that the operator rolled back from. */
  boolean isRolledBack() {
    return rollback.from.stream().anyMatch(this::isRolledBack);
  }

  /** The same with what the manifest says. */
  FeedRecord withLive(long version) {
    return version == live ? this : with(name, version);
  }

  private FeedRecord with(String newName, long version) {
    return new FeedRecord(newName, version, last, times, pause, rollback);
  }

  private FeedRecord with(Try newLast, Times newTimes) {
    return new FeedRecord(name, live, newLast, newTimes, pause, rollback);
  }

  FeedRecord with(Times newTimes) {
    return with(last, newTimes);
  }

  FeedRecord with(Pause newPause) {
    return new FeedRecord(name, live, last, times, newPause, rollback);
  }

  /** True when the settings name another location than the one that was tried last. */
  boolean wasAskedElsewhere(String location) {
    return !last.asked.isEmpty() && !last.asked.equals(location);
  }

  /** The record for the location in the settings: what another one answered is no answer of it. */
  FeedRecord at(String location, Instant now) {
    return wasAskedElsewhere(location)
        ? with(new Try(last.held, LastCheck.UNTRIED, "", "", 0), times.elsewhere(now))
        : this;
  }

  /** A try begins. */
  FeedRecord attempted(String location, Instant now) {
    FeedRecord here = at(location, now);
    Try begun = new Try(last.held, here.outcome(), here.problem(), location, 0);
    return here.with(begun, here.times.attempted(now));
  }

  /** The record that a start finds when the process ends while it reads or builds a version. */
  FeedRecord presumed(long version, String why, Times newTimes) {
    return with(new Try(last.held, LastCheck.ENDED, why, last.asked, version), newTimes);
  }

  /** The operator chose another version. */
  FeedRecord rolledBack(Rollback newRollback, Times newTimes) {
    FeedRecord same = ended(last.outcome, last.problem, last.held, newTimes);
    return new FeedRecord(name, live, same.last, newTimes, pause, newRollback);
  }

  /** A try ended, and the live version stays. */
  FeedRecord ended(LastCheck how, String why, long newHeld, Times newTimes) {
    return with(new Try(newHeld, how, why, last.asked, 0), newTimes);
  }

  /** A version waits for the operator. */
  FeedRecord holds(long version, String why, Times newTimes, Instant now) {
    Instant since = heldSince();
    return ended(LastCheck.HELD, why, version, newTimes.heldSince(since == null ? now : since));
  }

  /**
   * The time since which versions are held; {@code null} when none is, or when that is not known.
   */
  @Nullable Instant heldSince() {
    return held() == 0 ? null : times.heldSince;
  }

  /** Another version went live, and nothing waits. */
  FeedRecord wentLive(long version, Times newTimes) {
    Try fresh = new Try(0, LastCheck.FRESH, "", last.asked, 0);
    return new FeedRecord(name, version, fresh, newTimes, pause, rollback.followedBy(version));
  }

  /** The record after the live version was read in another way; a rollback stays in force. */
  FeedRecord reread(Times newTimes) {
    return ended(LastCheck.FRESH, "", 0, newTimes);
  }

  /** The live version was lost: it is fetched again as soon as possible; a rollback stays. */
  FeedRecord lost(String why, Instant now) {
    return ended(LastCheck.FAILED, why, held(), times.dueAt(now));
  }

  /** True for a stored version that a build may take. */
  boolean mayBeLive(FeedVersion version) {
    return version.mayBeLive() && !rollback.from.contains(version.id());
  }

  /** The status of a stored version: live, held, rolled-back or kept. */
  String status(long version) {
    if (version == live) {
      return "live";
    }
    if (version == held()) {
      return "held";
    }
    return rollback.from.contains(version) ? "rolled-back" : "kept";
  }

  /** The record as it is stored under its name, without what the manifest says. */
  FeedRecord stored() {
    return with("", 0);
  }

  /** The same of a record that was read from under this name. */
  FeedRecord named(String newName) {
    return with(newName, 0);
  }
}
