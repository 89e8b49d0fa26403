package io.bloomgate.cli.feeds;

import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.catalogue.Catalogue;
import io.bloomgate.config.catalogue.CatalogueEntry;
import io.bloomgate.config.catalogue.CatalogueEntry.Listed;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.config.notation.TerminalText;
import io.bloomgate.config.settings.DnsList.Codes;
import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.Publishers;
import io.bloomgate.config.settings.Publishers.Publisher;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bloomgate feeds catalogue}: the well-known feeds; needs neither gateway nor settings. */
@Command(
    description = {
      "Show the well-known feeds that are ready to enable.",
      "With a name: what it is, and the lines to copy below feeds.sources in the settings."
    })
@Example("disposable-email-domains")
final class FeedsCatalogueCommand extends CliCommand {

  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      completionCandidates = Names.class,
      description = "a feed of the catalogue")
  private @Nullable String name;

  /** The names, for completion. */
  static final class Names implements Iterable<String> {
    @Override
    public java.util.Iterator<String> iterator() {
      return Catalogue.builtIn().entries().stream().map(CatalogueEntry::name).iterator();
    }
  }

  @Override
  public Integer call() throws CliException {
    Catalogue catalogue = Catalogue.builtIn();
    Output out = in.output();
    String asked = name;
    if (asked != null) {
      CatalogueEntry feed = catalogue.entry(asked).orElseThrow(() -> unknown(catalogue, asked));
      out.item(json(feed), (item, o) -> details(feed, o));
      return ExitCode.OK;
    }
    TextTable table = new TextTable("FEED|ACTION|RISK|LISTS|EVERY|WHAT IT IS");
    for (CatalogueEntry feed : catalogue.entries()) {
      out.item(json(feed), (item, o) -> table.row(row(feed)));
    }
    if (out.human()) {
      table.print(out);
      out.line("");
      out.line("`bloomgate feeds catalogue NAME` shows terms, risk and the lines to copy.");
    }
    return ExitCode.OK;
  }

  /** Says which feed of the catalogue may be meant. */
  static CliException unknown(Catalogue catalogue, String name) {
    return CliException.usage(
        "there is no feed " + TerminalText.safe(name) + " in the catalogue",
        catalogue
            .suggestion(name)
            .map(s -> "did you mean `" + s + "`?")
            .orElse("`bloomgate feeds catalogue` shows all"));
  }

  private static List<String> row(CatalogueEntry entry) {
    return List.of(
        entry.name(),
        entry.action().key(),
        entry.risk().key(),
        String.join(", ", kinds(entry)),
        switch (entry.listed()) {
          case Listed.Feed(Source source) -> Quantities.text(source.every());
          case Listed.ByDns ignored -> "by DNS";
        },
        (entry.mail() ? "" : "(not for mail) ")
            + (entry.key().isEmpty() ? "" : "(needs a key) ")
            + entry.purpose());
  }

  private static List<String> kinds(CatalogueEntry entry) {
    return entry.lists().stream().map(k -> k.key()).sorted().toList();
  }

  private static Optional<Publisher> publisher(Source feed) {
    return feed.location().addresses().stream()
        .findFirst()
        .flatMap(address -> Publishers.builtIn().of(address.server()));
  }

  private static String interval(Publisher publisher, Source feed) {
    return Quantities.text(publisher.interval(new FeedUrl(address(feed))));
  }

  private static String address(Source feed) {
    return feed.location().addresses().getFirst().text();
  }

  private static JsonObject json(CatalogueEntry entry) {
    JsonValue.ObjectBuilder json =
        JsonValue.object()
            .put("feed", entry.name())
            .put("title", entry.title())
            .put("purpose", entry.purpose())
            .put("lists", JsonValue.ofStrings(kinds(entry)));
    switch (entry.listed()) {
      case Listed.Feed(Source feed) ->
          json.put("url", address(feed))
              .put("format", feed.format())
              .put("every", Quantities.text(feed.every()))
              .put("min_interval", publisher(feed).map(p -> interval(p, feed)).orElse(null));
      case Listed.ByDns dns ->
          json.put("dns", dns.list().zone())
              .put(
                  "codes",
                  JsonValue.ofStrings(dns.list().codes().stream().map(Codes::text).toList()))
              .put("limit", dns.limit())
              .put("refused", dns.refused());
    }
    return json.put("recommended", entry.recommended())
        .put("checks", JsonValue.ofStrings(entry.checks().stream().map(Check::key).toList()))
        .put("action", entry.action().key())
        .put("risk", entry.risk().key())
        .put("because", entry.because())
        .put("fit", entry.mail() ? "mail" : "not-for-mail")
        .put("key", entry.key().isEmpty() ? null : entry.key())
        .put("licence", entry.licence())
        .put("settings", entry.yaml())
        .build();
  }

  /** All lines can be copied into the file: explanations are comments. */
  private static void details(CatalogueEntry entry, Output out) {
    out.comment("risk of refusing good mail: " + entry.risk().key() + ", " + entry.because());
    switch (entry.listed()) {
      case Listed.Feed(Source feed) ->
          publisher(feed)
              .ifPresent(p ->
                  out.comment(
                      "%s: at least %s between two downloads (%s)"
                          .formatted(p.name(), interval(p, feed), p.says())));
      case Listed.ByDns dns -> {
        out.comment("Who may ask: " + dns.limit());
        out.comment("A refused question is no listing. The answer to it: " + dns.refused());
      }
    }
    out.comment("Below `sources:` of `feeds:` in the settings, then `bloomgate config reload`:");
    out.verbatim(entry.yaml().stripTrailing());
  }
}
