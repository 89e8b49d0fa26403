package io.bloomgate.bench;

import io.bloomgate.blocklists.entry.KeyHash;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What {@code dedup} cannot go without: reads a file, finds the ends of its lines, octet by octet,
 * and hashes each line. Run by {@code dedup.sh}. Argument: the file.
 */
public final class LinesRun {

  private static final int READ_OCTETS = 1 << 17;

  private LinesRun() {}

  /** Entry point. */
  public static void main(String[] args) throws IOException {
    KeyHash hash = new KeyHash(1, 2);
    byte[] buffer = new byte[2 * READ_OCTETS];
    long lines = 0;
    long all = 0;
    try (InputStream in = Files.newInputStream(Path.of(args[0]))) {
      int end = 0;
      for (int count = in.read(buffer, 0, READ_OCTETS); count >= 0; ) {
        int from = 0;
        int scan = end;
        end += count;
        for (int at = scan; at < end; at++) {
          if (buffer[at] == '\n') {
            all += hash.line(buffer, from, at);
            from = at + 1;
            lines++;
          }
        }
        System.arraycopy(buffer, from, buffer, 0, end - from);
        end -= from;
        count = in.read(buffer, end, READ_OCTETS);
      }
    }
    // Keeps the hashes from being left out by the compiler.
    if (lines == 0 || all == 0) {
      throw new IllegalStateException("there are no lines");
    }
  }
}
