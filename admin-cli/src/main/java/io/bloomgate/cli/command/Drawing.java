package io.bloomgate.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * The file of a drawing: written whole or not at all, and never in place of anything but another
 * drawing. Called by {@code filter size} and {@code feeds overlap} on their thread.
 */
public final class Drawing {

  /** Octets of a file that are looked at before it is overwritten. */
  private static final int LOOKED_AT = 512;

  private Drawing() {}

  /**
   * Writes it.
   *
   * @param svg with a title
   */
  public static void write(Path file, String svg) throws CliException {
    try {
      if (Files.isDirectory(file)) {
        throw new FileSystemException(file.toString(), null, "is a directory");
      }
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        // A terminal, a pipe.
        Files.writeString(file, svg, UTF_8);
        return;
      }
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !isLike(file, svg)) {
        throw new CliException(
            ExitCode.USAGE,
            file + " is there, is not a drawing of this command, and is not overwritten",
            "name another file with --plot");
      }
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null && !Files.isDirectory(folder)) {
        throw new FileSystemException(folder.toString(), null, "is no directory");
      }
      replace(Files.exists(file) ? file.toRealPath() : file.toAbsolutePath(), svg);
    } catch (IOException e) {
      throw new CliException(
          ExitCode.NO,
          file + " cannot be written: " + Faults.words(e),
          "name a file in a folder of yours",
          e);
    }
  }

  /** The title says which command drew it. */
  private static boolean isLike(Path file, String svg) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      String begin = new String(in.readNBytes(LOOKED_AT), UTF_8);
      String title = svg.substring(svg.indexOf("<title>"), svg.indexOf("</title>"));
      return begin.startsWith("<svg ") && begin.contains(title);
    }
  }

  private static void replace(Path target, String svg) throws IOException {
    Path beside =
        Files.createTempFile(
            Optional.ofNullable(target.getParent()).orElse(target),
            "." + target.getFileName() + "-",
            ".new",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-rw-rw-")));
    try {
      Files.writeString(beside, svg, UTF_8);
      Files.move(beside, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(beside);
    }
  }
}
