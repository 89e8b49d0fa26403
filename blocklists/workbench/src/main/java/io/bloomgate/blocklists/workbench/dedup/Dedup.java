package io.bloomgate.blocklists.workbench.dedup;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import io.bloomgate.blocklists.workbench.WorkbenchTools;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

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

  /** Different lines of a day's log of a large mail server; 35 MiB at the usual rate. */
  public static final long USUAL_ENTRIES = 10_000_000;

  public static final double USUAL_RATE = 0.001;

  private static final long MOST_ENTRIES = 1_000_000_000;
  private static final int READ_OCTETS = 1 << 17;

  /**
   * The plan for remembering lines. Immutable.
   *
   * @param entries different lines in a window that are remembered; the memory follows from it
   * @param rate ratio of new lines that are taken for repeats when the memory is full
   * @param window how long a line is remembered after it was last seen; zero for as long as there
   *     is room
   * @param repeated true to pass on the repeats and not the new lines
   * @param state where what was seen is kept, if it is
   */
  public record Plan(
      long entries, double rate, Duration window, boolean repeated, @Nullable State state) {}

  /**
   * The file in which is kept what was seen, so that a window goes on after a restart. It is
   * written when the ring turns and at the end, whole or not at all; one program at a time uses it.
   *
   * @param file mode 0600: it has the secret seed
   * @param now the time of day in nanoseconds: a window goes on while nothing runs
   * @param deletes true when the lines are forgotten and not remembered
   */
  public record State(Path file, LongSupplier now, boolean deletes) {}

  /**
   * The counts of one run.
   *
   * @param lines that were read
   * @param passed lines that were passed on
   * @param longLines lines beyond {@link #MAX_LINE_OCTETS}
   * @param forgotTooEarly lines that were forgotten because there were more than asked for
   */
  public record Summary(long lines, long passed, long longLines, long forgotTooEarly) {}

  private final Plan plan;
  private final SeenRing ring;
  private final Keying keying;
  private final KeyHash hash;
  private final LongSupplier nanoTime;
  private final @Nullable State state;
  private final boolean deletes;
  private final byte[] line = new byte[MAX_LINE_OCTETS + 1];
  private final ByteArrayOutputStream passing = new ByteArrayOutputStream(READ_OCTETS);

  private int length;
  private boolean tooLong;
  private long lines;
  private long passed;
  private long longLines;

  /**
   * Takes the memory, and what an earlier run remembered.
   *
   * @throws OfflineException when there is not enough of it, such a plan is impossible, or the file
   *     is damaged or of another plan
   */
  public Dedup(Plan plan, WorkbenchTools tools) throws OfflineException {
    OfflineException.refuseIf(
        plan.entries < 1 || plan.entries > MOST_ENTRIES,
        "--entries is between 1 and " + MOST_ENTRIES,
        "");
    SeenRing.Size size = SeenRing.Size.of(plan.entries, plan.rate);
    OfflineException.refuseIf(
        size.isTooLarge(),
        plan.entries + " lines at rate " + plan.rate + " need more than 2 GiB",
        "ask for fewer lines or a higher rate");
    if (!tools.canHold(size.octets())) {
      throw tools.tooLarge("memory of " + plan.entries + " lines");
    }
    this.plan = plan;
    state = plan.state;
    deletes = state != null && state.deletes;
    nanoTime = state == null ? tools.nanoTime() : state.now;
    long period = plan.window.isZero() ? 0 : SeenRing.period(plan.window.toNanos());
    ring = new SeenRing(size, period, nanoTime.getAsLong());
    RandomGenerator random = tools.randomness().get();
    keying =
        state != null && (deletes || Files.exists(state.file))
            ? loaded(state.file)
            : new Keying(KeyHash.VERSION, 0, random.nextLong(), random.nextLong());
    hash = new KeyHash(keying.seedHigh(), keying.seedLow());
  }

  /** Fills the ring with what the file holds; the result is the seed of its hashes. */
  private Keying loaded(Path file) throws OfflineException {
    try {
      PagedFile stored = PagedFile.open(file, FileKind.SEEN_LINES);
      stored.verify();
      if (stored.header().keying().hashVersion() == KeyHash.VERSION
          && ring.read(stored.header(), stored.body())) {
        return stored.header().keying();
      }
      throw OfflineException.usage(
          file + " was made with another --entries, --fpp or --window",
          "give the same, or name another file");
    } catch (DamagedFileException e) {
      throw new OfflineException(Kind.DAMAGED, String.valueOf(e.getMessage()), "", e);
    } catch (IOException e) {
      throw OfflineException.failed(file + " cannot be read", "check the path", e);
    }
  }

  /** Writes the file. */
  private void save() throws IOException {
    if (state != null) {
      try (PagedFileWriter out = PagedFileWriter.create(state.file)) {
        out.commit(
            new FileHeader(
                FileKind.SEEN_LINES,
                keying,
                0,
                plan.entries,
                plan.rate,
                plan.rate,
                ring.write(out)));
      }
    }
  }

  /**
   * Reads to the end.
   *
   * @param out takes whole lines at each write, but for the parts of one that is too long
   * @param isRead false when nobody wants more
   * @throws IOException when the input cannot be read, or the output not be written
   */
  public Summary run(InputStream in, OutputStream out, BooleanSupplier isRead) throws IOException {
    byte[] octets = new byte[READ_OCTETS];
    long now = nanoTime.getAsLong();
    for (int count = in.read(octets);
        count >= 0 && isRead.getAsBoolean();
        count = in.read(octets)) {
      long turns = ring.turns();
      now = nanoTime.getAsLong();
      ring.advance(now);
      for (int i = 0; i < count; i++) {
        take(octets[i], now);
      }
      write(out);
      if (ring.turns() != turns) {
        save();
      }
    }
    if (length > 0 || tooLong) {
      take((byte) '\n', now);
      write(out);
    }
    save();
    return new Summary(lines, passed, longLines, ring.forgotTooEarly());
  }

  private void take(byte octet, long now) {
    if (length == MAX_LINE_OCTETS && octet != '\n') {
      // Too long to be compared: it passes as it comes.
      longLines += tooLong ? 0 : 1;
      tooLong = true;
      pass(!plan.repeated && !deletes);
    }
    line[length++] = octet;
    if (octet == '\n') {
      boolean passes = tooLong ? !plan.repeated && !deletes : isWanted(now);
      lines++;
      passed += passes ? 1 : 0;
      pass(passes);
      tooLong = false;
    }
  }

  private boolean isWanted(long now) {
    long number = hash.line(line, 0, length - 1);
    if (deletes) {
      ring.delete(number);
      return false;
    }
    return ring.isNew(number, now) != plan.repeated;
  }

  /** Ends the line, or the part of it, that was read. */
  private void pass(boolean passes) {
    if (passes) {
      passing.write(line, 0, length);
    }
    length = 0;
  }

  private void write(OutputStream out) throws IOException {
    if (passing.size() > 0) {
      out.write(passing.toByteArray());
      out.flush();
      passing.reset();
    }
  }
}
