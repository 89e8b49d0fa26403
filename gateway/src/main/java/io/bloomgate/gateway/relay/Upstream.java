package io.bloomgate.gateway.relay;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.config.name.IpAddress;
import java.time.Duration;
import java.util.function.Supplier;

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
   * Returns what the mail server offered last, by probe or session; {@link UpstreamExtensions#NONE}
   * before that.
   */
  UpstreamExtensions lastExtensions();

  /**
   * Waits, if need be, until it is known what the mail server offers.
   *
   * @return false when that is not known yet, as no mail server has ever answered
   */
  default boolean awaitOffers(Duration atMost) {
    return true;
  }

  /**
   * The servers for a domain's mail. Two recipients can be in one transaction only when this is the
   * same object for both.
   *
   * @param domain lower-case A-labels; empty for the bare postmaster
   */
  default Upstream route(String domain) {
    return this;
  }

  /** True when the server answers for each recipient after the final dot (RFC 2033). */
  default boolean answersEach() {
    return false;
  }

  /** True when {@link #open} would not wait now for a free connection. */
  default boolean hasRoom(IpAddress client) {
    return true;
  }

  /** True while all connections to a server are in use and clients had to wait for one. */
  default boolean isCrowded() {
    return false;
  }

  /**
   * Begins to look up the client's name where a server learns it; {@link ClientNames#NOT_ASKED}
   * elsewhere.
   */
  default Supplier<ClientName> nameOf(IpAddress client) {
    return ClientNames.NOT_ASKED;
  }

  /**
   * Returns the time for which a session may keep a connection without saying anything on it: below
   * the usual timeouts of servers, of which RFC 5321 section 4.5.3.2.7 asks 5 minutes.
   */
  default Duration idleLimit() {
    return Duration.ofSeconds(30);
  }
}
