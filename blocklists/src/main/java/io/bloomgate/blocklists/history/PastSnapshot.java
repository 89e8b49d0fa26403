package io.bloomgate.blocklists.history;

import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.Partition;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.history.Delta.Past;
import io.bloomgate.blocklists.history.PastListings.PastListing;
import io.bloomgate.blocklists.index.Coverage;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The lists as they were at a time: the exact index of a generation that is on disk, and the
 * changes since, undone for the keys that are asked. Made for one command, on its thread; sessions
 * never see one.
 */
public final class PastSnapshot implements ListSnapshot {

  private final ListSnapshot base;

  /** Oldest first; one follows the other. */
  private final List<StoredDelta> deltas;

  /** The newest of them that is not behind the time. */
  private final int then;

  private final Instant at;
  private final Map<ListKey, List<PastListing>> asked = new HashMap<>();

  private PastSnapshot(ListSnapshot base, List<StoredDelta> deltas, int then, Instant at) {
    this.base = base;
    this.deltas = deltas;
    this.then = then;
    this.at = at;
  }

  /**
   * Opens the lists of a time.
   *
   * @param stateDir {@code STATE_DIR}; nothing is changed there
   * @param live the live generation, or the last one where no gateway runs
   * @param at not in the future
   * @return a sentence that says from when on the lists are known, when they are not known of then
   * @throws IOException when the history cannot be read
   */
  public static Parsed<PastSnapshot> open(Path stateDir, ListSnapshot live, Instant at)
      throws IOException {
    Path snapshots = FeedHistory.snapshots(stateDir);
    List<String> damage = new ArrayList<>();
    List<StoredDelta> deltas = FeedHistory.files(stateDir).read(damage::add);
    if (deltas.isEmpty()) {
      return Parsed.bad(
          "no history of the lists is kept yet; it begins when new lists go live" + words(damage));
    }
    StoredDelta newest = deltas.getLast();
    Optional<ListSnapshot> base = Optional.of(live);
    if (newest.generation() != live.generation()) {
      Instant next = SnapshotStore.created(snapshots, newest.generation() + 1).orElse(newest.at());
      if (!at.isBefore(next)) {
        return Parsed.bad(
            "the lists since "
                + next
                + " are not in the history yet; ask again in a moment"
                + words(damage));
      }
      base = SnapshotStore.openKept(snapshots, newest.generation());
    }
    if (base.isEmpty()) {
      return Parsed.bad(
          "generation "
              + newest.generation()
              + " of the lists is gone, with which the history ends"
              + words(damage));
    }
    return at(base.get(), deltas, at, damage);
  }

  private static Parsed<PastSnapshot> at(
      ListSnapshot base, List<StoredDelta> deltas, Instant at, List<String> damage) {
    int first = deltas.size() - 1;
    while (first > 0 && deltas.get(first).before() == deltas.get(first - 1).generation()) {
      first--;
    }
    int then = deltas.size() - 1;
    while (then >= first && deltas.get(then).at().isAfter(at)) {
      then--;
    }
    if (then < first) {
      return Parsed.bad(
          "the lists of "
              + at
              + " are not known: the history is whole from "
              + deltas.get(first).at()
              + " on"
              + words(damage));
    }
    StoredDelta next = then + 1 < deltas.size() ? deltas.get(then + 1) : deltas.get(then);
    if (then + 1 < deltas.size() && !at.isBefore(next.after())) {
      return Parsed.bad(
          "the lists between "
              + next.after()
              + " and "
              + next.at()
              + " are not known: their changes could not be written down");
    }
    List<StoredDelta> chain = deltas.subList(first, deltas.size());
    return Parsed.ok(new PastSnapshot(base, chain, then - first, at));
  }

  private static String words(List<String> damage) {
    return damage.isEmpty() ? "" : " (" + String.join("; ", damage) + ")";
  }

  /** The time. */
  public Instant at() {
    return at;
  }

  /** Where the history begins that this answers from. */
  public Instant begin() {
    return deltas.getFirst().at();
  }

  /** The generation that was live then. */
  @Override
  public long generation() {
    return deltas.get(then).generation();
  }

  /** What the changes are counted back from: the live generation, as a rule. */
  @Override
  public SnapshotManifest manifest() {
    return base.manifest();
  }

  @Override
  public ListAnswer ask(ListKey key) {
    List<Coverage.Past> entries =
        listings(key).stream()
            .map(one -> new Coverage.Past(one.feed(), one.entry(), one.reaches()))
            .toList();
    Coverage coverage = Coverage.past(entries);
    String filter = Partition.of(key).word();
    if (coverage.listed()) {
      return new ListAnswer.Listed(filter, coverage.standing());
    }
    return coverage.beside().isEmpty()
        ? ListAnswer.NotListed.INSTANCE
        : new ListAnswer.OutOfReach(filter, coverage.beside());
  }

  /** Every entry of then that is the key's or around it, exceptions too, most specific first. */
  public List<PastListing> listings(ListKey key) {
    return asked.computeIfAbsent(key, asks -> PastListings.of(base, deltas, then, Probes.of(asks)));
  }

  /** What {@link #listings} answered for the keys that were asked so far. */
  public List<PastListing> found() {
    return asked.values().stream().flatMap(List::stream).toList();
  }

  /** Feeds that had more changes since then than are kept, and from when on they are known. */
  public Map<String, Instant> unknownFeeds() {
    Map<String, Instant> unknown = new HashMap<>();
    for (StoredDelta delta : deltas.subList(then + 1, deltas.size())) {
      for (StoredDelta.Feed feed : delta.feeds()) {
        if (feed.past() == Past.UNKNOWN) {
          unknown.put(feed.name(), delta.at());
        }
      }
    }
    return unknown;
  }

  /** Feeds of the lists of now, in their order. */
  static List<String> feeds(ListSnapshot snapshot) {
    return snapshot.manifest().feeds().stream().map(FeedCounts::name).toList();
  }
}
