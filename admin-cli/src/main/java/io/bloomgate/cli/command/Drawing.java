package io.bloomgate.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * The file of a drawing, never in place of anything but another drawing. Called by {@code filter
 * size} and {@code feeds overlap} on their thread.
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
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
          && (Files.notExists(file) || (Files.isRegularFile(file) && !isLike(file, svg)))) {
        throw CliException.usage(
            file + " is there, is not a drawing of this command, and is not overwritten",
            "name another file with --plot");
      }
      Files.writeString(file, svg, UTF_8);
    } catch (IOException e) {
      throw CliException.no(
          file + " cannot be written: " + Faults.words(e), "name a file in a folder of yours", e);
    }
  }

  /** True for a drawing of the same command, whose title says so. */
  private static boolean isLike(Path file, String svg) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      String begin = new String(in.readNBytes(LOOKED_AT), UTF_8);
      String title = svg.substring(svg.indexOf("<title>"), svg.indexOf("</title>"));
      return begin.startsWith("<svg ") && begin.contains(title);
    }
  }
}
