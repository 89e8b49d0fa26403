package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.entry.ListEntry;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * The source from which a build reads the entries of one feed. Written by the feed-refresher over
 * the stored bytes of the feed; read by {@link SnapshotBuilder}, on one thread at a time.
 */
@FunctionalInterface
public interface EntrySource {

  /**
   * Hands over every entry that may go live, in feed order. A build calls this twice and must be
   * given the same entries both times: the first pass fills the files, the second proves that every
   * entry is found in them.
   *
   * @throws IOException when the feed cannot be read; the build fails and nothing is published
   */
  void forEach(Consumer<? super ListEntry> consumer) throws IOException;
}
