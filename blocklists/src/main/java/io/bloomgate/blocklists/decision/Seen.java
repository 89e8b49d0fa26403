package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.campaign.Bulk;
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
 * @param bulk how many copies of its mail passed, from how many networks
 * @param partlyRead some of its mail was not read, because there is too much of it
 * @param malformed some of its mail is against the rules of MIME
 */
public record Seen(
    ClientName name,
    @Nullable IpAddress heloAddress,
    @Nullable IpAddress ownAddress,
    boolean early,
    Bulk bulk,
    boolean partlyRead,
    boolean malformed) {

  /** The signs before the content of a mail is known. */
  public Seen(
      ClientName name,
      @Nullable IpAddress heloAddress,
      @Nullable IpAddress ownAddress,
      boolean early) {
    this(name, heloAddress, ownAddress, early, Bulk.NONE, false, false);
  }

  /** Nothing is known. */
  public static final Seen NOTHING = new Seen(ClientName.UNKNOWN, null, null, false);

  /** The same with the name of the client's address. */
  public Seen withName(ClientName found) {
    return new Seen(found, heloAddress, ownAddress, early, bulk, partlyRead, malformed);
  }

  /** The same with the newest HELO. */
  public Seen withHelo(@Nullable IpAddress address) {
    return new Seen(name, address, ownAddress, early);
  }

  /** The same with what is odd of the mail that was just read. */
  public Seen withOdd(boolean isPartlyRead, boolean isMalformed) {
    return new Seen(name, heloAddress, ownAddress, early, bulk, isPartlyRead, isMalformed);
  }

  /** The same with the copies of the mail that was just read. */
  public Seen withBulk(Bulk counted) {
    return new Seen(name, heloAddress, ownAddress, early, counted, partlyRead, malformed);
  }
}
