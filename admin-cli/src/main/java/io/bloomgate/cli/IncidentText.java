package io.bloomgate.cli;

import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Template;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.notation.TerminalText;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The outcome of the mail of an incident, for a person. Pure; called by {@link ExplainText}. */
final class IncidentText {

  private IncidentText() {}

  /**
   * The sentence about a decision of the past: what the lists answered, and what happened to the
   * mail.
   *
   * @param verdict of mode enforce; {@code none} when no list decided
   * @param stage where it was decided
   */
  static String met(String verdict, String stage, JsonObject e) {
    boolean observed = e.text("mode").orElse("").equals("observe") && verdict.equals("tag");
    return ended(observed ? "would_tag" : verdict, stage, e);
  }

  private static String ended(String verdict, String stage, JsonObject e) {
    JsonObject happened = e.object("happened").orElse(null);
    String outcome = happened == null ? "" : happened.text("outcome").orElse("");
    boolean later = happened != null && happened.text("reply").orElse("").startsWith("4");
    return switch (outcome) {
      case "refused" -> "was " + (later ? "PUT OFF" : "REFUSED") + " at " + stage;
      case "would_refuse" -> lists(verdict) + " at " + stage + ", was let through";
      case "delivered" -> lists(verdict) + ", was delivered" + dropped(happened);
      case "dropped" -> lists(verdict) + " for nobody: it was answered 250 and dropped";
      case "upstream_refused" ->
          lists(verdict) + ", was " + (later ? "put off" : "refused") + " by the mail server";
      case "upstream_failed" ->
          lists(verdict) + ", was put off because the mail server could not be used";
      case "abandoned" -> lists(verdict) + ", was not delivered: the client went away";
      case "unknown" ->
          lists(verdict) + ", the reply of the mail server was lost, so it may have the message";
      case "protocol" ->
          "was "
              + (later ? "put off" : "refused")
              + " at "
              + stage
              + " by a rule of the protocol or a limit, not by a list"
              + byLists(verdict);
      case "turned_away" -> "was turned away at " + stage;
      default -> "had the verdict " + TerminalText.safe(verdict) + " at " + stage;
    };
  }

  /** Copies that ended here: for a trap, or for the address of reports. */
  private static String dropped(@Nullable JsonObject happened) {
    List<JsonValue> dropped = happened == null ? List.of() : happened.elements("dropped_for");
    return dropped.isEmpty()
        ? ""
        : dropped.stream()
            .map(HumanText::value)
            .collect(Collectors.joining(", ", ", but the copy for ", " was dropped"));
  }

  /** The verdict that mode observe noted before the protocol refused the mail. */
  private static String byLists(String verdict) {
    return switch (verdict) {
      case "reject", "tempfail", "greylist" -> "; by the lists it " + lists(verdict);
      default -> "";
    };
  }

  /** The answer of the lists for a mail that they did not refuse themselves. */
  private static String lists(String verdict) {
    return switch (verdict) {
      case "reject" -> "would have been REFUSED";
      case "tempfail" -> "would have been PUT OFF";
      case "greylist" -> "would have been GREYLISTED";
      case "tag" -> "was TAGGED";
      case "would_tag" -> "would have been TAGGED";
      case "accept", "none" -> "was passed on";
      default -> "had the verdict " + TerminalText.safe(verdict);
    };
  }

  /**
   * The addition to the headline when the same mail would get another verdict now: the answer about
   * an id is about that mail, but an administrator who has just allowed it looks for the effect.
   * Empty when nothing changed, or when it is not known.
   */
  static String change(JsonObject e, Output out) {
    String now = e.text("now_verdict").orElse("");
    if (now.isEmpty() || now.equals(e.text("verdict").orElse(""))) {
      return "";
    }
    return e.object("now")
        .map(answer -> "; the same mail now " + verdict(now, answer, out))
        .orElse("");
  }

  /** The answer of lists and entries today, about the mail or about what was kept of it. */
  static String now(JsonObject e, JsonObject now, Output out) {
    String verdict = now.text("verdict").orElse("none");
    boolean spared = now.text("mode").orElse("").equals("observe") && !verdict.equals("accept");
    return (e.text("now_verdict").isPresent() ? "" : "what was kept of it ")
        + ExplainText.wouldMeet(verdict, now, out)
        + (spared ? " (mode observe: logged only)" : "")
        + (now.object("allow").isPresent()
            ? ", allow entry " + ExplainText.allow(now)
            : ", no allow entry");
  }

  private static String verdict(String verdict, JsonObject now, Output out) {
    return ExplainText.wouldMeet(verdict, now, out)
        + now.object("allow")
            .map(allow -> ", by your allow entry " + HumanText.value(allow, "entry"))
            .orElse("");
  }

  /** Another answer of the same transaction, to another recipient. */
  static String beside(JsonObject answer) {
    return "  beside   " + Template.fill("{id} to={to}, {outcome}: {reply}", answer);
  }

  /** The facts that the gateway noted when it happened. */
  static String happened(JsonObject h) {
    return Template.fill("{time} client {client_ip}", h)
        + h.object("passed")
            .filter(passed -> passed.text("forwarded_for").isPresent())
            .map(passed -> Template.fill(" forwarded for {forwarded_for}", passed))
            .orElse("")
        + Template.fill(" helo={helo} from={from} to={to}, {outcome}", h)
        + (h.number("count").isPresent() ? Template.fill(" {count} times", h) : "")
        + Template.fill(": {reply}", h);
  }
}
