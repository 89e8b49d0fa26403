package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import io.bloomgate.blocklists.workbench.foreign.BadForeignFileException;
import io.bloomgate.blocklists.workbench.foreign.ForeignFiles;
import io.bloomgate.blocklists.workbench.foreign.ForeignFilter;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** What is wrong with a file that a command named, in the same words everywhere. */
final class InputFiles {

  private InputFiles() {}

  /**
   * Checks that a file is there and can be read.
   *
   * @throws OfflineException when the file is not there, is a directory or may not be read
   */
  static void requireReadable(Path file) throws OfflineException {
    if (Files.isDirectory(file)) {
      throw new OfflineException(Kind.FAILED, file + " is a directory", "name a file");
    }
    if (Files.notExists(file)) {
      throw missing(file);
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
      throw new OfflineException(
          Kind.FAILED, file + " is a pipe or a device, not a filter", "name a file");
    }
  }

  /**
   * Checks that there is a directory for a file that will be written.
   *
   * @param option that names the file
   * @throws OfflineException when there is none
   */
  static void requireFolderOf(Path file, String option) throws OfflineException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new OfflineException(
          Kind.FAILED,
          "there is no directory " + folder,
          "make it, or name another file with " + option);
    }
  }

  /**
   * The filter of another library, if the file is one.
   *
   * @throws OfflineException when it cannot be read, or begins like one and is none
   */
  static Optional<ForeignFilter> foreign(Path file, WorkbenchTools tools) throws OfflineException {
    requireReadable(file);
    try {
      if (FilterTarget.isFilter(file)) {
        return Optional.empty();
      }
      if (!tools.canHold(2 * Files.size(file))) {
        throw tools.tooLarge(file.toString());
      }
      return ForeignFiles.read(file);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /** What went wrong while a file was read. */
  static OfflineException unreadable(Path file, IOException e) {
    return switch (e) {
      case DamagedFileException damaged ->
          new OfflineException(Kind.DAMAGED, String.valueOf(damaged.getMessage()), "", e);
      case BadForeignFileException bad ->
          new OfflineException(Kind.DAMAGED, file + " " + bad.getMessage(), "", e);
      case NoSuchFileException missing -> missing(file);
      case AccessDeniedException denied -> forbidden("read", file);
      default -> new OfflineException(Kind.FAILED, file + " cannot be read: " + reason(e), "", e);
    };
  }

  /** What went wrong while a file was written. */
  static OfflineException unwritable(Path file, IOException e) {
    return e instanceof AccessDeniedException
        ? forbidden("write", file)
        : new OfflineException(Kind.FAILED, file + " cannot be written: " + reason(e), "", e);
  }

  private static String reason(IOException e) {
    String reason = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
    return reason == null ? e.getClass().getSimpleName() : reason;
  }

  private static OfflineException missing(Path file) {
    return new OfflineException(Kind.FAILED, "there is no file " + file, "check the path");
  }

  private static OfflineException forbidden(String verb, Path file) {
    return new OfflineException(
        Kind.FORBIDDEN, "you may not " + verb + " " + file, "become root or a member of its group");
  }
}
