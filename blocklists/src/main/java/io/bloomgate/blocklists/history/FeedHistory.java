package io.bloomgate.blocklists.history;

import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.Settings.Feeds.History;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what changes in the lists, for {@code explain --at}. Called on the feed-refresher
 * thread after a generation went live; nothing waits for it, and nothing fails with it.
 *
 * <p>A delta is made from the generation that was written down last: the one in memory, or after a
 * restart or a failure the one that is still kept on disk. So a process that was killed between the
 * step to a generation and its delta loses nothing.
 */
public final class FeedHistory {

  private static final Logger LOG = LoggerFactory.getLogger(FeedHistory.class);

  private static final String DIRECTORY = "history";

  private final HistoryFiles files;
  private final Path snapshots;
  private final InstantSource clock;
  private final Consumer<String> alarm;

  /** The newest that is written down; {@code null} until the files were read. */
  private @Nullable Noted noted;

  /** That generation where it is at hand. */
  private ListSnapshot base = ListSnapshot.EMPTY;

  /** The generation that was looked at last, whether or not it could be written down. */
  private long followed;

  private record Noted(long generation, Instant at) {
    static final Noted NOTHING = new Noted(0, Instant.EPOCH);
  }

  /**
   * Nothing is read before the first generation is followed.
   *
   * @param stateDir {@code STATE_DIR}
   * @param alarm receives a sentence for the operator when the history cannot be written
   */
  public FeedHistory(Path stateDir, InstantSource clock, Consumer<String> alarm) {
    this.files = files(stateDir);
    this.snapshots = snapshots(stateDir);
    this.clock = clock;
    this.alarm = alarm;
  }

  static HistoryFiles files(Path stateDir) {
    return new HistoryFiles(stateDir.resolve(DIRECTORY));
  }

  static Path snapshots(Path stateDir) {
    return stateDir.resolve("snapshots");
  }

  /** Writes down what changed with the generation that is live now, if it is not written yet. */
  public void follow(ListSnapshot live, History bounds) {
    if (live.generation() == 0 || live.generation() == followed) {
      return;
    }
    followed = live.generation();
    try {
      note(live);
      files.prune(clock.instant(), bounds.retain(), bounds.maxSize());
    } catch (IOException | RuntimeException | InternalError e) {
      LOG.error("the history of the lists cannot be written", e);
      alarm.accept(
          "the history of the lists cannot be written ("
              + Faults.words(e)
              + "); `explain --at` does not know the time from now until their next change");
    }
  }

  private void note(ListSnapshot live) throws IOException {
    Noted last = noted;
    if (last == null) {
      last =
          files
              .last(problem -> LOG.warn("the history of the lists: {}", problem))
              .map(delta -> new Noted(delta.generation(), delta.at()))
              .orElse(Noted.NOTHING);
    }
    if (last.generation() != live.generation()) {
      Delta delta = delta(last, live);
      files.append(DeltaWriter.record(delta), delta.at());
      last = new Noted(delta.generation(), delta.at());
    }
    noted = last;
    base = live;
  }

  private Delta delta(Noted last, ListSnapshot live) throws IOException {
    long before = last.generation();
    // An older generation takes over when the live one is found damaged.
    boolean older = live.generation() < before;
    Instant at = older ? clock.instant() : live.manifest().created();
    Optional<ListSnapshot> known =
        base.generation() == before && before != 0
            ? Optional.of(base)
            : SnapshotStore.openKept(snapshots, before);
    if (known.isEmpty()) {
      return new Delta(0, live.generation(), at, at, List.of());
    }
    Instant next = SnapshotStore.created(snapshots, before + 1).orElse(last.at());
    Instant after = older || next.isAfter(at) ? at : next;
    return new Delta(
        before,
        live.generation(),
        after,
        at,
        DeltaCollector.between(known.get(), live, DeltaCollector.MAX_CHANGES));
  }
}
