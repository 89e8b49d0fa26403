package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.generation.KeyBatch;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of a transaction so far, or all that {@code explain} was asked about; only
 * normalised keys. Immutable; each {@code with} gives a later state.
 *
 * @param network the client's address after PROXY and XCLIENT, and of mail of a trusted forwarder
 *     the one that this wrote down, once it is known; for {@code explain} {@code null} when it is
 *     not known, or a whole network, which counts as listed or allowed only by what covers all of
 *     it
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
    @Nullable IpPrefix network,
    @Nullable ListKey helo,
    List<MailAddress> sender,
    @Nullable DomainName senderDomain,
    @Nullable Recipient recipient,
    List<DnsListing> dns,
    Seen seen,
    Content content) {

  /** The client where none is known. */
  private static final IpAddress NO_CLIENT = new IpAddress(0, 0);

  public Facts {
    sender = List.copyOf(sender);
    dns = List.copyOf(dns);
  }

  /** An envelope, of which no DNS list was asked, in a session that shows nothing else. */
  public static Facts of(
      @Nullable IpPrefix network,
      @Nullable ListKey helo,
      List<MailAddress> sender,
      @Nullable DomainName senderDomain,
      @Nullable Recipient recipient) {
    return new Facts(
        network, helo, sender, senderDomain, recipient, List.of(), Seen.NOTHING, Content.NONE);
  }

  /** A mail, of whose session nothing is known. */
  public static Facts of(Content content) {
    return of(null, null, List.of(), null, null).withContent(content);
  }

  /**
   * A recipient.
   *
   * @param localPart lower-case, unquoted
   * @param domain lower-case A-labels; empty for a bare {@code postmaster}
   * @param ownDomain true when its domain is one of ours; a bare {@code postmaster} counts as ours
   */
  public record Recipient(String localPart, String domain, boolean ownDomain) {}

  /** The address of the client, the first one of a whole network; of a session there is one. */
  public IpAddress client() {
    return network == null ? NO_CLIENT : network.network();
  }

  /** True when the client is known, and is no whole network. */
  public boolean isOfHost() {
    return network != null && network.isHost();
  }

  /**
   * True when the client, all of it, lies inside, or the forwarder that it is behind; false when it
   * is not known.
   */
  boolean clientWithin(IpPrefix around) {
    IpAddress forwarder = seen.forwarder();
    return (forwarder != null && around.contains(forwarder))
        || (network != null
            && around.length() <= network.length()
            && around.contains(network.network()));
  }

  /** True when the client is one that a trusted forwarder named, and not the forwarder itself. */
  public boolean isBehindForwarder() {
    return seen.forwarder() != null && !seen.forwarder().equals(client());
  }

  /**
   * Puts into the batch what lists are asked for about the envelope, and nothing else: client, its
   * name, HELO, the forms of the sender, its domain.
   */
  public void fill(KeyBatch batch) {
    batch.clear();
    forEachKey(batch::add);
  }

  /** The keys of the connection and the envelope, each with what is compared with it. */
  public void forEachKey(BiConsumer<Check, ListKey> taker) {
    if (network != null) {
      taker.accept(Check.CLIENT_IP, client());
    }
    DomainName clientName = seen.name().key();
    if (clientName != null) {
      taker.accept(Check.CLIENT_NAME, clientName);
    }
    if (helo != null) {
      taker.accept(Check.HELO, helo);
    }
    for (MailAddress form : sender) {
      taker.accept(Check.SENDER, form);
    }
    if (senderDomain != null) {
      taker.accept(Check.SENDER_DOMAIN, senderDomain);
    }
  }

  /** Makes the facts that are known at connect. */
  public static Facts ofClient(IpAddress client) {
    return of(IpPrefix.host(client), null, List.of(), null, null);
  }

  /** The part of the facts that is known before the client says anything. */
  public Facts atConnect() {
    return withHelo(null)
        .withDns(
            dns.stream()
                .filter(answer ->
                    answer.check() == Check.CLIENT_IP || answer.check() == Check.CLIENT_NAME)
                .toList());
  }

  /** The same for the client that the forwarder wrote down; nothing else is known of it. */
  public Facts forwardedFor(IpAddress client) {
    Seen behind = Seen.NOTHING.withForwarder(seen.forwarder());
    return new Facts(
        IpPrefix.host(client), null, sender, senderDomain, recipient, List.of(), behind, content);
  }

  /** The same with the newest HELO; forgets sender and recipient. */
  public Facts withHelo(@Nullable ListKey key) {
    return new Facts(network, key, List.of(), null, null, dns, seen.withHelo(null), Content.NONE);
  }

  /** The same with what the session shows of itself. */
  public Facts withSeen(Seen now) {
    return new Facts(network, helo, sender, senderDomain, recipient, dns, now, content);
  }

  /** The same with an envelope sender; forgets the recipient. */
  public Facts withSender(List<MailAddress> forms, @Nullable DomainName domain) {
    return new Facts(network, helo, forms, domain, null, dns, seen, Content.NONE);
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
    return new Facts(network, helo, sender, senderDomain, to, dns, seen, content);
  }

  /** The same with the answers of DNS lists. */
  public Facts withDns(List<DnsListing> answers) {
    return new Facts(network, helo, sender, senderDomain, recipient, answers, seen, content);
  }

  /** The same with more of them. */
  public Facts withMoreDns(List<DnsListing> answers) {
    return withDns(Stream.concat(dns.stream(), answers.stream()).distinct().toList());
  }

  /** The same of a mail that carries nothing else. */
  public Facts carrying(ContentKey key) {
    return withContent(new Content(List.of(key)));
  }

  /** The same with what is known of the content. */
  public Facts withContent(Content known) {
    return new Facts(network, helo, sender, senderDomain, recipient, dns, seen, known);
  }
}
