package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.generation.KnownGood;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.guard.EntryKeys;
import io.bloomgate.blocklists.guard.KnownGoodHits;
import io.bloomgate.blocklists.guard.KnownGoodSet;
import io.bloomgate.blocklists.refresh.VersionReader.Stored;
import io.bloomgate.blocklists.senders.GoodSenders;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds entries of new versions back for good senders: asks {@link GoodSenders} about a finished
 * generation, once, and writes down what is held. Made for one build by {@link ListPublisher}; on
 * the feed-refresher thread.
 *
 * @param owners what owners name
 * @param asked feeds whose version was asked about
 */
record HeldGood(RefreshParts parts, FeedFiles files, KnownGood owners, Set<String> asked) {

  /**
   * @param owners what owners name, as of this build
   */
  HeldGood(RefreshParts parts, FeedFiles files, KnownGood owners) {
    this(parts, files, owners, new HashSet<>());
  }

  /**
   * True when a finished generation is to be published; false when other entries of its new
   * versions are held back than of the live ones, so that it is built once more. Versions that were
   * live are not asked about, nor those of which an operator let all through, or the leader of a
   * fleet decides.
   *
   * @param chosen the versions in it; those of which other entries are held back now are replaced
   */
  boolean areIn(ListSnapshot finished, Settings settings, Map<String, Stored> chosen)
      throws IOException {
    Map<String, List<ListEntry>> before = new LinkedHashMap<>();
    for (Map.Entry<String, Stored> one : chosen.entrySet()) {
      String name = one.getKey();
      Stored stored = one.getValue();
      FeedVersion version = stored.version();
      if (!version.wasLive()
          && !version.entriesAccepted()
          && !parts.isLed(name)
          && asked.add(name)) {
        before.put(
            name,
            stored.good().size() == 0
                ? List.of()
                : FeedJudge.picked(reader(settings, name), stored, stored.good()::contains));
      }
    }
    Map<String, List<ListEntry>> held =
        new GoodSenders(finished, parts.lists().live().current(), settings)
            .held(before, parts.goodMail().senders(), owners, parts.breaker(), parts.steadyNow());
    boolean same = true;
    for (Map.Entry<String, List<ListEntry>> one : before.entrySet()) {
      String name = one.getKey();
      EntryKeys keys = EntryKeys.of(held.getOrDefault(name, List.of()));
      if (!keys.hasSame(EntryKeys.of(one.getValue()))) {
        same = false;
        Stored stored = Objects.requireNonNull(chosen.get(name)).holding(keys);
        chosen.put(name, written(name, stored, reader(settings, name)));
      }
    }
    return same;
  }

  private Stored written(String name, Stored stored, VersionReader reader) throws IOException {
    FeedVersion version = stored.version().holding(reader.digest(stored));
    Stored held = new Stored(version, stored.content(), stored.good());
    version = version.with(reader.knownGood(held, set(reader.source(), true), true));
    files.saveGood(name, held);
    files.update(name, version);
    return new Stored(version, stored.content(), stored.good());
  }

  private VersionReader reader(Settings settings, String name) {
    return parts.reader(Objects.requireNonNull(settings.feeds().sources().get(name)));
  }

  /**
   * The good senders of now, to be compared with what is held of a feed.
   *
   * @param known also those whose mail was accepted
   */
  KnownGoodSet set(@Nullable Source source, boolean known) {
    KnownGoodSet.Builder set = new KnownGoodSet.Builder();
    owners.collect(set);
    if (known && source != null) {
      parts
          .goodMail()
          .senders()
          .asked(source.guard().knownAfter(), parts.steadyNow())
          .forEach(sender -> {
            if (source.checks().contains(sender.check())) {
              set.add(sender.subject(), KnownGoodHits.KNOWN_SENDER, 0);
            }
          });
    }
    return set.build();
  }
}
