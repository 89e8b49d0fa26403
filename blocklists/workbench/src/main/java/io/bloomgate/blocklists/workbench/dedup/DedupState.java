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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * The file in which {@code dedup} keeps what it has seen, so that a window goes on after a restart.
 * It is written when the ring turns and at the end, whole or not at all. On the thread of the
 * command, of which one at a time uses a file.
 *
 * @param file mode 0600: it has the secret seed
 * @param now the time of day in nanoseconds: a window goes on while nothing runs
 * @param deletes true when the lines are forgotten and not remembered
 */
public record DedupState(Path file, LongSupplier now, boolean deletes) {

  /**
   * Fills a ring with what the file holds.
   *
   * @param fresh the seed where there is no file
   * @return the seed of the hashes in the ring
   * @throws OfflineException when the file is damaged, or of another plan
   */
  Keying load(SeenRing ring, Keying fresh) throws OfflineException {
    if (!Files.exists(file) && !deletes) {
      return fresh;
    }
    try {
      PagedFile stored = PagedFile.open(file, FileKind.SEEN_LINES);
      stored.verify();
      if (stored.header().keying().hashVersion() == KeyHash.VERSION
          && ring.read(stored.header(), stored.body())) {
        return stored.header().keying();
      }
      throw new OfflineException(
          Kind.USAGE,
          file + " was made with another --entries, --fpp or --window",
          "give the same, or name another file");
    } catch (DamagedFileException e) {
      throw new OfflineException(Kind.DAMAGED, String.valueOf(e.getMessage()), "", e);
    } catch (IOException e) {
      throw new OfflineException(Kind.FAILED, file + " cannot be read", "check the path", e);
    }
  }

  /** Writes the file. */
  void save(SeenRing ring, Keying keying, DedupPlan plan) throws IOException {
    try (PagedFileWriter out = PagedFileWriter.create(file)) {
      out.commit(
          new FileHeader(
              FileKind.SEEN_LINES,
              keying,
              0,
              plan.entries(),
              plan.rate(),
              plan.rate(),
              ring.write(out)));
    }
  }
}
