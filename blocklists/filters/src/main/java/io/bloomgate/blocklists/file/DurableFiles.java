package io.bloomgate.blocklists.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * File operations after which a power cut finds the old state or the new one, never a mixture. Used
 * by everything that keeps state on disk; blocking.
 */
public final class DurableFiles {

  /** Octets of a JSON file of state, which names at most some thousand things. */
  public static final int MOST_JSON_OCTETS = 64 << 20;

  private static final String ASIDE = ".tmp";

  private DurableFiles() {}

  /** The name under which a file is written before it gets its own. */
  static Path aside(Path target) {
    return target.resolveSibling(target.getFileName() + ASIDE);
  }

  /** Creates a file with mode 0600 that must not exist yet. */
  public static FileChannel createPrivate(Path path) throws IOException {
    return FileChannel.open(
        path,
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  /** Creates a directory with mode 0700; its parents must exist. */
  public static void createPrivateDirectory(Path path) throws IOException {
    Files.createDirectory(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** The same where it may be there already, or another thread makes it now. */
  public static void ensurePrivateDirectory(Path path) throws IOException {
    try {
      if (!Files.isDirectory(path)) {
        createPrivateDirectory(path);
      }
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(path)) {
        throw e;
      }
    }
  }

  /**
   * All of a file that is kept small. A damaged one can be of any size, and must not take the
   * memory that mail needs.
   *
   * @param mostOctets the most that an undamaged one has
   * @throws IOException also when it has more
   */
  public static byte[] read(Path file, int mostOctets) throws IOException {
    boolean fits = Files.size(file) <= mostOctets;
    try (InputStream in = Files.newInputStream(file)) {
      // A device says that it has none.
      byte[] octets = in.readNBytes(fits ? mostOctets : 0);
      if (!fits || in.read() >= 0) {
        throw new DamagedFileException(file, "is damaged: more than " + mostOctets + " octets");
      }
      return octets;
    }
  }

  /**
   * The same of a file in a folder that others may write to: only a regular file is opened, so that
   * no pipe keeps the thread, and links are not followed.
   */
  public static byte[] readPlain(Path file, int mostOctets) throws IOException {
    BasicFileAttributes found =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!found.isRegularFile()) {
      throw new DamagedFileException(file, "is no regular file; remove it");
    }
    if (found.size() > mostOctets) {
      throw new DamagedFileException(file, "is damaged: more than " + mostOctets + " octets");
    }
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      return in.readNBytes(mostOctets);
    }
  }

  /**
   * The text of a JSON file of state.
   *
   * @throws java.nio.charset.CharacterCodingException when it is not UTF-8
   * @throws IOException also when it has more than {@link #MOST_JSON_OCTETS}
   */
  public static String readJson(Path file) throws IOException {
    return UTF_8.newDecoder().decode(ByteBuffer.wrap(read(file, MOST_JSON_OCTETS))).toString();
  }

  /** Writes a file aside with mode 0600, makes it durable and gives it its name. */
  public static void replace(Path target, byte[] content) throws IOException {
    Path aside = aside(target);
    Files.deleteIfExists(aside);
    try (FileChannel channel = createPrivate(aside)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    } catch (IOException e) {
      Files.deleteIfExists(aside);
      throw e;
    }
    rename(aside, target);
  }

  /** Renames atomically within a directory, or between directories of one file system. */
  public static void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    Path parent = to.toAbsolutePath().getParent();
    if (parent != null) {
      sync(parent);
    }
  }

  /** Makes the names in a directory durable. */
  public static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Removes a directory with all it holds, or a file; links are not followed. */
  public static void deleteTree(Path root) throws IOException {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
