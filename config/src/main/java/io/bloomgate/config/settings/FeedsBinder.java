package io.bloomgate.config.settings;

import io.bloomgate.config.settings.Fetching.Proxy;
import io.bloomgate.config.settings.Settings.Feeds;
import io.bloomgate.config.settings.Settings.Feeds.Guard;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The section {@code feeds}: schedule and guard for all, and the sources. One reading. */
final class FeedsBinder {

  private static final int MAX_GENERATIONS = 100;

  private final Path base;
  private final SourceBinder sources;
  private final FetchBinder fetch;

  FeedsBinder(Path base, Supplier<Publishers> publishers) {
    this.base = base;
    this.sources = new SourceBinder(base, publishers, FeedUrl::shown);
    this.fetch = new FetchBinder(base, FeedUrl::shown);
  }

  Feeds bind(Section s) {
    double jitter = s.value("refresh_jitter", "10%", Values.percent(100));
    int keep = s.value("keep_generations", "5", Values.integer(1, MAX_GENERATIONS));
    @Nullable Proxy proxy = fetch.proxy(s, "none").flatMap(said -> said).orElse(null);
    List<Path> protect = s.list("protect", List.of(), Values.path(base));
    GuardTexts texts = GuardTexts.of(s.section("guard"), GuardTexts.DEFAULTS);
    Guard guard = texts.guard();
    Map<String, Source> byName = new LinkedHashMap<>();
    s.named("sources")
        .forEach((name, section) -> byName.put(name, sources.bind(name, section, texts, proxy)));
    if (byName.isEmpty()) {
      s.recordEmpty("sources");
    }
    return new Feeds(jitter, keep, proxy, protect, guard, Collections.unmodifiableMap(byName));
  }
}
