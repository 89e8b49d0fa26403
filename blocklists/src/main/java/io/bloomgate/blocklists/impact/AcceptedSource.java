package io.bloomgate.blocklists.impact;

import io.bloomgate.config.name.IpAddress;
import java.io.IOException;
import java.util.Optional;

/**
 * The source of the newest sessions with accepted mail, for the guard of feeds. Read on the
 * feed-refresher thread; each call reads again.
 */
@FunctionalInterface
public interface AcceptedSource {

  /**
   * Hands over the sessions, the newest first; others may be among them.
   *
   * @return which bound ended the reading before the taker had enough, as in "after ...": empty
   *     when none did
   * @throws IOException when what was kept cannot be read
   */
  Optional<String> read(Taker taker) throws IOException;

  /** Takes sessions. */
  interface Taker {

    /** False for a client whose session need not be read; asked before each session. */
    boolean wants(IpAddress client);

    /**
     * Takes a session of a client that it wants.
     *
     * @return false when it wants no more of any client
     */
    boolean take(PastSession session);
  }
}
