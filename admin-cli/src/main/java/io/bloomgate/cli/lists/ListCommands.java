package io.bloomgate.cli.lists;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Subcommands;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.ListName;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bloomgate allow} and {@code block}: the operator's own lists, durable and at once. */
public final class ListCommands {

  private ListCommands() {}

  /** The group {@code allow} with its commands. */
  public static CommandLine allow(Invocation in) {
    return tree(in, ListName.ALLOW, new Allow());
  }

  /** The group {@code block} with its commands. */
  public static CommandLine block(Invocation in) {
    return tree(in, ListName.BLOCK, new Block());
  }

  private static CommandLine tree(Invocation in, ListName list, Object group) {
    CommandLine commands = new CommandLine(group);
    Subcommands below = new Subcommands(commands, in);
    below.add("add", () -> new ListAddCommand(in, list));
    below.add("list", () -> new Listing(in, list));
    below.add("remove", () -> new Remove(in, list));
    below.add("edit", () -> new ListEditCommand(in, list));
    below.add("check", () -> new Check(in, list));
    below.add("import", () -> new ListImportCommand(in, list));
    below.add("export", () -> new Export(in, list));
    return commands;
  }

  /** {@code allow}. */
  @Command(
      description = "Show and change your own allow list: what feeds must not refuse.",
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} add 203.0.113.7 --expires 7d"})
  static final class Allow extends Group {}

  /** {@code block}. */
  @Command(
      description =
          "Show and change your own block list: what is refused even if no feed lists it.",
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} add spam.example --reason \"phishing\""})
  static final class Block extends Group {}

  /** The options that choose entries of a list. */
  static final class Part {
    @Option(
        names = "--match",
        paramLabel = "TEXT",
        description = "only entries with this text in subject or reason; * means any text")
    private String match = "";

    @Option(names = "--limit", paramLabel = "N", description = "at most N entries")
    private long limit = Long.MAX_VALUE;

    ControlRequest of(ListName list) throws CliException {
      if (limit < 1) {
        throw new CliException(ExitCode.USAGE, "--limit is below 1", "give a number of entries");
      }
      return new ControlRequest.ListShow(list, match, limit);
    }
  }

  /** {@code list}. */
  @Command(
      description = "Show all entries of the list, those of list files too.",
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} --match shop.example --limit 20"})
  static final class Listing implements Callable<Integer> {
    private final Invocation in;
    private final ListName list;
    @Mixin private Part part = new Part();

    Listing(Invocation in, ListName list) {
      this.in = in;
      this.list = list;
    }

    @Override
    public Integer call() throws CliException {
      return EntryText.ask(in, part.of(list), "no entries");
    }
  }

  /** {@code remove}. */
  @Command(
      description = "Remove entries, by subject or id.",
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} 203.0.113.7"})
  static final class Remove implements Callable<Integer> {
    private final Invocation in;
    private final ListName list;

    @Parameters(
        paramLabel = "SUBJECT",
        arity = "1..*",
        completionCandidates = LiveWords.Entries.class,
        description = "subjects or ids as listed")
    private List<String> subjects = new ArrayList<>();

    Remove(Invocation in, ListName list) {
      this.in = in;
      this.list = list;
    }

    @Override
    public Integer call() throws CliException {
      return in.ask(new ControlRequest.ListRemove(list, subjects), EntryText::change);
    }
  }

  /** {@code check}. */
  @Command(
      description = "Show the entries that match a subject; exit code 1 when there is none.",
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} mail.partner.example"})
  static final class Check implements Callable<Integer> {
    private final Invocation in;
    private final ListName list;

    @Parameters(
        paramLabel = "SUBJECT",
        completionCandidates = LiveWords.Entries.class,
        description = "IP, CIDR, domain or address")
    private String subject = "";

    Check(Invocation in, ListName list) {
      this.in = in;
      this.list = list;
    }

    @Override
    public Integer call() throws CliException {
      return EntryText.ask(in, new ControlRequest.ListCheck(list, subject), "no entry matches it");
    }
  }

  /** {@code export}. */
  @Command(
      description = "Print the list in the form that import reads.",
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} > entries.list"})
  static final class Export implements Callable<Integer> {
    private final Invocation in;
    private final ListName list;
    @Mixin private Part part = new Part();

    Export(Invocation in, ListName list) {
      this.in = in;
      this.list = list;
    }

    @Override
    public Integer call() throws CliException {
      return in.ask(part.of(list), Export::show);
    }

    private static void show(JsonObject entry, Output out) {
      out.line(HumanText.value(entry, "text"));
    }
  }
}
