package io.bloomgate.blocklists.fleet.published;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.bloomgate.blocklists.file.DurableFiles;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The folder that a web server shows to followers. Every file appears whole or not at all and may
 * be read by all users, since it is signed and holds no secret. Belongs to the fleet's thread.
 */
final class PublishedFolder {

  static final String BLOBS = "blobs";
  static final String DELTAS = "deltas";
  private static final String ASIDE = ".tmp";

  /** Names of blobs and deltas, also of those that a crash left half written. */
  private static final Pattern OWN = Pattern.compile("[0-9a-f]{64}(-[0-9a-f]{64})?(\\.tmp)?");

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

  /**
   * Makes what is missing of the folder itself.
   *
   * @throws IOException with a sentence how to fix it
   */
  void prepare() throws IOException {
    Path parent = root.getParent();
    if (parent != null && !Files.isDirectory(parent)) {
      throw new IOException("there is no folder " + parent + " for " + root + "; make it");
    }
    // The folder itself may be a link of the operator; what is made in it is none.
    prepare(root, Files.isDirectory(root));
    for (String kind : new String[] {BLOBS, DELTAS}) {
      prepare(root.resolve(kind), Files.isDirectory(root.resolve(kind), NOFOLLOW_LINKS));
    }
    if (!Files.isWritable(root)) {
      throw new IOException(
          "the gateway's user may not write to " + root + "; give the folder to that user");
    }
  }

  private static void prepare(Path directory, boolean there) throws IOException {
    if (there) {
      return;
    }
    try {
      Files.createDirectory(directory);
      Files.setPosixFilePermissions(directory, DIRECTORY);
    } catch (FileAlreadyExistsException e) {
      throw new IOException(directory + " is no folder; move it away", e);
    } catch (AccessDeniedException e) {
      throw new IOException(
          "the gateway's user may not make the folder "
              + directory
              + "; make it, and give it to that user",
          e);
    }
  }

  /** A file that this node or another leader wrote; links are not followed. */
  byte[] read(String name, int mostOctets) throws IOException {
    return DurableFiles.readPlain(root.resolve(name), mostOctets);
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

  /** Octets of a regular file; -1 when there is none, and for anything else. */
  long size(String name) throws IOException {
    try {
      BasicFileAttributes found =
          Files.readAttributes(root.resolve(name), BasicFileAttributes.class, NOFOLLOW_LINKS);
      return found.isRegularFile() ? found.size() : -1;
    } catch (NoSuchFileException e) {
      return -1;
    }
  }

  /**
   * Removes the blobs and deltas that nothing names; what no leader wrote is left alone.
   *
   * @param named paths that stay
   */
  void prune(Set<String> named) throws IOException {
    for (String kind : new String[] {BLOBS, DELTAS}) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(root.resolve(kind))) {
        for (Path one : all) {
          String name = String.valueOf(one.getFileName());
          boolean own = OWN.matcher(name).matches() && Files.isRegularFile(one, NOFOLLOW_LINKS);
          if (own && !named.contains(kind + "/" + name)) {
            Files.delete(one);
          }
        }
      }
    }
  }
}
