package io.bloomgate.cli.command;

import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/**
 * A settings file that a command writes: readable for its owner and the gateway's group only, whole
 * or not at all, and never in place of another one without --force. Used by {@code init} and {@code
 * restore}.
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

  /**
   * Writes the text; folders on the way are made.
   *
   * @param group owns the file when the system knows it and lets us
   * @param force replace what is there
   */
  public static Given write(Path file, String text, String group, boolean force)
      throws CliException {
    return write(file, text.getBytes(StandardCharsets.UTF_8), group, force);
  }

  /** The same for octets. */
  public static Given write(Path file, byte[] content, String group, boolean force)
      throws CliException {
    Path target = file.toAbsolutePath();
    Path folder = Optional.ofNullable(target.getParent()).orElse(target);
    Path temporary = folder.resolve("." + target.getFileName() + ".new");
    if (!force && Files.exists(target)) {
      throw exists(file);
    }
    try {
      make(folder);
      Files.deleteIfExists(temporary);
      Given given = create(temporary, content, group);
      place(temporary, target, force);
      return given;
    } catch (FileAlreadyExistsException e) {
      throw exists(file);
    } catch (AccessDeniedException e) {
      throw new CliException(
          ExitCode.PERMISSION, "you may not write " + file, "become root, or name another file", e);
    } catch (IOException e) {
      throw new CliException(
          ExitCode.NO,
          file + " cannot be written: " + Faults.reason(e),
          "name another file with -c",
          e);
    }
  }

  /**
   * The same for a file that lies elsewhere and may be large; takes the place of what is there. A
   * link is not followed, and a file with another content is not copied.
   *
   * @param sha256 of its content
   */
  public static void copy(Path from, String sha256, Path file, String group) throws CliException {
    Path target = file.toAbsolutePath();
    Path temporary = target.resolveSibling("." + target.getFileName() + ".new");
    try {
      make(Optional.ofNullable(target.getParent()).orElse(target));
      Files.deleteIfExists(temporary);
      try {
        create(temporary, new byte[0], group);
        if (!copied(from, temporary).equals(sha256)) {
          throw new CliException(
              ExitCode.NO,
              file + " is not written: " + from + " was changed meanwhile",
              "look who can write there, and restore again");
        }
        place(temporary, target, true);
      } finally {
        Files.deleteIfExists(temporary);
      }
    } catch (AccessDeniedException e) {
      throw new CliException(ExitCode.PERMISSION, "you may not write " + file, "become root", e);
    } catch (IOException e) {
      throw new CliException(
          ExitCode.NO, file + " cannot be written: " + Faults.reason(e), "copy it yourself", e);
    }
  }

  private static String copied(Path from, Path to) throws IOException {
    try (InputStream in =
            Files.newInputStream(from, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        DigestInputStream digested =
            new DigestInputStream(in, MessageDigest.getInstance("SHA-256"));
        OutputStream out =
            Files.newOutputStream(to, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      digested.transferTo(out);
      return HexFormat.of().formatHex(digested.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static CliException exists(Path file) {
    return new CliException(
        ExitCode.USAGE,
        file + " is there already",
        "look at it first; --force replaces it, -c names another file");
  }

  /** A folder that is new lets the gateway's user in, whatever the umask of root is. */
  private static void make(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, FOLDER_MODE);
    }
  }

  private static Given create(Path file, byte[] content, String group) throws IOException {
    try (SeekableByteChannel out =
        Files.newByteChannel(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(MODE))) {
      ByteBuffer octets = ByteBuffer.wrap(content);
      while (octets.hasRemaining()) {
        out.write(octets);
      }
    }
    // The umask may have taken the group's right away.
    Files.setPosixFilePermissions(file, MODE);
    return give(file, group);
  }

  private static Given give(Path file, String group) {
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

  /** A link to the complete file fails when another one came in between; a move would not. */
  private static void place(Path temporary, Path target, boolean force) throws IOException {
    try {
      if (force) {
        Files.move(
            temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } else {
        Files.createLink(target, temporary);
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
