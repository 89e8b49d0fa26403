package io.bloomgate.gateway;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.gateway.metrics.VerdictCounts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The figures of the last hour and day in a file of the state directory, so that they survive a
 * restart. Read once at start, by {@link Gateway}; written by housekeeping and at the end.
 */
final class FiguresFile implements AutoCloseable {

  static final String FILE_NAME = "recent.figures";

  /**
   * The last line of a file that was written at the end of the gateway, so that nothing was counted
   * after it.
   */
  private static final String ENDED = "verdict ended 0 0";

  /** Far more than the figures of a day need. */
  private static final int MOST_OCTETS = 4 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(FiguresFile.class);

  private final Path file;
  private final VerdictCounts counts;

  private FiguresFile(Path file, VerdictCounts counts) {
    this.file = file;
    this.counts = counts;
  }

  /** Restores the counts from the file; a missing or unreadable file counts as empty. */
  static FiguresFile open(Path file, VerdictCounts counts) {
    try {
      if (Files.exists(file)) {
        byte[] octets = DurableFiles.read(file, MOST_OCTETS);
        List<String> lines = new String(octets, StandardCharsets.UTF_8).lines().toList();
        counts.restore(lines);
        if (!lines.contains(ENDED)) {
          counts.lostSince(Files.getLastModifiedTime(file).toInstant());
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn(
          "{} cannot be read, the figures of hour and day begin again: {}", file, e.toString());
    }
    FiguresFile opened = new FiguresFile(file, counts);
    // So that a kill before the first save is noticed, too.
    opened.save();
    return opened;
  }

  /** Writes what is counted now. */
  void save() {
    save("");
  }

  private void save(String end) {
    String lines = String.join("\n", counts.lines()) + "\n" + end;
    try {
      DurableFiles.replace(file, lines.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      LOG.warn("{} cannot be written; a restart will not know it: {}", file, e.toString());
    }
  }

  @Override
  public void close() {
    save(ENDED + "\n");
  }
}
