package io.bloomgate.gateway.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Reports who else can read or change a private key. Groups may read it: Debian's {@code ssl-cert}
 * is made for that. Used by {@link PemTls}; reads the file's attributes.
 */
final class KeyFileRules {

  private static final Set<PosixFilePermission> TOO_OPEN =
      EnumSet.of(
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE,
          PosixFilePermission.GROUP_WRITE);

  private KeyFileRules() {}

  /** A sentence for each thing that is wrong; none where the file system knows no owners. */
  static List<String> warnings(Path file) {
    List<String> warnings = new ArrayList<>();
    try {
      PosixFileAttributes attributes = Files.readAttributes(file, PosixFileAttributes.class);
      if (attributes.permissions().stream().anyMatch(TOO_OPEN::contains)) {
        warnings.add(
            "tls.key: other users of this machine can read or change "
                + file
                + "; chmod 0640 it (0600 without a group)");
      }
      String owner = attributes.owner().getName();
      if (!owner.equals("root") && !owner.equals(System.getProperty("user.name"))) {
        warnings.add("tls.key: " + file + " belongs to " + owner + "; give it to root");
      }
    } catch (IOException | UnsupportedOperationException e) {
      // That it cannot be read is reported when its content is read.
    }
    return warnings;
  }
}
