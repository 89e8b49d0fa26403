package io.bloomgate.gateway;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.gateway.metrics.VerdictCounts;
import io.bloomgate.gateway.metrics.VerdictCounts.Saved;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The figures of the last hour and day in a file of the state directory, so that they survive a
 * restart. Read once at start, by {@link Gateway}; written by housekeeping and at the end.
 */
final class FiguresFile implements AutoCloseable {

  static final String FILE_NAME = "recent.figures";

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
        String text = new String(octets, StandardCharsets.UTF_8);
        Saved saved = JsonRecords.read(Saved.class, text);
        counts.restore(saved);
        if (!saved.ended()) {
          counts.lostSince(Files.getLastModifiedTime(file).toInstant());
        }
      }
    } catch (IOException | JsonSyntaxException | RuntimeException e) {
      LOG.warn(
          "{} cannot be read, the figures of hour and day begin again: {}", file, e.toString());
      counts.lostHour();
    }
    FiguresFile opened = new FiguresFile(file, counts);
    // So that a kill before the first save is noticed, too.
    opened.save();
    return opened;
  }

  /** Writes what is counted now. */
  void save() {
    save(false);
  }

  private void save(boolean ended) {
    String text = JsonRecords.text(counts.saved(ended)) + "\n";
    try {
      DurableFiles.replace(file, text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      LOG.warn("{} cannot be written; a restart will not know it: {}", file, e.toString());
    }
  }

  @Override
  public void close() {
    save(true);
  }
}
