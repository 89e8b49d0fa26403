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

  /** Files that could not be finished; each is named once. */
  private final Set<Path> unusable = new HashSet<>();

  private volatile boolean full;

  public DayRetention(SessionDays days, DaySeal seal) {
    this.days = days;
    this.seal = seal;
  }

  /** True when the newest day alone takes more than all days may. */
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
      List<Day> all = days.newestFirst();
      LocalDate today = DaySchema.dayOf(now);
      LocalDate oldest = DaySchema.dayOf(now.minus(retain));
      List<Day> kept = new ArrayList<>();
      for (Day day : all) {
        if (day.date().isBefore(oldest)) {
          delete(day);
        } else {
          finish(day, today, alarm);
          kept.add(day);
        }
      }
      bound(kept, today, maxOctets, alarm);
    } catch (IOException e) {
      alarm.accept("kept sessions cannot be looked after: " + Faults.reason(e));
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
      octets += day.octets();
      if (octets > maxOctets && day.date().isBefore(today)) {
        delete(day);
        alarm.accept(
            "the sessions of "
                + day.date()
                + " are deleted: all days together take more than sessions.max_size");
      }
    }
    full =
        newestFirst.stream().filter(day -> !day.date().isBefore(today)).mapToLong(Day::octets).sum()
            > maxOctets;
  }

  private void delete(Day day) throws IOException {
    day.delete();
    unusable.remove(day.file());
  }
}
