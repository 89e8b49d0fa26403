package io.bloomgate.cli.fleet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.blocklists.fleet.published.FleetKeys;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.NewFile;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Subcommands;
import io.bloomgate.cli.command.Template;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bloomgate fleet}: several gateways that share lists. One command, one thread. */
@Command(
    description = "Work with several gateways that share lists, entries and counters.",
    addMethodSubcommands = false)
@Example("status")
public final class FleetCommands extends Group {

  /** The group with its commands. */
  public static Subcommands tree() {
    return new Subcommands(new FleetCommands()).add("status", "key");
  }

  /** Makes the keys of a new fleet; replaces nothing. */
  @Command(
      description = {
        "Make the keys of a new fleet.",
        "FILE signs and stays on the leader; FILE.pub and FILE.secret go to all nodes.",
        "FILE and FILE.secret are readable for you only; give them to the gateway's user."
      })
  @Example("/etc/bloomgate/fleet")
  int key(@Parameters(paramLabel = "FILE", description = "the file of the private key") Path file)
      throws CliException {
    Path open = file.resolveSibling(file.getFileName() + ".pub");
    Path secret = file.resolveSibling(file.getFileName() + ".secret");
    for (Path one : new Path[] {file, open, secret}) {
      if (Files.exists(one)) {
        throw isThere(one);
      }
    }
    FleetKeys.Made made = FleetKeys.make();
    write(file, made.privateKey(), "rw-------");
    write(secret, made.secret(), "rw-------");
    write(open, made.publicKey(), "rw-r--r--");
    in.output()
        .report(
            JsonValue.object()
                .put("private_key", file.toString())
                .put("public_key", open.toString())
                .put("secret_file", secret.toString())
                .build(),
            (item, out) -> {
              out.line(
                  "{private_key}  signs; for fleet.private_key of the leader, nowhere else", item);
              out.line("{public_key}  checks; for fleet.public_key of all others", item);
              out.line(
                  "{secret_file}  for fleet.secret_file of all nodes; the same everywhere", item);
            });
    return ExitCode.OK;
  }

  private static CliException isThere(Path file) {
    return CliException.usage(
        file + " is there already",
        "a new key would lock out all nodes; name another file, or remove it first");
  }

  private static void write(Path target, String text, String mode) throws CliException {
    try {
      Files.createFile(
          target, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode)));
      Files.writeString(target, text, US_ASCII);
    } catch (FileAlreadyExistsException e) {
      throw isThere(target);
    } catch (NoSuchFileException e) {
      throw new CliException(
          ExitCode.USAGE, "the folder of " + target + " is missing", "make it first", e);
    } catch (IOException e) {
      throw NewFile.failure(target, e, "name another file");
    }
  }

  @Command(
      description = {
        "Show the nodes of the fleet: mode, who leads, which generation each has, how far behind it"
            + " is.",
        "LAG is from the last entry that a node has applied to the newest; WAITING are changes that"
            + " are not in Redis yet. A node is gone when Redis has not heard of it for 5 s; after"
            + " a week it is gone for long, and `(1 away)` of other commands does not count it.",
        "The line below says how this gateway counts senders and mails with the others.",
        "Without Redis: this gateway, and the manifest that it published or took last.",
        "Exit code 1: Redis cannot be reached or refuses something, the leader's files cannot be"
            + " used, or this gateway shares nothing."
      })
  @Example("")
  int status() throws CliException {
    TextTable table = new TextTable("NODE|STATE|MODE|ROLE|GENERATION|PLACE|>LAG|>WAITING|VERSION");
    List<JsonObject> self = new ArrayList<>();
    Invocation.Whole answer =
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
    TextTable table = new TextTable("NODE|MODE|ROLE|LEADER|>MANIFEST|PUBLISHED|GENERATION");
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
