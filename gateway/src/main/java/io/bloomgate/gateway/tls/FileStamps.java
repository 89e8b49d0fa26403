package io.bloomgate.gateway.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * What tells that certificate or key were written again, also behind symbolic links as certbot
 * makes them. Compared by {@link ServerCertificate}.
 */
record FileStamps(Stamp certificate, Stamp key) {

  /** Of one file; nothing but {@code null} and zero when it cannot be looked at. */
  record Stamp(@Nullable Object fileKey, @Nullable FileTime modified, long octets) {}

  static FileStamps of(Path certificate, Path key) {
    return new FileStamps(stamp(certificate), stamp(key));
  }

  private static Stamp stamp(Path file) {
    try {
      BasicFileAttributes seen = Files.readAttributes(file, BasicFileAttributes.class);
      return new Stamp(seen.fileKey(), seen.lastModifiedTime(), seen.size());
    } catch (IOException e) {
      return new Stamp(null, null, 0);
    }
  }
}
