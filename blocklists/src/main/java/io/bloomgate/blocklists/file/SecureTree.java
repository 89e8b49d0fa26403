package io.bloomgate.blocklists.file;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import org.jspecify.annotations.Nullable;

/**
 * Goes over a tree that another user may change meanwhile: each folder is opened in the open one
 * above it, and never through a link, so that a folder which is swapped for a link leads nowhere
 * (openat(2) with {@code O_NOFOLLOW}). The folder that holds the tree is trusted. Used by {@link
 * DurableFiles#deleteTree} and by {@code bloomgate restore}; blocking.
 */
public final class SecureTree {

  private SecureTree() {}

  /** The work on each entry. */
  @FunctionalInterface
  public interface Step {
    /**
     * Does it; entries in a folder come before the folder itself.
     *
     * @param in the open folder
     * @param name of the entry in it
     */
    void on(SecureDirectoryStream<Path> in, Path name, boolean folder) throws IOException;
  }

  /**
   * Goes over the tree.
   *
   * @param root a folder or a file that is there
   * @return false when this system has no such calls, or the folder above may not be read; nothing
   *     was done then
   */
  public static boolean walk(Path root, Step step) throws IOException {
    Path place = root.toAbsolutePath();
    @Nullable Path parent = place.getParent();
    @Nullable Path name = place.getFileName();
    if (parent == null || name == null || !Files.isReadable(parent)) {
      return false;
    }
    try (DirectoryStream<Path> above = Files.newDirectoryStream(parent)) {
      if (above instanceof SecureDirectoryStream<Path> secure) {
        walk(secure, name, step);
        return true;
      }
      return false;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private static void walk(SecureDirectoryStream<Path> in, Path name, Step step)
      throws IOException {
    boolean folder =
        in.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
            .readAttributes()
            .isDirectory();
    if (folder) {
      try (SecureDirectoryStream<Path> inner =
          in.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
        for (Path entry : inner) {
          walk(inner, entry.getFileName(), step);
        }
      }
    }
    step.on(in, name, folder);
  }
}
