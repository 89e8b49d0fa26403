package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.DecisionEngine;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.settings.Check;
import io.bloomgate.config.settings.MailRates;
import io.bloomgate.config.settings.Rate;
import io.bloomgate.gateway.log.Limit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How much mail came lately, of all listeners and over reloads ({@code rates}). Not counted is what
 * no list could refuse: exempt networks and recipients, protected networks and names, and what an
 * allow entry lifts. Made by the composition root; asked by sessions on their threads. Thread-safe.
 */
public final class MailLimits {

  private final RateTable<IpAddress> clients;
  private final RateTable<IpAddress> networks;
  private final RateTable<DomainName> senderDomains;
  private final RateTable<String> recipients;

  /**
   * Nothing came yet.
   *
   * @param nanoTime monotonic time in nanoseconds
   */
  public MailLimits(LongSupplier nanoTime) {
    this.clients = new RateTable<>(nanoTime);
    this.networks = new RateTable<>(nanoTime);
    this.senderDomains = new RateTable<>(nanoTime);
    this.recipients = new RateTable<>(nanoTime);
  }

  /**
   * Counts a MAIL.
   *
   * @return the limit that it is beyond, and then nothing was counted; {@code null} for none
   */
  @Nullable Limit mail(SessionEnvironment env, Facts facts) {
    MailRates rates = env.settings().rates();
    IpAddress client = facts.client();
    if (!rates.limitMail() || !counts(env, facts, Check.CLIENT_IP, client)) {
      return null;
    }
    DomainName said = facts.senderDomain();
    DomainName domain =
        said == null || !counts(env, facts, Check.SENDER_DOMAIN, said) ? null : said;
    IpAddress account = Admission.accountOf(client);
    IpAddress network = ClientNetwork.of(client);
    synchronized (this) {
      if (!has(clients, account, rates.client())) {
        return Limit.CLIENT_RATE;
      }
      if (!has(networks, network, rates.network())) {
        return Limit.NETWORK_RATE;
      }
      if (domain != null && !take(senderDomains, domain, rates.senderDomain())) {
        return Limit.SENDER_DOMAIN_RATE;
      }
      take(clients, account, rates.client());
      take(networks, network, rates.network());
      return null;
    }
  }

  /**
   * Counts a RCPT that no list refuses.
   *
   * @param recipient its normal form
   * @return false when it is beyond the limit, and then it was not counted
   */
  boolean recipient(SessionEnvironment env, Facts facts, String recipient) {
    Rate rate = env.settings().rates().recipient();
    boolean exempt = facts.recipient() != null && env.policy().get().isExempt(facts.recipient());
    return rate == null
        || exempt
        || !counts(env, facts, Check.CLIENT_IP, facts.client())
        || recipients.take(recipient, rate);
  }

  private static boolean counts(SessionEnvironment env, Facts facts, Check check, ListKey subject) {
    return DecisionEngine.couldCount(
        facts, check, subject, env.lists().get(), env.policy().get(), env.clock().instant());
  }

  private static <K> boolean has(RateTable<K> table, K key, @Nullable Rate rate) {
    return rate == null || table.has(key, rate);
  }

  private static <K> boolean take(RateTable<K> table, K key, @Nullable Rate rate) {
    return rate == null || table.take(key, rate);
  }
}
