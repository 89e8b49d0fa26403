package io.bloomgate.gateway.log;

import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.LogSettings.Target;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decision log: one line a decision, to standard output or a file.
 *
 * <p>Sessions only queue ({@link #write}); one thread formats, writes a batch at once and flushes.
 * A full queue, a full disk or a deleted file lose lines, never mail: lost lines are counted, and
 * the log reports them as soon as it can be written again.
 */
public final class DecisionLog implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(DecisionLog.class);

  /** Decisions that may wait for the disk. */
  private static final int QUEUE_CAPACITY = 16_384;

  private static final Duration REOPEN_WAIT = Duration.ofSeconds(5);

  /** The form of lines and their target. */
  public record Setup(DecisionLine line, Target target) {}

  private final OutputStream stdout;
  private final InstantSource clock;
  private final BatchWriter<LogEvent> writer;
  private volatile Setup wanted;

  // Only the writer's thread touches these.
  private @Nullable Setup opened;
  private @Nullable OutputStream out;
  private long lostSinceFailure;
  private boolean failing;

  /**
   * A log that is not started yet.
   *
   * @param stdout used for {@code target: stdout}, never closed
   * @param threads makes the one writer thread
   */
  public DecisionLog(
      Setup setup,
      OutputStream stdout,
      InstantSource clock,
      LongSupplier nanoTime,
      ThreadFactory threads) {
    this.wanted = setup;
    this.stdout = stdout;
    this.clock = clock;
    this.writer =
        new BatchWriter<>(
            QUEUE_CAPACITY,
            LogEvent::octets,
            this::writeBatch,
            BatchWriter.Batches.OF_LINES,
            nanoTime,
            threads);
  }

  /** Starts the writer. */
  public DecisionLog start() {
    writer.start();
    return this;
  }

  /** Queues one decision; never blocks, never throws. */
  public void write(DecisionRecord record) {
    writer.offer(record);
  }

  /** Queues the end of a connection, where the settings ask for it. */
  public void write(ConnectionEnd end) {
    if (wanted.line().connections()) {
      writer.offer(end);
    }
  }

  /**
   * Changes format or target, and always opens a file again before the next line, so that a reload
   * is enough for log rotation: when this returns, nothing more is written into a file that was
   * renamed before, and it may be compressed. Only a disk that hangs for {@link #REOPEN_WAIT} is
   * not waited for.
   */
  public void reopen(Setup setup) {
    // An equal setup is still another object, and identity is compared.
    wanted = new Setup(setup.line(), setup.target());
    writer.awaitWritten(REOPEN_WAIT);
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
    closeFile();
  }

  private void writeBatch(List<LogEvent> batch, long lost) {
    lostSinceFailure += lost;
    try {
      Setup setup = wanted;
      OutputStream stream = stream(setup);
      stream.write(text(setup.line(), batch).getBytes(StandardCharsets.UTF_8));
      stream.flush();
      recovered();
    } catch (IOException e) {
      lostSinceFailure += batch.size();
      failed(e);
    }
  }

  private String text(DecisionLine line, List<LogEvent> batch) {
    StringBuilder text = new StringBuilder(batch.size() * 256);
    if (failing) {
      text.append('\n'); // the last write may have ended inside a line
    }
    if (lostSinceFailure > 0) {
      text.append(line.ofLost(clock.instant(), lostSinceFailure)).append('\n');
    }
    for (LogEvent event : batch) {
      text.append(line.of(event)).append('\n');
    }
    return text.toString();
  }

  @SuppressWarnings("ReferenceEquality") // setting an equal setup again reopens the file
  private OutputStream stream(Setup setup) throws IOException {
    OutputStream current = out;
    if (current != null && setup == opened) {
      return current;
    }
    closeFile();
    OutputStream fresh =
        switch (setup.target()) {
          case Target.Stdout() -> stdout;
          case Target.File(Path path) -> open(path);
        };
    out = fresh;
    opened = setup;
    return fresh;
  }

  /**
   * Opens a log file for appending; a new one is readable for owner and group only, as mail logs
   * are, because addresses are inside.
   */
  public static OutputStream open(Path path) throws IOException {
    return Channels.newOutputStream(
        FileChannel.open(
            path,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----"))));
  }

  private void failed(IOException e) {
    if (!failing) {
      LOG.error(
          "the decision log cannot be written ({}); until then its lines are lost, no mail is",
          Faults.words(e));
    }
    failing = true;
    closeFile();
  }

  private void recovered() {
    if (lostSinceFailure > 0) {
      long count = lostSinceFailure;
      writer
          .lossWarnings()
          .say(more -> LOG.warn("{} lines of the decision log were lost{}", count, more));
    }
    failing = false;
    lostSinceFailure = 0;
  }

  private void closeFile() {
    OutputStream current = out;
    out = null;
    opened = null;
    if (current == null || current.equals(stdout)) {
      return;
    }
    try {
      current.close();
    } catch (IOException e) {
      LOG.debug("closing the decision log", e);
    }
  }
}
