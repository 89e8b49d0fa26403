package io.bloomgate.cli.lists;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Exchange;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LineFile;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.ReadsFiles;
import io.bloomgate.config.control.ControlClient;
import io.bloomgate.config.control.ControlRequest.ListImport;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.ListKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code allow import} and {@code block import}: reads the file as the caller and sends it. */
@Command(
    description = {
      "Add the entries of a file, one entry for each line; # begins a reason.",
      "Exit code 4: some lines could not be added; they are shown and skipped."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} entries.list"})
final class ListImportCommand implements ReadsFiles, Callable<Integer> {

  /** Lines after which progress is shown. */
  private static final int PROGRESS_LINES = 20_000;

  private final Invocation in;
  private final ListKind list;

  @Parameters(paramLabel = "FILE", description = "the file, or - for standard input")
  private String file = "";

  @Option(
      names = "--force",
      description =
          "also add entries that are very wide, contradict another entry or block mailbox"
              + " providers")
  private boolean force;

  ListImportCommand(Invocation in, ListKind list) {
    this.in = in;
    this.list = list;
  }

  @Override
  public Integer call() throws CliException {
    CliException.refuseIf(
        in.options().offline, "this command needs the gateway", "leave --offline out");
    Output out = in.output();
    try (BufferedReader lines = LineFile.open(in, file)) {
      ListSender sender = new ListSender((piece, answer) -> take(piece, answer, out), file, force);
      int exitCode = sender.send(list, lines::readLine);
      out.item(sender.total().build(), (total, o) -> ListSender.show(total, "", o));
      return exitCode;
    } catch (IOException e) {
      throw LineFile.failure(file, e);
    }
  }

  /**
   * Sends a piece on a separate connection: the gateway ends one that is silent while lines are
   * awaited.
   */
  private int take(ListImport piece, Consumer<JsonObject> answer, Output out) throws CliException {
    try (ControlClient client = in.connect()) {
      int exitCode = new Exchange(client, out).collect(piece, answer);
      int lines = piece.firstLine() - 1 + piece.lines().size();
      if (lines / PROGRESS_LINES > (piece.firstLine() - 1) / PROGRESS_LINES) {
        out.progress(lines + " lines", JsonValue.object().put("lines", lines).build());
      }
      return exitCode;
    }
  }
}
