package io.bloomgate.cli;

import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Template;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.config.notation.TerminalText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/**
 * {@code bloomgate status}: ten lines for a person, and with {@code -v} all that the gateway says.
 */
@Command(
    description =
        "Show mode, lists, sessions, verdicts and what is wrong, in ten lines; more with -v.")
@Example("-v")
final class StatusCommand extends CliCommand {

  /** Members that the first lines say whole; with {@code -v} whatever else there is follows. */
  private static final Set<String> WORDED =
      Set.of(
          ("mode mode_configured mode_until generation ready reason serves_mail uptime_s alarms"
                  + " alarms_seen")
              .split(" "));

  /** Verdicts in the order of the line. */
  private static final List<Map.Entry<String, String>> VERDICT_WORDS =
      List.of(
          Map.entry("accept", "let pass"),
          Map.entry("reject", "refused"),
          Map.entry("tag", "tagged"),
          Map.entry("greylist", "greylisted"),
          Map.entry("tempfail", "put off"),
          Map.entry("would_reject", "would be refused"),
          Map.entry("would_tag", "would be tagged"),
          Map.entry("would_greylist", "would be greylisted"),
          Map.entry("would_tempfail", "would be put off"),
          Map.entry("smtp_rules", "refused by SMTP rules"),
          Map.entry("server_away", "put off while the mail server was away"));

  private static final int NAME_WIDTH = 17;

  private static final String VERDICTS = "verdicts_1h";

  @Override
  public Integer call() throws CliException {
    return in.ask(
        new ControlRequest.Status(),
        (item, out) -> {
          show(item, out);
          if (in.options().verbose) {
            showAll(item, out);
          }
        });
  }

  private static void show(JsonObject item, Output out) {
    boolean ready = item.isTrue("ready");
    String mode = HumanText.value(item, "mode");
    out.line(
        out.palette().bold("mode " + mode)
            + override(item, mode, out)
            + Template.fill(", generation {generation}, ", item)
            + (ready ? out.palette().good("ready") : out.palette().bad(notReady(item)))
            + item.number("uptime_s").stream()
                .mapToObj(s -> ", up " + Quantities.rough(Duration.ofSeconds(s)))
                .findFirst()
                .orElse(""));
    if (mode.equals("observe")) {
      out.line("  lists refuse nothing; the log says what they would refuse");
    } else if (mode.equals("soft")) {
      out.line("  what lists refuse is put off: the sender tries again");
    }
    for (JsonValue alarm : item.elements("alarms")) {
      out.line("  " + out.palette().bad("! " + HumanText.value(alarm)) + seen(alarm, item));
    }
    item.object(VERDICTS).ifPresent(hour -> out.line(line("last hour", hour(hour))));
    item.text("downstream")
        .ifPresent(state -> out.line(line("mail server", server(state, item, out))));
    item.object("entries").ifPresent(entries -> out.line(line("lists", lists(entries, item, out))));
    for (String name : List.of("sessions", "generation_id", "unknown_domains", "promotions")) {
      item.get(name)
          .map(HumanText::value)
          .filter(text -> !text.equals("-"))
          .ifPresent(text -> out.line(line(name, text)));
    }
  }

  /** Names the user who has seen an alarm. */
  private static String seen(JsonValue alarm, JsonObject item) {
    return item.objects("alarms_seen").stream()
        .filter(one -> one.get("alarm").filter(alarm::equals).isPresent())
        .map(one -> " (seen by " + HumanText.value(one, "by") + ")")
        .collect(Collectors.joining());
  }

  /** Accepted and refused always, the others where there are any. */
  private static String hour(JsonObject verdicts) {
    if (verdicts.members().isEmpty()) {
      return "not known: sessions are not kept (sessions.retain), or cannot be read";
    }
    List<String> parts = new ArrayList<>();
    for (Map.Entry<String, String> verdict : VERDICT_WORDS) {
      long count = verdicts.number(verdict.getKey()).orElse(0);
      if (count > 0 || parts.size() < 2) {
        parts.add(Quantities.grouped(count) + " " + verdict.getValue());
      }
    }
    return String.join(", ", parts);
  }

  private static String server(String state, JsonObject item, Output out) {
    String identity = item.text("identity").orElse("none");
    if (!state.equals("up")) {
      return out.palette().bad(TerminalText.safe(state)) + problems(item);
    }
    return identity.equals("none")
        ? "up; it sees the gateway as the client of all mail"
        : "up; it learns the client's address by " + TerminalText.safe(identity);
  }

  private static String problems(JsonObject item) {
    String problems =
        item.objects("upstreams").stream()
            .filter(server -> !server.text("problem").orElse("").isEmpty())
            .map(server -> Template.fill("{server}: {problem}", server))
            .collect(Collectors.joining(", "));
    return problems.isEmpty() ? "" : "; " + problems;
  }

  private static String lists(JsonObject entries, JsonObject item, Output out) {
    String bad = HumanText.value(item, "feeds_bad");
    String disabled = HumanText.value(item, "feeds_disabled");
    return HumanText.entries(entries, "total")
        + (bad.equals("-") ? "" : "; " + out.palette().bad("in trouble: " + bad))
        + (disabled.equals("-") ? "" : "; " + out.palette().warn("disabled: " + disabled));
  }

  /** The members as the gateway names them. */
  private static void showAll(JsonObject item, Output out) {
    out.line("");
    item.members()
        .forEach((name, value) -> {
          if (!WORDED.contains(name)) {
            showMember(name, value, out);
          }
        });
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
    boolean ends = item.text("mode_until").isPresent();
    String end = ends ? HumanText.distance(item, "mode_until", out.now()) : "";
    if (configured.equals(mode)) {
      return ends ? " (the mode before is back " + end + ")" : "";
    }
    String until = ends ? ", back " + end : "";
    return " (settings say " + TerminalText.safe(configured) + until + ")";
  }

  /** Objects in an object, and those in a list, have a line each. */
  private static void showMember(String name, JsonValue value, Output out) {
    if (value instanceof JsonObject object
        && object.members().values().stream().anyMatch(JsonObject.class::isInstance)) {
      object
          .members()
          .forEach((key, inner) -> out.line(line(name + "." + key, HumanText.value(inner))));
    } else if (value instanceof JsonArray(List<JsonValue> elements)
        && elements.stream().anyMatch(JsonObject.class::isInstance)) {
      for (int i = 0; i < elements.size(); i++) {
        out.line(line(i == 0 ? name : "", HumanText.value(elements.get(i))));
      }
    } else {
      out.line(line(name, HumanText.value(value)));
    }
  }

  private static String line(String name, String value) {
    String words = TerminalText.safe(name).replace('_', ' ');
    return "  " + words + " ".repeat(Math.max(1, NAME_WIDTH - words.length())) + value;
  }
}
