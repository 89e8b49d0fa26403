package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Recipients;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.MailRates;
import io.bloomgate.config.settings.Rate;
import io.bloomgate.gateway.log.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts how much mail came lately, of all listeners and over reloads ({@code rates}). Not counted
 * is what no list could refuse: exempt networks and recipients, protected networks and names, and
 * what an allow entry lifts. Made by the composition root; asked by sessions on their threads.
 * Thread-safe.
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
  private volatile @Nullable Sharing sharing;

  /**
   * Something that is counted here and on all nodes of a fleet.
   *
   * @param key names it, and what it counts
   * @param adder adds what others have counted
   */
  public record Counter(String key, Rate rate, Adder adder) {}

  /** Adds what others have counted, on any thread. */
  @FunctionalInterface
  public interface Adder {
    /** Adds some, which were counted that long ago. */
    void add(long count, long agoNanos);
  }

  /** Asks and informs other nodes of a fleet; called on threads of sessions. */
  public interface Sharing {

    /**
     * Asks what other nodes have counted, which is added to these.
     *
     * @return waits for that, a bounded time from the question on
     */
    Runnable ask(List<Counter> counters);

    /** This node has counted these once; returns at once. */
    void count(List<Counter> counters);
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

  /** Has other nodes count what is counted here, and asks them, from now on. */
  public void shareBy(Sharing by) {
    sharing = by;
  }

  /**
   * Counts a MAIL.
   *
   * @return the limit that it is beyond, and then nothing was counted; {@code null} for none
   */
  @Nullable Limit mail(Judge judge, MailRates rates, Facts facts) {
    IpAddress client = facts.client();
    if (!judge.couldCount(facts, Check.CLIENT_IP, client)) {
      return null;
    }
    IpAddress account = Admission.accountOf(client);
    IpAddress network = ClientNetwork.of(client);
    Sharing others = sharing;
    List<Counter> counters = others == null ? List.of() : ofMail(rates, account, network);
    if (others != null) {
      others.ask(counters).run();
    }
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
    if (others != null) {
      others.count(counters);
    }
    return null;
  }

  /**
   * A RCPT of which other nodes are asked while its lists are.
   *
   * @param domain of the sender; {@code null} when it is not counted
   * @param waiting for the others
   */
  record Asked(
      MailRates rates,
      IpAddress network,
      @Nullable DomainName domain,
      String recipient,
      List<Counter> counters,
      Runnable waiting) {
    Asked {
      counters = List.copyOf(counters);
    }
  }

  /**
   * Asks other nodes about a RCPT, and returns at once.
   *
   * @param recipient its normal form
   * @param withDomain true for the first recipient of the message
   * @return for {@link #recipient}; {@code null} when nothing of it is counted
   */
  @Nullable Asked ask(
      Judge judge, MailRates rates, Facts facts, String recipient, boolean withDomain) {
    Recipients.Own own = judge.own(facts.recipient());
    boolean spared = own != null && own.profile().isSpared();
    if (spared || !judge.couldCount(facts, Check.CLIENT_IP, facts.client())) {
      return null;
    }
    DomainName said = withDomain ? facts.senderDomain() : null;
    DomainName domain =
        said == null || !judge.couldCount(facts, Check.SENDER_DOMAIN, said) ? null : said;
    IpAddress network = ClientNetwork.of(facts.client());
    Sharing others = sharing;
    List<Counter> counters =
        others == null ? List.of() : ofRecipient(rates, network, domain, recipient);
    Runnable waiting = others == null ? () -> {} : others.ask(counters);
    return new Asked(rates, network, domain, recipient, counters, waiting);
  }

  /**
   * Counts a RCPT that no list refuses, and with the first of a message the sender's domain: what a
   * list refuses anyway, or never comes to a recipient, uses up no rate.
   *
   * @return the limit that it is beyond, and then nothing was counted; {@code null} for none
   */
  @Nullable Limit recipient(Asked asked) {
    MailRates rates = asked.rates();
    IpAddress network = asked.network();
    DomainName domain = asked.domain();
    String recipient = asked.recipient();
    asked.waiting().run();
    synchronized (this) {
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
    Sharing others = sharing;
    if (others != null) {
      others.count(asked.counters());
    }
    return null;
  }

  private List<Counter> ofMail(MailRates rates, IpAddress account, IpAddress network) {
    List<Counter> counters = new ArrayList<>(2);
    counter(counters, "client " + account, clients, account, rates.client());
    counter(counters, "network " + network, networks, network, rates.network());
    return counters;
  }

  private List<Counter> ofRecipient(
      MailRates rates, IpAddress network, @Nullable DomainName domain, String recipient) {
    List<Counter> counters = new ArrayList<>(4);
    if (domain != null) {
      senderDomains.counters(counters, "domain " + domain, network, domain, rates.senderDomain());
    }
    recipients.counters(counters, "recipient " + recipient, network, recipient, rates.recipient());
    return counters;
  }

  /**
   * A rate of which one network may use a part. Used under the lock of the limits.
   *
   * @param <K> what is counted
   */
  private static final class SharedRate<K> {
    private final RateTable<K> all;
    private final RateTable<Part<K>> parts;

    /** The part of it that one network uses. */
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

    /** Adds what nodes share of it: the whole, and the part of the network. */
    void counters(
        List<Counter> counters, String name, IpAddress network, K key, @Nullable Rate rate) {
      counter(counters, name, all, key, rate);
      counter(
          counters,
          name + " " + network,
          parts,
          new Part<>(network, key),
          rate == null ? null : partOf(rate));
    }

    /** It regains its smaller burst in the same time, so that the long run is shared too. */
    private static Rate partOf(Rate rate) {
      int burst = ClientNetwork.share(rate.burst());
      return new Rate(burst, Duration.ofNanos(rate.each().toNanos() * rate.burst() / burst));
    }
  }

  private static <K> boolean has(RateTable<K> table, K key, @Nullable Rate rate) {
    return rate == null || table.has(key, rate);
  }

  private static <K> void counter(
      List<Counter> counters, String name, RateTable<K> table, K key, @Nullable Rate rate) {
    if (rate != null) {
      counters.add(
          new Counter(name, rate, (count, agoNanos) -> table.add(key, rate, count, agoNanos)));
    }
  }

  private static <K> void take(RateTable<K> table, K key, @Nullable Rate rate) {
    if (rate != null) {
      table.take(key, rate);
    }
  }
}
