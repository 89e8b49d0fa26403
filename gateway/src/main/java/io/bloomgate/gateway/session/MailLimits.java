package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Recipients;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.notation.Rate;
import io.bloomgate.config.settings.MailRates;
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

  private final Counted clients;
  private final Counted networks;
  private final Counted senderDomains;
  private final Counted senderDomainsOfNetworks;
  private final Counted recipients;
  private final Counted recipientsOfNetworks;
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
    this.clients = new Counted("client", Limit.CLIENT_RATE, new RateTable<>(nanoTime));
    this.networks = new Counted("network", Limit.NETWORK_RATE, new RateTable<>(nanoTime));
    this.senderDomains = new Counted("domain", Limit.SENDER_DOMAIN_RATE, new RateTable<>(nanoTime));
    this.senderDomainsOfNetworks = senderDomains.by(new RateTable<>(nanoTime));
    this.recipients = new Counted("recipient", Limit.RECIPIENT_RATE, new RateTable<>(nanoTime));
    this.recipientsOfNetworks = recipients.by(new RateTable<>(nanoTime));
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
    List<Use> uses = new ArrayList<>(2);
    add(uses, clients, Admission.accountOf(client), rates.client());
    add(uses, networks, ClientNetwork.of(client), rates.network());
    return count(asked(uses));
  }

  /**
   * Something of which other nodes are asked while its lists are.
   *
   * @param waiting for the others
   */
  record Asked(List<Use> uses, List<Counter> counters, Runnable waiting) {
    Asked {
      uses = List.copyOf(uses);
      counters = List.copyOf(counters);
    }
  }

  /**
   * Asks other nodes about a RCPT, and returns at once. What a list refuses anyway, or never comes
   * to a recipient, uses up no rate.
   *
   * @param recipient its normal form
   * @param withDomain true for the first recipient of the message, with which the sender's domain
   *     is counted
   * @return for {@link #count}; {@code null} when nothing of it is counted
   */
  @Nullable Asked ask(
      Judge judge, MailRates rates, Facts facts, String recipient, boolean withDomain) {
    Recipients.Own own = judge.own(facts.recipient());
    boolean spared = own != null && own.profile().isSpared();
    if (spared || !judge.couldCount(facts, Check.CLIENT_IP, facts.client())) {
      return null;
    }
    IpAddress network = ClientNetwork.of(facts.client());
    List<Use> uses = new ArrayList<>(4);
    DomainName domain = withDomain ? facts.senderDomain() : null;
    if (domain != null && judge.couldCount(facts, Check.SENDER_DOMAIN, domain)) {
      add(uses, senderDomains, domain, rates.senderDomain());
      add(uses, senderDomainsOfNetworks, new Part(network, domain), partOf(rates.senderDomain()));
    }
    add(uses, recipients, recipient, rates.recipient());
    add(uses, recipientsOfNetworks, new Part(network, recipient), partOf(rates.recipient()));
    return asked(uses);
  }

  private Asked asked(List<Use> uses) {
    Sharing others = sharing;
    if (others == null) {
      return new Asked(uses, List.of(), () -> {});
    }
    List<Counter> counters = uses.stream().map(Use::counter).toList();
    return new Asked(uses, counters, others.ask(counters));
  }

  /**
   * Counts what may come.
   *
   * @return the limit that it is beyond, and then nothing was counted; {@code null} for none
   */
  @Nullable Limit count(Asked asked) {
    asked.waiting().run();
    synchronized (this) {
      for (Use use : asked.uses()) {
        if (!use.of().table().has(use.key(), use.rate())) {
          return use.of().limit();
        }
      }
      asked.uses().forEach(use -> use.of().table().take(use.key(), use.rate()));
    }
    Sharing others = sharing;
    if (others != null) {
      others.count(asked.counters());
    }
    return null;
  }

  private static void add(List<Use> uses, Counted of, Object key, @Nullable Rate rate) {
    if (rate != null) {
      uses.add(new Use(of, key, rate));
    }
  }

  /** It regains its smaller burst in the same time, so that the long run is shared too. */
  private static @Nullable Rate partOf(@Nullable Rate rate) {
    if (rate == null) {
      return null;
    }
    int burst = ClientNetwork.share(rate.burst());
    return new Rate(burst, Duration.ofNanos(rate.each().toNanos() * rate.burst() / burst));
  }

  /** A rate of the settings, and what is counted for it. */
  private record Counted(String kind, Limit limit, RateTable<Object> table) {

    /** The same, of which one network may use a part. */
    Counted by(RateTable<Object> network) {
      return new Counted(kind, limit, network);
    }
  }

  /** The part of something that one network uses. */
  private record Part(IpAddress network, Object of) {
    @Override
    public String toString() {
      return of + " " + network;
    }
  }

  /** One more of something. */
  record Use(Counted of, Object key, Rate rate) {
    Counter counter() {
      RateTable<Object> table = of.table;
      return new Counter(
          of.kind + " " + key, rate, (count, agoNanos) -> table.add(key, rate, count, agoNanos));
    }
  }
}
