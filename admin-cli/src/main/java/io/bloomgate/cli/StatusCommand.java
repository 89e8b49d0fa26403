package io.bloomgate.cli;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Specs;
import io.bloomgate.cli.command.TerminalText;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;

/** {@code bloomgate status}: one screen. */
final class StatusCommand implements Callable<Integer> {

  /** Members with a line of their own wording; whatever else the gateway says follows. */
  private static final Set<String> WORDED =
      Set.of(
          "mode",
          "mode_configured",
          "mode_until",
          "generation",
          "ready",
          "reason",
          "serves_mail",
          "uptime_s",
          "alarms");

  private static final int NAME_WIDTH = 17;

  private static final String FILTERS = "filters";
  private static final String VERDICTS = "verdicts_1h";

  /** Follows the verdicts when some of the hour were lost. */
  private static final String GAP = "verdicts_1h_gap";

  private final Invocation in;

  StatusCommand(Invocation in) {
    this.in = in;
  }

  CommandSpec spec() {
    return Specs.withExamples(
        Specs.command(
            this, "Show mode, lists, sessions, verdicts and what is wrong, on one screen."),
        "-o json");
  }

  @Override
  public Integer call() throws CliException {
    return in.ask(new ControlRequest.Status(), StatusCommand::show);
  }

  private static void show(JsonObject item, Output out) {
    boolean ready = item.isTrue("ready");
    String mode = HumanText.value(item, "mode");
    out.line(
        out.palette().bold("mode " + mode)
            + override(item, mode, out)
            + ", generation "
            + HumanText.value(item, "generation")
            + ", "
            + (ready ? out.palette().good("ready") : out.palette().bad(notReady(item)))
            + item.number("uptime_s").stream()
                .mapToObj(s -> ", up " + HumanText.span(Duration.ofSeconds(s)))
                .findFirst()
                .orElse(""));
    for (JsonValue alarm : item.elements("alarms")) {
      out.line("  " + out.palette().bad("! " + HumanText.value(alarm)));
    }
    Set<String> names = new LinkedHashSet<>(item.members().keySet());
    names.removeAll(WORDED);
    if (names.contains(VERDICTS) && names.remove(FILTERS)) {
      names = after(names, names.contains(GAP) ? GAP : VERDICTS, FILTERS);
    }
    for (String name : names) {
      showMember(name, item.members().getOrDefault(name, JsonValue.NULL), out);
      if (name.equals("identity") && isAnonymous(item)) {
        out.line(line("", "the mail server sees the gateway as the client of all mail"));
      }
    }
  }

  /**
   * True when the server accepts no identity of the client; of a server that is down it is not
   * known.
   */
  private static boolean isAnonymous(JsonObject item) {
    return item.text("identity").orElse("").equals("none")
        && item.text("downstream").orElse("").equals("up");
  }

  /** The most wanted members come first; the filters come last. */
  private static Set<String> after(Set<String> names, String before, String moved) {
    Set<String> ordered = new LinkedHashSet<>();
    for (String name : names) {
      ordered.add(name);
      if (name.equals(before)) {
        ordered.add(moved);
      }
    }
    return ordered;
  }

  /** The result as {@code health} prints it, and that mail comes through although it starts. */
  private static String notReady(JsonObject item) {
    return "NOT READY"
        + item.text("reason")
            .map(reason ->
                " ("
                    + TerminalText.safe(reason)
                    + (reason.equals("starting") && item.isTrue("serves_mail")
                        ? "; mail is served already"
                        : "")
                    + ")")
            .orElse("");
  }

  /** A mode that was set by command, or that is not yet what the settings say. */
  private static String override(JsonObject item, String mode, Output out) {
    String configured = item.text("mode_configured").orElse(mode);
    if (configured.equals(mode)) {
      return "";
    }
    String until =
        item.text("mode_until").isEmpty()
            ? ""
            : ", back " + HumanText.distance(item, "mode_until", out.now());
    return " (settings say " + TerminalText.safe(configured) + until + ")";
  }

  private static void showMember(String name, JsonValue value, Output out) {
    if (value instanceof JsonObject object
        && object.members().values().stream().anyMatch(JsonObject.class::isInstance)) {
      for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
        out.line(line(name + "." + member.getKey(), HumanText.value(member.getValue())));
      }
      return;
    }
    if (name.equals(GAP) && value instanceof JsonObject gap) {
      out.line(
          line(
              "",
              "incomplete from "
                  + HumanText.value(gap, "from")
                  + " to "
                  + HumanText.value(gap, "to")
                  + ", because the gateway did not end cleanly; `stats` has them"));
      return;
    }
    String text = HumanText.value(value);
    boolean bad =
        name.equals("feeds_bad")
            && value instanceof JsonValue.JsonArray(List<?> feeds)
            && !feeds.isEmpty();
    bad |= text.equals("down");
    out.line(line(name, bad ? out.palette().bad(text) : text));
  }

  private static String line(String name, String value) {
    String words = TerminalText.safe(name).replace('_', ' ');
    return "  " + words + " ".repeat(Math.max(1, NAME_WIDTH - words.length())) + value;
  }
}
