package io.bloomgate.blocklists.workbench.dedup;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.Keying;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Reads lines and passes on those that were not seen before, or only the repeats. Lines are octets:
 * nothing is decoded or normalised, and a last line without its LF gets one. Used once, on one
 * thread.
 *
 * <p>All lines that one read of the input completes are written before the next read, so output
 * never waits for input.
 */
public final class Dedup {

  /** Octets of a line that are compared. A longer line is passed on as new, and counted. */
  public static final int MAX_LINE_OCTETS = 1 << 20;

  private static final int READ_OCTETS = 1 << 17;

  private final SeenRing ring;
  private final Keying keying;
  private final KeyHash hash;
  private final DedupPlan plan;
  private final Optional<DedupState> state;
  private final boolean repeated;
  private final boolean deletes;
  private final LongSupplier nanoTime;

  private final byte[] buffer = new byte[MAX_LINE_OCTETS + READ_OCTETS];

  /** Octets before this are kept lines, ready to be written. */
  private int kept;

  /** The line that is read begins here. */
  private int start;

  private boolean inLongLine;
  private long lines;
  private long passed;
  private long longLines;

  /** Turns of the ring when it was kept. */
  private long saved;

  Dedup(
      SeenRing ring,
      Keying keying,
      DedupPlan plan,
      LongSupplier nanoTime,
      Optional<DedupState> state) {
    this.ring = ring;
    this.keying = keying;
    this.hash = new KeyHash(keying.seedHigh(), keying.seedLow());
    this.plan = plan;
    this.repeated = plan.repeated();
    this.deletes = state.map(DedupState::deletes).orElse(false);
    this.nanoTime = nanoTime;
    this.state = state;
  }

  /**
   * The counts of one run.
   *
   * @param lines that were read
   * @param passed lines that were passed on
   * @param longLines lines beyond {@link #MAX_LINE_OCTETS}
   * @param forgotTooEarly lines that were forgotten because there were more than asked for
   */
  public record Summary(long lines, long passed, long longLines, long forgotTooEarly) {}

  /**
   * Reads to the end.
   *
   * @param isRead false when nobody wants more
   * @throws IOException when the input cannot be read, or the output not be written
   */
  public Summary run(InputStream in, OutputStream out, BooleanSupplier isRead) throws IOException {
    saved = ring.turns();
    int end = 0;
    int count = in.read(buffer, 0, READ_OCTETS);
    while (count >= 0 && isRead.getAsBoolean()) {
      int scan = end;
      end += count;
      takeLines(scan, end);
      if (end - start > MAX_LINE_OCTETS || inLongLine) {
        passPartOfLongLine(end);
      }
      write(out);
      if (ring.turns() != saved) {
        save();
      }
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      start = 0;
      count = in.read(buffer, end, READ_OCTETS);
    }
    finish(end, out);
    save();
    return new Summary(lines, passed, longLines, ring.forgotTooEarly());
  }

  private void save() throws IOException {
    if (state.isPresent()) {
      state.get().save(ring, keying, plan);
    }
    saved = ring.turns();
  }

  /** Decides on every line that ends between two places. */
  private void takeLines(int scan, int end) {
    long now = nanoTime.getAsLong();
    ring.advance(now);
    int at = scan;
    if (inLongLine) {
      at = lineEnd(at, end);
      if (at == end) {
        return;
      }
      at++;
      endLongLine(at);
    }
    for (at = lineEnd(at, end); at < end; at = lineEnd(at + 1, end)) {
      if (at - start > MAX_LINE_OCTETS) {
        longLines++;
        endLongLine(at + 1);
      } else {
        decide(hash.line(buffer, start, at), now, at + 1);
      }
    }
  }

  /** The position of the next LF, or the end. */
  private int lineEnd(int from, int end) {
    int at = from;
    while (at < end && buffer[at] != '\n') {
      at++;
    }
    return at;
  }

  private void decide(long line, long now, int end) {
    lines++;
    if (deletes) {
      ring.delete(line);
    } else if (ring.isNew(line, now) != repeated) {
      pass(end);
    }
    start = end;
  }

  /** Keeps the line from its start to this end. */
  private void pass(int end) {
    if (kept != start) {
      System.arraycopy(buffer, start, buffer, kept, end - start);
    }
    kept += end - start;
    passed++;
  }

  /** All that was read of a line that is too long to be compared. */
  private void passPartOfLongLine(int end) {
    if (!inLongLine) {
      inLongLine = true;
      longLines++;
    }
    keepLongPart(end);
  }

  private void endLongLine(int end) {
    keepLongPart(end);
    inLongLine = false;
    lines++;
    passed += repeated || deletes ? 0 : 1;
  }

  private void keepLongPart(int end) {
    if (!repeated && !deletes) {
      System.arraycopy(buffer, start, buffer, kept, end - start);
      kept += end - start;
    }
    start = end;
  }

  private void write(OutputStream out) throws IOException {
    if (kept > 0) {
      out.write(buffer, 0, kept);
      out.flush();
      kept = 0;
    }
  }

  /** The last line, when no LF ends it. */
  private void finish(int end, OutputStream out) throws IOException {
    if (end > 0 || inLongLine) {
      buffer[end] = '\n';
      takeLines(end, end + 1);
      write(out);
    }
  }
}
