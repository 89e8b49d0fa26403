package io.bloomgate.cli.fleet;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Exchange;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Template;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
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

  private static final String TITLES = "NODE|STATE|MODE|ROLE|GENERATION|PLACE|LAG|WAITING|VERSION";

  private final Invocation in;

  FleetStatusCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    TextTable table = new TextTable(Template.columns(TITLES), Set.of(6, 7));
    List<JsonObject> self = new ArrayList<>();
    Exchange.Whole answer =
        in.whole(
            new ControlRequest.FleetStatus(),
            (node, out) -> {
              if (node.isTrue("self")) {
                self.add(node);
              }
              if (node.text("place").isPresent()) {
                table.row(row(node, out));
              }
            });
    Output out = in.output();
    if (out.human()) {
      if (!table.isEmpty()) {
        table.print(out);
      }
      self.forEach(node -> remarks(node, out));
    }
    return answer.exitCode();
  }

  /** Prints the problems between this gateway and Redis. */
  private static void remarks(JsonObject node, Output out) {
    if (node.text("shares").isPresent()) {
      ofFiles(node, out);
      return;
    }
    if (node.text("problem").isPresent()) {
      out.line("{node}: " + out.palette().bad("Redis fails") + ": {problem}", node);
      out.line("  {waiting} changes wait on the disk", node);
    }
    notices(node, out);
    node.object("counts").ifPresent(own -> out.line(counts(own), own));
  }

  /** A node that shares nothing but files. */
  private static void ofFiles(JsonObject node, Output out) {
    TextTable table =
        new TextTable(
            Template.columns("NODE|MODE|ROLE|LEADER|MANIFEST|PUBLISHED|GENERATION"), Set.of(4));
    String role = node.isTrue("leader") ? "leader" : "follower";
    String row = "|{manifest_node}|{manifest}|{manifest_time}|{generation}";
    table.row(Template.cells("{node} (this)|{mode}|" + role + row, node, out.now()));
    table.print(out);
    if (node.text("problem").isPresent()) {
      out.line("{node}: " + out.palette().bad("{problem}"), node);
    }
    notices(node, out);
  }

  private static void notices(JsonObject node, Output out) {
    for (JsonValue notice : node.elements("notices")) {
      String text = out.palette().warn(HumanText.value(notice));
      out.line(HumanText.value(node, "node") + ": " + text);
    }
  }

  /** Says what this node counts with the others. */
  private static String counts(JsonObject own) {
    return own.isTrue("connected")
        ? "counted together: {sent} sent, {merged} of others merged, {waiting} wait, {dropped}"
            + " dropped, {skipped} skipped"
        : "counted alone: {problem}";
  }

  private static List<String> row(JsonObject node, Output out) {
    String self = node.isTrue("self") ? " (this)" : "";
    String since = node.isTrue("long_gone") ? "gone for long, since {at}" : "gone since {at}";
    String state = node.isTrue("connected") ? "here" : since;
    String role = node.isTrue("leader") ? "leader" : "";
    String rest = "|{generation}|{place}|{lag_ms} ms|{waiting}|{version}";
    return Template.cells(
        "{node}" + self + "|" + state + "|{mode}|" + role + rest, node, out.now());
  }
}
