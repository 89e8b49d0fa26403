package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.generation.FeedInput;
import io.bloomgate.blocklists.generation.JoinedSnapshot;
import io.bloomgate.blocklists.generation.KnownGood;
import io.bloomgate.blocklists.generation.KnownGoodHits;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SnapshotBuildException;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.guard.EntryKeys;
import io.bloomgate.blocklists.guard.GuardedText;
import io.bloomgate.blocklists.index.TooManyEntriesException;
import io.bloomgate.blocklists.refresh.VersionReader.Stored;
import io.bloomgate.blocklists.senders.GoodSenders;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds entries of new versions back for good senders: asks {@link GoodSenders} about a finished
 * generation, once, and writes down what is held. Made for one build by {@link ListPublisher}; on
 * the feed-refresher thread.
 *
 * @param owners what owners name
 * @param asked feeds whose version was asked about
 */
record HeldGood(RefreshParts parts, FeedFiles files, KnownGood owners, Set<String> asked) {

  private static final Logger LOG = LoggerFactory.getLogger(HeldGood.class);

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
    Map<String, List<ListEntry>> held = asked(finished, settings, before);
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

  /** Asks the generation, and beside it a build of what is held back of its versions already. */
  private Map<String, List<ListEntry>> asked(
      ListSnapshot finished, Settings settings, Map<String, List<ListEntry>> before)
      throws IOException {
    SnapshotBuilder.Question<Map<String, List<ListEntry>>> question =
        lists ->
            new GoodSenders(lists, parts.lists().live().current(), settings.feeds().sources())
                .held(before, parts.goodMail().senders(), owners, parts.breaker(), parts.now());
    List<FeedInput> carried = new ArrayList<>();
    before.forEach((name, entries) -> {
      if (!entries.isEmpty()) {
        carried.add(new FeedInput(name, "0", entries::forEach));
      }
    });
    if (carried.isEmpty()) {
      return question.of(finished);
    }
    try {
      return parts
          .lists()
          .snapshots()
          .aside(carried, held -> question.of(new JoinedSnapshot(finished, held)));
    } catch (SnapshotBuildException e) {
      throw new IOException("what is held back cannot be asked: " + Faults.words(e), e);
    }
  }

  private Stored written(String name, Stored stored, VersionReader reader) throws IOException {
    FeedVersion version = stored.version().holding(reader.digest(stored));
    Stored held = new Stored(version, stored.content(), stored.good());
    version = version.with(hits(reader, held, true, true));
    files.saveGood(name, held);
    files.update(name, version);
    return new Stored(version, stored.content(), stored.good());
  }

  private VersionReader reader(Settings settings, String name) {
    return parts.reader(Objects.requireNonNull(settings.feeds().sources().get(name)));
  }

  /**
   * The good senders of now that {@code feeds accept} would list; asked of a build that is only
   * asked.
   *
   * @param heldEntries only what is held back of the version, as it is live itself
   * @param known also senders whose mail was accepted
   */
  KnownGoodHits hits(VersionReader reader, Stored stored, boolean heldEntries, boolean known)
      throws IOException {
    KnownGood good =
        known
            ? GoodSenders.with(owners, reader.source(), parts.goodMail().senders(), parts.now())
            : owners;
    if (good.isEmpty()) {
      return KnownGoodHits.NONE;
    }
    String name = reader.source().name();
    GuardedText text = reader.text(stored);
    FeedInput input =
        new FeedInput(
            name,
            Long.toString(stored.version().id()),
            entries -> {
              if (heldEntries) {
                text.heldBack(entries::accept);
              } else {
                text.live(entries::accept);
              }
            });
    try {
      return parts.lists().snapshots().aside(List.of(input), lists -> good.in(lists).of(name));
    } catch (SnapshotBuildException | TooManyEntriesException e) {
      LOG.warn("feed {}: which good senders it lists is not known: {}", name, Faults.words(e));
      return KnownGoodHits.NONE;
    }
  }
}
