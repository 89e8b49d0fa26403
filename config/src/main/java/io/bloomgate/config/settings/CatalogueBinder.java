package io.bloomgate.config.settings;

import io.bloomgate.config.settings.CatalogueFeed.Kind;
import io.bloomgate.config.settings.CatalogueFeed.Risk;
import io.bloomgate.config.settings.EffectiveValue.Origin;
import io.bloomgate.config.settings.Publishers.Publisher;
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
    Map<String, CatalogueFeed> feeds = new LinkedHashMap<>();
    root.named(FEEDS)
        .forEach((name, section) -> feeds.put(name, feed(name, section, sources, guard)));
    Map<String, CatalogueDnsList> dnsLists = dnsLists(root);
    root.finish();
    return new Catalogue(known, feeds, dnsLists);
  }

  private Map<String, CatalogueDnsList> dnsLists(Section root) {
    Map<String, Section> sections = root.named(DNS_LISTS);
    Map<String, DnsList> bound = new DnsListBinder(Path.of("/")).bind(sections);
    Map<String, CatalogueDnsList> lists = new LinkedHashMap<>();
    sections.forEach((name, section) -> {
      DnsList list = bound.get(name);
      if (list != null) {
        lists.put(name, dnsList(list, section));
      }
    });
    return lists;
  }

  private CatalogueDnsList dnsList(DnsList list, Section s) {
    return new CatalogueDnsList(
        list,
        s.required("title", "title: NAME", TEXT, list.name()),
        s.required("purpose", "purpose: WHAT", TEXT, ""),
        lists(s),
        s.required("licence", "licence: WHICH", TEXT, ""),
        risk(s),
        s.required("because", "because: WHY", TEXT, ""),
        key(s),
        s.required("limit", "limit: HOW OFTEN", TEXT, ""),
        s.required("refused", "refused: WHICH ANSWER", TEXT, ""),
        written(DNS_LISTS, list.name()));
  }

  private static Set<Kind> lists(Section s) {
    Set<Kind> lists = EnumSet.noneOf(Kind.class);
    lists.addAll(s.requiredList("lists", "lists: [ips]", Values.dashed(Kind.class)));
    return lists;
  }

  private static String key(Section s) {
    return s.value("key", "", TEXT);
  }

  private static Risk risk(Section s) {
    return s.required("risk", "risk: low", Values.dashed(Risk.class), Risk.HIGH);
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

  private CatalogueFeed feed(String name, Section s, FeedsBinder sources, Section guard) {
    return new CatalogueFeed(
        sources.source(name, s, guard, null),
        s.required("title", "title: NAME", TEXT, name),
        s.required("purpose", "purpose: WHAT", TEXT, ""),
        lists(s),
        s.required("licence", "licence: WHICH", TEXT, ""),
        risk(s),
        s.required("because", "because: WHY", TEXT, ""),
        s.value("fit", "mail", FIT),
        key(s),
        written(FEEDS, name));
  }

  /** The settings in the entry of this section, below the name of the list. */
  private List<EffectiveValue> written(String section, String name) {
    return report.values().stream()
        .filter(v -> v.origin() instanceof Origin.FileLine)
        .filter(v -> v.path().size() > 2 && v.path().get(1).equals(name))
        .filter(v -> v.path().getFirst().equals(section) && !DESCRIPTION.contains(v.path().get(2)))
        .map(v ->
            new EffectiveValue(
                v.path().subList(1, v.path().size()),
                v.value(),
                v.origin(),
                v.changed(),
                v.notation()))
        .toList();
  }
}
