package io.bloomgate.config.settings;

import io.bloomgate.config.settings.Fetching.Proxy;
import io.bloomgate.config.settings.Settings.Feeds.Location;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One entry of {@code feeds.sources}. One reading. */
final class SourceBinder {

  private static final List<String> ALL_CHECKS =
      Arrays.stream(Check.values()).map(Check::key).toList();
  private static final Words<Check> CHECKS = new Words<>(checksByWord(), Set.of());
  private static final Words<Match> MATCHES = Words.dashed(Match.class);

  /** Stands in where no location is given, so that reading can go on. */
  private static final Location NOWHERE = new Location.Files("");

  private final Path base;
  private final Supplier<Publishers> publishers;
  private final UnaryOperator<String> shownUrl;
  private final FetchBinder fetch;

  /**
   * A binder.
   *
   * @param base folder that relative paths count from
   * @param publishers asked only when there is a feed with a web address
   * @param shownUrl makes of an address what {@code config show} may print
   */
  SourceBinder(Path base, Supplier<Publishers> publishers, UnaryOperator<String> shownUrl) {
    this.base = base;
    this.publishers = publishers;
    this.shownUrl = shownUrl;
    this.fetch = new FetchBinder(base, shownUrl);
  }

  private static Map<String, Check> checksByWord() {
    Map<String, Check> words = new LinkedHashMap<>();
    Arrays.stream(Check.values()).forEach(c -> words.put(c.key(), c));
    return words;
  }

  Source bind(String name, Section s, GuardTexts general, @Nullable Proxy proxy) {
    boolean insecure = s.value("insecure", "false", Values.BOOLEAN);
    Location location = location(s, insecure, proxy);
    String format = s.value("format", "", text -> text.isEmpty() ? text : FormatSyntax.check(text));
    Set<Check> checks = checks(s);
    Duration every = s.value("every", "1h", Values.duration("1s", "365d"));
    Duration stale = s.value("stale_after", "3d", Values.duration("1s", "3650d"));
    Duration expire = s.value("expire_after", "14d", Values.duration("1s", "3650d"));
    checkAges(s, every, stale, expire);
    checkPublisher(s, location, every, stale);
    return new Source(
        name,
        location,
        format,
        checks,
        every,
        stale,
        expire,
        s.value("action", "observe", Words.dashed(Action.class)),
        s.value("match", "", SourceBinder::match).orElse(null),
        s.value("allow_bogons", "false", Values.BOOLEAN),
        insecure,
        s.value("info_url", "", Values.helpPage()),
        GuardTexts.of(s.sectionOrFlat("guard"), general.texts()).guard());
  }

  private static Optional<Match> match(String text) throws BadValueException {
    return text.isEmpty() ? Optional.empty() : Optional.of(MATCHES.read(text));
  }

  private Location location(Section s, boolean insecure, @Nullable Proxy proxy) {
    boolean hasUrl = s.isSet("url");
    boolean hasFile = s.isSet("file");
    if (hasFile && !hasUrl) {
      FetchBinder.refuse(s);
      return s.required("file", "file: PATH", this::files, NOWHERE);
    }
    if (hasFile) {
      s.problem("file", "a feed has `url` and `file`", "keep one of them");
    }
    Optional<FeedUrl> url =
        s.requiredShownAs(
            "url",
            hasUrl ? "url: https://HOST/PATH" : "url: https://HOST/PATH` or `file: PATH",
            text -> Optional.of(FetchBinder.checked(text, insecure)),
            Optional.empty(),
            shownUrl);
    Fetching fetching = fetch.bind(s, url.orElse(null), insecure, proxy);
    return url.isPresent() ? new Location.Url(url.get(), fetching) : NOWHERE;
  }

  private Location files(String text) throws BadValueException {
    return new Location.Files(Values.files(base).read(text).toString());
  }

  private static Set<Check> checks(Section s) {
    List<Check> checks = s.list("checks", ALL_CHECKS, CHECKS);
    if (checks.isEmpty() && s.isSet("checks")) {
      s.problem(
          "checks",
          "a feed without checks is compared with nothing",
          "name some of: " + String.join(", ", ALL_CHECKS));
    }
    Set<Check> set = EnumSet.noneOf(Check.class);
    set.addAll(checks);
    return Collections.unmodifiableSet(set);
  }

  private void checkPublisher(Section s, Location location, Duration every, Duration stale) {
    if (!(location instanceof Location.Url web)) {
      return;
    }
    Map<String, Duration> wishes = new LinkedHashMap<>();
    for (FeedUrl address : web.fetching().addresses(web.url())) {
      publishers
          .get()
          .of(address.server())
          .ifPresent(p -> wishes.merge(p.name(), p.interval(address), SourceBinder::longer));
    }
    wishes.forEach((publisher, interval) -> {
      if (every.compareTo(interval) < 0) {
        String least = Quantities.text(interval);
        s.warn(
            "every",
            publisher + " wants " + least + " between two downloads and is asked no more often",
            "write every: " + least + " or longer");
      }
      if (every.compareTo(stale) <= 0 && interval.compareTo(stale) > 0) {
        s.warn(
            "stale_after",
            "the feed is stale before "
                + publisher
                + " may be asked again, so it stops refusing mail in between",
            "write stale_after: more than " + Quantities.text(interval));
      }
    });
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  private static void checkAges(Section s, Duration every, Duration stale, Duration expire) {
    if (expire.compareTo(stale) < 0) {
      s.problem(
          "expire_after", "expire_after is shorter than stale_after", "expire_after comes later");
    }
    if (every.compareTo(stale) > 0) {
      s.warn(
          "every",
          "the feed is stale before it is fetched again, so it stops refusing mail in between",
          "make every shorter than stale_after");
    }
  }
}
