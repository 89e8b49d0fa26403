package io.bloomgate.cli.filter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.blocklists.workbench.dedup.Dedup;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.LineFile;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Values;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.notation.TerminalText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bloomgate dedup}: the lines of a stream that were not seen before. */
@Command(
    description = {
      "Print each line that was not seen before, at once and in order, in constant memory.",
      "A repeat is never printed while the memory holds its first line. A few new lines (--fpp)"
          + " look like repeats and are left out: where each line counts, use `sort -u`.",
      "Lines are compared octet by octet and pass as they are. With -o json each is an object, in"
          + " which octets that are not UTF-8 are the character U+FFFD.",
      "With --state the memory is kept in a file, so that a window goes on after a restart; one"
          + " command at a time uses the file. --forget takes lines out of it: they are new when"
          + " they come again.",
      "Exit code 4: a line was longer than 1 MiB; such lines pass without being compared, and"
          + " with -o json in several objects."
    })
@Example({
  "recipients.txt",
  "tail -f mail.log | grep -o 'to=<[^>]*>' | ${COMMAND-FULL-NAME} --window 1h"
})
public final class DedupCommand extends FilterCommand {

  private static final long NANOS_OF_A_MILLISECOND = 1_000_000;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description = "the lines (default: -, standard input)")
  private String file = "-";

  @Option(
      names = "--window",
      paramLabel = "TIME",
      description = {
        "forget a line that did not come for 1h, 7d; the time is that of reading",
        "(default: forget the oldest only when the memory is full)"
      })
  private Duration window = Duration.ZERO;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      converter = Values.RateConverter.class,
      description = "ratio of new lines that may be left out (default: 0.001)")
  private double rate = Dedup.USUAL_RATE;

  @Option(
      names = "--entries",
      paramLabel = "N",
      description = "different lines to remember (default: 10000000, which take 35 MiB)")
  private long entries = Dedup.USUAL_ENTRIES;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description = "keep what was seen in this file, from one run to the next")
  private @Nullable Path state;

  @Option(names = "--forget", description = "with --state: forget these lines, and print none")
  private boolean forget;

  @Option(names = "--repeated", description = "print the repeats, and not the new lines")
  private boolean repeated;

  @Override
  public Integer call() throws OfflineException, CliException {
    Output out = in.output();
    require(state != null || !forget, "--forget takes lines out of a --state");
    Dedup.State kept =
        state == null
            ? null
            : new Dedup.State(
                state, () -> in.around().clock().millis() * NANOS_OF_A_MILLISECOND, forget);
    try (InputStream lines = file.equals("-") ? in.around().in() : open(Path.of(file))) {
      Dedup dedup = new Dedup(new Dedup.Plan(entries, rate, window, repeated, kept), means());
      Dedup.Summary summary = dedup.run(lines, target(out), out::isRead);
      warn(summary, out);
      return summary.longLines() > 0 ? ExitCode.PARTLY : ExitCode.OK;
    } catch (IOException e) {
      throw LineFile.failure(file, e);
    }
  }

  private static InputStream open(Path path) throws CliException, IOException {
    CliException.refuseIf(Files.isDirectory(path), path + " is a directory", "name a file");
    return Files.newInputStream(path);
  }

  /** Octets pass as they are; to a person's terminal and into JSON, as text that is safe there. */
  private OutputStream target(Output out) {
    if (out.json()) {
      return new TextLines(
          text -> out.item(JsonValue.object().put("line", text).build(), (item, o) -> {}));
    }
    return out.human() && in.around().terminal()
        ? new TextLines(text -> out.verbatim(TerminalText.safe(text)))
        : in.around().out();
  }

  private void warn(Dedup.Summary summary, Output out) {
    if (summary.forgotTooEarly() > 0) {
      out.warn(
          "warning: more than %d different lines%s; %d were forgotten early and are printed again"
                  .formatted(
                      entries, window.isZero() ? "" : " in a window", summary.forgotTooEarly())
              + " when they come again; give more with --entries");
    }
    if (summary.longLines() > 0) {
      out.warn(
          "warning: lines of more than %d octets, passed without being compared: %d"
              .formatted(Dedup.MAX_LINE_OCTETS, summary.longLines()));
    }
  }

  /** Takes whole lines at each write. */
  private static final class TextLines extends OutputStream {
    private final Consumer<String> next;

    TextLines(Consumer<String> next) {
      this.next = next;
    }

    @Override
    public void write(int octet) {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] octets, int offset, int length) {
      int end = offset + length;
      int start = offset;
      for (int at = offset; at < end; at++) {
        if (octets[at] == '\n' || at == end - 1) {
          int stop = octets[at] == '\n' ? at : end;
          next.accept(new String(octets, start, stop - start, UTF_8));
          start = at + 1;
        }
      }
    }
  }
}
