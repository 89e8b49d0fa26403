package io.bloomgate.gateway.relay;

import io.bloomgate.blocklists.file.DurableFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file behind {@link AnswerMemory}: its secret, made once, and records ({@link
 * RememberedAnswer}) in the order in which they came. Records are appended, many sessions in one
 * sync, and written whole again at each start and after a failure. Used on the threads of sessions,
 * thread-safe.
 */
final class AnswerFile {

  /** How long a file that could not be written is left alone. */
  private static final Duration NEXT_TRY = Duration.ofSeconds(10);

  /** Above what twice the answers that are remembered take, with the longest replies. */
  private static final int MOST_OCTETS = 64 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(AnswerFile.class);
  private static final byte[] MAGIC = "BGANSW2\n".getBytes(StandardCharsets.US_ASCII);

  private final Path path;
  private final InstantSource clock;

  /** Taken before the monitor of this. */
  private final Object syncing = new Object();

  private @Nullable RandomAccessFile file;
  private String problem = "";
  private long triedSeconds;
  private int records;
  private long written;
  private long synced;

  /** Nothing is opened before {@link #replace}. */
  AnswerFile(Path path, InstantSource clock) {
    this.path = path;
    this.clock = clock;
  }

  /** Secret and records of a file; empty when there is none, or none that can be read. */
  static ByteBuffer read(Path path) {
    byte[] octets = {};
    try {
      if (Files.exists(path)) {
        octets = DurableFiles.read(path, MOST_OCTETS);
      }
    } catch (IOException e) {
      LOG.warn("{} cannot be read; recipients may get a message twice: {}", path, e.toString());
    }
    boolean sound =
        octets.length >= MAGIC.length
            && Arrays.equals(octets, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    return sound
        ? ByteBuffer.wrap(octets, MAGIC.length, octets.length - MAGIC.length)
        : ByteBuffer.allocate(0);
  }

  /** Why nothing can be written; empty when it can. */
  synchronized String problem() {
    return problem;
  }

  /** True some time after a failure: {@link #replace} may help now. */
  synchronized boolean wantsAnotherTry() {
    return !problem.isEmpty() && now() - triedSeconds >= NEXT_TRY.toSeconds();
  }

  /** How many records the file has, with those that later ones replace. */
  synchronized int records() {
    return records;
  }

  /** Writes them behind the others; how far the file must be synced for them, 0 for never. */
  synchronized long append(List<RememberedAnswer> answers) {
    RandomAccessFile to = file;
    if (to == null || !problem.isEmpty()) {
      return 0;
    }
    try {
      ByteArrayOutputStream octets = new ByteArrayOutputStream();
      answers.forEach(answer -> octets.writeBytes(answer.octets()));
      to.write(octets.toByteArray());
      records += answers.size();
      written += octets.size();
      return written;
    } catch (IOException e) {
      failed(e);
      return 0;
    }
  }

  /**
   * Makes durable what was written up to there. One sync serves all that were written before it
   * began.
   *
   * @return false when that failed
   */
  boolean sync(long upTo) {
    synchronized (syncing) {
      RandomAccessFile of;
      long reaches;
      synchronized (this) {
        if (synced >= upTo) {
          return true;
        }
        of = file;
        reaches = written;
      }
      try {
        if (of == null) {
          return false;
        }
        of.getFD().sync();
      } catch (IOException e) {
        synchronized (this) {
          if (synced >= upTo) {
            // Another file took its place under our hands, with all that was in it.
            return true;
          }
          failed(e);
        }
        return false;
      }
      synchronized (this) {
        synced = Math.max(synced, reaches);
        return problem.isEmpty();
      }
    }
  }

  /**
   * Puts a new file in place of the old one, durable when this returns.
   *
   * @return as {@link #append}
   */
  synchronized long replace(byte[] secret, List<RememberedAnswer> answers) {
    closeFile();
    try {
      ByteArrayOutputStream octets = new ByteArrayOutputStream();
      octets.writeBytes(MAGIC);
      octets.writeBytes(secret);
      answers.forEach(answer -> octets.writeBytes(answer.octets()));
      DurableFiles.replace(path, octets.toByteArray());
      RandomAccessFile opened = new RandomAccessFile(path.toFile(), "rw");
      opened.seek(opened.length());
      file = opened;
      records = answers.size();
      written++;
      synced = written;
      problem = "";
      return written;
    } catch (IOException e) {
      failed(e);
      return 0;
    }
  }

  synchronized void close() {
    problem = "closed";
    closeFile();
  }

  private void failed(IOException e) {
    problem = e.toString();
    triedSeconds = now();
    closeFile();
    LOG.warn("{} cannot be written, it is tried again: {}", path, problem);
  }

  private void closeFile() {
    RandomAccessFile open = file;
    file = null;
    try {
      if (open != null) {
        open.close();
      }
    } catch (IOException e) {
      LOG.debug("{}: {}", path, e.toString());
    }
  }

  private long now() {
    return clock.instant().getEpochSecond();
  }
}
