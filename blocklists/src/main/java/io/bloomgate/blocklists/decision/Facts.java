package io.bloomgate.blocklists.decision;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of a transaction so far; only normalised keys. Immutable; each {@code with}
 * gives a later state.
 *
 * @param client the client's address after PROXY and XCLIENT
 * @param helo key of the newest HELO: a domain, an address literal, or {@code null} for none or an
 *     unusable one
 * @param sender the forms of the envelope sender that are asked, most literal first; empty for none
 *     and for {@code <>}
 * @param senderDomain {@code null} for none, for {@code <>} and for an address literal
 * @param recipient the recipient in question; {@code null} before RCPT
 * @param dns what DNS lists answered about client, HELO name and sender
 * @param seen what the session shows beside these keys
 * @param content what the mail shows
 */
public record Facts(
    IpAddress client,
    @Nullable ListKey helo,
    List<MailAddress> sender,
    @Nullable DomainName senderDomain,
    @Nullable Recipient recipient,
    List<DnsListing> dns,
    Seen seen,
    Content content) {

  public Facts {
    sender = List.copyOf(sender);
    dns = List.copyOf(dns);
  }

  /**
   * A recipient.
   *
   * @param localPart lower-case, unquoted
   * @param ownDomain true when its domain is one of ours; a bare {@code postmaster} counts as ours
   */
  public record Recipient(String localPart, boolean ownDomain) {}

  /** What is known at connect. */
  public static Facts ofClient(IpAddress client) {
    return new Facts(client, null, List.of(), null, null, List.of(), Seen.NOTHING, Content.NONE);
  }

  /** The same with the newest HELO; forgets sender and recipient. */
  public Facts withHelo(@Nullable ListKey key) {
    return new Facts(client, key, List.of(), null, null, dns, seen.withHelo(null), Content.NONE);
  }

  /** The same with what the session shows of itself. */
  public Facts withSeen(Seen now) {
    return new Facts(client, helo, sender, senderDomain, recipient, dns, now, content);
  }

  /** The same with an envelope sender; forgets the recipient. */
  public Facts withSender(List<MailAddress> forms, @Nullable DomainName domain) {
    return new Facts(client, helo, forms, domain, null, dns, seen, Content.NONE);
  }

  /**
   * The same with an envelope sender, keyed as lists are asked: {@code null} for {@code <>} and for
   * an address that no list can hold. A literal behind the at sign gives no domain key.
   */
  public Facts withSender(@Nullable MailAddress address) {
    return address == null
        ? withSender(List.of(), null)
        : withSender(address.askedForms(), domainOf(address));
  }

  /** The domain of an address, {@code null} for an address literal. */
  public static @Nullable DomainName domainOf(MailAddress address) {
    return switch (address.host()) {
      case MailAddress.Host.Name(DomainName name) -> name;
      case MailAddress.Host.Literal ignored -> null;
    };
  }

  /** The same with a recipient. */
  public Facts withRecipient(Recipient to) {
    return new Facts(client, helo, sender, senderDomain, to, dns, seen, content);
  }

  /** The same with the answers of DNS lists. */
  public Facts withDns(List<DnsListing> answers) {
    return new Facts(client, helo, sender, senderDomain, recipient, answers, seen, content);
  }

  /** The same of past mail, with what is known of its content. */
  public Facts withPastContent(Content known) {
    return new Facts(client, helo, sender, senderDomain, recipient, dns, seen, known);
  }

  /** The same for the mail as a whole: of no recipient, and with what its content shows. */
  public Facts withContent(Content shown) {
    return new Facts(client, helo, sender, senderDomain, null, dns, seen, shown);
  }
}
