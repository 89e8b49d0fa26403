package io.bloomgate.config.settings;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.CatalogueFeed.Kind;
import io.bloomgate.config.settings.CatalogueFeed.Risk;
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
 * binder that reads settings files, so an entry can say nothing that could not be copied. One
 * reading.
 */
final class CatalogueBinder {

  private static final int MAX_TEXT = 200;

  /** Keys that describe a feed; all others are its settings. */
  private static final Set<String> DESCRIPTION =
      Set.of(
          "title", "purpose", "lists", "licence", "risk", "because", "fit", "key", "limit",
          "refused");

  private static final String FEEDS = "feeds";
  private static final String DNS_LISTS = "dns_lists";

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
    Map<String, CatalogueDnsList> dnsLists = dnsLists(root, feeds.keySet());
    root.finish();
    return new Catalogue(known, feeds, dnsLists);
  }

  private Map<String, CatalogueDnsList> dnsLists(Section root, Set<String> feeds) {
    Map<String, Section> sections = root.named(DNS_LISTS);
    Map<String, DnsList> bound = new DnsListBinder(Path.of("/")).bind(sections);
    Map<String, CatalogueDnsList> lists = new LinkedHashMap<>();
    sections.forEach((name, section) -> {
      DnsList list = bound.get(name);
      if (list != null) {
        lists.put(name, dnsList(list, section));
      }
    });
    for (String name : lists.keySet()) {
      if (feeds.contains(name)) {
        root.problem(DNS_LISTS, name + " is the name of a feed too", "give it another name");
      }
    }
    return lists;
  }

  private CatalogueDnsList dnsList(DnsList list, Section s) {
    for (String key : List.of("checks", "codes", "action")) {
      if (!s.isSet(key)) {
        s.problem(
            key, "`" + key + "` is missing in " + list.name(), "write it, a default may change");
      }
    }
    Set<Kind> lists = lists(s);
    checkReach(s, list.checks(), lists);
    Risk risk = s.required("risk", "risk: low", Values.dashed(Risk.class), Risk.HIGH);
    checkRisk(s, list.action(), risk);
    return new CatalogueDnsList(
        list,
        s.required("title", "title: NAME", CatalogueBinder::text, list.name()),
        s.required("purpose", "purpose: WHAT", CatalogueBinder::text, ""),
        lists,
        s.required("licence", "licence: WHICH", CatalogueBinder::text, ""),
        risk,
        s.required("because", "because: WHY", CatalogueBinder::text, ""),
        key(s),
        s.required("limit", "limit: HOW OFTEN", CatalogueBinder::text, ""),
        s.required("refused", "refused: WHICH ANSWER", CatalogueBinder::text, ""),
        written(DNS_LISTS, list.name()));
  }

  private static Set<Kind> lists(Section s) {
    Set<Kind> lists = EnumSet.noneOf(Kind.class);
    lists.addAll(s.requiredList("lists", "lists: [ips]", Values.dashed(Kind.class)));
    return lists;
  }

  private static String key(Section s) {
    return s.value("key", "", t -> t.isEmpty() ? t : text(t));
  }

  private static Publisher publisher(Section s) {
    return new Publisher(
        s.required("name", "name: WHO", CatalogueBinder::text, "nobody"),
        s.requiredList("hosts", "hosts: [www.example.org]", Names::domain),
        s.required("min_interval", "min_interval: 1h", INTERVAL, Duration.ZERO),
        s.pairs("files", CatalogueBinder::path, INTERVAL),
        s.required("gap", "gap: 5s", Values.duration("0s", "1h"), Duration.ZERO),
        s.required("says", "says: WHAT", CatalogueBinder::text, ""));
  }

  private static String path(String text) throws BadValueException {
    if (!text.matches("/[!-~]*")) {
      throw new BadValueException(
          Shown.quoted(text) + " is not a path", "write /PATH of the address");
    }
    return text;
  }

  private CatalogueFeed feed(String name, Section s, FeedsBinder sources, Section guard) {
    Source source = sources.source(name, s, guard, null);
    requireHttps(s, source);
    for (String key : List.of("format", "checks", "every", "action")) {
      if (!s.isSet(key)) {
        s.problem(key, "`" + key + "` is missing in " + name, "write it, a default may change");
      }
    }
    Set<Kind> lists = lists(s);
    checkReach(s, source.checks(), lists);
    CatalogueFeed feed =
        new CatalogueFeed(
            source,
            s.required("title", "title: NAME", CatalogueBinder::text, name),
            s.required("purpose", "purpose: WHAT", CatalogueBinder::text, ""),
            lists,
            s.required("licence", "licence: WHICH", CatalogueBinder::text, ""),
            s.required("risk", "risk: low", Values.dashed(Risk.class), Risk.HIGH),
            s.required("because", "because: WHY", CatalogueBinder::text, ""),
            s.value("fit", "mail", FIT),
            key(s),
            written(FEEDS, name));
    checkAction(s, feed);
    return feed;
  }

  private static void requireHttps(Section s, Source source) {
    boolean https =
        source.location() instanceof Location.Rsync
            || (source.location() instanceof Location.Url web && !web.url().isPlain());
    if (!https && !s.hasFailed("url")) {
      s.problem(
          "url",
          "a feed of the catalogue is fetched over https or by rsync",
          "name its https address");
    }
  }

  /** A check is asked with keys of its kinds only, so it must find some of them in the list. */
  private static void checkReach(Section s, Set<Check> checks, Set<Kind> lists) {
    for (Check check : checks) {
      if (!lists.isEmpty() && !CheckReach.finds(check, lists)) {
        s.problem(
            "checks",
            "the check " + check.key() + " finds nothing in a list of " + lists,
            "leave it out, or fix `lists`");
      }
    }
  }

  private static void checkAction(Section s, CatalogueFeed feed) {
    boolean strong = feed.source().action().compareTo(Action.OBSERVE) > 0;
    if (strong && !feed.mail()) {
      s.problem("action", "a list that is not for mail acts on mail", "action: observe");
    }
    checkRisk(s, feed.action(), feed.risk());
  }

  private static void checkRisk(Section s, Action action, Risk risk) {
    if (action.refuses() && risk != Risk.LOW) {
      s.problem("action", "a list with this risk refuses mail", "action: tag or observe");
    }
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

  /** One line of prose without a full stop, so that it fits wherever it is shown. */
  private static String text(String text) throws BadValueException {
    if (text.length() > MAX_TEXT || !text.matches("[ -~]*[^ .]")) {
      throw new BadValueException(
          Shown.quoted(text) + " is not a line of the catalogue",
          "one line of at most " + MAX_TEXT + " ASCII characters that ends without a full stop");
    }
    return text;
  }
}
