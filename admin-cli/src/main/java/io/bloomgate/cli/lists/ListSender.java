package io.bloomgate.cli.lists;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.control.ControlCodec;
import io.bloomgate.config.control.ControlRequest.ListImport;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.notation.Quantities;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the lines of an operator list to the gateway in pieces, each of which is stored whole
 * before the next is sent, and adds up the results. Used by the import commands; one thread.
 */
final class ListSender {

  /**
   * Lines of one request, which is one transaction: the more of them, the less often the gateway
   * writes the same pages of its index. A command that comes meanwhile waits for one.
   */
  private static final int MAX_LINES = 20_000;

  /** Octets of the lines of one request, which leave room for its other fields. */
  private static final int MAX_OCTETS = ControlCodec.MAX_REQUEST_OCTETS * 7 / 8;

  /** Octets of a character that JSON escapes, written as a backslash, u and four digits. */
  private static final int MAX_OCTETS_A_CHARACTER = 6;

  /** Longest line that is sent on; the gateway's own limit is far below and has its own message. */
  private static final int MAX_LINE = 16_384;

  /** Entries that are shown of all that an import adds or changes; the others are counted. */
  static final int MAX_SHOWN = 20;

  private static final String SKIPPED = "skipped";
  private static final List<String> COUNTS = List.of("added", "changed", "unchanged", SKIPPED);

  private final Taker taker;
  private final String file;
  private final boolean force;
  private final Map<String, Long> totals = new LinkedHashMap<>();
  private final List<JsonValue> changes = new ArrayList<>();

  /** The receiver of the pieces. */
  @FunctionalInterface
  interface Taker {
    /** Gives a piece to the gateway, and the objects of its answer on; the result is its code. */
    int take(ListImport piece, Consumer<JsonObject> answer) throws CliException;
  }

  /** Gives one line after the other, {@code null} at the end. */
  @FunctionalInterface
  interface Lines {
    @Nullable String next() throws IOException;
  }

  /**
   * @param file for messages
   */
  ListSender(Taker taker, String file, boolean force) {
    this.taker = taker;
    this.file = file;
    this.force = force;
    COUNTS.forEach(name -> totals.put(name, 0L));
  }

  /** Takes a piece, whose first line has this number; the result is the exit code. */
  @FunctionalInterface
  interface Piece {
    int take(List<String> piece, int firstLine) throws CliException;
  }

  /**
   * Sends lines; their numbers in messages count from 1, so lines that are not for this list are
   * given as empty ones.
   *
   * @return the exit code: 4 when lines were skipped
   * @throws IOException when the lines cannot be read
   */
  int send(ListKind list, Lines lines) throws IOException, CliException {
    return send(lines, MAX_LINES, (piece, firstLine) -> send(list, piece, firstLine));
  }

  /** Cuts lines into pieces of this number at most, and goes on as long as nothing failed. */
  static int send(Lines lines, int most, Piece taker) throws IOException, CliException {
    int exitCode = ExitCode.OK;
    int number = 1;
    List<String> piece = new ArrayList<>();
    int octets = 0;
    for (String line = lines.next(); line != null; line = lines.next()) {
      String sent = line.length() > MAX_LINE ? line.substring(0, MAX_LINE) : line;
      int more = octets(sent);
      if (piece.size() == most || octets + more > MAX_OCTETS) {
        exitCode = worse(exitCode, taker.take(piece, number - piece.size()));
        if (exitCode != ExitCode.OK && exitCode != ExitCode.PARTLY) {
          return exitCode;
        }
        piece = new ArrayList<>();
        octets = 0;
      }
      piece.add(sent);
      octets += more;
      number++;
    }
    return piece.isEmpty() ? exitCode : worse(exitCode, taker.take(piece, number - piece.size()));
  }

  /** The most octets that a line takes in the request, its quotes and comma too. */
  private static int octets(String line) {
    int octets = 3;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      boolean plain = c >= ' ' && c < 0x7f && c != '"' && c != '\\';
      octets += plain ? 1 : MAX_OCTETS_A_CHARACTER;
    }
    return octets;
  }

  private int send(ListKind list, List<String> piece, int firstLine) throws CliException {
    return piece.stream().allMatch(String::isEmpty)
        ? ExitCode.OK
        : taker.take(new ListImport(list, file, firstLine, piece, force), this::add);
  }

  private void add(JsonObject counts) {
    COUNTS.forEach(name -> totals.merge(name, counts.number(name).orElse(0), Long::sum));
    counts.elements("changes").stream().limit(MAX_SHOWN - changes.size()).forEach(changes::add);
  }

  /** Counts lines that were not sent, because others of the same file rule them out. */
  void skip(long lines) {
    totals.merge(SKIPPED, lines, Long::sum);
  }

  /** A failure overrides a partial success, and that overrides success. */
  static int worse(int before, int now) {
    return before != ExitCode.OK && (now == ExitCode.OK || before != ExitCode.PARTLY)
        ? before
        : now;
  }

  /** The totals of all lines sent so far, and the first entries that were added or changed. */
  JsonValue.ObjectBuilder total() {
    JsonValue.ObjectBuilder total = JsonValue.object().put("file", file);
    totals.forEach(total::put);
    if (!changes.isEmpty()) {
      total.put("changes", new JsonArray(changes));
    }
    return total;
  }

  /** Prints the first changes, how many more there are, and the total with this at its end. */
  static void show(JsonObject total, String end, Output out) {
    List<JsonObject> changes = total.objects("changes");
    changes.forEach(entry -> EntryText.change(entry, out));
    long more =
        total.number("added").orElse(0) + total.number("changed").orElse(0) - changes.size();
    if (!changes.isEmpty() && more > 0) {
      out.line("and " + Quantities.grouped(more) + " more");
    }
    out.line(
        "{file}: {added} added, {changed} changed, {unchanged} unchanged, {skipped} skipped" + end,
        total);
  }
}
