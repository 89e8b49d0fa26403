package io.bloomgate.blocklists.workbench.dedup;

import io.bloomgate.blocklists.entry.KeyHash;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
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

  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long LFS = 0x0a0a0a0a0a0a0a0aL;
  private static final long LOW_BITS = 0x7f7f7f7f7f7f7f7fL;

  /** Lines whose memory is asked for together. */
  private static final int BATCH = 64;

  private final SeenRing ring;
  private final KeyHash hash;
  private final boolean repeated;
  private final LongSupplier nanoTime;

  private final byte[] buffer = new byte[MAX_LINE_OCTETS + READ_OCTETS];
  private final long[] hashes = new long[BATCH];
  private final int[] ends = new int[BATCH];

  /** Octets before this are kept lines, ready to be written. */
  private int kept;

  /** The line that is read begins here. */
  private int start;

  private boolean inLongLine;
  private long lines;
  private long passed;
  private long longLines;
  private int touched;

  Dedup(SeenRing ring, KeyHash hash, boolean repeated, LongSupplier nanoTime) {
    this.ring = ring;
    this.hash = hash;
    this.repeated = repeated;
    this.nanoTime = nanoTime;
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
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      start = 0;
      count = in.read(buffer, end, READ_OCTETS);
    }
    finish(end, out);
    return new Summary(lines, passed, longLines, ring.forgotTooEarly());
  }

  /** Decides on every line that ends between two places. */
  private void takeLines(int scan, int end) {
    long now = nanoTime.getAsLong();
    ring.advance(now);
    byte[] b = buffer;
    int at = scan;
    if (inLongLine) {
      at = lineEnd(b, at, end);
      if (at == end) {
        return;
      }
      at++;
      endLongLine(at);
    }
    int from = start;
    int batch = 0;
    for (at = lineEnd(b, at, end); at < end; at = lineEnd(b, from, end)) {
      if (at - from > MAX_LINE_OCTETS) {
        decide(batch, now);
        batch = 0;
        longLines++;
        from = at + 1;
        endLongLine(from);
        continue;
      }
      hashes[batch] = hash.line(b, from, at);
      from = at + 1;
      ends[batch++] = from;
      if (batch == BATCH) {
        decide(batch, now);
        batch = 0;
      }
    }
    decide(batch, now);
  }

  /** The position of the next LF, or the end: found eight octets at a time. */
  private static int lineEnd(byte[] octets, int from, int end) {
    int at = from;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      long others = (long) EIGHT.get(octets, at) ^ LFS;
      // The highest bit of each octet that is an LF; of no other one.
      long found = ~(((others & LOW_BITS) + LOW_BITS) | others | LOW_BITS);
      if (found != 0) {
        return at + Long.numberOfTrailingZeros(found) / Byte.SIZE;
      }
    }
    while (at < end && octets[at] != '\n') {
      at++;
    }
    return at;
  }

  private void decide(int batch, long now) {
    // In a separate loop, so that the processor waits for the memory of many lines at once.
    for (int i = 0; i < batch; i++) {
      touched |= ring.touch(hashes[i]);
    }
    for (int i = 0; i < batch; i++) {
      if (ring.isNew(hashes[i], now) != repeated) {
        pass(ends[i]);
      }
      start = ends[i];
    }
    lines += batch;
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
    passed += repeated ? 0 : 1;
  }

  private void keepLongPart(int end) {
    if (!repeated) {
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

  /** Keeps the reads ahead from being left out by the compiler. */
  int touched() {
    return touched;
  }
}
