package io.bloomgate.blocklists.greylist;

import io.bloomgate.blocklists.greylist.Greylist.Standing;
import io.bloomgate.blocklists.greylist.Greylist.Visit;
import io.bloomgate.blocklists.greylist.GreylistFile.Change;
import io.bloomgate.config.settings.GreylistSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Remembers who waits and who came again, by hashed keys, in memory. Says what changes; the file
 * follows. Used under the lock of {@link Greylist}.
 */
final class Visits {

  private static final long DAY_SECONDS = Duration.ofDays(1).toSeconds();
  private static final long REMEMBERED_SECONDS = Greylist.REMEMBERED.toSeconds();

  /** The interval in which senders that did not come again are forgotten, in seconds. */
  private static final long SWEEP_SECONDS = 600;

  /** Senders that have to come again, by the time of their first visit. */
  private final SenderTable pending;

  /** Senders that came again, by the time of a mail; written at most once a day. */
  private final SenderTable passed;

  private final Consumer<Change> changes;
  private final Consumer<String> alarm;
  private long nextSweep;

  /** The day on which somebody was not remembered; said once a day. */
  private long fullOn;

  /**
   * Nobody came yet.
   *
   * @param alarm receives a sentence
   */
  Visits(int mostPending, int mostPassed, Consumer<Change> changes, Consumer<String> alarm) {
    this.pending = new SenderTable(mostPending);
    this.passed = new SenderTable(mostPassed);
    this.changes = changes;
    this.alarm = alarm;
  }

  /**
   * Notes a visit.
   *
   * @param exact key of the sender
   * @param network key of its network, which waits in place of senders that have no room
   * @param now seconds since 1970
   */
  Visit ask(long exact, long network, GreylistSettings rules, long now) {
    sweep(rules, now);
    return came(exact, network, rules, now);
  }

  /**
   * Notes a visit at another node, of some time ago perhaps.
   *
   * @param cameAgain it came again in time there; else it came for the first time
   */
  Visit merge(long exact, long network, boolean cameAgain, GreylistSettings rules, long then) {
    if (!cameAgain) {
      return came(exact, network, rules, then);
    }
    pass(exact, SenderTable.group(network), then);
    return Visit.PASSED;
  }

  private boolean isPassed(long exact, long now) {
    return passed.has(exact) && now - passed.time(exact) < REMEMBERED_SECONDS;
  }

  private Visit came(long exact, long network, GreylistSettings rules, long now) {
    int group = SenderTable.group(network);
    boolean waits = pending.has(exact);
    if (!waits && isPassed(exact, now)) {
      pass(exact, group, now);
      return Visit.PASSED;
    }
    if (waits || pending.hasRoom(group)) {
      Visit visit = visit(exact, group, rules, now);
      if (visit == Visit.RETURNED) {
        pass(exact, group, now);
      }
      return visit;
    }
    if (!pending.has(network) && !pending.hasRoomForNetwork()) {
      return Visit.NO_ROOM;
    }
    return visit(network, group, rules, now);
  }

  /** The same as {@link #ask} would say, without a note of it. */
  Standing standing(long exact, long network, GreylistSettings rules, long now) {
    if (!pending.has(exact) && isPassed(exact, now)) {
      Instant until = Instant.ofEpochSecond(passed.time(exact)).plus(Greylist.REMEMBERED);
      return new Standing(Visit.PASSED, null, null, until);
    }
    long since = pending.time(exact);
    if (since == SenderTable.ABSENT && !pending.hasRoom(SenderTable.group(network))) {
      since = pending.time(network);
      if (since == SenderTable.ABSENT && !pending.hasRoomForNetwork()) {
        return Standing.of(Visit.NO_ROOM);
      }
    }
    Visit next = next(since, rules, now);
    Instant first = Instant.ofEpochSecond(since);
    return next == Visit.FIRST
        ? Standing.of(next)
        : new Standing(next, first, first.plus(rules.delay()), first.plus(rules.window()));
  }

  private static Visit next(long since, GreylistSettings rules, long now) {
    long age = now - since;
    if (since == SenderTable.ABSENT || age < 0 || age > rules.window().toSeconds()) {
      return Visit.FIRST;
    }
    return age < rules.delay().toSeconds() ? Visit.EARLY : Visit.RETURNED;
  }

  private Visit visit(long key, int group, GreylistSettings rules, long now) {
    Visit visit = next(pending.time(key), rules, now);
    if (visit == Visit.FIRST) {
      pending.put(key, now, group);
      changes.accept(new Change.Put(key, now, group, false));
    }
    return visit;
  }

  /** Remembers who came again, from the time of this mail on. */
  private void pass(long key, int group, long now) {
    if (pending.has(key)) {
      pending.remove(key);
      changes.accept(new Change.Gone(key));
    }
    if (!passed.has(key) && !passed.hasRoom(group)) {
      sayFull(now / DAY_SECONDS);
    } else if (now - passed.time(key) >= DAY_SECONDS) {
      passed.put(key, now, group);
      changes.accept(new Change.Put(key, now, group, true));
    }
  }

  private void sayFull(long day) {
    if (fullOn != day) {
      fullOn = day;
      alarm.accept(
          "more senders came again than greylisting can remember; the others are let in, and have"
              + " to come again with their next mail");
    }
  }

  /** Forgets who did not come again in time, and who did not come for long. */
  private void sweep(GreylistSettings rules, long now) {
    if (now < nextSweep && nextSweep - now <= SWEEP_SECONDS) {
      return;
    }
    nextSweep = now + SWEEP_SECONDS;
    forget(pending, now - rules.window().toSeconds(), false);
    forget(passed, now - REMEMBERED_SECONDS, true);
  }

  private void forget(SenderTable table, long before, boolean ofPassed) {
    if (table.removeBefore(before)) {
      changes.accept(new Change.GoneBefore(before, ofPassed));
    }
  }

  Greylist.Sizes sizes() {
    return new Greylist.Sizes(pending.size(), passed.size());
  }

  /** The changes that make a file without rows the same as what is known. */
  List<Change> everything() {
    List<Change> all = new ArrayList<>(pending.size() + passed.size());
    passed.forEach((key, time, group) -> all.add(new Change.Put(key, time, group, true)));
    pending.forEach((key, time, group) -> all.add(new Change.Put(key, time, group, false)));
    return all;
  }

  /** Takes a row of the file; false for one that was never written so. */
  boolean restore(long key, long seconds, int group, boolean ofPassed) {
    boolean possible = SenderTable.isPossible(seconds, group);
    if (possible) {
      (ofPassed ? passed : pending).put(key, seconds, group);
    }
    return possible;
  }
}
