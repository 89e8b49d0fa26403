package io.bloomgate.blocklists.fleet.published;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.fleet.published.ListSums.Rank;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rank of the newest {@link ListSums} that this node published or took, kept on disk. Written
 * on the fleet's thread, read on any.
 *
 * <p>A new counter is at least the seconds since 1970, so that a leader that lost its state, or
 * another node that becomes the leader, is above what followers have seen.
 */
final class Counter {

  private static final int MOST_OCTETS = 64;

  /**
   * The counter and, where there was one, the number of the lease, which is in milliseconds.
   * Counters begin at the seconds since 1970 and rise by one: a longer number is damage, and who
   * took one would refuse all that comes later.
   */
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,12})(?: ([0-9]{1,18}))?");

  private final Path file;
  private final String damage;
  private volatile Rank highest;

  /**
   * @param damage why nothing can be published or taken by this counter; empty when it is sound
   */
  private Counter(Path file, Rank highest, String damage) {
    this.file = file;
    this.highest = highest;
    this.damage = damage;
  }

  /** Opens the file; a damaged one is reported by {@link #check}, so that mail goes on. */
  static Counter open(Path file) {
    if (!Files.exists(file, NOFOLLOW_LINKS)) {
      return new Counter(file, Rank.NONE, "");
    }
    try {
      String content = new String(DurableFiles.readPlain(file, MOST_OCTETS), US_ASCII).strip();
      Matcher text = TEXT.matcher(content);
      if (!text.matches()) {
        return damaged(file, "it holds no possible number");
      }
      String term = text.group(2);
      return new Counter(
          file,
          new Rank(term == null ? 0 : Long.parseLong(term), Long.parseLong(text.group(1))),
          "");
    } catch (IOException e) {
      return damaged(file, Faults.words(e));
    }
  }

  private static Counter damaged(Path file, String why) {
    return new Counter(
        file,
        Rank.NONE,
        file
            + " is damaged ("
            + why
            + "): remove it and start this gateway again; it goes on with the newest number that is"
            + " published");
  }

  /**
   * Called before anything is published or taken.
   *
   * @throws IOException when the file was damaged at the start, with a sentence how to fix it
   */
  void check() throws IOException {
    if (!damage.isEmpty()) {
      throw new IOException(damage);
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
    check();
    Rank rank = new Rank(term, Math.max(highest.counter() + 1, now.getEpochSecond()));
    raise(rank);
    return rank;
  }

  /** Notes a rank that was seen. */
  void raise(Rank seen) throws IOException {
    check();
    if (seen.isAbove(highest)) {
      Rank now = seen.after(highest);
      DurableFiles.replace(
          file,
          (now.counter() + (now.term() == 0 ? "" : " " + now.term()) + "\n").getBytes(US_ASCII));
      highest = now;
    }
  }
}
