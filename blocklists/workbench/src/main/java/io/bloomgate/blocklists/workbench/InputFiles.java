package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** The errors about a file that a command named, in the same words everywhere. */
final class InputFiles {

  private InputFiles() {}

  /**
   * Checks that a file is there and can be read.
   *
   * @throws OfflineException when the file is not there, is a directory or may not be read
   */
  static void requireReadable(Path file) throws OfflineException {
    try {
      Files.readAttributes(file, BasicFileAttributes.class);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
    if (Files.isDirectory(file)) {
      throw OfflineException.failed(file + " is a directory", "name a file");
    }
    if (!Files.isReadable(file)) {
      throw forbidden("read", file);
    }
  }

  /**
   * The same for a filter, which is read in any order: a pipe would be waited for without end.
   *
   * @throws OfflineException also when it is a pipe or a device
   */
  static void requireFile(Path file) throws OfflineException {
    requireReadable(file);
    if (!Files.isRegularFile(file)) {
      throw OfflineException.failed(file + " is a pipe or a device, not a filter", "name a file");
    }
  }

  /**
   * The same for a file of lines.
   *
   * @throws OfflineException also when it is a filter
   */
  static void requireLines(Path file) throws OfflineException {
    requireReadable(file);
    try {
      String other =
          Files.isRegularFile(file) ? PagedFile.kindOf(file).map(FileKind::title).orElse("") : "";
      OfflineException.refuseIf(
          !other.isEmpty(),
          file + " is a " + other + ", not a list",
          "name the list that it was made of");
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /**
   * Checks that there is a directory for a file that will be written.
   *
   * @param option that names the file
   * @throws OfflineException when there is none
   */
  static void requireFolderOf(Path file, String option) throws OfflineException {
    OfflineException.refuseIf(
        isRedis(file),
        "this command writes a file, not a key of Redis",
        "`bloomgate filter push` writes a key");
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw OfflineException.failed(
          "there is no directory " + folder, "make it, or name another file with " + option);
    }
  }

  /** The error when a file could not be read. */
  static OfflineException unreadable(Path file, IOException e) {
    return switch (e) {
      case DamagedFileException damaged ->
          new OfflineException(Kind.DAMAGED, String.valueOf(damaged.getMessage()), "", e);
      case NoSuchFileException missing -> missing(file);
      case AccessDeniedException denied -> forbidden("read", file);
      default -> OfflineException.failed(file + " cannot be read: " + reason(e), "", e);
    };
  }

  /** The error when a file could not be written. */
  static OfflineException unwritable(Path file, IOException e) {
    return e instanceof AccessDeniedException
        ? forbidden("write", file)
        : OfflineException.failed(file + " cannot be written: " + reason(e), "", e);
  }

  private static String reason(IOException e) {
    String reason = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
    return reason == null ? e.getClass().getSimpleName() : reason;
  }

  /** True for what was an address before it became a path. */
  private static boolean isRedis(Path file) {
    return file.toString().startsWith("redis:/") || file.toString().startsWith("rediss:/");
  }

  private static OfflineException missing(Path file) {
    if (isRedis(file)) {
      // It may have a password, so it is not shown.
      return OfflineException.usage(
          "this command takes a file, not a key of Redis", "`bloomgate filter query` asks a key");
    }
    return OfflineException.failed("there is no file " + file, "check the path");
  }

  private static OfflineException forbidden(String verb, Path file) {
    return new OfflineException(
        Kind.FORBIDDEN, "you may not " + verb + " " + file, "become root or a member of its group");
  }
}
