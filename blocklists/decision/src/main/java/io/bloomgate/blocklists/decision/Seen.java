package io.bloomgate.blocklists.decision;

import io.bloomgate.config.name.IpAddress;
import org.jspecify.annotations.Nullable;

/**
 * The signs that a session shows beside the keys that lists are asked for. Immutable.
 *
 * @param name the name of the client's address
 * @param heloAddress the address in HELO, as a literal or bare; {@code null} for none
 * @param ownAddress the address of this gateway that the client connected to, {@code null} when it
 *     is not known
 * @param early the client spoke before the banner
 * @param forwarder the address of a trusted forwarder that the session comes from; {@code null} for
 *     any other client
 */
public record Seen(
    ClientName name,
    @Nullable IpAddress heloAddress,
    @Nullable IpAddress ownAddress,
    boolean early,
    @Nullable IpAddress forwarder) {

  /** Nothing is known. */
  public static final Seen NOTHING = new Seen(ClientName.UNKNOWN, null, null, false);

  /** The signs of a session that comes from no forwarder. */
  public Seen(
      ClientName name,
      @Nullable IpAddress heloAddress,
      @Nullable IpAddress ownAddress,
      boolean early) {
    this(name, heloAddress, ownAddress, early, null);
  }

  /** The same of a session that comes from a trusted forwarder. */
  public Seen withForwarder(@Nullable IpAddress address) {
    return new Seen(name, heloAddress, ownAddress, early, address);
  }

  /** The same with the name of the client's address. */
  public Seen withName(ClientName found) {
    return new Seen(found, heloAddress, ownAddress, early, forwarder);
  }

  /** The same with the newest HELO. */
  public Seen withHelo(@Nullable IpAddress address) {
    return new Seen(name, address, ownAddress, early, forwarder);
  }
}
