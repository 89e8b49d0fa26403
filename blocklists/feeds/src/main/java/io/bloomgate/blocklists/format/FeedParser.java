package io.bloomgate.blocklists.format;

import java.io.IOException;
import java.io.InputStream;

/**
 * Reads one format. Stateless, any thread; total: whatever the octets say, it comes to an end with
 * entries and problems, and holds no more than a line of them.
 */
@FunctionalInterface
interface FeedParser {

  /**
   * Reads a decompressed text to its end.
   *
   * @throws IOException only when {@code text} throws it
   */
  void parse(InputStream text, ParseRun run) throws IOException;
}
