package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.fetch.FeedSources.FetchMeter;
import java.nio.file.Path;

/**
 * Files with fixed names below one web address or in one folder: what the leader of a fleet
 * published. Made by {@link FeedSources#files}; each call blocks its thread. Thread-safe.
 */
public interface StaticFiles {

  /**
   * Takes a file if it is not the known one.
   *
   * @param name path below the address or folder; the caller makes it of letters, digits, dots,
   *     hyphens and slashes
   * @param known what {@link Result.Taken} said of the last version, {@link Validators.Stamp#NONE}
   *     to take whatever there is
   * @param file where it goes; nothing is there before, and nothing after a failure
   * @param octets that it may have
   */
  Result take(String name, Validators.Stamp known, Path file, long octets, FetchMeter meter);

  /** The address or folder as it may be shown. */
  String shown();

  /** How it ended. Immutable. */
  sealed interface Result {
    /** The file is there. */
    record Taken(Validators.Stamp stamp) implements Result {}

    /** It is still the known one. */
    record NotModified() implements Result {}

    /**
     * There is no file.
     *
     * @param why what, where, how to fix it; nothing in it needs escaping
     */
    record Failed(String why) implements Result {}
  }
}
