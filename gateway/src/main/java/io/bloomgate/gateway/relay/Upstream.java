package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.IpAddress;
import java.time.Duration;

/** The mail server behind the gateway, or several; shared by all sessions, any thread. */
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

  /**
   * Where mail for a domain goes; two recipients whose answers are not the same object cannot be in
   * one transaction there.
   *
   * @param domain lower-case A-labels; empty for the bare postmaster
   */
  default Upstream route(String domain) {
    return this;
  }

  /** True when each recipient gets an answer of his own behind the final dot (RFC 2033). */
  default boolean answersEach() {
    return false;
  }

  /** True when {@link #open} would not wait now for others to give a connection back. */
  default boolean hasRoom(IpAddress client) {
    return true;
  }

  /**
   * Begins to look up the client's name where it will be told; {@link ReverseName.Pending#NONE}
   * elsewhere.
   */
  default ReverseName.Pending nameOf(IpAddress client) {
    return ReverseName.Pending.NONE;
  }

  /** How long a session may keep a connection without saying anything on it. */
  Duration idleLimit();
}
