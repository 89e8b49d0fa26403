package io.bloomgate.blocklists.history;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.history.Delta.Past;
import io.bloomgate.blocklists.history.Probes.Probe;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Walks back from the lists of now: undoes the changes since a time for the entries that could
 * cover one key, then looks further back for the changes that brought them. Used by {@link
 * PastSnapshot} for each key.
 */
public final class PastListings {

  /** An entry of a feed. */
  private record Id(String feed, Probe probe, boolean exception) {}

  /** Since when and until when it was listed around the time; {@code null} while not known. */
  private static final class Span {
    private final int line;
    private final @Nullable Instant until;
    private @Nullable Instant since;

    Span(int line, @Nullable Instant until) {
      this.line = line;
      this.until = until;
    }
  }

  /**
   * An entry that was listed.
   *
   * @param entry its line is 0 where the feed has changed since
   * @param reaches false when by its match mode it does not reach the key
   * @param since {@code null} when it was listed already where the history of the feed begins
   * @param until {@code null} while it is listed
   */
  public record PastListing(
      String feed,
      ListEntry entry,
      boolean reaches,
      @Nullable Instant since,
      @Nullable Instant until) {}

  private final Map<Id, Span> spans = new LinkedHashMap<>();
  private final Map<String, Integer> order = new HashMap<>();

  /** Feeds whose past is lost further back. */
  private final Set<String> lost = new HashSet<>();

  private PastListings() {}

  /**
   * The entries that were listed.
   *
   * @param base what is listed behind all deltas
   * @param deltas oldest first
   * @param then the newest that is not behind the time
   */
  static List<PastListing> of(
      ListSnapshot base, List<StoredDelta> deltas, int then, Probes probes) {
    PastListings walk = new PastListings();
    walk.listedNow(base, changedFeeds(deltas.subList(then + 1, deltas.size())), probes);
    for (int i = deltas.size() - 1; i > then; i--) {
      walk.undo(deltas.get(i), probes);
    }
    for (int i = then; i >= 0 && walk.isOpen(); i--) {
      walk.lookForSince(deltas.get(i), probes);
    }
    return walk.listings();
  }

  private static Set<String> changedFeeds(List<StoredDelta> deltas) {
    Set<String> changed = new HashSet<>();
    deltas.forEach(delta -> delta.feeds().forEach(feed -> changed.add(feed.name())));
    return changed;
  }

  private void listedNow(ListSnapshot base, Set<String> changed, Probes probes) {
    List<String> feeds = PastSnapshot.feeds(base);
    for (int feed = 0; feed < feeds.size(); feed++) {
      String name = feeds.get(feed);
      order.put(name, feed);
      for (Probe probe : probes.all()) {
        for (boolean exception : new boolean[] {false, true}) {
          OptionalInt line = base.line(feed, probe.entry(exception, 0));
          if (line.isPresent()) {
            int kept = changed.contains(name) ? 0 : line.getAsInt();
            spans.put(new Id(name, probe, exception), new Span(kept, null));
          }
        }
      }
    }
  }

  private void undo(StoredDelta delta, Probes probes) {
    for (StoredDelta.Feed feed : delta.feeds()) {
      if (feed.past() != Past.KEPT) {
        spans.keySet().removeIf(id -> id.feed().equals(feed.name()));
      }
    }
    delta.search(
        probes,
        (feed, probe, exception, added) -> {
          Id id = new Id(feed, probe, exception);
          if (added) {
            spans.remove(id);
          } else {
            spans.put(id, new Span(0, delta.at()));
          }
        });
  }

  private void lookForSince(StoredDelta delta, Probes probes) {
    delta.search(
        probes,
        (feed, probe, exception, added) -> {
          Span span = spans.get(new Id(feed, probe, exception));
          if (added && span != null && span.since == null && !lost.contains(feed)) {
            span.since = delta.at();
          }
        });
    for (StoredDelta.Feed feed : delta.feeds()) {
      switch (feed.past()) {
        case KEPT -> {}
        case UNKNOWN -> lost.add(feed.name());
        case ABSENT ->
            spans.forEach((id, span) -> {
              boolean its = id.feed().equals(feed.name()) && !lost.contains(feed.name());
              span.since = its && span.since == null ? delta.at() : span.since;
            });
      }
    }
  }

  /** True while an entry may have come earlier. */
  private boolean isOpen() {
    return spans.entrySet().stream()
        .anyMatch(one -> one.getValue().since == null && !lost.contains(one.getKey().feed()));
  }

  /** Most specific first, then in the order of the feeds; feeds that are gone come last. */
  private List<PastListing> listings() {
    List<Id> ids = new ArrayList<>(spans.keySet());
    ids.sort(
        Comparator.comparingInt((Id id) -> id.probe().rank())
            .thenComparingInt(id -> order.getOrDefault(id.feed(), Integer.MAX_VALUE))
            .thenComparing(Id::feed));
    return ids.stream()
        .map(id -> {
          Span span = Objects.requireNonNull(spans.get(id));
          return new PastListing(
              id.feed(),
              id.probe().entry(id.exception(), span.line),
              id.probe().reaches(),
              span.since,
              span.until);
        })
        .toList();
  }
}
