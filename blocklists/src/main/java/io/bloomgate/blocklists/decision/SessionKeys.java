package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.generation.KeyBatch;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the steps of a decision look at: the facts of a session, or what {@code explain} was asked
 * about, where the client may be unknown or a whole network. Immutable.
 *
 * @param client the client as a network; a whole network counts as listed or allowed only by what
 *     covers all of it
 * @param exemptRecipient the recipient is one that feeds never refuse
 * @param dns what DNS lists answered about these keys
 * @param seen what the session shows beside these keys
 * @param content what the mail shows
 */
public record SessionKeys(
    @Nullable IpPrefix client,
    @Nullable ListKey helo,
    List<MailAddress> sender,
    @Nullable DomainName senderDomain,
    boolean exemptRecipient,
    List<DnsListing> dns,
    Seen seen,
    Content content) {

  public SessionKeys {
    dns = List.copyOf(dns);
  }

  /** Keys about which no DNS list was asked, and a session that shows nothing else. */
  public SessionKeys(
      @Nullable IpPrefix client,
      @Nullable ListKey helo,
      List<MailAddress> sender,
      @Nullable DomainName senderDomain,
      boolean exemptRecipient) {
    this(
        client, helo, sender, senderDomain, exemptRecipient, List.of(), Seen.NOTHING, Content.NONE);
  }

  /** The same with the answers of DNS lists. */
  public SessionKeys withDns(List<DnsListing> answers) {
    return new SessionKeys(
        client, helo, sender, senderDomain, exemptRecipient, answers, seen, content);
  }

  /** The keys of a transaction. */
  public static SessionKeys of(Facts facts, Policy policy) {
    boolean exempt = facts.recipient() != null && policy.isExempt(facts.recipient());
    return new SessionKeys(
        IpPrefix.host(facts.client()),
        facts.helo(),
        facts.sender(),
        facts.senderDomain(),
        exempt,
        facts.dns(),
        facts.seen(),
        facts.content().among(exempt));
  }

  /**
   * Puts into the batch what lists are asked for about the envelope, and nothing else: client, its
   * name, HELO, the forms of the sender, its domain.
   */
  public void fill(KeyBatch batch) {
    batch.clear();
    if (client != null) {
      batch.add(client.network());
    }
    DomainName clientName = seen.name().key();
    if (clientName != null) {
      batch.add(clientName);
    }
    if (helo != null) {
      batch.add(helo);
    }
    for (int i = 0; i < sender.size(); i++) {
      batch.add(sender.get(i));
    }
    if (senderDomain != null) {
      batch.add(senderDomain);
    }
  }

  /** The same with what the mail shows. */
  public SessionKeys withContent(Content shown) {
    return new SessionKeys(client, helo, sender, senderDomain, exemptRecipient, dns, seen, shown);
  }

  /** The same with what the session shows of itself. */
  public SessionKeys withSeen(Seen now) {
    return new SessionKeys(client, helo, sender, senderDomain, exemptRecipient, dns, now, content);
  }

  /** True when the client, all of it, lies inside; false when it is not known. */
  boolean clientWithin(IpPrefix network) {
    return client != null
        && network.length() <= client.length()
        && network.contains(client.network());
  }
}
