package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.sessions.SessionDays.Day;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes whole days that are too old or too many. Called by housekeeping; one call at a time. */
public final class DayRetention {

  private static final Logger LOG = LoggerFactory.getLogger(DayRetention.class);

  /**
   * One day is deleted for its age in this time, so that a clock that is wrong for some hours costs
   * some days, not all.
   */
  private static final Duration BETWEEN_DAYS = Duration.ofHours(1);

  private final SessionDays days;

  private Instant lastDeleted = Instant.MIN;

  /** Sentences about what is no regular file; each is said once. */
  private final Set<String> unusable = new HashSet<>();

  private volatile boolean full;

  /** Looks after the files of this directory. */
  public DayRetention(SessionDays days) {
    this.days = days;
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
      LocalDate today = DaySchema.dayOf(now);
      List<Day> kept = usable(alarm);
      deleteByAge(kept, now, DaySchema.dayOf(now.minus(retain)));
      giveRoomBack(kept, today, alarm);
      bound(kept, today, maxOctets, alarm);
    } catch (IOException e) {
      alarm.accept("kept sessions cannot be looked after: " + Faults.reason(e));
    }
  }

  /** Deletes the oldest day if it is too old and it is time. */
  private void deleteByAge(List<Day> newestFirst, Instant now, LocalDate oldest)
      throws IOException {
    boolean isTime =
        lastDeleted.equals(Instant.MIN)
            || Duration.between(lastDeleted, now).abs().compareTo(BETWEEN_DAYS) >= 0;
    if (isTime && !newestFirst.isEmpty() && newestFirst.getLast().date().isBefore(oldest)) {
      Day day = newestFirst.removeLast();
      day.delete();
      lastDeleted = now;
      LOG.info("the sessions of {} are deleted: older than sessions.retain", day.date());
    }
  }

  private List<Day> usable(Consumer<String> alarm) throws IOException {
    List<Day> usable = new ArrayList<>();
    for (Day day : days.newestFirst()) {
      Optional<String> odd = day.odd();
      if (odd.isEmpty()) {
        usable.add(day);
      } else if (unusable.add(odd.get())) {
        alarm.accept(odd.get());
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
