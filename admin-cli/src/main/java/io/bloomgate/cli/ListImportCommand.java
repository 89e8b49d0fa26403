package io.bloomgate.cli;

import io.bloomgate.config.control.ControlCodec;
import io.bloomgate.config.control.ControlRequest.ListImport;
import io.bloomgate.config.control.ControlRequest.ListName;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code allow import} and {@code block import}: reads the file as the caller and sends it in
 * pieces, each of which is stored whole before the next is sent.
 */
@Command(
    description = {
      "Add the entries of a file, an entry a line; # begins a reason.",
      "Lines that cannot be taken are named and skipped: exit code 4."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} partners.list"})
final class ListImportCommand implements Callable<Integer> {

  /** Lines of one request. */
  private static final int MAX_LINES = 1000;

  /** Characters of one request; escaped as JSON they stay within a request line. */
  private static final int MAX_CHARACTERS = ControlCodec.MAX_REQUEST_OCTETS / 8;

  /** Longest line that is sent on; the gateway's own limit is far below and has its own words. */
  private static final int MAX_LINE = 16_384;

  private static final List<String> COUNTS = List.of("added", "changed", "unchanged", "skipped");

  private final Invocation in;
  private final ListName list;
  private final Map<String, Long> totals = new LinkedHashMap<>();

  @Parameters(paramLabel = "FILE", description = "the file, or - for standard input")
  private String file = "";

  @Option(names = "--force", description = "also what is very wide or against another entry")
  private boolean force;

  ListImportCommand(Invocation in, ListName list) {
    this.in = in;
    this.list = list;
  }

  @Override
  public Integer call() throws CliException {
    if (in.options().offline) {
      throw new CliException(
          ExitCode.USAGE, "this command needs the gateway", "leave --offline out");
    }
    COUNTS.forEach(name -> totals.put(name, 0L));
    Output out = in.output();
    try (BufferedReader lines = open();
        ControlClient client = ControlClient.connect(in.socket(), in.options().timeout)) {
      int exitCode = send(lines, new Exchange(client, out));
      out.item(total(), ListImportCommand::show);
      return exitCode;
    } catch (NoSuchFileException e) {
      throw new CliException(ExitCode.USAGE, "there is no file " + file, "name another", e);
    } catch (AccessDeniedException e) {
      throw new CliException(ExitCode.PERMISSION, "you may not read " + file, "", e);
    } catch (IOException e) {
      throw new CliException(ExitCode.NO, file + " cannot be read to its end", "", e);
    }
  }

  private BufferedReader open() throws IOException {
    InputStream octets = file.equals("-") ? in.around().in() : Files.newInputStream(Path.of(file));
    return new BufferedReader(
        new InputStreamReader(
            octets,
            StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPLACE)));
  }

  private int send(BufferedReader lines, Exchange exchange) throws IOException, CliException {
    int exitCode = ExitCode.OK;
    int number = 1;
    List<String> piece = new ArrayList<>();
    int characters = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String sent = line.length() > MAX_LINE ? line.substring(0, MAX_LINE) : line;
      if (piece.size() == MAX_LINES || characters + sent.length() > MAX_CHARACTERS) {
        exitCode = worse(exitCode, send(piece, number - piece.size(), exchange));
        if (exitCode != ExitCode.OK && exitCode != ExitCode.PARTLY) {
          return exitCode;
        }
        piece.clear();
        characters = 0;
      }
      piece.add(sent);
      characters += sent.length();
      number++;
    }
    return piece.isEmpty()
        ? exitCode
        : worse(exitCode, send(piece, number - piece.size(), exchange));
  }

  private int send(List<String> piece, int firstLine, Exchange exchange) throws CliException {
    return exchange.collect(new ListImport(list, file, firstLine, piece, force), this::add);
  }

  private void add(JsonObject counts) {
    COUNTS.forEach(name -> totals.merge(name, counts.number(name).orElse(0), Long::sum));
  }

  /** A failure outweighs a part, a part outweighs success. */
  private static int worse(int before, int now) {
    return now == ExitCode.OK ? before : now;
  }

  private JsonObject total() {
    JsonValue.ObjectBuilder total = JsonValue.object().put("file", file);
    totals.forEach(total::put);
    return total.build();
  }

  private static void show(JsonObject item, Output out) {
    out.line(
        HumanText.value(item, "file")
            + ": "
            + HumanText.value(item, "added")
            + " added, "
            + HumanText.value(item, "changed")
            + " changed, "
            + HumanText.value(item, "unchanged")
            + " unchanged, "
            + HumanText.value(item, "skipped")
            + " skipped");
  }
}
