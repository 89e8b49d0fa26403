package io.bloomgate.cli.feeds;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Catalogue;
import io.bloomgate.config.settings.CatalogueFeed;
import io.bloomgate.config.settings.Check;
import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.Publishers.Publisher;
import io.bloomgate.config.settings.Quantities;
import io.bloomgate.config.settings.Settings.Feeds.Location;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bloomgate feeds catalogue}: the well-known feeds; needs neither gateway nor settings. */
@Command(
    description = {
      "Show the well-known feeds that are ready to enable.",
      "With a name: what it is, and the lines to copy below feeds.sources in the settings."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} disposable-email-domains"})
final class FeedsCatalogueCommand implements Callable<Integer> {

  private final Invocation in;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      completionCandidates = Names.class,
      description = "a feed of the catalogue")
  private @Nullable String name;

  FeedsCatalogueCommand(Invocation in) {
    this.in = in;
  }

  /** The names, for completion. */
  static final class Names implements Iterable<String> {
    @Override
    public java.util.Iterator<String> iterator() {
      return Catalogue.builtIn().feeds().stream().map(CatalogueFeed::name).iterator();
    }
  }

  @Override
  public Integer call() throws CliException {
    Catalogue catalogue = Catalogue.builtIn();
    Output out = in.output();
    String asked = name;
    if (asked != null) {
      CatalogueFeed feed = catalogue.feed(asked).orElseThrow(() -> unknown(catalogue, asked));
      out.item(json(feed), (item, o) -> details(feed, o));
      return ExitCode.OK;
    }
    TextTable table =
        new TextTable(List.of("FEED", "ACTION", "RISK", "LISTS", "EVERY", "WHAT IT IS"), Set.of());
    for (CatalogueFeed feed : catalogue.feeds()) {
      out.item(json(feed), (item, o) -> table.row(row(feed)));
    }
    if (out.human()) {
      table.print(out);
      out.line("");
      out.line("`bloomgate feeds catalogue NAME` shows terms, risk and the lines to copy.");
    }
    return ExitCode.OK;
  }

  private static CliException unknown(Catalogue catalogue, String name) {
    return new CliException(
        ExitCode.USAGE,
        "there is no feed " + name + " in the catalogue",
        catalogue
            .suggestion(name)
            .map(s -> "did you mean " + s + "?")
            .orElse("`bloomgate feeds catalogue` shows all"));
  }

  private static List<String> row(CatalogueFeed feed) {
    return List.of(
        feed.name(),
        word(feed.source().action()),
        word(feed.risk()),
        kinds(feed),
        Quantities.text(feed.source().every()),
        (feed.mail() ? "" : "(not for mail) ")
            + (feed.key().isEmpty() ? "" : "(needs a key) ")
            + feed.purpose());
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static String kinds(CatalogueFeed feed) {
    return String.join(", ", feed.lists().stream().map(k -> word(k)).sorted().toList());
  }

  private static Optional<Publisher> publisher(CatalogueFeed feed) {
    return feed.source().location() instanceof Location.Url web
        ? Catalogue.builtIn().publishers().of(web.url().server())
        : Optional.empty();
  }

  private static String interval(Publisher publisher, CatalogueFeed feed) {
    return Quantities.text(publisher.interval(new FeedUrl(address(feed))));
  }

  private static String address(CatalogueFeed feed) {
    return feed.source().location() instanceof Location.Url web ? web.url().text() : "";
  }

  private static JsonObject json(CatalogueFeed feed) {
    return JsonValue.object()
        .put("feed", feed.name())
        .put("title", feed.title())
        .put("purpose", feed.purpose())
        .put(
            "lists", JsonValue.ofStrings(feed.lists().stream().map(k -> word(k)).sorted().toList()))
        .put("url", address(feed))
        .put("format", feed.source().format())
        .put(
            "checks", JsonValue.ofStrings(feed.source().checks().stream().map(Check::key).toList()))
        .put("every", Quantities.text(feed.source().every()))
        .put("min_interval", publisher(feed).map(p -> interval(p, feed)).orElse(null))
        .put("action", word(feed.source().action()))
        .put("risk", word(feed.risk()))
        .put("because", feed.because())
        .put("fit", feed.mail() ? "mail" : "not-for-mail")
        .put("key", feed.key().isEmpty() ? null : feed.key())
        .put("licence", feed.licence())
        .put("recommended", feed.recommended())
        .put("settings", feed.yaml())
        .build();
  }

  /** All lines can be copied into the file: explanations are comments. */
  private static void details(CatalogueFeed feed, Output out) {
    out.line("# risk of refusing good mail: " + word(feed.risk()) + ", " + feed.because());
    publisher(feed)
        .ifPresent(p ->
            out.line(
                "# "
                    + p.name()
                    + ": at least "
                    + interval(p, feed)
                    + " between two downloads ("
                    + p.says()
                    + ")"));
    out.line("# Below `sources:` of `feeds:` in the settings, then `bloomgate config reload`:");
    out.line(feed.yaml().stripTrailing());
  }
}
