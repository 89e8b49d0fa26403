package io.bloomgate.gateway.relay;

import java.time.Duration;

/** The mail server behind the gateway; shared by all sessions, any thread. */
public interface Upstream {

  /**
   * A connection on which this client's identity was made known, greeted and ready for MAIL.
   *
   * @throws UpstreamException unreachable, refused, too slow, no free connection within the limit,
   *     or identity not taken
   */
  UpstreamSession open(ClientIdentity client) throws UpstreamException;

  /**
   * What the upstream offered last, by probe or session; {@link UpstreamExtensions#NONE} before
   * that.
   */
  UpstreamExtensions lastExtensions();

  /** How long a session may keep a connection without saying anything on it. */
  Duration idleLimit();

  /**
   * True when another session waits for a connection: whoever is between two messages and asks
   * gives its own back. Does not block.
   */
  boolean awaited();
}
