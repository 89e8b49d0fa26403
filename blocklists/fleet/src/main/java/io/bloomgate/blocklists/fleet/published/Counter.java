package io.bloomgate.blocklists.fleet.published;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The number of the newest {@link ListSums} that this node published or took, kept on disk. Written
 * on the fleet's thread, read on any.
 *
 * <p>Numbers begin at the milliseconds since 1970, so that a leader that lost its state, or another
 * node that becomes the leader, is above what followers have seen.
 */
final class Counter {

  private static final int MOST_OCTETS = 64;

  /** A longer number is damage, and who took one would refuse all that comes later. */
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");

  private final Path file;

  /** The reason why nothing can be published or taken by this counter; empty when it is sound. */
  private final String damage;

  private volatile long highest;

  /** Opens the file; a damaged one is reported by {@link #check}, so that mail goes on. */
  Counter(Path file) {
    this.file = file;
    String why = "";
    try {
      String content = new String(DurableFiles.readPlain(file, MOST_OCTETS), US_ASCII).strip();
      if (NUMBER.matcher(content).matches()) {
        highest = Long.parseLong(content);
      } else {
        why = "it holds no possible number";
      }
    } catch (NoSuchFileException e) {
      // The first start.
    } catch (IOException e) {
      why = Faults.words(e);
    }
    damage =
        why.isEmpty()
            ? ""
            : file
                + " is damaged ("
                + why
                + "): remove it and start this gateway again; it goes on with the newest number"
                + " that is published";
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

  long highest() {
    return highest;
  }

  /** A number above all before, and of this or more; on disk before it is used. */
  long next(long least) throws IOException {
    check();
    long number = Math.max(highest + 1, least);
    raise(number);
    return number;
  }

  /** Notes a number that was seen. */
  void raise(long seen) throws IOException {
    check();
    if (seen > highest) {
      DurableFiles.replace(file, (seen + "\n").getBytes(US_ASCII));
      highest = seen;
    }
  }
}
