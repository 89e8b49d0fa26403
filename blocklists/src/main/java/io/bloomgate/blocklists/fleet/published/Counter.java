package io.bloomgate.blocklists.fleet.published;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.fleet.published.FleetManifest.Rank;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rank of the newest manifest that this node published or took, kept on disk. Written on the
 * fleet's thread, read on any.
 *
 * <p>A new counter is at least the seconds since 1970, so that a leader that lost its state, or
 * another node that becomes the leader, is above what followers have seen.
 */
final class Counter {

  private static final int MOST_OCTETS = 64;

  /** The counter and, where there was one, the number of the lease. */
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})(?: ([0-9]{1,18}))?");

  private final Path file;
  private volatile Rank highest;

  private Counter(Path file, Rank highest) {
    this.file = file;
    this.highest = highest;
  }

  static Counter open(Path file) throws IOException {
    try {
      Matcher text =
          TEXT.matcher(new String(DurableFiles.read(file, MOST_OCTETS), US_ASCII).strip());
      if (!text.matches()) {
        throw new IOException(
            file + " is damaged; write the highest counter that is published into it");
      }
      String term = text.group(2);
      return new Counter(
          file, new Rank(term == null ? 0 : Long.parseLong(term), Long.parseLong(text.group(1))));
    } catch (NoSuchFileException e) {
      return new Counter(file, Rank.NONE);
    }
  }

  Rank highest() {
    return highest;
  }

  /**
   * A rank above all before, on disk before it is used.
   *
   * @param term number of the lease, 0 for none
   */
  Rank next(long term, Instant now) throws IOException {
    Rank rank = new Rank(term, Math.max(highest.counter() + 1, now.getEpochSecond()));
    raise(rank);
    return rank;
  }

  /** Notes a rank that was seen. */
  void raise(Rank seen) throws IOException {
    if (seen.isAbove(highest)) {
      Rank now = seen.after(highest);
      DurableFiles.replace(
          file,
          (now.counter() + (now.term() == 0 ? "" : " " + now.term()) + "\n").getBytes(US_ASCII));
      highest = now;
    }
  }
}
