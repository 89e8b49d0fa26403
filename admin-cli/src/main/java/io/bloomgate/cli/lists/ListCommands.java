package io.bloomgate.cli.lists;

import io.bloomgate.blocklists.operator.TypedSubject;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Specs;
import io.bloomgate.cli.command.Subcommands;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.ListName;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** {@code bloomgate allow} and {@code block}: the operator's own lists, durable and at once. */
public final class ListCommands {

  private ListCommands() {}

  /** The group {@code allow} with its commands. */
  public static CommandLine allow(Invocation in) {
    return tree(
        in,
        ListName.ALLOW,
        Specs.withExamples(
            Group.of("Show and change your own allow list: what feeds must not refuse."),
            "add 203.0.113.7 --expires 7d"));
  }

  /** The group {@code block} with its commands. */
  public static CommandLine block(Invocation in) {
    return tree(
        in,
        ListName.BLOCK,
        Specs.withExamples(
            Group.of(
                "Show and change your own block list: what is refused even if no feed lists it."),
            "add spam.example --reason \"phishing\""));
  }

  private static CommandLine tree(Invocation in, ListName list, CommandSpec group) {
    CommandLine commands = new CommandLine(group);
    Subcommands below = new Subcommands(commands, in);
    below.add("add", () -> new ListAddCommand(in, list).spec());
    below.add("list", () -> new Listing(in, list));
    below.add("remove", () -> new Remove(in, list).spec());
    below.add("edit", () -> new ListEditCommand(in, list).spec());
    below.add("check", () -> new Check(in, list).spec());
    below.add("import", () -> new ListImportCommand(in, list));
    below.add("export", () -> new Export(in, list));
    return commands;
  }

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
  static final class Remove implements Callable<Integer> {
    private final Invocation in;
    private final ListName list;
    private final EntryOptions named = new EntryOptions();

    Remove(Invocation in, ListName list) {
      this.in = in;
      this.list = list;
    }

    CommandSpec spec() {
      CommandSpec spec = Specs.command(this, "Remove entries, by subject or id.");
      Specs.withExamples(spec, "203.0.113.7", "--url https://docs.example/form/1");
      named.addTo(spec);
      return spec;
    }

    @Override
    public Integer call() throws CliException {
      return named.send(in, list, names -> new ControlRequest.ListRemove(list, names));
    }
  }

  /** {@code check}. */
  static final class Check implements Callable<Integer> {
    private final Invocation in;
    private final ListName list;
    private @Nullable String subject;
    private final CarriedOptions carried = new CarriedOptions();

    Check(Invocation in, ListName list) {
      this.in = in;
      this.list = list;
    }

    CommandSpec spec() {
      CommandSpec spec =
          Specs.command(
              this, "Show the entries that match a subject; exit code 1 when there is none.");
      Specs.withExamples(spec, "mail.partner.example", "--url https://docs.example/form/1");
      spec.addPositional(
          Specs.argument("SUBJECT", "0..1", value -> subject = value)
              .completionCandidates(new LiveWords.Entries())
              .description("IP, CIDR, domain, address or URL")
              .build());
      carried.addTo(spec);
      return spec;
    }

    @Override
    public Integer call() throws CliException {
      List<TypedSubject> things = carried.read();
      if (things.size() + (subject == null ? 0 : 1) != 1) {
        throw new CliException(
            ExitCode.USAGE,
            "not one subject",
            "name one IP, CIDR, domain or address, or one --url");
      }
      return subject == null
          ? EntryText.askAbout(in, list, things.getFirst())
          : EntryText.ask(in, new ControlRequest.ListCheck(list, subject), "no entry matches it");
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
      out.verbatim(HumanText.value(entry, "text"));
    }
  }
}
