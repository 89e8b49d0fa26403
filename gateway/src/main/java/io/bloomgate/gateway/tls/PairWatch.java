package io.bloomgate.gateway.tls;

import io.bloomgate.config.pem.PemFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether the files of one certificate changed. Those that changed within the last second may
 * be written still, or lack their other half. Used by {@link ServerCertificates} under its lock.
 */
final class PairWatch {

  /**
   * Shows whether certificate or key were written again, or may be read again, also behind symbolic
   * links as certbot makes them.
   */
  private record FileStamps(Stamp certificate, Stamp key) {

    /** The stamp of one file; nothing but {@code null} and zero when it cannot be read. */
    record Stamp(
        @Nullable Object fileKey,
        @Nullable FileTime modified,
        @Nullable FileTime changed,
        long octets) {}

    static FileStamps of(Path certificate, Path key) {
      return new FileStamps(stamp(certificate), stamp(key));
    }

    private static Stamp stamp(Path file) {
      try {
        BasicFileAttributes seen = Files.readAttributes(file, BasicFileAttributes.class);
        return new Stamp(seen.fileKey(), seen.lastModifiedTime(), changed(file), seen.size());
      } catch (IOException e) {
        return new Stamp(null, null, null, 0);
      }
    }

    /**
     * The time of the last change, which unlike the time of the content moves with owner and mode;
     * {@code null} where unknown.
     */
    private static @Nullable FileTime changed(Path file) throws IOException {
      boolean known = file.getFileSystem().supportedFileAttributeViews().contains("unix");
      return known ? (FileTime) Files.getAttribute(file, "unix:ctime") : null;
    }
  }

  private final PemFiles files;

  /** {@code null} at first: the files may have changed since they were read. */
  private @Nullable FileStamps used;

  private @Nullable FileStamps settling;

  PairWatch(PemFiles files) {
    this.files = files;
  }

  /** True once, when the files changed and then stayed as they are from one call to the next. */
  boolean settled() {
    FileStamps stamps = FileStamps.of(files.certificate(), files.key());
    boolean changed = !stamps.equals(used);
    boolean settled = changed && stamps.equals(settling);
    settling = changed && !settled ? stamps : null;
    used = settled ? stamps : used;
    return settled;
  }
}
