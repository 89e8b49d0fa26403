package io.bloomgate.gateway.incidents;

import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.BatchWriter;
import io.bloomgate.gateway.log.DecisionRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds a decision again by the id that the sender saw.
 *
 * <p>Sessions queue ({@link #keep}), one thread writes; {@link #find} is called by control
 * connections. A disk that fails costs incidents, never mail and never a reply's time.
 */
public final class Incidents implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Incidents.class);
  private static final int QUEUE_CAPACITY = 16_384;

  /** How long a question waits for what is queued. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** Reading a big file takes seconds: a file that cannot be used is not tried with every batch. */
  private static final Duration REOPEN_AFTER = Duration.ofSeconds(10);

  private final Path file;
  private final Opener opener;
  private final InstantSource clock;
  private final BatchWriter<Incident> writer;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile Duration retain;
  private volatile Privacy privacy;
  private @Nullable IncidentRing ring;
  private boolean failing;

  /** When the file may be opened again after a failure. */
  private Instant nextOpening = Instant.MIN;

  /** Opens the file; again after a failure. */
  @FunctionalInterface
  interface Opener {
    IncidentRing open() throws IOException;
  }

  /**
   * A store that is not opened yet.
   *
   * @param capacity {@code max_incidents}
   * @param nanoTime a monotonic clock, nanoseconds
   * @param threads makes the one writer thread
   */
  public Incidents(
      Path file,
      int capacity,
      Duration retain,
      Privacy privacy,
      InstantSource clock,
      LongSupplier nanoTime,
      ThreadFactory threads) {
    this(file, () -> IncidentRing.open(file, capacity), retain, privacy, clock, nanoTime, threads);
  }

  Incidents(
      Path file,
      Opener opener,
      Duration retain,
      Privacy privacy,
      InstantSource clock,
      LongSupplier nanoTime,
      ThreadFactory threads) {
    this.file = file;
    this.opener = opener;
    this.retain = retain;
    this.privacy = privacy;
    this.clock = clock;
    this.writer =
        new BatchWriter<>(QUEUE_CAPACITY, Incident::octets, this::writeBatch, nanoTime, threads);
  }

  /** Starts the writer; the file is read at first use, so that a big one delays no start. */
  public void start() {
    writer.start();
  }

  /** After a reload; the size of the file changes at the next start only. */
  public void configure(Duration newRetain, Privacy newPrivacy) {
    retain = newRetain;
    privacy = newPrivacy;
  }

  /** Queues a decision if a sender may ask about it; never blocks. */
  public void keep(DecisionRecord record) {
    if (Incident.worthKeeping(record) && IncidentId.parse(record.id()).isPresent()) {
      writer.offer(Incident.of(record, privacy));
    }
  }

  /**
   * The incident of an id as a person wrote it; empty when it is unknown, too old or not an id.
   *
   * @throws IOException when the file cannot be read
   */
  public Optional<Incident> find(String id) throws IOException {
    OptionalLong bits = IncidentId.parse(id);
    if (bits.isEmpty()) {
      return Optional.empty();
    }
    Optional<Incident> known = findWritten(bits.getAsLong());
    if (known.isPresent()) {
      return known;
    }
    // A sender who was just refused may ask at once; a slow disk is not waited for.
    writer.awaitWritten(PATIENCE);
    return findWritten(bits.getAsLong());
  }

  private Optional<Incident> findWritten(long id) throws IOException {
    lock.lock();
    try {
      Instant oldest = oldestKept();
      return open().find(id).filter(found -> !found.time().isBefore(oldest));
    } finally {
      lock.unlock();
    }
  }

  /** Wipes what is older than {@code retain_incidents}; called by housekeeping. */
  public void wipeOld() {
    lock.lock();
    try {
      int wiped = open().wipeBefore(oldestKept());
      if (wiped > 0) {
        LOG.debug("{} old incidents wiped", wiped);
      }
    } catch (IOException e) {
      failed(e);
    } finally {
      lock.unlock();
    }
  }

  /** True when its thread has ended before its time, or hangs. */
  public boolean isLate() {
    return writer.isLate();
  }

  /** Waits until everything queued so far is written. */
  public boolean awaitWritten() {
    return writer.awaitWritten();
  }

  @Override
  public void close() {
    writer.close();
    lock.lock();
    try {
      closeRing();
    } finally {
      lock.unlock();
    }
  }

  private void writeBatch(List<Incident> batch, long lost) {
    if (lost > 0) {
      writer
          .lossWarnings()
          .say(more ->
              LOG.warn("{} incidents were not kept: more came than the disk took{}", lost, more));
    }
    lock.lock();
    try {
      open().append(numbered(batch));
      failing = false;
    } catch (IOException e) {
      failed(e);
    } finally {
      lock.unlock();
    }
  }

  private static List<IncidentRing.Numbered> numbered(List<Incident> batch) {
    List<IncidentRing.Numbered> numbered = new ArrayList<>(batch.size());
    for (Incident incident : batch) {
      IncidentId.parse(incident.id())
          .ifPresent(bits -> numbered.add(new IncidentRing.Numbered(bits, incident)));
    }
    return numbered;
  }

  private IncidentRing open() throws IOException {
    IncidentRing open = ring;
    if (open != null && open.isOpen()) {
      return open;
    }
    Instant now = clock.instant();
    if (now.isBefore(nextOpening)) {
      throw new IOException(file + " could not be opened a moment ago");
    }
    nextOpening = now.plus(REOPEN_AFTER);
    open = opener.open();
    ring = open;
    return open;
  }

  private Instant oldestKept() {
    return clock.instant().minus(retain);
  }

  /** The file stays open: incidents that did not fit on the disk are lost, older ones are not. */
  private void failed(IOException e) {
    if (!failing) {
      LOG.error("incidents cannot be kept in {}: {}", file, Faults.reason(e));
    }
    failing = true;
  }

  private void closeRing() {
    IncidentRing open = ring;
    ring = null;
    if (open == null) {
      return;
    }
    try {
      open.close();
    } catch (IOException e) {
      LOG.debug("closing {}", file, e);
    }
  }
}
