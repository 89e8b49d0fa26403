package io.bloomgate.cli.feeds;

import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.guard.FeedOverlap;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer of {@code feeds overlap}. Immutable.
 *
 * @param settings of the feeds
 * @param measured by a sample of each feed
 */
record OverlapReport(Settings.Feeds settings, FeedOverlap measured) {

  /** The least shared part at which the smaller of two feeds is taken for a copy of the larger. */
  static final double COPY = 0.5;

  /** Two feeds, the one of which more is in the other first. */
  record Pair(Source part, Source whole, double overlap) {}

  /** The live feeds whose entries were asked, in feed order. */
  List<FeedCounts> feeds() {
    return measured.feeds().stream().filter(feed -> measured.asked(feed.name()) > 0).toList();
  }

  /** Feeds that share half and would be counted as two. */
  List<Pair> joinable() {
    List<Pair> pairs = new ArrayList<>();
    List<Source> sources = feeds().stream().map(feed -> source(feed.name())).toList();
    for (int i = 0; i < sources.size(); i++) {
      for (Source other : sources.subList(i + 1, sources.size())) {
        Source one = sources.get(i);
        double overlap = measured.overlap(one.name(), other.name());
        if (overlap >= COPY && countAsTwo(one, other)) {
          boolean inOrder = measured.share(one.name(), other.name()) == overlap;
          pairs.add(new Pair(inOrder ? one : other, inOrder ? other : one, overlap));
        }
      }
    }
    return pairs;
  }

  private Source source(String name) {
    Source source = settings.sources().get(name);
    if (source == null) {
      throw new IllegalStateException("feed " + name + " was measured and has no settings");
    }
    return source;
  }

  /** A list of good senders counts against rules, so no rule counts it beside another. */
  private static boolean countAsTwo(Source one, Source other) {
    return !one.family().equals(other.family())
        && one.action() != Action.TRUST
        && other.action() != Action.TRUST;
  }

  JsonObject toJson() {
    return JsonValue.object()
        .put("feeds", new JsonArray(feeds().stream().map(this::json).toList()))
        .put("good_senders", measured.goodSenders())
        .put("copies", new JsonArray(joinable().stream().map(OverlapReport::json).toList()))
        .build();
  }

  private JsonValue json(FeedCounts feed) {
    JsonValue.ObjectBuilder shares = JsonValue.object();
    JsonValue.ObjectBuilder good = JsonValue.object();
    for (FeedCounts other : feeds()) {
      if (!other.name().equals(feed.name())) {
        shares.put(other.name(), rounded(measured.share(feed.name(), other.name())));
        good.put(other.name(), measured.good(feed.name(), other.name()));
      }
    }
    return JsonValue.object()
        .put("feed", feed.name())
        .put("family", source(feed.name()).family())
        .put("entries", feed.entries())
        .put("asked", measured.asked(feed.name()))
        .put("listed_by", shares.build())
        .put("good_senders", measured.good(feed.name(), feed.name()))
        .put("good_senders_with", good.build())
        .build();
  }

  private static JsonValue json(Pair pair) {
    return JsonValue.object()
        .put("part", pair.part().name())
        .put("whole", pair.whole().name())
        .put("overlap", rounded(pair.overlap()))
        .build();
  }

  /** Three digits are as many as a sample of 4,096 has. */
  private static double rounded(double share) {
    return Math.rint(share * 1_000) / 1_000;
  }
}
