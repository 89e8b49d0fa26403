package io.bloomgate.blocklists.file;

import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Free space of a file system, by statvfs(3). {@link Files#getFileStore} looks for the mount point
 * in /proc/self/mounts first, which has none in a chroot. Called on threads that may block.
 */
public final class FreeSpace {

  /**
   * The space of the state directory that lists leave to what cannot be fetched again, in octets.
   */
  public static final long LIST_RESERVE_OCTETS = 64L << 20;

  private FreeSpace() {}

  /**
   * Octets that the user of this process may still write.
   *
   * @param path of a file or directory that exists
   * @throws IOException when the system does not say
   */
  public static long octets(Path path) throws IOException {
    File file = path.toFile();
    long free = file.getUsableSpace();
    // 0 stands for a full disk and for a failure; a disk that can be asked has a size.
    if (free == 0 && file.getTotalSpace() == 0) {
      throw new IOException("the free space of " + path + " is not known");
    }
    return free;
  }

  /** The type of the file system; {@code null} where it is not known, as in a chroot. */
  public static @Nullable String type(Path path) {
    try {
      return Files.getFileStore(path).type();
    } catch (IOException e) {
      return null;
    }
  }

  /** Describes the file system of a directory, for who helps with a problem. */
  public static JsonObject json(Path directory) {
    JsonValue.ObjectBuilder json = JsonValue.object().put("path", directory.toString());
    try {
      return json.put("type", type(directory))
          .put("octets", directory.toFile().getTotalSpace())
          .put("usable", octets(directory))
          .build();
    } catch (IOException e) {
      return json.put("problem", Faults.words(e)).build();
    }
  }
}
