package io.bloomgate.cli;

import io.bloomgate.cli.GlobalOptions.Format;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import java.io.PrintStream;
import java.time.Instant;
import java.util.stream.Collectors;

/**
 * Where answers go: standard output for the answer, standard error for everything beside it. The
 * only class that prints. With {@code json} standard output carries objects and nothing else.
 */
final class Output {

  private final Surroundings around;
  private final GlobalOptions options;
  private final Palette palette;
  private boolean progressShown;

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
  interface View {
    /** Prints the object through {@link Output#line}. */
    void show(JsonObject item, Output out);
  }

  /** One object of the answer, in the form that was asked for. */
  void item(JsonObject item, View view) {
    clearProgress();
    switch (options.output) {
      case HUMAN -> view.show(item, this);
      case JSON -> print(around.out(), TerminalText.safeJson(Json.write(item)));
      case RAW -> print(around.out(), raw(item));
    }
  }

  /** The values of an object between tabs; what is nested stays JSON. */
  private static String raw(JsonObject item) {
    return item.members().values().stream().map(Output::rawValue).collect(Collectors.joining("\t"));
  }

  private static String rawValue(JsonValue value) {
    return switch (value) {
      case JsonString(String text) -> TerminalText.safe(text);
      case JsonValue.JsonNull() -> "";
      case JsonValue other -> TerminalText.safeJson(Json.write(other));
    };
  }

  /** A line of the answer; texts from outside must have gone through {@link TerminalText}. */
  void line(String text) {
    clearProgress();
    print(around.out(), text);
  }

  /** A sentence beside the answer; warnings are told from their first word. */
  void note(String text) {
    if (human() && !text.startsWith("warning:")) {
      if (!options.quiet) {
        clearProgress();
        print(around.out(), "  " + TerminalText.safe(text));
      }
    } else {
      warn(text);
    }
  }

  /** A sentence that stands beside the answer and never in it. */
  void warn(String text) {
    if (!options.quiet) {
      clearProgress();
      print(around.err(), TerminalText.safe(text));
    }
  }

  /** What is wrong, as one line. */
  void error(String text) {
    clearProgress();
    print(around.err(), "bloomgate: " + TerminalText.safe(text));
  }

  /** A sign of life: a line that is written over on a terminal, else a line of its own. */
  void progress(String text) {
    if (options.quiet || !human() || text.isEmpty()) {
      return;
    }
    if (around.terminal()) {
      around.err().print("\r\u001b[K" + TerminalText.safe(text));
      around.err().flush();
      progressShown = true;
    } else {
      print(around.err(), TerminalText.safe(text));
    }
  }

  private void clearProgress() {
    if (progressShown) {
      around.err().print("\r\u001b[K");
      around.err().flush();
      progressShown = false;
    }
  }

  /** False when nobody reads any more, as behind {@code | head}. */
  boolean isRead() {
    return !around.out().checkError();
  }

  boolean human() {
    return options.output == Format.HUMAN;
  }

  boolean json() {
    return options.output == Format.JSON;
  }

  Palette palette() {
    return palette;
  }

  Instant now() {
    return around.clock().instant();
  }

  private static void print(PrintStream to, String line) {
    to.print(line + "\n");
    to.flush();
  }
}
