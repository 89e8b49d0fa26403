package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.senders.SteadyClock;
import io.bloomgate.blocklists.sessions.SessionDays.Day;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes whole days that are too old or too many. Called by housekeeping; one call at a time. */
public final class DayRetention {

  private static final Logger LOG = LoggerFactory.getLogger(DayRetention.class);

  /**
   * Days before today whose files show that the clock is right: with two of them no wrong clock
   * that a gateway was started with lately made both. Others are quiet days without a file.
   */
  private static final int RECENT_DAYS = 4;

  private static final int ENOUGH_RECENT = 2;

  private final SessionDays days;

  /** Makes the belief from the last time that is known by the files. */
  private final Function<Instant, UnaryOperator<Instant>> beliefs;

  /** Says how far the time of a call is believed; made by the first call. */
  private @Nullable UnaryOperator<Instant> belief;

  /** True while days are kept that are too old only by a clock that is not believed. */
  private boolean doubted;

  /** Paths that are no regular files; each is named once. */
  private final Set<Path> unusable = new HashSet<>();

  private volatile boolean full;

  /** Believes every time that {@link #tend} is given. */
  public DayRetention(SessionDays days) {
    this(days, _ -> UnaryOperator.identity());
  }

  /**
   * Deletes no day by its age because of a clock that leapt ahead, until the leap has lasted for
   * {@link SteadyClock#DOUBT}. At the start, time that passed since the last files counts as a
   * leap: the clock may be wrong, as it is on hosts whose own clock has lost its battery.
   *
   * @param clock gives {@link #tend} its times
   * @param nanoTime monotonic time in nanoseconds
   */
  public DayRetention(SessionDays days, InstantSource clock, LongSupplier nanoTime) {
    this(days, known -> new SteadyClock(clock, nanoTime, Duration.ZERO, known)::atMost);
  }

  private DayRetention(SessionDays days, Function<Instant, UnaryOperator<Instant>> beliefs) {
    this.days = days;
    this.beliefs = beliefs;
  }

  /** True when the files of the day that is written alone take more than all days may. */
  public boolean isFull() {
    return full;
  }

  /**
   * Looks after all days.
   *
   * @param retain how long a session is kept; its day goes when the last of it is older
   * @param maxOctets of all days together; the day that is written is never deleted
   * @param alarm receives sentences for the operator
   */
  public void tend(Instant now, Duration retain, long maxOctets, Consumer<String> alarm) {
    try {
      List<Day> all = usable(alarm);
      UnaryOperator<Instant> belief = this.belief;
      if (belief == null) {
        belief = beliefs.apply(lastKnown(all, now));
        this.belief = belief;
      }
      Instant believed = belief.apply(now);
      // Days count as over only when they are by both clocks: nothing is written into them then.
      LocalDate today = DaySchema.dayOf(believed);
      List<Day> kept = keepByAge(all, now, believed, retain, alarm);
      giveRoomBack(kept, today, alarm);
      bound(kept, DaySchema.dayOf(now), maxOctets, alarm);
    } catch (IOException e) {
      alarm.accept("kept sessions cannot be looked after: " + Faults.reason(e));
    }
  }

  /** The time until which files were written by a clock that was right, as far as they show it. */
  private static Instant lastKnown(List<Day> newestFirst, Instant now) {
    LocalDate today = DaySchema.dayOf(now);
    List<LocalDate> before =
        newestFirst.stream().map(Day::date).filter(day -> day.isBefore(today)).distinct().toList();
    List<LocalDate> older =
        before.stream().filter(day -> day.isBefore(today.minusDays(RECENT_DAYS))).toList();
    boolean shown = before.size() - older.size() >= ENOUGH_RECENT;
    return shown || older.isEmpty()
        ? now
        : older.getFirst().plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  /** Deletes the days that are too old; returns the others. */
  private List<Day> keepByAge(
      List<Day> all, Instant now, Instant believed, Duration retain, Consumer<String> alarm)
      throws IOException {
    LocalDate oldest = DaySchema.dayOf(believed.minus(retain));
    LocalDate oldestByNow = DaySchema.dayOf(now.minus(retain));
    List<Day> kept = new ArrayList<>();
    int spared = 0;
    for (Day day : all) {
      if (day.date().isBefore(oldest)) {
        day.delete();
        LOG.info("the sessions of {} are deleted: older than sessions.retain", day.date());
      } else {
        kept.add(day);
        spared += day.date().isBefore(oldestByNow) ? 1 : 0;
      }
    }
    if (spared > 0 && !doubted) {
      alarm.accept(
          "the clock leapt ahead to "
              + now
              + ", where about "
              + believed
              + " was expected: no sessions are deleted for their age until it has gone evenly for "
              + SteadyClock.DOUBT.toHours()
              + " h; check the clock");
    }
    doubted = spared > 0;
    return kept;
  }

  private List<Day> usable(Consumer<String> alarm) throws IOException {
    List<Day> usable = new ArrayList<>();
    for (Day day : days.newestFirst()) {
      Path odd = day.oddFile().orElse(null);
      if (odd == null) {
        usable.add(day);
      } else if (unusable.add(odd)) {
        alarm.accept(DayProblem.odd(odd));
      }
    }
    return usable;
  }

  /**
   * Deletes days, the oldest first, while lists and the operator's entries have too little room.
   */
  private void giveRoomBack(List<Day> newestFirst, LocalDate today, Consumer<String> alarm)
      throws IOException {
    if (days.freeOctets() >= SessionDays.RESERVE_OCTETS) {
      return;
    }
    while (!newestFirst.isEmpty()
        && newestFirst.getLast().date().isBefore(today)
        && days.freeOctets() < SessionDays.RESUME_OCTETS) {
      Day day = newestFirst.removeLast();
      day.delete();
      alarm.accept(
          "the sessions of "
              + day.date()
              + " are deleted: state_dir has less than "
              + SessionDays.RESERVE_MIB
              + " MiB free, which lists and your entries need; make room");
    }
  }

  /** Days of the future, which a wrong clock left, count like those that are over. */
  private void bound(
      List<Day> newestFirst, LocalDate written, long maxOctets, Consumer<String> alarm)
      throws IOException {
    long ofWritten =
        newestFirst.stream()
            .filter(day -> day.date().equals(written))
            .mapToLong(Day::foldedOctets)
            .sum();
    full = ofWritten > maxOctets;
    long octets = ofWritten;
    for (Day day : newestFirst) {
      if (day.date().equals(written)) {
        continue;
      }
      octets += day.octets();
      if (octets > maxOctets) {
        day.delete();
        alarm.accept(
            "the sessions of "
                + day.date()
                + " are deleted: all days together take more than sessions.max_size");
      }
    }
  }
}
