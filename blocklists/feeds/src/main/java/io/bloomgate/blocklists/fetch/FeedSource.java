package io.bloomgate.blocklists.fetch;

import java.nio.file.Path;

/** A source of a feed. Called on a fetch thread, or by {@code feeds test}. */
public interface FeedSource {

  /**
   * Takes the current version.
   *
   * @param known validators of the stored version, {@link Validators#NONE} to take it whatever it
   *     is
   * @param directory an empty directory of the caller's for what is fetched
   */
  FetchResult fetch(Validators known, Path directory);

  /**
   * The state of the current version without fetching it, to be compared with {@link
   * Validators#files}; empty where that would need the network. Cheap enough to be asked every
   * second.
   */
  default String state() {
    return "";
  }

  /** The source as it may be shown: without credentials and query. */
  String shown();
}
