package io.bloomgate.blocklists.greylist;

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
final class Visits implements GreylistFile.Content {

  private static final long DAY_SECONDS = Duration.ofDays(1).toSeconds();

  /** The interval in which senders that did not come again are forgotten, in seconds. */
  private static final long SWEEP_SECONDS = 600;

  private final PendingTable pending;
  private final PassedRing passed;
  private final Consumer<Change> changes;
  private final Consumer<String> alarm;
  private long nextSweep;

  /** The day on which somebody was not remembered; said once a day. */
  private int fullOn;

  /**
   * Nobody came yet.
   *
   * @param pending empty
   * @param passed empty
   * @param alarm receives a sentence
   */
  Visits(
      PendingTable pending, PassedRing passed, Consumer<Change> changes, Consumer<String> alarm) {
    this.pending = pending;
    this.passed = passed;
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
   * @param cameAgain in time, so that the sender was let in there
   */
  Visit merge(long exact, long network, boolean cameAgain, GreylistSettings rules, long then) {
    if (!cameAgain) {
      return came(exact, network, rules, then);
    }
    if (pending.since(exact) != PendingTable.ABSENT) {
      pending.remove(exact);
      changes.accept(new Change.Gone(exact));
    }
    PassedRing.Slice newest = passed.newest();
    // What came yesterday must not begin another count of this day's keys.
    int day = Math.max((int) (then / DAY_SECONDS), newest == null ? 0 : newest.day());
    if (!passed.isFresh(exact, day)) {
      pass(exact, PendingTable.group(network), day);
    }
    return Visit.PASSED;
  }

  private Visit came(long exact, long network, GreylistSettings rules, long now) {
    int day = (int) (now / DAY_SECONDS);
    int group = PendingTable.group(network);
    boolean waits = pending.since(exact) != PendingTable.ABSENT;
    // Who waits did not come again yet: that needs one look, and the ring one for each day.
    if (!waits && passed.contains(exact, day)) {
      if (!passed.isFresh(exact, day)) {
        pass(exact, group, day);
      }
      return Visit.PASSED;
    }
    if (waits || pending.hasRoom(group)) {
      Visit visit = visit(exact, group, rules, now);
      if (visit == Visit.RETURNED) {
        pending.remove(exact);
        changes.accept(new Change.Gone(exact));
        pass(exact, group, day);
      }
      return visit;
    }
    if (pending.since(network) == PendingTable.ABSENT && !pending.hasRoomForNetwork()) {
      return Visit.NO_ROOM;
    }
    // The network still waits for its other senders, so that none of them waits for ever. They pass
    // because the network came back, so nothing is kept of them: they may be invented.
    return visit(network, group, rules, now);
  }

  /** The answer that {@link #ask} would give, and the reason; notes nothing. */
  Greylist.Standing standing(long exact, long network, GreylistSettings rules, long now) {
    long since = pending.since(exact);
    int passedOn =
        since == PendingTable.ABSENT ? passed.dayOf(exact, (int) (now / DAY_SECONDS)) : -1;
    if (passedOn >= 0) {
      Instant until = Instant.ofEpochSecond((passedOn + PassedRing.DAYS) * DAY_SECONDS);
      return new Greylist.Standing(Visit.PASSED, null, null, until);
    }
    if (since == PendingTable.ABSENT && !pending.hasRoom(PendingTable.group(network))) {
      since = pending.since(network);
      if (since == PendingTable.ABSENT && !pending.hasRoomForNetwork()) {
        return Greylist.Standing.of(Visit.NO_ROOM);
      }
    }
    long age = now - since;
    if (since == PendingTable.ABSENT || age < 0 || age > rules.window().toSeconds()) {
      return Greylist.Standing.of(Visit.FIRST);
    }
    Instant first = Instant.ofEpochSecond(since);
    return new Greylist.Standing(
        age < rules.delay().toSeconds() ? Visit.EARLY : Visit.RETURNED,
        first,
        first.plus(rules.delay()),
        first.plus(rules.window()));
  }

  private Visit visit(long key, int group, GreylistSettings rules, long now) {
    long since = pending.since(key);
    long age = now - since;
    // A clock that was set back would make every visit an early one.
    boolean begins = since == PendingTable.ABSENT || age < 0 || age > rules.window().toSeconds();
    if (begins) {
      pending.put(key, now, group);
      changes.accept(new Change.Waits(key, now, group));
      return Visit.FIRST;
    }
    return age < rules.delay().toSeconds() ? Visit.EARLY : Visit.RETURNED;
  }

  private void pass(long key, int group, int day) {
    PassedRing.Slice before = passed.newest();
    PassedRing.Slice took = passed.add(key, group, day);
    if (took == null) {
      sayFull(day);
      return;
    }
    if (before == null || took.id() != before.id()) {
      if (before != null) {
        changes.accept(new Change.Sealed(before));
      }
      changes.accept(new Change.Begun(took));
      passed.dropOld(day).forEach(id -> changes.accept(new Change.Dropped(id)));
    }
    changes.accept(new Change.Passed(key));
  }

  private void sayFull(int day) {
    if (fullOn != day) {
      fullOn = day;
      alarm.accept(
          "more senders came again today than greylisting can remember; the others are let in, and"
              + " have to come again with their next mail");
    }
  }

  private void sweep(GreylistSettings rules, long now) {
    if (now < nextSweep && nextSweep - now <= SWEEP_SECONDS) {
      return;
    }
    nextSweep = now + SWEEP_SECONDS;
    long oldest = now - rules.window().toSeconds();
    int before = pending.size();
    pending.removeBefore(oldest);
    if (pending.size() < before) {
      changes.accept(new Change.GoneBefore(oldest));
    }
  }

  boolean isEmpty() {
    return pending.size() == 0 && passed.newest() == null;
  }

  Greylist.Sizes sizes() {
    return new Greylist.Sizes(pending.size(), passed.size());
  }

  /** Changes that make an empty file say what is known; what follows them are further changes. */
  List<Change> everything() {
    List<Change> all = new ArrayList<>(pending.size() + PassedRing.DAYS);
    passed.sealAll().forEach(slice -> all.add(new Change.Sealed(slice)));
    pending.forEach((key, since, group) -> all.add(new Change.Waits(key, since, group)));
    return all;
  }

  @Override
  public void pending(long key, long sinceSeconds, int group) {
    pending.put(key, sinceSeconds, group);
  }

  @Override
  public void slice(int id, int day, int capacity, int count, long[] words) {
    passed.restore(id, day, capacity, count, words);
  }

  @Override
  public void passed(long key) {
    passed.restore(key);
  }
}
