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
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How much mail came lately, of all listeners and over reloads ({@code rates}). Not counted is what
 * no list could refuse: exempt networks and recipients, protected networks and names, and what an
 * allow entry lifts. Made by the composition root; asked by sessions on their threads. Thread-safe.
 *
 * <p>Anybody can name a domain or a recipient, and needs not deliver anything. So one network may
 * use {@link ClientNetwork#share} of the rate of a domain and of a recipient: the rest is for the
 * others.
 */
public final class MailLimits {

  private final RateTable<IpAddress> clients;
  private final RateTable<IpAddress> networks;
  private final SharedRate<DomainName> senderDomains;
  private final SharedRate<String> recipients;
  private volatile Sharing sharing = Sharing.NONE;

  /** Takes what other nodes of a fleet are to count, on threads of sessions; returns at once. */
  public interface Sharing {
    /** Nobody else counts. */
    Sharing NONE =
        new Sharing() {
          @Override
          public void mail(IpAddress account) {}

          @Override
          public void recipient(IpAddress network, @Nullable DomainName domain, String recipient) {}
        };

    /** A message of this client was counted. */
    void mail(IpAddress account);

    /**
     * A recipient was counted.
     *
     * @param domain of the sender, where it was counted with it
     * @param recipient empty when only the domain was counted
     */
    void recipient(IpAddress network, @Nullable DomainName domain, String recipient);
  }

  /**
   * Nothing came yet.
   *
   * @param nanoTime monotonic time in nanoseconds
   */
  public MailLimits(LongSupplier nanoTime) {
    this.clients = new RateTable<>(nanoTime);
    this.networks = new RateTable<>(nanoTime);
    this.senderDomains = new SharedRate<>(nanoTime);
    this.recipients = new SharedRate<>(nanoTime);
  }

  /** From now on other nodes count what is counted here. */
  public void shareBy(Sharing by) {
    sharing = by;
  }

  /** Counts a message that another node let in. */
  public synchronized void mailElsewhere(IpAddress account, MailRates rates, long agoNanos) {
    add(clients, account, rates.client(), agoNanos);
    add(networks, ClientNetwork.of(account), rates.network(), agoNanos);
  }

  /** Counts a recipient that another node let in, as {@link Sharing#recipient} gave it there. */
  public synchronized void recipientElsewhere(
      IpAddress network,
      @Nullable DomainName domain,
      String recipient,
      MailRates rates,
      long agoNanos) {
    if (domain != null) {
      senderDomains.add(network, domain, rates.senderDomain(), agoNanos);
    }
    if (!recipient.isEmpty()) {
      recipients.add(network, recipient, rates.recipient(), agoNanos);
    }
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
    IpAddress account = Admission.accountOf(client);
    IpAddress network = ClientNetwork.of(client);
    synchronized (this) {
      if (!has(clients, account, rates.client())) {
        return Limit.CLIENT_RATE;
      }
      if (!has(networks, network, rates.network())) {
        return Limit.NETWORK_RATE;
      }
      take(clients, account, rates.client());
      take(networks, network, rates.network());
    }
    sharing.mail(account);
    return null;
  }

  /** What is counted of the recipients of one message. */
  Message message() {
    return new Message();
  }

  /** One message: its sender's domain is counted once. Used by one session's thread. */
  final class Message {
    private boolean domainCounted;

    private Message() {}

    /**
     * Counts a RCPT that no list refuses, and with the first of them the sender's domain: what a
     * list refuses anyway, or never comes to a recipient, uses up no rate.
     *
     * @param recipient its normal form
     * @return the limit that it is beyond, and then nothing was counted; {@code null} for none
     */
    @Nullable Limit recipient(SessionEnvironment env, Facts facts, String recipient) {
      MailRates rates = env.settings().rates();
      boolean exempt = facts.recipient() != null && env.policy().get().isExempt(facts.recipient());
      if (!rates.limitRecipients()
          || exempt
          || !counts(env, facts, Check.CLIENT_IP, facts.client())) {
        return null;
      }
      DomainName said = domainCounted ? null : facts.senderDomain();
      DomainName domain =
          said == null || !counts(env, facts, Check.SENDER_DOMAIN, said) ? null : said;
      IpAddress network = ClientNetwork.of(facts.client());
      synchronized (MailLimits.this) {
        if (domain != null && !senderDomains.has(network, domain, rates.senderDomain())) {
          return Limit.SENDER_DOMAIN_RATE;
        }
        if (!recipients.has(network, recipient, rates.recipient())) {
          return Limit.RECIPIENT_RATE;
        }
        if (domain != null) {
          senderDomains.take(network, domain, rates.senderDomain());
        }
        recipients.take(network, recipient, rates.recipient());
      }
      domainCounted = true;
      boolean isDomainShared = domain != null && rates.senderDomain() != null;
      if (isDomainShared || rates.recipient() != null) {
        sharing.recipient(
            network, isDomainShared ? domain : null, rates.recipient() == null ? "" : recipient);
      }
      return null;
    }
  }

  /**
   * A rate of which one network may use a part. Used under the lock of the limits.
   *
   * @param <K> what is counted
   */
  private static final class SharedRate<K> {
    private final RateTable<K> all;
    private final RateTable<Part<K>> parts;

    /** What one network uses of it. */
    private record Part<K>(IpAddress network, K key) {}

    SharedRate(LongSupplier nanoTime) {
      this.all = new RateTable<>(nanoTime);
      this.parts = new RateTable<>(nanoTime);
    }

    boolean has(IpAddress network, K key, @Nullable Rate rate) {
      return rate == null
          || (all.has(key, rate) && parts.has(new Part<>(network, key), partOf(rate)));
    }

    void take(IpAddress network, K key, @Nullable Rate rate) {
      if (rate != null) {
        all.take(key, rate);
        parts.take(new Part<>(network, key), partOf(rate));
      }
    }

    void add(IpAddress network, K key, @Nullable Rate rate, long agoNanos) {
      if (rate != null) {
        all.add(key, rate, agoNanos);
        parts.add(new Part<>(network, key), partOf(rate), agoNanos);
      }
    }

    /** It regains its smaller burst in the same time, so that the long run is shared too. */
    private static Rate partOf(Rate rate) {
      int burst = ClientNetwork.share(rate.burst());
      return new Rate(burst, Duration.ofNanos(rate.each().toNanos() * rate.burst() / burst));
    }
  }

  private static boolean counts(SessionEnvironment env, Facts facts, Check check, ListKey subject) {
    return DecisionEngine.couldCount(
        facts, check, subject, env.lists().get(), env.policy().get(), env.clock().instant());
  }

  private static <K> boolean has(RateTable<K> table, K key, @Nullable Rate rate) {
    return rate == null || table.has(key, rate);
  }

  private static <K> void add(RateTable<K> table, K key, @Nullable Rate rate, long agoNanos) {
    if (rate != null) {
      table.add(key, rate, agoNanos);
    }
  }

  private static <K> void take(RateTable<K> table, K key, @Nullable Rate rate) {
    if (rate != null) {
      table.take(key, rate);
    }
  }
}
