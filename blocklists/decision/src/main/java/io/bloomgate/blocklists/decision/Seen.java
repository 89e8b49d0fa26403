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
 */
public record Seen(
    ClientName name,
    @Nullable IpAddress heloAddress,
    @Nullable IpAddress ownAddress,
    boolean early) {

  /** Nothing is known. */
  public static final Seen NOTHING = new Seen(ClientName.UNKNOWN, null, null, false);

  /** The same with the name of the client's address. */
  public Seen withName(ClientName found) {
    return new Seen(found, heloAddress, ownAddress, early);
  }

  /** The same with the newest HELO. */
  public Seen withHelo(@Nullable IpAddress address) {
    return new Seen(name, address, ownAddress, early);
  }
}
