package io.bloomgate.cli.lists;

import io.bloomgate.blocklists.campaign.SubjectPrint;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorText;
import io.bloomgate.blocklists.operator.TypedSubject;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.notation.TerminalText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The options by which {@code remove} and {@code edit} name existing entries: by subject or id, and
 * by the options of {@link Carried}. Mixed into these commands; one thread.
 */
final class EntryOptions {

  @Parameters(
      paramLabel = "SUBJECT",
      arity = "0..*",
      completionCandidates = LiveWords.Entries.class,
      description = "subjects or ids as listed")
  private List<String> subjects = new ArrayList<>();

  @Mixin private Carried carried = new Carried();

  @Option(
      names = "--like",
      paramLabel = "ID",
      completionCandidates = LiveWords.Refusals.class,
      description =
          "the entries for texts like that of this mail; ID is that of its session or refusal")
  private List<String> likes = new ArrayList<>();

  /** The subjects and ids as they were typed; without any, the word that options named them. */
  String typed() {
    return subjects.isEmpty() ? "with the same options" : String.join(" ", subjects);
  }

  /**
   * Sends the request for the entries that were named, and says what was not found.
   *
   * @param request makes it of subjects as typed, and of ids of what options name
   */
  int send(Invocation in, ListKind list, Function<List<String>, ControlRequest> request)
      throws CliException {
    List<TypedSubject> things = carried.read();
    CliException.refuseIf(
        subjects.isEmpty() && things.isEmpty() && likes.isEmpty(),
        "no subject",
        "name subjects or ids as listed, or --url URL");
    List<String> names = new ArrayList<>(subjects);
    int found = names.size();
    int exitCode = ExitCode.OK;
    for (TypedSubject thing : things) {
      // A domain may have entries about its senders too: these stay.
      String text = thing.subject().written();
      ids(in, new ControlRequest.ListCheck(list, text, null), e -> Carried.isOf(thing, e), names);
      exitCode = found(names.size() > found, thing.subject().toString(), in, exitCode);
      found = names.size();
    }
    for (String like : likes) {
      ids(in, new ControlRequest.ListCheck(list, "", like), _ -> true, names);
      exitCode = found(names.size() > found, "an entry for the text of " + like, in, exitCode);
      found = names.size();
    }
    if (names.isEmpty()) {
      return ExitCode.NO;
    }
    int done = in.ask(request.apply(names), EntryText::change);
    return done == ExitCode.OK ? exitCode : done;
  }

  private static int found(boolean isThere, String what, Invocation in, int exitCode) {
    if (!isThere) {
      in.output().note("not found: " + what);
    }
    return isThere ? exitCode : ExitCode.PARTLY;
  }

  private static void ids(
      Invocation in,
      ControlRequest.ListCheck request,
      Predicate<JsonObject> wanted,
      List<String> into)
      throws CliException {
    int asked =
        in.collect(
            request,
            entry -> {
              if (wanted.test(entry)) {
                entry.text("id").ifPresent(into::add);
              }
            });
    if (asked != ExitCode.OK && asked != ExitCode.NO) {
      throw new CliException(asked, "the entries cannot be looked up", "repeat the command");
    }
  }

  /**
   * The options of {@code allow} and {@code block} that name what a mail carries, or its client by
   * name. Mixed into the commands that take subjects; one thread.
   */
  static final class Carried {

    @Option(
        names = "--client-name",
        paramLabel = "NAME",
        description =
            "the name of the client's address, if DNS confirms it; .example.net means all below")
    private List<String> clientNames = new ArrayList<>();

    @Option(
        names = "--url",
        paramLabel = "URL",
        description = "a URL in the mail; a host without a path means all URLs there and below")
    private List<String> urls = new ArrayList<>();

    @Option(
        names = "--sha256",
        paramLabel = "HEX",
        description = "an attachment, by its SHA-256 value")
    private List<String> prints = new ArrayList<>();

    @Option(
        names = "--subject",
        paramLabel = "TEXT",
        description =
            "the subject of the mail, of at least "
                + SubjectPrint.LEAST_LETTERS
                + " letters; case and punctuation do not count, and any number is like any other")
    private List<String> subjects = new ArrayList<>();

    @Option(
        names = "--from-header",
        paramLabel = "SENDER",
        description = "a mail address or a domain in the field From, which people see")
    private List<String> senders = new ArrayList<>();

    /** Everything that was named, in the order of the options. */
    List<TypedSubject> read() throws CliException {
      List<TypedSubject> all = new ArrayList<>();
      add(all, "--client-name", ".dyn.example.net", clientNames, TypedSubject::clientName);
      add(all, "--url", "https://example.com/path", urls, TypedSubject::url);
      add(all, "--sha256", "$(sha256sum FILE | cut -c 1-64)", prints, TypedSubject::sha256);
      add(all, "--subject", "'You have won 500 euros'", subjects, TypedSubject::subject);
      add(all, "--from-header", "news.example", senders, TypedSubject::fromHeader);
      return all;
    }

    private static void add(
        List<TypedSubject> all,
        String option,
        String example,
        List<String> texts,
        Function<String, Parsed<TypedSubject>> parser)
        throws CliException {
      for (String text : texts) {
        switch (parser.apply(text)) {
          case Parsed.Ok<TypedSubject>(TypedSubject subject, var ignored) -> all.add(subject);
          case Parsed.Bad<TypedSubject>(String reason) ->
              throw CliException.usage(
                  option + " " + TerminalText.safe(text) + ": " + reason,
                  "write for example: " + option + " " + example);
        }
      }
    }

    /**
     * True for an entry of an answer that is about this thing, not about the sender of that name.
     */
    static boolean isAbout(TypedSubject wanted, JsonObject entry) {
      return entry(entry)
          .filter(found -> wanted.isMeantBy(found.subject(), found.scope()))
          .isPresent();
    }

    /** True for an entry of this very thing. */
    static boolean isOf(TypedSubject wanted, JsonObject entry) {
      return isAbout(wanted, entry)
          && entry(entry).filter(found -> found.subject().equals(wanted.subject())).isPresent();
    }

    /** The entry as a list file has it; which list makes no difference to what it is about. */
    private static Optional<NewEntry> entry(JsonObject entry) {
      return OperatorText.parse(ListKind.BLOCK, entry.text("text").orElse(""))
          .toOptional()
          .flatMap(line -> line)
          .map(OperatorText.Line::entry);
    }
  }
}
