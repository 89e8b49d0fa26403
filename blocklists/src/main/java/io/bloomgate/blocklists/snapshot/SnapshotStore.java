package io.bloomgate.blocklists.snapshot;

import io.bloomgate.blocklists.key.ListEntry;
import io.bloomgate.blocklists.key.ListKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The generations on disk: {@code STATE_DIR/snapshots/0000000412/}, and {@code CURRENT}, which
 * names the live one. One gateway at a time opens it for writing (the state directory's lock is the
 * caller's); everything that writes runs on the feed-refresher thread.
 */
public final class SnapshotStore implements AutoCloseable {

  private SnapshotStore() {}

  /**
   * Opens the store for writing, makes the directory when it is missing and clears what a killed
   * build left behind.
   *
   * @param directory {@code STATE_DIR/snapshots}
   * @param alarm hears, in a sentence fit for the operator, of damage and of falling back
   */
  public static SnapshotStore open(
      Path directory, SnapshotBuilder builder, InstantSource clock, Consumer<String> alarm)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Opens the generation that was live last, or the newest older one that is whole; {@link
   * ListSnapshot#EMPTY} when there is none. After an unclean stop every page is verified first.
   */
  public ListSnapshot load() throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Opens the current generation for reading only, while a gateway may be running: nothing is
   * changed on disk. {@link ListSnapshot#EMPTY} when there is none.
   *
   * @throws IOException when it cannot be read or is damaged
   */
  public static ListSnapshot openCurrent(Path directory) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Builds the next generation aside, checks it, makes it current on disk and removes those that
   * are no longer kept. The caller publishes the result through {@link LiveSnapshot}.
   *
   * @throws SnapshotBuildException when the build did not stand its own check
   * @throws IOException when a feed cannot be read or the disk is full; the current generation
   *     stays
   */
  public ListSnapshot build(List<FeedInput> feeds, BuildOptions options)
      throws IOException, SnapshotBuildException {
    throw new UnsupportedOperationException();
  }

  /**
   * Verifies every page of the live generation; on damage raises the alarm and replaces it with the
   * newest older one that is whole. Takes up to a second a gigabyte: run it on a thread of its own.
   */
  public void verify(LiveSnapshot live) {
    throw new UnsupportedOperationException();
  }

  /**
   * Since when a feed lists an entry: time of the oldest kept generation from which on every one up
   * to the current has it.
   *
   * @param key the key whose listing it is
   * @param entry as the listing of the current generation shows it; its line may differ in older
   *     ones
   */
  public static Optional<Instant> since(Path directory, String feed, ListKey key, ListEntry entry) {
    throw new UnsupportedOperationException();
  }

  /** Notes that the store was left in order, so that the next start need not verify everything. */
  @Override
  public void close() throws IOException {
    throw new UnsupportedOperationException();
  }
}
