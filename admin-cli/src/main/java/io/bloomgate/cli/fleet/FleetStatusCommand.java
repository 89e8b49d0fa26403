package io.bloomgate.cli.fleet;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Exchange;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.TerminalText;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code bloomgate fleet status}. */
@Command(
    description = {
      "Show the nodes of the fleet: mode, who leads, which generation each has, how far behind it"
          + " is.",
      "LAG is from the last entry that a node has applied to the newest; WAITING are changes that"
          + " are not in Redis yet. A node is gone when Redis has not heard of it for 5 s; after a"
          + " week it is gone for long, and `(1 away)` of other commands does not count it.",
      "The line below says how this gateway counts senders and mails with the others.",
      "Without Redis: this gateway, and the manifest that it published or took last.",
      "Exit code 1: Redis cannot be reached or refuses something, the leader's files cannot be"
          + " used, or this gateway shares nothing."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME}"})
final class FleetStatusCommand implements Callable<Integer> {

  private static final List<String> TITLES =
      List.of("NODE", "STATE", "MODE", "ROLE", "GENERATION", "PLACE", "LAG", "WAITING", "VERSION");

  private final Invocation in;

  FleetStatusCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    TextTable table = new TextTable(TITLES, Set.of(6, 7));
    boolean[] rows = new boolean[1];
    List<JsonObject> self = new ArrayList<>();
    Exchange.Whole answer =
        in.whole(
            new ControlRequest.FleetStatus(),
            (node, out) -> {
              if (node.isTrue("self")) {
                self.add(node);
              }
              if (node.text("place").isPresent()) {
                rows[0] = true;
                table.row(row(node));
              }
            });
    Output out = in.output();
    if (out.human()) {
      if (rows[0]) {
        table.print(out);
      }
      self.forEach(node -> remarks(node, out));
    }
    return answer.exitCode();
  }

  /** Prints the problems between this gateway and Redis. */
  private static void remarks(JsonObject node, Output out) {
    String name = HumanText.value(node, "node");
    if (node.text("shares").isPresent()) {
      ofFiles(name, node, out);
      return;
    }
    node.text("problem")
        .ifPresent(problem -> {
          out.line(
              name + ": " + out.palette().bad("Redis fails") + ": " + TerminalText.safe(problem));
          out.line("  " + HumanText.value(node, "waiting") + " changes wait on the disk");
        });
    notices(name, node, out);
    node.object("counts").ifPresent(own -> out.line(counts(own)));
  }

  /** A node that shares nothing but files. */
  private static void ofFiles(String name, JsonObject node, Output out) {
    TextTable table =
        new TextTable(
            List.of("NODE", "MODE", "ROLE", "LEADER", "MANIFEST", "PUBLISHED", "GENERATION"),
            Set.of(4));
    table.row(
        List.of(
            name + " (this)",
            HumanText.value(node, "mode"),
            node.isTrue("leader") ? "leader" : "follower",
            HumanText.value(node, "manifest_node"),
            HumanText.value(node, "manifest"),
            HumanText.value(node, "manifest_time"),
            HumanText.value(node, "generation")));
    table.print(out);
    node.text("problem")
        .ifPresent(
            problem -> out.line(name + ": " + out.palette().bad(TerminalText.safe(problem))));
    notices(name, node, out);
  }

  private static void notices(String name, JsonObject node, Output out) {
    for (JsonValue notice : node.elements("notices")) {
      if (notice instanceof JsonString(String text)) {
        out.line(name + ": " + out.palette().warn(TerminalText.safe(text)));
      }
    }
  }

  /** Says what this node counts with the others. */
  private static String counts(JsonObject own) {
    String problem = own.text("problem").orElse("");
    if (!own.isTrue("connected")) {
      return "counted alone: " + TerminalText.safe(problem);
    }
    return "counted together: %s sent, %s of others merged, %s wait, %s dropped, %s skipped"
        .formatted(
            HumanText.value(own, "sent"),
            HumanText.value(own, "merged"),
            HumanText.value(own, "waiting"),
            HumanText.value(own, "dropped"),
            HumanText.value(own, "skipped"));
  }

  private static String state(JsonObject node) {
    return node.isTrue("connected")
        ? "here"
        : (node.isTrue("long_gone") ? "gone for long, since " : "gone since ")
            + HumanText.value(node, "at");
  }

  private static List<String> row(JsonObject node) {
    return List.of(
        HumanText.value(node, "node") + (node.isTrue("self") ? " (this)" : ""),
        state(node),
        HumanText.value(node, "mode"),
        node.isTrue("leader") ? "leader" : "",
        HumanText.value(node, "generation"),
        HumanText.value(node, "place"),
        HumanText.value(node, "lag_ms") + " ms",
        HumanText.value(node, "waiting"),
        HumanText.value(node, "version"));
  }
}
