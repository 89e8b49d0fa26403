package io.bloomgate.blocklists.feed;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/** Small durable file operations. Used where feeds are stored. */
public final class FeedFiles {

  private FeedFiles() {}

  /** Removes a directory with all that is in it; links are removed, not followed. */
  public static void deleteTree(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(
              Path visited, @org.jspecify.annotations.Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Makes the content of a file, or the names in a directory, last through a power cut. */
  public static void sync(Path fileOrDirectory) throws IOException {
    try (FileChannel channel = FileChannel.open(fileOrDirectory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Replaces a file as a whole: a reader sees the old content or the new, never a mixture. */
  public static void writeAtomically(Path file, byte[] content) throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + ".new");
    Files.write(aside, content);
    sync(aside);
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    Path parent = file.getParent();
    if (parent != null) {
      sync(parent);
    }
  }
}
