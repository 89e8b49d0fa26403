package io.bloomgate.config.settings;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.notation.Names;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.notation.Values.Choice;
import io.bloomgate.config.notation.Values.Reader;
import io.bloomgate.config.settings.Fetching.Proxy;
import io.bloomgate.config.settings.Settings.Feeds;
import io.bloomgate.config.settings.Settings.Feeds.Guard;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import io.bloomgate.config.settings.yaml.Section;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code feeds}: schedule and guard for all, and the sources. Used for settings files
 * and for the catalogue; one reading.
 */
public final class FeedsBinder {

  private static final int MAX_GENERATIONS = 100;

  /** Any percentage that can be meant: a list may grow a thousandfold. */
  private static final int MAX_GROWTH_PERCENT = 100_000;

  /** The most networks that are remembered of a feed. */
  private static final int MAX_BREAKER_NETWORKS = 1000;

  /** The most networks of accepted mail that a new version may be allowed to refuse. */
  private static final int MOST_GOOD_HITS = 100_000;

  /** The most sessions that a promotion may ask for. */
  private static final int MOST_SESSIONS = 1_000_000_000;

  private static final Choice<Check> CHECKS = Values.dashed(Check.class);

  /** Used where no location is given, so that reading can go on. */
  private static final Location NOWHERE = new Location.Files("");

  private FeedsBinder() {}

  static Feeds bind(Section s) {
    double jitter = s.value("refresh_jitter", "10%", Values.percent(100));
    int keep = s.value("keep_generations", "5", Values.integer(1, MAX_GENERATIONS));
    @Nullable Proxy proxy = Fetching.proxy(s, "none", null);
    List<Path> protect = s.list("protect", List.of(), s.path());
    Section guards = s.section("guard");
    Guard guard = guard(guards, null);
    Map<String, Source> byName = new LinkedHashMap<>();
    Map<String, Section> byDns = new LinkedHashMap<>();
    s.named("sources")
        .forEach((name, section) -> {
          section.problemIf(
              // Bulk is one only where copies are counted.
              Sign.named(name).filter(sign -> sign != Sign.BULK).isPresent(),
              "action",
              "a source of feeds.sources is named "
                  + name
                  + ", as a sign is, so a log line would not say which it was",
              "give the source another name");
          if (DnsList.isDns(section)) {
            byDns.put(name, section);
          } else {
            byName.put(name, source(name, section, guards, proxy, Publishers::builtIn));
          }
        });
    return new Feeds(
        jitter,
        keep,
        proxy,
        protect,
        guard,
        promotion(s.section("promotion")),
        Collections.unmodifiableMap(byName),
        DnsList.bind(byDns));
  }

  private static Promotion promotion(Section s) {
    Reader<Duration> days = Values.duration("1h", "3650d");
    return new Promotion(
        s.value("observe_days", "7d", days),
        s.value("sessions", "1000", Values.integer(1, MOST_SESSIONS)),
        s.value("good_network", "5", Values.integer(1, MOST_SESSIONS)),
        s.value("reject_days", "14d", days),
        s.value("max_accepted_hits", "1", Values.integer(0, Promotion.ACCEPTED_SESSIONS)),
        s.value("step_back", "30d", days));
  }

  /**
   * One entry of {@code feeds.sources}.
   *
   * @param general the guard for all, already read; it has the defaults of the source's own
   * @param proxy the one for all
   * @param publishers asked only when there is a feed with a web address
   */
  public static Source source(
      String name,
      Section s,
      Section general,
      @Nullable Proxy proxy,
      Supplier<Publishers> publishers) {
    s.refuseForeign(
        "key_file",
        "`key_file` belongs to lists that are asked by DNS",
        "for a key in a web address write secret_file: PATH, and {secret} in the url");
    boolean insecure = s.value("insecure", "false", Values.BOOLEAN);
    Location location = location(s, insecure, proxy);
    String format =
        s.value(
            "format",
            "",
            Values.noted(
                "name of a format", text -> text.isEmpty() ? text : FormatSyntax.check(text)));
    if (format.equals(FormatSyntax.ASN_TABLE)) {
      for (String key : List.of("checks", "action", "match")) {
        s.refuseForeign(
            key,
            "`" + key + "` belongs to lists, and a table of AS numbers and countries lists nothing",
            "leave it out, and name `asn` or `country` in a rule");
      }
    }
    Set<Check> checks = checks(s, format);
    Duration every = s.value("every", "1h", Values.duration("1s", "365d"));
    Duration stale = s.value("stale_after", "3d", Values.duration("1s", "3650d"));
    Duration expire = s.value("expire_after", "14d", Values.duration("1s", "3650d"));
    checkAges(s, every, stale, expire);
    checkPublisher(s, location, publishers, every, stale);
    Action action = s.value("action", "observe", Values.dashed(Action.class));
    checkGreylist(s, action, checks);
    return new Source(
        name,
        location,
        format,
        checks,
        every,
        stale,
        expire,
        action,
        s.orNull("match", Values.dashed(Match.class)),
        s.value("allow_bogons", "false", Values.BOOLEAN),
        insecure,
        s.value("info_url", "", Values.helpPage()),
        s.value("family", name, Values.noted("name", Names::entryName)),
        guard(s.sectionOrFlat("guard"), general));
  }

  /**
   * Reports {@code greylist} on checks of the content: that is known at the end of a mail, where
   * the client cannot be asked to come again.
   */
  static void checkGreylist(Section s, Action action, Set<Check> checks) {
    List<Check> content = checks.stream().filter(Check.OF_CONTENT::contains).sorted().toList();
    s.problemIf(
        action == Action.GREYLIST && !content.isEmpty(),
        "action",
        "greylist has no effect on what mails carry (" + Values.keys(content) + ")",
        "write action: tag or reject, and give these checks a feed of their own");
  }

  private static Location location(Section s, boolean insecure, @Nullable Proxy proxy) {
    boolean hasUrl = s.isSet("url");
    boolean hasFile = s.isSet("file");
    if (hasFile && !hasUrl) {
      Fetching.refuse(s, "a feed from files is not fetched");
      Reader<Path> files = s.files();
      return s.required(
          "file",
          "file: PATH",
          Values.noted(files.notation(), text -> new Location.Files(files.read(text).toString())),
          NOWHERE);
    }
    s.problemIf(hasFile, "file", "a feed has `url` and `file`", "keep one of them");
    Optional<FeedUrl> url =
        s.required(
            "url",
            hasUrl ? "url: https://HOST/PATH" : "url: https://HOST/PATH` or `file: PATH",
            Values.hidden(
                "web address, or rsync://HOST/MODULE/PATH",
                s.around().shownUrl(),
                text -> Optional.of(Fetching.checked(text, insecure))),
            Optional.empty());
    if (url.isPresent() && url.get().isRsync()) {
      Fetching.refuse(s, "a feed by rsync is not fetched over HTTP");
      return new Location.Rsync(url.get());
    }
    Fetching fetching = Fetching.bind(s, url.orElse(null), insecure, proxy);
    return url.isPresent() ? new Location.Url(url.get(), fetching) : NOWHERE;
  }

  private static Set<Check> checks(Section s, String format) {
    List<String> usual = EntryKind.usual(format).stream().map(Check::key).toList();
    Set<Check> checks = Values.set(s.list("checks", usual, CHECKS));
    s.problemIf(
        checks.isEmpty() && s.isSet("checks"),
        "checks",
        "a feed without checks is compared with nothing",
        "name some of: " + Values.keys(List.of(Check.values())));
    if (s.isSet("checks") && s.isSet("format") && !checks.isEmpty()) {
      checkReach(s, format, checks);
    }
    return checks;
  }

  /**
   * Reports a list that can answer none of its checks as a mistake; a check that the list cannot
   * answer is not asked.
   */
  private static void checkReach(Section s, String format, Set<Check> checks) {
    Set<EntryKind> lists = EntryKind.ofFormat(format);
    List<Check> vain = checks.stream().filter(check -> !EntryKind.finds(check, lists)).toList();
    if (vain.isEmpty()) {
      return;
    }
    String problem =
        (vain.size() == 1 ? "the check %s finds" : "the checks %s find")
                .formatted(Values.keys(vain))
            + " nothing in a list of format "
            + format;
    String possible =
        Values.keys(
            Arrays.stream(Check.values()).filter(check -> EntryKind.finds(check, lists)).toList());
    String hint =
        possible.isEmpty()
            ? "leave checks out: a table lists nothing, and rules name what it says"
            : "checks that can find something there: " + possible;
    if (vain.size() == checks.size()) {
      s.problem("checks", problem, hint);
    } else {
      s.warn("checks", problem, hint);
    }
  }

  private static void checkPublisher(
      Section s,
      Location location,
      Supplier<Publishers> publishers,
      Duration every,
      Duration stale) {
    Map<String, Duration> wishes = new LinkedHashMap<>();
    for (FeedUrl address : location.addresses()) {
      publishers
          .get()
          .of(address.server())
          .ifPresent(p -> wishes.merge(p.name(), p.interval(address), FeedsBinder::longer));
    }
    wishes.forEach((publisher, interval) -> {
      if (every.compareTo(interval) < 0) {
        String least = Quantities.text(interval);
        s.warn(
            "every",
            publisher + " wants " + least + " between two downloads and is asked no more often",
            "write every: " + least + " or longer");
      }
      s.warnIf(
          every.compareTo(stale) <= 0 && interval.compareTo(stale) > 0,
          "stale_after",
          "the feed is stale before "
              + publisher
              + " may be asked again, so it stops refusing mail in between",
          "write stale_after: more than " + Quantities.text(interval));
    });
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  private static void checkAges(Section s, Duration every, Duration stale, Duration expire) {
    s.problemIf(
        expire.compareTo(stale) < 0,
        "expire_after",
        "expire_after is shorter than stale_after",
        "expire_after comes later");
    s.warnIf(
        every.compareTo(stale) > 0,
        "every",
        "the feed is stale before it is fetched again, so it stops refusing mail in between",
        "make every shorter than stale_after");
  }

  /** Reads a time up to the one for which senders are remembered; a bare 0 is zero too. */
  private static final Reader<Duration> KNOWN_AFTER =
      Values.noted(
          "duration, 0s to 30d",
          text -> text.equals("0") ? Duration.ZERO : Values.duration("0s", "30d").read(text));

  /**
   * A guard.
   *
   * @param general what it says is the default; {@code null} for the general guard itself
   */
  public static Guard guard(Section s, @Nullable Section general) {
    Reader<Double> percent = Values.percent(100);
    Section prefixes = general == null ? null : general.section("min_prefix");
    return new Guard(
        s.value("max_shrink", or(general, "max_shrink", "50%"), percent),
        s.value(
            "max_growth", or(general, "max_growth", "300%"), Values.percent(MAX_GROWTH_PERCENT)),
        s.orNone("max_turnover", or(general, "max_turnover", "50%"), percent),
        s.value("max_invalid", or(general, "max_invalid", "5%"), percent),
        s.section("min_prefix").value("ipv4", or(prefixes, "ipv4", "8"), Values.integer(0, 32)),
        s.section("min_prefix").value("ipv6", or(prefixes, "ipv6", "19"), Values.integer(0, 128)),
        s.value("max_coverage", or(general, "max_coverage", "20%"), percent),
        s.orNone("breaker", or(general, "breaker", "20"), Values.integer(1, MAX_BREAKER_NETWORKS)),
        s.value("known_after", or(general, "known_after", "3d"), KNOWN_AFTER),
        s.orNone(
            "max_good_hits", or(general, "max_good_hits", "5"), Values.integer(0, MOST_GOOD_HITS)));
  }

  private static String or(@Nullable Section general, String key, String standard) {
    return general == null ? standard : general.text(key);
  }
}
