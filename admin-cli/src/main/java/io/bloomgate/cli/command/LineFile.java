package io.bloomgate.cli.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A text file named on the command line, opened as the caller. Used by commands that take a file of
 * subjects.
 */
public final class LineFile {

  private LineFile() {}

  /**
   * The file's lines, without the byte order mark that some editors write; {@code -} is standard
   * input. Octets that are not UTF-8 become U+FFFD.
   */
  public static BufferedReader open(Invocation in, String file) throws IOException {
    InputStream octets = file.equals("-") ? in.around().in() : Files.newInputStream(Path.of(file));
    BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                octets,
                StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPLACE)));
    lines.mark(1);
    if (lines.read() != '\ufeff') {
      lines.reset();
    }
    return lines;
  }

  /** The failure when it cannot be read. */
  public static CliException failure(String file, IOException e) {
    return switch (e) {
      case NoSuchFileException missing ->
          new CliException(ExitCode.USAGE, "there is no file " + file, "check the path", missing);
      case AccessDeniedException denied ->
          new CliException(ExitCode.PERMISSION, "you may not read " + file, "", denied);
      case IOException other when Files.isDirectory(Path.of(file)) ->
          new CliException(ExitCode.USAGE, file + " is a folder", "name a file", other);
      case IOException other -> CliException.no(file + " cannot be read to its end", "", other);
    };
  }
}
