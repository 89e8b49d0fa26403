package io.bloomgate.blocklists.fleet.published;

import io.bloomgate.blocklists.file.DurableFiles;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The folder that a web server shows to followers. Every file appears whole or not at all and may
 * be read by all users, since it is signed and holds no secret. Belongs to the fleet's thread.
 */
final class PublishedFolder {

  static final String BLOBS = "blobs";
  static final String DELTAS = "deltas";
  private static final String ASIDE = ".tmp";

  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-r--r--");
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwxr-xr-x");

  private final Path root;

  PublishedFolder(Path root) {
    this.root = root;
  }

  Path root() {
    return root;
  }

  /** Makes what is missing of the folder itself; its parent exists. */
  void prepare() throws IOException {
    for (Path directory : new Path[] {root, root.resolve(BLOBS), root.resolve(DELTAS)}) {
      if (!Files.isDirectory(directory)) {
        Files.createDirectory(directory);
        Files.setPosixFilePermissions(directory, DIRECTORY);
      }
    }
  }

  /** Writes a file, of which each reader sees the old state or the new one. */
  interface Writing {
    void write(Path aside) throws IOException;
  }

  /**
   * Puts a file in its place, durably.
   *
   * @param name path below the folder
   */
  void put(String name, Writing writing) throws IOException {
    Path target = root.resolve(name);
    Path aside = target.resolveSibling(target.getFileName() + ASIDE);
    Files.deleteIfExists(aside);
    try {
      writing.write(aside);
      Files.setPosixFilePermissions(aside, FILE);
      DurableFiles.sync(aside);
      DurableFiles.rename(aside, target);
    } catch (AtomicMoveNotSupportedException e) {
      throw new IOException(root + " can replace no file whole; choose another folder", e);
    } finally {
      Files.deleteIfExists(aside);
    }
  }

  void put(String name, byte[] octets) throws IOException {
    put(name, aside -> Files.write(aside, octets));
  }

  /** Octets of a file; -1 when there is none. */
  long size(String name) throws IOException {
    try {
      return Files.size(root.resolve(name));
    } catch (NoSuchFileException e) {
      return -1;
    }
  }

  /**
   * Removes the blobs and deltas that nothing names.
   *
   * @param named paths that stay
   */
  void prune(Set<String> named) throws IOException {
    for (String kind : new String[] {BLOBS, DELTAS}) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(root.resolve(kind))) {
        for (Path one : all) {
          if (!named.contains(kind + "/" + one.getFileName())) {
            Files.delete(one);
          }
        }
      }
    }
  }
}
