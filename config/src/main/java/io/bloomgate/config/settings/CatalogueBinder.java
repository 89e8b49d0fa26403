package io.bloomgate.config.settings;

import io.bloomgate.config.settings.CatalogueEntry.Kind;
import io.bloomgate.config.settings.CatalogueEntry.Listed;
import io.bloomgate.config.settings.CatalogueEntry.Risk;
import io.bloomgate.config.settings.EffectiveValue.Origin;
import io.bloomgate.config.settings.Publishers.Publisher;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import io.bloomgate.config.settings.Values.Reader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The file {@code config/feeds.yaml} to a {@link Catalogue}. The settings of a feed are read by the
 * binder that reads settings files, so an entry can say nothing that could not be copied. The rules
 * of the catalogue itself are kept by its test. One reading.
 */
final class CatalogueBinder {

  /** Keys that describe a feed; all others are its settings. */
  private static final Set<String> DESCRIPTION =
      Set.of(
          "title", "purpose", "lists", "licence", "risk", "because", "fit", "key", "limit",
          "refused");

  private static final String FEEDS = "feeds";
  private static final String DNS_LISTS = "dns_lists";

  private static final Reader<String> TEXT = text -> text;

  private static final Reader<Duration> INTERVAL = Values.duration("1s", "30d");

  private static final Reader<Boolean> FIT =
      Values.choice(List.of(true, false), mail -> mail ? "mail" : "not-for-mail");

  private final Report report;

  CatalogueBinder(Report report) {
    this.report = report;
  }

  Catalogue bind(Section root) {
    List<Publisher> publishers = new ArrayList<>();
    root.named("publishers").values().forEach(section -> publishers.add(publisher(section)));
    Publishers known = new Publishers(publishers);
    FeedsBinder sources =
        // Everybody may read the catalogue, and what is copied from it must be whole.
        new FeedsBinder(Path.of("/"), () -> known, UnaryOperator.identity());
    Section guard = root.section("guard");
    var _ = FeedsBinder.guard(guard, null);
    Map<String, CatalogueEntry> entries = new LinkedHashMap<>();
    root.named(FEEDS)
        .forEach((name, section) ->
            entries.put(
                name,
                entry(
                    new Listed.Feed(sources.source(name, section, guard, null)), FEEDS, section)));
    Map<String, Section> sections = root.named(DNS_LISTS);
    new DnsListBinder(Path.of("/"))
        .bind(sections)
        .forEach((name, list) -> entries.put(name, dnsList(list, root.section(DNS_LISTS))));
    root.finish();
    return new Catalogue(known, entries);
  }

  private CatalogueEntry dnsList(DnsList list, Section all) {
    Section s = all.section(list.name());
    return entry(
        new Listed.ByDns(
            list,
            s.required("limit", "limit: HOW OFTEN", TEXT, ""),
            s.required("refused", "refused: WHICH ANSWER", TEXT, "")),
        DNS_LISTS,
        s);
  }

  private CatalogueEntry entry(Listed listed, String section, Section s) {
    String name =
        switch (listed) {
          case Listed.Feed(Source source) -> source.name();
          case Listed.ByDns(DnsList list, String _, String _) -> list.name();
        };
    return new CatalogueEntry(
        listed,
        s.required("title", "title: NAME", TEXT, name),
        s.required("purpose", "purpose: WHAT", TEXT, ""),
        lists(s),
        s.required("licence", "licence: WHICH", TEXT, ""),
        s.required("risk", "risk: low", Values.dashed(Risk.class), Risk.HIGH),
        s.required("because", "because: WHY", TEXT, ""),
        s.value("fit", "mail", FIT),
        s.value("key", "", TEXT),
        written(section, name));
  }

  private static Set<Kind> lists(Section s) {
    Set<Kind> lists = EnumSet.noneOf(Kind.class);
    lists.addAll(s.requiredList("lists", "lists: [ips]", Values.dashed(Kind.class)));
    return lists;
  }

  private static Publisher publisher(Section s) {
    return new Publisher(
        s.required("name", "name: WHO", TEXT, "nobody"),
        s.requiredList("hosts", "hosts: [www.example.org]", Names::domain),
        s.required("min_interval", "min_interval: 1h", INTERVAL, Duration.ZERO),
        s.pairs("files", TEXT, INTERVAL),
        s.required("gap", "gap: 5s", Values.duration("0s", "1h"), Duration.ZERO),
        s.required("says", "says: WHAT", TEXT, ""));
  }

  /** The settings in the entry of this section, below the name of the list. */
  private List<EffectiveValue> written(String section, String name) {
    return report.values().stream()
        .filter(v -> v.origin() instanceof Origin.FileLine)
        .filter(v -> v.path().size() > 2 && v.path().get(1).equals(name))
        .filter(v -> v.path().getFirst().equals(section) && !DESCRIPTION.contains(v.path().get(2)))
        .map(v -> v.with("path", v.path().subList(1, v.path().size())))
        .toList();
  }
}
