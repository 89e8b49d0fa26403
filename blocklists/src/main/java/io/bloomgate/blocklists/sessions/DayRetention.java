package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.blocklists.sessions.SessionDays.Day;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finishes days that are over, and deletes whole days that are too old or too many. Called by
 * housekeeping; one call at a time.
 */
public final class DayRetention {

  private final SessionDays days;
  private final DaySeal seal;

  /** Files that could not be used; each is named once. */
  private final Set<Path> unusable = new HashSet<>();

  private volatile boolean full;

  public DayRetention(SessionDays days, DaySeal seal) {
    this.days = days;
    this.seal = seal;
  }

  /** True when the files of the newest day alone take more than all days may. */
  public boolean isFull() {
    return full;
  }

  /**
   * Looks after all days.
   *
   * @param retain how long a session is kept; its day goes when the last of it is older
   * @param maxOctets of all days together; the newest day is never deleted
   * @param alarm receives sentences for the operator
   */
  public void tend(Instant now, Duration retain, long maxOctets, Consumer<String> alarm) {
    try {
      List<Day> all = usable(alarm);
      LocalDate today = DaySchema.dayOf(now);
      LocalDate oldest = DaySchema.dayOf(now.minus(retain));
      List<Day> kept = new ArrayList<>();
      for (Day day : all) {
        if (day.date().isBefore(oldest)) {
          delete(day);
        } else {
          kept.add(day);
        }
      }
      giveRoomBack(kept, today, alarm);
      if (days.freeOctets() >= SessionDays.RESERVE_OCTETS) {
        for (Day day : kept) {
          finish(day, today, alarm);
        }
      }
      bound(kept, today, maxOctets, alarm);
    } catch (IOException e) {
      alarm.accept("kept sessions cannot be looked after: " + Faults.reason(e));
    }
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
      delete(day);
      alarm.accept(
          "the sessions of "
              + day.date()
              + " are deleted: state_dir has less than "
              + SessionDays.RESERVE_MIB
              + " MiB free, which lists and your entries need; make room");
    }
  }

  private void finish(Day day, LocalDate today, Consumer<String> alarm) throws IOException {
    if (!day.date().isBefore(today)
        || Files.exists(day.filter())
        || unusable.contains(day.file())) {
      return;
    }
    try {
      seal.seal(day);
    } catch (UnusableException e) {
      unusable.add(day.file());
      alarm.accept(DayProblem.sentence(day, e));
    }
  }

  private void bound(List<Day> newestFirst, LocalDate today, long maxOctets, Consumer<String> alarm)
      throws IOException {
    long octets = 0;
    for (Day day : newestFirst) {
      boolean over = day.date().isBefore(today);
      octets += over ? day.octets() : day.foldedOctets();
      if (over && octets > maxOctets) {
        delete(day);
        alarm.accept(
            "the sessions of "
                + day.date()
                + " are deleted: all days together take more than sessions.max_size");
      }
    }
    full =
        newestFirst.stream()
                .filter(day -> !day.date().isBefore(today))
                .mapToLong(Day::foldedOctets)
                .sum()
            > maxOctets;
  }

  private void delete(Day day) throws IOException {
    day.delete();
    unusable.remove(day.file());
  }
}
