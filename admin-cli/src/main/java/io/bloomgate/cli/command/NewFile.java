package io.bloomgate.cli.command;

import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.Optional;
import java.util.Set;

/**
 * A settings file that a command writes: readable for its owner and the gateway's group only, whole
 * or not at all, and never in place of another one without --force. Used by {@code init} and {@code
 * restore}; reports and pictures are just written.
 */
public final class NewFile {

  /** 0640. */
  private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rw-r-----");

  /** 0755. */
  private static final Set<PosixFilePermission> FOLDER_MODE =
      PosixFilePermissions.fromString("rwxr-xr-x");

  /** Says whether a group could be given a file. */
  public enum Given {
    YES,
    /** The machine has no such group. */
    NO_SUCH_GROUP,
    /** The user may not give a file to that group. */
    NOT_PERMITTED
  }

  private NewFile() {}

  /** Writes the content of a file. */
  @FunctionalInterface
  public interface Content {
    /** Writes all of it. */
    void write(OutputStream out) throws IOException;
  }

  /**
   * Writes a file; folders on the way are made.
   *
   * @param group owns the file when the system knows it and lets us
   * @param force replace what is there
   */
  public static Given write(Path file, Content content, String group, boolean force)
      throws CliException {
    Path target = file.toAbsolutePath();
    Path folder = Optional.ofNullable(target.getParent()).orElse(target);
    Path temporary = folder.resolve("." + target.getFileName() + ".new");
    if (!force && Files.exists(target)) {
      throw exists(file);
    }
    try {
      if (!Files.isDirectory(folder)) {
        Files.createDirectories(folder);
        // It lets the gateway's user in, whatever the umask of root is.
        Files.setPosixFilePermissions(folder, FOLDER_MODE);
      }
      Files.deleteIfExists(temporary);
      try {
        Given given = create(temporary, content, group);
        if (force) {
          Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } else {
          Files.createLink(target, temporary); // fails when another one came in between
        }
        return given;
      } finally {
        Files.deleteIfExists(temporary);
      }
    } catch (FileAlreadyExistsException e) {
      throw exists(file);
    } catch (IOException e) {
      throw failure(file, e, "name another file with -c");
    }
  }

  /** Writes a text into a file that the command line named, in place of what is there. */
  public static void overwrite(Path file, String text) throws CliException {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw failure(file, e, "name a file in a folder of yours");
    }
  }

  /**
   * Says why a file was not written.
   *
   * @param hint what helps where the user may write it
   */
  public static CliException failure(Path file, IOException e, String hint) {
    return e instanceof AccessDeniedException
        ? new CliException(
            ExitCode.PERMISSION,
            "you may not write " + file,
            "become root, or name another file",
            e)
        : CliException.no(file + " cannot be written: " + Faults.reason(e), hint, e);
  }

  private static CliException exists(Path file) {
    return CliException.usage(
        file + " is there already", "look at it first; --force replaces it, -c names another file");
  }

  private static Given create(Path file, Content content, String group) throws IOException {
    try (OutputStream out =
        Files.newOutputStream(Files.createFile(file, PosixFilePermissions.asFileAttribute(MODE)))) {
      content.write(out);
    }
    // The umask may have taken the group's right away.
    Files.setPosixFilePermissions(file, MODE);
    try {
      GroupPrincipal owner =
          file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(group);
      Files.setAttribute(file, "posix:group", owner);
      return Given.YES;
    } catch (UserPrincipalNotFoundException e) {
      return Given.NO_SUCH_GROUP;
    } catch (IOException e) {
      return Given.NOT_PERMITTED;
    }
  }
}
