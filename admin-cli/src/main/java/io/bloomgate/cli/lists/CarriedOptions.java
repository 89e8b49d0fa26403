package io.bloomgate.cli.lists;

import io.bloomgate.blocklists.campaign.SubjectPrint;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorText;
import io.bloomgate.blocklists.operator.TypedSubject;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.TerminalText;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Parsed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Option;

/**
 * The options of {@code allow} and {@code block} that name what a mail carries, or its client by
 * name. Mixed into the commands that take subjects; one thread.
 */
final class CarriedOptions {

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

  /** True for an entry of an answer that is about this thing, not about the sender of that name. */
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
