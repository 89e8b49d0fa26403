package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * The answer of a DNS list about a session: a fact, asked for before the decision. Immutable.
 *
 * @param list the source's name in the settings
 * @param subject what was asked about: of a host in a mail, it may be the registered name
 * @param zone without the key
 * @param answer an address in 127.0.0.0/8 (RFC 5782 section 2.1)
 * @param ttl how long the answer counts
 * @param at when it came
 * @param place how the mail has it; {@code OPEN} for the envelope
 */
public record DnsListing(
    String list,
    Check check,
    ListKey subject,
    String zone,
    IpAddress answer,
    Duration ttl,
    Instant at,
    ContentKey.Place place) {

  /** Answers of Spamhaus DBL about good names that were abused. */
  private static final int FIRST_ABUSED = 0x7f000166;

  private static final int LAST_ABUSED = 0x7f00016a;

  private static final String DBL = "dbl.";

  /** An answer about the envelope, or about what a mail has as the sender's own. */
  public DnsListing(
      String list,
      Check check,
      ListKey subject,
      String zone,
      IpAddress answer,
      Duration ttl,
      Instant at) {
    this(list, check, subject, zone, answer, ttl, at, ContentKey.Place.OPEN);
  }

  /** The same about something that a mail has in this place. */
  public DnsListing at(ContentKey.Place other) {
    return new DnsListing(list, check, subject, zone, answer, ttl, at, other);
  }

  /** True when it says something of this key of a mail. */
  public boolean isAbout(ContentKey key) {
    return check == key.check()
        && (subject.equals(key.key())
            || (subject instanceof DomainName name
                && key.key() instanceof DomainName host
                && name.covers(host)));
  }

  /**
   * True when it does not say that the mail is bad: a good name was abused, or a list of senders
   * names the address of a link.
   *
   * @param ofList the checks of the list
   */
  boolean isIndirect(Set<Check> ofList) {
    boolean isAbused =
        zone.startsWith(DBL) && answer.v4Bits() >= FIRST_ABUSED && answer.v4Bits() <= LAST_ABUSED;
    return isAbused
        || (Check.OF_CONTENT.contains(check)
            && subject instanceof IpAddress
            && ofList.contains(Check.CLIENT_IP));
  }
}
