package io.bloomgate.cli.command;

import io.bloomgate.cli.command.GlobalOptions.Format;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.notation.TerminalText;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;

/**
 * Prints answers: the answer to standard output, everything else to standard error. The only class
 * that prints. With {@code json} standard output carries objects and nothing else.
 */
public final class Output {

  /** The end of a line of the shell that goes on in the next one. */
  private static final String CONTINUED = " \\";

  private final Surroundings around;
  private final GlobalOptions options;
  private final Palette palette;
  private boolean progressShown;
  private boolean columnsSeen;
  private String lastProgress = "";
  private int blockLines;

  Output(Surroundings around, GlobalOptions options) {
    this.around = around;
    this.options = options;
    boolean wanted =
        switch (options.color) {
          case YES -> true;
          case NO -> false;
          case AUTO ->
              around.terminal() && around.environment().getOrDefault("NO_COLOR", "").isEmpty();
        };
    this.palette = new Palette(wanted && options.output == Format.HUMAN);
  }

  /** Shows one object of an answer to a person. */
  @FunctionalInterface
  public interface View {
    /** Prints the object through {@link Output#line}. */
    void show(JsonObject item, Output out);
  }

  /** One object of the answer, in the form that was asked for. */
  public void item(JsonObject item, View view) {
    clearProgress();
    switch (options.output) {
      case HUMAN -> view.show(options.local ? LocalTimes.in(options.zone(), item) : item, this);
      case JSON -> print(around.out(), item);
      case RAW -> {
        if (options.fieldsNamed && !columnsSeen) {
          RawColumns.unknown(options.fields, item).ifPresent(this::warn);
        }
        columnsSeen = true;
        print(around.out(), RawColumns.line(options.fields, item));
      }
    }
  }

  /** Prints what was written to a file, beside the file itself; nothing with {@code -q}. */
  public void report(JsonObject item, View view) {
    if (!options.quiet) {
      item(item, view);
    }
  }

  /**
   * A line of the answer, which goes on below where the terminal ends; texts from outside must have
   * gone through {@link TerminalText}.
   */
  public void line(String text) {
    (human() ? fitted(text) : List.of(text)).forEach(this::verbatim);
  }

  /** A line of the answer that is copied or searched, as it is. */
  public void verbatim(String text) {
    clearProgress();
    print(around.out(), text);
  }

  /**
   * A name and a command to be typed, with the options that lead to this gateway; the shell reads
   * on where the terminal ends.
   */
  public void command(String text) {
    String typed = text.contains(" bloomgate ") ? text + options.toThisGateway() : text;
    List<String> lines = TerminalText.fittedCommand(typed, columns() - CONTINUED.length());
    verbatim(String.join(CONTINUED + "\n", lines));
  }

  /** A comment among lines of a settings file. */
  public void comment(String text) {
    TerminalText.fitted(text, columns() - 2).forEach(line -> verbatim("# " + line));
  }

  /** The width of the terminal. */
  public int columns() {
    return TerminalSize.of(around.environment()).columns();
  }

  /** A line with places for members of an object, see {@link Template}. */
  public void line(String text, JsonObject item) {
    line(Template.fill(text, item, now()));
  }

  /** A sentence beside the answer; one that begins with {@code warning:} goes to standard error. */
  public void note(String text) {
    if (human() && !text.startsWith("warning:")) {
      if (!options.quiet) {
        line("  " + TerminalText.safe(text));
      }
    } else {
      warn(text);
    }
  }

  /** A sentence for standard error; it is never part of the answer. */
  public void warn(String text) {
    if (!options.quiet) {
      beside(text);
    }
  }

  /** Prints an error as one line, beside the answer; an object where objects were asked for. */
  public void error(String text) {
    clearProgress();
    if (json()) {
      print(around.err(), JsonValue.object().put("error", text).build());
    } else {
      beside("bloomgate: " + text);
    }
  }

  /** A line of standard error, which goes on below where the terminal ends, as that of answers. */
  private void beside(String text) {
    clearProgress();
    fitted(TerminalText.safe(text)).forEach(line -> print(around.err(), line));
  }

  private List<String> fitted(String text) {
    return human()
        ? TerminalText.fitted(options.inCommands(text), columns())
        : List.of(options.inCommands(text));
  }

  /** The same with a hint, and with the exit code that the program will have. */
  public void error(CliException e) {
    if (!json()) {
      error(e.line());
      return;
    }
    clearProgress();
    print(
        around.err(),
        JsonValue.object()
            .put("error", e.problem())
            .put("hint", e.hint())
            .put("exit", e.exitCode())
            .build());
  }

  /**
   * Progress on standard error: on a terminal a line that the next one overwrites, else a separate
   * line; with {@code json} one object for each line.
   */
  public void progress(String text, JsonObject value) {
    if (options.quiet) {
      return;
    }
    switch (options.output) {
      case JSON -> {
        if (!value.members().isEmpty()) {
          print(around.err(), value);
        }
      }
      case HUMAN -> progress(text);
      case RAW -> {}
    }
  }

  private void progress(String text) {
    if (text.isEmpty()) {
      return;
    }
    if (canRewrite()) {
      around.err().print("\r\u001b[K" + TerminalText.safe(text));
      around.err().flush();
      progressShown = true;
    } else if (!text.equals(lastProgress)) {
      lastProgress = text;
      beside(text);
    }
  }

  /** True when a person looks at a terminal on which lines can be written over. */
  boolean canRewrite() {
    return human()
        && !options.quiet
        && around.terminal()
        && TerminalSize.canRewrite(around.environment());
  }

  /**
   * Lines that belong together and that the next ones overwrite; anything else that is printed
   * overwrites them too. Long lines are cut by the terminal (DECAWM off), because one that was
   * wrapped could not be found again. Texts from outside must have gone through {@link
   * TerminalText}.
   */
  void block(List<String> lines) {
    StringBuilder drawing = new StringBuilder("\u001b[?7l").append(upOverBlock());
    lines.forEach(line -> drawing.append(line).append("\u001b[K\n"));
    around.out().print(drawing.append("\u001b[J\u001b[?7h"));
    around.out().flush();
    blockLines = lines.size();
  }

  private String upOverBlock() {
    return blockLines == 0 ? "" : "\u001b[" + blockLines + "A\r";
  }

  private void clearProgress() {
    if (progressShown) {
      around.err().print("\r\u001b[K");
      around.err().flush();
      progressShown = false;
    }
    if (blockLines > 0) {
      around.out().print(upOverBlock() + "\u001b[J");
      around.out().flush();
      blockLines = 0;
    }
  }

  /** False when nothing more gets out: the reader has closed, or the disk is full. */
  public boolean isRead() {
    return around.out().isRead();
  }

  public boolean human() {
    return options.output == Format.HUMAN;
  }

  public boolean json() {
    return options.output == Format.JSON;
  }

  public Palette palette() {
    return palette;
  }

  public Instant now() {
    return around.clock().instant();
  }

  private static void print(PrintStream to, JsonObject object) {
    print(to, TerminalText.safe(Json.write(object)));
  }

  private static void print(PrintStream to, String line) {
    to.print(line + "\n");
    to.flush();
  }
}
