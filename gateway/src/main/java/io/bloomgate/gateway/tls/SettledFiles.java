package io.bloomgate.gateway.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Notices that files were written again, or may be read again, also behind symbolic links as
 * certbot makes them: those of a certificate, and those of own domains. Files that changed between
 * two looks may be written still, or lack their other half: they have to be the same at the next
 * look. One thread at a time.
 */
public final class SettledFiles {

  private @Nullable List<Stamp> used;
  private @Nullable List<Stamp> settling;

  /** The look of one file; nothing but {@code null} and zero when it cannot be read. */
  private record Stamp(
      @Nullable Object fileKey,
      @Nullable FileTime modified,
      @Nullable FileTime changed,
      long octets) {}

  /** Looks at the files; true when their content has to be read, which the caller does now. */
  public boolean changed(List<Path> files) {
    List<Stamp> stamps = files.stream().map(SettledFiles::stamp).toList();
    if (stamps.equals(used)) {
      settling = null;
      return false;
    }
    if (!stamps.equals(settling)) {
      settling = stamps;
      return false;
    }
    used = stamps;
    settling = null;
    return true;
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
