package io.bloomgate.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.NewFile;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Template;
import io.bloomgate.config.catalogue.CatalogueEntry;
import io.bloomgate.config.catalogue.FirstSettings;
import io.bloomgate.config.catalogue.Profile;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.TerminalText;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.config.settings.yaml.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bloomgate init}: writes first settings from the sample and the catalogue of feeds, in mode
 * observe, and says what to look at before mail goes through. Asks nothing, so it works in scripts;
 * needs no gateway.
 */
@Command(
    description = {
      "Write a first settings file, and say what to check first.",
      "The file has mode observe and feeds of the catalogue. It is written where -c says;"
          + " `-c -` prints it. A file that exists is not changed without --force."
    })
@Example("--downstream 10.0.0.5:25 --domains example.com")
final class InitCommand extends CliCommand {

  /** The group that the service runs in (systemd unit), which must read the settings. */
  private static final String SERVICE_GROUP = "bloomgate";

  private static final Path STANDARD_OUTPUT = Path.of("-");

  @Option(
      names = "--downstream",
      required = true,
      paramLabel = "HOST:PORT",
      description = "where the real mail server listens")
  private String downstream = "";

  @Option(
      names = "--domains",
      split = ",",
      paramLabel = "DOMAIN",
      description = {
        "every domain that you take mail for; with a dot in front, its subdomains too;"
            + " file:PATH is a file of domains"
      })
  private List<String> domains = new ArrayList<>();

  @Option(
      names = "--domains-from-postfix",
      description = {
        "take the domains that the Postfix on this machine takes mail for, and say what"
            + " was not understood"
      })
  private boolean fromPostfix;

  @Option(
      names = "--profile",
      paramLabel = "PROFILE",
      description = {
        "how much to catch: careful, balanced or strict (default: careful);"
            + " the page of lists in the handbook says what each one writes"
      })
  private Profile profile = Profile.CAREFUL;

  @Option(
      names = "--dqs-key-file",
      paramLabel = "FILE",
      description = "also ask the lists of Spamhaus by DNS; the file holds your key for them")
  private @Nullable Path dqsKeyFile;

  @Option(
      names = "--mails-a-day",
      paramLabel = "N",
      description = {
        "mails that come in a day; below 5000 the file also counts copies of mails from 3 networks"
            + " within 7 days (content.bulk), which are evidence and a sign for rules"
      })
  private @Nullable Integer mailsADay;

  @Option(names = "--force", description = "replace a file that exists")
  private boolean force;

  @Override
  public Integer call() throws CliException {
    List<PostfixDomains.Row> asked =
        fromPostfix ? new PostfixDomains(in.around().environment()).ask() : List.of();
    FirstSettings first = first(asked);
    @Nullable Path keyFile = dqsKeyFile == null ? null : dqsKeyFile.toAbsolutePath().normalize();
    List<CatalogueEntry> feeds = profile.lists(keyFile != null);
    Path file = in.options().configFile();
    boolean printed = file.equals(STANDARD_OUTPUT);
    String text = first.text(profile, keyFile, mailsADay);
    List<String> warnings = new ArrayList<>(check(file, text));
    if (keyFile != null && !Files.exists(keyFile)) {
      warnings.add(
          keyFile + " is not there yet: write the key into it, and let the gateway read it");
    }
    if (!printed) {
      warnings.addAll(
          readers(
              NewFile.write(file, out -> out.write(text.getBytes(UTF_8)), SERVICE_GROUP, force),
              file));
    }
    in.output()
        .item(answer(first, asked, feeds, file, printed ? text : "", warnings), InitCommand::show);
    return ExitCode.OK;
  }

  /** Says who can read the file, when that is not the gateway's group. */
  static List<String> readers(NewFile.Given given, Path file) {
    String named = TerminalText.word(file);
    String chgrp = "`chgrp " + SERVICE_GROUP + " " + named + "; chmod 640 " + named + "`";
    return switch (given) {
      case YES -> List.of();
      case NO_SUCH_GROUP ->
          List.of(
              "this machine has no group "
                  + SERVICE_GROUP
                  + " that could read the file; as root: `useradd --system --user-group --home-dir"
                  + " /var/lib/bloomgate --shell /usr/sbin/nologin "
                  + SERVICE_GROUP
                  + "`, then "
                  + chgrp
                  + "; or let the user that runs the gateway read it");
      case NOT_PERMITTED ->
          List.of(
              "you may not give the file to the group "
                  + SERVICE_GROUP
                  + "; as root: "
                  + chgrp
                  + "; or let the user that runs the gateway read it");
    };
  }

  private FirstSettings first(List<PostfixDomains.Row> asked) throws CliException {
    try {
      List<String> all = new ArrayList<>(domains);
      asked.forEach(row -> all.addAll(row.domains()));
      CliException.refuseIf(
          fromPostfix && all.isEmpty(),
          "Postfix on this machine names no domain that was understood",
          "name all domains that you take mail for, --domains example.com,example.org; a file"
              + " of them is file:PATH");
      return FirstSettings.of(downstream, all);
    } catch (BadValueException e) {
      throw new CliException(ExitCode.USAGE, e.problem(), e.hint(), e);
    }
  }

  /** The file as the gateway will read it; the result is what it is warned of. */
  private static List<String> check(Path file, String text) throws CliException {
    // The machine's name is looked at when the gateway starts there, which may be elsewhere.
    SettingsResult result =
        SettingsFile.parse(file.toString(), text, Map.of(), () -> "mx.example.com");
    return switch (result) {
      case SettingsResult.Loaded loaded ->
          loaded.warnings().stream().map(Problem::toString).toList();
      case SettingsResult.Invalid invalid ->
          throw CliException.no(
              "the file would not be valid: " + invalid.problems().getFirst(),
              "please report this");
    };
  }

  private JsonObject answer(
      FirstSettings first,
      List<PostfixDomains.Row> asked,
      List<CatalogueEntry> feeds,
      Path file,
      String text,
      List<String> warnings) {
    JsonValue.ObjectBuilder answer =
        JsonValue.object()
            .put("file", file.toString())
            .put("mode", "observe")
            .put("downstream", first.downstream().toString())
            .put("domains", JsonValue.ofStrings(first.domains()))
            .put("postfix", JsonRecords.ofAll(asked))
            .put("profile", profile.key())
            .put("feeds", JsonValue.ofStrings(feeds.stream().map(CatalogueEntry::name).toList()))
            .put("warnings", JsonValue.ofStrings(warnings))
            .put("check", JsonRecords.ofAll(FirstChecks.of(first, feeds, mailsADay)))
            .put(
                "next",
                JsonValue.ofStrings(
                    FirstChecks.next(text.isEmpty() ? file : SettingsFile.DEFAULT_PATH)));
    return text.isEmpty() ? answer.build() : answer.put("text", text).build();
  }

  private static String postfix(JsonObject row) {
    String what = HumanText.value(row, "parameter") + ": " + HumanText.value(row, "value");
    String why = row.text("why").orElse("");
    String domains = HumanText.value(row, "domains");
    return (domains.equals("-") ? what + " was not taken" : what + " -> " + domains)
        + (why.isEmpty() ? "" : ": " + HumanText.value(row, "why"));
  }

  /** Prints it; beside settings on standard output, all else goes to standard error. */
  private static void show(JsonObject answer, Output out) {
    String text = answer.text("text").orElse("");
    Consumer<String> beside = text.isEmpty() ? out::line : out::warn;
    if (text.isEmpty()) {
      out.line("wrote {file}, mode observe: no list refuses mail", answer);
      out.line("  mail server  {downstream}", answer);
      out.line("  domains      {domains}", answer);
      out.line("  profile      {profile}", answer);
      out.line("  feeds        {feeds}", answer);
    } else {
      // It ends in a line break, and so does what is printed.
      out.verbatim(text.stripTrailing());
    }
    answer.objects("postfix").forEach(row -> beside.accept("  Postfix      " + postfix(row)));
    answer.elements("warnings").forEach(w -> out.warn("warning: " + HumanText.value(w)));
    beside.accept("");
    beside.accept("Check first:");
    answer.objects("check").forEach(p -> beside.accept(Template.fill("  - {topic}: {what}.", p)));
    beside.accept("Then:");
    answer.elements("next").forEach(n -> beside.accept("  " + HumanText.value(n)));
  }
}
