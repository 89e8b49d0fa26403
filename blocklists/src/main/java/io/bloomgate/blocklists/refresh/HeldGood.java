package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.FeedSink.TooManyEntriesException;
import io.bloomgate.blocklists.generation.FeedInput;
import io.bloomgate.blocklists.generation.JoinedSnapshot;
import io.bloomgate.blocklists.generation.KnownGood;
import io.bloomgate.blocklists.generation.KnownGoodHits;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SnapshotBuildException;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.guard.EntryKeys;
import io.bloomgate.blocklists.refresh.FeedArchive.Stored;
import io.bloomgate.blocklists.senders.GoodHosts;
import io.bloomgate.blocklists.senders.GoodSenders;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds entries of new versions back for good senders: asks {@link GoodSenders} about a finished
 * generation, once, and writes down what is held. Made for one build by {@link ListPublisher}; on
 * the feed-refresher thread.
 */
final class HeldGood {

  private static final Logger LOG = LoggerFactory.getLogger(HeldGood.class);

  /** Entries of a version that are looked at one by one. */
  private static final int MAX_PICKED = 100_000;

  private final RefreshParts parts;
  private final FeedFiles files;
  private final KnownGood owners;

  /** Feeds whose version was asked about. */
  private final Set<String> asked = new HashSet<>();

  /**
   * @param owners what owners name, as of this build
   */
  HeldGood(RefreshParts parts, FeedFiles files, KnownGood owners) {
    this.parts = parts;
    this.files = files;
    this.owners = owners;
  }

  /**
   * True when a finished generation is to be published; false when other entries of its new
   * versions are held back than of the live ones, so that it is built once more. Versions that were
   * live are not asked about, nor those of which an operator let all through, or the leader of a
   * fleet decides.
   *
   * @param chosen the versions in it
   * @param replaced takes a version of which other entries are held back now
   */
  boolean areIn(
      ListSnapshot finished,
      Settings settings,
      Map<String, Stored> chosen,
      BiConsumer<String, Stored> replaced)
      throws IOException {
    Map<String, List<ListEntry>> before = new LinkedHashMap<>();
    for (Map.Entry<String, Stored> one : chosen.entrySet()) {
      FeedVersion version = one.getValue().version();
      if (!version.wasLive()
          && !version.entriesAccepted()
          && !parts.fleet().covers(one.getKey())
          && asked.add(one.getKey())) {
        before.put(
            one.getKey(), before(reader(settings, one.getKey()), one.getKey(), one.getValue()));
      }
    }
    Map<String, List<ListEntry>> held = asked(finished, settings, before);
    boolean same = true;
    for (Map.Entry<String, List<ListEntry>> one : before.entrySet()) {
      EntryKeys keys = EntryKeys.of(held.getOrDefault(one.getKey(), List.of()));
      if (!keys.hasSame(EntryKeys.of(one.getValue()))) {
        same = false;
        Stored stored = Objects.requireNonNull(chosen.get(one.getKey()));
        replaced.accept(one.getKey(), holding(settings, one.getKey(), stored, keys));
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
            new GoodSenders(lists, parts.live().current(), settings)
                .held(before, parts.senders(), owners, parts.breaker(), parts.steady().instant());
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
          .snapshots()
          .aside(carried, held -> question.of(new JoinedSnapshot(finished, held)));
    } catch (SnapshotBuildException e) {
      throw new IOException("what is held back cannot be asked: " + Faults.words(e), e);
    }
  }

  /** The entries of a stored version that are held back, as they listed good senders before. */
  private List<ListEntry> before(VersionReader reader, String name, Stored stored)
      throws IOException {
    EntryKeys keys = files.good(stored.version(), name);
    return keys.size() == 0
        ? List.of()
        : picked(reader, stored.content(), stored.version(), keys::contains);
  }

  /**
   * Networks of a text that hold one of these hosts, and what is held back already; of too many
   * only that.
   */
  static EntryKeys touching(
      VersionReader reader, FeedContent content, GoodHosts good, EntryKeys held)
      throws IOException {
    List<ListEntry> found =
        picked(
            reader,
            content,
            null,
            entry ->
                held.contains(entry)
                    || (entry instanceof ListEntry.Network(IpPrefix prefix, var out, var line)
                        && good.touches(prefix)));
    return found.size() > MAX_PICKED ? held : EntryKeys.of(found);
  }

  /**
   * The entries of a text that are wanted, each once; at most one more than {@link #MAX_PICKED}.
   */
  private static List<ListEntry> picked(
      VersionReader reader,
      FeedContent content,
      @Nullable FeedVersion version,
      Predicate<ListEntry> wanted)
      throws IOException {
    Map<ListEntry, ListEntry> found = new LinkedHashMap<>();
    reader.ruled(
        content,
        version,
        entry -> {
          if (!entry.exception() && found.size() <= MAX_PICKED && wanted.test(entry)) {
            found.putIfAbsent(entry.with(false, 0), entry);
          }
        });
    return List.copyOf(found.values());
  }

  private Stored holding(Settings settings, String name, Stored stored, EntryKeys keys)
      throws IOException {
    VersionReader reader = reader(settings, name);
    FeedVersion version = reader.holding(stored, keys);
    files.saveGood(name, version.id(), keys);
    version = version.with(hits(reader, stored.content(), version, true, true));
    files.update(name, version);
    return new Stored(version, stored.content());
  }

  private VersionReader reader(Settings settings, String name) {
    Source source = Objects.requireNonNull(settings.feeds().sources().get(name));
    return new VersionReader(source, parts.protectedSets().get(), files);
  }

  /**
   * The good senders of now that {@code feeds accept} would list; asked of a build that is only
   * asked.
   *
   * @param heldEntries only what is held back of the version, as it is live itself
   * @param known also senders whose mail was accepted
   */
  KnownGoodHits hits(
      VersionReader reader,
      FeedContent content,
      FeedVersion version,
      boolean heldEntries,
      boolean known)
      throws IOException {
    KnownGood good = known ? with(reader.source()) : owners;
    if (good.isEmpty()) {
      return KnownGoodHits.NONE;
    }
    String name = reader.source().name();
    FeedInput input =
        new FeedInput(
            name, Long.toString(version.id()), reader.acceptable(content, version, heldEntries));
    try {
      return parts.snapshots().aside(List.of(input), lists -> good.in(lists).of(name));
    } catch (SnapshotBuildException | TooManyEntriesException e) {
      LOG.warn("feed {}: which good senders it lists is not known: {}", name, Faults.words(e));
      return KnownGoodHits.NONE;
    }
  }

  /** Adds the senders whose mail was accepted to what owners name. */
  private KnownGood with(Source source) {
    return subjects -> {
      owners.forEach(subjects);
      parts
          .senders()
          .asked(source.guard().knownAfter(), parts.steady().instant())
          .forEach(sender -> {
            if (source.checks().contains(sender.check())) {
              subjects.accept(sender.subject(), KnownGoodHits.KNOWN_SENDER);
            }
          });
    };
  }
}
