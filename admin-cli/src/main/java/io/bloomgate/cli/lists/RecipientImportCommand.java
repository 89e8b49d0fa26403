package io.bloomgate.cli.lists;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LineFile;
import io.bloomgate.config.control.ControlRequest.RecipientSet;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code recipient import}: reads the file as the caller and sends it in pieces. */
@Command(
    description = {
      "Set the entries of a file, each line RECIPIENT PROFILE [expires=TIME] # reason.",
      "Exit code 4: some lines could not be taken; they are shown and skipped."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} recipients.list"})
final class RecipientImportCommand implements Callable<Integer> {

  /** Lines of one request, which with {@link #MAX_LINE} are well below the longest request. */
  private static final int MAX_LINES = 100;

  /** Characters of a line that are sent; the longest line that is taken is shorter. */
  private static final int MAX_LINE = 1_000;

  private final Invocation in;

  @Parameters(paramLabel = "FILE", description = "the file, or - for standard input")
  private String file = "";

  RecipientImportCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    int exitCode = ExitCode.OK;
    try (BufferedReader lines = LineFile.open(in, file)) {
      int number = 1;
      List<String> piece = next(lines);
      while (!piece.isEmpty() && (exitCode == ExitCode.OK || exitCode == ExitCode.PARTLY)) {
        int done = in.ask(new RecipientSet(file, number, piece), EntryText::change);
        exitCode = ListSender.worse(exitCode, done);
        number += piece.size();
        piece = next(lines);
      }
      return exitCode;
    } catch (IOException e) {
      throw LineFile.failure(file, e);
    }
  }

  private static List<String> next(BufferedReader lines) throws IOException {
    List<String> piece = new ArrayList<>();
    String line = lines.readLine();
    while (line != null) {
      piece.add(line.length() > MAX_LINE ? line.substring(0, MAX_LINE) : line);
      line = piece.size() < MAX_LINES ? lines.readLine() : null;
    }
    return piece;
  }
}
