package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.generation.KnownGoodHits.Hit;
import io.bloomgate.config.name.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a finished generation for every known-good subject: counts what no list names, and finds
 * what each feed lists. Run by {@link SnapshotBuilder} on the building thread.
 */
final class KnownGoodProof {

  private static final Logger LOG = LoggerFactory.getLogger(KnownGoodProof.class);

  /** Subjects that the log names. */
  private static final int SAMPLE = 5;

  /** Entries of one feed that are counted. */
  static final int MAX_ENTRIES = 100_000;

  private final ListSnapshot snapshot;
  private final Map<String, Listed> feeds = new LinkedHashMap<>();
  private final List<String> sample = new ArrayList<>();
  private long proven;
  private long listed;

  /** The subjects that one feed lists, and its entries that do, each with its first subject. */
  private static final class Listed {
    private final Map<ListEntry, Hit> entries = new HashMap<>();
    private long subjects;
    private long allowed;

    void add(ListEntry entry, Subject subject, String place) {
      if (entries.size() < MAX_ENTRIES) {
        entries.computeIfAbsent(
            entry, _ -> new Hit(entry.text(), entry.line(), subject.toString(), place));
      }
    }

    KnownGoodHits hits() {
      List<Hit> first =
          entries.values().stream()
              .sorted(Comparator.comparingInt(Hit::line))
              .limit(KnownGoodHits.SAMPLE)
              .toList();
      return new KnownGoodHits(subjects, entries.size(), first, allowed);
    }
  }

  KnownGoodProof(ListSnapshot snapshot) {
    this.snapshot = snapshot;
  }

  KnownGoodCounts run(KnownGood knownGood) {
    knownGood.forEach(this::ask);
    Map<String, KnownGoodHits> hits = new LinkedHashMap<>();
    feeds.forEach((feed, found) -> hits.put(feed, found.hits()));
    return new KnownGoodCounts(proven, listed, hits);
  }

  /** Tells an operator what was found. */
  void log() {
    if (proven + listed > 0) {
      LOG.info("known-good set: {} not listed, {} listed", proven, listed);
    }
    if (listed > 0) {
      LOG.warn(
          "the lists hold {} of the known-good set, under a listed name or in or beside a listed"
              + " network; that is judged like other mail unless an allow entry lifts it; the"
              + " first: {}",
          listed,
          String.join(", ", sample));
    }
  }

  private void ask(Subject subject, String place) {
    Set<String> naming = new HashSet<>();
    SubjectListings.forEach(
        snapshot,
        subject,
        listing -> {
          naming.add(listing.feed());
          feeds
              .computeIfAbsent(listing.feed(), _ -> new Listed())
              .add(listing.entry(), subject, place);
        });
    if (naming.isEmpty()) {
      proven++;
      return;
    }
    listed++;
    if (sample.size() < SAMPLE) {
      sample.add(subject.toString());
    }
    for (Map.Entry<String, Listed> feed : feeds.entrySet()) {
      if (naming.contains(feed.getKey())) {
        feed.getValue().subjects++;
        feed.getValue().allowed += place.equals(KnownGoodHits.ALLOW_ENTRY) ? 1 : 0;
      }
    }
  }
}
