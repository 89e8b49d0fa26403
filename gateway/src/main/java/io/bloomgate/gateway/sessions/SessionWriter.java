package io.bloomgate.gateway.sessions;

import io.bloomgate.blocklists.database.SqliteFile.Fault;
import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.sessions.DayWriter;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.blocklists.sessions.SessionDays.Day;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.config.settings.SessionSettings;
import io.bloomgate.gateway.log.DecisionEvidence;
import io.bloomgate.gateway.log.DecisionRecord;
import java.io.IOException;
import java.io.Serial;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes records into the file of today: a row for a transaction, which its later records change.
 * Used by the writer's thread of {@link SessionStore}; the counts are read by any thread.
 */
final class SessionWriter {

  private static final Logger LOG = LoggerFactory.getLogger(SessionWriter.class);

  /** Files that cannot be used are not tried with every batch. */
  private static final Duration REOPEN_AFTER = Duration.ofSeconds(10);

  private static final long MIB = 1L << 20;

  /** Files of one day; a further one is begun after a file that is damaged or not ours. */
  private static final int MAX_PARTS = 20;

  /** Another process holds the file; nothing was changed. */
  private static final class HeldException extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    HeldException(Day day, UnusableException why) {
      super(day.problem(why), why);
    }
  }

  private final SessionDays days;
  private final InstantSource clock;
  private final AtomicLong lost = new AtomicLong();
  private final OpenRows open = new OpenRows();

  private @Nullable DayWriter file;
  private int part;
  private Instant nextOpening = Instant.MIN;
  private String failure = "";
  private long unrecorded;
  private volatile String trouble = "";
  private volatile boolean full;

  SessionWriter(SessionDays days, InstantSource clock) {
    this.days = days;
    this.clock = clock;
  }

  /** Rows that could not be written. */
  long lost() {
    return lost.get();
  }

  /**
   * The reason why rows cannot be written now; empty when they can. Asks the disk after it was
   * full.
   */
  String trouble() {
    String last = trouble;
    return last.equals(Room.RESERVE.why) && days.freeOctets() >= SessionDays.RESUME_OCTETS
        ? ""
        : last;
  }

  /** True when the files of today alone take all room that they may. */
  void full(boolean now) {
    full = now;
  }

  /** Counts records of a batch that is not written. */
  void missed(long records) {
    lost.addAndGet(records);
    leftOut(records);
  }

  /** Notes records that did not come to the writer, and that the queue counted. */
  void leftOut(long records) {
    unrecorded += records;
  }

  /**
   * Writes a batch, all of it that there is room for; where that fails, its records are counted as
   * lost.
   *
   * @return false when another process holds the file: nothing was written or counted, and the
   *     batch can be written later
   */
  boolean write(List<DecisionRecord> batch, SessionSettings settings) {
    if (batch.isEmpty()) {
      return true;
    }
    try {
      Room room = room(settings.maxSizeOctets());
      switch (room) {
        case ALL, REFUSALS -> write(batch, settings.privacy(), room);
        case USED_UP -> commit(locked(), batch.size());
        case RESERVE -> missed(batch.size());
      }
      changed(room.why);
      return true;
    } catch (HeldException e) {
      nextOpening = Instant.MIN;
      changed(Faults.reason(e) + "; sessions wait in memory, and are lost when too many wait");
      return false;
    } catch (IOException e) {
      reset();
      missed(batch.size());
      failure = Faults.reason(e);
      changed(failure);
      return true;
    }
  }

  /** The records that may be written now, and the reason why not all. */
  private enum Room {
    ALL(""),
    /**
     * Half of today's room is used: refusals have the other half, because their ids are promised.
     */
    REFUSALS(
        "those of accepted mail are left out until the day ends (UTC), because today's sessions"
            + " take half of sessions.max_size; refusals are still kept"),
    USED_UP("sessions.max_size is used up by the sessions of today"),
    RESERVE(
        "state_dir had less than "
            + SessionDays.RESERVE_MIB
            + " MiB free, which lists and your entries need; make room: from "
            + SessionDays.RESUME_OCTETS / MIB
            + " MiB on they are kept again");

    private final String why;

    Room(String why) {
      this.why = why;
    }
  }

  private Room room(long maxOctets) throws IOException {
    boolean stopped = trouble.equals(Room.RESERVE.why);
    long wanted = stopped ? SessionDays.RESUME_OCTETS : SessionDays.RESERVE_OCTETS;
    if (days.freeOctets() < wanted) {
      return Room.RESERVE;
    }
    if (full) {
      return Room.USED_UP;
    }
    long octets = locked().octets();
    if (octets > maxOctets) {
      return Room.USED_UP;
    }
    return octets > maxOctets / 2 ? Room.REFUSALS : Room.ALL;
  }

  private void write(List<DecisionRecord> batch, Privacy privacy, Room room) throws IOException {
    DayWriter to = locked();
    int left = 0;
    for (DecisionRecord record : batch) {
      if (room == Room.ALL || !isAccepted(record) || open.get(mark(record)) != null) {
        write(to, record, DecisionEvidence.of(record, privacy));
      } else {
        left++;
      }
    }
    commit(to, left);
  }

  /**
   * Commits with the number of records that are missing, for those who count the day.
   *
   * @param left records of this batch that are left out
   */
  private void commit(DayWriter to, int left) throws UnusableException {
    if (unrecorded + left > 0) {
      to.leaveOut(unrecorded + left);
    }
    to.commit();
    unrecorded = 0;
    lost.addAndGet(left);
  }

  /** The file of today, into which no other process writes before the next commit. */
  private DayWriter locked() throws IOException {
    DayWriter to = opened();
    try {
      to.lock();
      return to;
    } catch (UnusableException e) {
      if (e.fault() == Fault.BUSY) {
        throw new HeldException(days.day(to.day(), part), e);
      }
      throw e;
    }
  }

  /** True for mail that was not refused, which no reply promised to find again. */
  private static boolean isAccepted(DecisionRecord record) {
    return switch (record.outcome()) {
      case DELIVERED, WOULD_REFUSE, UNKNOWN, ABANDONED, DROPPED -> true;
      case REFUSED, PROTOCOL, TURNED_AWAY, UPSTREAM_REFUSED, UPSTREAM_FAILED -> false;
    };
  }

  private static @Nullable Object mark(DecisionRecord record) {
    return record.session().transaction();
  }

  private void write(DayWriter to, DecisionRecord record, Evidence session)
      throws UnusableException {
    Object mark = mark(record);
    OpenRows.Row row = open.get(mark);
    if (mark == null || row == null || !row.day().equals(to.day())) {
      long number = to.add(session, record.session().likeness());
      addCarried(to, number, record);
      // Most mail has one record. Rows that nothing changes would only outlive collections of
      // garbage.
      if (mark != null && !concludes(record)) {
        open.put(mark, new OpenRows.Row(number, to.day(), session, record.octets()));
      }
    } else if (concludes(record)) {
      Evidence whole = row.concluded(session);
      to.replace(row.number(), whole, record.session().likeness());
      addCarried(to, row.number(), record);
      to.addFurther(row.number(), whole, row.session());
      open.remove(mark);
    } else if (!record.to().isEmpty()) {
      Evidence more = row.withRefused(session);
      to.replace(row.number(), more, null);
      to.addFurther(row.number(), more, session);
      open.put(
          mark, new OpenRows.Row(row.number(), row.day(), more, row.octets() + record.octets()));
    }
  }

  /** Nobody asks what refused mail carried. */
  private static void addCarried(DayWriter to, long number, DecisionRecord record)
      throws UnusableException {
    if (isAccepted(record)) {
      to.addCarried(number, record.session().carried());
    }
  }

  /**
   * True for the answer on a message; the others are on single recipients, or what mode observe let
   * pass.
   */
  private static boolean concludes(DecisionRecord record) {
    return record.sizeOctets() > 0
        || record.outcome() == Outcome.DELIVERED
        || (record.outcome() == Outcome.ABANDONED && !record.to().isEmpty())
        || (record.stage() == Stage.DATA && record.outcome() != Outcome.WOULD_REFUSE);
  }

  private void changed(String why) {
    if (why.equals(trouble)) {
      return;
    }
    if (why.isEmpty()) {
      LOG.info("sessions are kept again");
    } else {
      LOG.error("sessions are not kept: {}; mail is not affected", why);
    }
    trouble = why;
  }

  private DayWriter opened() throws IOException {
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    DayWriter now = file;
    if (now != null && now.day().equals(today)) {
      return now;
    }
    if (clock.instant().isBefore(nextOpening)) {
      throw new IOException(failure);
    }
    reset();
    nextOpening = clock.instant().plus(REOPEN_AFTER);
    days.create();
    now = openFirstUsable(today);
    file = now;
    nextOpening = Instant.MIN;
    return now;
  }

  /** A file that is damaged or not ours is named and left alone. */
  private DayWriter openFirstUsable(LocalDate today) throws IOException {
    for (part = 1; ; part++) {
      Day day = days.day(today, part);
      Optional<String> odd = day.odd();
      if (odd.isPresent() && part < MAX_PARTS) {
        LOG.error("{}", odd.get());
        continue;
      }
      try {
        return DayWriter.open(day.file(), today);
      } catch (UnusableException e) {
        boolean another =
            switch (e.fault()) {
              case DAMAGED, OTHER_PROGRAM, OTHER_RELEASE -> true;
              case EMPTY, FULL_DISK, NO_ACCESS, READ_ONLY, BUSY, OTHER -> false;
            };
        if (e.fault() == Fault.BUSY) {
          throw new HeldException(day, e);
        }
        if (!another || part == MAX_PARTS) {
          throw new IOException(day.problem(e), e);
        }
        LOG.error("{}", day.problem(e));
      }
    }
  }

  private void reset() {
    DayWriter now = file;
    file = null;
    open.clear();
    if (now != null) {
      try {
        now.close();
      } catch (UnusableException e) {
        LOG.debug("closing the sessions of {}", now.day(), e);
      }
    }
  }

  void close() {
    reset();
  }
}
