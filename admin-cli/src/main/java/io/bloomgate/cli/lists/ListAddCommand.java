package io.bloomgate.cli.lists;

import io.bloomgate.blocklists.operator.TypedSubject;
import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.cli.command.PointInTime;
import io.bloomgate.cli.command.Values.ScopeWord;
import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.notation.Moments;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code allow add} and {@code block add}: stored and in force when the command answers. */
@Command(
    description = {
      "Add entries; they are stored and in force when the command answers.",
      "An IP or CIDR means the client; a domain means the domain and all names below it."
          + " An entry that exists keeps its expiry and reason unless new ones are given.",
      "A * stands for any characters: news-*@shop.example; *.dyn.example and .dyn.example mean all"
          + " names below, and .top all names of a top-level domain.",
      "--client-name means the name of the client's address, where DNS confirms it.",
      "--url, --sha256, --subject and --from-header mean what the mail carries."
    })
@Example({
  "203.0.113.7 --expires 7d --reason \"ticket 4711\"",
  "'news-*@shop.example'",
  "--client-name .dyn.example.net",
  "--url https://docs.example/form/1 --expires 7d"
})
final class ListAddCommand extends CliCommand {

  /** The name that sha256sum gives to what it reads from stdin. */
  private static final String STDIN = "-";

  private final ListKind list;

  @Parameters(
      paramLabel = "SUBJECT",
      arity = "0..*",
      description = "IP, CIDR, domain, mail address, URL or pattern")
  private List<String> subjects = new ArrayList<>();

  @Mixin private EntryOptions.Carried carried = new EntryOptions.Carried();

  @Option(
      names = "--incident",
      paramLabel = "ID",
      completionCandidates = LiveWords.Refusals.class,
      description =
          "what this mail was refused for, only for its client; ID is that of the refusal; a"
              + " URL, an attachment or a From field is allowed from any client")
  private @Nullable String incident;

  @Option(
      names = "--like",
      paramLabel = "ID",
      completionCandidates = LiveWords.Refusals.class,
      description =
          "the text of this mail, for all mails with a text like it; ID is that of its"
              + " session, as `bloomgate sessions` and `bloomgate top --by campaign` show it;"
              + " mail has one when it comes while `content: {bulk: {networks: 20}}` is in"
              + " the settings. A block needs --force when accepted mail of other sender"
              + " domains has such a text, as where most of it is a disclaimer")
  private @Nullable String like;

  @Option(
      names = "--from",
      paramLabel = "CIDR",
      description = "for a domain or address: only for clients in this network")
  private @Nullable String fromCidr;

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      description = {
        "when it ends: 7d, 2026-12-01, 2026-12-01T12:00:00Z",
        "or never (the default of a new entry); 7d is that of allow with --incident"
      })
  private @Nullable String expires;

  @Option(
      names = "--unused",
      paramLabel = "TIME",
      description = "it ends when it was of no use for that time: 45d; each use puts the end off")
  private @Nullable String unused;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "the reason, for other administrators")
  private String reason = "";

  @Option(
      names = "--scope",
      paramLabel = "KIND",
      converter = ScopeWord.class,
      completionCandidates = ScopeWord.class,
      description =
          "act on this check only: client_ip, client_name, helo, sender, sender_domain, or one of"
              + " what the mail carries; any needs --force")
  private @Nullable String scope;

  @Option(
      names = "--force",
      description = "add it even if it is very wide, hits other senders, or blocks what is allowed")
  private boolean force;

  ListAddCommand(ListKind list) {
    this.list = list;
  }

  @Override
  public Integer call() throws CliException {
    List<TypedSubject> things = carried.read();
    boolean named = !subjects.isEmpty() || incident != null || like != null;
    CliException.refuseIf(
        !named && things.isEmpty(),
        "no subject",
        "name an IP, CIDR, domain, address or URL, --incident ID, --like ID, or --url URL");
    CliException.refuseIf(
        scope != null && !things.isEmpty(),
        "--client-name, --url, --sha256, --subject and --from-header have a scope of their own",
        "leave --scope out, or add the other subjects by a command of their own");
    requireNoFile(things);
    CliException.refuseIf(
        ScopeWord.ANY.equals(scope) && !force,
        "--scope any lifts every check for any client that claims this name",
        "repeat it with --force if you want that, or name the network with --from CIDR");
    Instant end =
        PointInTime.end(expires, in.around().clock().instant(), "name a time in the future");
    CliException.onlyOne("--unused and --expires", unused != null, expires != null);
    Duration after = PointInTime.span("--unused", unused);
    int exitCode = ExitCode.OK;
    if (named) {
      exitCode = add(subjects, incident, like, reason, check(), end, after);
    }
    for (TypedSubject thing : things) {
      List<String> subject = List.of(thing.subject().written());
      Check of = thing.scope().iterator().next();
      String why = thing.reasonWith(reason);
      exitCode = ListSender.worse(exitCode, add(subject, null, null, why, of, end, after));
    }
    return exitCode;
  }

  /** The output of sha256sum has the name of the file behind the value. */
  private void requireNoFile(List<TypedSubject> things) throws CliException {
    if (things.stream().noneMatch(thing -> thing.scope().contains(Check.ATTACHMENT))) {
      return;
    }
    for (String subject : subjects) {
      CliException.refuseIf(
          subject.equals(STDIN),
          "- is no subject; sha256sum writes it behind the value of what it reads from stdin",
          "give only the value: --sha256 \"$(sha256sum < FILE | cut -d ' ' -f 1)\"");
      CliException.refuseIf(
          Files.exists(Path.of(subject)),
          subject + " is a file",
          "give only the value to --sha256");
    }
  }

  private int add(
      List<String> added,
      @Nullable String refusal,
      @Nullable String mail,
      String why,
      @Nullable Check of,
      @Nullable Instant end,
      @Nullable Duration after)
      throws CliException {
    boolean any = of == null && ScopeWord.ANY.equals(scope);
    boolean never = Moments.NEVER.equals(expires);
    return in.ask(
        new ListAdd(list, added, refusal, fromCidr, end, why, of, any, force, never, mail, after),
        EntryText::change);
  }

  private @Nullable Check check() {
    return Check.OF_OPERATOR.stream().filter(c -> c.key().equals(scope)).findFirst().orElse(null);
  }
}
